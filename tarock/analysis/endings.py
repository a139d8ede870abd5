"""Endings: what each legal card of a position is worth if both sides then play best with all cards open.

The value of a card is the settlement of the seat on turn, in the units of the score. With two players it is
the difference of their scores. Deals in which each plays for himself have no such values.

The search asks one question again and again: can the side of the seat on turn get the price x or more? For
given facts of a deal (`Table.outcome` without the card points), a price is reached from a number of card
points on. So the answer at the start of a trick is a number: the points that the side needs to have there.
The transposition table stores bounds of this number, which deals with different points so far can share.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Hashable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import chain
from operator import or_
from time import monotonic
from typing import Any

from tarock.analysis.fold import fold
from tarock.core.cards import BEATS, CARDS, VALUE, bits, indices, value
from tarock.core.findings import Illegal
from tarock.core.outcome import Outcome, Points
from tarock.core.record import Event, Record
from tarock.core.scoring import ScoreLine, add_up
from tarock.core.table import Table

#: Tricks left in the position that `ending` takes by default.
TRICKS = 6
#: Why a position has no values.
EACH_FOR_HIMSELF, NOT_IN_PLAY, CARDS_UNKNOWN, ILLEGAL, LIMIT = (
    "each-for-himself",
    "not-in-play",
    "cards-unknown",
    "illegal",
    "limit",
)
#: A number of points that no deal reaches.
_NEVER = 1 << 20
#: Number of cards that are counted together (`Counting.scheme`).
_TOGETHER = {"singly": 1, "twos": 2, "threes": 3}
#: Number of positions between two looks at the clock.
_CLOCK = 256


@dataclass(frozen=True, slots=True)
class Ending:
    """The values of the choices in one position."""

    step: int | None
    """Number of events before the position; None if the deal has no such position."""
    seat: str | None
    """Seat on turn."""
    values: dict[str, int] | None
    """Argument of `play` → value of the card; None if there are no values."""
    best: tuple[Event, ...] | None
    """One line of best play to the end of the deal."""
    why: str | None
    """Why there are no values."""
    nodes: int = 0
    """Number of cards that the search played."""

    def as_json(self) -> dict[str, Any]:
        """Return the ending as the command line prints it."""
        best = None if self.best is None else [list(event) for event in self.best]
        exact = self.values is not None
        return {
            "step": self.step,
            "seat": self.seat,
            "values": self.values,
            "best": best,
            "exact": exact,
            "why": self.why,
        }


Solver = Callable[[Table, list[Event]], Ending]
"""Function that solves a position: table, events that followed in the deal → values. It may raise Limit."""


class Limit(Exception):
    """The search reached its limit of positions or of time."""


class _Uneven(Exception):
    """More card points would bring a lower price, so that no number of points is enough (house rules)."""


def solve(
    table: Table, played: list[Event], *, nodes: int | None = None, seconds: float | None = None
) -> Ending:
    """Return the values of the choices at a table that has them. `played`: the events that followed in the
    deal, whose settlement is a good first guess. `nodes`, `seconds`: limits of the search. Raise Limit if it
    reaches one of them."""
    search = Search(table, nodes, None if seconds is None else monotonic() + seconds)
    guess = worth(table, search.seat, play_out(table, played).outcome())
    try:
        values, best = search.solve(guess)
    except _Uneven:
        search.by_points = True
        search.table.clear()
        values, best = search.solve(guess)
    return Ending(table.step, table.turn, values, tuple(best), None, search.nodes)


def ending(
    record: Record,
    step: int | None = None,
    tricks: int = TRICKS,
    solver: Solver = solve,
) -> Ending:
    """Return the values of the choices after `step` events or, without `step`, in the first position with
    `tricks` tricks left. A negative `step` counts from the end."""
    number, table, why = position(record, step, tricks)
    if table is None or why:
        return Ending(number, table.turn if table else None, None, None, why)
    try:
        return solver(table, record.events[table.step :])
    except Limit:
        return Ending(number, table.turn, None, None, LIMIT)


def position(
    record: Record, step: int | None = None, tricks: int = TRICKS
) -> tuple[int | None, Table | None, str | None]:
    """Return a position of a record (see `ending`): the number of events before it, the table, and the reason
    why it has no values, if there is one."""
    if not record.is_played:
        return None, None, NOT_IN_PLAY
    if step is None:
        step = _first_with(record, tricks)
    elif step < 0:
        step += len(record.events) + 1
    if step is None or not 0 <= step <= len(record.events):
        return None, None, NOT_IN_PLAY
    done = fold(record, step)
    table = done.table
    if done.illegal:
        return step, None, ILLEGAL
    if table.phase != "play":
        return step, table, NOT_IN_PLAY
    if not sides_of(table):
        return step, table, EACH_FOR_HIMSELF
    return step, table, CARDS_UNKNOWN if table.partial else None


def _first_with(record: Record, tricks: int) -> int | None:
    """Return the step of the first position with a number of tricks left; None if there is none."""
    table = fold(record).table
    before = table.total - tricks
    if 0 < before < len(table.tricks):
        return table.tricks[before].event
    if before == len(table.tricks) and not table.over and table.phase == "play":
        return table.step - len(table.trick)
    return table.tricks[0].event if table.tricks and not before else None


def sides_of(table: Table) -> dict[str, str]:
    """Return the side of each seat in a deal with two sides; empty if each plays for himself."""
    if len(table.active) == 2:
        return {seat: seat for seat in table.active}
    sides = table.known_sides(None)
    return sides if len(set(sides.values())) == 2 else {}


def choices(table: Table) -> list[str]:
    """Return all choices of the seat on turn, as arguments of `play`."""
    assert table.turn is not None
    return [token for card in indices(table.playable(table.turn)) for token in table.tokens(card)]


def worth(table: Table, seat: str, outcome: Outcome) -> int:
    """Return what an outcome is worth to a seat: its score, less the other's if there are two players."""
    score = add_up(table.active, table.settle(outcome))
    return score[seat] - (sum(score.values()) - score[seat] if len(score) == 2 else 0)


