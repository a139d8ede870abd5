"""The values for the printed page of a deal."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from archive.shown import ShownDeal
from replays.deal.facts import facts
from replays.deal.score import score_view
from replays.language import words
from replays.language.names import Names
from replays.language.verdicts import verdict
from tarock.analysis import replay
from tarock.analysis.position import Position, TakenTrick, Trick
from tarock.core.cards import in_hand_order
from tarock.core.table import Table
from tarock.view.finding import FindingView
from tarock.view.moves import MoveGroup, move_groups
from tarock.view.remark import Remark
from tarock.view.table import Role, seat_roles
from tarock.words import names as naming


@dataclass(frozen=True, slots=True)
class PrintedHand:
    """Cards with a title: a hand, a pile, or the talon."""

    seat: str
    name: str
    suits: list[tuple[str, str, str]]
    """The cards suit by suit: the sign and the letter of the suit, and the ranks."""
    piles: list[list[str]] = field(default_factory=list)
    """The straw men, each from the top card down."""


@dataclass(frozen=True, slots=True)
class PrintedPlay:
    """A card in the table of tricks."""

    short: str
    suit: str
    says: str
    leads: bool
    wins: bool
    wrong: bool
    """Whether the play breaks a rule."""


@dataclass(frozen=True, slots=True)
class PrintedTrick:
    """A row of the table of tricks. A cell has two cards if the second card broke a rule."""

    number: int
    cells: list[list[PrintedPlay]]
    value: int | None
    """Card points that the trick added to the sum over all seats, as the game counts them."""
    happenings: list[Remark]
    """Remarks on events in the trick."""


@dataclass(frozen=True, slots=True)
class PrintedSeat:
    """A seat with its player, roles, tricks and scores."""

    letter: str
    name: str
    points: str
    claim: str
    roles: list[Role] = field(default_factory=list)
    tricks: int = 0
    card_points: str = ""
    """The card points of the tricks, followed by those of the discards after a plus sign."""


def _suits(codes: Iterable[str], names: Names) -> list[tuple[str, str, str]]:
    """Return cards suit by suit, as in `XX V I`, `♠ K J 10`."""
    suits = []
    for suit, cards in itertools.groupby(in_hand_order(codes), key=lambda code: code[0]):
        short = [naming.card_short(names.words, code) for code in cards]
        sign = naming.SUIT_SIGNS.get(suit, "")
        suits.append((sign, suit, " ".join(card.removeprefix(sign) for card in short)))
    return suits


def _hands(start: Position, names: Names) -> list[PrintedHand]:
    hands = [
        PrintedHand(
            seat,
            start.players[seat],
            _suits(hand.cards or (), names),
            [
                [naming.card_short(names.words, code) for code in pile.cards or ()]
                for where, pile in start.piles.items()
                if where.startswith(f"{seat}/")
            ],
        )
        for seat, hand in start.hands.items()
    ]
    if start.talon.count:
        talon = naming.label(names.words.get("talon", ""))
        hands.append(PrintedHand("", talon, _suits(start.talon.cards or (), names)))
    return hands


class _Taken:
    """The card points in each seat's tricks after each trick, as the game counts them."""

    def __init__(self) -> None:
        self.points: list[dict[str, int]] = [{}]

    def look(self, table: Table) -> None:
        """Record each seat's points if the last event completed a trick."""
        if len(table.tricks) >= len(self.points):
            self.points.append({seat: table.count_points(table.taken[seat]) for seat in table.active})

    @property
    def worth(self) -> list[int]:
        """The points that each trick added."""
        sums = [sum(points.values()) for points in self.points]
        return [after - before for before, after in itertools.pairwise(sums)]

    def card_points(self, seat: str, points: int) -> str:
        """Return a seat's card points as `40`, or as `40 + 8` if its discards have points."""
        taken = self.points[-1].get(seat, 0)
        return str(points) if points == taken else f"{taken} + {points - taken}"


def _tricks(
    end: Position, groups: Iterable[MoveGroup], worth: Iterable[int], names: Names
) -> list[PrintedTrick]:
    last = end.last
    happenings = {group.trick: group.happenings for group in groups}
    begun = end.trick
    rows: list[TakenTrick | Trick] = [*end.tricks]
    if begun and begun.plays:
        rows.append(begun)
    tricks = []
    broken = begun.plays[-1] if begun and last and last.verb == "play" and not end.judged else None
    for trick, value in itertools.zip_longest(rows, worth):
        winner = trick.winner if isinstance(trick, TakenTrick) else None
        cells: dict[str, list[PrintedPlay]] = {seat: [] for seat in end.active}
        for play in trick.plays:
            printed = PrintedPlay(
                short=naming.card_short(names.words, play.card),
                suit=play.card[0],
                says=naming.qualifier(names.words, play.says) if play.says else "",
                leads=play.seat == trick.leader,
                wins=play.seat == winner,
                wrong=play is broken,
            )
            cells.setdefault(play.seat, []).append(printed)
        tricks.append(
            PrintedTrick(trick.number, list(cells.values()), value, happenings.get(trick.number, []))
        )
    return tricks


def sheet(deal: ShownDeal) -> dict[str, Any]:
    """Return the values for the printed page of a deal. If an event breaks a rule, the page ends there. Only
    deals with cards have hands, bidding and tricks.

    `players`: the seats that play, as columns of the table of tricks; `bidding`: the moves before the play;
    `score`: the score with seat letters instead of names; `wrong`: the step that broke a rule, or 0.
    """
    record = deal.record
    claim = deal.contribution.claimed or {}
    letters, names = Names(record.game, {}), Names(record.game, record.players)
    played, seated = _played(deal, letters, names) if deal.is_played else (_NOTHING, {})
    seats = [
        PrintedSeat(
            letter=seat.seat,
            name=words.seat_name(seat),
            points=words.points(seat.points, deal.unit),
            claim=words.points(claim.get(seat.seat), deal.unit),
            **seated.get(seat.seat, {}),
        )
        for seat in deal.seats
    ]
    return {
        **played,
        "seats": seats,
        "players": [seat for seat in seats if seat.letter in deal.active],
        "score": score_view(deal, letters),
        "scored": deal.has_score,
        "verdict": verdict(deal.contribution.verdict, is_sheet=deal.is_sheet),
        "finding": FindingView(deal.finding, names, record) if deal.finding else None,
    }


_NOTHING: dict[str, Any] = {"hands": [], "bidding": [], "tricks": [], "wrong": 0, "facts": []}


def _played(
    deal: ShownDeal, letters: Names, names: Names
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the values of the play, and those of each seat."""
    record = deal.record
    start = replay.position(record, 0)
    end = replay.position(record, replay.last_step(record))
    taken = _Taken()
    outline = replay.outline(record, look=taken.look)[: end.step]
    fault = next(replay.unjudged(record), None)
    if fault is not None:
        outline.append(fault[1])
    # Use seat letters, because names may be long and are already printed at the top.
    groups = move_groups(outline, letters)
    played = {
        "hands": _hands(start, letters),
        "bidding": [group for group in groups if group.trick is None],
        "tricks": _tricks(fault[0] if fault else end, groups, taken.worth, letters),
        "wrong": fault[0].step if fault else 0,
        "facts": facts(deal, names),
    }
    seats = {
        seat.seat: {
            "roles": seat_roles(seat.seat, end, names.language),
            "tricks": end.won.get(seat.seat, 0),
            "card_points": taken.card_points(seat.seat, end.points.get(seat.seat, 0)),
        }
        for seat in deal.seats
    }
    return played, seats
