"""The input and output of the kernel that solves endings faster than `analysis.endings` (`archive/kernel`).

The kernel knows cards, tricks and the rules in `SpecialCards`. Its prices are a table that the
game's `settle` fills: a row for each way in which the deal can end, a column for each number of card points.
A caller runs the kernel (`Kernel`), because the engine has no WebAssembly of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce
from operator import or_
from typing import Any

from tarock.analysis import endings
from tarock.analysis.endings import Ending, Limit, Search, play_out, worth
from tarock.core.cards import CARDS, FOOL, PAGAT, SUITS, VALUE, indices
from tarock.core.outcome import Points
from tarock.core.record import Event
from tarock.core.table import Table

#: Most cards and most numbers of card points that fit into the kernel.
_CARDS, _POINTS = 64, 128
_OK = 0
#: Most cards that a search may play, and binary logarithm of the number of entries in its table.
NODES, BITS = 40_000_000, 18
#: The same for the engine, which takes a hundred times as long.
ENGINE_NODES = 400_000

Kernel = Callable[[list[int], int, int], Iterable[int]]
"""Function that runs the kernel: input, most cards that it may play, and bits of its table → output."""


class Task:
    """A position for the kernel: its input, and the meaning of its output."""

    def __init__(self, table: Table, played: list[Event]) -> None:
        self.table, self.played, self.search = table, played, Search(table, None, None)
        self.cards = indices(self.search.live)
        self.end: Any = play_out(table, played).outcome()
        self.special = table.special_rules()
        self.prices = self._prices() if self.special and len(self.cards) <= _CARDS else []

    @property
    def fits(self) -> bool:
        """Whether the kernel can solve the position: it knows all special rules of the deal, and more card
        points never bring a lower price (as under some house rules)."""
        return (
            bool(self.prices)
            and len(self.search.reach) <= _POINTS
            and all(row == sorted(row) for row in self.prices)
        )

    def solve(self, kernel: Kernel, nodes: int = NODES, engine_nodes: int = ENGINE_NODES) -> Ending:
        """Solve the position with the kernel or, if it can't, with the engine's own search of at most
        `engine_nodes` nodes. Raise Limit if it takes too long."""
        if self.fits:
            return self.ending(kernel(self.words, nodes, BITS))
        return endings.solve(self.table, self.played, nodes=engine_nodes)

    def _prices(self) -> list[list[int]]:
        """Return the price of each way to end, by card points: Pagat in the last trick (no, won, lost) and
        side with all tricks (none, ours, theirs). Ways that are no longer possible have no prices."""
        assert self.special is not None
        search, table = self.search, self.table
        owners = [row.owner for row in self.end.points]
        other = next(owner for owner in owners if owner != search.side)
        total = self.end.TOTAL
        holder = self._holder(PAGAT) if self.special.ultimo else None
        won = {seat in search.own for seat, number in table.won.items() if number}
        rows = []
        for ultimo in (None, True, False):
            for sweep, side in ((None, None), (search.side, True), (other, False)):
                row = [0] * len(search.reach)
                if (ultimo is None or holder) and (sweep is None or won <= {side}):
                    for n, own in enumerate(search.reach):
                        points = tuple([Points(o, own if o == search.side else total - own) for o in owners])
                        last = None if ultimo is None or holder is None else (holder, ultimo)
                        outcome = table.imagined(self.end, points, sweep, last)
                        row[n] = worth(table, search.seat, outcome)
                rows.append(row)
        return rows

    def _holder(self, card: int) -> str | None:
        """Return the seat that holds a card or has just played it; None if it is in a finished trick."""
        held = [seat for seat, hand in self.table.hands.items() if hand >> card & 1]
        laid = zip(self.table.trick_seats, self.table.trick, strict=True) if self.table.trick else ()
        return next(iter([*held, *(seat for seat, token in laid if token == CARDS[card])]), None)

    @property
    def words(self) -> list[int]:
        """The input of the kernel (`read` in kernel.c)."""
        table, search, special = self.table, self.search, self.special
        assert special is not None
        number = {seat: n for n, seat in enumerate(table.active)}
        roles = {PAGAT: special.ultimo, FOOL: 2 * special.withhold}
        least = [
            min((VALUE[card] for card in indices(reduce(or_, [table.taken[s] for s in seats]))), default=0)
            for seats in (search.own, search.foes)
        ]
        return [
            len(number),
            sum(1 << number[seat] for seat in search.own),
            number[search.seat],
            len(table.trick),
            table.total - len(table.tricks),
            search.units(table),
            search.together,
            any(table.won[seat] for seat in search.own) + 2 * any(table.won[seat] for seat in search.foes),
            -1 if special.hold is None else number[special.hold],
            special.withhold,
            -1 if special.dead is None else number[special.dead],
            *least,
            worth(table, search.seat, self.end),
            len(self.cards),
            search.reach[0],
            len(search.reach),
            *(
                SUITS.index(CARDS[card][0])
                | VALUE[card] << 3
                | roles.get(card, 0) << 6
                | number[self._holder(card) or ""] << 8
                for card in self.cards
            ),
            *(self.cards.index(CARDS.index(token)) for token in table.trick),
            *(price for row in self.prices for price in row),
        ]

    def ending(self, output: Iterable[int]) -> Ending:
        """Return the values that the kernel found. Raise Limit if it reached its limit."""
        status, nodes, choices, *rest = output
        if status != _OK:
            raise Limit
        tokens = [CARDS[card] for card in self.cards]
        values = {
            tokens[card]: value
            for card, value in zip(rest[: 2 * choices : 2], rest[1 : 2 * choices : 2], strict=True)
        }
        table, line = self.table.fork(), []
        for card in rest[2 * choices :]:
            event = (str(table.turn), "play", tokens[card])
            table.apply(event)
            line.append(event)
        return Ending(self.table.step, self.search.seat, values, tuple(line), None, nodes)
