"""The page of a score sheet: its lines, the score, and the differences from the cards, if recorded."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from archive.models import Contribution
from archive.shown import shown
from replays.language import words
from replays.language.names import Names
from tarock.analysis.comparison import compare
from tarock.core.findings import Finding
from tarock.core.record import Line, Record
from tarock.view.finding import FindingView
from tarock.words import names as naming
from tarock.words.sheets import sheet_row


@dataclass(frozen=True, slots=True)
class Written:
    """A line of the sheet as shown: its label and value. The value is empty if the line is missing."""

    name: str
    value: str
    wrong: list[FindingView] = field(default_factory=list)


@dataclass(frozen=True)
class Compared:
    """A sheet and the record with cards that takes precedence over it."""

    sheet: Contribution
    played: Contribution

    @cached_property
    def differing(self) -> list[tuple[str, list[str], list[str]]]:
        """The label of each line that differs, and its values according to the sheet and to the cards."""
        sheet, cards = shown(self.sheet).record, shown(self.played)
        names = Names(cards.game, cards.players)
        rows = []
        for one in compare(sheet, cards.record):
            in_sheet, in_cards = _by_label(one.sheet, names), _by_label(one.cards, names)
            for label in in_sheet | in_cards:
                rows.append((label, in_sheet.get(label, []), in_cards.get(label, [])))
        return rows


def written(record: Record, findings: Iterable[Finding], names: Names) -> list[Written]:
    """Return the lines of a sheet as shown, with their findings, followed by the missing lines."""
    rows = [Written(*_in_words(line, names)) for line in record.sheet or ()]
    for finding in findings:
        wrong = FindingView(finding, names)
        number = (finding.pointer or "").removeprefix("/sheet").partition("/")[2]
        if number:
            rows[int(number)].wrong.append(wrong)
        else:
            rows.append(Written(names.name("field", finding.field or ""), "", [wrong]))
    return rows


def _in_words(line: Line, names: Names) -> tuple[str, str]:
    """Return the label and value of a line. A line without a value gets the word for “yes”."""
    label, stated = sheet_row(names.game, line, names)
    return label, stated or pgettext("on a score sheet", "yes")


def _by_label(lines: Sequence[Line], names: Names) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        label, stated = _in_words(line, names)
        found.setdefault(label, []).append(stated)
    return found


def rewritten(before: str, after: str, names: Names) -> tuple[str, str]:
    """Return the lines that a correction of a sheet removed and added, in words."""
    old, new = before.splitlines(), after.splitlines()
    return _missing_from(new, old, names), _missing_from(old, new, names)


def _missing_from(others: Sequence[str], lines: Sequence[str], names: Names) -> str:
    return words.listed((_line(line, names) for line in lines if line not in others), "semicolon")


def _line(text: str, names: Names) -> str:
    name, *rest = text.split()
    if name == "dealer":
        return words.colon(naming.label(naming.role(names.words, name)), names.name("seat", rest[0]))
    if name == "options":
        return words.colon(_("Table options"), words.options(names.game, rest))
    line = (name, *(int(word) if word.isdigit() else word for word in rest))
    return words.colon(*_in_words(line, names))
