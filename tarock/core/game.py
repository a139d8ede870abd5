"""The fixed facts of a game: seats, pack, sizes, words, and the points that decide it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Literal, NamedTuple

SEATS = "ABCDEFGH"
Direction = Literal["clockwise", "anticlockwise"]
"""The way round the table in which seats follow each other."""

Arguments = Literal["none", "card", "cards", "card or word", "words", "items"]
"""The kind of a verb's arguments: a card, and no other word; cards in any order; a card, or a word of the
game; words; announcement items."""


class Threshold(NamedTuple):
    """The card points that decide an ordinary deal: `points` of the `of` in the pack, needed by a `side`
    (None for every seat alike), and the clause."""

    points: int
    of: int
    side: str | None
    clause: str


class Seating(NamedTuple):
    """The seating of one deal: all seats and the active ones, in the order of play from A on; seat → next
    seat; forehand; the number of tricks; and leader → the seats of his trick, even for a leader who may not
    lead. All records of one game, size and dealer share one seating, so it is read-only."""

    seats: tuple[str, ...]
    active: tuple[str, ...]
    next: Mapping[str, str]
    forehand: str
    tricks: int
    turns: Mapping[str, tuple[str, ...]]

    @property
    def dealer(self) -> str:
        """The seat before forehand."""
        return self.seats[self.seats.index(self.forehand) - 1]


@dataclass(frozen=True, eq=False)
class GameInfo:
    """The fixed facts of a game.

    `seats`: the numbers of seats allowed; `pack`: cards in the pack; `direction`: the way round the table,
    for pictures only; `hands` and `talon`: sizes by number of seats; `piles`: face-down piles per seat, each
    of `pile_size`; `ordered_talon`: whether the order of the talon matters; `verbs`: the verbs of its events,
    each with the kind of its arguments, the same in all games; `items`: announcement items in the order of
    the game's tables; `sits_out`: by number of seats, how far after the dealer the seat that sits out is;
    `deal_clauses`: the clause of the deal by number of seats, if it is not the game's `deal`; `stock`: by
    number of seats, the number of cards that are not dealt and stay face down to the end; `usual`: the
    default number of seats, if it is not the smallest; `own_accounts`: the numbers of seats with which nobody
    pays another, so that scores need not add up to 0; `difference`: the clause whose line subtracts the
    lowest account from all; `threshold`: the card points that decide an ordinary deal; `main`: the clauses
    that settle the game itself, every other score line being a bonus; `handing_over`: the clauses by which
    cards of won tricks change hands, or do not, so that their happenings explain the counting.
    """

    id: str
    name: str
    description: str
    seats: tuple[int, ...]
    pack: int
    direction: Direction
    hands: dict[int, int]
    talon: dict[int, int]
    verbs: dict[str, Arguments]
    threshold: Threshold
    main: frozenset[str]
    handing_over: frozenset[str] = frozenset()
    items: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    piles: int = 0
    pile_size: int = 0
    ordered_talon: bool = False
    deal_clauses: dict[int, str] = field(default_factory=dict)
    sits_out: dict[int, int] = field(default_factory=dict)
    stock: dict[int, int] = field(default_factory=dict)
    usual: int = 0
    own_accounts: tuple[int, ...] = ()
    difference: str = ""

    @property
    def points(self) -> int:
        """The card points of the pack."""
        return self.threshold.of

    @property
    def usual_seats(self) -> int:
        """The number of seats at a table if none is given."""
        return self.usual or self.seats[0]

    def deal_clause(self, number: int) -> str:
        """The slug of the clause of the deal at a table of `number` seats."""
        return self.deal_clauses.get(number, f"{self.id}.deal")

    def zero_sum(self, number: int) -> bool:
        """Whether the scores at a table of `number` seats add up to 0."""
        return number not in self.own_accounts

    def seat_letters(self, number: int) -> tuple[str, ...]:
        """The seat letters of a table of `number` seats, in the order of play."""
        return tuple(SEATS[:number])

    def seating(self, number: int, dealer: str) -> Seating:
        """The seating at a table of `number` seats with this dealer."""
        return _seating(self, number, dealer)

    def places(self, number: int, dealer: str) -> tuple[tuple[str, int], ...]:
        """The places of the deal and their sizes: seats in order, then piles, then the talon."""
        return _places(self, number, dealer)


# Every record needs these two; they depend only on game, number of seats and dealer. Without the cache
# reading a record takes 10 µs longer.
@cache
def _seating(info: GameInfo, number: int, dealer: str) -> Seating:
    seats = info.seat_letters(number)
    at = seats.index(dealer)
    after = info.sits_out.get(number)
    active = tuple(s for i, s in enumerate(seats) if after is None or i != (at + after) % number)
    following = {s: active[(i + 1) % len(active)] for i, s in enumerate(active)}
    turns = {}
    for i, leader in enumerate(seats):
        others = [s for s in seats[i + 1 :] + seats[:i] if s in active]
        turns[leader] = (leader, *others[: len(active) - 1])
    tricks = info.hands[number] + info.piles * info.pile_size
    forehand = seats[(at + 1) % number]
    return Seating(seats, active, MappingProxyType(following), forehand, tricks, MappingProxyType(turns))


@cache
def _places(info: GameInfo, number: int, dealer: str) -> tuple[tuple[str, int], ...]:
    active = _seating(info, number, dealer).active
    rows = [(s, info.hands[number]) for s in active]
    rows += [(f"{s}/{p}", info.pile_size) for s in active for p in range(1, info.piles + 1)]
    if info.talon[number]:
        rows.append(("talon", info.talon[number]))
    return tuple(rows)
