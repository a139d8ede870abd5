"""Players' points over many deals and their ranks in each game, for rankings and for a club's season.

If all filters are on game, player, club or days, results are computed from stored sums
(`archive.models.sums`), otherwise from the seats of at most `MOST` deals.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from heapq import nlargest
from itertools import groupby
from operator import itemgetter
from typing import Any

from django.db.models import Case, Count, F, FloatField, Q, QuerySet, Sum, Value, When
from django.db.models.functions import Cast, Coalesce

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.database import by_code_point
from archive.fields import sort_key
from archive.models import (
    CELL_VALUES,
    Cell,
    Contribution,
    ContributionQuerySet,
    Player,
    RuleSet,
    Seat,
    Space,
    Total,
    counted,
    display_name,
    person_seated,
)
from archive.reading.conditions import by_rules
from archive.reading.filters import Filters
from archive.reading.holding import clubs_holding
from archive.rules import Rules
from archive.storing.sums import EveningTotals
from tarock.core.game import UNKNOWN_GAME
from tarock.core.seating import places
from tarock.games import GAMES

ORDERS = ("total", "mean", "evening_mean")
"""Criteria for ranking players: total points, points per deal, or points per evening."""

MOST = 2000
"""Maximum number of deals, those stored last, that are added up if the stored sums don't suffice."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Criteria that select and sort the players of a ranking. `by`: one of `ORDERS`; `least_deals`,
    `least_evenings`: minimum number of deals and evenings that a player must have played; `best`: number of a
    player's best evenings that count, None for all evenings; `count`: records that count, one of `COUNTS`."""

    by: str = "total"
    least_deals: int = 1
    least_evenings: int = 1
    best: int | None = None
    count: str = "computed"


ALL = Choice()
"""All players with all their deals, ranked by total points."""


@dataclass(frozen=True, slots=True)
class Score:
    """A player's result by one rule set. `place`: rank by these rules; players with equal values share one;
    `person`: id of the player; `club`: id of the player's club, or None; `evenings`, `deals`: number of
    evenings and deals that count; `left_out`: number of evenings that don't count because the player has
    better ones; `stated_deals`, `stated_points`: part of the deals and of the total that is only stated."""

    rules: Rules
    person: int
    evenings: int
    deals: int
    total: int
    left_out: int = 0
    stated_deals: int = 0
    stated_points: int = 0
    place: int = 0
    name: str = ""
    club: int | None = None
    club_name: str = ""

    @property
    def game(self) -> str:
        """Id of the game."""
        return self.rules.game

    @property
    def mean(self) -> float:
        """Points per deal."""
        return self.total / self.deals

    @property
    def evening_mean(self) -> float:
        """Points per evening."""
        return self.total / self.evenings


MOST_EVENINGS = 5000
"""Number of results (one player on one evening) that are searched for players' best evenings if no club or
player is given: those of the latest days, about equally many for each game."""


class Scores(list[Score]):
    """Scores by game, rule set (source rules first) and rank. `is_partial`: whether only the latest deals or
    evenings were added up, because too many match (`MOST`, `MOST_EVENINGS`)."""

    is_partial = False


def player_scores(
    filters: Filters | None = None,
    viewer: Viewer = EVERYBODY,
    choice: Choice = ALL,
    language: str = "",
    window: slice = slice(None),
) -> Scores:
    """Return each player's result by each rule set over the matching deals, by game, rule set and rank.
    Players who share a rank are sorted by name in the order of this language, or by code points without a
    language. `window`: slice of rows to return.

    Only deals with a score count. Their score is computed by the rules, not claimed by the sender; a `choice`
    can also count results. Each club has its own players. If the filters name a player, only that player's
    rows are returned. Makes a fixed number of queries.
    """
    filters = filters or Filters()
    if not filters.given.keys() <= _IN_CELLS:
        return _from_seats(filters, viewer, choice, language, window)
    year = _whole_year(filters)
    if choice.best is None and year is not None:
        return _from_totals(filters, viewer, choice, language, window, year)
    return _from_cells(filters, viewer, choice, language, window)


_IN_CELLS = {"game", "rules", "player", "space", "club", "date_from", "date_to"}
"""Filters for which the stored sums suffice."""


def _whole_year(filters: Filters) -> int | None:
    """Return the year that the filters cover, 0 for all years, or None for any other range of days."""
    first, last = filters.date_from, filters.date_to
    if first is None and last is None:
        return 0
    if first and last and (first, last) == (date(first.year, 1, 1), date(first.year, 12, 31)):
        return first.year
    return None


