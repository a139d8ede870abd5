"""The check of records as JSON for a page: verdicts, findings, and the audit of scores."""

from __future__ import annotations

import binascii
import sys
from base64 import b64decode
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from typing import Any

from tarock import audit, clauses, remarks, sentences
from tarock.excerpts import excerpt
from tarock.findings import Finding, NotationError
from tarock.naming import PlayerNames
from tarock.notation import START, Entry, Piece, following, read_each, read_piece, rest, whole_records
from tarock.notation.faults import quoted
from tarock.page_json import Json, finding_json, language_of, line_json, object_in, remark_json
from tarock.record import Record
from tarock.scoring import ScoreLine
from tarock.verify import Check, check_entry, failed

MOST = 100
"""Records that one question is answered at the most."""


def check_answer(question: Mapping[str, Any]) -> Json:
    """The check of records, in their order.

    `text`, or its bytes as `base64`: records in TGN or JSON; `skip`: how many of them were answered before,
    `most`: how many are answered now, and `left` says how many there are after them; `language`.

    A long input is sent in parts: `begin`, the place where a part begins, as `next` of the answer before had
    it (none for the first), and `is_last`, whether the input ends with it. Of other parts only the whole
    records are read: the next part begins `used` bytes behind this one's beginning. While no record is whole,
    `used` is 0, and more has to be sent from the same place.

    :raises NotationError: if the text or the place is none.
    """
    data = _data(question)
    number, place = _place(question) if question.get("begin") is not None else (1, START)
    is_last = question.get("is_last") is not False
    piece = rest(data, place) if is_last else whole_records(data, place)
    found = _entries(piece, is_only=is_last and number == 1)
    skipped = sum(1 for _ in islice(found, _number(question, "skip", 0)))
    entries = list(islice(found, min(_number(question, "most", MOST), MOST)))
    left = sum(1 for _ in found)
    return {
        "records": [_record_json(entry, number, piece, language_of(question)) for entry in entries],
        "left": left,
        "used": len(piece.data),
        "next": _place_json(
            number + skipped + len(entries) + left, following(piece) if piece.data else place
        ),
    }


def _entries(piece: Piece, *, is_only: bool) -> Iterator[Entry]:
    """The records of a piece; of an input without any, the entry that says so."""
    found = read_piece(piece) if piece.data else iter(())
    first = next(found, None)
    if first is not None:
        return chain((first,), found)
    return read_each(b"") if is_only else iter(())


# --- the question -------------------------------------------------------------------------------------------


def _data(question: Mapping[str, Any]) -> bytes:
    key = "base64" if "base64" in question else "text"
    found = question.get(key)
    if not isinstance(found, str):
        raise NotationError(Finding("no-string", {"found": quoted(found)}, pointer=f"/{key}"))
    if key == "text":
        # Half a character becomes bytes that are no UTF-8, which the reader reports.
        return found.encode("utf-8", "surrogatepass")
    try:
        return b64decode(found, validate=True)
    except (binascii.Error, ValueError):
        raise NotationError(Finding("no-base64", {"found": quoted(found)}, pointer="/base64")) from None


def _number(question: Mapping[str, Any], key: str, usual: int) -> int:
    found = question.get(key)
    return found if type(found) is int and 0 <= found <= sys.maxsize else usual


def _place(question: Mapping[str, Any]) -> tuple[int, Piece]:
    """The number of the first record behind a place, from 1, and the place."""
    begin = object_in(question, "begin")

    def number(key: str) -> int:
        found = begin.get(key)
        if type(found) is not int or found < 1:
            raise NotationError(Finding("no-deal-number", {"found": quoted(found)}, pointer=f"/begin/{key}"))
        return found

    form = begin.get("form")
    place = replace(
        START,
        line=number("line"),
        column=number("column"),
        form=form if form in ("tgn", "json") else "",
        array=begin.get("array") is True,
        torn=begin.get("torn") is True,
    )
    return number("number"), place


def _place_json(number: int, place: Piece) -> Json:
    return {
        "number": number,
        "line": place.line,
        "column": place.column,
        "form": place.form,
        "array": place.array,
        "torn": place.torn,
    }


# --- the answer ---------------------------------------------------------------------------------------------


def _record_json(entry: Entry, first: int, piece: Piece, language: str) -> Json:
    """A record: its number, its first line, its verdict, and what is behind that. `first`: the number of the
    first record of the piece. If the program fails on it, the verdict is `failed`."""
    try:
        return _check_json(entry, check_entry(entry), first, piece, language)
    except Exception:
        return _check_json(entry._replace(record=None), failed(entry), first, piece, language)


def _check_json(entry: Entry, checked: Check, first: int, piece: Piece, language: str) -> Json:
    record = entry.record
    names = PlayerNames(checked.game or "", record.players if record else {}, language)
    return {
        "number": first + entry.n,
        "line": entry.line,
        "game": clauses.book(checked.game, language).name if checked.game else "",
        "is_sheet": record is not None and record.sheet is not None,
        "verdict": checked.outcome,
        "findings": [_finding_json(finding, entry, piece, names) for finding in checked.errors],
        "warnings": [finding_json(warning, names) for warning in checked.warnings],
        "players": _players_json(record, checked) if record else [],
        "heading": names.between("semicolon").join(sentences.heading(checked.facts, names)),
        "lines": [_line_json(line, names) for line in checked.lines],
        "slips": [remark_json(slip, names) for slip in _slips(record, checked, names)],
        "notes": [remark_json(note, names) for note in _notes(record, checked, names)],
    }


def _players_json(record: Record, checked: Check) -> list[Json]:
    """The players in the order of their seats, with the score by the rules and the one written down."""
    score, claim = checked.score or {}, checked.claim or {}
    return [
        {"seat": seat, "name": name, "points": score.get(seat), "claim": claim.get(seat)}
        for seat, name in record.players.items()
    ]


def _finding_json(finding: Finding, entry: Entry, piece: Piece, names: PlayerNames) -> Json:
    """A finding with its place in the input: line and column, a pointer in JSON, the event in words, the
    lines about it; and what would have been legal."""
    event = ""
    if entry.record is not None and finding.event is not None:
        event = names.sentence(sentences.place, entry.record, finding.event)
    is_pointed = entry.form == "json" and bool(finding.pointer)
    lines = []
    if finding.line and finding.column and not is_pointed:
        lines = excerpt(piece.text, finding.line, finding.column, (piece.line, piece.column))[-1:]
    # The place in words has the trick.
    found = finding_json(replace(finding, trick=None) if event else finding, names)
    return found | {
        "line": finding.line,
        "column": finding.column,
        "pointer": finding.pointer if is_pointed else "",
        "event": event,
        "legal": [names.choice(choice) for choice in finding.legal or ()],
        "excerpt": [line._asdict() for line in lines],
    }


def _line_json(line: ScoreLine, names: PlayerNames) -> Json:
    """A score line, with the `accounts` by seat before one that leaves only the difference."""
    return line_json(line, names) | {"accounts": line.quantity.get("accounts", {})}


def _slips(record: Record | None, checked: Check, names: PlayerNames) -> list[remarks.Remark]:
    if record is None or checked.verdict != "disputed":
        return []
    sheet = record if record.sheet is not None else None
    return remarks.explanations(checked.lines, checked.score or {}, checked.claim or {}, names, sheet)


def _notes(record: Record | None, checked: Check, names: PlayerNames) -> list[remarks.Remark]:
    if record is None or record.sheet is not None or not checked.score:
        return []
    return remarks.notes(audit.notes(record), names)
