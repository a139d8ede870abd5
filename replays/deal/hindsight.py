"""The hindsight of a deal on its pages: what its cards cost with all cards open, and its turning points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from django.utils.translation import gettext_lazy

from archive.reading.hindsight import WAITING, DealHindsight, hindsight_of
from archive.rules import Rules
from archive.shown import ShownDeal
from replays.deal.chart import Chart
from replays.language.names import Names
from tarock.analysis import endings
from tarock.analysis.hindsight import Rated
from tarock.words import sentences

BARS = 28
"""Height of the bars, in SVG units."""

REASONS = {
    WAITING: gettext_lazy("It will be calculated soon."),
    endings.EACH_FOR_HIMSELF: gettext_lazy("Where each plays for themselves, best play is not defined."),
    endings.CARDS_UNKNOWN: gettext_lazy("Some cards are not known."),
    endings.LIMIT: gettext_lazy("There are too many possibilities."),
}


class Cost(NamedTuple):
    """A card that cost something. `step`: the step of the replay that shows it on the table."""

    step: int
    seat: str
    player: str
    card: str
    suit: str
    loss: int
    best: str
    best_suit: str
    rank: int
    clause: str


class Bar(NamedTuple):
    """The bar of a card below the chart, in SVG units."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class HindsightView:
    """The hindsight of a deal, for its pages."""

    found: DealHindsight
    names: Names

    @property
    def why_not(self) -> str:
        """Why nothing was calculated; empty if it was."""
        return str(REASONS.get(self.found.why or "", ""))

    @cached_property
    def costs(self) -> list[Cost]:
        """The cards that cost something, in the order of play."""
        return [cost_of(self.found.deal, card, self.names) for card in self.found.cards if card.loss]

    @property
    def turning_points(self) -> list[Cost]:
        """The cards that decided most, in the order of play."""
        return [cost for cost in self.costs if cost.rank]

    @property
    def tricks(self) -> int:
        """Number of last tricks that were analysed, at least in part."""
        seats = len(self.found.deal.active)
        return -(-len(self.found.cards) // seats)

    @cached_property
    def by_step(self) -> Mapping[int, int]:
        """The cost of cards, by the step that shows them on the table."""
        return {cost.step: cost.loss for cost in self.costs}

    def bars(self, chart: Chart) -> list[Bar]:
        """Return a bar for each card that cost something, below its trick in the chart."""
        most = max(self.by_step.values(), default=1)
        bars, before = [], 0
        for column in chart.columns:
            steps = [card.step + 1 for card in self.found.cards if before < card.step + 1 <= column.step]
            for number, step in enumerate(steps):
                if loss := self.by_step.get(step):
                    width, height = column.width / len(steps), max(2.0, BARS * loss / most)
                    bars.append(Bar(column.left + number * width, BARS - height, width * 0.8, height))
            before = column.step
        return bars


def cost_of(deal: ShownDeal, card: Rated, names: Names) -> Cost:
    """Return a card of a deal in words."""
    short, best = (
        sentences.event_sentence("play", (choice,), names, "short") for choice in (card.card, card.best)
    )
    return Cost(
        card.step + 1,
        card.seat,
        deal.players[card.seat],
        short,
        card.card[0],
        card.loss,
        best,
        card.best[0],
        card.rank,
        card.clause,
    )


def costs_by_rules(found: Mapping[Rules, tuple[ShownDeal, Rated]]) -> dict[Rules, tuple[ShownDeal, Cost]]:
    """Return the cards of deals in words, by rules, each with its deal."""
    return {
        rules: (deal, cost_of(deal, card, Names(deal.game, deal.players)))
        for rules, (deal, card) in found.items()
    }


def hindsight_view(deal: ShownDeal, names: Names) -> HindsightView | None:
    """Return the hindsight of a deal. Return None if the deal was not played to its end by the rules, or if
    its club shows no hindsight."""
    if not deal.is_played or deal.verdict != "verified" or deal.contribution.space.hides_hindsight:
        return None
    return HindsightView(hindsight_of(deal), names)
