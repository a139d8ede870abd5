"""Statistics: a player's results by time, role, opponents and clauses, and the size of the archive. Each
function except `latest` makes a fixed number of queries, and all count only what the viewer may see. A player
with several names counts as one player."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import nlargest
from itertools import islice
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    CharField,
    Count,
    F,
    IntegerField,
    OuterRef,
    Q,
    QuerySet,
    SmallIntegerField,
    Subquery,
    Sum,
    Value,
    When,
)
from django.db.models.functions import Coalesce, Least, TruncMonth

from archive import access, packed_sheets
from archive.access import EVERYBODY, Viewer
from archive.models import (
    SCORED,
    Cell,
    Contribution,
    Player,
    RuleSet,
    Seat,
    Space,
    Tally,
    Total,
    name_seated,
    person_seated,
)
from archive.reading.conditions import by_rules, prefixed
from archive.reading.deals import deals_of
from archive.reading.scores import totals_seen
from archive.rules import SEED, Rules
from archive.shown import ShownDeal
from tarock.games import GAMES
from tarock.games import game as game_of


@dataclass(frozen=True, slots=True)
class Counts:
    """Size of the archive, for the home page."""

    deals: int
    players: int
    sessions: int
    by_game: dict[str, int]
    by_verdict: dict[str, int]


def count_archive() -> Counts:
    """Count the public deals (also by game and by verdict), players and sessions. One query."""
    numbers = {"deals": 0, "players": 0, "sessions": 0}
    by_game: dict[str, int] = {}
    by_verdict: dict[str, int] = {}
    tallies = Tally.objects.order_by().values_list("kind", "game", "verdict")
    for kind, game, verdict, number in tallies.annotate(in_all=Sum("number")):
        numbers[kind] += number
        if kind == "deals":
            by_game[game] = by_game.get(game, 0) + number
            by_verdict[verdict] = by_verdict.get(verdict, 0) + number
    return Counts(**numbers, by_game=by_game, by_verdict=by_verdict)


def games_played(space: Space | None, viewer: Viewer = EVERYBODY, *, with_stated: bool = True) -> list[str]:
    """Return the games from which to choose a ranking, most deals first: all games or, with a space that has
    deals, the games of its players. `with_stated`: whether results count, too. One query."""
    if space is None:
        by_game = count_archive().by_game
        return sorted(GAMES, key=lambda game: -by_game.get(game, 0))
    rows = totals_seen(viewer).filter(person__space=space, year=0).values_list("game")
    number = Sum(Coalesce("all_deals", "deals") if with_stated else "deals")
    played = rows.annotate(number=number).filter(number__gt=0).order_by("-number", "game")
    return [game for game, _number in played] or list(GAMES)


def _scored(player: Player, viewer: Viewer, rules: str) -> QuerySet[Seat]:
    """Return the player's seats in scored deals by these rules that the viewer may see."""
    return Seat.objects.filter(
        access.is_listed(viewer, "contribution__"),
        prefixed(by_rules(rules), _DEAL),
        player__in=player.all_names(),
        contribution__verdict__in=SCORED,
        points__isnull=False,
    ).order_by()


_DEAL = "contribution__deal__"
_DECLARERS = Q(seat=F(_DEAL + "declarer")) | Q(seat=F(_DEAL + "partner"))
_ALONE = Q(**{_DEAL + "declarer__isnull": True})


def by_game(player: Player, viewer: Viewer = EVERYBODY) -> list[dict[str, Any]]:
    """Return a player's results by each rule set of each game, the source rules first, as rows with `rules`,
    `deals` and `total`. At most two queries."""
    rows = totals_seen(viewer).filter(person=player, year=0, deals__gt=0).order_by("game", "rules")
    found = list(rows.values("game", "deals", "rules", total=F("points")))
    known = RuleSet.by_id(row["rules"] for row in found)
    return [row | {"rules": known.get(row["rules"]) or Rules(row["game"])} for row in found]


@dataclass(frozen=True, slots=True)
class InRole:
    """A player's results in one game in one role. `role`: `declarer`, `partner`, `opponent`, or `alone` if
    there was no declarer; `won`: number of deals with a positive score."""

    game: str
    role: str
    deals: int
    won: int
    points: int

    @property
    def share(self) -> int:
        """Percentage of deals won."""
        return round(100 * self.won / self.deals)


_ROLES = ("declarer", "partner", "opponent", "alone")
_RELATIONS = ("partners", "opponents", "alone")
_GAMES = tuple(GAMES)
"""Ids of the games, in the order in which results are listed."""


