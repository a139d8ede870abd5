"""The shapes of the hands of a deal, as the column `Deal.hands` stores them.

Each seat has four characters, in seat order: its position from forehand (1), then the numbers of its tarocks,
honours and Kings, in base 36. A seat that sits out, or has unknown cards, has four hyphens. A deal without
cards has an empty text.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from tarock.core.cards import UNKNOWN
from tarock.core.game import SEATS
from tarock.core.record import Record

MOST = (22, 3, 4)
"""The most tarocks, honours and Kings that a hand can have."""

_DIGITS = "0123456789abcdefghijklm"
_NONE = "----"


class Hand(NamedTuple):
    """The hand of a seat, or the hand that a search requires, in which None means any number. `position`: 1
    for forehand, 2 for the next active seat …"""

    tarocks: int | None = None
    honours: int | None = None
    kings: int | None = None
    position: int | None = None

    def pattern(self, seat: int | None = None) -> str:
        """Return a regular expression for the packed hands of the deals in which a seat has this hand.
        `seat`: number of the seat, from 0; None for any seat."""
        position, *counts = ["[^-]" if n is None else _DIGITS[n] for n in (self.position, *self[:3])]
        before = "(....)*" if seat is None else f".{{{4 * seat}}}"
        return f"^{before}{position}{''.join(counts)}"

    def words(self, game: int) -> list[str]:
        """Return the words in the index `archive.lookups.HELD` for this hand, without the block. `game`:
        number of the game."""
        ranges = [range(most + 1) if n is None else (n,) for n, most in zip(self[:3], MOST, strict=True)]
        return [f"{game}{''.join(_DIGITS[n] for n in counts)}" for counts in product(*ranges)]

    def fits(self, other: Hand) -> bool:
        """Return whether another hand is one that this search requires."""
        return all(mine in (None, theirs) for mine, theirs in zip(self, other, strict=True))


def pack(record: Record) -> str:
    """Return the packed hands of a record."""
    if not record.is_played:
        return ""
    seating, info = record.seating, record.info
    at = seating.seats.index(seating.forehand)
    turns = [seat for seat in seating.seats[at:] + seating.seats[:at] if seat in seating.active]
    packed = ""
    for seat in seating.seats:
        shape = info.shape(record.deal.get(seat, (UNKNOWN,)))
        if shape is None or seat not in turns:
            packed += _NONE
        else:
            packed += "".join(_DIGITS[n] for n in (turns.index(seat) + 1, *shape))
    return packed


def unpack(hands: str | None) -> dict[str, Hand]:
    """Return the known hands of packed hands, by seat."""
    found = {}
    for seat, at in zip(SEATS, range(0, len(hands or ""), 4), strict=False):
        word = (hands or "")[at : at + 4]
        if word != _NONE:
            position, tarocks, honours, kings = map(_DIGITS.index, word)
            found[seat] = Hand(tarocks, honours, kings, position)
    return found
