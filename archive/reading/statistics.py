"""Tables of points: a session deal by deal; what one player made when, in which role, with whom, by what.

Each takes a fixed number of queries, and only what the viewer sees counts.
A player of several names is one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Case, CharField, Count, F, IntegerField, Q, QuerySet, Subquery, Sum, Value, When
from django.db.models.expressions import OuterRef

from archive import access, packed_sheets
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.database import sort_key
from archive.models import (
    BATCH,
    SCORED,
    Contribution,
    Deal,
    Player,
    Seat,
    Session,
    name_seated,
    person_seated,
)
from tarock.games import GAMES
from tarock.games import game as game_of
from tarock.notation import read_one
from tarock.verify import check

_PLAYED = F("number").asc(nulls_last=True), "deal_id"
"""The order in which the deals of a session were played: by number, then as they came in."""


# --- sessions -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One deal of a session. Players are told by their numbers.

    ``seats``: who sat where; ``sat_out``: those at the table who had no part in it; ``points``: what each
    made, if there is a score, and ``totals`` what each has after it in all deals of this game.
    """

    key: Key
    number: int | None
    date: str
    site: str
    verdict: str
    game: str
    contract: str
    dealer: str
    declarer: str
    partner: str
    seats: dict[str, int]
    sat_out: frozenset[int]
    points: dict[int, int]
    totals: dict[int, int]

    @property
    def is_scored(self) -> bool:
        """Whether it was played to the end by the rules."""
        return bool(self.points)


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place in one game of a session; equal totals share the place."""

    place: int
    player: Player
    deals: int
    total: int


@dataclass(frozen=True, slots=True)
class SessionTable:
    """A session as it stands on paper: a row a deal, a column a player, running totals, and the places in
    each game. Points of different games are not added up."""

    players: list[Player] = field(default_factory=list)
    rows: list[SessionRow] = field(default_factory=list)
    standings: dict[str, list[Standing]] = field(default_factory=dict)


def session_table(session: Session | int, language: str = "en", viewer: Viewer = EVERYBODY) -> SessionTable:
    """The deals of a session in the order played with running totals. Three queries.

    Deals without a score stand there and add nothing. Players with equal totals stand as a reader of the
    language sorts them.
    """
    pk = session.pk if isinstance(session, Session) else session
    contributions = access.in_session(pk, viewer)
    seated: dict[int, list[tuple[str, int, int | None]]] = {}
    for one, *seat in _persons_at(Seat.objects.filter(contribution__in=contributions)).values_list(
        "contribution_id", "seat", "person", "points"
    ):
        seated.setdefault(one, []).append((seat[0], seat[1], seat[2]))
    in_all: dict[str, dict[int, int]] = {}
    played: dict[str, dict[int, int]] = {}
    rows = []
    for one in contributions.with_is_alone().select_related("deal").only(*_ROW).order_by(*_PLAYED):
        deal, seats = one.deal, seated.get(one.pk, [])
        points: dict[int, int] = {}
        for _seat, person, number in seats:
            if number is not None:
                points[person] = points.get(person, 0) + number
        totals, deals = in_all.setdefault(deal.game, {}), played.setdefault(deal.game, {})
        for person, number in points.items():
            totals[person] = totals.get(person, 0) + number
            deals[person] = deals.get(person, 0) + 1
        active = deal.active
        rows.append(
            SessionRow(
                key=Key(deal.pk, None if one.is_alone else one.pk),
                number=one.number,
                date=one.date,
                site=one.site,
                verdict=one.verdict,
                game=deal.game,
                contract=deal.contract,
                dealer=deal.dealer,
                declarer=deal.declarer,
                partner=deal.partner,
                seats={seat: person for seat, person, _points in seats},
                sat_out=frozenset(person for seat, person, _points in seats if seat not in active),
                points=points,
                totals=dict(totals),
            )
        )
    players = Player.objects.in_bulk({person for row in rows for person in row.seats.values()})
    order = dict.fromkeys(person for row in rows for person in row.seats.values())
    places = {
        game: _places(players, totals, played[game], language) for game, totals in in_all.items() if totals
    }
    return SessionTable([players[person] for person in order], rows, places)


_ROW = (
    "number", "date", "site", "verdict", "deal__game", "deal__contract", "deal__dealer", "deal__declarer",
    "deal__partner", "deal__players_count",
)  # fmt: skip


def _persons_at(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Seats in their order with ``person``: the player for whom they count."""
    return seats.annotate(person=person_seated()).order_by("contribution", "seat")


