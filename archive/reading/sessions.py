"""Sessions and their tables, which list the deals with running totals. Each table makes a fixed number of
queries and counts only what the viewer may see."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date

from django.db.models import Exists, F, Min, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from archive import access, packed_sheets
from archive.access import EVERYBODY, Viewer
from archive.addresses import Key
from archive.fields import sort_key
from archive.models import (
    BATCH,
    DEAL_SCORED,
    SCORED,
    UNDATED,
    Contribution,
    ContributionQuerySet,
    Deal,
    Evening,
    Player,
    RuleSet,
    Seat,
    Session,
    person_seated,
)
from archive.reading.paging import FIRST, KeyPage, Step, key_page
from archive.rules import Rules
from archive.shown import ShownDeal, shown
from tarock.analysis.verify import check
from tarock.core.game import UNKNOWN_GAME
from tarock.core.seating import places
from tarock.notation import read_one


def find_sessions(
    viewer: Viewer = EVERYBODY,
    space: int | None = None,
    step: Step = FIRST,
    size: int = 25,
    year: int | None = None,
) -> KeyPage[Session]:
    """Return a page of the sessions with deals that the viewer may see, latest first, undated ones last. Each
    session has `deal_count`, `first_day` and `last_day`. `space`: only sessions of this space; `year`: only
    sessions that ended in this year. At most three queries."""
    own = list(viewer.roles)
    of_space = Session.objects.filter(space=space) if space is not None else Session.objects.all()
    lists = []
    if space not in own:
        public = of_space.filter(public_deals__gt=0)
        lists.append(("public", public.exclude(space__in=own) if own and space is None else public))
    if own and space in (None, *own):
        lists.append(("whole", of_space.filter(whole_deals__gt=0, space__in=own)))

    def fetch(anchor: int | None, backwards: bool, limit: int) -> list[Session]:
        at = Session.objects.filter(pk=anchor).first() if anchor else None
        key = _seen(at, "whole" if at.space_id in own else "public") and _played_last(at) if at else None
        found = [
            _seen(session, view)
            for view, sessions in lists
            for session in _beyond(sessions, view, key, backwards, year)[:limit]
        ]
        found.sort(key=_played_last, reverse=not backwards)
        return found[:limit]

    return key_page(fetch, step, size)


def _beyond(
    sessions: QuerySet[Session],
    view: str,
    key: tuple[date, int] | None,
    backwards: bool,
    year: int | None,
) -> QuerySet[Session]:
    """Return the sessions after this position in the list or, with `backwards`, before it."""
    last = Coalesce(f"{view}_last", Value(UNDATED))
    order = (last.asc(), "pk") if backwards else (last.desc(), "-pk")
    sessions = sessions.select_related("space").order_by(*order)
    if year is not None:
        sessions = sessions.alias(last=last).filter(last__range=(date(year, 1, 1), date(year, 12, 31)))
    if key is None:
        return sessions
    day, pk = key
    word = "gt" if backwards else "lt"
    beyond = Q(**{f"last__{word}": day}) | Q(last=day, **{f"pk__{word}": pk})
    return sessions.alias(last=last).filter(beyond, **{f"last__{word}e": day})


def _seen(session: Session, view: str) -> Session:
    """Set a session's figures to those for this view (`public` or `whole`), and return the session."""
    session.deal_count = getattr(session, f"{view}_deals")
    session.first_day, session.last_day = getattr(session, f"{view}_first"), getattr(session, f"{view}_last")
    return session


def _played_last(session: Session) -> tuple[date, int]:
    return session.last_day or UNDATED, session.pk


def played_in(sessions: Iterable[Session], viewer: Viewer = EVERYBODY) -> list[tuple[int, str, str]]:
    """Return each combination of session id, game and site among the deals of these sessions that the viewer
    may see, in the order of their first contributions. One query."""
    pks = [session.pk for session in sessions]
    contributions = access.listed(viewer).filter(session__in=pks).order_by()
    rows = (
        contributions.values_list("session", "deal__game", "site").annotate(first=Min("pk")).order_by("first")
    )
    return [(session, game, site) for session, game, site, _first in rows]


def get_session(pk: int, viewer: Viewer = EVERYBODY) -> Session:
    """Return a session with its space and its evening.

    :raises Session.DoesNotExist: if there is no such session, or the viewer may see none of its deals and has
        not opened the link to its unlisted evening.
    """
    session = Session.objects.select_related("space", "evening").get(pk=pk)
    evening: Evening | None = getattr(session, "evening", None)
    opened = evening is not None and evening.visibility == "unlisted" and f"session-{pk}" in viewer.links
    if not opened and session.space_id not in viewer.roles and not access.in_session(pk, viewer).exists():
        raise Session.DoesNotExist
    return session


