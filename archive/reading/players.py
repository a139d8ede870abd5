"""Players and their names."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, Q, QuerySet

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.models import Member, Player, Seat, Space, person_seated
from archive.reading.clubs import membership
from archive.reading.paging import FIRST, KeyPage, Step, key_page
from tarock.core.persons import likeness


def find_players(search: str = "", viewer: Viewer = EVERYBODY) -> QuerySet[Player]:
    """Return the players with deals that the viewer may see, each with their space. `search`: words that a
    player's name must contain, in any spelling. A player with several names appears once."""
    seen = Q(public_deals__gt=0) | Q(whole_deals__gt=0, space__in=list(viewer.roles))
    query = Player.objects.filter(seen, same_as=None).select_related("space")
    if search:
        query = query.filter(pk__in=Player.objects.holding(search).with_aliases())
    return query


def player_page(
    search: str = "", language: str = "en", viewer: Viewer = EVERYBODY, step: Step = FIRST, size: int = 60
) -> KeyPage[Player]:
    """Return a page of `find_players`, sorted by name in the order of this language. At most two queries."""
    place = "sort_name_cs" if language == "cs" else "sort_name"
    players = find_players(search, viewer)

    def fetch(anchor: int | None, backwards: bool, limit: int) -> list[Player]:
        found = players.order_by(*((f"-{place}", "-pk") if backwards else (place, "pk")))
        at = Player.objects.filter(pk=anchor).values_list(place, flat=True).first() if anchor else None
        if at is not None:
            word = "lt" if backwards else "gt"
            beyond = Q(**{f"{place}__{word}": at}) | Q(**{place: at, f"pk__{word}": anchor})
            found = found.filter(beyond, **{f"{place}__{word}e": at})
        return list(found[:limit])

    return key_page(fetch, step, size)


def deal_counts(players: Iterable[Player], viewer: Viewer = EVERYBODY) -> dict[int, int]:
    """Return, by player id, the number of deals under any of the player's names that the viewer may see."""
    return {
        player.pk: player.whole_deals if player.space_id in viewer.roles else player.public_deals
        for player in players
    }


def is_player(name: str) -> bool:
    """Return whether there is a player with this name, in any spelling."""
    return Player.objects.named(name).exists()


def get_player(pk: int, viewer: Viewer = EVERYBODY) -> Player:
    """Return a player with their space. If the id belongs to an alias, return the main player.

    :raises Player.DoesNotExist: if there is no such player, or the viewer may see none of their deals.
    """
    player = Player.objects.select_related("space", "same_as__space").get(pk=pk).head
    known = viewer.operator or player.space_id in viewer.roles
    if not known:
        # This is fast even for a frequent player: one of the first seats is usually in a visible deal.
        seats = Seat.objects.filter(access.is_listed(viewer, "contribution__"), player__in=player.all_names())
        if not seats.order_by().exists():
            raise Player.DoesNotExist
    return player


def managed_player(pk: int, viewer: Viewer) -> tuple[Player, Member]:
    """Return a player (for an alias, the alias itself) and the viewer's membership in the player's space.

    :raises Player.DoesNotExist: if there is no such player, or the viewer is not a member of the space.
    """
    player = Player.objects.select_related("space", "same_as").get(pk=pk)
    member = membership(viewer, player.space)
    if member is None:
        raise Player.DoesNotExist
    return player, member


def persons_in(space: Space) -> QuerySet[Player]:
    """Return the players of a space who are in at least one deal, under any of their names."""
    seats = Seat.objects.order_by()
    own, others = (seats.filter(**{relation: OuterRef("pk")}) for relation in ("player", "player__same_as"))
    return space.players.filter(Exists(own) | Exists(others), same_as=None)


MOST_COMPARED = 5000
"""Maximum number of persons in a space, newest first, whose names are compared."""


def alike_in(space: Space, persons: Iterable[int]) -> list[list[Player]]:
    """Return groups of players in a space who may be the same person, because their names are similar
    (`core.persons.likeness`). Each group contains at least one of `persons`. At most two queries."""
    wanted = set(persons)
    latest = persons_in(space).order_by("-pk") if wanted else Player.objects.none()
    groups: dict[str, list[int]] = {}
    for pk, name in latest.values_list("pk", "name")[:MOST_COMPARED]:
        groups.setdefault(likeness(name), []).append(pk)
    found = [sorted(group) for group in groups.values() if len(group) > 1 and wanted.intersection(group)]
    players = Player.objects.in_bulk({pk for group in found for pk in group})
    return [[players[pk] for pk in group if pk in players] for group in sorted(found)]


def persons_at(deals: Iterable[int], space: int) -> set[int]:
    """Return the ids of the persons who played in these deals of a space. One query."""
    seats = Seat.objects.filter(contribution__deal__in=set(deals), contribution__space=space).order_by()
    return set(seats.filter(player__isnull=False).values_list(person_seated(), flat=True))


def names_in(space: Space) -> list[str]:
    """Return the names of a space's players as written, to suggest them for corrections."""
    return list(space.players.order_by("name").values_list("name", flat=True))
