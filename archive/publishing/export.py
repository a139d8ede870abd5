"""Streams of deals as TGN, NDJSON or CSV, for the API and the downloads of searches and sessions."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from decimal import Decimal
from typing import Any

import orjson

from archive.access import Viewer
from archive.addresses import Key
from archive.publishing import columns
from archive.publishing.columns import COLUMNS, Json
from archive.reading.deals import iter_deals
from archive.reading.filters import Filters
from archive.shown import ShownDeal
from tarock.core.game import SEATS
from tarock.games import games
from tarock.notation import NotWritable, write_text

PARTS = tuple(name for name, column in COLUMNS.items() if column.in_json)
"""Names of the parts of a deal in JSON. The part `record` is in the JSON form of TGN."""

_ON_REQUEST = ("rules", "losses")
"""Further parts without large texts, which CSV tables contain."""

LISTED = tuple(name for name in PARTS if not COLUMNS[name].texts and name not in _ON_REQUEST)
"""Parts that lists, pages and NDJSON lines contain by default."""

_SEATED = {"players": ("player", "player_id", "points"), "claim": ("claim",), "losses": ("loss",)}
"""Parts that a CSV table splits into columns for each seat, with the names of these columns."""

TABLE = tuple(name for name in PARTS if name in (*LISTED, *_ON_REQUEST) and name not in ("url", "score"))
"""Parts that a CSV table can contain. By default it contains all of them."""


def unneeded(parts: Iterable[str]) -> list[str]:
    """Return the large text columns of a deal that none of these parts needs."""
    needed = {column for part in parts for column in COLUMNS[part].texts}
    return [column for column in ("text", "sheet") if column not in needed]


Address = Callable[[Key], str]
"""A function that returns the URL of the deal with this key."""


def entry(deal: ShownDeal, parts: Iterable[str], address: Address | None = None) -> Json:
    """Return these parts of a deal as values for `json.dumps`. Without `address`, the part `url` is None."""
    fields = columns.as_json(deal, deal.contribution, parts)
    if address is not None and "url" in fields:
        fields["url"] = address(deal.contribution.key)
    return fields


_ENDS = tuple((end.encode(), json.dumps(end)[1:-1].encode()) for end in "\x85\u2028\u2029")


def line_of(value: Json) -> bytes:
    """Return a value as a line of NDJSON. Escape U+2028 and others that some readers take for line ends."""
    line = orjson.dumps(value, option=orjson.OPT_APPEND_NEWLINE)
    if not line.isascii():
        for end, written in _ENDS:
            line = line.replace(end, written)
    return line


def ndjson(
    deals: Iterable[ShownDeal], parts: Sequence[str] = LISTED, address: Address | None = None
) -> Iterator[bytes]:
    """Yield the `entry` of each deal as a line of JSON."""
    for deal in deals:
        yield line_of(entry(deal, parts, address))


def records(deals: Iterable[ShownDeal]) -> Iterator[bytes]:
    """Yield the record of each deal in the JSON form of TGN, one per line, a format that uploads accept."""
    for deal in deals:
        yield line_of(deal.form)


def tgn(deals: Iterable[ShownDeal]) -> Iterator[bytes]:
    """Yield the records as TGN text, separated by blank lines. A comment replaces each record that TGN text
    can't express."""
    between = ""
    for deal in deals:
        try:
            text = write_text(deal.record)
        except NotWritable:
            text = f"; Deal {deal.key} is left out: text cannot write it. It can be had in the JSON form.\n"
        yield (between + text).encode()
        between = "\n"


