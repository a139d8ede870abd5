"""A record in the editor: its text, and the engine's check of the text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

from django.utils.translation import get_language

from archive.access import EVERYBODY, Viewer
from archive.database import storable
from archive.reading.clubs import house_rules_of
from archive.shown import ShownDeal
from tarock.analysis.verify import try_check
from tarock.core.cards import looks_like_card
from tarock.core.findings import Finding, NotWritable
from tarock.games import profiles
from tarock.notation import Entry, read_each, write_json, write_text
from tarock.view.answers.check import RecordView, record_view
from tarock.view.entry.rules_choice import RulesChoice, rules_choices
from tarock.view.entry.suggestions import suggestions
from tarock.view.finding import FindingView
from tarock.words.names import PlayerNames

MOST_RECORDS = 5
"""Maximum number of records to check in a text. A text should have only one record."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A replacement for the characters from `start` to `end`, in UTF-16 units; the range can be empty.
    `name`: the card's name if the text is a card; `place`: the hand or pile that the suggestion corrects, if
    others could be corrected instead."""

    start: int
    end: int
    text: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A finding in a text, its range in the text field in UTF-16 units, and suggested replacements."""

    finding: FindingView
    start: int
    end: int
    suggestions: list[Suggestion]


@dataclass(frozen=True, slots=True)
class Checked:
    """The engine's check of a text. `records`: each record as the engine sees it, with its faults and the
    rules that it could have."""

    entries: list[Entry]
    records: list[tuple[RecordView, list[Fault], list[RulesChoice]]]


def checked(text: str, viewer: Viewer = EVERYBODY) -> Checked:
    """Check up to `MOST_RECORDS` records in a text. Offer also the rules of the viewer's clubs."""
    entries = list(islice(read_each(text), MOST_RECORDS))
    text, language = storable(text), get_language() or "en"
    views = [record_view(entry, try_check(entry), text, language) for entry in entries]
    own = _own_rules(viewer)
    records = [
        (view, [_fault(one, text) for one in view.findings], _rules(view.entry, text, own)) for view in views
    ]
    return Checked(entries, records)


def _own_rules(viewer: Viewer) -> dict[str, dict[str, list[str]]]:
    """Return the rules of the viewer's clubs that nobody has published: game → name → options."""
    found: dict[str, dict[str, list[str]]] = {}
    for by_game in house_rules_of(viewer.spaces()).values() if viewer.roles else ():
        for game, rules in by_game.items():
            if rules.name not in profiles():
                found.setdefault(game, {})[rules.name] = rules.options
    return found


def _rules(entry: Entry, text: str, own: dict[str, dict[str, list[str]]]) -> list[RulesChoice]:
    """Return the rules to choose from, with their ranges in the text field."""
    at = _line_start(text, entry.line)
    found = rules_choices(text[at : at + len(entry.source)], entry.record, own, get_language() or "en")
    return [
        one._replace(start=_in_browser(text[: at + one.start]), end=_in_browser(text[: at + one.end]))
        for one in found
    ]


def _fault(view: FindingView, text: str) -> Fault:
    finding, start, end = view.finding, 0, 0
    if finding.line and finding.column and not view.pointer:
        start = _line_start(text, finding.line) + finding.column - 1
        end = start + (len(view.excerpt[0].at) if view.excerpt else 0)
    # Drop the record: the editor shows the line, so leave out the place and let the message name the trick.
    return Fault(
        replace(view, record=None),
        _in_browser(text[:start]),
        _in_browser(text[:end]),
        [] if view.pointer else _suggestions(finding, text, view.names),
    )


def _suggestions(finding: Finding, text: str, names: PlayerNames) -> list[Suggestion]:
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
    """Return the index of the first character of a line."""
    at = 0
    for _number in range(line - 1):
        at = text.find("\n", at) + 1
    return at


def _in_browser(text: str) -> int:
    """Return the length of a text in UTF-16 units, as browsers count."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def record_text(deal: ShownDeal) -> str:
    """Return the record of a deal for the editor, with the names as written, even if other pages hide
    them."""
    record = deal.record_to_correct
    try:
        return write_text(record)
    except NotWritable:
        return laid_out(write_json(record))


def laid_out(form: dict[str, Any]) -> str:
    """Return the JSON form of a record, with a line for each event and each value.

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
