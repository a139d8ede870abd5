"""Score sheets without cards: find sheets that describe the same deal, and cover sheets whose deal was also
recorded with its cards.

Two sheets with the same session, game and number describe the same deal if they have a player in common;
otherwise they are from different tables. A played deal with a score covers the sheet with the same session,
game, number and players. Both describe the same deal, so the sheet doesn't count; it is only compared with
the cards.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import QuerySet

from archive import database
from archive.models import (
    CHOSEN,
    SCORED,
    Change,
    Contribution,
    Deal,
    Part,
    Seat,
    evening_visibilities,
    person_seated,
)
from archive.storing import feed
from archive.storing.names import find_sessions, known_players, person_of
from tarock.games import GAMES

Persons = frozenset[int | str]
"""The players of a deal: ids of known persons, names of new ones, and “” for unknown players."""


class Place(NamedTuple):
    """The place of a deal in its space: the id of the session, the game, and the number of the deal."""

    session: int
    game: str
    number: int

    @property
    def key(self) -> int:
        """The place as a single number, for `Deal.place`."""
        # The number of the deal gets 30 bits, because it has at most nine digits. The game gets 3 bits.
        return (self.session << 33) + (list(GAMES).index(self.game) << 30) + self.number


@dataclass(frozen=True, slots=True)
class Entry:
    """A contribution at a place: the deal's digest, the contribution's id, the players, and their points."""

    digest: bytes
    contribution: int
    persons: Persons
    points: Mapping[int | str, int | None]


def digest(part: Part, n: int) -> bytes:
    """Return the digest of a new sheet, which is the `n`-th record of a part. The digest doesn't depend on
    the content of the sheet, because two deals of an evening may have identical sheets."""
    return hashlib.sha256(f"sheet {part.pk} {n}".encode()).digest()


def same_table(one: Persons, other: Persons) -> bool:
    """Return whether two sheets are from the same table: they have a player in common, or all players of both
    are unknown."""
    return bool((one & other) - {""}) or one == other == {""}


def places_of(contributions: Iterable[int] | QuerySet[Contribution]) -> set[Place]:
    """Return the places of these contributions. Skip contributions without a place."""
    rows = Contribution.objects.filter(pk__in=contributions, session__isnull=False, number__isnull=False)
    return {Place(*row) for row in rows.order_by().values_list("session_id", "deal__game", "number")}


def set_places(contributions: Iterable[int]) -> None:
    """Update the places of the sheets among these contributions after a change of session or number."""
    rows = Contribution.objects.filter(pk__in=contributions, deal__kind="sheet").order_by()
    columns = rows.values_list("deal_id", "session_id", "deal__game", "number")
    database.update(Deal, [{"id": deal, "place": Place(*place).key} for deal, *place in columns])


def at(places: Collection[Place]) -> dict[Place, list[Entry]]:
    """Return the sheets at these places, oldest first, of any visibility. Three queries, and at most two more
    for each sheet with seats that count for no player."""
    if not places:
        return {}
    by_key = {place.key: place for place in places}
    # Find the deals by index first: the plan for a joined query would read all contributions.
    deals = Deal.objects.filter(place__any_of=list(by_key)).order_by()
    keys = dict(deals.values_list("pk", "place"))
    if not keys:
        return {}
    sheets = Contribution.objects.filter(deal__in=list(keys)).order_by("pk")
    columns = sheets.values_list(*_COLUMNS, "deal_id")
    return _entries([(pk, space, of, by_key[keys[deal]]) for pk, space, of, deal in columns])


_COLUMNS = ("pk", "space_id", "deal__digest")


def _entries(rows: Sequence[tuple[int, int, bytes, Place]]) -> dict[Place, list[Entry]]:
    """Return the entries for these rows (contribution id, space id, digest, place) by place, in row order."""
    found: dict[Place, list[Entry]] = {}
    seats: dict[int, list[tuple[int | None, str, int | None]]] = {pk: [] for pk, *_ in rows}
    at_table = Seat.objects.filter(contribution__in=list(seats)).order_by("contribution", "seat")
    for pk, *seat in at_table.values_list("contribution_id", person_seated(), "name", "points"):
        seats[pk].append(tuple(seat))
    for pk, space, of_deal, place in rows:
        # If two seats share a player's name, neither seat has a player: find the person by the name.
        names = {name for person, name, _ in seats[pk] if person is None and name}
        known = known_players(space, names) if names else {}
        persons = [(person or person_of(name, known), points) for person, name, points in seats[pk]]
        entry = Entry(bytes(of_deal), pk, frozenset(one for one, _ in persons), dict(persons))
        found.setdefault(place, []).append(entry)
    return found


def same_in(space: int, moved: Contribution) -> int | None:
    """Return the id of a space's contribution with a sheet of the same deal as `moved`, or None."""
    assert moved.session is not None
    assert moved.number is not None
    key = moved.session.name, moved.session.date
    session = find_sessions(space, {key}).get(key)
    if session is None:
        return None
    place = Place(session, moved.deal.game, moved.number)
    return same_at(space, place, [seat.written for seat in moved.seated])