def table(deals: Iterable[ShownDeal], parts: Sequence[str] = TABLE, delimiter: str = ",") -> Iterator[bytes]:
    """Yield a table for spreadsheets (CSV, UTF-8 with a byte order mark), one line per deal. It has a column
    for each part, and columns for each seat's player, player id, points, claimed points and losses. A result
    with more players than columns is cut, because the columns must be known before the first line."""
    seats = SEATS[: max(max(game.seats) for game in games())]
    one = [name for name in parts if name not in _SEATED]
    words = [word for part, names in _SEATED.items() if part in parts for word in names]
    head = line([*one, *(f"{word}_{seat}" for seat in seats for word in words)], delimiter)
    yield f"\ufeff{head}".encode()
    for deal in deals:
        fields = entry(deal, parts)
        seated = fields.get("players", ())
        # A result has no seats, so its first players fill the columns in order.
        letters = seats if deal.is_result else (player["seat"] for player in seated)
        at = dict(zip(letters, seated, strict=False))
        for part, word in (("claim", "claim"), ("losses", "loss")):
            for seat, points in (fields.get(part) or {}).items():
                at.setdefault(seat, {})[word] = points
        cells = [at.get(seat, {}).get(word) for seat in seats for word in words]
        values = (fields[name]["filter"] if name == "rules" else fields[name] for name in one)
        words_joined = (" ".join(value) if isinstance(value, list) else value for value in values)
        yield line([*words_joined, *cells], delimiter).encode()


DELIMITERS = (",", ";")
"""Column separators of CSV files. Spreadsheets set to Czech or German expect semicolons."""


def line(values: Iterable[Any], delimiter: str = ",") -> str:
    """Return a line of CSV (RFC 4180). Spreadsheets treat no text in it as a formula, and None becomes an
    empty cell. With semicolons as separators, numbers have a decimal comma, because spreadsheets expect both
    or neither."""
    written = io.StringIO()
    # With an apostrophe before it, no spreadsheet treats a text as a formula.
    begins = ("=", "+", "-", "@", "\t", "\r", "\n")
    cells = [f"'{v}" if isinstance(v, str) and v.startswith(begins) else v for v in values]
    if delimiter == ";":
        cells = [str(v).replace(".", ",") if isinstance(v, float | Decimal) else v for v in cells]
    csv.writer(written, delimiter=delimiter).writerow(cells)
    return written.getvalue()


MEDIA_TYPES = {
    "tgn": "application/vnd.tgn",
    "jsonl": "application/x-ndjson",
    "ndjson": "application/x-ndjson",
    "csv": "text/csv",
}
"""Media types of the formats, by file extension."""


def written(
    form: str,
    deals: Iterable[ShownDeal],
    parts: Sequence[str] = (),
    address: Address | None = None,
    delimiter: str = ",",
) -> Iterator[bytes]:
    """Yield deals in the format `form` (a key of `MEDIA_TYPES`), in pieces of similar size. `parts`: parts of
    each deal in `ndjson` and `csv`, by default `LISTED` and `TABLE`; `address`: function that returns the
    `url` of each deal in `ndjson`."""
    if form == "tgn":
        return pieces(tgn(deals))
    if form == "jsonl":
        return pieces(records(deals))
    if form == "ndjson":
        return pieces(ndjson(deals, parts or LISTED, address))
    return pieces(table(deals, parts or TABLE, delimiter))


def search(
    form: str,
    filters: Filters,
    viewer: Viewer,
    *,
    newest_first: bool = False,
    limit: int | None = None,
    parts: Sequence[str] = (),
    address: Address | None = None,
    delimiter: str = ",",
) -> Iterator[bytes]:
    """Yield the matching deals, or the first `limit` of them, formatted by `written`."""
    whole = {"ndjson": LISTED, "csv": TABLE}.get(form, ("record",))
    without = unneeded(parts or whole)
    found = iter_deals(filters, viewer, newest_first=newest_first, limit=limit, without=without)
    return written(form, found, parts, address, delimiter)


def pieces(texts: Iterable[bytes], size: int = 65_536) -> Iterator[bytes]:
    """Join texts, and yield them in pieces of at least `size` bytes. The last piece may be smaller."""
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
