"""The audit page of a deal: the stored score, line by line, what nearly scored, and which slip explains a
disputed claim; or where and why a record breaks a rule."""

from __future__ import annotations

from dataclasses import dataclass

import tarock.analysis.position
from archive.access import Viewer
from archive.shown import ShownDeal
from replays.deal import commentary
from replays.deal.address import Address
from replays.deal.analysis import Analysis, analysis_of
from replays.deal.commentary import Remark
from replays.deal.countings import CountedSide, countings
from replays.deal.sheet import Sheet, sheet
from replays.language.cards import pack
from replays.language.names import Names
from tarock.core.cards import in_hand_order
from tarock.view.cards import Face, faces
from tarock.view.finding import FindingView
from tarock.view.table import TableView, table_view


@dataclass(frozen=True, slots=True)
class Difference:
    """Claim and result of one seat, side by side."""

    seat: str
    player: str
    claim: int | None
    result: int | None

    @property
    def difference(self) -> int | None:
        """The points that the claim has too many."""
        return None if self.claim is None or self.result is None else self.claim - self.result


@dataclass(frozen=True, slots=True)
class Claim:
    """The score written down beside that of the rules, and the slips that would explain it."""

    rows: list[Difference]
    slips: list[Remark]
    scored: bool


@dataclass(frozen=True, slots=True)
class Score:
    """The audit of a deal that has a score."""

    claim: Claim | None
    """None where the claim is not disputed."""
    sheet: Sheet
    notes: list[Remark]
    countings: list[CountedSide]
    handed_over: list[Remark]
    """Happenings that explain the countings."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """The audit of a deal that is not sound: its finding, and the position at it."""

    finding: FindingView
    illegal: bool
    """Whether an event breaks a rule; else the record ends too early."""
    hand: list[Face]
    """The hand of the seat in question."""
    position: TableView

    @property
    def step(self) -> int:
        """The step of the replay that shows it: a wrong card lies on the table."""
        return self.position.step + self.illegal


def audit(deal: ShownDeal, viewer: Viewer) -> Score | Wrong:
    """The audit of a deal."""
    analysis, names = analysis_of(deal), Names(deal.game, deal.players)
    finding = deal.finding
    if finding is None or finding.event is None:
        return _score(deal, analysis, names, viewer)
    state = analysis.state(Address(finding.event))
    view = FindingView(finding, names, analysis.record)
    return Wrong(view, deal.verdict == "illegal", _hand(deal, state), table_view(state, names))


def _hand(deal: ShownDeal, state: tarock.analysis.position.Position) -> list[Face]:
    finding = deal.finding
    hand = state.hands.get((finding and finding.seat) or state.turn or "")
    legal = {choice.partition("(")[0] for choice in (finding and finding.legal) or ()}
    return faces(in_hand_order(hand.cards or () if hand else ()), pack(deal.game), legal)


def _score(deal: ShownDeal, analysis: Analysis, names: Names, viewer: Viewer) -> Score:
    check = analysis.check
    return Score(
        claim=claimed(deal, names) if deal.contribution.verdict == "disputed" else None,
        sheet=sheet(deal, check.facts, names, viewer),
        notes=commentary.notes(analysis.notes, names),
        countings=countings(check.countings, names),
        handed_over=commentary.happenings(check.handed_over, names),
    )


def claimed(deal: ShownDeal, names: Names) -> Claim:
    """The score written down for a deal beside its score by the rules."""
    claim, score = deal.contribution.claimed or {}, deal.score or {}
    return Claim(
        [
            Difference(seat, player, claim.get(seat), score.get(seat))
            for seat, player in names.players.items()
        ],
        commentary.explanations(deal.lines, score, claim, names, deal.record if deal.is_sheet else None),
        bool(score),
    )
