"""Reading JSON: one object, an array of objects, or consecutive objects (NDJSON). Each object is a record."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NoReturn

from tarock.core.findings import Finding, NotationError
from tarock.core.record import Record
from tarock.notation.boundaries import NEXT_RECORD
from tarock.notation.faults import Faults, Malformed, quoted
from tarock.notation.jsonform import interpret
from tarock.notation.limits import MAX_TEXT
from tarock.notation.values import SPACES

#: Number of characters before a fault at which the search for the next record begins. If a record is cut off
#: after a comma, the decoder reads into the next record before it finds the fault.
_LOOK_BACK = 1 << 16
#: Maximum number of syntax faults in one input. Each fault costs a scan of all text before it, because the
#: decoder counts line and column, and nobody reads more than a thousand faults.
_MOST_FAULTS = 1000
_SKIP = re.compile(f"[,{SPACES}]*")
_BRACKET = re.compile(r'"(?:[^"\\]|\\.)*"|[\[{]|[\]}]', re.DOTALL)


class _Fault(ValueError):
    """Error in JSON that other parsers accept but this one rejects. `reason`: key of the message."""

    def __init__(self, reason: str, found: str) -> None:
        super().__init__(reason)
        self.reason, self.values = reason, {"found": found}


def _no_constant(word: str) -> NoReturn:
    raise _Fault("no-json-value", word)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(k for k, _ in pairs if k in seen or seen.add(k))  # type: ignore[func-returns-value]
        raise _Fault("key-twice", quoted(twice))
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_constant)


class _Places:
    """Converter from offset to line and column. It counts from the last offset, because offsets usually
    grow."""

    def __init__(self, text: str, line: int, column: int) -> None:
        self.text, self.begin = text, (0, line, 1 - column)
        self.offset, self.line, self.start = self.begin

    def __call__(self, offset: int) -> tuple[int, int]:
        if offset < self.offset:
            self.offset, self.line, self.start = self.begin
        if lines := self.text.count("\n", self.offset, offset):
            self.line += lines
            self.start = self.text.rfind("\n", self.offset, offset) + 1
        self.offset = offset
        return self.line, offset - self.start + 1


#: Beginnings of the decoder's messages, each with the key of our message.
_OF_DECODER = (
    ("Expecting property name", "no-json-key"),
    ("Expecting ':'", "no-json-colon"),
    ("Expecting ','", "no-json-comma"),
    ("Unterminated string", "json-text-not-closed"),
    ("Invalid control character", "json-control-character"),
    ("Invalid \\", "no-json-escape"),
    ("Illegal trailing comma", "json-comma-at-end"),
)


def _what(fault: Exception) -> tuple[str, dict[str, Any]]:
    """Return the message for a fault of the decoder, as its key and its values."""
    if isinstance(fault, _Fault):
        return fault.reason, fault.values
    if isinstance(fault, json.JSONDecodeError):
        return next((reason for begins, reason in _OF_DECODER if fault.msg.startswith(begins)), "no-json"), {}
    return ("nested-too-deep" if isinstance(fault, RecursionError) else "number-too-long"), {}


def _after_value(text: str, start: int) -> int:
    """Return the end of the object that begins at `start`, found by matching brackets only; the end of the
    text if the object is not closed."""
    depth = 0
    for found in _BRACKET.finditer(text, start):
        if found[0] in "[{":
            depth += 1
        elif found[0] in "]}":
            depth -= 1
            if depth == 0:
                return found.end()
    return len(text)


def read_json_records(
    text: str,
    line: int = 1,
    column: int = 1,
    *,
    array: bool = False,
    torn: bool = False,
    last: bool = True,
    any_length: bool = False,
) -> Iterator[tuple[int, str, Record | tuple[Finding, ...] | Exception]]:
    """Yield the records of a JSON text, or of a piece of a text (`Piece`), that begins at this line and
    column. Each record is (first line, source text, result). The result is a record, its findings, or the
    exception that was raised while reading it.

    After a syntax fault, reading continues at the next object that begins with a record's key. After a fault
    without a position (too deeply nested, a duplicate key), reading continues after the object that has the
    fault. Hardly any text is read twice, so the time is proportional to the length. Reading stops after a
    thousand syntax faults.
    """
    first, place, faults = line, _Places(text, line, column), 0
    pos = _SKIP.match(text).end()  # type: ignore[union-attr]
    if torn:
        begins = NEXT_RECORD.search(text)
        pos = begins.start() if begins else len(text)
    elif not array and text.startswith("[", pos):
        array = True
        pos += 1
    while True:
        pos = _SKIP.match(text, pos).end()  # type: ignore[union-attr]
        if array and text.startswith("]", pos):
            array = False
            pos += 1
            continue
        if pos >= len(text):
            if array and last:
                line, column = place(pos)
                yield line, "", (Finding("array-not-closed", line=line, column=column),)
            return
        result: Record | tuple[Finding, ...] | Exception
        try:
            line, end, result, is_json = _read_at(text, pos, place, array, any_length)
        except Exception as failure:
            following = NEXT_RECORD.search(text, pos + 1)
            line, end = first + text.count("\n", 0, pos), following.start() if following else len(text)
            result, is_json = failure, False
        yield line, text[pos:end], result
        pos = end
        if is_json:
            continue
        faults += 1
        if faults == _MOST_FAULTS and pos < len(text):
            line, column = place(pos)
            values = {"number": faults}
            found = Finding("too-many-faults", values, line=line, column=column, pointer="")
            yield line, text[pos:], (found,)
            return
        if pos >= len(text):
            return


def _read_at(
    text: str, pos: int, place: _Places, array: bool, any_length: bool
) -> tuple[int, int, Record | tuple[Finding, ...], bool]:
    """Read the JSON value at `pos`. Return its first line, the offset at which reading continues, the record
    or the findings, and whether the value is valid JSON."""
    line, column = place(pos)
    try:
        value, end = _DECODER.raw_decode(text, pos)
    except (ValueError, RecursionError) as fault:
        at, end, reason = _fault(text, pos, array, fault)
        where = place(min(at, len(text)))
        return line, end, (Finding(*reason, line=where[0], column=where[1], pointer=""),), False
    noted = Faults()
    is_long = not any_length and _is_too_long(text[pos:end], noted)
    record = None if is_long else interpret(value, noted)
    return line, end, record or tuple([fault.finding(line, column) for fault in noted.found]), True


def _is_too_long(source: str, faults: Faults) -> bool:
    if 4 * len(source) <= MAX_TEXT or (size := len(source.encode("utf-8", "surrogatepass"))) <= MAX_TEXT:
        return False
    faults.note(Malformed("text-too-long", "", found=size, limit=MAX_TEXT))
    return True


def read_value(value: object) -> Record:
    """Read a record from a value in the JSON form.

    :raises NotationError: with the first fault, if the value is invalid.
    """
    noted = Faults()
    record = interpret(value, noted)
    if record is None:
        raise NotationError(noted.found[0].finding())
    return record


def _fault(text: str, pos: int, array: bool, fault: Exception) -> tuple[int, int, tuple[str, dict[str, Any]]]:
    """Return the offset of a fault in the JSON value that begins at `pos`, the offset at which reading
    continues, and the message as a key and its values."""
    if not isinstance(fault, json.JSONDecodeError):
        following = NEXT_RECORD.search(text, _after_value(text, pos))
        return pos, following.start() if following else len(text), _what(fault)
    at, reason = fault.pos, _what(fault)
    stop = text.find("\n", pos)
    if not array and 0 <= stop < at and NEXT_RECORD.match(text, _SKIP.match(text, stop).end()):  # type: ignore[union-attr]
        # With one record per line, an incomplete record ends with its line, so continue on the next line.
        return stop, stop + 1, ("cut-off", {})
    following = NEXT_RECORD.search(text, max(at - _LOOK_BACK, pos + 1))
    return at, following.start() if following else len(text), reason
