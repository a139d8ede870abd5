"""The results of a player over time, for his page: a line a game, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import NamedTuple

from archive.access import Viewer
from archive.models import Player
from archive.reading.statistics import MOST_DEALS, Extreme, OnDay, ScoredDeal, by_day, deal_by_deal
from replays.clubs.totals import SMALL, WIDE, Mark, Totals, totals
from replays.language import words
from tarock.games import GAMES

FEW_MONTHS = 3
"""From this number of months on, results are listed by months; below it by days."""
MANY_MONTHS = 60
"""Above this number of months, results are listed by years."""
MOST_DRAWN = 100
"""A curve goes by deals if there are no more than these, or else by days, or else by months."""


@dataclass(frozen=True, slots=True)
class Made:
    """Deals, points, and the points in all, of one game in one period."""

    deals: int
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class Period:
    """A day, a month or a year: what was made in each game, None where it was not played."""

    name: str
    made: list[Made | None]


@dataclass(frozen=True, slots=True)
class Results:
    """The table, and a chart, small and wide. The table goes by longer periods than the chart, in which what
    is not dated is left out if it does not go by deals."""

    games: list[str]
    periods: list[Period]
    chart: Totals | None
    wide: Totals | None
    by_deals: bool


class _Step(NamedTuple):
    """A step of a curve: its name below, and what was made in each game."""

    name: str
    made: dict[str, int]


def results_of(player: Player, viewer: Viewer, best: Sequence[Extreme]) -> Results:
    """The results of a player, with his best deal first; from month to month if he has played more than
    `MOST_DEALS`. Three queries at most."""
    days = by_day(player, viewer, by_month=player.whole_deals > MOST_DEALS)
    return results(days, deal_by_deal(player, viewer, MOST_DRAWN), best)


def results(days: Sequence[OnDay], deals: Sequence[ScoredDeal] = (), best: Sequence[Extreme] = ()) -> Results:
    """The results of a player, from those of each day; of each deal, if there are no more than `MOST_DRAWN`,
    and his best deal first."""
    played = {row.game for row in days} | {deal.game for deal in deals}
    games = [game for game in GAMES if game in played]
    parts = _parts([row.day for row in days if row.day])
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for row in days:
        made = sums.setdefault(_period(row.day, parts), {})
        number, points = made.get(row.game, (0, 0))
        made[row.game] = number + row.deals, points + row.points
    so_far = dict.fromkeys(games, 0)
    periods = []
    for name, made in sums.items():
        cells: list[Made | None] = []
        for game in games:
            number, points = made.get(game, (0, 0))
            so_far[game] += points
            cells.append(Made(number, points, so_far[game]) if number else None)
        periods.append(Period(words.day(name), cells))
    steps = _by_deals(deals) or _by_days(days)
    marked = _place_of(best[0], deals, steps) if best else None
    chart, wide = (
        totals(_runs(games, steps), [step.name for step in steps], size, marked) for size in (SMALL, WIDE)
    )
    return Results(games, periods, chart, wide, bool(deals))


def _by_deals(deals: Sequence[ScoredDeal]) -> list[_Step]:
    return [_Step(str(n), {deal.game: deal.points}) for n, deal in enumerate(deals, 1)]


def _by_days(days: Sequence[OnDay]) -> list[_Step]:
    """A step a day, or a longer period, of what is dated."""
    dated = [row for row in days if row.day]
    parts = next((n for n in (3, 2) if len({row.day[: 3 * n + 1] for row in dated}) <= MOST_DRAWN), 1)
    steps: dict[str, _Step] = {}
    for row in dated:
        name = _period(row.day, parts).replace("-??", "")
        made = steps.setdefault(name, _Step(name, {})).made
        made[row.game] = made.get(row.game, 0) + row.points
    return list(steps.values())


def _place_of(best: Extreme, deals: Sequence[ScoredDeal], steps: Sequence[_Step]) -> Mark | None:
    """Return the place of the best deal on the curve of its game; None if it is not dated."""
    game, contribution = best.deal.game, best.deal.contribution
    if deals:
        at = next((n for n, deal in enumerate(deals, 1) if deal.contribution == contribution.pk), 0)
    else:
        # A day can have a step of its own next to one for an unknown day of its month.
        fitting = {
            step.name: n
            for n, step in enumerate(steps, 1)
            if game in step.made and contribution.date.startswith(step.name)
        }
        at = fitting[max(fitting, key=len)] if fitting else 0
    return Mark(words.game_name(game), at, best.points) if at else None


def _runs(games: Sequence[str], steps: Sequence[_Step]) -> dict[str, list[int]]:
    """Each game by its name → its running total at each step."""
    return {
        words.game_name(game): list(accumulate(step.made.get(game, 0) for step in steps)) for game in games
    }


def _period(day: str, parts: int) -> str:
    """The period of a day, written as a date with unknown parts; empty for none."""
    return "-".join([*day.split("-")[:parts], "??", "??"][:3]) if day else ""


def _parts(days: list[str]) -> int:
    """Return the parts of a day that its period shows: the year, also the month, or all. Deals of an unknown
    month have a step of their own."""
    months = {day[:7] for day in days}
    if len(months) > MANY_MONTHS:
        return 1
    return 2 if len(months) >= FEW_MONTHS else 3
