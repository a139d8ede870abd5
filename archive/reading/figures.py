"""Statistics by contract, tarocks held, points, clauses, doubles and months: of a game, a club, a player, or
a hand. A line with fewer than `FEWEST` deals is left out, because it says little, and may tell who played."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q, Sum

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.figures import COLUMNS, DealFacts, Key, Line, Lines
from archive.models import Contribution, Figure, Player, Seat, Space
from archive.reading.conditions import by_rules
from archive.reading.filters import MOST_HELD, Filters, held, newest_holding
from archive.reading.statistics import Latest, OnDay
from archive.rules import SEED

FEWEST = 20
"""Minimum number of deals of a line."""

MOST_CLUBS = 5
"""Maximum number of the viewer's clubs whose deals the explorer shows."""


def of_space(space: int, game: str, viewer: Viewer = EVERYBODY, rules: str = SEED) -> Lines:
    """Return the lines of a game by these rules: of all public deals (`space` 0), or of the deals of a space
    that the viewer may see. One query."""
    rows = Figure.objects.filter(by_rules(rules, seed=0), space=space, game=game)
    if space not in viewer.roles:
        rows = rows.filter(is_public=True)
    sums = [Sum(name) for name in ("deals", "seats", "won", "points")]
    found = rows.order_by().values_list("topic", "key", "role").annotate(*sums)
    return _shown({(topic, key, role): Line(*numbers) for topic, key, role, *numbers in found})


def of_player(latest: Latest) -> dict[str, Lines]:
    """Return the lines of a player's latest deals, by game. One query."""
    by_game: dict[str, Lines] = {}
    deals = Contribution.objects.filter(pk__in=list(latest)).order_by()
    for pk, *columns in deals.values_list("pk", *COLUMNS):
        deal, (seat, points) = DealFacts(*columns), latest[pk]
        by_game.setdefault(deal.game, Lines()).add(deal, {seat: points}, [seat])
    return {game: _shown(lines.by_key) for game, lines in by_game.items()}


def by_month(days: Iterable[OnDay]) -> dict[str, Lines]:
    """Return the lines of the months of a player's results, by game."""
    by_game: dict[str, dict[Key, Line]] = {}
    for row in days:
        if row.day and "?" not in row.day[:7]:
            line = by_game.setdefault(row.game, {}).setdefault(("month", row.day[:7], ""), Line())
            line.deals, line.seats = line.deals + row.deals, line.seats + row.deals
            line.won, line.points = line.won + row.won, line.points + row.points
    return {game: _shown(lines) for game, lines in by_game.items()}


def _shown(lines: dict[Key, Line]) -> Lines:
    return Lines({key: line for key, line in lines.items() if line.deals >= FEWEST})


@dataclass(frozen=True, slots=True)
class Explored:
    """The results of a hand. `whose`: a player or a club of the viewer, whose deals count; None for all
    public deals. `deals`: number of deals, 0 if there are too few; `filters`: those that find exactly these
    deals; `is_partial`: whether only the `MOST_HELD` stored last count; `lines`: by contract and role."""

    whose: Player | Space | None
    deals: int
    filters: Filters
    is_partial: bool
    lines: Lines

    @property
    def name(self) -> str:
        """Name of the player or the club."""
        return self.whose.display_name if isinstance(self.whose, Player) else getattr(self.whose, "name", "")


def explore(filters: Filters, viewer: Viewer) -> list[Explored]:
    """Return the results of the hand in the filters: in the viewer's own deals, in those of their clubs, and
    in all public deals. About two queries for each of them."""
    filters = replace(filters, scored="computed")
    players = Player.objects.filter(pk__in=viewer.players).select_related("same_as").order_by("pk")
    clubs = Space.objects.filter(pk__in=list(viewer.roles), kind="club").order_by("name", "pk")[:MOST_CLUBS]
    own = [(one, replace(filters, player=one.pk)) for one in (players if viewer.players else ())]
    of_clubs = [(club, replace(filters, space=club.pk)) for club in (clubs if viewer.roles else ())]
    searches = [*own, *of_clubs, (None, replace(filters, public=True))]
    assert filters.hand is not None
    newest = newest_holding(filters.hand, filters, MOST_HELD + 1)
    return [_explored(whose, one, viewer, newest) for whose, one in searches]


def _explored(
    whose: Player | Space | None, filters: Filters, viewer: Viewer, newest: list[int] | None
) -> Explored:
    """`newest`: what `newest_holding` returns for one deal more than count."""
    hand = filters.hand
    assert hand is not None
    if whose is not None:
        rows, is_partial = _rows(filters, viewer, held(hand, newest)), False
    else:
        newest = newest or []
        rows, is_partial = _rows(filters, viewer, Q(pk__in=newest)), len(newest) > MOST_HELD
        if is_partial and len(rows) <= MOST_HELD:  # hidden deals with the hand took up places
            more = newest_holding(hand, filters, 8 * MOST_HELD) or []
            rows, is_partial = _rows(filters, viewer, Q(pk__in=more)), len(more) == 8 * MOST_HELD
    is_partial |= len(rows) > MOST_HELD
    rows = rows[:MOST_HELD]
    if len(rows) < FEWEST:
        return Explored(whose, 0, filters, False, Lines())
    if is_partial:
        filters = replace(filters, after=rows[-1][1] - 1)
    seats = Seat.objects.filter(contribution__in=[pk for pk, *_ in rows], points__isnull=False).order_by()
    if isinstance(whose, Player):
        seats = seats.filter(player__in=whose.all_names())
    points: dict[int, dict[str, int]] = {}
    for pk, seat, number in seats.values_list("contribution_id", "seat", "points"):
        points.setdefault(pk, {})[seat] = number
    lines = Lines()
    for pk, _deal, *columns in rows:
        lines.add(DealFacts(*columns), points.get(pk, {}), hand=hand)
    return Explored(whose, len(rows), filters, is_partial, _shown(lines.by_key))


def _rows(filters: Filters, viewer: Viewer, with_hand: Q) -> list[Any]:
    """Return the latest deals of a search, at most one more than count: id of the first contribution that the
    viewer may see, id of the deal, `COLUMNS`. `with_hand`: condition on the deal that a seat has the hand."""
    others = replace(filters, tarocks=None, honours=None, kings=None, position=None).deal_condition
    found = filters.apply(access.listed(viewer), others & with_hand)
    first: dict[int, Any] = {}
    # Hardly any deal has several contributions, so leave out the further ones here.
    for row in found.order_by("-deal_id", "pk").values_list("pk", "deal_id", *COLUMNS)[: 2 * MOST_HELD]:
        first.setdefault(row[1], row)
    return [*first.values()][: MOST_HELD + 1]
