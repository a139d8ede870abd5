"""Statistics as tables: forms that choose them, and rows whose numbers lead to their deals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from archive.figures import SEAT_ROLES, Line, Lines, step_of
from archive.models import Player, Space
from archive.reading.figures import FEWEST, by_month, explore, of_player, of_space
from archive.reading.filters import FILTERS, Filters
from archive.reading.statistics import Latest, OnDay
from archive.rules import SEED, rules_of
from replays.clubs.career import span
from replays.clubs.totals import SMALL, WIDE, Link, Totals, totals
from replays.deal.forms import NUMBERS, FoldedForm, RulesField, game_choices, rules_choices
from replays.language import words
from replays.site.paths import deals_url

Base = dict[str, int | str | None]
"""The filters of the deals that count, as for `deals_url`."""


class FiguresForm(FoldedForm):
    """A form to choose the game and the rules of statistics. `games`: the first is the default."""

    game = forms.ChoiceField(required=False, label=gettext_lazy("Game"))
    rules = RulesField(gettext_lazy("Rules"))

    SIMPLE = ("game", "rules")

    def __init__(self, *args: Any, games: Sequence[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["game"].choices = [(game, words.game_name(game)) for game in games]
        self.fields["rules"].choices = rules_choices()


class ExplorerForm(FoldedForm):
    """A form for a hand whose deals are counted. The game and the number of tarocks are required."""

    game = forms.ChoiceField(choices=game_choices, label=gettext_lazy("Game"))
    rules = RulesField(gettext_lazy("Rules"))

    SIMPLE = ("game", *NUMBERS)
    field_order = (*SIMPLE, "rules")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["rules"].choices = rules_choices()
        for name in NUMBERS:
            limits = {"min_value": FILTERS[name].least, "max_value": FILTERS[name].most}
            required = name == "tarocks"
            self.fields[name] = forms.IntegerField(required=required, label=FILTERS[name].label, **limits)
        self.order_fields(self.field_order)

    @property
    def filters(self) -> Filters:
        """The search for the deals with the hand. The form must be valid."""
        return Filters(**{**self.cleaned_data, "rules": self.cleaned_data["rules"] or SEED})


class Row(NamedTuple):
    """A line of statistics. `key`: as in `Figure`; `deals`: number of deals, with the URL of these deals;
    `share`: the percentage that won, with the URL of these deals, if there is one; `mean`: average points of
    a seat; `others`: the mean of all players or, for clauses and doubles, their percentage; `width`: length
    of a bar, in percent of the longest."""

    key: str
    name: str
    role: str
    deals: int
    href: str
    share: int | None
    won_href: str
    mean: float
    others: float | None
    width: int


class Table(NamedTuple):
    """The rows of a topic. `others`: whether they have the results of all players; `charts`: of the means, a
    small and a wide one."""

    topic: str
    rows: list[Row]
    others: bool
    charts: list[Totals]


def tables(game: str, lines: Lines, base: Base, others: Lines | None = None) -> list[Table]:
    """Return the tables of a game that have rows. `base`: the filters of the deals that count; `others`: the
    lines of all players, to compare."""
    found = []
    for topic in ("contract", "tarocks", "points", "clause", "double", "month"):
        compared = None if topic in ("points", "month") else others
        if rows := _rows(topic, game, lines, base, compared):
            has_others = any(row.others is not None for row in rows)
            found.append(Table(topic, rows, has_others, _charts(rows) if topic == "month" else []))
    return found


def _charts(rows: list[Row]) -> list[Totals]:
    """Return the charts of the means of months: of the declarers, if there are any."""
    drawn = [row for row in rows if not row.role] or rows
    links = [Link(row.href, f"{row.name} · {words.mean(row.mean)}") for row in drawn]
    runs, places = {_("Mean"): [row.mean for row in drawn]}, [row.key for row in drawn]
    found = [totals(runs, places, size, links=links, from_zero=False) for size in (SMALL, WIDE)]
    return [chart for chart in found if chart]


def _rows(topic: str, game: str, lines: Lines, base: Base, others: Lines | None) -> list[Row]:
    of_topic = {key[1:]: line for key, line in lines.by_key.items() if key[0] == topic}
    most = max((line.deals for line in of_topic.values()), default=1)
    of_key: dict[str, int] = {}
    for (key, _role), line in of_topic.items():
        of_key[key] = max(of_key.get(key, 0), line.deals)

    def place(item: tuple[tuple[str, str], Line]) -> tuple[Any, ...]:
        (key, role), _line = item
        if topic in ("tarocks", "points"):
            return (int(key),)
        if topic == "month":
            return key, SEAT_ROLES.index(role) if role else 0
        return (-of_key[key], key, SEAT_ROLES.index(role) if role else 0)

    rows = []
    for (key, role), line in sorted(of_topic.items(), key=place):
        filters, name = _named(topic, game, key, role)
        # A deal of a game that has contracts can end without one, and no search finds only these deals.
        href = deals_url(**base | filters) if key or len(of_key) == 1 else ""
        other = others.by_key.get((topic, key, role)) if others else None
        rows.append(
            Row(
                key,
                name,
                # Months are those of the declarers, if the game has any.
                words.in_role(game, role) if role and (topic, role) != ("month", "declarer") else "",
                line.deals,
                href,
                # The points of a month's deals without a declarer are those of the winners.
                None if (topic, role) == ("month", "alone") else line.share,
                deals_url(**base, **filters, effect="gained") if topic in ("clause", "double") else "",
                line.mean if line.seats else 0,
                (other.mean if other.seats else other.share) if other else None,
                max(1, round(100 * line.deals / most)),
            )
        )
    return rows


def _named(topic: str, game: str, key: str, role: str) -> tuple[Base, str]:
    """Return the filters that find the deals of a line, in addition to the base, and the line's name."""
    match topic:
        case "contract":
            return {"contract": key, "role": role}, words.contract(game, key)
        case "points":
            first, last = step_of(int(key)) if int(key) >= 0 else tuple(-n for n in step_of(-int(key))[::-1])
            name = f"{first} … {last}".replace("-", "−") if first != last else f"{first}".replace("-", "−")
            return {"score_from": str(first), "score_to": str(last)}, name
        case "double":
            return {"doubled": key}, words.stake(game, key)
        case "month":
            # The months of a player count all deals, not only the latest.
            return {**span(key), "role": role, "newest": None}, words.day(f"{key}-??")
    return {topic: key}, key


