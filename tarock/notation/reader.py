"""Reading records: the bytes or the text of an input become one entry per record."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any, BinaryIO, NamedTuple

from tarock.core.findings import Finding, NotationError
from tarock.core.record import Record
from tarock.notation.faults import Faults
from tarock.notation.foreign import finding_in
from tarock.notation.json_text import read_json_records
from tarock.notation.packed import unpacked
from tarock.notation.pieces import Piece, cut, form_of, log_in
from tarock.notation.sheet_part import numbered
from tarock.notation.text import read_again, read_text_records


class Entry(NamedTuple):
    """One record of an input, valid (`record`) or invalid (`errors`)."""

    n: int  # 0-based position in the input
    record: Record | None
    #: At most twenty faults in text order, without possible consequences of other faults.
    errors: tuple[Finding, ...]
    source: str  # the record's text as sent
    line: int  # number of its first line, from 1
    form: str  # `tgn` or `json`
    failure: Exception | None = None  # raised while reading the record: a bug in the program

    @property
    def error(self) -> Finding | None:
        """The first fault; None if there is none."""
        return self.errors[0] if self.errors else None

    def place(self, event: int) -> tuple[int, int | None, str]:
        """Return the line, column and JSON pointer of an event. The number after the last event refers to the
        record's end."""
        pointer = f"/events/{event}"
        if self.form == "json":
            return self.line, None, pointer
        reader = read_again(self.source)
        at_end = event >= len(reader.moves.events)
        return (*reader.place(self.line, "" if at_end else pointer), pointer)

    def sheet_place(self, number: int | None) -> tuple[int, int | None, str]:
        """Return the line, column and JSON pointer of the sheet line with this number in canonical order, or
        of the record's end for None."""
        reader = None if self.form == "json" else read_again(self.source)
        pointer, record = "", self.record
        if number is not None and record is not None:
            given = reader.moves.sheet if reader else json.loads(self.source)["sheet"]
            written = numbered(given, record.info, record.seating, Faults())[number][0]
            pointer = f"/sheet/{written}"
        line, column = reader.place(self.line, pointer) if reader else (self.line, None)
        return line, column, pointer or "/sheet"


def read_each(data: str | bytes) -> Iterator[Entry]:
    """Yield the entries that `read` returns, but read each record only when the iterator reaches it. If a bug
    prevents reading a record, the exception becomes the entry's `failure`."""
    return _read_pieces(pieces_of([data]) if isinstance(data, bytes) else [Piece(data)])


def pieces_of(chunks: Iterable[bytes], encoding: str = "") -> Iterator[Piece]:
    """Yield the pieces of an input in UTF-8. Packed files are opened (`tarock.notation.packed`); the lines
    are numbered as if the files in it were one after another. `encoding`: for texts that fit several."""
    before = 0
    for content in unpacked(chunks, encoding):
        lines = 0
        for piece in cut(content):
            assert isinstance(piece.data, bytes)
            yield replace(piece, line=before + piece.line, encoding=content.encoding, more=content.more)
            lines = piece.line - 1 + piece.data.count(b"\n")
        before += lines


def read_file(file: BinaryIO, *, any_length: bool = False, encoding: str = "") -> Iterator[Entry]:
    """Yield an entry for each record of a file, like `read_each`. The file may be larger than memory. With
    `any_length`, records may exceed the size limit for uploads. `encoding`: see `pieces_of`."""
    pieces = pieces_of(iter(lambda: file.read(1 << 16), b""), encoding)
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
    """Yield an entry for each record of a piece, numbered from `first`, with line numbers of the input."""
    text = piece.text
    form = piece.form or form_of(text)
    if form == "other":
        if not piece.torn and (finding := finding_in(text)):
            yield Entry(first, None, (replace(finding, line=piece.line),), text, piece.line, "tgn")
        return
    kind = {"torn": piece.torn, "any_length": piece.any_length}
    if form == "json" and (log := log_in(text)):
        found = _read_log(log, text, piece.line)
    elif form == "json":
        found = read_json_records(text, piece.line, piece.column, array=piece.array, last=piece.last, **kind)
    else:
        # Remove the line feed before the next piece's first record: like a line feed between two records of
        # one piece, it belongs to neither record.
        text = text if piece.last else text.removesuffix("\n")
        found = read_text_records(text, piece.line, piece.column, **kind)
    for n, (line, source, result) in enumerate(found, first):
        if isinstance(result, Record):
            yield Entry(n, result, (), source, line, form)
        elif isinstance(result, Exception):
            yield Entry(n, None, (Finding("failed", line=line),), source, line, form, result)
        else:
            yield Entry(n, None, result, source, line, form)


def _read_log(log: Any, text: str, line: int) -> Iterator[tuple[int, str, Any]]:
    """Yield the deals in the log of another site like `read_json_records`, with the JSON form as the text."""
    try:
        for at, form in log.read_log(text):
            if isinstance(form, Finding):
                yield line + at - 1, "", (replace(form, line=line + at - 1),)
                continue
            source = json.dumps(form, ensure_ascii=False)
            ((_line, _source, result),) = read_json_records(source, line + at - 1)
            yield line + at - 1, source, result
    except Exception as failure:  # a bug; the deals before it are good
        yield line, "", failure


def read(data: str | bytes) -> list[Entry]:
    """Return an entry for each record of an input: TGN text, a JSON object, a JSON array, or NDJSON.

    Invalid input never raises an exception: each fault is in the `errors` of its entry, and reading continues
    with the next record. An input without records gives one invalid entry. Exceptions from bugs in the
    program propagate, whereas `read_each` continues.
    """
    return [_read(entry) for entry in read_each(data)]


def _read(entry: Entry) -> Entry:
    if entry.failure is not None:
        raise entry.failure
    return entry


def read_stored(data: str | bytes) -> Entry:
    """Read the single record in a text that this package has written. The record may exceed the limit for
    uploads, because converting it to the other form or changing its names can make it longer.

    :raises NotationError: if the record is invalid, or if there are several.
    """
    entries = list(map(_read, islice(_read_pieces([Piece(data, any_length=True)]), 2)))
    finding = entries[0].error
    if len(entries) > 1:
        finding = Finding("second-record", line=entries[1].line, column=1, pointer="")
    if finding is not None:
        raise NotationError(finding)
    return entries[0]


def read_one(data: str | bytes) -> Record:
    """Return the single record in a text that this package has written, like `read_stored`."""
    record = read_stored(data).record
    assert record is not None
    return record
