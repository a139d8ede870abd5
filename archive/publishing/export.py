"""Many deals as one text that is written while it is read: TGN, NDJSON, CSV; and what a deal is in them.

The one writer for the API's lists and streams, the downloads of searches and those of sessions.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any

import orjson

from archive.access import Viewer
from archive.addresses import Key
from archive.models import Deal, Seated
from archive.reading import deals
from archive.reading.filters import Filters
from tarock import sentences
from tarock.game import SEATS
from tarock.games import games
from tarock.notation import NotWritable, write_text

Json = dict[str, Any]

# --- one deal -----------------------------------------------------------------------------------------------


def _moment(moment: datetime) -> str:
    return moment.isoformat().replace("+00:00", "Z")


def players(seated: Iterable[Seated]) -> list[Json]:
    """Who sat where, as it is told to programs."""
    return [
        {"seat": seat, "player": player.display_name, "player_id": player.head.pk, "points": points}
        for seat, player, points in seated
    ]


def _session(deal: Deal) -> str | None:
    return deal.representative.session.name if deal.representative.session else None


def _finding(deal: Deal) -> Json | None:
    return None if deal.finding is None else sentences.finding_json(deal.finding, deal.game)


PARTS: dict[str, Callable[[Deal], Any]] = {
    "id": lambda deal: deal.pk,
    "deal": lambda deal: str(deal.representative.key),
    "url": lambda deal: None,  # `entry` is told where deals are
    "digest": lambda deal: deal.hex_digest,
    "game": lambda deal: deal.game,
    "verdict": lambda deal: deal.representative.verdict,
    "players": lambda deal: players(deal.seats),
    "dealer": lambda deal: deal.dealer,
    "date": lambda deal: deal.representative.date,
    "event": lambda deal: deal.representative.event,
    "site": lambda deal: deal.representative.site,
    "club": lambda deal: deal.representative.space.club,
    "club_name": lambda deal: deal.representative.space.club_name,
    "session": _session,
    "deal_number": lambda deal: deal.representative.number,
    "declarer": lambda deal: deal.declarer or None,
    "partner": lambda deal: deal.partner or None,
    "contract": lambda deal: deal.contract,
    "result": lambda deal: deal.result,
    "card_points": lambda deal: deal.card_points,
    "clauses": lambda deal: deal.slugs,
    "score": lambda deal: deal.score,
    "claim": lambda deal: deal.representative.claimed,
    "engine_version": lambda deal: deal.engine_version,
    "verified_at": lambda deal: _moment(deal.verified_at),
    "stored_at": lambda deal: _moment(deal.stored_at),
    "record": lambda deal: deal.form,
    "finding": _finding,
}
"""What can be told of a deal that is shown by a contribution: each part, and what makes it. The record is in
the JSON form; `finding` reads the record again, to find the place in its text."""

TEXTS = {"record": ["text"], "finding": ["text", "sheet"]}
"""The parts that need the texts of a deal, and the columns that hold these."""


def unneeded(parts: Iterable[str]) -> list[str]:
    """The columns of texts that are not needed for these parts."""
    needed = {column for part in parts for column in TEXTS.get(part, ())}
    return [column for column in ("text", "sheet") if column not in needed]


LISTED = tuple(name for name in PARTS if name not in TEXTS)
"""The parts that a deal has in lists, pages and lines of NDJSON, unless others are asked for."""

_SEATED = ("players", "claim")
"""Parts that have a column for each seat in a table."""

COLUMNS = tuple(name for name in LISTED if name not in ("url", "score"))
"""The parts that a table can have, and has unless some of them are asked for."""


Address = Callable[[Key], str]
"""Gives the address of a deal."""


def entry(deal: Deal, parts: Iterable[str], address: Address | None = None) -> Json:
    """A deal as it is told to programs: those of the `PARTS`, as values for `json.dumps`. The `url` needs an
    ``address``."""
    fields = {name: PARTS[name](deal) for name in parts}
    if address is not None and "url" in fields:
        fields["url"] = address(deal.representative.key)
    return fields


# --- many ---------------------------------------------------------------------------------------------------


_ENDS = tuple((end.encode(), json.dumps(end)[1:-1].encode()) for end in "\x85\u2028\u2029")


def line_of(value: Json) -> bytes:
    """A line of NDJSON, in which nothing else is a line's end for any reader."""
    line = orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    if not line.isascii():
        for end, written in _ENDS:
            line = line.replace(end, written)
    return line


