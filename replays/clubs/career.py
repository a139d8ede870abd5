"""A player's results over time, as a chart with a line per game and as a table."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from archive.addresses import Key
from archive.reading.statistics import Extreme, OnDay, ScoredDeal
from archive.rules import rules_of
from replays.clubs.totals import SMALL, WIDE, Link, Mark, Totals, totals
from replays.language import words
from replays.site.paths import deals_url, path
from tarock.games import GAMES

FEW_MONTHS = 3
"""Minimum number of months for listing results by month; with fewer months they are listed by day."""
MANY_MONTHS = 60
"""Maximum number of months for listing results by month; with more months they are listed by year."""
MOST_DRAWN = 100
"""Maximum number of steps in a curve. The steps are deals if they fit, otherwise days, months or years."""


@dataclass(frozen=True, slots=True)
class Made:
    """The deals and points of one game in one period, and the running total. `href`: URL of the list of these
    deals; empty for a period that no search finds, such as unknown days of a month."""

    deals: int
    points: int
    total: int
    href: str


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


def results(
    player: int,
    rules: str,
    days: Sequence[OnDay],
    deals: Sequence[ScoredDeal] = (),
    best: Sequence[Extreme] = (),
) -> Results:
    """Return the results by these rules of the player with this id, calculated from the results of each day.
    If `deals` are given (at most `MOST_DRAWN`), the chart has a step per deal. The first deal of `best` is
    marked on the chart."""
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
    # Days with known and unknown parts can be in one list, and a search would find both.
    exact = {parts, 2} if all(row.day.endswith("??") for row in days) else {parts}
    for name, made in sums.items():
        dates = span(name) if _known(name) in exact else {}
        cells: list[Made | None] = []
        for game in games:
            number, points = made.get(game, (0, 0))
            so_far[game] += points
            href = deals_url(player_id=player, game=game, rules=rules, scored="computed", **dates)
            href = href if dates else ""
            cells.append(Made(number, points, so_far[game], href) if number else None)
        periods.append((words.day(name), cells))
    steps = {str(n): {deal.game: deal.points} for n, deal in enumerate(deals, 1)} or _by_days(days)
    marked = _place_of(best[0], deals, steps) if best else None
    runs = {
        words.game_name(game): [*accumulate(made.get(game, 0) for made in steps.values())] for game in games
    }
    links = list(_links(player, rules, steps, deals))
    chart, wide = (totals(runs, list(steps), size, marked, links) for size in (SMALL, WIDE))
    return Results(games, periods, chart, wide, bool(deals))


def _links(player: int, rules: str, steps: _Steps, deals: Sequence[ScoredDeal]) -> Iterator[Link]:
    """Yield the link of each step of the curves: to its deal, or to the list of its deals."""
    unit = rules_of(rules)[0].unit
    for n, (name, made) in enumerate(steps.items()):
        points = words.listed(
            words.colon(words.game_name(game), words.points(number, unit)) for game, number in made.items()
        )
        if deals:
            yield Link(path("deal", Key(deals[n].deal, deals[n].contribution)), points)
        else:
            href = deals_url(player_id=player, rules=rules, scored="computed", **span(name))
            yield Link(href, f"{words.day((name + '-??-??')[:10])} · {points}")


def _known(day: str) -> int:
    """Return the number of known parts of a day."""
    return sum(part.isdigit() for part in day.split("-"))


def span(day: str) -> Mapping[str, str]:
    """Return the filters for deals from this day, month or year (`2026-11-05`, `2026-11-??`, `2026`)."""
    parts = [part for part in day.split("-") if part.isdigit()]
    if not parts:
        return {}
    last = [*parts, "12"][:2] if len(parts) < 3 else parts
    if len(parts) < 3:
        last.append(f"{monthrange(int(last[0]), int(last[1]))[1]:02}")
    return {"date_from": "-".join([*parts, "01", "01"][:3]), "date_to": "-".join(last)}


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
