"""A whole deal on one sheet of A4: its contents, and the size of type that makes them fit.

A browser cannot be told to shrink a text until it fits a page without a script. So the lines are counted
here, and a class name of the sheet gives its size of type.
"""

from __future__ import annotations

import itertools
import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import tarock.replay
from archive.models import Deal
from replays import words
from replays.deal.facts import facts
from replays.deal.faults import placed
from replays.deal.sheet import Line, lines
from replays.names import Names
from replays.verdicts import Verdict, verdict
from tarock import naming, sentences
from tarock.cards import in_hand_order
from tarock.move_list import MoveGroup, move_groups
from tarock.position import Position, TakenTrick, Trick
from tarock.remarks import Remark
from tarock.table import Table
from tarock.table_page import Fact, Role, seat_roles

PAGE_WIDTH, PAGE_HEIGHT = 188.0, 275.0
"""Room on the sheet within its margins, in mm; a little less than there is."""
SIZES = (10.0, 9.2, 8.4, 7.6, 6.8, 6.0, 5.2)
"""Sizes of type in points, one for each class ``size-0``, ``size-1`` … of the style sheet."""
POINT = 25.4 / 72


@dataclass(frozen=True, slots=True)
class PrintedSuit:
    """The cards of one suit in a hand: the sign once, then the ranks."""

    sign: str
    letter: str
    cards: str


@dataclass(frozen=True, slots=True)
class PrintedHand:
    """Cards with their title: a hand, a pile, the talon."""

    seat: str
    name: str
    suits: list[PrintedSuit]
    piles: list[list[str]] = field(default_factory=list)
    """Straw men, each from the top card down."""


@dataclass(frozen=True, slots=True)
class PrintedPlay:
    """A card in the table of tricks."""

    short: str
    suit: str
    says: str
    leads: bool
    wins: bool
    wrong: bool
    """Whether it breaks a rule."""


@dataclass(frozen=True, slots=True)
class PrintedTrick:
    """A row of the table of tricks: a cell for each seat that plays, with its card; with two, where the
    second broke a rule."""

    number: int
    cells: list[list[PrintedPlay]]
    value: int | None
    """The card points that it added to the tricks of all seats, counted as the game counts."""
    happenings: list[Remark]
    """The happenings in it."""


@dataclass(frozen=True, slots=True)
class PrintedSeat:
    """A seat with its player, roles, tricks and scores."""

    letter: str
    name: str
    roles: list[Role]
    plays: bool
    tricks: int
    card_points: str
    """Those of the tricks, and after a plus those of the discards."""
    points: str
    claim: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Everything on the sheet."""

    seats: list[PrintedSeat]
    hands: list[PrintedHand]
    bidding: list[MoveGroup]
    """The moves before the play, by phase."""
    tricks: list[PrintedTrick]
    played: list[str]
    lines: list[Line]
    scored: bool
    claimed: bool
    verdict: Verdict
    finding: str
    wrong: int
    """The step that broke a rule, where the sheet ends; 0 without one."""
    facts: list[Fact]
    size: int

    @property
    def players(self) -> list[PrintedSeat]:
        """The seats that play in this deal: the columns of the table of tricks."""
        return [seat for seat in self.seats if seat.plays]


def _suits(codes: Iterable[str], game: str) -> list[PrintedSuit]:
    """Cards written suit by suit: ``XX V I``, ``♠ K J 10``."""
    suits = []
    for suit, cards in itertools.groupby(in_hand_order(codes), key=lambda code: code[0]):
        short = [words.card_short(code, game) for code in cards]
        sign = naming.SUIT_SIGNS.get(suit, "")
        suits.append(PrintedSuit(sign, suit, " ".join(card.removeprefix(sign) for card in short)))
    return suits


def _hands(start: Position) -> list[PrintedHand]:
    game, players = start.game, start.players
    hands = [
        PrintedHand(
            seat,
            players[seat],
            _suits(hand.cards or (), game),
            [
                [words.card_short(code, game) for code in pile.cards or ()]
                for where, pile in start.piles.items()
                if where.startswith(f"{seat}/")
            ],
        )
        for seat, hand in start.hands.items()
    ]
    if start.talon.count:
        hands.append(PrintedHand("", words.talon(game), _suits(start.talon.cards or (), game)))
    return hands


class _Taken:
    """The card points that lie in the tricks of each seat, as the game counts them, after each trick."""

    def __init__(self) -> None:
        self.points: list[dict[str, int]] = [{}]

    def look(self, table: Table) -> None:
        """Count the tricks of the table after one more event."""
        if len(table.tricks) >= len(self.points):
            self.points.append({seat: table.count_points(table.taken[seat]) for seat in table.active})

    @property
    def worth(self) -> list[int]:
        """The points that each trick added."""
        sums = [sum(points.values()) for points in self.points]
        return [after - before for before, after in itertools.pairwise(sums)]

    def card_points(self, seat: str, points: int) -> str:
        """A seat's card points: ``40``, or with its discards ``40 + 8``."""
        taken = self.points[-1].get(seat, 0)
        return str(points) if points == taken else f"{taken} + {points - taken}"