def _persons(filters: Filters, prefix: str) -> Q:
    """Return the filters on game, rules, space, club and player as a condition. `prefix`: path to the
    player."""
    condition = Q(game=filters.game) if filters.game else Q()
    if filters.rules:
        condition &= by_rules(filters.rules, seed=0)
    if filters.space:
        condition &= Q(**{f"{prefix}__space": filters.space})
    if filters.club:
        condition &= Q(**{f"{prefix}__space__in": clubs_holding(filters.club)})
    if filters.player:
        persons = Player.objects.meant_by(filters.player).with_aliases().order_by()
        condition &= Q(**{f"{prefix}__in": list(persons.values_list("pk", flat=True))})
    return condition


def totals_seen(viewer: Viewer) -> QuerySet[Total]:
    """Return the stored totals of the deals that this viewer can see."""
    own = list(viewer.roles)
    if not own:
        return Total.objects.filter(view__in=("public", "both")).order_by()
    inside = Q(person__space__in=own)
    return Total.objects.filter(
        Q(view="both") | Q(view="whole") & inside | Q(view="public") & ~inside
    ).order_by()


def _from_totals(
    filters: Filters, viewer: Viewer, choice: Choice, language: str, window: slice, year: int
) -> Scores:
    """Return the window of a ranking, computed from stored totals. Queries one game after another."""
    least = Q(played__gte=choice.least_deals, number__gte=choice.least_evenings)
    names = {"played": "deals", "total": "points", "number": "evenings"}
    counted = {own: _of_count(name, choice.count) for own, name in names.items()}
    totals = totals_seen(viewer).filter(_persons(filters, "person"), year=year).annotate(**counted)
    totals = totals.filter(least).annotate(value=_VALUES[choice.by], **_stated(choice.count))
    passed, scores = window.start or 0, Scores()
    for game in [filters.game] if filters.game else _games(choice.count):
        left = None if window.stop is None else window.stop - (window.start or 0) - len(scores)
        if left is not None and left <= 0:
            break
        of_game = totals.filter(game=game)
        rows = _rows(of_game, language, slice(passed, None if left is None else passed + left))
        if passed and not rows:
            passed -= of_game.count()
            continue
        before = of_game.filter(rules=rows[0]["rules"], value__gt=rows[0]["value"]).count() if passed else 0
        passed -= of_game.filter(rules__lt=rows[0]["rules"]).count() if passed else 0
        scores += _placed_rows(rows, passed, before)
        passed = 0
    return scores


def _of_count(name: str, count: str) -> Any:
    """Return the column of `Total` with this name for what counts. Rows written by the previous release have
    only the column for `computed`."""
    return F(name) if count == "computed" else Coalesce(f"{count}_{name}", name)


def _stated(count: str) -> dict[str, Any]:
    """Return expressions for the part of a row's deals and points that comes from results."""
    return {
        f"only_{name}": Coalesce(name, 0) if count == "all" else Value(0)
        for name in ("stated_deals", "stated_points")
    }


def _games(count: str) -> list[str]:
    """Return the games in the order of rankings. Only results can be of an unknown game, which comes last."""
    return [*sorted(GAMES), *([UNKNOWN_GAME] if count == "all" else [])]


_VALUES = {
    "total": F("total"),
    "mean": Cast("total", FloatField()) / Cast("played", FloatField()),
    "evening_mean": Cast("total", FloatField()) / Cast("number", FloatField()),
}
"""The value of each of the `ORDERS` as an SQL expression."""


def _rows(totals: QuerySet[Total], language: str, window: slice) -> list[dict[str, Any]]:
    name = display_name("person__")
    place = {"cs": F("person__sort_name_cs"), "": by_code_point(name)}.get(language, F("person__sort_name"))
    rows = totals.order_by("rules", F("value").desc(), place, "person").values(
        "game",
        "rules",
        "person",
        "value",
        "total",
        "number",
        "played",
        "only_stated_deals",
        "only_stated_points",
        name=name,
        kind=F("person__space__kind"),
        space=F("person__space_id"),
        club_name=F("person__space__name"),
    )
    return list(rows[window])


def _placed_rows(rows: Sequence[dict[str, Any]], passed: int, before: int) -> Iterable[Score]:
    """Yield the scores, with their ranks, for consecutive rows of one game. `passed`: number of rows of the
    same rule set before the first row; `before`: number of those with a greater value than the first row."""
    known = RuleSet.by_id(row["rules"] for row in rows)
    for rules, of_rules in groupby(rows, itemgetter("rules")):
        yield from _placed_by(known.get(rules), list(of_rules), passed, before)
        passed = before = 0