def same_named(session: Session, viewer: Viewer = EVERYBODY) -> list[Session]:
    """Return the space's other sessions with this name that the viewer may see, by date. One query."""
    view = "whole" if session.space_id in viewer.roles else "public"
    others = Session.objects.filter(space=session.space_id, name=session.name).exclude(pk=session.pk)
    seen = others.filter(**{f"{view}_deals__gt": 0})
    return sorted(seen, key=lambda one: (not one.date, one.date))


def sessions_of(deals: Iterable[int], space: int) -> list[Session]:
    """Return the sessions of a space in which these deals were played, latest first. One query."""
    contributions = Contribution.objects.filter(deal__in=set(deals), space=space, session=OuterRef("pk"))
    return list(Session.objects.filter(Exists(contributions), space=space).order_by("-id"))


_PLAYED = F("number").asc(nulls_last=True), "deal_id"
"""Order of the deals in a session: by number, then by the time they were stored."""


def deals_in_session(session: Session, viewer: Viewer = EVERYBODY) -> Iterator[ShownDeal]:
    """Iterate over a session's deals with their complete records, in the order played, batch by batch."""
    contributions = access.in_session(session.pk, viewer).order_by(*_PLAYED)
    numbers = list(contributions.values_list("pk", flat=True))
    for at in range(0, len(numbers), BATCH):
        batch = contributions.filter(pk__in=numbers[at : at + BATCH]).select_related("deal")
        for one in batch.fetch_all(viewer.roles):
            yield shown(one)


def has_unlisted(session: Session, viewer: Viewer) -> bool:
    """Return whether the viewer may see an unlisted deal of the session. One query."""
    return access.in_session(session.pk, viewer).filter(visibility="unlisted").exists()


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A deal of a session. Players are given by their ids. `kind`: whether the cards or only the score sheet
    were recorded; `seats`: player at each seat, None for a seat without a player; `names`: names at the seats
    without a player; `sat_out`: players at the table who sat out; `points`: points of each player, empty
    without a score; `totals`: total of each player after the deal, over all deals by its rules."""

    key: Key
    number: int | None
    date: str
    site: str
    verdict: str
    kind: str
    rules: Rules
    contract: str
    dealer: str
    declarer: str
    partner: str
    seats: dict[str, int | None]
    names: dict[str, str]
    sat_out: frozenset[int]
    points: dict[int, int]
    totals: dict[int, int]

    @property
    def game(self) -> str:
        """Id of the game."""
        return self.rules.game

    @property
    def is_sheet(self) -> bool:
        """Whether only the score sheet was recorded."""
        return self.kind == "sheet"

    @property
    def is_played(self) -> bool:
        """Whether the cards were recorded."""
        return self.kind == "played"

    @property
    def is_scored(self) -> bool:
        """Whether the deal has a score."""
        return bool(self.points) or (bool(self.names) and self.verdict in (*SCORED, "stated"))


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's rank by one rule set of a session. Players with equal totals share a rank. `stated_deals`,
    `stated_points`: part of the deals and of the total that is only stated."""

    place: int
    player: Player
    deals: int
    total: int
    stated_deals: int = 0
    stated_points: int = 0


@dataclass(frozen=True, slots=True)
class EveningTotal:
    """A stated total of an evening next to the sums of its deals. `deals`: number of deals that it states, or
    None; `points`, `sums`: points of its players by the total and by the deals of its rules (if its game is
    unknown, by all deals in its unit); `counts`: whether it counts instead of these deals; `contribution`: id
    of the contribution."""

    key: Key
    contribution: int
    rules: Rules
    deals: int | None
    points: dict[int, int]
    sums: dict[int, int]
    counts: bool

    @property
    def game(self) -> str:
        """Id of the game."""
        return self.rules.game

    def covers(self, rules: Rules) -> bool:
        """Return whether the total is about deals by these rules."""
        return _covers(self.rules, rules)


def _covers(total: Rules, rules: Rules) -> bool:
    return total == rules or (total.game == UNKNOWN_GAME and total.unit == rules.unit)


