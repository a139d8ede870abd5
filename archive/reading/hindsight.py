"""The hindsight of stored deals: what the cards cost with all cards open."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from archive.kernel.solver import NODES_AT_ONCE, Solver
from archive.models import Hindsight
from archive.shown import ShownDeal
from archive.storing import hindsight as storing
from tarock.analysis import endings
from tarock.analysis import hindsight as engine
from tarock.analysis.endings import Ending

WAITING, OFF = "waiting", "off"
"""Why a deal has no hindsight, in addition to the reasons of `tarock.analysis.endings`: a worker has not
computed it yet; its club doesn't show it."""


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

    @property
    def turning_points(self) -> list[engine.Rated]:
        """The cards that decided most, the most important first."""
        return sorted((card for card in self.cards if card.rank), key=lambda card: card.rank)

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
    """Return the hindsight of a deal. If it is not computed yet, ask a worker for it. One query."""
    found = DealHindsight(deal, Hindsight.objects.filter(pk=deal.pk).first())
    if found.why == WAITING:
        storing.ask(deal.pk)
    return found
