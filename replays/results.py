"""What a player made in the course of time, for his page: a line a game, and the same as a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from archive.tables import OnDay
from replays import words
from replays.totals import Totals, totals
from tarock.games import GAMES

FEW_MONTHS = 3
"""Results of so many months are told by months; of fewer by days."""
MANY_MONTHS = 60
"""Those of more are told by years."""


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
    """The table, and its chart, in which what is not dated is left out."""

    games: list[str]
    periods: list[Period]
    chart: Totals | None


def results(days: Sequence[OnDay]) -> Results:
    """The results of a player, given what he made on each day."""
    played = {row.game for row in days}
    games = [game for game in GAMES if game in played]
    written = _form([row.day for row in days if row.day is not None])
    sums: dict[str, dict[str, tuple[int, int]]] = {}
    for row in days:
        made = sums.setdefault(row.day.strftime(written) if row.day else "", {})
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
    return Results(games, periods, totals(runs, [name.replace("-??", "") for name in sums if name]))


def _form(days: list[date]) -> str:
    """How a day is written that stands for its period."""
    months = {(day.year, day.month) for day in days}
    if len(months) > MANY_MONTHS:
        return "%Y-??-??"
    return "%Y-%m-??" if len(months) >= FEW_MONTHS else "%Y-%m-%d"