@dataclass(frozen=True, slots=True)
class SessionTable:
    """A session as a table: a row for each deal, a column for each player, running totals, and the ranks in
    each rule set. Points by different rules are not added. `thrown_in`: numbers of deals that nobody played;
    `totals`: stated totals of the evening, which have no rows."""

    players: list[Player] = field(default_factory=list)
    rows: list[SessionRow] = field(default_factory=list)
    standings: dict[Rules, list[Standing]] = field(default_factory=dict)
    thrown_in: frozenset[int] = frozenset()
    totals: list[EveningTotal] = field(default_factory=list)


def session_table(
    session: Session | int, language: str = "en", viewer: Viewer = EVERYBODY, count: str = "all"
) -> SessionTable:
    """Return the deals of a session, in the order played, with running totals. Four queries, or five if the
    session was fetched without its evening.

    Deals without a score are listed but add nothing to the totals. Players with equal totals are sorted by
    name in the order of this language. `count`: records with a score to include, one of `COUNTS`. With `all`,
    the ranks contain the totals of the evening instead of what their players won in the deals.
    """
    pk = session.pk if isinstance(session, Session) else session
    contributions = access.in_session(pk, viewer)
    if count != "all":
        left_out = Q(verdict="stated") | (Q(deal__kind="sheet") if count == "verified" else Q())
        contributions = contributions.exclude(left_out)
    covered = list(access.covered_totals(pk, viewer).select_related("deal")) if count == "all" else []
    seated: dict[int, list[tuple[str, int | None, int | None, str]]] = defaultdict(list)
    either = Q(contribution__in=contributions) | Q(contribution__in=[one.pk for one in covered])
    seats_of_all = _persons_at(Seat.objects.filter(either))
    for one, *seat in seats_of_all.values_list("contribution_id", "seat", "person", "points", "name"):
        seated[one].append(tuple(seat))
    in_all: dict[Rules, Counter[int]] = defaultdict(Counter)
    played: dict[Rules, Counter[int]] = defaultdict(Counter)
    stated = _Stated()
    rows = []
    stated_totals = []
    in_order = contributions.with_is_alone(viewer.roles).select_related("deal").only(*_ROW).order_by(*_PLAYED)
    deals = list(in_order)
    known = RuleSet.by_id(one.deal.rules_id for one in [*deals, *covered])
    for one in deals:
        deal, seats = one.deal, seated[one.pk]
        rules = known.get(deal.rules_id) or Rules(deal.game)
        points = _points(seats)
        if deal.is_result and one.number is None:  # see `is_evening_total`
            stated_totals.append((one, points))
            continue
        totals = in_all[rules]
        totals.update(points)
        played[rules].update(points.keys())
        if one.verdict == "stated":
            stated.add(rules, points, 1)
        active = deal.active
        rows.append(
            SessionRow(
                key=Key(deal.pk, None if one.is_alone else one.pk),
                number=one.number,
                date=one.date,
                site=one.site,
                verdict=one.verdict,
                kind=deal.kind,
                rules=rules,
                contract=deal.contract,
                dealer=deal.dealer,
                declarer=deal.declarer,
                partner=deal.partner,
                seats={seat: person for seat, person, _points, _name in seats},
                names={seat: name for seat, person, _points, name in seats if person is None},
                sat_out=frozenset(
                    person for seat, person, *_rest in seats if person is not None and seat not in active
                ),
                points=points,
                totals=dict(totals),
            )
        )
    totals_of_evening = [
        _evening_total(one, known.get(one.deal.rules_id) or Rules(one.deal.game), points, in_all)
        for one, points in [*stated_totals, *((one, _points(seated[one.pk])) for one in covered)]
    ]
    counted = [total for total in totals_of_evening if total.counts]
    for total in counted:
        for rules in filter(total.covers, list(in_all)):
            for person in total.points:
                for sums in (in_all[rules], played[rules], stated.deals[rules], stated.points[rules]):
                    del sums[person]
    for total in counted:
        number = total.deals or 1
        in_all[total.rules].update(total.points)
        played[total.rules].update(dict.fromkeys(total.points, number))
        stated.add(total.rules, total.points, number)
    order = dict.fromkeys(person for row in rows for person in row.seats.values() if person is not None)
    order |= dict.fromkeys(person for total in totals_of_evening for person in total.points)
    players = Player.objects.in_bulk(order)
    if len(players) < len(order):
        # The session has moved to another space since the first query (see `spaces.adopt`).
        return session_table(session, language, viewer, count)
    places = {
        rules: _places(players, totals, played[rules], stated, rules, language)
        for rules, totals in in_all.items()
        if totals
    }
    at_table = getattr(session, "evening", None)
    thrown_in = at_table.numbers_thrown_in if at_table else frozenset()
    columns = [players[person] for person in order]
    return SessionTable(columns, rows, places, thrown_in, totals_of_evening)


