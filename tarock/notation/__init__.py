"""TGN, the Tarock Game Notation: reading and writing records as text and as JSON.

The notation knows cards, seats and verbs; the games decide what is legal. `docs/notation.md` is the
specification.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import BinaryIO, NamedTuple

from tarock.findings import Finding, NotationError, NotWritable
from tarock.notation.jsonform import read_values
from tarock.notation.names import NoName, read_name
from tarock.notation.pieces import Piece, cut, decoded, form_of
from tarock.notation.text import event_place, read_records
from tarock.notation.writer import dump_json, write_json, write_text
from tarock.record import Record

__all__ = [
    "Entry",
    "NoName",
    "NotWritable",
    "NotationError",
    "Piece",
    "cut",
    "dump_json",
    "read",
    "read_each",
    "read_file",
    "read_name",
    "read_one",
    "read_piece",
    "read_stored",
    "write_json",
    "write_text",
]


class Entry(NamedTuple):
    """One record of an input, good (`record`) or bad (`errors`).

    `n`: 0-based position in the input; `errors`: its faults in the order of the text (a place without cards
    last), without those that may follow from another one, and no more than twenty; `source`: its own text as
    sent; `line`: its first line, from 1; `form`: `tgn` or `json`.
    """

    n: int
    record: Record | None
    errors: tuple[Finding, ...]
    source: str
    line: int
    form: str

    @property
    def error(self) -> Finding | None:
        """The first fault."""
        return self.errors[0] if self.errors else None

    def place(self, event: int) -> tuple[int | None, int | None, str | None]:
        """Line, column and JSON pointer of an event (or of the end, for the number after the last)."""
        pointer = f"/events/{event}"
        if self.form == "json":
            return self.line, None, pointer
        found = event_place(self.source, self.line, event)
        return (*found, pointer) if found else (self.line, None, pointer)


def read_each(data: str | bytes) -> Iterator[Entry]:
    """Yield the records of an input, as `read` gives them. Each is read only when the iterator reaches it."""
    return _read_pieces([Piece(data)])


def read_file(file: BinaryIO, *, any_length: bool = False) -> Iterator[Entry]:
    """Yield the records of a file, as `read` gives them; the file may be larger than the memory. With
    ``any_length`` a record may be as long as for `read_stored`."""
    pieces = cut(iter(lambda: file.read(1 << 16), b""))
    return _read_pieces(replace(piece, any_length=any_length) for piece in pieces)


def _read_pieces(pieces: Iterable[Piece]) -> Iterator[Entry]:
    n = 0
    for piece in pieces:
        for entry in read_piece(piece):
            yield entry._replace(n=n) if n != entry.n else entry
            n += 1
    if not n:
        nothing = Finding("nothing", line=1, column=1, pointer="")
        yield Entry(0, None, (nothing,), decoded(piece.data), 1, "tgn")


def read_piece(piece: Piece) -> Iterator[Entry]:
    """Yield the records of a piece of an input, counted from 0, with the lines of the input; nothing for an
    empty piece."""
    text = decoded(piece.data)
    form = piece.form or form_of(text)
    # The line feed before a record belongs to neither record, as between two records of one piece.
    how = {"torn": piece.torn, "any_length": piece.any_length}
    found = (
        read_values(text, piece.line, piece.column, array=piece.array, last=piece.last, **how)
        if form == "json"
        else read_records(text if piece.last else text.removesuffix("\n"), piece.line, piece.column, **how)
    )
    for n, (line, source, result) in enumerate(found):
        yield _entry(n, result, source, line, form)


def read(data: str | bytes) -> list[Entry]:
    """Read every record of an input: TGN text, one JSON object, an array, or NDJSON, recognised by content.

    Never raises on bad input: each fault is among the `errors` of its entry, and reading goes on at the next
    record. An input without any record is one bad entry.
    """
    return list(read_each(data))


def _entry(n: int, result: Record | tuple[Finding, ...], source: str, line: int, form: str) -> Entry:
    if isinstance(result, Record):
        return Entry(n, result, (), source, line, form)
    return Entry(n, None, result, source, line, form)


def read_stored(data: str | bytes) -> Entry:
    """Read the one record of a text that was written here. It may be longer than the limit for senders: its
    other form can be, and so can a record with changed names.

    :raises NotationError: if it is bad, or if there are several.
    """
    entries = list(islice(_read_pieces([Piece(data, any_length=True)]), 2))
    finding = entries[0].error
    if len(entries) > 1:
        finding = Finding("second-record", line=entries[1].line, column=1, pointer="")
    if finding is not None:
        raise NotationError(finding)
    return entries[0]


def read_one(data: str | bytes) -> Record:
    """The record of the entry that `read_stored` gives."""
    record = read_stored(data).record
    assert record is not None
    return record
