"""Score sheets and results, which are deals without cards: find those that describe the same deal, and cover
those whose deal was also recorded in a better way.

Two sheets with the same session, game and number describe the same deal if they have a player in common;
otherwise they are from different tables. The same holds for two results. Two totals of an evening are the
same if they have the same session and players.

A played deal with a score covers the sheet with the same session, game, number and players. Both describe the
same deal, so the sheet doesn't count; it is only compared with the cards. A played deal or a sheet with a
score covers the result with the same session, game and number if they have a player in common, because a
result often leaves out who sat out.

The total of an evening is covered as soon as the deals of the evening add up to it for each of its players,
or if its owner says that the deals count instead. Until then it counts instead of these players' deals
(`archive.storing.sums.EveningTotals`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import Min, QuerySet, Sum

from archive import database
from archive.fields import GameField
from archive.models import (
    CHOSEN,
    SCORED,
    Change,
    Contribution,
    ContributionQuerySet,
    Deal,
    Part,
    Seat,
    evening_visibilities,
    of_unit,
    person_seated,
)
from archive.storing import feed
from archive.storing.names import find_sessions, known_players, person_of
from tarock.core.game import UNKNOWN_GAME

Persons = frozenset[int | str]
"""The players of a deal: ids of known persons, names of new ones, and “” for unknown players."""


class Place(NamedTuple):
    """The place of a deal in its space: the id of the session, the game, and the number of the deal. All
    totals of an evening have the game `?` and the number 0."""

    session: int
    game: str
    number: int

    @property
    def key(self) -> int:
        """The place as a single number, for `Deal.place`."""
        # The number of the deal gets 30 bits, because it has at most nine digits. The game gets 3 bits.
        return (self.session << 33) + (_GAMES[self.game] << 30) + self.number


_GAMES = GameField().numbers


def place(session: int | None, game: str, number: int | None) -> Place | None:
    """Return the place of a deal; for a deal without a number that of the totals of its session, and None for
    a deal without a session."""
    if session is None:
        return None
    return Place(session, UNKNOWN_GAME, 0) if number is None else Place(session, game, number)


@dataclass(frozen=True, slots=True)
class Entry:
    """A contribution at a place: the deal's digest, kind and rule set (its id), the contribution's id, the
    players, and their points."""

    digest: bytes
    kind: str
    rules: int | None
    contribution: int
    persons: Persons
    points: Mapping[int | str, int | None]


def digest(part: Part, n: int) -> bytes:
    """Return the digest of a new sheet or result, which is the `n`-th record of a part. The digest doesn't
    depend on the content, because two deals of an evening may have identical sheets, and two clubs may have
    sessions with the same name."""
    return hashlib.sha256(f"sheet {part.pk} {n}".encode()).digest()


def same_table(one: Persons, other: Persons) -> bool:
    """Return whether two sheets are from the same table: they have a player in common, or all players of both
    are unknown."""
    return bool((one & other) - {""}) or one == other == {""}


def same_deal(number: int | None, one: Persons, other: Persons) -> bool:
    """Return whether two sheets or two results describe the same deal, if both have this number in the same
    session. Without a number, they are totals, and must have the same players."""
    return one == other if number is None else same_table(one, other)


def places_of(contributions: Iterable[int] | QuerySet[Contribution]) -> set[Place]:
    """Return the places of these contributions. Skip contributions without a place."""
    rows = Contribution.objects.filter(pk__in=contributions, session__isnull=False).order_by()
    return {at for row in rows.values_list(*_PLACED) if (at := place(*row))}


_PLACED = ("session_id", "deal__game", "number")
"""The arguments of `place`, as columns of a contribution."""


def set_places(contributions: Iterable[int]) -> None:
    """Update the places of the sheets and results among these contributions after a change of session or
    number."""
    rows = Contribution.objects.filter(pk__in=contributions).exclude(deal__kind="played").order_by()
    columns = rows.values_list("deal_id", *_PLACED)
    placed = [(deal, at) for deal, *row in columns if (at := place(*row))]
    database.update(Deal, [{"id": deal, "place": at.key} for deal, at in placed])


def at(places: Collection[Place]) -> dict[Place, list[Entry]]:
    """Return the sheets and results at these places, oldest first, of any visibility. Three queries, and at
    most two more for each of them with seats that count for no player."""
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
    return _entries([(*row, by_key[keys[deal]]) for *row, deal in columns])


_COLUMNS = ("pk", "space_id", "deal__digest", "deal__kind", "deal__rules_id")


def _entries(rows: Sequence[tuple[Any, ...]]) -> dict[Place, list[Entry]]:
    """Return the entries for these rows (contribution id, space id, digest, kind, rules, place) by place, in
    row order."""
    found: dict[Place, list[Entry]] = {}
    seats: dict[int, list[tuple[int | None, str, int | None]]] = {pk: [] for pk, *_ in rows}
    at_table = Seat.objects.filter(contribution__in=list(seats)).order_by("contribution", "seat")
    for pk, *seat in at_table.values_list("contribution_id", person_seated(), "name", "points"):
        seats[pk].append(tuple(seat))
    for pk, space, of_deal, kind, rules, at in rows:
        # If two seats share a player's name, neither seat has a player: find the person by the name.
        names = {name for person, name, _ in seats[pk] if person is None and name}
        known = known_players(space, names) if names else {}
        persons = [(person or person_of(name, known), points) for person, name, points in seats[pk]]
        entry = Entry(bytes(of_deal), kind, rules, pk, frozenset(one for one, _ in persons), dict(persons))
        found.setdefault(at, []).append(entry)
    return found


def same_in(space: int, moved: Contribution) -> int | None:
    """Return the id of a space's contribution with a sheet or a result of the same deal as `moved`, or
    None."""
    assert moved.session is not None
    key = moved.session.name, moved.session.date
    kind = moved.deal.kind
    there = place(find_sessions(space, {key}).get(key), moved.deal.game, moved.number)
    return there and same_at(space, there, kind, [seat.written for seat in moved.seated])


def same_at(
    space: int, there: Place, kind: str, players: Sequence[str], but: int | None = None
) -> int | None:
    """Return the id of the contribution of this kind (sheet or result) that is at this place and describes
    the same deal as one with these players; None if there is none. `players`: names as written; `but`: id of
    a contribution to ignore."""
    known = known_players(space, players)
    persons = frozenset(person_of(name, known) for name in players)
    found = (
        one.contribution
        for one in at([there]).get(there, ())
        if one.kind == kind and same_deal(there.number or None, one.persons, persons)
    )
    return next((one for one in found if one != but), None)


def cover(places: Iterable[Place]) -> dict[int, str]:
    """Cover each sheet at these places if a played deal that counts there has a score and the same players,
    and each result if such a deal or a sheet that counts has a score and one of its players. Cover the totals
    of these sessions if the deals count instead. Uncover the others. Call with the insert lock held, after
    every change to the deals that count at these places. Return, by contribution id, the difference between
    the two: `sheet` if both describe the same deal with different points, `players` if they are two deals
    with a player in common."""
    places = set(places)
    found = at(places | {Place(one.session, UNKNOWN_GAME, 0) for one in places})
    if not found:
        return {}
    cards = _cards_at(found.keys())
    countable = Contribution.objects.filter(visibility__in=(*CHOSEN, "covered")).select_related("space")
    rows = countable.in_bulk([entry.contribution for entries in found.values() for entry in entries])
    differ: dict[int, str] = {}
    for where, entries in found.items():
        there = cards.get(where, [])
        entries = [entry for entry in entries if entry.contribution in rows]
        counted = list(there)
        for sheet in (entry for entry in entries if entry.kind == "sheet"):
            same = next((one for one in there if one.persons == sheet.persons != {""}), None)
            _cover(rows[sheet.contribution], same.contribution if same else None)
            if same is not None:
                is_same = (same.points, same.rules) == (sheet.points, sheet.rules)
                others, word = [] if is_same else [same], "sheet"
            else:
                others, word = [one for one in there if same_table(one.persons, sheet.persons)], "players"
            differ |= {entry.contribution: word for other in others for entry in (other, sheet)}
            row = rows[sheet.contribution]
            if row.visibility in CHOSEN and row.verdict in SCORED:
                counted.append(sheet)
        for result in (entry for entry in entries if entry.kind == "result" and where.number):
            better = next((one for one in counted if same_table(one.persons, result.persons)), None)
            _cover(rows[result.contribution], better.contribution if better else None)
            if better is not None and (_amounts(better), better.rules) != (_amounts(result), result.rules):
                differ |= {entry.contribution: "sheet" for entry in (better, result)}
    for where, entries in found.items():
        for total in entries if not where.number else ():
            if total.contribution in rows:
                _cover_total(rows[total.contribution], total)
    return differ


def _cover_total(row: Contribution, total: Entry) -> None:
    """Cover the total of an evening with the first deal of the evening if the deals count instead."""
    deals = Seat.objects.filter(
        ~ContributionQuerySet.is_evening_total("contribution__"),
        contribution__session=row.session_id,
        contribution__visibility__in=CHOSEN,
        contribution__verdict__in=(*SCORED, "stated"),
        points__isnull=False,
        player__isnull=False,
    )
    if row.deal.game != UNKNOWN_GAME:
        deals = deals.filter(
            contribution__deal__game=row.deal.game, contribution__deal__rules=row.deal.rules_id
        )
    else:
        deals = deals.filter(of_unit(row.deal.rule_set.unit, "contribution__deal__rules"))
    rows = deals.order_by().values(person=person_seated())
    sums, first = {}, []
    for person, points, contribution in rows.annotate(
        sum=Sum("points"), first=Min("contribution")
    ).values_list("person", "sum", "first"):
        if person in total.points:  # not at another table
            sums[person] = points
            first.append(contribution)
    same = all(sums.get(person, 0) == (points or 0) for person, points in total.points.items())
    _cover(row, min(first) if first and (same or row.deals_count) else None)


def _amounts(entry: Entry) -> dict[int | str, int]:
    """Return the points of the players who gained or lost some."""
    return {person: points for person, points in entry.points.items() if points}


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
    return _entries([(*row[:5], Place(*row[5:])) for row in columns])


def _cover(sheet: Contribution, cards: int | None) -> None:
    """Cover a sheet or a result with the deal of the contribution `cards`, or uncover it if `cards` is
    None."""
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
