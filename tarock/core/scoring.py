"""The score of a deal: score lines, each for one clause, and the counting of the cards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

from tarock.core.cards import names, value


class ScoreLine(NamedTuple):
    """A line of the score that the engine calculated."""

    clause: str
    """Slug of the clause that the line is based on."""
    points: dict[str, int]
    """Game points or chips that each seat gets; negative if the seat pays."""
    quantity: dict[str, Any]
    """Values from which the points were calculated, such as card points, rate, factor or level."""
    sentences: tuple[str, ...]
    """Stable keys of the clause's sentences that describe the calculation."""
    events: tuple[int, ...] = ()
    """Numbers of the events that earned the points, counted from 0."""


class Note(NamedTuple):
    """A remark on the score, for example that a bonus was narrowly missed or that an announcement failed."""

    clause: str  # clause that would have scored
    kind: str  # key of the clause's sentence
    values: dict[str, Any]  # values for the sentence
    events: tuple[int, ...] = ()  # 0-based numbers of the decisive events


class Happening(NamedTuple):
    """A consequence of the rules that everyone sees, such as a card turned up, handed over, owed or lost."""

    event: int
    """Number of the event that caused the consequence, counted from 0."""
    clause: str
    """Slug of the clause that requires the consequence."""
    kind: str
    """Stable key of the clause's sentence that describes the consequence."""
    values: dict[str, Any]
    """Values to insert into the sentence. Seats and cards are codes."""


class CountedPart(TypedDict):
    """Cards that a side counts, and their origin."""

    what: str
    """Origin of the cards: `tricks`, `discards`, `talon`, `kept` (a Fool that its player keeps, although
    another seat won the trick) or `exchange` (a card received in exchange for a Fool)."""
    seat: str | None
    """Seat that the cards belong to; null for the talon if it belongs to no seat."""
    cards: list[str]
    """Codes of the cards."""


class Counting(NamedTuple):
    """The calculation of a side's card points from its cards."""

    side: str
    """Side that the cards count for: a role such as `bidder`, or a seat that plays alone."""
    seats: tuple[str, ...]
    """Seats on the side."""
    parts: tuple[CountedPart, ...]
    """Cards of the side, grouped by origin and seat."""
    cards: int
    """Number of cards."""
    value: int
    """Sum of the values of the cards, each from 1 to 5."""
    threes: int
    """Number of full sets of three cards; 0 if the cards are counted in pairs."""
    pairs: int
    """Number of full pairs of cards; 0 unless the cards are counted in pairs."""
    rest: int
    """Number of cards left over after the full sets of three or the pairs."""
    points: int
    """Card points of the side."""
    scheme: str
    """Method of counting: in `threes`, in pairs (`twos`), or `singly`."""

    def as_json(self) -> dict[str, Any]:
        """Return the counting as JSON-compatible values."""
        return self._asdict() | {"seats": list(self.seats), "parts": [dict(part) for part in self.parts]}


def in_threes(cards: int) -> int:
    """Return the card points of a set of cards counted in threes: the sum of the values, less 2 for each full
    set of three cards, and less 1 if one or two cards are left over.

    >>> from tarock.core.cards import bits, pack
    >>> in_threes(bits(["SK", "S7", "H1"])), in_threes(bits(["SK"])), in_threes(pack(54)), in_threes(pack(78))
    (5, 4, 70, 78)
    """
    sets, rest = divmod(cards.bit_count(), 3)
    return value(cards) - 2 * sets - (1 if rest else 0)


def in_twos(cards: int) -> int:
    """Return the card points of a set of cards counted in pairs: the sum of the values, less 1 per full pair.

    >>> from tarock.core.cards import bits
    >>> in_twos(bits(["SK", "HK"])), in_twos(bits(["SK", "S7"])), in_twos(bits(["S7", "S8", "S9"]))
    (9, 5, 2)
    """
    return value(cards) - cards.bit_count() // 2


#: Method of counting (`Counting.scheme`) → function that returns the card points of a set of cards.
SCHEMES = {"threes": in_threes, "twos": in_twos, "singly": value}


def counting(
    side: str, seats: Iterable[str], parts: Sequence[tuple[str, str | None, int]], scheme: str
) -> Counting:
    """Return the counting of a side's cards. `parts`: tuples of (origin, seat, cards as a bit set)."""
    cards = 0
    for _, _, part in parts:
        cards |= part
    count, by_twos = cards.bit_count(), scheme == "twos"
    return Counting(
        side,
        tuple(seats),
        tuple([{"what": what, "seat": seat, "cards": names(part)} for what, seat, part in parts if part]),
        count,
        value(cards),
        0 if by_twos else count // 3,
        count // 2 if by_twos else 0,
        count % (2 if by_twos else 3),
        SCHEMES[scheme](cards),
        scheme,
    )


def from_side(sides: Mapping[str, str], winning: str, amount: int) -> dict[str, int]:
    """Return the points by seat if a side wins an amount from the other. With two against two, each loser
    pays one winner. A lone player pays, or is paid by, each of the others (`taroky.settlement`). `sides`:
    seat → side; `winning`: the side that wins.

    >>> from_side({"A": "bidder", "B": "opponents", "C": "opponents", "D": "bidder"}, "bidder", 5)
    {'A': 5, 'B': -5, 'C': -5, 'D': 5}
    >>> from_side({"A": "opponents", "B": "bidder", "C": "opponents", "D": "opponents"}, "opponents", 5)
    {'A': 5, 'B': -15, 'C': 5, 'D': 5}
    """
    winners = list(sides.values()).count(winning)
    losers = len(sides) - winners
    gain = amount * losers if winners == 1 else amount
    loss = -amount * winners if losers == 1 else -amount
    return {seat: gain if side == winning else loss for seat, side in sides.items()}


def from_each(winner: str, seats: Iterable[str], amount: int) -> dict[str, int]:
    """Return the points by seat if `winner` gets `amount` from each other seat (or, if negative, pays it).

    >>> from_each("B", "ABC", 5)
    {'A': -5, 'B': 10, 'C': -5}
    """
    points = dict.fromkeys(seats, -amount)
    points[winner] = amount * (len(points) - 1)
    return points


def add_up(seats: Iterable[str], lines: Iterable[ScoreLine]) -> dict[str, int]:
    """Return the score of each seat: the sum of its points in the score lines."""
    score = dict.fromkeys(seats, 0)
    for line in lines:
        for seat, points in line.points.items():
            score[seat] += points
    return score
