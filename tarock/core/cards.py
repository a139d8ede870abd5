"""Cards and packs: codes, canonical order, bit sets and values.

A card is an index from 0 to 77 into `CARDS`. `CARDS` is in canonical order: by suit (S H D C T), each suit
from the highest card to the lowest. So within a suit, the lower index is the higher card. A set of cards is
an integer with one bit per index (`bits`, `names`).

>>> names(bits(["T1", "SK", "T0"]))
['SK', 'T0', 'T1']
>>> CARDS[parse_card("xxi")], CARDS[parse_card("h07")]
('T21', 'H7')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any

SUITS = "SHDCT"

_BLACK = [str(n) for n in range(10, 0, -1)]
_RED = [str(n) for n in range(1, 11)]
_COURTS = ["K", "Q", "C", "J"]

#: All 78 card codes in canonical order.
CARDS: tuple[str, ...] = (
    *("S" + r for r in _COURTS + _BLACK),
    *("H" + r for r in _COURTS + _RED),
    *("D" + r for r in _COURTS + _RED),
    *("C" + r for r in _COURTS + _BLACK),
    "T0",
    *(f"T{n}" for n in range(21, 0, -1)),
)
#: Card code → index.
INDEX: dict[str, int] = {code: i for i, code in enumerate(CARDS)}
#: The code of an unknown card.
UNKNOWN = "?"
#: Card code → its bit; 0 for an unknown card.
BIT: dict[str, int] = {code: 1 << i for i, code in enumerate(CARDS)} | {UNKNOWN: 0}


def bits(codes: Iterable[str]) -> int:
    """Convert card codes to a bit set, ignoring unknown cards. Raise KeyError for an invalid code."""
    mask = 0
    for code in codes:
        mask |= BIT[code]
    return mask


def _by_byte(cards: Sequence[Any]) -> tuple[tuple[tuple[Any, ...], ...], ...]:
    """Return tables that decode a bit set byte by byte: byte position → value of the byte → cards."""
    tables = []
    for i in range(0, len(cards), 8):
        sets: list[tuple[Any, ...]] = [()]
        for card in cards[i : i + 8]:
            sets += [(*known, card) for known in sets]
        tables.append(tuple(sets))
    return tuple(tables)


# Use precomputed tables, because converting ten cards bit by bit takes 10 µs instead of 1.
_INDICES, _NAMES = _by_byte(range(len(CARDS))), _by_byte(CARDS)


def indices(mask: int) -> list[int]:
    """Return the cards of a set as indices, in canonical order."""
    found: list[int] = []
    for table, byte in zip(_INDICES, mask.to_bytes(10, "little"), strict=True):
        if byte:
            found += table[byte]
    return found


def names(mask: int) -> list[str]:
    """Return the card codes of a set, in canonical order."""
    found: list[str] = []
    for table, byte in zip(_NAMES, mask.to_bytes(10, "little"), strict=True):
        if byte:
            found += table[byte]
    return found


#: Card code → sort key for a hand: tarocks first, then the suits, alternately black and red.
HAND_ORDER: dict[str, int] = {
    code: at for at, code in enumerate([*sorted(CARDS, key=lambda code: "TSHCD".index(code[0])), UNKNOWN])
}


def in_hand_order(codes: Iterable[str]) -> list[str]:
    """Return card codes sorted as players sort their hands (`HAND_ORDER`)."""
    return sorted(codes, key=HAND_ORDER.__getitem__)


#: Suit letter → all cards of the suit, as a bit set.
SUIT_SET: dict[str, int] = {s: bits(c for c in CARDS if c[0] == s) for s in SUITS}
#: Card index → all cards of the card's suit, as a bit set.
SUIT_OF: tuple[int, ...] = tuple(SUIT_SET[c[0]] for c in CARDS)
#: The 22 tarocks, including the Fool.
TAROCKS = SUIT_SET["T"]
FOOL, PAGAT = INDEX["T0"], INDEX["T1"]
FOOL_BIT, MOND_BIT, PAGAT_BIT = BIT["T0"], BIT["T21"], BIT["T1"]
TRULL = FOOL_BIT | MOND_BIT | PAGAT_BIT
KINGS = bits(s + "K" for s in "SHDC")
QUEENS = bits(s + "Q" for s in "SHDC")
CAVALIERS = bits(s + "C" for s in "SHDC")
JACKS = bits(s + "J" for s in "SHDC")
COURTS = KINGS | QUEENS | CAVALIERS | JACKS
#: The seven 5-point cards: the Kings and the trull.
FIVES = KINGS | TRULL

#: Index of the card that is winning a trick → bit set of the cards that beat it: the higher cards of its suit
#: and, if it is not a tarock, every tarock. Here the Fool counts as the highest tarock.
BEATS: tuple[int, ...] = tuple(
    (SUIT_OF[i] & ((1 << i) - 1)) | (0 if SUIT_OF[i] == TAROCKS else TAROCKS) for i in range(len(CARDS))
)


_TWO_OR_MORE = COURTS | TRULL
_THREE_OR_MORE = _TWO_OR_MORE & ~JACKS
_FOUR_OR_MORE = FIVES | QUEENS


def value(mask: int) -> int:
    """Return the total value of a set: Kings and trull 5, Queens 4, Cavaliers 3, Jacks 2, other cards 1."""
    return (
        mask.bit_count()
        + (mask & _TWO_OR_MORE).bit_count()
        + (mask & _THREE_OR_MORE).bit_count()
        + (mask & _FOUR_OR_MORE).bit_count()
        + (mask & FIVES).bit_count()
    )


#: Card index → value of the card, from 1 to 5.
VALUE: tuple[int, ...] = tuple(value(1 << i) for i in range(len(CARDS)))


def cheapest(cards: int) -> int:
    """Return the lowest-valued card as a bit; if tied, the last in canonical order (`common.equal-value`)."""
    found = indices(cards)
    low = min(VALUE[i] for i in found)
    return 1 << max(i for i in found if VALUE[i] == low)


def pack(size: int) -> int:
    """Return a pack of 54, 62 or 78 cards as a bit set. Raise KeyError for any other size."""
    low = {54: 4, 62: 6, 78: 10}[size]
    black = bits(s + str(n) for s in "SC" for n in range(10, 10 - low, -1))
    red = bits(s + str(n) for s in "HD" for n in range(1, low + 1))
    return COURTS | black | red | TAROCKS


# Cache one table for each pack: without the cache, looking up a card takes 60 µs instead of 0.05.
@cache
def pack_cards(size: int) -> dict[str, int]:
    """Return the cards of a pack of `size` cards: card code → card index."""
    return {code: INDEX[code] for code in names(pack(size))}


_ROMAN_UNITS = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]


def roman(number: int) -> str:
    """Return a number from 1 to 21 as a Roman numeral, as printed on the cards: 4 is IV, 19 is XIX."""
    return "X" * (number // 10) + _ROMAN_UNITS[number % 10]


def _spellings() -> dict[str, int]:
    found = dict(INDEX)
    for code, i in INDEX.items():
        if code[1:].isdigit() and len(code) == 2:
            found[code[0] + "0" + code[1]] = i
    found |= {roman(n): INDEX[f"T{n}"] for n in range(1, 22)}
    found |= {"IIII": INDEX["T4"], "VIIII": INDEX["T9"], "XIIII": INDEX["T14"], "XVIIII": INDEX["T19"]}
    return found


#: Upper-case spelling → card index, for every spelling that a record may use: T7, T07, T00, VII, IIII …
SPELLINGS: dict[str, int] = _spellings()


def parse_card(word: str) -> int | None:
    """Return the index of the card that a word spells (`t7`, `T07`, `vii`); None if it is not a card."""
    return SPELLINGS.get(word.upper())


def looks_like_card(word: str) -> bool:
    """Return whether a word is a card in any spelling, or at least a suit letter followed by a number.

    >>> [looks_like_card(w) for w in ("H0", "T22", "X5", "game")]
    [True, True, False, False]
    """
    word = word.upper()
    return word in SPELLINGS or (word[:1] in SUITS and word.isascii() and word[1:].isdigit())