def ndjson(
    found: Iterable[Deal], parts: Sequence[str] = LISTED, address: Address | None = None
) -> Iterator[bytes]:
    """A line of JSON for each deal: its `entry`."""
    for deal in found:
        yield line_of(entry(deal, parts, address))


def records(found: Iterable[Deal]) -> Iterator[bytes]:
    """Records in the JSON form, a line each, which the archive reads again."""
    for deal in found:
        yield line_of(deal.form)


def tgn(found: Iterable[Deal]) -> Iterator[bytes]:
    """Records in canonical text, a blank line between each two. Where text cannot write one there is a remark
    that says so."""
    between = ""
    for deal in found:
        try:
            text = write_text(deal.record)
        except NotWritable:
            text = f"; Deal {deal.key} is left out: text cannot write it. It can be had in the JSON form.\n"
        yield (between + text).encode()
        between = "\n"


def table(found: Iterable[Deal], parts: Sequence[str] = COLUMNS) -> Iterator[bytes]:
    """A table as spreadsheets read it (CSV, UTF-8 with a mark that says so): a line a deal, with a column for
    each part, and for each seat those of its player, points, and points written down."""
    seats = SEATS[: max(max(game.seats) for game in games())]
    one = [name for name in parts if name not in _SEATED]
    words = [
        *(["player", "player_id", "points"] if "players" in parts else []),
        *(["claim"] if "claim" in parts else []),
    ]
    head = line([*one, *(f"{word}_{seat}" for seat in seats for word in words)])
    yield f"\ufeff{head}".encode()
    for deal in found:
        fields = entry(deal, parts)
        at = {player["seat"]: player for player in fields.get("players", ())}
        for seat, points in (fields.get("claim") or {}).items():
            at.setdefault(seat, {})["claim"] = points
        cells = [at.get(seat, {}).get(word) for seat in seats for word in words]
        yield line([*(_cell(fields[name]) for name in one), *cells]).encode()


def _cell(value: Any) -> Any:
    return " ".join(value) if isinstance(value, list) else value


def line(values: Iterable[Any]) -> str:
    """A line of CSV (RFC 4180) in which no text is a formula; None is empty."""
    written = io.StringIO()
    csv.writer(written).writerow([_harmless(v) if isinstance(v, str) else v for v in values])
    return written.getvalue()


def _harmless(text: str) -> str:
    """A text that a spreadsheet takes for no formula: with an apostrophe before what may begin one."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


MEDIA_TYPES = {
    "tgn": "application/vnd.tgn",
    "jsonl": "application/x-ndjson",
    "ndjson": "application/x-ndjson",
    "csv": "text/csv",
}
"""The media types of the forms, by the ends of their files' names."""


def written(
    form: str, found: Iterable[Deal], parts: Sequence[str] = (), address: Address | None = None
) -> Iterator[bytes]:
    """Deals in one of these forms, in pieces of some size; `ndjson` and `csv` with these parts, if some are
    asked for; ``address`` gives the `url` of each deal in `ndjson`."""
    if form == "tgn":
        return pieces(tgn(found))
    if form == "jsonl":
        return pieces(records(found))
    if form == "ndjson":
        return pieces(ndjson(found, parts or LISTED, address))
    return pieces(table(found, parts or COLUMNS))


def search(
    form: str,
    filters: Filters,
    viewer: Viewer,
    *,
    newest_first: bool = False,
    limit: int | None = None,
    parts: Sequence[str] = (),
    address: Address | None = None,
) -> Iterator[bytes]:
    """The deals that fit, or so many of them, in one of the forms, as `written` writes them."""
    whole = {"ndjson": LISTED, "csv": COLUMNS}.get(form, ("record",))
    without = unneeded(parts or whole)
    found = deals.iter_deals(filters, viewer, newest_first=newest_first, limit=limit, without=without)
    return written(form, found, parts, address)


def pieces(texts: Iterable[bytes], size: int = 65_536) -> Iterator[bytes]:
    """Texts in pieces of about this size."""
    waiting: list[bytes] = []
    length = 0
    for text in texts:
        waiting.append(text)
        length += len(text)
        if length >= size:
            yield b"".join(waiting)
            waiting, length = [], 0
    if waiting:
        yield b"".join(waiting)