def play_out(table: Table, played: Sequence[Event]) -> Table:
    """Return the table at the end of the deal, with the first legal cards where no cards were played."""
    end = table.fork()
    with suppress(Illegal):
        end.play_cards(played)
    while not end.over:
        end.play(next(end.single_moves()))
    return end


def settled(table: Table, line: Sequence[Event]) -> tuple[str, list[ScoreLine]]:
    """Return the result at the end of a line, and the lines of the score sheet."""
    end = play_out(table, line)
    outcome: Any = end.outcome()
    return outcome.result, list(end.settle(outcome))


class Search:
    """The search for the values of one position."""

    def __init__(self, root: Table, nodes: int | None, until: float | None) -> None:
        assert root.turn is not None
        self.root, self.seat, self.most, self.until = root, root.turn, nodes, until
        self.nodes = 0
        sides = sides_of(root)
        self.side = sides[self.seat]
        self.own = [seat for seat in root.active if sides[seat] == self.side]
        self.foes = [seat for seat in root.active if sides[seat] != self.side]
        self.of_side = frozenset(self.own)
        self.together = _TOGETHER[root.scheme]
        piles = chain.from_iterable(cards for cards, _ in root.visible_piles().values())
        #: Cards that are not in a finished trick, a discard or the stock.
        self.live = reduce(or_, root.hands.values(), root.trick_set | bits(piles))
        self.gone = reduce(or_, root.taken.values())
        self.roles = root.roles()
        #: Points of the side's cards outside its tricks.
        (count,) = [one for one in root.countings() if one.side == self.side]
        units = self.together * count.value - (self.together - 1) * count.cards
        self.put_by = units - self._weigh(self._taken(root))
        # A card that is owed for a Fool changes hands although it is in a finished trick.
        owed = 5 * self.together if root.special_cards() & self.gone else 0
        least, most = max(0, units - owed), units + self._weigh(self.live) + owed
        #: Card points that the side can have at the end.
        self.reach = range(self._points(least), self._points(most) + 1)
        self.by_points = False  # whether the number of points so far is part of a position
        self.table: dict[Hashable, list[int]] = {}  # position at the start of a trick → bounds
        self.first: dict[Hashable, str] = {}  # the same → card that was best the last time
        #: Facts of an outcome → its prices by card points, and whether the points add up as usual.
        self.prices: dict[Hashable, list[int]] = {}
        self.enough: dict[Hashable, int] = {}  # facts and price → points needed for the price
        self.known: list[int] = []  # all prices that were found so far, in ascending order

    # -- card points ---------------------------------------------------------------------------------

    def _weigh(self, cards: int) -> int:
        """Return the points of cards in units that can be added up: parts of a card point if several cards
        are counted together."""
        return self.together * value(cards) - (self.together - 1) * cards.bit_count()

    def _points(self, units: int) -> int:
        """Return the card points that units make together."""
        return (units + (self.together > 1)) // self.together

    def _taken(self, table: Table) -> int:
        return reduce(or_, [table.taken[seat] for seat in self.own])

    def units(self, table: Table) -> int:
        """Return what the side has so far."""
        return self.put_by + self._weigh(self._taken(table))

    # -- prices --------------------------------------------------------------------------------------

    def needed(self, table: Table, units: int, price: int) -> int:
        """Return the units that the side needs for a price, given the other facts of a finished deal."""
        outcome: Any = table.outcome()
        facts = tuple([getattr(outcome, name) for name in outcome.fields() if name != "points"])
        points = outcome.points[0 if outcome.points[0].owner == self.side else 1].points
        usual = self._points(units) == points
        key = facts if usual else (facts, points)
        if key not in self.prices:
            self._add_prices(key, outcome, self.reach if usual else range(points, points + 1))
        if not usual or self.by_points:
            paid = self.prices[key][points - self.reach[0] if usual else 0]
            return -_NEVER if paid >= price else _NEVER
        found = self.enough.get((key, price))
        if found is None:
            found = self.enough[key, price] = self._enough(self.prices[key], price)
        return found

    def _add_prices(self, key: Hashable, outcome: Any, points: range) -> None:
        total = sum(row.points for row in outcome.points)
        prices = self.prices[key] = []
        for own in points:
            rows = tuple(
                [Points(row.owner, own if row.owner == self.side else total - own) for row in outcome.points]
            )
            prices.append(worth(self.root, self.seat, replace(outcome, points=rows)))
        for price in prices:
            at = bisect_left(self.known, price)
            if self.known[at : at + 1] != [price]:
                self.known.insert(at, price)

    def _enough(self, prices: list[int], price: int) -> int:
        """Return the units from which on all prices are at least `price`."""
        reached = [paid >= price for paid in prices]
        first = reached.index(True) if True in reached else None
        if first is None:
            return _NEVER
        if not all(reached[first:]):
            raise _Uneven
        return self.together * self.reach[first] - (self.together > 1) if first else -_NEVER

    # -- the search ----------------------------------------------------------------------------------

    def reaches(self, table: Table, price: int) -> bool:
        """Return whether the side gets a price or more from here on."""
        units = self.units(table)
        while True:
            # All prices between two known ones are the same question, until another price turns up.
            at = bisect_left(self.known, price)
            asked = self.known[at] if at < len(self.known) else price
            reached = self.visit(table.fork(), units, asked) <= units
            if asked == price or bisect_left(self.known, asked) == at:
                return reached

    def visit(self, table: Table, units: int, price: int) -> int:
        """Return the units that the side needs here for a price: at least as many if that is more than it
        has, at most as many otherwise. The table is used up."""
        if table.over:
            return self.needed(table, units, price)
        key, bounds = None, None
        if not table.trick:
            won = {seat in self.of_side for seat, number in table.won.items() if number}
            key = (price, table.turn, *won, table.past(), *table.hands.values(), self.by_points and units)
            bounds = self.table.get(key)
            if bounds is not None:
                if bounds[1] <= units:
                    return bounds[1]
                if bounds[0] > units:
                    return bounds[0]
        seat = table.turn or ""
        mine = seat in self.of_side
        best = _NEVER if mine else -_NEVER
        moves = self.moves(table)
        if key is not None and len(moves) > 1 and (first := self.first.get(key[1:])):
            moves.sort(key=lambda token: token != first)
        last = moves[-1]
        for token in moves:
            self.nodes += 1
            if self.nodes == self.most or (
                self.until is not None and not self.nodes % _CLOCK and monotonic() > self.until
            ):
                raise Limit
            child = table if token is last else table.fork()
            child.play_cards([(seat, "play", token)])
            if child.trick:
                found = self.visit(child, units, price)
            else:
                after = self.units(child)
                found = self.visit(child, after, price) + units - after
            if mine:
                if found < best:
                    best = found
                    if best <= units:
                        break
            elif found > best:
                best = found
                if best > units:
                    break
        if key is not None:
            if bounds is None:
                bounds = self.table[key] = [-2 * _NEVER, 2 * _NEVER]
            if best <= units:
                bounds[1] = min(bounds[1], best)
            else:
                bounds[0] = max(bounds[0], best)
            if (best <= units) == mine:
                self.first[key[1:]] = token
        return best

    def moves(self, table: Table) -> list[str]:
        """Return the choices of the seat on turn, promising ones first, with one of several equal cards."""
        seat = table.turn
        assert seat is not None
        legal = table.playable(seat)
        if legal & (legal - 1):
            found = self._in_order(table, seat, self._unlike(table, seat, legal))
        else:
            found = indices(legal)
        return [token for card in found for token in table.tokens(card)]

    def _unlike(self, table: Table, seat: str, legal: int) -> list[int]:
        """Return legal cards without those that are equal to a higher one: cards of the same value between
        which nobody else has a card any more."""
        hand = table.hands[seat]
        others = self.live & ~hand & ~reduce(or_, table.taken.values())
        alone = self.roles | table.tops
        found: list[int] = []
        group = -1
        for card in indices(legal):
            if group >= 0 and not (alone >> card & 1 or alone >> group & 1):
                between = (1 << card) - (1 << group)
                if VALUE[card] == VALUE[group] and CARDS[card][0] == CARDS[group][0] and not others & between:
                    group = card
                    continue
            found.append(card)
            group = card
        return found

    def _in_order(self, table: Table, seat: str, cards: list[int]) -> list[int]:
        """Return cards in the order in which the search tries them."""
        foes = self.foes if seat in self.of_side else self.own
        if not table.trick or table.best_seat is None:
            against = reduce(or_, [table.hands[foe] for foe in foes])
            return sorted(cards, key=lambda card: -VALUE[card] if not BEATS[card] & against else VALUE[card])
        beats = BEATS[table.best]
        if table.best_seat not in foes:
            return sorted(cards, key=lambda card: -VALUE[card])
        return sorted(cards, key=lambda card: -9 if beats >> card & 1 else VALUE[card])

    # -- the values ----------------------------------------------------------------------------------

    def solve(self, guess: int) -> tuple[dict[str, int], list[Event]]:
        """Return the values of all choices, and a line of best play."""
        root = self.root
        top = self.value(root, guess, None)
        values = {}
        for token in choices(root):
            child = self.after(root, token)
            values[token] = self.value(child, top, top + 1)
        return values, self.line(top)

    def after(self, table: Table, token: str) -> Table:
        child = table.fork()
        assert table.turn is not None
        child.play_cards(((table.turn, "play", token),))
        return child

    def value(self, table: Table, price: int, below: int | None) -> int:
        """Return the exact value of a position. `price`: a guess; `below`: a price that is not reached."""
        low: int | None = None  # highest price that is known to be reached
        stride, known = 1, self.known
        while True:
            if self.reaches(table, price):
                low = price
            else:
                below = price
            # Every price that can be paid here and was compared with another is among the known ones.
            first = 0 if low is None else bisect_right(known, low)
            end = len(known) if below is None else bisect_left(known, below)
            if low is None:
                price = known[max(0, end - stride)]
            elif below is None:
                price = known[min(first + stride, end) - 1] if first < end else low + 1
            elif first < end:
                price = known[(first + end) // 2]
            else:
                return low
            stride *= 2

    def line(self, value: int) -> list[Event]:
        """Return a line in which each card keeps the value, so that it is best for both sides."""
        table = self.root
        found: list[Event] = []
        while not table.over:
            for token in self.moves(table):
                child = self.after(table, token)
                mine = table.turn in self.of_side
                if self.reaches(child, value) if mine else not self.reaches(child, value + 1):
                    break
            found.append((str(table.turn), "play", token))
            table = child
        return found