def _places(
    players: dict[int, Player], totals: dict[int, int], played: dict[int, int], language: str
) -> list[Standing]:
    ranked = sorted(totals, key=lambda pk: (-totals[pk], sort_key(players[pk].display_name, language)))
    by_total: dict[int, int] = {}
    for number, player_id in enumerate(ranked, start=1):
        by_total.setdefault(totals[player_id], number)
    return [Standing(by_total[totals[pk]], players[pk], played[pk], totals[pk]) for pk in ranked]


def totals_after(deal: Deal, viewer: Viewer = EVERYBODY) -> dict[str, int]:
    """What the player of each seat has after this deal in all deals of this game in its session, by seat;
    empty without a session or a score, or if the deal is not in the table that the viewer sees. One query."""
    session = deal.representative.session_id
    if session is None or deal.verdict != "verified":
        return {}
    found: dict[int, int] = {}
    contributions = access.in_session(session, viewer).filter(deal__game=deal.game)
    seats = _persons_at(Seat.objects.filter(contribution__in=contributions))
    reached = False
    played = seats.order_by(F("contribution__number").asc(nulls_last=True), "contribution__deal_id")
    for pk, person, points in played.values_list("contribution__deal_id", "person", "points"):
        if reached and pk != deal.pk:
            break
        reached = reached or pk == deal.pk
        found[person] = found.get(person, 0) + (points or 0)
    return {seat.seat: found.get(seat.player.head.pk, 0) for seat in deal.seats} if reached else {}


def card_points(deals: Iterable[int]) -> dict[int, dict[str, int]]:
    """The card points of deals by side or seat, as the engine counted them; without those that were not
    counted. Two queries at most.

    They stand in the score sheet, in what the game itself was reckoned from. Where no line was, as in a null
    of Grosstarock, the engine counts again.
    """
    found: dict[int, dict[str, int]] = {}
    again = []
    scored = Deal.objects.filter(pk__in=list(deals), verdict="verified").order_by()
    for pk, clauses, sheet in scored.values_list("pk", "clauses", "sheet"):
        reckoned = (line.quantity.get("card_points") for line in packed_sheets.lines(clauses, sheet))
        if counted := next(filter(None, reckoned), None):
            found[pk] = counted
        else:
            again.append(pk)
    for pk, text in Deal.objects.filter(pk__in=again).values_list("pk", "text") if again else ():
        if counted := check(read_one(text)).facts.get("card_points"):
            found[pk] = counted
    return found


def deals_in_session(session: Session, viewer: Viewer = EVERYBODY) -> Iterator[Deal]:
    """The deals of a session in the order played, with all that their records say; fetched by and by."""
    contributions = access.in_session(session.pk, viewer).order_by(*_PLAYED)
    numbers = list(contributions.values_list("pk", flat=True))
    for at in range(0, len(numbers), BATCH):
        batch = Contribution.objects.filter(pk__in=numbers[at : at + BATCH]).select_related("deal")
        for one in batch.order_by(*_PLAYED).fetch_all():
            yield one.represented_deal


def has_unlisted(session: Session, viewer: Viewer) -> bool:
    """Whether the viewer sees a deal of the session that others see by a link alone. One query."""
    return access.in_session(session.pk, viewer).filter(visibility="unlisted").exists()


# --- one player ---------------------------------------------------------------------------------------------


def _scored(player: Player, viewer: Viewer) -> QuerySet[Seat]:
    """The player's seats in deals that have a score."""
    return Seat.objects.filter(
        access.is_listed(viewer, "contribution__"),
        player__in=_names_of(player),
        contribution__verdict__in=SCORED,
        points__isnull=False,
    ).order_by()