def roles(player: Player, viewer: Viewer = EVERYBODY, rules: str = SEED) -> list[InRole]:
    """Return a player's results in each game and role by these rules. One query."""
    in_roles = []
    for row in totals_seen(viewer).filter(by_rules(rules, seed=0), person=player, year=0):
        made = {role: _made(row, f"{role}_") for role in ("declarer", "partner", "alone")}
        rest = zip(_made(row, ""), *made.values(), strict=True)
        made["opponent"] = tuple([whole - sum(parts) for whole, *parts in rest])
        in_roles += [InRole(row.game, role, *numbers) for role, numbers in made.items() if numbers[0]]
    return sorted(in_roles, key=lambda row: (_GAMES.index(row.game), _ROLES.index(row.role)))


def _made(row: Total, prefix: str) -> tuple[int, ...]:
    return tuple([getattr(row, f"{prefix}{what}") for what in ("deals", "won", "points")])


@dataclass(frozen=True, slots=True)
class OnDay:
    """A player's points in one game on one day. `day`: as in records (`2026-11-??`); empty without a year;
    `won`: number of deals with a positive score."""

    game: str
    day: str
    deals: int
    points: int
    won: int = 0


def by_day(
    player: Player, viewer: Viewer = EVERYBODY, *, by_month: bool = False, rules: str = SEED
) -> list[OnDay]:
    """Return a player's results in each game by day or by month, by these rules. One query."""
    cells = Cell.objects.filter(by_rules(rules, seed=0), player=player, deals__gt=0)
    if player.space_id not in viewer.roles:
        cells = cells.filter(is_public=True)
    rows = cells.order_by().values_list("game", "played_on", "date_parts")
    if by_month:
        rows = cells.order_by().values_list(
            "game", TruncMonth("played_on"), Least("date_parts", Value(2, output_field=SmallIntegerField()))
        )
    days = [
        # Write unknown parts of the date as `??`, as records do.
        OnDay(game, "-".join([*str(day).split("-")[:parts], "??", "??"][:3]) if day else "", *sums)
        for game, day, parts, *sums in rows.annotate(
            played=Sum("deals"), total=Sum("points"), above=Sum("won")
        )
    ]
    return sorted(
        days, key=lambda row: (not row.day, row.day.replace("??", "01"), row.day, _GAMES.index(row.game))
    )


class ScoredDeal(NamedTuple):
    """A player's result in one deal. `contribution`: id of the contribution that names the player."""

    deal: int
    contribution: int
    game: str
    points: int


def deal_by_deal(player: Player, viewer: Viewer, most: int, rules: str = SEED) -> list[ScoredDeal]:
    """Return a player's results by these rules in the order played, undated ones last. The list is empty if
    there are more than `most` results. Two queries."""
    if player.whole_deals > most:
        return []
    in_order = ("contribution__played_on", "contribution__number")
    rows = (
        _scored(player, viewer, rules)
        .order_by(*(F(name).asc(nulls_last=True) for name in in_order), "contribution_id")
        .values_list("contribution__deal_id", "contribution_id", _DEAL + "game", "points")[: most + 1]
    )
    deals = [ScoredDeal(*row) for row in rows]
    return deals if len(deals) <= most else []


@dataclass(slots=True)
class Bonus:
    """Results from one clause. `gains`, `losses`: numbers of deals in which the clause gave or took points;
    `gained`, `lost`: these points."""

    game: str
    clause: str
    gains: int = 0
    gained: int = 0
    losses: int = 0
    lost: int = 0


MOST_DEALS = 500
"""Maximum number of a player's latest scored deals that count for bonuses, companions and extremes."""

Latest = dict[int, tuple[str, int]]
"""A player's latest deals: contribution id → the player's seat and points."""


def latest(player: Player, viewer: Viewer = EVERYBODY, rules: str = SEED) -> Latest:
    """Return the last `MOST_DEALS` scored deals of a player by these rules, latest first. Makes three
    queries, and more if many of the deals don't count or are hidden from the viewer."""
    seats = Seat.objects.filter(player__in=player.all_names(), points__isnull=False)
    # Sort by an expression, because PostgreSQL would otherwise read the index of all seats from its end.
    seats = seats.order_by((F("contribution_id") + 0).desc())
    counted = access.listed(viewer).scored().filter(prefixed(by_rules(rules), "deal__")).order_by()
    found: Latest = {}
    at, size = 0, MOST_DEALS + MOST_DEALS // 4
    while len(found) < MOST_DEALS:
        last = list(seats.values_list("contribution_id", "seat", "points")[at : at + size])
        ids = {pk for pk, _seat, _points in last}
        seen = set(counted.filter(pk__in=ids).values_list("pk", flat=True))
        found |= {pk: (seat, points) for pk, seat, points in last if pk in seen}
        if len(last) < size:
            break
        at, size = at + size, 4 * size
    return dict(islice(found.items(), MOST_DEALS))


