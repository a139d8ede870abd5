"""Whole tricks looked through as fast as may be, where nothing but the duty to follow limits the play.

The play of a deal is a row of bytes, one for each card, and is looked at as a whole: bytes are looked up in
tables all at once, and rows of them are added, masked and moved as one long integer. The tables are made from
the rule itself (`follow`) and from the order of the cards (`BEATS`). All this only says whether everything is
in order; what is not, the plain way through the events finds and names.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from tarock.cards import (
    BEATS,
    FIRST_CARD,
    SUIT_OF,
    SUIT_SET,
    TAROCKS,
    indices,
    pack,
    pick,
    placed,
)
from tarock.record import Tricks

_SUITS = tuple(SUIT_SET.values())


def _whole(row: bytes | bytearray) -> int:
    """A row of bytes as one integer."""
    return int.from_bytes(row, "little")


def follow(hand: int, led: int, trumps: int) -> int:
    """The cards of a hand that the duty to follow leaves (`X.follow`): of the suit led, tarocks too; else the
    tarocks; else any. `led` is the set of the suit led, 0 for who leads and may lead any card."""
    return hand & led or (hand & trumps or hand if led else hand)


def _table(values: dict[int, int], other: int = 0) -> bytes:
    """A table for `bytes.translate`: the value of each byte, `other` for those not named."""
    return bytes(values.get(byte, other) for byte in range(256))


def _gone(led: int, played: int) -> int:
    """The suits of which nobody can have a card left who plays a card of the suit `played` to a trick of the
    suit `led`, as bits (`follow`). Suits are numbers 0…4."""
    card = _SUITS[played] & -_SUITS[played]
    gone = 0
    for suit, cards in enumerate(_SUITS):
        other = cards & -cards
        if not follow(card | other, _SUITS[led], TAROCKS) & card:
            gone |= 1 << suit
    return gone


_NUMBER = len(_SUITS)
_PAIRS = [(led, played) for led in range(_NUMBER) for played in range(_NUMBER)]
#: Card byte → number of its suit.
_SUIT = _table({FIRST_CARD + card: _SUITS.index(suit) for card, suit in enumerate(SUIT_OF)})
#: Suit led and suit played, as one number → the suits that are gone; the suit played, as a bit; and whether
#: such a card can win the trick (all bits or none).
_GONE = _table({_NUMBER * led + played: _gone(led, played) for led, played in _PAIRS})
_PLAYED = _table({_NUMBER * led + played: 1 << played for led, played in _PAIRS})
_ABLE = _table({_NUMBER * led + suit: 255 for led, suit in _PAIRS if _SUITS[suit] in (_SUITS[led], TAROCKS)})
_MINE = [pick(place) for place in range(8)]


@cache
def _theirs(active: tuple[str, ...], seats: tuple[str, ...]) -> bytes:
    """What picks the cards of some of the active seats (`pick`)."""
    return pick(*map(active.index, seats))


class _Plan(NamedTuple):
    """What goes with a number of plays, all of the same number of seats and cards. Rows have a byte for each
    card of each play: first the first cards of all plays, then all the second ones, and so on.

    `leads`: a row with 255 at each card led; `card`, `trick`, `last`: by how many bits to move a row to have
    a card over the next one, a trick over the next one, the first trick over the last; `firsts`: the numbers
    of the first card of each trick; `fields`: the numbers of all cards of a play; `shifts`: by how much to
    move a row to have one, two, four … tricks over one another; `strength`: card byte → the more, the
    stronger among the cards that can win its trick; `tops`: a row of 128s.
    """

    leads: int
    card: int
    trick: int
    last: int
    firsts: int
    fields: bytes
    shifts: tuple[int, ...]
    strength: bytes
    tops: int


@lru_cache(500)
def _plan(size: int, length: int, cards: int, plays: int) -> _Plan:
    tricks = length // size
    in_pack = pack(cards)
    plain = max((suit & in_pack).bit_count() for suit in _SUITS if suit != TAROCKS)
    strength = {}
    for card in indices(in_pack):
        beaten = sum(BEATS[other] >> card & 1 for other in indices(in_pack & SUIT_OF[card]))
        strength[FIRST_CARD + card] = 1 + beaten + (plain if SUIT_OF[card] == TAROCKS else 0)
    card = 8 * plays
    return _Plan(
        _whole((b"\xff" * plays + bytes((size - 1) * plays)) * tricks),
        card,
        size * card,
        (length - size) * card,
        _whole(bytes(size * trick for trick in range(tricks) for _ in range(size * plays))),
        bytes(range(length)),
        tuple(size * card << n for n in range((tricks - 1).bit_length())),
        _table(strength),
        _whole(b"\x80" * length * plays),
    )


#: A whole play to be looked through: its tricks, the hands of the seats in order, as bit sets, the place of
#: who has to lead first, and how many cards the pack has.
Play = tuple[Tricks, list[int], int, int]


class Outcome(NamedTuple):
    """What a play comes to: who took each card, by place at the table; `takers` in the order of play,
    `owners` in that of `placed`."""

    tricks: Tricks
    takers: bytes
    owners: bytes

    @classmethod
    def of(cls, tricks: Tricks, takers: bytes) -> Outcome:
        """The outcome of tricks, given who took each card."""
        return cls(tricks, takers, placed(tricks.cards, takers))

    def cards(self, seats: tuple[str, ...]) -> int:
        """The cards that went to some seats together, as a bit set."""
        return int(self.owners.translate(_theirs(self.tricks.active, seats)), 2)

    def won(self, seats: tuple[str, ...]) -> int:
        """How many tricks went to some seats together."""
        active = self.tricks.active
        return self.takers.translate(_theirs(active, seats)).count(b"1") // len(active)


def own_cards(tricks: Tricks, hands: list[int]) -> bool:
    """Whether everybody played the cards of his hand, all of them and each once."""
    owners = placed(tricks.cards, tricks.seats)
    # Of a card played twice, one is missing from a hand.
    return [int(owners.translate(mine), 2) for mine in _MINE[: len(hands)]] == hands


def play_through(plays: Sequence[Play]) -> list[Outcome | None]:
    """What each play comes to, if every card was held by who played it, each followed as he had to
    (`X.follow`, every tarock being one), and each trick was led by the winner of the one before. Else
    None."""
    found: list[Outcome | None] = [None] * len(plays)
    alike: dict[tuple[int, int, int], list[int]] = {}
    for n, (tricks, hands, leader, cards) in enumerate(plays):
        if leader == tricks.seats[0] and own_cards(tricks, hands):
            alike.setdefault((len(hands), len(tricks.cards), cards), []).append(n)
    for form, numbers in alike.items():
        rows = [plays[n][0] for n in numbers]
        takers = _takers(rows, *form)
        for k, n in enumerate(numbers):
            # If one of them is not in order, each for itself.
            taken = takers[k : k + 1] if takers is not None else _takers(rows[k : k + 1], *form)
            if taken:
                found[n] = Outcome.of(rows[k], taken[0])
    return found


def _takers(plays: Sequence[Tricks], size: int, length: int, cards: int) -> list[bytes] | None:
    """For each card of each play the place of who took it; None if a card or a lead was not legal in one of
    them."""
    count = len(plays)
    leads, card, trick, last, firsts, fields, shifts, strength, tops = _plan(size, length, cards, count)
    whole = length * count
    played = _across([play.cards for play in plays], length)
    seats = _across([play.seats for play in plays], length)

    def spread(first: int) -> int:
        """A row that has for all cards of a trick what this one has for the first."""
        every = first
        for _ in range(size - 1):
            first <<= card
            every |= first
        return every

    suits = _whole(played.translate(_SUIT))
    pairs = (_NUMBER * spread(suits & leads) + suits).to_bytes(whole, "little")
    players = _whole(seats)
    places = (players + firsts).to_bytes(whole, "little")
    # Each seat's cards one below the other, trick by trick: none may be of a suit that was gone by then.
    by_place = [bytes.maketrans(places[n::count], pairs[n::count]) for n in range(count)]
    by_seat = _across([fields.translate(table) for table in by_place], length)
    gone = _whole(by_seat.translate(_GONE))
    for shift in shifts:
        gone |= gone << shift
    if gone & _whole(by_seat.translate(_PLAYED)):
        return None
    # Who leads next must have played the strongest card of the trick; after the last one nobody leads.
    strong = _whole(pairs.translate(_ABLE)) & _whole(played.translate(strength))
    strengths = strong.to_bytes(whole, "little")
    winners = bytearray()
    for n in range(whole - size * count, whole - size * count + count):
        ending = strengths[n::count]
        winners.append(seats[n + count * ending.index(max(ending))])
    takers = spread((players & leads) >> trick | _whole(winners) << last)
    at = (takers + firsts).to_bytes(whole, "little")
    by_place = [bytes.maketrans(places[n::count], strengths[n::count]) for n in range(count)]
    best = _across([at[n::count].translate(table) for n, table in enumerate(by_place)], length)
    if ((_whole(best) | tops) - strong) & tops != tops:
        return None
    taken = takers.to_bytes(whole, "little")
    return [taken[n::count] for n in range(count)]


def _across(rows: Sequence[bytes], length: int) -> bytes:
    """The first bytes of all rows, then all the second ones, and so on."""
    if len(rows) == 1:
        return rows[0]
    joined = b"".join(rows)
    return b"".join([joined[n::length] for n in range(length)])