def _names_of(player: Player) -> QuerySet[Player]:
    return Player.objects.filter(Q(pk=player.pk) | Q(same_as=player.pk))


_DEAL = "contribution__deal__"
_DECLARER = Q(seat=F(_DEAL + "declarer"))
_PARTNER = Q(seat=F(_DEAL + "partner"))
_ALONE = Q(**{_DEAL + "declarer__isnull": True})


def _word(*cases: When, default: str) -> Case:
    return Case(*cases, default=Value(default), output_field=CharField())


def by_game(player: Player, viewer: Viewer = EVERYBODY) -> QuerySet[Seat, dict[str, Any]]:
    """What a player made in each game: rows ``game``, ``deals``, ``total``. One query."""
    return (
        _scored(player, viewer)
        .values(game=F(_DEAL + "game"))
        .annotate(deals=Count("contribution", distinct=True), total=Sum("points"))
        .order_by("game")
    )


@dataclass(frozen=True, slots=True)
class InRole:
    """What a player made in one game in one role: ``declarer``, ``partner``, ``opponent``, or ``alone`` where
    there was no declarer. ``won``: deals in which he made more than nothing."""

    game: str
    role: str
    deals: int
    won: int
    points: int

    @property
    def share(self) -> int:
        """Deals won, of a hundred."""
        return round(100 * self.won / self.deals)


_ROLES = ("declarer", "partner", "opponent", "alone")
_RELATIONS = ("partners", "opponents", "alone")
_GAMES = tuple(GAMES)
"""Rows stand in the order of these."""


def roles(player: Player, viewer: Viewer = EVERYBODY) -> list[InRole]:
    """What a player made in each game in each role. One query."""
    role = _word(
        When(_ALONE, then=Value("alone")),
        When(_DECLARER, then=Value("declarer")),
        When(_PARTNER, then=Value("partner")),
        default="opponent",
    )
    rows = (
        _scored(player, viewer)
        .values(game=F(_DEAL + "game"), role=role)
        .annotate(
            deals=Count("contribution"),
            won=Count("contribution", filter=Q(points__gt=0)),
            total=Sum("points"),
        )
    )
    found = [InRole(row["game"], row["role"], row["deals"], row["won"], row["total"]) for row in rows]
    return sorted(found, key=lambda row: (_GAMES.index(row.game), _ROLES.index(row.role)))


@dataclass(frozen=True, slots=True)
class OnDay:
    """What a player made in one game on one day; ``day`` is as the records have it (``2026-11-??``), and
    empty for deals without a year."""

    game: str
    day: str
    deals: int
    points: int


def by_day(player: Player, viewer: Viewer = EVERYBODY) -> list[OnDay]:
    """What a player made in each game from day to day. One query."""
    rows = (
        _scored(player, viewer)
        .values(game=F(_DEAL + "game"), first=F("contribution__played_on"), day=F("contribution__date"))
        .annotate(deals=Count("contribution", distinct=True), total=Sum("points"))
        .order_by(F("first").asc(nulls_last=True), "day", "game")
    )
    return [
        OnDay(row["game"], row["day"] if row["first"] else "", row["deals"], row["total"]) for row in rows
    ]


@dataclass(slots=True)
class Bonus:
    """What a clause beside the game itself brought a player, and what it cost him."""

    game: str
    clause: str
    gains: int = 0
    gained: int = 0
    losses: int = 0
    lost: int = 0


MOST_SHEETS = 1000
"""So many of the latest score sheets of a player are read for his bonuses."""


