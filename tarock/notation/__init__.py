"""TGN, the Tarock Game Notation: reading and writing records as text and as JSON.

The notation knows cards, seats and verbs; what is legal the games say. `docs/notation.md` is the
specification.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple, TextIO

from tarock.findings import Finding, NotationError, NotWritable
from tarock.notation.jsonform import read_values
from tarock.notation.text import event_place, read_records
from tarock.notation.writer import dump_json, write_json, write_text
from tarock.record import Record

__all__ = [
    "Entry",
    "NotWritable",
    "NotationError",
    "dump_json",
    "read",
    "read_each",
    "read_file",
    "read_one",
    "write_json",
    "write_text",
]

_TEXT_START = re.compile(r"\s*(?:\[[ \t]*[A-Za-z]|[^\s\[{])")
_JSON_START = re.compile(r'\s*(?:\[\s*(?:[\[{\]]|$)|\{\s*(?:\}|"(?:[^"\\]|\\.)*"\s*:))')


#: So many characters of a file are read at once, and the rest of a line.
_PIECE = 1 << 18


class Entry(NamedTuple):
    """One record of an input, good (`record`) or bad (`error`).

    `n`: 0-based position in the input; `source`: its own text as it was sent; `line`: where it begins, from
    1; `form`: `tgn` or `json`.
    """

    n: int
    record: Record | None
    error: Finding | None
    source: str
    line: int
    form: str

    def place(self, event: int) -> tuple[int | None, int | None, str | None]:
        """Line, column and JSON pointer of an event (or of the end, for the number after the last)."""
        pointer = f"/events/{event}"
        if self.form == "json":
            return self.line, None, pointer
        found = event_place(self.source, self.line, event)
        return (*found, pointer) if found else (self.line, None, pointer)


def read_each(data: str | bytes) -> Iterator[Entry]:
    """The records of an input one by one, as `read` gives them: each is read when it is asked for, so that
    whoever wants no more than so many does not pay for the rest. Bytes that are no UTF-8 stay as lone
    surrogates, for the reader to name their place."""
    text = data.decode("utf-8", "surrogateescape") if isinstance(data, bytes) else data
    return read_file(io.StringIO(text, newline="\n"))


def read_file(file: TextIO) -> Iterator[Entry]:
    """The records of a file (opened with `newline="\\n"`) one by one, as `read` gives them. TGN is read piece
    by piece, so that it may be longer than the memory; JSON as a whole."""

    def more(size: int) -> str:
        text = file.read(max(size, _PIECE)) + file.readline()
        return text.replace("\r\n", "\n") if "\r" in text else text

    text = more(0).removeprefix("\ufeff")
    is_text = _TEXT_START.match(text) is not None
    if not is_text:
        while piece := more(len(text)):
            text += piece
    n = -1
    if not is_text and _JSON_START.match(text):
        for n, (line, source, result) in enumerate(read_values(text)):
            yield _entry(n, result, source, line, "json")
    else:
        for n, (line, source, result) in enumerate(read_records(text, more)):
            yield _entry(n, result, source, line, "tgn")
    if n < 0:
        yield Entry(0, None, Finding("nothing", line=1, column=1, pointer=""), text, 1, "tgn")


def read(data: str | bytes) -> list[Entry]:
    """Every record of an input: TGN text, one JSON object, an array, or NDJSON, told apart by content.

    Never raises on bad input: each fault is the `error` of the entry that it spoils, and reading goes on at
    the next record. An input without any record is one bad entry.
    """
    return list(read_each(data))


def _entry(n: int, result: Record | Finding, source: str, line: int, form: str) -> Entry:
    if isinstance(result, Record):
        return Entry(n, result, None, source, line, form)
    return Entry(n, None, result, source, line, form)


def read_one(data: str | bytes) -> Record:
    """The one record of an input; raises NotationError if it is bad, or if there are several."""
    entries = list(islice(read_each(data), 2))
    finding = entries[0].error
    if len(entries) > 1:
        finding = Finding("second-record", line=entries[1].line, column=1, pointer="")
    if finding is not None:
        raise NotationError(finding)
    assert entries[0].record is not None
    return entries[0].record
