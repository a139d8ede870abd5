"""A year of the viewer, for them alone, and a year of a club, for its members."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

from django.db.models import Count, F

from archive import access, packed_sheets
from archive.access import Viewer
from archive.models import (
    SCORED,
    Cell,
    ContributionQuerySet,
    Player,
    RuleSet,
    Seat,
    Space,
    Total,
    counted,
    name_seated,
    person_seated,
)
from archive.reading.deals import deals_of, top_by_rules
from archive.reading.hindsight import dearest_in
from archive.reading.scores import Score, standings, totals_seen
from archive.reading.statistics import Bonus, Companion, Extreme
from archive.rules import Rules
from archive.shown import ShownDeal
from tarock.analysis.hindsight import Rated
from tarock.games import game as game_of

MOST_DEALS = 2000
"""Maximum number of a player's latest scored deals of a year in which the best deals, the Pagats and the
companions are searched."""


@dataclass(frozen=True, slots=True)
class ByRules:
    """A player's results in a year by one rule set. `best`: the deal with the largest gain, if there is any
    gain."""

    rules: Rules
    deals: int
    won: int
    points: int
    best: Extreme | None = None

    @property
    def share(self) -> int:
        """Percentage of deals won."""
        return round(100 * self.won / self.deals)


@dataclass(frozen=True, slots=True)
class PlayerYear:
    """A year of one of the viewer's players. `players`: all of them; `years`: years in which they have scored
    deals, latest first; `evenings`: number of evenings; `pagats`: numbers of deals in which a Pagat in the
    last trick gave the player points or took some; `partner`, `opponent`: the most frequent ones; `newest`:
    id of the first contribution that counts for these and for the best deals, if not all do
    (`MOST_DEALS`)."""

    player: Player
    players: list[Player]
    year: int
    years: list[int]
    evenings: int = 0
    results: list[ByRules] = field(default_factory=list)
    pagats: list[Bonus] = field(default_factory=list)
    partner: Companion | None = None
    opponent: Companion | None = None
    newest: int | None = None

    @property
    def deals(self) -> int:
        """Number of scored deals."""
        return sum(row.deals for row in self.results)


class _Played(NamedTuple):
    """A player's seat and points in a deal."""

    contribution: int
    seat: str
    points: int
    game: str
    rules: int | None
    declarer: str
    partner: str
    clauses: str

    def is_partner(self, seat: str) -> bool:
        """Return whether another seat was on the same side."""
        sides = [one in (self.declarer, self.partner) for one in (self.seat, seat)]
        return bool(self.declarer) and sides[0] == sides[1]


def own_year(viewer: Viewer, year: int | None = None, player: int | None = None) -> PlayerYear | None:
    """Return a year of a player linked to the viewer's memberships. Return None if no player is. `year`: by
    default the latest with scored deals; `player`: by default the one with the most deals in this year. A
    fixed number of queries."""
    linked = Player.objects.filter(pk__in=viewer.players).select_related("space", "same_as__space")
    players = list({one.head.pk: one.head for one in linked.order_by("pk")}.values())
    if not players:
        return None
    rows = totals_seen(viewer).filter(person__in=[one.pk for one in players], deals__gt=0).exclude(year=0)
    totals = list(rows.order_by("game", "rules"))
    years = sorted({row.year for row in totals}, reverse=True)
    if year is None:
        year = years[0] if years else date.today().year
    of_year = [row for row in totals if row.year == year]
    deals = Counter[int]()
    for row in of_year:
        deals[row.person_id] += row.deals
    chosen = next((one for one in players if one.pk == player), None)
    chosen = chosen or max(players, key=lambda one: deals[one.pk])
    own = [row for row in of_year if row.person_id == chosen.pk]
    empty = PlayerYear(chosen, players, year, years)
    return _filled(empty, own, viewer) if own else empty


def _filled(empty: PlayerYear, totals: list[Total], viewer: Viewer) -> PlayerYear:
    """Return the year, filled in from the player's totals (at least one)."""
    player, days = empty.player, _days(empty.year)
    known, names = RuleSet.by_id(row.rules for row in totals), player.all_names()
    cells = Cell.objects.filter(player=player, played_on__range=days, deals__gt=0)
    seats = Seat.objects.filter(
        access.is_listed(viewer, "contribution__"),
        player__in=names,
        contribution__verdict__in=SCORED,
        contribution__played_on__range=days,
        points__isnull=False,
    ).order_by((F("contribution_id") + 0).desc())
    deal = [f"contribution__deal__{name}" for name in ("game", "rules", "declarer", "partner", "clauses")]
    rows = seats.values_list("contribution_id", "seat", "points", *deal)[: MOST_DEALS + 1]
    found = [_Played(*row) for row in rows]
    latest, best = found[:MOST_DEALS], _best(found[:MOST_DEALS], viewer)
    partner, opponent = _companions(latest, names)
    return replace(
        empty,
        evenings=cells.aggregate(number=Count("evening", distinct=True))["number"],
        results=[
            ByRules(
                rules := known.get(row.rules) or Rules(row.game),
                row.deals,
                row.won,
                row.points,
                best.get(rules),
            )
            for row in totals
        ],
        pagats=_pagats(latest),
        partner=partner,
        opponent=opponent,
        newest=latest[-1].contribution if len(found) > MOST_DEALS else None,
    )


