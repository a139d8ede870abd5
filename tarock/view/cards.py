"""Cards as pictures: faces and backs, and the rows of a hand."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from tarock.core.cards import CARDS, UNKNOWN
from tarock.words import sentences
from tarock.words.clauses import words
from tarock.words.names import card_name


class Face(NamedTuple):
    """One card as a picture."""

    code: str  # name of its symbol in the sprite: the card's code, or `back`
    name: str  # text alternative of the picture
    legal: bool = False  # whether the card is a legal play now

    @property
    def suit(self) -> str:
        """Suit letter, for the colour; empty for a back."""
        return "" if self.code == "back" else self.code[0]


# A page shows a hundred faces, but there are few games and languages. Caching the faces saves 1.7 ms on an
# audit page.
@lru_cache(maxsize=64)
def pack(game: str, language: str) -> Mapping[str, Face]:
    """Return every card of the largest pack by its code, a `back`, and `?`, which looks like the back. With
    `common` as the game, use the names shared by all games."""
    named = words(game, language)
    called = sentences.Names(game, language)
    return {code: Face(code, card_name(named, code)) for code in CARDS} | {
        "back": Face("back", sentences.at_table("card-face-down", called)),
        UNKNOWN: Face("back", sentences.at_table("card-unknown", called)),
    }


def faces(codes: Iterable[str], pack: Mapping[str, Face], legal: Collection[str] = ()) -> list[Face]:
    """Return cards of a pack in the given order, with the cards in `legal` marked."""
    return [Face(c, pack[c].name, True) if c in legal else pack[c] for c in codes]


def in_rows(codes: Sequence[str]) -> tuple[list[str], list[str]]:
    """Split a sorted hand into two rows of nearly the same length, if possible between two suits."""
    middle = (len(codes) + 1) // 2
    breaks = [i for i in range(1, len(codes)) if codes[i][0] != codes[i - 1][0]]
    at = min(breaks, key=lambda i: abs(i - middle), default=middle)
    if abs(at - middle) > 2:
        at = middle
    return list(codes[:at]), list(codes[at:])
