"""The audit page: the score of a deal line by line, or the place where a record breaks a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from archive.access import Viewer
from archive.reading.sessions import totals_after
from archive.shown import ShownDeal
from replays.deal.address import Address
from replays.deal.analysis import analysis_of
from replays.deal.countings import CountedSide, counted_side
from replays.deal.score import score_view
from replays.language.cards import pack
from replays.language.names import Names
from tarock.analysis.position import Position
from tarock.analysis.settlements import changed_by_options
from tarock.core.cards import in_hand_order
from tarock.core.findings import Finding
from tarock.view import remark
from tarock.view.cards import Face, faces
from tarock.view.finding import FindingView
from tarock.view.remark import Remark
from tarock.view.score import ScoreView
from tarock.view.table import TableView, table_view


@dataclass(frozen=True)
class ScoreAudit:
    """The audit of a deal with a score, or of a score sheet. Each value is computed when it is used."""

    deal: ShownDeal
    names: Names
    viewer: Viewer

    @cached_property
    def score(self) -> ScoreView:
        """The score, line by line; empty if it can't be computed from the sheet."""
        return score_view(self.deal, self.names)

    @cached_property
    def changed(self) -> dict[int, list[str]]:
        """The options that changed the amount of a line, by number of the line (from 0)."""
        record = self.deal.record
        if not record.options:
            return {}
        rows = changed_by_options(record).items()
        return {number: [record.rules.word(slug) for slug in slugs] for number, slugs in rows}

    @property
    def so_far(self) -> Mapping[str, int]:
        """Each seat's total in the session after this deal; empty if the deal has no session."""
        return totals_after(self.deal, self.viewer)

    @property
    def notes(self) -> list[Remark]:
        """Remarks on near misses and failed announcements."""
        return remark.notes(analysis_of(self.deal).notes, self.names)

    @cached_property
    def countings(self) -> list[CountedSide]:
        rows = analysis_of(self.deal).deal.checked.countings
        return [counted_side(row, self.names) for row in rows]

    @property
    def handed_over(self) -> list[Remark]:
        """Remarks that explain the countings: a Fool kept in exchange for a card, or lost."""
        return remark.happenings(analysis_of(self.deal).deal.checked.handed_over, self.names)


@dataclass(frozen=True)
class FaultAudit:
    """The audit of a deal with a fault: the finding, and the position at the event that it concerns."""

    deal: ShownDeal
    names: Names
    fault: Finding

    @property
    def finding(self) -> FindingView:
        """The finding as text."""
        return FindingView(self.fault, self.names, self.deal.record)

    @property
    def illegal(self) -> bool:
        """Whether an event breaks a rule; otherwise the record ends too early."""
        return self.deal.verdict == "illegal"

    @cached_property
    def _state(self) -> Position:
        return analysis_of(self.deal).state(Address(self.fault.event or 0))

    @cached_property
    def position(self) -> TableView:
        """The table at the event that the finding concerns."""
        return table_view(self._state, self.names)

    @property
    def hand(self) -> list[Face]:
        """The hand of the seat that the finding concerns, with the legal cards marked."""
        hand = self._state.hands.get(self.fault.seat or self._state.turn or "")
        legal = {choice.partition("(")[0] for choice in self.fault.legal or ()}
        return faces(in_hand_order(hand.cards or () if hand else ()), pack(self.deal.game), legal)

    @property
    def step(self) -> int:
        """The step of the replay that shows the finding. At this step, an illegal card is already on the
        table."""
        return self.position.step + self.illegal
