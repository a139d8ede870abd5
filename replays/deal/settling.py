"""The settlement of a deal by two rule sets, as a page and as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.shown import ShownDeal
from replays.language import words
from replays.language.names import Names, finding_text
from replays.pictures import lettering
from replays.pictures.drawing import DIM, WIDTH, Drawing, colour_of
from tarock.analysis.settlements import Row, Settlements, by_rules, rules_of, settlements
from tarock.core.record import Record
from tarock.games import profiles, profiles_of
from tarock.notation import read_rules
from tarock.view.finding import FindingView
from tarock.words import sentences

VERSION = "1"
"""Version of the pictures. Increase it when the pictures change, so that cached pictures are replaced."""
MOST_ROWS = 7
"""Maximum number of score lines in a picture."""


class SettleForm(forms.Form):
    """The two rule sets to compare: published ones, the deal's own, or options as in a record."""

    than = forms.ChoiceField(label=gettext_lazy("Compare"), required=False)
    rules = forms.ChoiceField(label=gettext_lazy("With"), required=False)
    options = forms.CharField(
        label=gettext_lazy("Or with these options"),
        required=False,
        max_length=2000,
        widget=forms.TextInput(attrs={"autocapitalize": "off", "spellcheck": "false"}),
    )

    def __init__(self, data: Mapping[str, str], record: Record) -> None:
        super().__init__(data)
        self.record, self.words = record, record.options
        choices = named_rules(record.game)
        self.fields["than"].choices = [("", _("This deal’s rules")), *choices]
        self.fields["rules"].choices = [("", "–"), *choices]
        prices = [slug for slug, one in record.info.rules.table().items() if one.kind == "number"][:2]
        self.fields["options"].widget.attrs["placeholder"] = " ".join(f"{slug}=5" for slug in prices)

    def clean_options(self) -> str:
        """Return the options. Each error names the option and its possible values."""
        text = str(self.cleaned_data["options"])
        self.words, wrong = read_rules(text.split(), "", self.record.info)
        if wrong:
            raise forms.ValidationError([finding_text(one, self.record.game) for one in wrong])
        return text

    def compared(self) -> tuple[Record, Record] | None:
        """Return the deal under both rule sets; None if the form is invalid or names no second one."""
        if not self.is_valid():
            return None
        than, rules = self.cleaned_data["than"], self.cleaned_data["rules"]
        one = by_rules(self.record, profiles()[than].words, than) if than else self.record
        if self.cleaned_data["options"].strip():
            return one, by_rules(self.record, self.words)
        return (one, by_rules(self.record, profiles()[rules].words, rules)) if rules else None


def named_rules(game: str) -> list[tuple[str, str]]:
    """Return the published rule sets of a game, each with its name for people."""
    names = Names(game, {})
    return [(profile.name, sentences.rules_name(profile.name, names)) for profile in profiles_of(game)]


def other_rules(record: Record) -> list[tuple[str, str]]:
    """Return the published rule sets of a deal's game that are not its own, with their names for people."""
    if record.result is not None:
        return []
    found = named_rules(record.game)
    return [row for row in found if profiles()[row[0]].words != record.options]


class RuleSet:
    """The rules of a record in words: name, unit, and the options that differ from the source."""

    def __init__(self, record: Record, names: Names, unnamed: str = "") -> None:
        self.slug, self.names, self.unnamed = rules_of(record), names, unnamed or _("own options")
        self.is_published = self.slug in profiles()
        unit, default = record.rules.unit, record.rules.default().unit
        self.unit = "" if unit == default else str(names.words["units"].get(unit, unit))
        said = names.words["options"]
        self.options = [(word, str(said[word.partition("=")[0]])) for word in record.options]

    @property
    def title(self) -> str:
        """Name of the rules, or a word for options without a name."""
        return sentences.rules_name(self.slug, self.names) if self.slug else self.unnamed


@dataclass(frozen=True)
class Column:
    """The settlement by one of the two rule sets."""

    deal: ShownDeal
    names: Names
    both: Settlements
    n: int

    @property
    def record(self) -> Record:
        return self.both.records[self.n]

    @cached_property
    def rules(self) -> RuleSet:
        """The rule set in words."""
        return RuleSet(self.record, self.names, _("these options") if self.n else "")

    @property
    def score(self) -> Mapping[str, int]:
        """Points by seat; empty if the deal could not have been played so."""
        return self.both.checks[self.n].score or {}

    def amount(self, seat: str) -> str:
        """Return a seat's score with its unit and, if there is one, its amount of money."""
        return words.points(self.score.get(seat), self.record.rules.unit)

    @property
    def finding(self) -> FindingView | None:
        """The event and the clause by which the deal could not have been played so."""
        error = self.both.checks[self.n].error
        return FindingView(error, self.names, self.record) if error else None

    @property
    def because(self) -> list[str]:
        """The options without which it could have been."""
        return [self.record.rules.word(slug) for slug in self.both.because[self.n]]