def _placed_by(
    rules: Rules | None, rows: Sequence[dict[str, Any]], passed: int, before: int
) -> Iterable[Score]:
    """Yield the scores as in `_placed_rows` for rows of one rule set."""
    place, value = before + 1, rows[0]["value"]
    for number, row in enumerate(rows, start=passed + 1):
        if row["value"] != value:
            place, value = number, row["value"]
        game = row.pop("game")
        row["rules"] = rules or Rules(game)
        del row["value"]
        kind, space = row.pop("kind"), row.pop("space")
        row |= {"deals": row.pop("played"), "evenings": row.pop("number")}
        row |= {name: row.pop(f"only_{name}") for name in ("stated_deals", "stated_points")}
        yield Score(place=place, club=space if kind == "club" else None, **row)


def _of_days(first: date | None, last: date | None) -> Q:
    """Return the condition that cells are from these days, as in `ContributionQuerySet.played_between`."""
    condition = Q() if first is None else Q(played_on__gte=first)
    if last is not None:
        after = min(last, date.max - timedelta(days=1)) + timedelta(days=1)
        condition &= Q(played_on__lte=last)
        condition &= ~Q(date_parts__lte=2, played_on__gte=after.replace(day=1))
        condition &= ~Q(date_parts__lte=1, played_on__gte=after.replace(month=1, day=1))
    return condition


def _from_cells(filters: Filters, viewer: Viewer, choice: Choice, language: str, window: slice) -> Scores:
    days = _of_days(filters.date_from, filters.date_to)
    cells = Cell.objects.filter(_persons(filters, "player"), days).order_by()
    own = list(viewer.roles)
    seen = counted(choice.count, "public") & Q(is_public=True)
    if own:
        inside = Q(player__space__in=own)
        seen = seen & ~inside | counted(choice.count, "whole") & inside
    cells = cells.filter(seen)
    values = CELL_VALUES[choice.count]
    sums = {"played": Sum(values["deals"]), "total": Sum(values["points"])}
    if choice.count == "all":
        sums |= {f"only_{name}": Sum(name) for name in ("stated_deals", "stated_points")}
    if choice.best:
        latest = (
            None
            if filters.given.keys() & {"space", "club", "player"}
            else _latest_evenings(cells, filters, choice.count)
        )
        cells = cells if latest is None else cells.filter(latest)
        rows = cells.values("game", "rules", "evening", person=F("player")).annotate(**sums)
        scores = _ranked(rows, choice, language, window)
        scores.is_partial = latest is not None
        return scores
    least = {"played__gte": choice.least_deals, "number__gte": choice.least_evenings}
    rows = cells.values("game", "rules", person=F("player")).annotate(
        number=Count("evening", distinct=True), **sums
    )
    return _ranked(rows.filter(**least), choice, language, window)


def _latest_evenings(cells: QuerySet[Cell], filters: Filters, count: str) -> Q | None:
    """Return the condition that cells are among about `MOST_EVENINGS` cells of the latest days; None if there
    are no more cells than that. Finds the first of these days with one query per game, which uses an
    index."""
    condition, is_all = Q(), True
    games = [filters.game] if filters.game else _games(count)
    for game in games:
        days = cells.filter(game=game, played_on__isnull=False).order_by("-played_on")
        at = MOST_EVENINGS // len(games)
        day = days.values_list("played_on", flat=True)[at : at + 1].first()
        condition |= Q(game=game) if day is None else Q(game=game, played_on__gt=day)
        is_all = is_all and day is None
    return None if is_all else condition


def _from_seats(filters: Filters, viewer: Viewer, choice: Choice, language: str, window: slice) -> Scores:
    """Return scores computed from the seats of the latest `MOST` matching deals with a score. An evening is a
    session or, for deals without a session, a day; undated deals without a session form one evening."""
    matching = filters.apply(access.listed(viewer)).counted(choice.count).order_by("-pk")
    latest = list(matching.values_list("pk", flat=True)[: MOST + 1])
    seats = Seat.objects.filter(
        contribution__in=latest[:MOST], points__isnull=False, player__isnull=False
    ).order_by()
    if filters.player:
        seats = seats.filter(player__in=Player.objects.meant_by(filters.player).with_aliases())
    rows = seats.values(
        game=F("contribution__deal__game"),
        rules=Coalesce(F("contribution__deal__rules_id"), 0),
        person=person_seated(),
        session_of=F("contribution__session"),
        day=Case(When(contribution__session=None, then="contribution__played_on")),
        is_stated=Case(When(contribution__verdict="stated", then=1), default=0),
        is_total=Case(When(ContributionQuerySet.is_evening_total("contribution__"), then=1), default=0),
    )
    deals = Sum(Coalesce("contribution__deals_played", 1), filter=Q(is_total=1), default=0)
    deals += Count("contribution", filter=Q(is_total=0), distinct=True)
    rows = rows.annotate(played=deals, total=Sum("points"))
    counting = Contribution.objects.filter(pk__in=latest[:MOST])
    scores = _ranked(_not_in_totals(rows, counting, choice), choice, language, window)
    scores.is_partial = len(latest) > MOST
    return scores


