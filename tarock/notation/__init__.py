"""TGN, the Tarock Game Notation: reading and writing records as text and as JSON.

The notation knows cards, seats and verbs; what is legal the games say. `docs/notation.md` is the
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

    `n`: 0-based position in the input; `errors`: what is wrong, in the order of the text (a place without
    cards last), as far as nothing of it may come from another alone, and no more than twenty; `source`: its
    own text as it was sent; `line`: where it begins, from 1; `form`: `tgn` or `json`.
    """

    n: int
    record: Record | None
    errors: tuple[Finding, ...]
    source: str
    line: int
    form: str

    @property
    def error(self) -> Finding | None:
        """The first thing that is wrong."""
        return self.errors[0] if self.errors else None

    def place(self, event: int) -> tuple[int | None, int | None, str | None]:
        """Line, column and JSON pointer of an event (or of the end, for the number after the last)."""
        pointer = f"/events/{event}"
        if self.form == "json":
            return self.line, None, pointer
        found = event_place(self.source, self.line, event)
        return (*found, pointer) if found else (self.line, None, pointer)


def read_each(data: str | bytes) -> Iterator[Entry]:
    """The records of an input one by one, as `read` gives them: each is read when it is asked for, so that
    whoever wants no more than so many does not pay for the rest."""
    return _read_pieces([Piece(data)])


def read_file(file: BinaryIO, *, any_length: bool = False) -> Iterator[Entry]:
    """The records of a file one by one, as `read` gives them; it may be longer than the memory. With
    ``any_length`` they may be as long as for `read_stored`."""
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
    """The records of a piece of an input, counted from 0, with the lines of the input; none if there is
    nothing in it."""
    text = decoded(piece.data)
    form = piece.form or form_of(text)
    # The line feed before a record is of neither text, as between two records of one piece.
    how = {"torn": piece.torn, "any_length": piece.any_length}
    found = (
        read_values(text, piece.line, piece.column, array=piece.array, last=piece.last, **how)
        if form == "json"
        else read_records(text if piece.last else text.removesuffix("\n"), piece.line, piece.column, **how)
    )
    for n, (line, source, result) in enumerate(found):
        yield _entry(n, result, source, line, form)


def read(data: str | bytes) -> list[Entry]:
    """Every record of an input: TGN text, one JSON object, an array, or NDJSON, told apart by content.

    Never raises on bad input: each fault is among the `errors` of the entry that it spoils, and reading goes
    on at the next record. An input without any record is one bad entry.
    """
    return list(read_each(data))


def _entry(n: int, result: Record | tuple[Finding, ...], source: str, line: int, form: str) -> Entry:
    if isinstance(result, Record):
        return Entry(n, result, (), source, line, form)
    return Entry(n, None, result, source, line, form)


def read_stored(data: str | bytes) -> Entry:
    """The one record of a text that was written here. It may be longer than what is taken from a sender: the
    other form of a record is, and so is one in which names were changed.

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
    """The record that `read_stored` reads."""
    record = read_stored(data).record
    assert record is not None
    return record
