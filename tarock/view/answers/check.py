"""The check of records as JSON for a page: verdicts, findings, and the audit of scores."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, islice
from typing import Annotated, Any, NamedTuple

from tarock.analysis import audit
from tarock.analysis.verify import Check, check_entry, failed
from tarock.core.findings import Finding, NotationError
from tarock.core.record import Record
from tarock.core.scoring import ScoreLine
from tarock.notation import START, Entry, Piece, following, read_each, read_piece, rest, whole_records
from tarock.notation.excerpts import excerpt
from tarock.notation.faults import quoted
from tarock.view import remark as remarks
from tarock.view.answers.fields import BadQuestion, Count, Language, Number
from tarock.view.page_json import Json, finding_json, line_json, remark_json
from tarock.words import clauses, sentences
from tarock.words.names import PlayerNames

MOST = 100
"""Records that one question is answered at the most."""

LEFT_OUT: Any = None
"""The default of a field that may be left out, but not be null."""


class Place(NamedTuple):
    """The place where a part of an input begins: the number of the next record, and what its reader knows."""

    number: Number
    line: Number
    column: Number
    form: Annotated[str, ("tgn", "json", "")] = ""
    array: bool = False
    torn: bool = False

    @property
    def piece(self) -> Piece:
        """The place as the beginning of a piece."""
        _, line, column, form, array, torn = self
        return replace(START, line=line, column=column, form=form, array=array, torn=torn)


def check_answer(
    *,
    text: str = LEFT_OUT,
    base64: str = LEFT_OUT,
    skip: Count = 0,
    most: Count = MOST,
    begin: Place | None = None,
    is_last: bool = True,
    language: Language = "en",
) -> Json:
    """The check of records, in their order.

    `text`, or its bytes as `base64`: records in TGN or JSON; `skip`: how many of them were answered before,
    `most`: how many are answered now, and `left` says how many there are after them.

    A long input is sent in parts: `begin`, the place where a part begins, as `next` of the answer before had
    it (none for the first), and `is_last`, whether the input ends with it. Of other parts only the whole
    records are read: the next part begins `used` bytes behind this one's beginning. While no record is whole,
    `used` is 0, and more has to be sent from the same place.

    :raises BadQuestion: if there is not one of `text` and `base64`.
    :raises NotationError: if the bytes are none.
    """
    data = _data(text, base64)
    number, place = (begin.number, begin.piece) if begin else (1, START)
    piece = rest(data, place) if is_last else whole_records(data, place)
    found = _entries(piece, is_only=is_last and number == 1)
    skipped = sum(1 for _ in islice(found, skip))
    entries = list(islice(found, min(most, MOST)))
    left = sum(1 for _ in found)
    end = following(piece) if piece.data else place
    behind = number + skipped + len(entries) + left
    return {
        "records": [_record_json(entry, number, piece, language) for entry in entries],
        "left": left,
        "used": len(piece.data),
        "next": Place(behind, end.line, end.column, end.form, end.array, end.torn)._asdict(),
    }


def _entries(piece: Piece, *, is_only: bool) -> Iterator[Entry]:
    """The records of a piece; of an input without any, the entry that says so."""
    found = read_piece(piece) if piece.data else iter(())
    first = next(found, None)
    if first is not None:
        return chain((first,), found)
    return read_each(b"") if is_only else iter(())


# --- the question -------------------------------------------------------------------------------------------


def _data(text: str, base64: str) -> bytes:
    if (text is LEFT_OUT) == (base64 is LEFT_OUT):
        raise BadQuestion("/text: expected text or base64, one of them")
    if text is not LEFT_OUT:
        # Half a character becomes bytes that are no UTF-8, which the reader reports.
        return text.encode("utf-8", "surrogatepass")
    try:
        return b64decode(base64, validate=True)
    except (binascii.Error, ValueError):
        raise NotationError(Finding("no-base64", {"found": quoted(base64)}, pointer="/base64")) from None


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
