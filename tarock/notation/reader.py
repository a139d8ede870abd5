"""Reading records: from the bytes or the text of an input to one entry a record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import BinaryIO, NamedTuple

from tarock.core.findings import Finding, NotationError
from tarock.core.record import Record
from tarock.notation.faults import Faults
from tarock.notation.json_text import read_json_records
from tarock.notation.pieces import Piece, cut, form_of
from tarock.notation.sheet_part import numbered
from tarock.notation.text import event_place, read_text_records, sheet_place


class Entry(NamedTuple):
    """One record of an input, good (`record`) or bad (`errors`).

    `n`: 0-based position in the input; `errors`: its faults in the order of the text, without those that may
    follow from another one, and no more than twenty; `source`: its own text as sent; `line`: its first line,
    from 1; `form`: `tgn` or `json`; `failure`: the exception that reading it raised, which is a fault of the
    program and none of the record.
    """

    n: int
    record: Record | None
    errors: tuple[Finding, ...]
    source: str
    line: int
    form: str
    failure: Exception | None = None

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

    def sheet_place(self, number: int | None) -> tuple[int | None, int | None, str]:
        """Line, column and JSON pointer of a line of a sheet, given its number in canonical order (None: of
        the end)."""
        if self.form == "json":
            return self.line, None, _json_pointer(self, number)
        found = sheet_place(self.source, self.line, number)
        return found or (self.line, None, "/sheet")


def _json_pointer(entry: Entry, number: int | None) -> str:
    record = entry.record
    if number is None or record is None:
        return "/sheet"
    given = json.loads(entry.source)["sheet"]
    return f"/sheet/{numbered(given, record.info, record.seating, Faults())[number][0]}"


def read_each(data: str | bytes) -> Iterator[Entry]:
    """Yield the records of an input, as `read` gives them. Each is read only when the iterator reaches it. A
    record on which the program itself fails has that exception as its `failure`."""
    return _read_pieces([Piece(data)])


def read_file(file: BinaryIO, *, any_length: bool = False) -> Iterator[Entry]:
    """Yield the records of a file, as `read` gives them; the file may be larger than the memory. With
    `any_length` a record may be as long as for `read_stored`."""
    pieces = cut(iter(lambda: file.read(1 << 16), b""))
    return _read_pieces(replace(piece, any_length=any_length) for piece in pieces)


def _read_pieces(pieces: Iterable[Piece]) -> Iterator[Entry]:
    n = 0
    for piece in pieces:
        for entry in read_piece(piece, n):
            yield entry
            n += 1
    if not n:
        nothing = Finding("nothing", line=1, column=1, pointer="")
        yield Entry(0, None, (nothing,), piece.text, 1, "tgn")


def read_piece(piece: Piece, first: int = 0) -> Iterator[Entry]:
    """Yield the records of a piece of an input, counted from `first`, with the lines of the input; nothing
    for an empty piece."""
    text = piece.text
    form = piece.form or form_of(text)
    kind = {"torn": piece.torn, "any_length": piece.any_length}
    if form == "json":
        found = read_json_records(text, piece.line, piece.column, array=piece.array, last=piece.last, **kind)
    else:
        # The line feed before a record belongs to neither record, as between two records of one piece.
        text = text if piece.last else text.removesuffix("\n")
        found = read_text_records(text, piece.line, piece.column, **kind)
    for n, (line, source, result) in enumerate(found, first):
        if isinstance(result, Record):
            yield Entry(n, result, (), source, line, form)
        elif isinstance(result, Exception):
            yield Entry(n, None, (Finding("failed", line=line),), source, line, form, result)
        else:
            yield Entry(n, None, result, source, line, form)


def read(data: str | bytes) -> list[Entry]:
    """Read every record of an input: TGN text, one JSON object, an array, or NDJSON, recognised by content.

    Never raises on bad input: each fault is among the `errors` of its entry, and reading goes on at the next
    record. An input without any record is one bad entry. An exception of the program itself is raised;
    `read_each` reads on.
    """
    return [_read(entry) for entry in read_each(data)]


def _read(entry: Entry) -> Entry:
    """The entry, unless the program failed on it: then that exception is raised."""
    if entry.failure is not None:
        raise entry.failure
    return entry


def read_stored(data: str | bytes) -> Entry:
    """Read the one record of a text that was written here. It may be longer than the limit for senders: its
    other form can be, and so can a record with changed names.

    :raises NotationError: if it is bad, or if there are several.
    """
    entries = list(map(_read, islice(_read_pieces([Piece(data, any_length=True)]), 2)))
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