def _tricks(end: Position, groups: Iterable[MoveGroup], worth: Iterable[int]) -> list[PrintedTrick]:
    game, last = end.game, end.last
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
                short=words.card_short(play.card, game),
                suit=play.card[0],
                says=words.qualifier(play.says, game) if play.says else "",
                leads=play.seat == trick.leader,
                wins=play.seat == winner,
                wrong=play is broken,
            )
            cells.setdefault(play.seat, []).append(printed)
        tricks.append(
            PrintedTrick(trick.number, list(cells.values()), value, happenings.get(trick.number, []))
        )
    return tricks


def sheet(deal: Deal) -> Sheet:
    """The sheet of a deal; of one that breaks a rule, up to what broke it."""
    record = deal.record
    start = tarock.replay.position(record, 0)
    end = tarock.replay.position(record, tarock.replay.last_step(record))
    claim = deal.representative.claimed or {}
    taken = _Taken()
    outline = tarock.replay.outline(record, look=taken.look)[: end.step]
    fault = next(tarock.replay.unjudged(record), None)
    if fault is not None:
        outline.append(fault[1])
    letters, names = Names(record.game, {}), Names(record.game, record.players)
    seats = [
        PrintedSeat(
            letter=seat.seat,
            name=words.seat_name(seat),
            roles=seat_roles(seat.seat, end, names.language),
            plays=seat.seat in end.active,
            tricks=end.won.get(seat.seat, 0),
            card_points=taken.card_points(seat.seat, end.points.get(seat.seat, 0)),
            points=words.points(seat.points),
            claim=words.points(claim.get(seat.seat)),
        )
        for seat in deal.seats
    ]
    # Seats by their letters: names stand above once, and may be long.
    groups = move_groups(outline, letters)
    page = Sheet(
        seats=seats,
        hands=_hands(start),
        bidding=[group for group in groups if group.trick is None],
        tricks=_tricks(fault[0] if fault else end, groups, taken.worth),
        played=sentences.heading(deal.checked.facts, letters) if deal.score is not None else [],
        lines=lines(deal.lines, letters),
        scored=deal.score is not None,
        claimed=bool(claim),
        verdict=verdict(deal.representative.verdict),
        finding=placed(deal.finding, record, names),
        wrong=fault[0].step if fault else 0,
        facts=facts(deal, names),
        size=0,
    )
    fits = (n for n, points in enumerate(SIZES) if _height(page, points) <= PAGE_HEIGHT)
    return replace(page, size=next(fits, len(SIZES) - 1))


# --- its height ---------------------------------------------------------------------------------------------


def _wide(text: str) -> float:
    """The approximate width of a text in ems: Latin letters a good half, Japanese ones a whole."""
    return sum(1.02 if unicodedata.east_asian_width(c) in "WF" else 0.56 for c in text)


def line_count(text: str, room: float) -> int:
    """The lines that a text takes in a column of ``room`` ems."""
    return max(1, math.ceil(_wide(text) / room))


def _height(page: Sheet, points: float) -> float:
    """The height in mm that the sheet needs at a size of type. A line is 1.35 ems high, a row of a table 1.6,
    a section has 2.2 for its title and the space before it."""
    em = points * POINT
    room = PAGE_WIDTH / em
    people = "; ".join(f"X {s.name}: {', '.join(r.label for r in s.roles)}" for s in page.seats)
    facts = "; ".join(f"{fact.name}: {fact.value}" for fact in page.facts)
    ems = 6.5 + 1.35 * (
        line_count(people, room) + line_count(facts, room) + line_count(page.verdict.meaning, room)
    )
    ems += 1.35 * line_count(page.finding, room) + 1.2 if page.finding else 0
    # Hands: the names in a column of their own.
    ems += 2.2
    for hand in page.hands:
        cards = "  ".join(f"{suit.sign} {suit.cards}" for suit in hand.suits)
        cards += "   ".join("1: " + " ".join(pile) for pile in hand.piles)
        ems += 1.45 * line_count(cards, room - NAME_EMS - 2)
    for group in page.bidding:
        spoken = "  ".join(f"{move.seat} {move.short}" for move in group.moves)
        ems += 1.45 * line_count(spoken, room - NAME_EMS - 2)
        ems += _happening_ems(group.happenings, room - NAME_EMS - 2)
    ems += 2.2 if page.bidding else 0
    # Tricks: a head, one row each, the sums.
    calls = any(play.says for trick in page.tricks for cell in trick.cells for play in cell)
    ems += 2.2 + 1.6 * 4 + 1.6 * len(page.tricks) if page.tricks else 0
    ems += 1.6 if calls else 0
    ems += sum(_happening_ems(trick.happenings, room - 4) for trick in page.tricks)
    # The score: what is left of the width beside a column for each seat.
    if page.scored:
        column = room - SEAT_EMS * len(page.seats) - 1.5
        ems += 2.2 + 1.6 * (2 + page.claimed) + 1.35 * line_count("; ".join(page.played), room)
        ems += sum(0.25 + 1.35 * line_count(_score_words(line), column) for line in page.lines)
        ems += sum(1.6 for line in page.lines if line.accounts)
    return (ems + 3.5) * em


NAME_EMS = 11.0
"""The column of names and phases in the style sheet, in ems."""
SEAT_EMS = 4.2
"""The column of a seat in the score."""


def _happening_ems(remarks: Iterable[Remark], room: float) -> float:
    return sum(1.45 * line_count(f"{remark.text} [{remark.clause}]", room) for remark in remarks)


def _score_words(line: Line) -> str:
    title = line.clause.title if line.clause else line.slug
    return f"{title}  {line.reckoning}"