def same_at(space: int, place: Place, players: Sequence[str], but: int | None = None) -> int | None:
    """Return the id of the contribution whose sheet is at this place and from the same table as these
    players; None if there is none. `players`: names as written; `but`: id of a contribution to ignore."""
    known = known_players(space, players)
    persons = frozenset(person_of(name, known) for name in players)
    found = (one.contribution for one in at([place]).get(place, ()) if same_table(one.persons, persons))
    return next((one for one in found if one != but), None)


def cover(places: Iterable[Place]) -> dict[int, str]:
    """Cover each sheet at these places if a played deal that counts there has a score and the same players.
    Uncover the other sheets. Call with the insert lock held, after every change to the deals that count at
    these places. Return, by contribution id, the difference between sheet and cards: `sheet` if both describe
    the same deal with different scores, `players` if they are two deals with a player in common."""
    sheets = at(set(places))
    if not sheets:
        return {}
    cards = _cards_at(sheets.keys())
    of_sheets = Contribution.objects.filter(visibility__in=(*CHOSEN, "covered")).select_related("space")
    rows = of_sheets.in_bulk([entry.contribution for entries in sheets.values() for entry in entries])
    differ: dict[int, str] = {}
    for place, entries in sheets.items():
        for sheet in entries:
            if sheet.contribution not in rows:
                continue
            there = cards.get(place, [])
            same = next((one for one in there if one.persons == sheet.persons != {""}), None)
            _cover(rows[sheet.contribution], same.contribution if same else None)
            if same is not None:
                others, word = [same] if same.points != sheet.points else [], "sheet"
            else:
                others, word = [one for one in there if same_table(one.persons, sheet.persons)], "players"
            differ |= {entry.contribution: word for other in others for entry in (other, sheet)}
    return differ


def _cards_at(places: Iterable[Place]) -> dict[Place, list[Entry]]:
    """Return the played deals with a score that count at these places, oldest first."""
    rows = Contribution.objects.filter(
        session__in={place.session for place in places},
        number__in={place.number for place in places},
        visibility__in=CHOSEN,
        verdict__in=SCORED,
        deal__kind="played",
    ).order_by("pk")
    columns = rows.values_list(*_COLUMNS, "session_id", "deal__game", "number")
    return _entries([(pk, space, of, Place(*at)) for pk, space, of, *at in columns])


def _cover(sheet: Contribution, cards: int | None) -> None:
    """Cover a sheet with the played deal of the contribution `cards`, or uncover it if `cards` is None."""
    if cards is not None and (sheet.visibility != "covered" or sheet.replaced_by_id != cards):
        _set(sheet, "covered", cards)
    elif cards is None and sheet.visibility == "covered":
        _set(sheet, _before(sheet), None)


def _set(sheet: Contribution, visibility: str, cards: int | None) -> None:
    before, sheet.visibility, sheet.replaced_by_id = sheet.visibility, visibility, cards
    if before != "covered":
        sheet.covered_visibility = before
    sheet.was_public = sheet.was_public or visibility == "public"
    sheet.save(update_fields=["visibility", "covered_visibility", "replaced_by", "was_public"])
    if before != visibility:
        feed.note([sheet.pk], "shown")
        Change.objects.create(contribution=sheet, what={"visibility": (before, visibility)})


def _before(sheet: Contribution) -> str:
    """Return the visibility that a sheet gets when it is uncovered: that of its evening or, without one, the
    most restrictive of its former visibility, its space's visibility, and that of the covering deal."""
    if own := evening_visibilities([sheet.session_id] if sheet.session_id else ()):
        return own[sheet.session_id]
    cards = sheet.replaced_by.visibility if sheet.replaced_by else ""
    words = (sheet.covered_visibility, sheet.space.visibility, cards)
    return max((word for word in words if word in CHOSEN), key=CHOSEN.index)
