"""The hindsight of stored deals: what the cards cost with all cards open."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property

from archive import access, packed_losses
from archive.access import Viewer
from archive.kernel.solver import NODES_AT_ONCE, Solver
from archive.models import ContributionQuerySet, Hindsight, Player, Seat, Session
from archive.reading.conditions import by_rules, prefixed
from archive.reading.deals import deals_by_id, top_by_rules
from archive.reading.filters import Filters
from archive.rules import Rules
from archive.shown import ShownDeal, shown
from archive.storing import hindsight as storing
from tarock.analysis import endings
from tarock.analysis import hindsight as engine
from tarock.analysis.endings import Ending

WAITING = "waiting"
"""Why a deal has no hindsight, in addition to the reasons of `tarock.analysis.endings`: a worker has not
computed it yet."""

LEAST_DEALS, MOST_DEALS = 20, 2000
"""Least number of analysed deals of a game from which the losses of a player are added up, and the number of
their latest deals that count."""

DEAREST = 5
"""Number of a player's dearest cards."""


@dataclass(frozen=True)
class DealHindsight:
    """The hindsight of a deal that a viewer may see."""

    deal: ShownDeal
    stored: Hindsight | None

    @property
    def engine_version(self) -> str | None:
        """Version of the engine that computed it."""
        return self.stored.engine_version if self.stored else None

    @cached_property
    def cards(self) -> list[engine.Rated]:
        """All analysed cards; empty if there are none."""
        return engine.rated(self.deal.record, self.stored.read(self.deal.game)) if self.stored else []

    @cached_property
    def why(self) -> str | None:
        """Why there is none: a reason of `tarock.analysis.endings`, or `WAITING`."""
        if self.cards:
            return None
        if self.stored:
            return endings.LIMIT
        if not self.deal.is_played or self.deal.verdict != "verified":
            return endings.NOT_IN_PLAY if self.deal.verdict != "illegal" else endings.ILLEGAL
        return engine.why_not(self.deal.record) or WAITING

    def at_step(self, step: int) -> Ending:
        """Compute the values of all choices after `step` events."""
        return engine.at_step(self.deal.record, step, Solver(NODES_AT_ONCE))


def hindsight_of(deal: ShownDeal) -> DealHindsight:
    """Return the hindsight of a deal. If it is not computed yet, ask a worker for it."""
    found = DealHindsight(deal, deal.hindsight)
    if found.why == WAITING:
        storing.ask(deal.pk)
    return found


def dearest_of(
    session: Session, deals: Collection[int], viewer: Viewer
) -> dict[Rules, tuple[ShownDeal, engine.Rated]]:
    """Return the dearest cards (`dearest_in`) of these deals of a session; none if the club hides
    hindsight."""
    if session.space.hides_hindsight:
        return {}
    return dearest_in(access.in_session(session.pk, viewer).filter(deal__in=deals), viewer)


def dearest_in(found: ContributionQuerySet, viewer: Viewer) -> dict[Rules, tuple[ShownDeal, engine.Rated]]:
    """Return the card that cost most by each rule set, with its deal, among contributions that the viewer may
    see. At most seven queries."""
    first = top_by_rules(found.filter(deal__hindsight__dearest__gt=0), "deal__hindsight__dearest")
    chosen = found.filter(pk__in=first).select_related("deal__hindsight")
    deals = [shown(one) for one in chosen.fetch_all(viewer.roles)] if first else []
    return {
        deal.deal.rule_set: (deal, max(DealHindsight(deal, deal.hindsight).cards, key=lambda card: card.loss))
        for deal in deals
    }


@dataclass(frozen=True, slots=True)
class RoleLosses:
    """The losses of a player in a role of a game."""

    game: str
    role: str
    deals: int
    points: int

    @property
    def mean(self) -> float:
        """Points lost per deal."""
        return self.points / self.deals


@dataclass(frozen=True, slots=True)
class PlayerLosses:
    """The losses of a player: by role in the games with enough deals, and the dearest cards."""

    roles: list[RoleLosses]
    dearest: list[tuple[ShownDeal, engine.Rated]]


def player_losses(player: Player, viewer: Viewer, rules: str) -> PlayerLosses | None:
    """Return the losses of a player in the latest deals by these rules. Return None for a viewer who
    is neither the player nor a member of the player's club, and if the club hides hindsight."""
    may = viewer.operator or player.space_id in viewer.roles or player.pk in viewer.players
    if not may or player.space.hides_hindsight:
        return None
    listed = access.is_listed(viewer, "contribution__")
    seats = Seat.objects.filter(
        listed, prefixed(by_rules(rules), "contribution__deal__"), player__in=player.all_names()
    )
    seats = seats.filter(contribution__deal__hindsight__isnull=False).order_by("-contribution")
    names = ("pk", "game", "declarer", "partner", "hindsight__packed")
    rows = seats.values_list("seat", *(f"contribution__deal__{name}" for name in names))[:MOST_DEALS]
    deals: dict[tuple[str, str], set[int]] = {}
    points: Counter[tuple[str, str]] = Counter()
    dear: dict[tuple[int, int], engine.Loss] = {}
    for seat, pk, game, declarer, partner, packed in rows:
        role = "alone" if not declarer else {declarer: "declarer", partner: "partner"}.get(seat, "opponent")
        there = deals.setdefault((game, role), set())
        if pk in there:
            continue
        there.add(pk)
        for loss in packed_losses.unpack(bytes(packed), game).losses:
            if loss.seat == seat:
                points[game, role] += loss.points
                dear[pk, loss.step] = loss
    number = Counter[str]()
    for (game, _role), pks in deals.items():
        number[game] += len(pks)
    found = [
        RoleLosses(game, role, len(pks), points[game, role])
        for (game, role), pks in sorted(deals.items())
        if number[game] >= LEAST_DEALS
    ]
    return PlayerLosses(found, _dearest(dear, player.space_id, viewer)) if found else None


def _dearest(
    dear: dict[tuple[int, int], engine.Loss], space: int, viewer: Viewer
) -> list[tuple[ShownDeal, engine.Rated]]:
    """Return the dearest of these cards, by deal and step, with their deals as the space describes them."""
    first = sorted(dear, key=lambda at: -dear[at].points)[:DEAREST]
    found = deals_by_id([pk for pk, _ in first], Filters(space=space), viewer, ("sheet",))
    deals = {deal.pk: deal for deal in found}
    return [
        (deals[pk], engine.rated(deals[pk].record, engine.Hindsight(step, (dear[pk, step],)))[0])
        for pk, step in first
        if pk in deals
    ]
