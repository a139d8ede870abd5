"""The fixed facts of a game: seats, pack, sizes, words, and the points that decide it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Literal, NamedTuple

SEATS = "ABCDEFGH"
Direction = Literal["clockwise", "anticlockwise"]
"""Direction in which the seats follow each other around the table."""

Arguments = Literal["none", "card", "cards", "card or word", "words", "items"]
"""Kind of arguments that a verb takes: none; a card, never another word; cards in any order; a card or a word
of the game; words; announcement items."""


class Threshold(NamedTuple):
    """The card points that decide an ordinary deal: the number of `points` that a `side` needs (None: each
    seat) out of the `of` card points in the pack, and the `clause` that says so."""

    points: int
    of: int
    side: str | None
    clause: str


class Seating(NamedTuple):
    """The seating of one deal: all seats and the active ones, in the order of play from A on; seat → next
    seat; forehand; the number of tricks; and leader → the seats in the order in which they play to the trick,
    even for a seat that may not lead. All records of one game, size and dealer share one seating, so it is
    read-only."""

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

    `seats`: allowed numbers of seats; `pack`: number of cards in the pack; `direction`: direction of play,
    only used for pictures; `hands`, `talon`: sizes of a hand and of the talon, by number of seats; `piles`:
    number of face-down piles per seat, each of `pile_size` cards; `ordered_talon`: whether the order of the
    talon matters; `verbs`: verb of an event → kind of its arguments, which is the same in all games; `items`:
    announcement items in the order of the game's tables; `sits_out`: how many places after the dealer a seat
    sits out, by number of seats; `deal_clauses`: clause on dealing by number of seats, if it is not the
    game's `deal`; `stock`: number of cards that are not dealt and stay face down to the end, by number of
    seats; `usual`: default number of seats, if it is not the smallest; `own_accounts`: numbers of seats with
    which players don't pay each other, so that scores need not add up to 0; `difference`: clause whose score
    line subtracts the lowest account from all accounts; `threshold`: card points that decide an ordinary
    deal; `main`: clauses that settle the game itself, while every other score line is a bonus;
    `handing_over`: clauses that decide whether cards of won tricks change hands, so that their happenings
    explain the counting.
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
        """Total card points of the pack."""
        return self.threshold.of

    @property
    def usual_seats(self) -> int:
        """Default number of seats at a table."""
        return self.usual or self.seats[0]

    def deal_clause(self, number: int) -> str:
        """Return the slug of the clause on dealing at a table of `number` seats."""
        return self.deal_clauses.get(number, f"{self.id}.deal")

    def zero_sum(self, number: int) -> bool:
        """Whether the scores at a table of `number` seats add up to 0."""
        return number not in self.own_accounts

    def seat_letters(self, number: int) -> tuple[str, ...]:
        """Return the seat letters of a table of `number` seats, in the order of play."""
        return tuple(SEATS[:number])

    def seating(self, number: int, dealer: str) -> Seating:
        """Return the seating at a table of `number` seats with this dealer."""
        return _seating(self, number, dealer)

    def places(self, number: int, dealer: str) -> tuple[tuple[str, int], ...]:
        """Return the places of the deal and their sizes: seats in order, then piles, then the talon."""
        return _places(self, number, dealer)


# Every record needs both functions, and their results depend only on game, number of seats and dealer.
# Without the caches, reading a record takes 10 µs longer.
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
