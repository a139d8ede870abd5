"""A player's results over time, as a chart with a line per game and as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from archive.reading.statistics import Extreme, OnDay, ScoredDeal
from replays.clubs.totals import SMALL, WIDE, Mark, Totals, totals
from replays.language import words
from tarock.games import GAMES

FEW_MONTHS = 3
"""Minimum number of months for listing results by month; with fewer months they are listed by day."""
MANY_MONTHS = 60
"""Maximum number of months for listing results by month; with more months they are listed by year."""
MOST_DRAWN = 100
"""Maximum number of steps in a curve. The steps are deals if they fit, otherwise days, months or years."""


@dataclass(frozen=True, slots=True)
class Made:
    """The deals and points of one game in one period, and the running total."""

    deals: int
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class Results:
    """A player's results: the table, and the chart in two sizes. The table may use longer periods than the
    chart. `by_deals`: whether the chart has a step per deal; if not, the chart leaves out undated deals."""

    games: list[str]
    periods: list[tuple[str, list[Made | None]]]
    """Days, months or years, with the results in each game; None for games that were not played."""
    chart: Totals | None
    wide: Totals | None
    by_deals: bool


_Steps = dict[str, dict[str, int]]
"""Points by game for each step of the curves, keyed by the step's label."""


def results(days: Sequence[OnDay], deals: Sequence[ScoredDeal] = (), best: Sequence[Extreme] = ()) -> Results:
    """Return a player's results, calculated from the results of each day. If `deals` are given (at most
    `MOST_DRAWN`), the chart has a step per deal. The first deal of `best` is marked on the chart."""
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
        periods.append((words.day(name), cells))
    steps = {str(n): {deal.game: deal.points} for n, deal in enumerate(deals, 1)} or _by_days(days)
    marked = _place_of(best[0], deals, steps) if best else None
    runs = {
        words.game_name(game): [*accumulate(made.get(game, 0) for made in steps.values())] for game in games
    }
    chart, wide = (totals(runs, list(steps), size, marked) for size in (SMALL, WIDE))
    return Results(games, periods, chart, wide, bool(deals))


def _by_days(days: Sequence[OnDay]) -> _Steps:
    """Return one step per day with deals, or one per month or year if there are too many days."""
    dated = [row for row in days if row.day]
    parts = next((n for n in (3, 2) if len({row.day[: 3 * n + 1] for row in dated}) <= MOST_DRAWN), 1)
    steps: _Steps = {}
    for row in dated:
        made = steps.setdefault(_period(row.day, parts).replace("-??", ""), {})
        made[row.game] = made.get(row.game, 0) + row.points
    return steps


def _place_of(best: Extreme, deals: Sequence[ScoredDeal], steps: _Steps) -> Mark | None:
    """Return the mark for the best deal on the curve of its game, or None if the curve leaves out the
    deal."""
    game, contribution = best.deal.game, best.deal.contribution
    if deals:
        at = next((n for n, deal in enumerate(deals, 1) if deal.contribution == contribution.pk), 0)
    else:
        # Deals without a day may have a step for their month. Prefer the longest name: it has the day.
        fitting = {
            name: n
            for n, (name, made) in enumerate(steps.items(), 1)
            if game in made and contribution.date.startswith(name)
        }
        at = fitting[max(fitting, key=len)] if fitting else 0
    return Mark(words.game_name(game), at, best.points) if at else None


def _period(day: str, parts: int) -> str:
    """Return the period that contains a day, as a date with `??` in place of the parts after the first
    `parts`. Return an empty string if there is no day."""
    return "-".join([*day.split("-")[:parts], "??", "??"][:3]) if day else ""


def _parts(days: list[str]) -> int:
    """Return the number of date parts that identify a period: 1 for a year, 2 for a month, 3 for a day. Deals
    in an unknown month of a year form a separate period."""
    months = {day[:7] for day in days}
    if len(months) > MANY_MONTHS:
        return 1
    return 2 if len(months) >= FEW_MONTHS else 3