@dataclass(frozen=True)
class SettledLine:
    """A line of the score by both rule sets."""

    row: Row
    names: Names
    both: Settlements

    @property
    def title(self) -> str:
        return self.names.clause_title(self.row.clause) or self.row.clause

    @property
    def calculations(self) -> list[str]:
        """The calculation by the first rule set that has the line and, if it differs, by the second."""
        one, other = self.row.lines
        lines = [one or other] if one is None or not self.row.because else [one, other]
        return [self.names.sentence(sentences.line, line) for line in lines if line]

    @property
    def shares(self) -> list[list[tuple[int, list[str]]]]:
        """For each rule set, the different points and the seats that get them, most points first."""
        return [_shares(points) for points in self.row.points]

    @property
    def difference(self) -> list[tuple[int, list[str]]]:
        """The second rule set's points less the first's, with their seats."""
        one, other = self.row.points
        return _shares({seat: other.get(seat, 0) - one.get(seat, 0) for seat in self.both.records[0].active})

    @property
    def because(self) -> list[str]:
        """The options that make the difference, with the values of the second rule set."""
        return [self.both.records[1].rules.word(slug) for slug in self.row.because]


def _shares(points: Mapping[str, int]) -> list[tuple[int, list[str]]]:
    found: dict[int, list[str]] = {}
    for seat, number in sorted(points.items()):
        if number:
            found.setdefault(number, []).append(seat)
    return sorted(found.items(), reverse=True)


@dataclass(frozen=True)
class Settled:
    """The settlement of a deal by two rule sets. Each value is computed when it is used."""

    deal: ShownDeal
    names: Names
    records: tuple[Record, Record]

    @cached_property
    def both(self) -> Settlements:
        return settlements(*self.records)

    @cached_property
    def columns(self) -> tuple[Column, Column]:
        one, other = (Column(self.deal, self.names, self.both, n) for n in (0, 1))
        return one, other

    @property
    def lines(self) -> list[SettledLine]:
        return [SettledLine(row, self.names, self.both) for row in self.both.rows]

    @property
    def in_one_unit(self) -> bool:
        """Whether the amounts of both can be subtracted from each other."""
        one, other = self.records
        return one.rules.unit == other.rules.unit and all(column.score for column in self.columns)

    @property
    def title(self) -> str:
        """The title of the page and the picture: “Seed and Vysočina”."""
        return words.listed(column.rules.title for column in self.columns)

    def svg(self) -> str:
        """Return the comparison as SVG, with at most `MOST_ROWS` lines."""
        drawing, right = Drawing(bar=150), (780.0, WIDTH - 60.0)
        game = words.game_name(self.deal.game)
        drawing.text(lettering.fit(words.colon(game, self.title), 48, WIDTH - 120), 60, 72, 48)
        drawing.text(
            lettering.fit(words.listed(self.deal.players.values()), 28, WIDTH - 120), 60, 122, 28, DIM
        )
        seat = self._shown_seat()
        y = 200.0
        for column, x in zip(self.columns, right, strict=True):
            drawing.text(lettering.fit(column.rules.title, 28, 340), x, y, 28, DIM, "end")
        shown: Sequence[SettledLine] = self.lines[:MOST_ROWS]
        for line in shown:
            y += 46
            drawing.text(lettering.fit(line.title, 26, 400), 60, y, 26)
            for found, x in zip(line.row.lines, right, strict=True):
                points = found.points.get(seat, 0) if found else None
                drawing.text(words.points(points), x, y, 30, colour_of(points or 0), "end")
        y += 62
        drawing.line(f"60,{y - 40:.0f} {WIDTH - 60},{y - 40:.0f}", DIM, 2)
        drawing.text(lettering.fit(self.names.players.get(seat, seat), 32, 400), 60, y, 32)
        for column, x in zip(self.columns, right, strict=True):
            if column.score:
                points = column.score.get(seat, 0)
                drawing.text(lettering.fit(column.amount(seat), 32, 360), x, y, 32, colour_of(points), "end")
            else:
                drawing.text(lettering.fit(_("could not be played so"), 26, 360), x, y, 26, DIM, "end")
        return drawing.svg()

    def _shown_seat(self) -> str:
        """Return the seat whose points the picture shows: the declarer or, without one, the largest score."""
        score = self.columns[0].score or self.columns[1].score
        declarer = self.deal.declarer
        return declarer if declarer in score else max(score, key=lambda seat: abs(score[seat]), default="")
