"""Checks of records as JSON for a page: verdicts, findings, and the audit of scores."""

from __future__ import annotations

import binascii
from base64 import b64decode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from typing import Annotated, Any, NamedTuple

from tarock.analysis import audit
from tarock.analysis.verify import Check, check_entry, failed
from tarock.core.findings import Finding, NotationError
from tarock.games import GAMES
from tarock.notation import (
    START,
    Entry,
    Piece,
    following,
    pieces_of,
    read_each,
    read_piece,
    rest,
    whole_records,
)
from tarock.notation.faults import quoted
from tarock.notation.foreign import ENCODING_NAMES
from tarock.notation.packed import ENCODINGS
from tarock.view import remark
from tarock.view.answers.fields import BadQuestion, Count, Language, Number
from tarock.view.finding import FindingView, in_input
from tarock.view.page_json import Json
from tarock.view.remark import Remark
from tarock.view.score import ScoreView
from tarock.words import clauses
from tarock.words.names import PlayerNames, label

MOST = 100
"""Maximum number of records in one answer."""

LEFT_OUT: Any = None
"""Default of a field that may be left out but must not be null."""


class Place(NamedTuple):
    """Position in an input where its next part begins: number of the next record, and state of the reader."""

    number: Number
    line: Number
    column: Number
    form: Annotated[str, ("tgn", "json", "other", "")] = ""
    array: bool = False
    torn: bool = False

    @property
    def piece(self) -> Piece:
        """Empty piece that begins at this position."""
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
    encoding: Annotated[str, ("", *ENCODINGS)] = "",
    language: Language = "en",
) -> Json:
    """Check records, and return the results in the same order.

    `text`, or its bytes as `base64`: records in TGN or JSON; `skip`: number of records in earlier answers;
    `most`: maximum number of records in this answer. The answer's `left` is the number of remaining records.

    A long input is sent in parts. `begin`: the place where the part begins, copied from `next` in the
    previous answer (None for the first part); `is_last`: whether the input ends with this part. If it does
    not, only the complete records of the part are read, and the next part begins `used` bytes after the start
    of this part. While no record is complete, `used` is 0, and the page must send a longer part from the same
    place. An input in one part may be packed, or in another encoding.
    `encoding`: the one to choose if several fit.

    :raises BadQuestion: unless exactly one of `text` and `base64` is given.
    :raises NotationError: if `base64` is not valid.
    """
    data = _data(text, base64)
    number, place = (begin.number, begin.piece) if begin else (1, START)
    if is_last and begin is None:
        pieces = list(pieces_of([data], encoding))
    else:
        pieces = [rest(data, place) if is_last else whole_records(data, place)]
    found = _entries(pieces, is_only=is_last and number == 1)
    skipped = sum(1 for _ in islice(found, skip))
    entries = list(islice(found, min(most, MOST)))
    left = sum(1 for _ in found)
    end = following(pieces[-1]) if pieces[-1].data else place
    behind = number + skipped + len(entries) + left
    return {
        "records": [_record_json(entry, number, piece, language) for entry, piece in entries],
        "left": left,
        "used": len(data) if is_last else len(pieces[-1].data),
        "next": Place(behind, end.line, end.column, end.form, end.array, end.torn)._asdict(),
    }


def _entries(pieces: list[Piece], *, is_only: bool) -> Iterator[tuple[Entry, Piece]]:
    """Yield the records of an input's pieces, each with its piece. For an input without any records, yield an
    entry that reports this."""
    n = 0
    for piece in pieces:
        for entry in read_piece(piece, n) if piece.data else ():
            yield entry, piece
            n += 1
    if is_only and not n:
        yield next(read_each(b"")), pieces[-1]


# --- the question -------------------------------------------------------------------------------------------


def _data(text: str, base64: str) -> bytes:
    if (text is LEFT_OUT) == (base64 is LEFT_OUT):
        raise BadQuestion("/text: expected text or base64, one of them")
    if text is not LEFT_OUT:
        # A lone surrogate becomes bytes that are not UTF-8, which the reader reports.
        return text.encode("utf-8", "surrogatepass")
    try:
        return b64decode(base64, validate=True)
    except (binascii.Error, ValueError):
        raise NotationError(Finding("no-base64", {"found": quoted(base64)}, pointer="/base64")) from None


# --- a record -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RecordView:
    """A record of an input and its check, in the language of `names`."""

    entry: Entry
    check: Check
    names: PlayerNames
    findings: list[FindingView]

    @property
    def is_sheet(self) -> bool:
        return self.entry.record is not None and self.entry.record.sheet is not None

    @property
    def warnings(self) -> list[FindingView]:
        """Warnings about the record, without their locations in the input."""
        return [FindingView(warning, self.names) for warning in self.check.warnings]

    @cached_property
    def score(self) -> ScoreView:
        """The calculated score, and the score written down by the players."""
        check = self.check
        sheet = self.entry.record if self.is_sheet else None
        return ScoreView(self.names, check.lines, check.score or {}, check.claim or {}, check.facts, sheet)

    @property
    def notes(self) -> list[Remark]:
        """Remarks on near misses and failed announcements; empty for a score sheet."""
        record = self.entry.record
        if record is None or self.is_sheet or not self.check.score:
            return []
        return remark.notes(audit.notes(record), self.names)


def record_view(
    entry: Entry, check: Check, text: str, language: str, *, first: tuple[int, int] = (1, 1)
) -> RecordView:
    """Return a record and its check for display. `first`: line and column at which `text` begins."""
    record = entry.record
    names = PlayerNames(check.game or "", record.players if record else {}, language)
    findings = [in_input(one, text, entry.form, names, first=first, record=record) for one in check.errors]
    return RecordView(entry, check, names, findings)


# --- the answer ---------------------------------------------------------------------------------------------


def _record_json(entry: Entry, first: int, piece: Piece, language: str) -> Json:
    """Return a record as JSON: its number, its first line, its verdict, and the details behind the verdict.
    `first`: number of the first record of the piece. If the program fails on the record, the verdict is
    `failed`."""
    try:
        return _check_json(entry, check_entry(entry), first, piece, language)
    except Exception:
        return _check_json(entry._replace(record=None), failed(entry), first, piece, language)


def _check_json(entry: Entry, check: Check, first: int, piece: Piece, language: str) -> Json:
    view = record_view(entry, check, piece.text, language, first=(piece.line, piece.column))
    score, is_disputed = view.score, check.verdict == "disputed"
    return {
        "number": first + entry.n,
        "line": entry.line,
        "game": clauses.book(check.game, language).name if check.game in GAMES else "",
        "is_sheet": view.is_sheet,
        "verdict": check.outcome,
        "findings": [_finding_json(finding) for finding in view.findings],
        "warnings": [warning.as_json() for warning in view.warnings],
        "players": [player._asdict() for player in score.players],
        "heading": view.names.between("semicolon").join(score.played),
        "lines": [line.as_json() | {"accounts": line.accounts} for line in score.lines],
        "slips": [slip.as_json() for slip in score.slips] if is_disputed else [],
        "notes": [note.as_json() for note in view.notes],
    }


def _finding_json(view: FindingView) -> Json:
    return view.as_json() | {
        "line": view.finding.line,
        "column": view.finding.column,
        "pointer": view.pointer,
        "event": label(view.place),
        "legal": view.choices,
        "excerpt": [line._asdict() for line in view.excerpt],
        "encodings": [
            {"name": name, "label": ENCODING_NAMES[name], "line": line}
            for name, line in view.finding.values.get("encodings", {}).items()
        ],
    }