@dataclass(slots=True)
class _Stated:
    """The part of the ranks that is only stated: number of deals, and points, by rules and player."""

    deals: dict[Rules, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))
    points: dict[Rules, Counter[int]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, rules: Rules, points: dict[int, int], deals: int) -> None:
        """Add the points of players in a number of deals."""
        self.points[rules].update(points)
        self.deals[rules].update(dict.fromkeys(points, deals))


def _points(seats: Iterable[tuple[str, int | None, int | None, str]]) -> dict[int, int]:
    """Return the points at these seats by player."""
    points: Counter[int] = Counter()
    for _seat, person, number, _name in seats:
        if person is not None and number is not None:
            points[person] += number
    return dict(points)


def _evening_total(
    one: Contribution, rules: Rules, points: dict[int, int], in_all: dict[Rules, Counter[int]]
) -> EveningTotal:
    """Return a total next to the sums of the deals (`in_all`, by rules and player)."""
    covered = [of for of in in_all if _covers(rules, of)]
    alone = getattr(one, "is_alone", False)
    return EveningTotal(
        key=Key(one.deal_id, None if alone else one.pk),
        contribution=one.pk,
        rules=rules,
        deals=one.deals_played,
        points=points,
        sums={person: sum(in_all[of][person] for of in covered) for person in points},
        counts=one.visibility != "covered",
    )


_ROW = (
    "number", "date", "site", "verdict", "deal__kind", "deal__game", "deal__contract", "deal__dealer",
    "deal__declarer", "deal__partner", "deal__players_count", "deal__rules", "deals_played", "visibility",
)  # fmt: skip


def _persons_at(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    """Return the seats in order, each with `person`: the id of the player for whom the seat counts."""
    return seats.annotate(person=person_seated()).order_by("contribution", "seat")


def _places(
    players: dict[int, Player],
    totals: dict[int, int],
    played: dict[int, int],
    stated: _Stated,
    rules: Rules,
    language: str,
) -> list[Standing]:
    ranked = sorted(totals, key=lambda pk: (-totals[pk], sort_key(players[pk].display_name, language)))
    place = places(totals)
    only = stated.deals[rules], stated.points[rules]
    return [
        Standing(place[pk], players[pk], played[pk], totals[pk], only[0][pk], only[1][pk]) for pk in ranked
    ]


def totals_after(deal: ShownDeal, viewer: Viewer = EVERYBODY) -> dict[str, int]:
    """Return each seat's total after this deal, over all deals by its rules in its session. Empty if the deal
    has no session or no score, or if it is not in the session's table for this viewer. One query."""
    session = deal.contribution.session_id
    if session is None or not deal.has_score:
        return {}
    totals: Counter[int | None] = Counter()
    same_rules = {"deal__game": deal.game, "deal__rules": deal.deal.rules_id}
    contributions = access.in_session(session, viewer).filter(**same_rules)
    contributions = contributions.exclude(ContributionQuerySet.is_evening_total())
    seats = _persons_at(Seat.objects.filter(contribution__in=contributions))
    reached = False
    played = seats.order_by(F("contribution__number").asc(nulls_last=True), "contribution__deal_id")
    for pk, person, points in played.values_list("contribution__deal_id", "person", "points"):
        if reached and pk != deal.pk:
            break
        reached = reached or pk == deal.pk
        totals[person] += points or 0
    if not reached:
        return {}
    return {seat.seat: totals[seat.person] for seat in deal.seats if seat.person is not None}


def card_points(deals: Iterable[int]) -> dict[int, dict[str, int]]:
    """Map the ids of these deals to their card points by side or seat, if they were counted. Card points are
    stored in the score line that settles the game. Deals without such a line (for example a null in
    Grosstarock) are checked again by the engine. At most two queries."""
    by_deal: dict[int, dict[str, int]] = {}
    again = []
    scored = Deal.objects.filter(pk__in=list(deals), verdict__in=DEAL_SCORED).order_by()
    for pk, clauses, sheet in scored.values_list("pk", "clauses", "sheet"):
        computed = (line.quantity.get("card_points") for line in packed_sheets.lines(clauses, sheet))
        if counted := next(filter(None, computed), None):
            by_deal[pk] = counted
        else:
            again.append(pk)
    for pk, text in Deal.objects.filter(pk__in=again).values_list("pk", "text") if again else ():
        if counted := check(read_one(text)).facts.get("card_points"):
            by_deal[pk] = counted
    return by_deal