def _not_in_totals(
    rows: Iterable[dict[str, Any]], matching: ContributionQuerySet, choice: Choice
) -> Iterable[dict[str, Any]]:
    """Return one row for each player, rule set and evening. If results count, leave out what a total of the
    evening among the `matching` contributions counts instead."""
    totals = EveningTotals(matching) if choice.count == "all" else ()
    by_evening: dict[tuple[Any, ...], dict[str, Any]] = {}
    for row in rows:
        of = row["game"], row["rules"], row["person"]
        if not row["is_total"] and (row["session_of"], *of) in totals:
            continue
        key = *of, row["session_of"], row["day"]
        sums = by_evening.setdefault(key, {**row, **dict.fromkeys(_SUMS, 0)})
        for name in ("played", "total"):
            sums[name] += row[name]
        if row["is_stated"]:
            sums["only_stated_deals"] += row["played"]
            sums["only_stated_points"] += row["total"]
    return by_evening.values()


_SUMS = ("played", "total", "only_stated_deals", "only_stated_points")
"""Sums of an evening."""


def _ranked(rows: Iterable[dict[str, Any]], choice: Choice, language: str, window: slice) -> Scores:
    """Return players' ranked scores from rows of sums, each for one evening or for `number` evenings."""
    evenings: dict[tuple[str, int, int], list[dict[str, Any]]] = {}
    for row in rows:
        evenings.setdefault((row["game"], row["rules"], row["person"]), []).append(row)
    known = RuleSet.by_id(rules for _game, rules, _person in evenings)
    in_rules: dict[tuple[str, int], list[Score]] = {}
    for (game, rules, _person), own in evenings.items():
        if score := _score(own, known.get(rules) or Rules(game), choice):
            in_rules.setdefault((game, rules), []).append(score)
    if window.stop is not None:
        in_rules = {of: _first(scores, choice.by, window.stop) for of, scores in in_rules.items()}
    names = _names([score.person for scores in in_rules.values() for score in scores])
    ranked = Scores()
    for _of, scores in sorted(in_rules.items()):
        named = [replace(one, **names[one.person]) for one in scores if one.person in names]
        ranked += _placed(named, choice.by, language)
    ranked[:] = ranked[window]
    return ranked


def _first(scores: list[Score], by: str, number: int) -> list[Score]:
    """Return the best `number` scores of a rule set, plus any that tie with the last one."""
    values = nlargest(number, (getattr(score, by) for score in scores))
    return [score for score in scores if getattr(score, by) >= values[-1]]


def _names(persons: Sequence[int]) -> dict[int, dict[str, Any]]:
    """Map player ids to the person's name and club. One query."""
    players = Player.objects.filter(pk__in=persons).order_by()
    rows = players.values_list("pk", display_name(), "space__kind", "space_id", "space__name")
    return {
        pk: {"name": name, "club": space if kind == "club" else None, "club_name": club}
        for pk, name, kind, space, club in rows
    }


def _score(evenings: list[dict[str, Any]], rules: Rules, choice: Choice) -> Score | None:
    """Return a player's score by one rule set, without rank and name; None for too few deals or evenings."""
    deals = sum(row["played"] for row in evenings)
    number = sum(row.get("number", 1) for row in evenings)
    if deals < choice.least_deals or number < choice.least_evenings:
        return None
    if choice.best:
        evenings.sort(key=itemgetter("total"), reverse=True)
    counting = evenings[: choice.best]
    return Score(
        rules=rules,
        person=evenings[0]["person"],
        evenings=number if choice.best is None else len(counting),
        deals=sum(row["played"] for row in counting),
        total=sum(row["total"] for row in counting),
        stated_deals=sum(row.get("only_stated_deals", 0) for row in counting),
        stated_points=sum(row.get("only_stated_points", 0) for row in counting),
        left_out=0 if choice.best is None else len(evenings) - len(counting),
    )


def _placed(scores: list[Score], by: str, language: str) -> list[Score]:
    """Return the scores of one rule set, best first, with their ranks."""
    values = {score.person: getattr(score, by) for score in scores}
    place = places(values)
    names = {one.person: sort_key(one.name, language) if language else one.name for one in scores}
    scores.sort(key=lambda one: (place[one.person], names[one.person], one.person))
    return [replace(score, place=place[score.person]) for score in scores]


def standings(
    space: Space,
    viewer: Viewer = EVERYBODY,
    season: int | None = None,
    language: str = "",
    count: str = "computed",
) -> Scores:
    """Return the `player_scores` of a space for one season, or for all seasons. `count`: see `Choice`."""
    first, last = (date(season, 1, 1), date(season, 12, 31)) if season is not None else (None, None)
    filters = Filters(space=space.pk, date_from=first, date_to=last)
    return player_scores(filters, viewer, Choice(count=count), language)
