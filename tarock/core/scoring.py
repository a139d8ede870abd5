"""The score sheet: lines with their clauses, and the counting of the cards. Totals are sums of lines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from tarock.core.cards import names, value


class ScoreLine(NamedTuple):
    """One line of the score sheet, as the engine wrote it."""

    clause: str
    """Slug of the clause that made the line."""
    points: dict[str, int]
    """Seat → game points or chips."""
    quantity: dict[str, Any]
    """The values that it was calculated from: card points, rate, factor, level …"""
    sentences: tuple[str, ...]
    """Stable words for the clause's sentences that make up the calculation."""
    events: tuple[int, ...] = ()
    """The events that earned it, from 0."""


class Note(NamedTuple):
    """A remark next to the score sheet on something that nearly scored, or failed.

    `clause`: the clause that would have scored; `kind`: the key of its sentence; `values`: the values of the
    sentence; `events`: 0-based numbers of the decisive events.
    """

    clause: str
    kind: str
    values: dict[str, Any]
    events: tuple[int, ...] = ()


class Happening(NamedTuple):
    """A public consequence of the rules: a card turned up, handed over, owed, lost."""

    event: int
    """Number of the event that brought it about, from 0."""
    clause: str
    """Slug of the clause that it follows from."""
    kind: str
    """A stable word for what it is, one of the clause's."""
    values: dict[str, Any]
    """The values in the sentence: seats and cards by their codes."""


class CountedPart(TypedDict):
    """Cards that a side counted, and their origin."""

    what: str
    """`tricks`, `discards`, `talon`; `kept`, a Fool whose player keeps it though its trick was lost;
    `exchange`, the card handed over for it."""
    seat: str | None
    """The seat they belong to; null if they belong to no seat."""
    cards: list[str]
    """Which."""


class Counting(NamedTuple):
    """How the cards of one side were counted."""

    side: str
    """The side: a role, or a seat."""
    seats: tuple[str, ...]
    """The seats on it."""
    parts: tuple[CountedPart, ...]
    """The origins of its cards."""
    cards: int
    """How many cards."""
    value: int
    """Their values added up, blanks as 1."""
    threes: int
    """Full sets of three; 0 where cards are counted by twos."""
    pairs: int
    """Number of full pairs if cards are counted in pairs, else 0."""
    rest: int
    """Cards left over."""
    points: int
    """The card points."""
    scheme: str
    """`threes`, `twos` or `singly`."""

    def as_json(self) -> dict[str, Any]:
        """The counting as plain values."""
        return self._asdict() | {"seats": list(self.seats), "parts": [dict(part) for part in self.parts]}


def in_threes(cards: int) -> int:
    """The card points of a set counted in threes: the values with blanks as 1, less 2 for each full set of
    three cards, less 1 more if one or two cards are left over.

    >>> from tarock.core.cards import bits, pack
    >>> in_threes(bits(["SK", "S7", "H1"])), in_threes(bits(["SK"])), in_threes(pack(54)), in_threes(pack(78))
    (5, 4, 70, 78)
    """
    return _threes(value(cards), cards.bit_count())


def _threes(total: int, count: int) -> int:
    """The card points of `count` cards, given the sum of their values."""
    return total - 2 * (count // 3) - (1 if count % 3 else 0)


def in_twos(cards: int) -> int:
    """The card points of a set counted by twos: the values with blanks as 1, less 1 for each full pair.

    >>> from tarock.core.cards import bits
    >>> in_twos(bits(["SK", "HK"])), in_twos(bits(["SK", "S7"])), in_twos(bits(["S7", "S8", "S9"]))
    (9, 5, 2)
    """
    return _twos(value(cards), cards.bit_count())


def _twos(total: int, count: int) -> int:
    """The card points of `count` cards counted by twos, given the sum of their values."""
    return total - count // 2


def counting(
    side: str, seats: Iterable[str], parts: Sequence[tuple[str, str | None, int]], scheme: str
) -> Counting:
    """The counting of a side from its parts `(what, seat, cards as a bit set)`."""
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
    """Seat → how many times it gets (or, negative, pays) the amount that a side wins: with two against two,
    one pays one; a lone player gets from, or pays to, each of the others (`taroky.settlement`). `sides`:
    seat → side.

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
    """Seat → points, when one seat gets `amount` from each of the others (or pays it, if negative).

    >>> from_each("B", "ABC", 5)
    {'A': -5, 'B': 10, 'C': -5}
    """
    points = dict.fromkeys(seats, -amount)
    points[winner] = amount * (len(points) - 1)
    return points


def add_up(seats: Iterable[str], lines: Iterable[ScoreLine]) -> dict[str, int]:
    """The score of each seat: the sum of the lines."""
    score = dict.fromkeys(seats, 0)
    for line in lines:
        for seat, points in line.points.items():
            score[seat] += points
    return score
