"""Cutting a long input into pieces at record boundaries while it arrives.

`tarock.notation.read_piece` reads each piece separately. The pieces give the same records as the whole input.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from types import ModuleType

from tarock.games import LOGS
from tarock.notation.boundaries import NEXT_RECORD, chunks, later_tgn
from tarock.notation.foreign import finding_in
from tarock.notation.limits import MAX_TEXT
from tarock.notation.values import SPACES

PIECE = 256 * 1024
"""Number of bytes after which a piece is cut at the last record boundary: about 300 deals."""

_LONGEST = PIECE + 8 * MAX_TEXT
"""Number of bytes after which a piece without a record boundary is cut. No record may be that long."""

_LONGEST_LOG = 4 * 1024 * 1024
"""Number of bytes after which the log of another site is cut: about 100 deals. They are read together."""

_NEXT_OBJECT = re.compile(rb"\}(?:[\s,\x1a]|\xef\xbb\xbf)*+(?=" + NEXT_RECORD.pattern.encode() + rb")")
_BEGINNINGS = {
    "tgn": re.compile(rb"(?i)\[TGN\b"),
    "json": re.compile(rb"(?:\A|\})(?:[\s,\[\x1a]|\xef\xbb\xbf)*+\{"),
}
_ARRAY_START = re.compile(rf"[{SPACES}]*\[")
# Also match JSON that is cut off after a bracket or within the first key, to report it as invalid JSON.
_JSON_START = re.compile(
    rf"[{SPACES}]*"
    r'(?:\[\s*(?:[\[{\]]|\Z)|\{\s*(?:\}|\Z|"(?:[^"\\]|\\.)*(?:\Z|"\s*(?::|\Z))))'
)


def form_of(text: str) -> str:
    """Return the form of an input, judging by its beginning: `tgn`, `json`, or `other` for a file that is no
    record (`tarock.notation.foreign`)."""
    if finding_in(text):
        return "other"
    return "json" if not text.startswith("[TGN ") and _JSON_START.match(text) else "tgn"


def log_in(text: str) -> ModuleType | None:
    """Return the module that reads a text, if it is the log of another site (`tarock.games.LOGS`)."""
    return next((log for log in LOGS if log.is_log(text)), None)


def decoded(data: str | bytes) -> str:
    """Decode an input, and turn CRLF into LF. Invalid bytes become surrogates, which the reader reports."""
    text = data.decode("utf-8", "surrogateescape") if isinstance(data, bytes) else data
    return text.replace("\r\n", "\n") if "\r" in text else text


@dataclass(frozen=True, slots=True)
class Piece:
    """Consecutive whole records of an input, as sent."""

    data: str | bytes
    line: int = 1  # line of the input at which the piece begins
    column: int = 1  # column of the input at which the piece begins
    form: str = ""  # of `form_of`; empty: judge by the beginning of the piece
    array: bool = False  # whether the piece begins within a JSON array
    torn: bool = False  # whether it begins within an overlong record, which is skipped
    last: bool = True  # whether it is the last piece of the input
    cut_off: bool = False  # whether it ends within a record that is too long
    any_length: bool = False  # whether records may exceed the size limit for uploads
    encoding: str = ""  # encoding in which the input was sent, if it wasn't UTF-8
    more: bool = False  # whether another file of the same packed file follows

    @property
    def text(self) -> str:
        """The piece as text, without a byte-order mark at the beginning of the input."""
        text = decoded(self.data)
        return text.removeprefix("\ufeff") if (self.line, self.column) == (1, 1) else text

    @property
    def about(self) -> int:
        """Approximate number of records, counted by their beginnings."""
        if self.form not in _BEGINNINGS:
            return 1
        data = self.data.encode("utf-8", "surrogateescape") if isinstance(self.data, str) else self.data
        return max(1, len(_BEGINNINGS[self.form].findall(data)))


START = Piece(b"", last=False)
"""The beginning of an input, as an empty piece."""


def cut(chunks: Iterable[bytes]) -> Iterator[Piece]:
    """Yield the pieces of an input that arrives in chunks. An empty input yields one empty piece.

    Memory holds at most one piece and one chunk at a time.
    """
    waiting = bytearray()
    place = START
    looked_at = 0
    for chunk in _small(chunks):
        waiting += chunk
        if len(waiting) - looked_at >= PIECE:
            piece = whole_records(bytes(waiting), place)
            if not piece.data:
                # The first record is not complete yet. Look again after another `PIECE` bytes have arrived.
                looked_at = len(waiting)
                continue
            yield piece
            del waiting[: len(piece.data)]
            place, looked_at = following(piece), 0
    yield rest(bytes(waiting), place)


def whole_records(data: bytes, place: Piece) -> Piece:
    """Return a piece with the complete records at the beginning of the received data; empty if the first
    record is incomplete. `place`: position at which the data begins, from `following` or `START`."""
    form = place.form or form_of(decoded(data))
    border = _border(data, form)
    if place.torn and not border and form == "tgn":
        border = _after_torn(data, place.column)
    # An overlong record is cut even within a line. The part exceeds the size limit, so the reader can't
    # mistake it for a whole record.
    longest = _LONGEST_LOG if form == "json" and log_in(decoded(data[:PIECE])) else _LONGEST
    cut_off = border == 0 and len(data) >= longest
    return replace(place, data=data if cut_off else data[:border], form=form, cut_off=cut_off)


def rest(data: bytes, place: Piece) -> Piece:
    """Return the last piece of an input. `place`: where the piece begins, from `following` or `START`."""
    return replace(place, data=data, form=place.form or form_of(decoded(data)), last=True)


def following(piece: Piece) -> Piece:
    """Return the position after a piece, as an empty piece."""
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
    """Return the offset of the first record after an overlong one in the text form; 0 if not yet received."""
    text = decoded(waiting)
    begins, at = later_tgn(text, column), 0
    for _ in range(text.count("\n", 0, begins or 0)):
        at = waiting.index(b"\n", at) + 1
    return at


def _small(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the chunks, split so that none exceeds the maximum length of a record."""
    for chunk in chunks:
        for at in range(0, len(chunk), MAX_TEXT):
            yield chunk[at : at + MAX_TEXT]


def _border(waiting: bytes, form: str) -> int:
    """Return the offset of the last record, which may be incomplete; 0 if it is the only record."""
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
