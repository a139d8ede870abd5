"""The results of a player over time, for his page: a line a game, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from archive.access import Viewer
from archive.models import Player
from archive.reading.statistics import OnDay, by_day
from replays import words
from replays.totals import WIDE, Totals, totals
from tarock.games import GAMES

FEW_MONTHS = 3
"""From this number of months on, results are listed by months; below it by days."""
MANY_MONTHS = 60
"""Above this number of months, results are listed by years."""


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
    """The table, and its chart, small and wide, in which what is not dated is left out."""

    games: list[str]
    periods: list[Period]
    chart: Totals | None
    wide: Totals | None


def results_of(player: Player, viewer: Viewer) -> Results:
    """The results of a player; day by day only where there are few months. Two queries."""
    months = by_day(player, viewer, by_month=True)
    few = len({row.day[:7] for row in months if row.day}) < FEW_MONTHS
    return results(by_day(player, viewer) if few else months)


def results(days: Sequence[OnDay]) -> Results:
    """The results of a player, from those of each day."""
    played = {row.game for row in days}
    games = [game for game in GAMES if game in played]
    parts = _parts([row.day for row in days if row.day])
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for row in days:
        made = sums.setdefault(_period(row.day, parts), {})
        deals, points = made.get(row.game, (0, 0))
        made[row.game] = deals + row.deals, points + row.points
    so_far = dict.fromkeys(games, 0)
    runs: dict[str, list[int]] = {words.game_name(game): [] for game in games}
    periods = []
    for name, made in sums.items():
        cells: list[Made | None] = []
        for game in games:
            deals, points = made.get(game, (0, 0))
            so_far[game] += points
            cells.append(Made(deals, points, so_far[game]) if deals else None)
            if name:
                runs[words.game_name(game)].append(so_far[game])
        periods.append(Period(words.day(name), cells))
    dated = [name.replace("-??", "") for name in sums if name]
    return Results(games, periods, totals(runs, dated), totals(runs, dated, WIDE))


def _period(day: str, parts: int) -> str:
    """The period of a day, written as a date with unknown parts; empty for none."""
    return "-".join([*day.split("-")[:parts], "??", "??"][:3]) if day else ""


def _parts(days: list[str]) -> int:
    """How much of a day is written for its period: the year, the month, too, or all of it. What was played in
    an unknown month of a year stands by itself."""
    months = {day[:7] for day in days}
    if len(months) > MANY_MONTHS:
        return 1
    return 2 if len(months) >= FEW_MONTHS else 3