def bonuses(player: Player, viewer: Viewer = EVERYBODY) -> list[Bonus]:
    """What a player gained and lost by bonuses and announcements in his last `MOST_SHEETS` scored deals, by
    the lines of their score sheets that do not settle the game itself. One query."""
    found: dict[str, Bonus] = {}
    latest = _scored(player, viewer).order_by("-contribution")[:MOST_SHEETS]
    for seat, game, clauses, sheet in latest.values_list(
        "seat", *(_DEAL + name for name in ("game", "clauses", "sheet"))
    ):
        for line in packed_sheets.lines(clauses, sheet):
            points = line.points.get(seat)
            if not points or line.clause in game_of(game).main:
                continue
            bonus = found.setdefault(line.clause, Bonus(game, line.clause))
            if points > 0:
                bonus.gains, bonus.gained = bonus.gains + 1, bonus.gained + points
            else:
                bonus.losses, bonus.lost = bonus.losses + 1, bonus.lost + points
    return sorted(found.values(), key=lambda bonus: (_GAMES.index(bonus.game), bonus.clause))


@dataclass(frozen=True, slots=True)
class Extreme:
    """A deal in which a player made much, or lost much."""

    deal: Deal
    points: int


def extremes(
    player: Player, viewer: Viewer = EVERYBODY, number: int = 5
) -> tuple[list[Extreme], list[Extreme]]:
    """The deals in which a player made most, and those in which he lost most. Four queries."""
    seats = _scored(player, viewer)
    best = list(
        seats.filter(points__gt=0).order_by("-points", "-contribution")[:number].values_list(*_EXTREME)
    )
    worst = list(
        seats.filter(points__lt=0).order_by("points", "-contribution")[:number].values_list(*_EXTREME)
    )
    contributions = (
        Contribution.objects.prefetched().select_related("deal").defer("deal__text", "deal__sheet")
    )
    found = contributions.in_bulk({pk for pk, _points in best + worst})
    return (
        [Extreme(found[pk].represented_deal, points) for pk, points in best],
        [Extreme(found[pk].represented_deal, points) for pk, points in worst],
    )


_EXTREME = "contribution_id", "points"


# --- two players --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Companion:
    """Somebody who sat at a table with a player, and in how many deals."""

    person: int
    name: str
    deals: int


MOST_COMPANIONS = 100


def companions(player: Player, viewer: Viewer = EVERYBODY) -> list[Companion]:
    """Those who sat at a table with a player, the most frequent first. One query."""
    names = _names_of(player)
    together = access.listed(viewer).filter(seats__player__in=names)
    rows = (
        Seat.objects.filter(contribution__in=together)
        .exclude(player__in=names)
        .values(person=person_seated(), name=name_seated())
        .annotate(deals=Count("contribution", distinct=True))
        .order_by("-deals", "name", "person")[:MOST_COMPANIONS]
    )
    return [Companion(row["person"], row["name"], row["deals"]) for row in rows]


@dataclass(frozen=True, slots=True)
class Together:
    """Deals that two players played at one table: as ``partners``, as ``opponents``, or ``alone`` where there
    was no declarer; the points of the one and of the other."""

    game: str
    relation: str
    deals: int
    points: int
    others: int


def head_to_head(player: Player, other: Player, viewer: Viewer = EVERYBODY) -> list[Together]:
    """What two players made in the deals that both played. One query."""
    his = Seat.objects.filter(contribution=OuterRef("contribution"), player__in=_names_of(other))
    declarers = Case(When(_DECLARER | _PARTNER, then=1), default=0, output_field=IntegerField())
    of_other = Subquery(his.annotate(side=declarers).order_by("seat").values("side")[:1])
    relation = _word(
        When(_ALONE, then=Value("alone")),
        When(side=F("other_side"), then=Value("partners")),
        default="opponents",
    )
    rows = (
        _scored(player, viewer)
        .annotate(side=declarers, other_side=of_other)
        .annotate(other_points=Subquery(his.order_by("seat").values("points")[:1]))
        .filter(other_side__isnull=False)
        .values(game=F(_DEAL + "game"), relation=relation)
        .annotate(deals=Count("contribution"), total=Sum("points"), others=Sum("other_points"))
    )
    found = [
        Together(row["game"], row["relation"], row["deals"], row["total"], row["others"]) for row in rows
    ]
    return sorted(found, key=lambda row: (_GAMES.index(row.game), _RELATIONS.index(row.relation)))