def _days(year: int) -> tuple[date, date]:
    return date(year, 1, 1), date(year, 12, 31)


def _best(played: list[_Played], viewer: Viewer) -> dict[Rules, Extreme]:
    """Return the deal with the largest gain by each rule set, among equals the latest."""
    largest: dict[tuple[str, int | None], _Played] = {}
    for one in played:
        if one.points > largest.get((one.game, one.rules), one._replace(points=0)).points:
            largest[one.game, one.rules] = one
    deals = deals_of([one.contribution for one in largest.values()], viewer)
    shown = [(deals[one.contribution], one.points) for one in largest.values() if one.contribution in deals]
    return {deal.deal.rule_set: Extreme(deal, points) for deal, points in shown}


def _pagats(played: list[_Played]) -> list[Bonus]:
    """Return the numbers of deals in which a Pagat in the last trick gave points or took some, by clause."""
    by_clause: dict[str, Bonus] = {}
    for one in played:
        for clause, sign in packed_sheets.effects(one.clauses, one.seat):
            if sign != "0" and clause in game_of(one.game).ultimo:
                bonus = by_clause.setdefault(clause, Bonus(one.game, clause))
                bonus.gains, bonus.losses = bonus.gains + (sign == "+"), bonus.losses + (sign == "-")
    return [by_clause[clause] for clause in sorted(by_clause)]


def _companions(played: list[_Played], names: list[int]) -> tuple[Companion | None, Companion | None]:
    """Return the most frequent partner and the most frequent opponent in these deals. One query."""
    by_id = {one.contribution: one for one in played}
    seats = Seat.objects.filter(contribution__in=list(by_id), player__isnull=False, points__isnull=False)
    others = seats.exclude(player__in=names).order_by()
    partners, opponents = Counter[tuple[int, str]](), Counter[tuple[int, str]]()
    for pk, seat, *person in others.values_list("contribution", "seat", person_seated(), name_seated()):
        side = partners if by_id[pk].is_partner(seat) else opponents
        side[person[0], person[1]] += 1
    return _most_frequent(partners), _most_frequent(opponents)


def _most_frequent(persons: Counter[tuple[int, str]]) -> Companion | None:
    """Return the person with the most deals, among equals the one with the lowest id. `persons`: numbers of
    deals by id and name."""
    first = min(persons.items(), key=lambda row: (-row[1], row[0]), default=None)
    return Companion(*first[0], first[1]) if first else None


@dataclass(frozen=True, slots=True)
class ClubYear:
    """A year of a club. `evenings`, `deals`: numbers of evenings and of deals with points; `best`: the deal
    with the highest score by each rule set; `dearest`: the card that cost most in hindsight, empty if the
    club hides hindsight."""

    club: Space
    year: int
    evenings: int = 0
    deals: int = 0
    standings: dict[Rules, list[Score]] = field(default_factory=dict)
    best: dict[Rules, ShownDeal] = field(default_factory=dict)
    dearest: dict[Rules, tuple[ShownDeal, Rated]] = field(default_factory=dict)

    @property
    def players(self) -> list[tuple[str, int]]:
        """The players and their numbers of deals, most deals first."""
        deals: Counter[tuple[int, str]] = Counter()
        for score in (one for rows in self.standings.values() for one in rows):
            deals[score.person, score.name] += score.deals
        return [(name, number) for (_person, name), number in deals.most_common()]


def club_year(club: Space, viewer: Viewer, year: int, language: str) -> ClubYear:
    """Return a year of a club whose member the viewer is. The year must have deals. A fixed number of
    queries."""
    days = _days(year)
    found = access.listed(viewer).filter(space=club, played_on__range=days)
    cells = Cell.objects.filter(counted("all", "whole"), player__space=club, played_on__range=days)
    rows = standings(club, viewer, year, language, "all")
    best = deals_of(top_by_rules(found.scored().filter(deal__highest__gt=0), "deal__highest"), viewer)
    return ClubYear(
        club,
        year,
        cells.aggregate(number=Count("evening", distinct=True))["number"],
        found.counted("all").exclude(ContributionQuerySet.is_evening_total()).count(),
        {rules: [*of_rules] for rules, of_rules in groupby(rows, attrgetter("rules"))},
        {deal.deal.rule_set: deal for deal in best.values()},
        {} if club.hides_hindsight else dearest_in(found, viewer),
    )
