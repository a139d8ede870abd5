"""Cutting a long input into pieces, at the borders of its records, while it arrives.

Each piece can be read by itself with `tarock.notation.read_piece`; together the pieces give the same records
as the whole input. This module only finds borders; it reads no records.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from tarock.notation.boundaries import NEXT_RECORD, chunks, later_tgn
from tarock.notation.limits import MAX_TEXT
from tarock.notation.values import SPACES

PIECE = 256 * 1024
"""Bytes after which a piece ends with its current record: some 300 deals."""

_LONGEST = PIECE + 8 * MAX_TEXT
"""Bytes after which a piece without the end of a record is cut anywhere, since no record may be so long."""

_NEXT_OBJECT = re.compile(rb"\}(?:[\s,\x1a]|\xef\xbb\xbf)*+(?=" + NEXT_RECORD.pattern.encode() + rb")")
_BEGINNINGS = {
    "tgn": re.compile(rb"(?i)\[TGN\b"),
    "json": re.compile(rb"(?:\A|\})(?:[\s,\[\x1a]|\xef\xbb\xbf)*+\{"),
}
_ARRAY_START = re.compile(rf"[{SPACES}]*\[")
# Also where the input ends early: after a bracket, or within the first key.
_JSON_START = re.compile(
    rf"[{SPACES}]*"
    r'(?:\[\s*(?:[\[{\]]|\Z)|\{\s*(?:\}|\Z|"(?:[^"\\]|\\.)*(?:\Z|"\s*(?::|\Z))))'
)


def form_of(text: str) -> str:
    """The form of an input, by its beginning: `tgn` or `json`."""
    return "json" if not text.startswith("[TGN ") and _JSON_START.match(text) else "tgn"


def decoded(data: str | bytes) -> str:
    """An input as text; bytes that are no UTF-8 stay as lone surrogates, so that the reader can report
    them."""
    text = data.decode("utf-8", "surrogateescape") if isinstance(data, bytes) else data
    return text.replace("\r\n", "\n") if "\r" in text else text


@dataclass(frozen=True, slots=True)
class Piece:
    """Some whole records of an input, as sent.

    `line`, `column`: the beginning of the piece in the input, from 1; `form`: `tgn` or `json`, by default
    recognised by its beginning; `array`: whether it begins within a JSON array; `torn`: whether it begins
    within a record that exceeds the length limit, the rest of which is skipped; `last`: whether the input
    ends with it; `cut_off`: whether it ends within such a record; `any_length`: whether its records may
    exceed the limit for senders.
    """

    data: str | bytes
    line: int = 1
    column: int = 1
    form: str = ""
    array: bool = False
    torn: bool = False
    last: bool = True
    cut_off: bool = False
    any_length: bool = False

    @property
    def text(self) -> str:
        """The piece as text, without the byte-order mark that an input may begin with."""
        text = decoded(self.data)
        return text.removeprefix("\ufeff") if (self.line, self.column) == (1, 1) else text

    @property
    def about(self) -> int:
        """The approximate number of records, by their beginnings."""
        data = self.data.encode("utf-8", "surrogateescape") if isinstance(self.data, str) else self.data
        return max(1, len(_BEGINNINGS[self.form].findall(data)))


START = Piece(b"", last=False)
"""The place where an input begins."""


def cut(chunks: Iterable[bytes]) -> Iterator[Piece]:
    """Yield the pieces of an input that arrives in chunks; an empty input is one empty piece.

    Holds no more than one piece and one chunk at a time.
    """
    waiting = bytearray()
    place = START
    looked_at = 0
    for chunk in _small(chunks):
        waiting += chunk
        if len(waiting) - looked_at >= PIECE:
            piece = whole_records(bytes(waiting), place)
            if not piece.data:
                # The record goes on: look again when as many bytes more have arrived.
                looked_at = len(waiting)
                continue
            yield piece
            del waiting[: len(piece.data)]
            place, looked_at = following(piece), 0
    yield rest(bytes(waiting), place)


def whole_records(data: bytes, place: Piece) -> Piece:
    """The whole records at the beginning of what has arrived of an input; an empty piece while the first
    record goes on. `place`: where it begins, as `following` or `START` have it."""
    form = place.form or form_of(decoded(data))
    border = _border(data, form)
    if place.torn and not border and form == "tgn":
        border = _after_torn(data, place.column)
    # Even within a line: the part before is longer than any record may be, and so cannot be read as a whole
    # one.
    cut_off = border == 0 and len(data) >= _LONGEST
    return replace(place, data=data if cut_off else data[:border], form=form, cut_off=cut_off)


def rest(data: bytes, place: Piece) -> Piece:
    """The last piece of an input. `place`: where it begins, as `following` or `START` have it."""
    return replace(place, data=data, form=place.form or form_of(decoded(data)), last=True)


def following(piece: Piece) -> Piece:
    """The place behind a piece, as an empty piece."""
    data = piece.data if isinstance(piece.data, bytes) else piece.data.encode("utf-8", "surrogateescape")
    text = piece.text
    in_line = len(text) - (text.rfind("\n") + 1)
    starts_array = piece.form == "json" and _ARRAY_START.match(text) is not None
    is_first = (piece.line, piece.column) == (1, 1)
    return replace(
        piece,
        data=b"",
        line=piece.line + data.count(b"\n"),
        column=in_line + 1 if b"\n" in data else piece.column + in_line,
        array=starts_array if is_first else piece.array,
        torn=piece.cut_off,
        cut_off=False,
    )


def _after_torn(waiting: bytes, column: int) -> int:
    """The offset of the record after one that was too long, in the text form; 0 if there is none yet."""
    text = decoded(waiting)
    begins, at = later_tgn(text, column), 0
    for _ in range(text.count("\n", 0, begins or 0)):
        at = waiting.index(b"\n", at) + 1
    return at


def _small(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the chunks, none longer than one record may be."""
    for chunk in chunks:
        for at in range(0, len(chunk), MAX_TEXT):
            yield chunk[at : at + MAX_TEXT]


def _border(waiting: bytes, form: str) -> int:
    """The offset of the last record, which may be incomplete; 0 if it is the only one."""
    if form == "json":
        border = 0
        for found in _NEXT_OBJECT.finditer(waiting):
            border = found.end()
        return border
    whole = waiting[: waiting.rfind(b"\n") + 1]
    last = max(line for line, *_ in chunks(decoded(whole), is_whole=False))
    if last == 1:
        return 0
    # Count lines from the end, which is nearer to the last record.
    at = len(whole)
    for _ in range(whole.count(b"\n") - last + 2):
        at = whole.rfind(b"\n", 0, at)
    return at + 1
