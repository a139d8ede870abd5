"""What the audit page of a deal shows: the stored score, line by line, what nearly scored, and which slip
explains a disputed claim; or where and why a record breaks a rule."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import tarock.audit
import tarock.replay
from archive import selectors
from archive.models import Deal
from replays import presenters, sentences
from replays.deal import commentary
from replays.presenters import Cell, CountingView, Difference, Face, Fault, Line, Position, Remark
from replays.sentences import Names
from tarock import position as engine


@dataclass(frozen=True, slots=True)
class Claim:
    """What was written down beside what the rules give, and the slips that would explain it."""

    rows: list[Difference]
    slips: list[Remark]
    scored: bool


@dataclass(frozen=True, slots=True)
class Sheet:
    """The score sheet as it is stored."""

    deal: int
    players: Mapping[str, str]
    played: list[str]
    """What was played: contract, declarer, called card …"""
    lines: list[Line]
    total: list[Cell]
    session: int | None
    so_far: list[Cell]
    """The sums of the session up to this deal; empty where there are none."""
    engine_version: str


@dataclass(frozen=True, slots=True)
class Score:
    """The audit of a deal that has a score."""

    claim: Claim | None
    """None where the claim is not disputed."""
    sheet: Sheet
    notes: list[Remark]
    countings: list[CountingView]


@dataclass(frozen=True, slots=True)
class Wrong:
    """The audit of a deal that is not sound: its fault, and the position at it."""

    fault: Fault
    illegal: bool
    """Whether something was done that breaks a rule; else the record ends too early."""
    hand: list[Face]
    """What the seat in question holds."""
    position: Position


def audit(deal: Deal) -> Score | Wrong:
    """The audit of a deal."""
    fault = presenters.fault(deal.finding, deal.record)
    return _score(deal) if fault is None else _wrong(deal, fault)


def _wrong(deal: Deal, fault: Fault) -> Wrong:
    state = tarock.replay.position(deal.record, fault.event)
    return Wrong(fault, deal.verdict == "illegal", _hand(deal, state), presenters.table(state))


def _hand(deal: Deal, state: engine.Position) -> list[Face]:
    finding = deal.finding
    hand = state.hands.get((finding and finding.seat) or state.turn or "")
    legal = {choice.partition("(")[0] for choice in (finding and finding.legal) or ()}
    return presenters.faces(presenters.in_hand_order(hand.cards or () if hand else ()), deal.game, legal)


def _score(deal: Deal) -> Score:
    names = Names(deal.game, deal.players)
    return Score(
        claim=_claim(deal) if deal.lead.verdict == "disputed" else None,
        sheet=sheet(deal),
        notes=commentary.notes(tarock.audit.notes(deal.record), names),
        countings=presenters.countings(deal.checked.countings, deal.players, deal.game),
    )


def _claim(deal: Deal) -> Claim:
    claim, players = deal.lead.claimed, deal.players
    return Claim(
        presenters.differences(claim, deal.score, players),
        commentary.explanations(deal.lines, deal.score, claim, players),
        bool(deal.score),
    )


def sheet(deal: Deal) -> Sheet:
    """The score sheet of a deal that has a score."""
    players, score, names = deal.players, deal.score or {}, Names(deal.game, deal.players)
    return Sheet(
        deal=deal.pk,
        players=players,
        played=sentences.heading(deal.checked.facts, names),
        lines=presenters.lines(deal.lines, list(players), names),
        total=[Cell(seat, score.get(seat)) for seat in players],
        session=deal.lead.session_id,
        so_far=[Cell(seat, points) for seat, points in selectors.totals_after(deal).items()],
        engine_version=deal.engine_version,
    )
