"""What players have made: in each game, in a ranking, in a club's season."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Case, Count, F, QuerySet, Sum, When

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.models import ContributionQuerySet, Player, Seat, Space, name_seated, person_seated
from archive.reading.filters import Filters


def _counting(contributions: ContributionQuerySet) -> QuerySet[Seat]:
    """Return the seats whose points count: those of scored ones of these contributions."""
    return Seat.objects.filter(contribution__in=contributions.scored(), points__isnull=False).order_by()


def player_scores(
    filters: Filters | None = None, viewer: Viewer = EVERYBODY
) -> QuerySet[Seat, dict[str, Any]]:
    """Sum the points of each player in each game over matching deals: rows ``game``, ``name``, ``person``
    (id), ``club`` (its id, or None), ``club_name``, ``deals``, ``total``; game by game, most points first.

    Deals that have a score count, by what the rules give, not by what was claimed. Each club's players are
    its own. With a player in the filters only his rows. One query.
    """
    filters = filters or Filters()
    seats = _counting(filters.apply(access.listed(viewer)))
    if filters.player:
        seats = seats.filter(player__in=Player.objects.meant_by(filters.player).with_aliases())
    return (
        seats.values(
            game=F("contribution__deal__game"),
            person=person_seated(),
            name=name_seated(),
            club=Case(When(player__space__kind="club", then="player__space")),
            club_name=F("player__space__name"),
        )
        .annotate(deals=Count("contribution", distinct=True), total=Sum("points"))
        .order_by("game", "-total", "name", "person")
    )


@dataclass(frozen=True, slots=True)
class Ranked:
    """A player's place in a ranking, which equal shares share; ``mean``: his points a deal."""

    place: int
    player: Player
    deals: int
    total: int
    mean: float


def ranking(
    filters: Filters, viewer: Viewer = EVERYBODY, *, least: int = 10, by: str = "mean", most: int = 100
) -> list[dict[str, Any]]:
    """Return the players with the most points, a deal (``mean``) or in all (``total``), over matching deals,
    if they have ``least`` deals; counted as by `player_scores`: rows ``person``, ``deals``, ``total``,
    ``mean``. One query."""
    return list(
        _counting(filters.apply(access.listed(viewer)))
        .values(person=person_seated())
        .annotate(deals=Count("contribution", distinct=True), total=Sum("points"))
        .annotate(mean=F("total") * 1.0 / F("deals"))
        .filter(deals__gte=least)
        .order_by(f"-{by}", "-total", "person")[:most]
    )


def ranked(rows: Sequence[dict[str, Any]], by: str = "mean") -> list[Ranked]:
    """Return a `ranking` with its players and their places. One query."""
    players = Player.objects.select_related("space").in_bulk([row["person"] for row in rows])
    places: list[Ranked] = []
    for number, row in enumerate(rows, start=1):
        same = number > 1 and row[by] == rows[number - 2][by]
        place = places[-1].place if same else number
        if player := players.get(row["person"]):
            places.append(Ranked(place, player, row["deals"], row["total"], float(row["mean"])))
    return places


def standings(
    space: Space, viewer: Viewer = EVERYBODY, season: int | None = None
) -> QuerySet[Seat, dict[str, Any]]:
    """Return the `player_scores` of a space, of one season or of all."""
    filters = Filters(space=space.pk)
    if season is not None:
        filters = Filters(space=space.pk, date_from=date(season, 1, 1), date_to=date(season, 12, 31))
    return player_scores(filters, viewer)
