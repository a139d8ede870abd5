"""The page of a deal with only a score sheet: its lines, field by field, and the result; and the differences
from the cards, if they were recorded too."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from archive.access import Viewer
from archive.models import Contribution
from archive.reading.sessions import totals_after
from archive.shown import ShownDeal, shown
from replays.deal.score import score_view
from replays.language import words
from replays.language.names import Names
from tarock.analysis.comparison import Difference, compare
from tarock.core.findings import Finding
from tarock.core.record import Line, Record
from tarock.view.finding import FindingView
from tarock.view.score import ScoreView
from tarock.words import names as naming
from tarock.words.sheets import sheet_row


@dataclass(frozen=True, slots=True)
class Written:
    """A line of the sheet in words: its label, and what it states; nothing, where the line is missing."""

    name: str
    value: str
    wrong: list[FindingView] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Differing:
    """A line in which the sheet differs from the cards: its label, and the values in both, empty where it is
    missing."""

    name: str
    sheet: list[str]
    cards: list[str]


@dataclass(frozen=True)
class Compared:
    """A sheet next to the deal with cards that counts in its place."""

    sheet: Contribution
    played: Contribution

    @cached_property
    def differing(self) -> list[Differing]:
        """The lines in which they differ."""
        sheet, cards = shown(self.sheet).record, shown(self.played)
        names = Names(cards.game, cards.players)
        return [row for one in compare(sheet, cards.record) for row in _differing(one, names)]


@dataclass(frozen=True)
class ScoreSheet:
    """Everything on the page that is not on that of any deal."""

    deal: ShownDeal
    names: Names
    viewer: Viewer

    @property
    def written(self) -> list[Written]:
        """The lines of the sheet, each with what is wrong with it; behind them what is missing."""
        return written(self.deal.record, self.deal.checked.errors, self.names)

    @cached_property
    def score(self) -> ScoreView:
        """The score that follows from it; empty where the sheet gives none."""
        return score_view(self.deal, self.names)

    @property
    def so_far(self) -> Mapping[str, int]:
        """The sums of the session up to this deal; empty where there are none."""
        return totals_after(self.deal, self.viewer)


def written(record: Record, findings: Iterable[Finding], names: Names) -> list[Written]:
    """The lines of a sheet in words, each with what is wrong with it; behind them what is missing."""
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
    """The label of a line, and what it states; a line without more is a yes."""
    label, stated = sheet_row(names.game, line, names)
    return label, stated or pgettext("on a score sheet", "yes")


def _differing(found: Difference, names: Names) -> Iterator[Differing]:
    """Yield the lines of a field that differ, those with the same label next to each other."""
    sheet, cards = _by_label(found.sheet, names), _by_label(found.cards, names)
    for label in sheet | cards:
        yield Differing(label, sheet.get(label, []), cards.get(label, []))


def _by_label(lines: Sequence[Line], names: Names) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for line in lines:
        label, stated = _in_words(line, names)
        found.setdefault(label, []).append(stated)
    return found


def rewritten(before: str, after: str, names: Names) -> tuple[str, str]:
    """Return in words the lines that a correction removed from a sheet, and those that it added. `before`,
    `after`: the statements of the sheet, one per line."""
    one, other = before.splitlines(), after.splitlines()
    return _beside(one, other, names), _beside(other, one, names)


def _beside(lines: Sequence[str], others: Sequence[str], names: Names) -> str:
    return words.listed((_line(line, names) for line in lines if line not in others), "semicolon")


def _line(text: str, names: Names) -> str:
    name, *rest = text.split()
    if name == "dealer":
        return words.colon(naming.label(naming.role(names.words, name)), names.name("seat", rest[0]))
    if name == "options":
        return words.colon(_("Table options"), words.options(names.game, rest))
    line = (name, *(int(word) if word.isdigit() else word for word in rest))
    return words.colon(*_in_words(line, names))