class Hands(NamedTuple):
    """The results of a hand in some deals. `name`: owner of the deals, empty for all public deals."""

    name: str
    deals: int
    href: str
    is_partial: bool
    tables: list[Table]


def hands(form: ExplorerForm, viewer: Any) -> list[Hands]:
    """Return the results of the hand in a valid form."""
    game = form.cleaned_data["game"]
    found = []
    for one in explore(form.filters, viewer):
        base: Base = {**one.filters.parameters()}
        found.append(
            Hands(one.name, one.deals, deals_url(**base), one.is_partial, tables(game, one.lines, base))
        )
    return found


def statistics(form: FiguresForm, viewer: Any, space: Space | None = None) -> dict[str, Any]:
    """Return the template context of the statistics in a form: of all public deals, or of a club."""
    game = form.cleaned_data.get("game") or next(iter(form.fields["game"].choices))[0]
    rules = form.cleaned_data.get("rules") or SEED
    lines = of_space(space.pk if space else 0, game, viewer, rules)
    others = of_space(0, game, rules=rules) if space else None
    base: Base = {"game": game, "rules": rules, "scored": "computed"}
    base["space" if space else "public"] = space.pk if space else 1
    return {"game": game, "tables": tables(game, lines, base, others), "unit": rules_of(rules)[0].unit}


def player_figures(
    player: Player, latest: Latest, days: Iterable[OnDay], rules: str, newest: int | None
) -> list[tuple[str, list[Table]]]:
    """Return the tables of a player's latest deals by these rules, by game, next to the means of all public
    deals, and of the months of all deals (`days`). `newest`: id of the first contribution that counts, if not
    all do."""
    found = []
    months = by_month(days)
    for game, lines in of_player(latest).items() if len(latest) >= FEWEST else ():
        lines = Lines(lines.by_key | months.get(game, Lines()).by_key)
        if not lines.by_key:
            continue
        base: Base = {"player_id": player.pk, "game": game, "rules": rules, "newest": newest}
        base["scored"] = "computed"
        found.append((game, tables(game, lines, base, of_space(0, game, rules=rules))))
    return found
