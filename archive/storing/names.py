"""Find or create the players and sessions of a space by the names in records.

This module decides whether two players or sessions are the same: players by name (`core.persons.folded`),
pseudonym or merge, sessions by name and date. Hold the insert lock when calling functions that may create
rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Count, Q

from archive import database
from archive.fields import searchable
from archive.models import Player, Seat, Session, person_seated
from tarock.core.persons import is_nobody

SessionKey = tuple[str, str]
"""Name and date of a session. The name is empty for deals without a session."""


class Known(NamedTuple):
    """A player found by name: the player's id, the person's id (`Player.head`), and the display name."""

    player: int
    person: int
    display_name: str


def known_players(space: int, names: Iterable[str]) -> dict[str, Known]:
    """Return the players of a space with these names, by name. Also find players by their pseudonym, because
    exported records contain pseudonyms. At most two queries."""
    wanted = set(names)
    columns = ("id", "same_as", "name", "pseudonym", "same_as__name", "same_as__pseudonym")
    players = Player.objects.filter(space=space).order_by()
    known = {row[2]: _known(*row) for row in players.filter(name__in=wanted).values_list(*columns)}
    if missing := wanted - known.keys():
        # The pseudonym has no index, so search by `search_name`, which is computed from it.
        hidden = players.filter(search_name__in={searchable(name) for name in missing}, same_as=None)
        rows = hidden.filter(pseudonym__in=missing).values_list(*columns)
        known |= {row[3]: _known(*row) for row in rows}
    return known


def _known(pk: int, head: int | None, name: str, pseudonym: str, head_name: str, hidden: str) -> Known:
    return Known(pk, head or pk, (hidden or head_name) if head else (pseudonym or name))


class SeatOf(NamedTuple):
    """The player for whom a seat counts: the player's id, or None together with the name to display."""

    player: int | None
    name: str


def seat(space: int, tables: Sequence[Mapping[str, str]]) -> list[dict[str, SeatOf]]:
    """Return, for each table, the player for whom each seat counts. Create missing players. `tables`: names
    by seat. A seat counts for no player if its name means an unknown player, or if another seat at the table
    has the same player, because it is unknown which of the two seats was really theirs."""
    names = {name for table in tables for name in table.values()}
    known = known_players(space, names)
    persons = {name: person_of(name, known) for name in names}
    open_names = [_open_names(table, persons) for table in tables]
    missing = {
        name
        for table, open_here in zip(tables, open_names, strict=True)
        for name in table.values()
        if name not in known and name not in open_here
    }
    made = Player.objects.bulk_create([Player(space_id=space, name=name) for name in sorted(missing)])
    known |= {player.name: Known(player.pk, player.pk, player.name) for player in made}
    return [
        {
            seat: SeatOf(None, known[name].display_name if persons[name] and name in known else name)
            if name in open_here
            else SeatOf(known[name].player, "")
            for seat, name in table.items()
        }
        for table, open_here in zip(tables, open_names, strict=True)
    ]


def free_shared_seats(contributions: Collection[int]) -> None:
    """Detach a person from their seats if they have several in one contribution, as after merging spaces."""
    seats = Seat.objects.filter(contribution__in=contributions, player__isnull=False).order_by()
    persons = seats.values("contribution", person=person_seated()).annotate(seats=Count("seat"))
    for row in persons.filter(seats__gt=1):
        own = seats.filter(contribution=row["contribution"]).select_related("player__same_as")
        for seat in own.filter(Q(player=row["person"]) | Q(player__same_as=row["person"])):
            seat.player, seat.name = None, seat.display_name
            seat.save()


def person_of(name: str, known: Mapping[str, Known]) -> int | str:
    """Return the identity of the person with a name: the person's id, or the name itself if no person has it,
    or “” if the name means an unknown player."""
    if is_nobody(name):
        return ""
    return known[name].person if name in known else name


def _open_names(table: Mapping[str, str], persons: Mapping[str, int | str]) -> set[str]:
    """Return names whose seats count for no player: unknown players, and persons with several seats."""
    seats = Counter(persons[name] for name in table.values())
    return {name for name in table.values() if not persons[name] or seats[persons[name]] > 1}


def find_sessions(space: int, keys: Iterable[SessionKey]) -> dict[SessionKey, int]:
    """Return the ids of a space's sessions with these names and dates, by key. One query."""
    wanted = {key for key in keys if key[0]}
    if not wanted:
        return {}
    rows = Session.objects.filter(space=space, name__in={name for name, _ in wanted}).order_by()
    found = {(name, date): pk for name, date, pk in rows.values_list("name", "date", "id")}
    return {key: pk for key, pk in found.items() if key in wanted}


def make_sessions(space: int, keys: Iterable[SessionKey]) -> dict[SessionKey, int]:
    """Find sessions as `find_sessions` does, and create missing ones in order of name and date."""
    wanted = {key for key in keys if key[0]}
    found = find_sessions(space, wanted)
    missing = sorted(wanted - found.keys())
    rows = [
        {"space": space, "name": name, "date": date, "search_name": searchable(name)}
        for name, date in missing
    ]
    database.insert(Session, rows)
    return found | find_sessions(space, missing)
