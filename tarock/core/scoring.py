"""The score sheet: lines with their clauses, and the counting of the cards. Totals are sums of lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from tarock.core.cards import names, value


class ScoreLine(NamedTuple):
    """One line of the score sheet, as the engine calculated it."""

    clause: str
    """Slug of the clause that the line follows from."""
    points: dict[str, int]
    """Game points or chips by seat."""
    quantity: dict[str, Any]
    """Values that the points were calculated from: card points, rate, factor, level …"""
    sentences: tuple[str, ...]
    """Stable keys of the clause's sentences that describe the calculation."""
    events: tuple[int, ...] = ()
    """Numbers of the events that earned the points, from 0."""


class Note(NamedTuple):
    """A remark next to the score sheet: a bonus that nearly scored, or an announcement that failed."""

    clause: str  # clause that would have scored
    kind: str  # key of the clause's sentence
    values: dict[str, Any]  # values for the sentence
    events: tuple[int, ...] = ()  # 0-based numbers of the decisive events


class Happening(NamedTuple):
    """A public consequence of the rules: a card turned up, handed over, owed or lost."""

    event: int
    """Number of the event that caused the consequence, from 0."""
    clause: str
    """Slug of the clause that the consequence follows from."""
    kind: str
    """Stable key of the clause's sentence for the consequence."""
    values: dict[str, Any]
    """Values for the sentence; seats and cards are codes."""


class CountedPart(TypedDict):
    """Cards that a side counted, and their origin."""

    what: str
    """Origin of the cards: `tricks`, `discards`, `talon`, `kept` (a Fool that its player keeps although the
    trick was lost) or `exchange` (the card handed over for a Fool)."""
    seat: str | None
    """Seat that the cards belong to; null if they belong to no seat."""
    cards: list[str]
    """Codes of the cards."""


class Counting(NamedTuple):
    """How one side's cards add up to its card points."""

    side: str
    """Side that the cards count for: a role or a seat."""
    seats: tuple[str, ...]
    """Seats on the side."""
    parts: tuple[CountedPart, ...]
    """Cards of the side, by origin."""
    cards: int
    """Number of cards."""
    value: int
    """Sum of the card values, with blanks as 1."""
    threes: int
    """Number of full sets of three; 0 if cards are counted in pairs."""
    pairs: int
    """Number of full pairs if cards are counted in pairs, else 0."""
    rest: int
    """Number of cards left over."""
    points: int
    """Card points of the side."""
    scheme: str
    """Way of counting: `threes`, `twos` or `singly`."""

    def as_json(self) -> dict[str, Any]:
        """Return the counting as plain values."""
        return self._asdict() | {"seats": list(self.seats), "parts": [dict(part) for part in self.parts]}


def in_threes(cards: int) -> int:
    """Return the card points of a set counted in threes: the sum of the values with blanks as 1, less 2 for
    each full set of three cards, and less 1 if one or two cards are left over.

    >>> from tarock.core.cards import bits, pack
    >>> in_threes(bits(["SK", "S7", "H1"])), in_threes(bits(["SK"])), in_threes(pack(54)), in_threes(pack(78))
    (5, 4, 70, 78)
    """
    return _threes(value(cards), cards.bit_count())


def _threes(total: int, count: int) -> int:
    return total - 2 * (count // 3) - (1 if count % 3 else 0)


def in_twos(cards: int) -> int:
    """Return the card points of a set counted in pairs: the sum of the values with blanks as 1, less 1 for
    each full pair.

    >>> from tarock.core.cards import bits
    >>> in_twos(bits(["SK", "HK"])), in_twos(bits(["SK", "S7"])), in_twos(bits(["S7", "S8", "S9"]))
    (9, 5, 2)
    """
    return _twos(value(cards), cards.bit_count())


def _twos(total: int, count: int) -> int:
    return total - count // 2


def counting(
    side: str, seats: Iterable[str], parts: Sequence[tuple[str, str | None, int]], scheme: str
) -> Counting:
    """Count the cards of a side. `parts`: tuples of (origin, seat, cards as a bit set)."""
    cards = 0
    for _, _, part in parts:
        cards |= part
    count = cards.bit_count()
    total = value(cards)
    by_twos = scheme == "twos"
    points = _threes(total, count) if scheme == "threes" else _twos(total, count) if by_twos else total
    return Counting(
        side,
        tuple(seats),
        tuple([{"what": what, "seat": seat, "cards": names(part)} for what, seat, part in parts if part]),
        count,
        total,
        0 if by_twos else count // 3,
        count // 2 if by_twos else 0,
        count % (2 if by_twos else 3),
        points,
        scheme,
    )


def multiples(sides: Mapping[str, str], winning: str) -> dict[str, int]:
    """Return, for each seat, how many times it gets (or, if negative, pays) the amount that a side wins. With
    two against two, each loser pays one winner. A lone player pays, or is paid by, each of the other players
    (`taroky.settlement`). `sides`: seat → side; `winning`: the side that wins.

    >>> multiples({"A": "bidder", "B": "opponents", "C": "opponents", "D": "bidder"}, "bidder")
    {'A': 1, 'B': -1, 'C': -1, 'D': 1}
    >>> multiples({"A": "opponents", "B": "bidder", "C": "opponents", "D": "opponents"}, "opponents")
    {'A': 1, 'B': -3, 'C': 1, 'D': 1}
    """
    winners = list(sides.values()).count(winning)
    losers = len(sides) - winners
    gain = losers if winners == 1 else 1
    loss = -winners if losers == 1 else -1
    return {seat: gain if side == winning else loss for seat, side in sides.items()}


def from_each(winner: str, seats: Iterable[str], amount: int) -> dict[str, int]:
    """Return the points by seat if each other seat pays `amount` to `winner` or, if it is negative, gets it.

    >>> from_each("B", "ABC", 5)
    {'A': -5, 'B': 10, 'C': -5}
    """
    points = dict.fromkeys(seats, -amount)
    points[winner] = amount * (len(points) - 1)
    return points


def add_up(seats: Iterable[str], lines: Iterable[ScoreLine]) -> dict[str, int]:
    """Return the score of each seat: the sum of the lines."""
    score = dict.fromkeys(seats, 0)
    for line in lines:
        for seat, points in line.points.items():
            score[seat] += points
    return score
