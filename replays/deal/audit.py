"""What the audit page of a deal shows: the stored score, line by line, what nearly scored, and which slip
explains a disputed claim; or where and why a record breaks a rule."""

from __future__ import annotations

from dataclasses import dataclass

from archive.models import Deal
from replays.cards import Face, faces, in_hand_order, pack
from replays.deal import commentary
from replays.deal.address import Address
from replays.deal.commentary import Remark
from replays.deal.countings import CountedSide, countings
from replays.deal.faults import Fault, fault
from replays.deal.position import Position, table
from replays.deal.sheet import Sheet, sheet
from replays.deal.story import Story
from replays.sentences import Names
from tarock import position as engine


@dataclass(frozen=True, slots=True)
class Difference:
    """Claim and result of one seat, side by side."""

    seat: str
    player: str
    claim: int | None
    result: int | None

    @property
    def difference(self) -> int | None:
        """What the claim has too much."""
        return None if self.claim is None or self.result is None else self.claim - self.result


@dataclass(frozen=True, slots=True)
class Claim:
    """What was written down beside what the rules give, and the slips that would explain it."""

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
    """What happened that explains the countings."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """The audit of a deal that is not sound: its fault, and the position at it."""

    fault: Fault
    illegal: bool
    """Whether something was done that breaks a rule; else the record ends too early."""
    hand: list[Face]
    """What the seat in question holds."""
    position: Position

    @property
    def step(self) -> int:
        """The step of the replay that shows it: a wrong card lies on the table."""
        return self.position.step + self.illegal


def audit(story: Story) -> Score | Wrong:
    """The audit of a deal."""
    deal = story.deal
    found = fault(deal.finding, story.record)
    if found is None:
        return _score(story)
    state = story.state(Address(found.event))
    return Wrong(found, deal.verdict == "illegal", _hand(deal, state), table(state))


def _hand(deal: Deal, state: engine.Position) -> list[Face]:
    finding = deal.finding
    hand = state.hands.get((finding and finding.seat) or state.turn or "")
    legal = {choice.partition("(")[0] for choice in (finding and finding.legal) or ()}
    return faces(in_hand_order(hand.cards or () if hand else ()), pack(deal.game), legal)


def _score(story: Story) -> Score:
    deal = story.deal
    names = Names(deal.game, deal.players)
    return Score(
        claim=_claim(deal) if deal.representative.verdict == "disputed" else None,
        sheet=sheet(story),
        notes=commentary.notes(story.notes, names),
        countings=countings(story.checked.countings, deal.players, deal.game),
        handed_over=commentary.happenings(story.checked.handed_over, names),
    )


def _claim(deal: Deal) -> Claim:
    written, given, players = deal.representative.claimed or {}, deal.score or {}, deal.players
    return Claim(
        [Difference(seat, player, written.get(seat), given.get(seat)) for seat, player in players.items()],
        commentary.explanations(deal.lines, given, written, players),
        bool(given),
    )
