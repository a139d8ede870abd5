"""The constants of a game: seats, pack, hand and talon sizes, verbs, and the card points needed to win."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Literal, NamedTuple

from tarock.core.cards import KINGS, TAROCKS, TRULL, UNKNOWN, bits
from tarock.core.options import Options

SEATS = "ABCDEFGH"
UNKNOWN_GAME = "?"
"""Id of the game in the total of an evening if nobody knows what was played."""

Direction = Literal["clockwise", "anticlockwise"]
"""Direction in which the turn passes around the table."""

Arguments = Literal["none", "card", "cards", "card or word", "words", "items"]
"""Kind of arguments that a verb takes: none, one card, cards in any order, a card or a word defined by the
game, words, or announcement items."""


class Threshold(NamedTuple):
    """The card points that decide who wins an ordinary deal."""

    points: int  # card points needed to win
    of: int  # card points in the pack
    side: str | None  # side that needs these points; None if each seat does
    clause: str  # clause that sets the number


class Shape(NamedTuple):
    """The numbers that players count in a hand: tarocks, honours and Kings."""

    tarocks: int
    honours: int
    kings: int


class Seating(NamedTuple):
    """The seating of a deal. It is read-only, because many records share the same instance."""

    seats: tuple[str, ...]  # all seats, in the order of play from A
    active: tuple[str, ...]  # the seats that take part, in the same order
    next: Mapping[str, str]  # seat → next active seat
    forehand: str
    tricks: int
    #: Leader → seats in the order of play in a trick. Includes seats that can lead only in illegal records.
    turns: Mapping[str, tuple[str, ...]]

    @property
    def dealer(self) -> str:
        """The dealer's seat, which is the seat before forehand."""
        return self.seats[self.seats.index(self.forehand) - 1]


@dataclass(frozen=True, eq=False)
class GameInfo:
    """The constants of a game, which are the same for all its deals."""

    id: str
    name: str
    description: str
    seats: tuple[int, ...]  # allowed numbers of seats
    pack: int  # number of cards
    direction: Direction  # direction of play, used only to draw the table
    hands: dict[int, int]  # number of seats → size of a hand
    talon: dict[int, int]  # number of seats → size of the talon
    verbs: dict[str, Arguments]  # verb → kind of its arguments; each verb has the same kind in all games
    threshold: Threshold  # card points that decide an ordinary deal
    main: frozenset[str]  # clauses that settle the game itself; all others settle bonuses
    #: Clauses that move a card from one seat's tricks to another's. Their happenings help explain a counting.
    handing_over: frozenset[str] = frozenset()
    #: Clauses that settle a Pagat in the last trick.
    ultimo: frozenset[str] = frozenset()
    items: tuple[str, ...] = ()  # announcement items, in canonical order
    rules: type[Options] = Options  # the options that the game has
    piles: int = 0  # number of face-down piles per seat
    pile_size: int = 0  # number of cards in each pile
    ordered_talon: bool = False  # whether the order of the talon matters
    #: Number of seats → slug of the clause about dealing, if it is not the game's `deal` clause.
    deal_clauses: dict[int, str] = field(default_factory=dict)
    #: Number of seats → distance from the dealer to the seat that sits out.
    sits_out: dict[int, int] = field(default_factory=dict)
    #: Number of seats → number of cards that are never dealt and stay face down.
    stock: dict[int, int] = field(default_factory=dict)
    usual: int = 0  # default number of seats, if it is not the smallest
    #: Table sizes at which players don't pay each other, so that their scores need not add up to 0.
    own_accounts: tuple[int, ...] = ()
    difference: str = ""  # clause whose score line subtracts the lowest account from all accounts
    #: The cards that count as tarocks, as honours and as Kings in a hand, as bit sets.
    counted: tuple[int, int, int] = (TAROCKS, TRULL, KINGS)

    @property
    def points(self) -> int:
        """Total card points of the pack."""
        return self.threshold.of

    @property
    def usual_seats(self) -> int:
        """Default number of seats at a table."""
        return self.usual or self.seats[0]

    def deal_clause(self, number: int) -> str:
        """Return the slug of the clause about dealing at a table of `number` seats."""
        return self.deal_clauses.get(number, f"{self.id}.deal")

    def zero_sum(self, number: int) -> bool:
        """Return whether the scores at a table of `number` seats always add up to 0."""
        return number not in self.own_accounts

    def may_leave_rest(self, number: int) -> bool:
        """Return whether the points of `number` players need not add up to 0. If the game has no table of
        this size, the players sat at several tables, or took turns at one."""
        sizes = (number,) if number in self.seats else self.seats
        return not any(map(self.zero_sum, sizes))

    def shape(self, hand: Collection[str]) -> Shape | None:
        """Return the shape of a hand of cards; None if a card is unknown."""
        mask = bits(hand)
        return None if UNKNOWN in hand else Shape(*[(mask & cards).bit_count() for cards in self.counted])

    def seat_letters(self, number: int) -> tuple[str, ...]:
        """Return the seat letters of a table of `number` seats, in the order of play."""
        return tuple(SEATS[:number])

    def is_ordered(self, place: str) -> bool:
        """Return whether the order of the cards in a place of the deal matters."""
        return "/" in place or (place == "talon" and self.ordered_talon)

    # Cache both results, because every record needs them: without the caches, reading a record takes 10 µs
    # longer. The caches keep instances alive (B019), which is harmless, because games are never freed.
    @cache  # noqa: B019
    def seating(self, number: int, dealer: str) -> Seating:
        """Return the seating of a deal at a table of `number` seats with this dealer."""
        seats = self.seat_letters(number)
        at = seats.index(dealer)
        after = self.sits_out.get(number)
        active = tuple(s for i, s in enumerate(seats) if after is None or i != (at + after) % number)
        following = {s: active[(i + 1) % len(active)] for i, s in enumerate(active)}
        turns = {}
        for i, leader in enumerate(seats):
            others = [s for s in seats[i + 1 :] + seats[:i] if s in active]
            turns[leader] = (leader, *others[: len(active) - 1])
        tricks = self.hands[number] + self.piles * self.pile_size
        forehand = seats[(at + 1) % number]
        return Seating(seats, active, MappingProxyType(following), forehand, tricks, MappingProxyType(turns))

    @cache  # noqa: B019
    def places(self, number: int, dealer: str) -> tuple[tuple[str, int], ...]:
        """Return the places of a deal in order (seats, piles, talon), each with its number of cards."""
        active = self.seating(number, dealer).active
        rows = [(s, self.hands[number]) for s in active]
        rows += [(f"{s}/{p}", self.pile_size) for s in active for p in range(1, self.piles + 1)]
        if self.talon[number]:
            rows.append(("talon", self.talon[number]))
        return tuple(rows)


NO_GAME = GameInfo(
    UNKNOWN_GAME, "", "", (), 0, "clockwise", {}, {}, {}, Threshold(0, 0, None, ""), frozenset()
)
"""The constants of an unknown game. Only the total of an evening can have it."""
