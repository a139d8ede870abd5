"""Form and CSV file for the ranking of players in one game, across all clubs or in a season of one space."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable, Sequence
from datetime import date
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.models import Space
from archive.publishing import export
from archive.reading.filters import Filters
from archive.reading.scores import ORDERS, Choice, Score
from archive.rules import SEED
from replays.deal.forms import DayField, FoldedForm, PartField, RulesField, rules_choices
from replays.language import words

LEAST = (30, 10, 1)
"""Default minimum number of deals for a player on the leaderboard: the first that any player reaches. With
fewer than 30 deals, luck decides the average. In a space's season the default is 1."""

BY = {
    "total": gettext_lazy("Total points"),
    "mean": gettext_lazy("Points per deal"),
    "evening_mean": gettext_lazy("Points per evening"),
}
"""Labels of the sort orders of a ranking."""


def _number_field(most: int, label: Any) -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=1, max_value=most, label=label)


class RankingForm(FoldedForm):
    """A form to choose the deals that count in a ranking, and the ranking's sort order. `games`: the games to
    choose from; the first is the default. With a `space`, the period is one of the years in `seasons`, and
    there is no club field. Without chosen rules, a `space` has a ranking for each rule set, the leaderboard
    one for the source rules."""

    game = forms.ChoiceField(required=False, label=gettext_lazy("Game"))
    club = PartField(gettext_lazy("Club"), gettext_lazy("Name"))
    period = PartField(gettext_lazy("Year or month"), "2026, 2026-11")
    rules = RulesField(gettext_lazy("Rules"))
    by = forms.ChoiceField(required=False, label=gettext_lazy("Sorted by"))
    count = forms.ChoiceField(required=False, label=gettext_lazy("What counts"))
    date_from = DayField(gettext_lazy("Played from"))
    date_to = DayField(gettext_lazy("to"))
    least = _number_field(100_000, gettext_lazy("Minimum number of deals"))
    evenings = _number_field(10_000, gettext_lazy("Minimum number of evenings"))
    best = _number_field(10_000, gettext_lazy("Number of best evenings counted per player"))

    SIMPLE = ("game", "club", "period", "by", "count")

    def __init__(
        self,
        *args: Any,
        games: Sequence[str],
        space: Space | None = None,
        seasons: Sequence[int] = (),
        **kwargs: Any,
    ):
        super().__init__(*args, **kwargs)
        self.space = space
        self.games = games
        self.initial["game"] = games[0]
        self.default = Choice("mean", LEAST[0]) if space is None else Choice("total", count="all")
        counts = sorted(words.COUNTS.items(), key=lambda row: row[0] != self.default.count)
        self.fields["count"].choices = counts
        self.fields["rules"].choices = rules_choices(_("All rules") if space else None)
        self.fields["game"].choices = [(game, words.game_name(game)) for game in games]
        orders = sorted(ORDERS, key=lambda order: order != self.default.by)
        self.fields["by"].choices = [(order, BY[order]) for order in orders]
        if space is not None:
            del self.fields["club"]
            years = [(str(year), str(year)) for year in seasons]
            self.fields["period"] = forms.ChoiceField(
                required=False, choices=[("", _("All years")), *years], label=_("Season")
            )

    def clean_period(self) -> tuple[date, date] | None:
        """Return the first and last day of the year or month, or None if the field is empty."""
        written = self.cleaned_data["period"]
        if not written:
            return None
        year, dash, month = written.partition("-")
        try:
            first = date(int(year), int(month) if dash else 1, 1)
            last = first.month if dash else 12
            return first, date(first.year, last, monthrange(first.year, last)[1])
        except (ValueError, OverflowError):
            raise forms.ValidationError(_("Enter a year (2026) or a month (2026-11).")) from None

    def clean(self) -> dict[str, Any]:
        """Reject days in the wrong order, and days combined with a year or month."""
        cleaned: dict[str, Any] = super().clean() or {}
        first, last = cleaned.get("date_from"), cleaned.get("date_to")
        if first and last and first > last:
            self.add_error("date_to", _("The first day is after the last one."))
        if cleaned.get("period") and (first or last):
            self.add_error("date_from", _("Enter either a year or month, or a range of days, not both."))
        return cleaned

    @property
    def chosen_game(self) -> str:
        """The chosen game, by default the first. The form must be valid."""
        return self.cleaned_data["game"] or self.games[0]

    @property
    def minimums(self) -> Sequence[int]:
        """The minimum numbers of deals to try one after the other until any player reaches one."""
        return LEAST if self.space is None and not self.cleaned_data["least"] else [self.choice.least_deals]

    @property
    def filters(self) -> Filters:
        """The filters for the deals that count. The form must be valid."""
        cleaned = self.cleaned_data
        first, last = cleaned["period"] or (cleaned["date_from"], cleaned["date_to"])
        return Filters(
            game=cleaned["game"],
            rules=cleaned["rules"] or (None if self.space else SEED),
            club=cleaned.get("club"),
            space=self.space.pk if self.space else None,
            date_from=first,
            date_to=last,
        )

    @property
    def choice(self) -> Choice:
        """The sort order and the conditions of the ranking; the defaults if the form is invalid."""
        cleaned = getattr(self, "cleaned_data", {})
        return Choice(
            by=cleaned.get("by") or self.default.by,
            least_deals=cleaned.get("least") or self.default.least_deals,
            least_evenings=cleaned.get("evenings") or 1,
            best=cleaned.get("best"),
            count=cleaned.get("count") or self.default.count,
        )


HEAD = (
    "game", "rules", "unit", "place", "player", "club", "evenings", "evenings_left_out", "deals", "total",
    "points_per_deal", "points_per_evening", "stated_deals", "stated_points",
)  # fmt: skip


def as_csv(scores: Iterable[Score], delimiter: str = ",") -> str:
    """Return a ranking as CSV (RFC 4180), one row per player, with means to four decimals."""
    lines = [export.line(HEAD, delimiter)]
    for one in scores:
        means = (round(one.mean, 4), round(one.evening_mean, 4))
        club = one.club_name if one.club else ""
        counted = (one.evenings, one.left_out, one.deals, one.total)
        of_rules = (one.game, one.rules.text, one.rules.unit)
        cells = (*of_rules, one.place, one.name, club, *counted, *means, one.stated_deals, one.stated_points)
        lines.append(export.line(cells, delimiter))
    return "".join(lines)
