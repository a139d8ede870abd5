"""Many deals as one text that is written while it is read: TGN, NDJSON, CSV.

The deals are fetched a few hundred at a time, so that a download of all of them takes no more memory than one
of some.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from typing import Any

from archive import selectors
from archive.access import EVERYBODY, Viewer
from archive.models import Deal
from archive.selectors import Filters
from tarock.game import SEATS
from tarock.games import games
from tarock.notation import NotWritable, dump_json, write_text

BATCH = 250
"""Deals that are in memory at a time."""

COLUMNS = (
    "deal", "game", "verdict", "date", "club", "session", "number", "event", "site", "dealer", "declarer",
    "partner", "contract", "result", "card_points",
)  # fmt: skip
"""The columns of CSV before those of the seats."""


def deals(filters: Filters, viewer: Viewer = EVERYBODY, texts: bool = True) -> Iterator[Deal]:
    """The deals that fit, the latest stored first, with their texts if they are wanted; those that come in
    meanwhile are not among them. Three queries a batch."""
    found, last = selectors.deals(filters, viewer, texts=texts), None
    while True:
        batch = list((found if last is None else found.filter(pk__lt=last))[:BATCH])
        yield from batch
        if len(batch) < BATCH:
            return
        last = batch[-1].pk


def tgn(found: Iterable[Deal]) -> Iterator[str]:
    """Records in canonical text, a blank line between each two. What text cannot write is left out."""
    first = True
    for deal in found:
        try:
            text = write_text(deal.record)
        except NotWritable:
            continue
        yield text if first else f"\n{text}"
        first = False


def ndjson(found: Iterable[Deal]) -> Iterator[str]:
    """Records in the JSON form, a line each."""
    for deal in found:
        yield dump_json(deal.record) + "\n"


def table(found: Iterable[Deal]) -> Iterator[str]:
    """A table as spreadsheets read it (CSV, UTF-8 with a mark that says so): a line a deal, with players,
    points and the points written down of each seat."""
    letters = SEATS[: max(max(game.seats) for game in games())]
    yield "\ufeff" + line(
        [*COLUMNS, *(f"{word}_{s}" for s in letters for word in ("player", "points", "claim"))]
    )
    for deal in found:
        said, claim = deal.shown, deal.shown.claimed or {}
        seats = {seat.seat: seat for seat in deal.seats}
        row: list[Any] = [deal.pk, deal.game, said.verdict, said.date, said.space.name]
        row += [said.session.name if said.session else "", said.number, said.event, said.site, deal.dealer]
        row += [deal.declarer, deal.partner, deal.contract, deal.result, deal.card_points]
        for letter in letters:
            seat = seats.get(letter)
            row += [seat.player.shown, seat.points, claim.get(letter)] if seat else ["", None, None]
        yield line(row)


def line(values: Iterable[Any]) -> str:
    """A line of CSV (RFC 4180) in which no text is a formula; None is empty."""
    written = io.StringIO()
    csv.writer(written).writerow([_harmless(v) if isinstance(v, str) else v for v in values])
    return written.getvalue()


def _harmless(text: str) -> str:
    """A text that a spreadsheet takes for no formula: with an apostrophe before what may begin one."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


FORMS = {
    "tgn": (tgn, "application/vnd.tgn; charset=utf-8"),
    "ndjson": (ndjson, "application/x-ndjson; charset=utf-8"),
    "csv": (table, "text/csv; charset=utf-8"),
}
"""The forms by the ends of their files' names: the writer, and the media type."""


def pieces(form: str, filters: Filters, viewer: Viewer = EVERYBODY, size: int = 65_536) -> Iterator[bytes]:
    """A download of the deals that fit, in pieces of about this size."""
    waiting: list[str] = []
    length = 0
    for text in FORMS[form][0](deals(filters, viewer, texts=form != "csv")):
        waiting.append(text)
        length += len(text)
        if length >= size:
            yield "".join(waiting).encode()
            waiting, length = [], 0
    if waiting:
        yield "".join(waiting).encode()