def bonuses(latest: Latest) -> list[Bonus]:
    """Return what a player gained and lost by bonuses and announcements in their latest deals: by all score
    lines except those that settle the game itself. One query."""
    by_clause: dict[str, Bonus] = {}
    rows = Contribution.objects.filter(pk__in=list(latest)).order_by()
    for pk, game, clauses, sheet in rows.values_list("pk", "deal__game", "deal__clauses", "deal__sheet"):
        seat = latest[pk][0]
        counted: set[tuple[str, bool]] = set()  # A deal can have several lines of a clause, e.g. for Kings.
        for line in packed_sheets.lines(clauses, sheet):
            points = line.points.get(seat)
            if not points or line.clause in game_of(game).main:
                continue
            bonus = by_clause.setdefault(line.clause, Bonus(game, line.clause))
            gain = line.clause, points > 0
            is_new = gain not in counted
            counted.add(gain)
            if points > 0:
                bonus.gains, bonus.gained = bonus.gains + is_new, bonus.gained + points
            else:
                bonus.losses, bonus.lost = bonus.losses + is_new, bonus.lost + points
    return sorted(by_clause.values(), key=lambda bonus: (_GAMES.index(bonus.game), bonus.clause))


@dataclass(frozen=True, slots=True)
class Extreme:
    """One of a player's best or worst deals."""

    deal: ShownDeal
    points: int


def extremes(
    latest: Latest, number: int = 5, viewer: Viewer = EVERYBODY
) -> tuple[list[Extreme], list[Extreme]]:
    """Return the best and the worst of a player's latest deals; among equals, later ones first. Two
    queries."""
    rows = [(pk, points) for pk, (_seat, points) in latest.items()]
    best = nlargest(number, [row for row in rows if row[1] > 0], key=lambda row: (row[1], row[0]))
    worst = nlargest(number, [row for row in rows if row[1] < 0], key=lambda row: (-row[1], row[0]))
    by_id = deals_of({pk for pk, _points in best + worst}, viewer)
    return (
        [Extreme(by_id[pk], points) for pk, points in best if pk in by_id],
        [Extreme(by_id[pk], points) for pk, points in worst if pk in by_id],
    )


@dataclass(frozen=True, slots=True)
class Companion:
    """A person who played in the same deals as a player. `deals`: number of these deals."""

    person: int
    name: str
    deals: int


MOST_COMPANIONS = 100


def companions(player: Player, latest: Latest) -> list[Companion]:
    """Return the other persons who played in a player's latest deals, most frequent first. Deals that a
    person sat out don't count. Two queries."""
    rows = (
        Seat.objects.filter(contribution__in=list(latest), player__isnull=False, points__isnull=False)
        .exclude(player__in=player.all_names())
        .values(person=person_seated(), called=name_seated())
        .annotate(deals=Count("contribution", distinct=True))
        .order_by("-deals", "called", "person")[:MOST_COMPANIONS]
    )
    return [Companion(row["person"], row["called"], row["deals"]) for row in rows]


@dataclass(frozen=True, slots=True)
class Together:
    """Results of two players in the deals that both played. `relation`: `partners`, `opponents`, or `alone`
    if there was no declarer; `points`: points of the first player; `others`: points of the second."""

    game: str
    relation: str
    deals: int
    points: int
    others: int


def head_to_head(
    player: Player, other: Player, viewer: Viewer = EVERYBODY, rules: str = SEED
) -> list[Together]:
    """Return the results of two players in the deals by these rules that both played and neither sat out.
    Three queries."""
    theirs = Seat.objects.filter(
        contribution=OuterRef("contribution"), player__in=other.all_names(), points__isnull=False
    )
    declarers = Case(When(_DECLARERS, then=1), default=0, output_field=IntegerField())
    of_other = Subquery(theirs.annotate(side=declarers).order_by("seat").values("side")[:1])
    relation = Case(
        When(_ALONE, then=Value("alone")),
        When(side=F("other_side"), then=Value("partners")),
        default=Value("opponents"),
        output_field=CharField(),
    )
    rows = (
        _scored(player, viewer, rules)
        .annotate(side=declarers, other_side=of_other)
        .annotate(other_points=Subquery(theirs.order_by("seat").values("points")[:1]))
        .filter(other_side__isnull=False)
        .values(game=F(_DEAL + "game"), relation=relation)
        .annotate(deals=Count("contribution"), total=Sum("points"), others=Sum("other_points"))
    )
    named = rows.values_list("game", "relation", "deals", "total", "others")
    results = [Together(*row) for row in named]
    return sorted(results, key=lambda row: (_GAMES.index(row.game), _RELATIONS.index(row.relation)))
