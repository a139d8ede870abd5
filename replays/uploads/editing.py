"""A record in the editor: its text, and the engine's check of it."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice
from typing import Any

from archive.database import storable
from archive.shown import ShownDeal
from replays.language.names import Names
from replays.language.verdicts import Verdict, verdict
from replays.uploads.results import spot
from tarock.analysis.verify import try_check
from tarock.core.cards import looks_like_card
from tarock.core.findings import Finding, NotWritable
from tarock.notation import Entry, read_each, write_json, write_text
from tarock.notation.excerpts import ExcerptLine, excerpt
from tarock.view.entry.suggestions import suggestions
from tarock.words import sentences

MOST_RECORDS = 5
"""Records of a text that are checked; it should be one."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of a text: its place in words, its sentence, the line around it, and its first and last
    character in the field, as a browser counts them."""

    place: str
    message: str
    clause: str
    line: int | None
    lines: list[ExcerptLine]
    start: int
    end: int
    suggestions: list[Suggestion]
    """What may have been meant there."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A text in place of the characters from `start` to `end`, as a browser counts them, which may be none;
    of a card its name, else nothing; and the place of the deal, where there is a choice of several."""

    start: int
    end: int
    text: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class PlayerScore:
    """A player's score by the rules, and the one written down."""

    name: str
    points: int
    claim: int | None


@dataclass(frozen=True, slots=True)
class CheckedRecord:
    """The engine's check of one record of a text."""

    number: int
    verdict: Verdict
    faults: list[Fault]
    warnings: list[str]
    points: list[PlayerScore]
    """Empty where there is no score."""
    disputed: bool
    """Whether another score was written down."""


@dataclass(frozen=True, slots=True)
class Checked:
    """The engine's check of a text."""

    entries: list[Entry]
    records: list[CheckedRecord]

    @property
    def readable(self) -> bool:
        """Whether all records can be read."""
        return all(entry.record is not None for entry in self.entries)


def checked(text: str) -> Checked:
    """Check the text of the field."""
    entries = list(islice(read_each(text), MOST_RECORDS))
    return Checked(entries, [_checked(entry, text) for entry in entries])


def _checked(entry: Entry, text: str) -> CheckedRecord:
    check, record, text = try_check(entry), entry.record, storable(text)
    players = dict(record.players) if record else {}
    names = Names(check.game or "", players)
    claim = check.claim or {}
    return CheckedRecord(
        entry.n + 1,
        verdict(check.outcome, bool(record and record.sheet is not None)),
        [_fault(error, text, entry.form, names) for error in check.errors],
        [storable(names.sentence(sentences.finding, warning)) for warning in check.warnings],
        [PlayerScore(players[s], points, claim.get(s)) for s, points in (check.score or {}).items()],
        check.verdict == "disputed",
    )


def _fault(finding: Finding, text: str, form: str, names: Names) -> Fault:
    """A finding beside the field: its place is a pointer in JSON, else line and column."""
    start = end = 0
    lines: list[ExcerptLine] = []
    pointed = form == "json" and finding.pointer
    if finding.line and finding.column and not pointed:
        lines = excerpt(text, finding.line, finding.column)[-1:]
        start = _line_start(text, finding.line) + finding.column - 1
        end = start + (len(lines[0].at) if lines else 0)
    return Fault(
        storable(str(finding.pointer)) if pointed else spot(finding),
        storable(names.sentence(sentences.finding, finding)),
        finding.clause or "",
        finding.line if lines else None,
        lines,
        _in_browser(text[:start]),
        _in_browser(text[:end]),
        [] if pointed else _suggestions(finding, text, names),
    )


def _suggestions(finding: Finding, text: str, names: Names) -> list[Suggestion]:
    return [
        Suggestion(
            _in_browser(text[: one.start]),
            _in_browser(text[: one.end]),
            one.text,
            names.choice(one.text.strip()) if looks_like_card(one.text.strip()) else "",
            storable(one.place),
        )
        for one in suggestions(text, finding, names.language)
    ]


def _line_start(text: str, line: int) -> int:
    """The index of the first character of a line."""
    at = 0
    for _number in range(line - 1):
        at = text.find("\n", at) + 1
    return at


def _in_browser(text: str) -> int:
    """The length of a text for a browser, which counts in UTF-16."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def record_text(deal: ShownDeal) -> str:
    """The record of a deal for the editor, with the names as they were written, which may be hidden
    elsewhere."""
    record = deal.record_to_correct
    try:
        return write_text(record)
    except NotWritable:
        return laid_out(write_json(record))


def laid_out(form: dict[str, Any]) -> str:
    """The JSON form of a record, an event and a place a line.

    >>> print(laid_out({"tgn": 1, "events": [["A", "pass"], ["B", "pass"]], "tags": {}}))
    {
      "tgn": 1,
      "events": [
        ["A", "pass"],
        ["B", "pass"]
      ],
      "tags": {}
    }
    """
    rows = []
    for key, value in form.items():
        inner: Iterable[str] = ()
        if isinstance(value, dict):
            inner = [f"{_json(name)}: {_json(one)}" for name, one in value.items()]
        elif isinstance(value, list):
            inner = map(_json, value)
        lines = ",\n    ".join(inner)
        opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
        rows.append(f"{_json(key)}: " + (f"{opening}\n    {lines}\n  {closing}" if lines else _json(value)))
    return "{\n  " + ",\n  ".join(rows) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
