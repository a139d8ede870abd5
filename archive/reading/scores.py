"""The points of players over many deals, and their places: in each game, in a ranking, in a club's season."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from operator import itemgetter
from typing import Any

from django.db.models import Case, Count, F, QuerySet, Sum, When

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.database import sort_key
from archive.models import ContributionQuerySet, Player, Seat, Space, name_seated, person_seated
from archive.reading.filters import Filters
from tarock.evening import places

ORDERS = ("total", "mean", "evening_mean")
"""By what players may be ranked: their points in all, a deal, or an evening."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Who is ranked, and by what.

    ``by``: one of `ORDERS`; ``least_deals``, ``least_evenings``: what a player must have played; ``best``:
    how many of his evenings count, those with the most points; None for all.
    """

    by: str = "total"
    least_deals: int = 1
    least_evenings: int = 1
    best: int | None = None


ALL = Choice()
"""Everybody with all his deals, by points in all."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a player has in one game from the deals that count.

    ``place`` in this game, which equal values share; ``person``: the player's id; ``club``: the club whose
    player he is, or None; ``evenings``, ``deals``: how many count; ``left_out``: evenings that do not, since
    he has better ones.
    """

    place: int
    game: str
    person: int
    name: str
    club: int | None
    club_name: str
    evenings: int
    deals: int
    total: int
    left_out: int

    @property
    def mean(self) -> float:
        """Points a deal."""
        return self.total / self.deals

    @property
    def evening_mean(self) -> float:
        """Points an evening."""
        return self.total / self.evenings


def _counting(contributions: ContributionQuerySet) -> QuerySet[Seat]:
    """Return the seats whose points count: those of scored ones of these contributions."""
    return Seat.objects.filter(contribution__in=contributions.scored(), points__isnull=False).order_by()


def _evenings(filters: Filters, viewer: Viewer) -> QuerySet[Seat, dict[str, Any]]:
    """Sum the points of each player in each game evening by evening. An evening is a session; of deals
    without one a day, and those without a day are one evening together."""
    seats = _counting(filters.apply(access.listed(viewer)))
    if filters.player:
        seats = seats.filter(player__in=Player.objects.meant_by(filters.player).with_aliases())
    return seats.values(
        game=F("contribution__deal__game"),
        person=person_seated(),
        name=name_seated(),
        club=Case(When(player__space__kind="club", then="player__space")),
        club_name=F("player__space__name"),
        evening=F("contribution__session"),
        day=Case(When(contribution__session=None, then="contribution__played_on")),
    ).annotate(deals=Count("contribution", distinct=True), total=Sum("points"))


def player_scores(
    filters: Filters | None = None,
    viewer: Viewer = EVERYBODY,
    choice: Choice = ALL,
    language: str = "",
) -> list[Score]:
    """Return what each player has in each game from matching deals, game by game, by place; players of one
    place as a reader of the language sorts their names, without a language by code points.

    Deals that have a score count, by what the rules give, not by what was claimed. Each club's players are
    its own. With a player in the filters only his rows. One query.
    """
    evenings: dict[tuple[str, int], list[dict[str, Any]]] = {}
    for row in _evenings(filters or Filters(), viewer):
        evenings.setdefault((row["game"], row["person"]), []).append(row)
    by_game: dict[str, list[Score]] = {}
    for (game, _person), rows in evenings.items():
        if score := _score(rows, choice):
            by_game.setdefault(game, []).append(score)
    return [
        score for _game, scores in sorted(by_game.items()) for score in _placed(scores, choice.by, language)
    ]


def _score(evenings: list[dict[str, Any]], choice: Choice) -> Score | None:
    """A player's score in a game from his evenings, still without its place; None if he played too little."""
    deals = sum(row["deals"] for row in evenings)
    if deals < choice.least_deals or len(evenings) < choice.least_evenings:
        return None
    if choice.best:
        evenings.sort(key=itemgetter("total"), reverse=True)
    counting = evenings[: choice.best]
    first = evenings[0]
    return Score(
        place=0,
        game=first["game"],
        person=first["person"],
        name=first["name"],
        club=first["club"],
        club_name=first["club_name"],
        evenings=len(counting),
        deals=sum(row["deals"] for row in counting),
        total=sum(row["total"] for row in counting),
        left_out=len(evenings) - len(counting),
    )


def _placed(scores: list[Score], by: str, language: str) -> list[Score]:
    """The scores of one game with their places, the first one first."""
    values = {score.person: getattr(score, by) for score in scores}
    place = places(values)
    scores.sort(key=lambda one: (place[one.person], _sorted_name(one.name, language), one.person))
    return [replace(score, place=place[score.person]) for score in scores]


def _sorted_name(name: str, language: str) -> str:
    return sort_key(name, language) if language else name


def standings(
    space: Space, viewer: Viewer = EVERYBODY, season: int | None = None, language: str = ""
) -> list[Score]:
    """Return the `player_scores` of a space, of one season or of all."""
    filters = Filters(space=space.pk)
    if season is not None:
        filters = Filters(space=space.pk, date_from=date(season, 1, 1), date_to=date(season, 12, 31))
    return player_scores(filters, viewer, language=language)
