"""A hand of cards as people write it: `♠ K J 10`, `S: K J 10`, `XX V I`, `T20 SK H7`, “Sküs, Mond, Pagat”.

A word is a card (its code, a Roman number for a tarock, or its name in any language), a suit (sign, letter or
name), or one or more ranks after a suit. A card without a suit takes the suit of the card or suit before it.

>>> read_hand("taroky", "♠ K 10 XX V sH10", "en").cards
('T20', 'T5', 'SK', 'S10')
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from tarock.core.cards import CARDS, INDEX, SUIT_SET, in_hand_order, pack, parse_card
from tarock.core.cards import names as cards_of
from tarock.core.findings import Finding, NotationError
from tarock.core.game import GameInfo
from tarock.games import game
from tarock.notation.faults import quoted
from tarock.words.clauses import LANGUAGES, words
from tarock.words.names import SUIT_SIGNS, card_in_text, card_name

#: Maximum number of characters in a hand. The longest names of 26 cards take about 700.
MAX_HAND = 2000
_SIGNS = {sign: suit for suit, sign in SUIT_SIGNS.items()} | dict(zip("♤♡♢♧", "SHDC", strict=True))
#: Pattern for a word, including a colon after it.
_WORD = re.compile(r"[^\s,;.:/|()\[\]{}、。・，；：／（）「」‐-―-]+(?:\s*[:：])?")
_NUMBER = re.compile(r"\d{1,2}", re.ASCII)


class Wrong(NamedTuple):
    """A word that does not add a card to the hand, and the reason."""

    text: str
    finding: Finding


class WrittenHand(NamedTuple):
    """The cards of a written hand, in the usual order of a hand, and the words that add no card to it."""

    cards: tuple[str, ...]
    wrong: tuple[Wrong, ...]


def read_hand(name: str, text: str, language: str) -> WrittenHand:
    """Read a hand for a game. Court cards can have the letters of the `language`, or K, Q, C and J.

    :raises NotationError: if the text is too long.
    """
    if len(text) > MAX_HAND:
        values = {"found": len(text), "limit": MAX_HAND}
        raise NotationError(Finding("hand-too-long", values, pointer="/text"))
    return _Reader(game(name), language).read(text)


class _Reader:
    """Reader of the words of one hand."""

    def __init__(self, info: GameInfo, language: str) -> None:
        self.info = info
        self.names, self.suits = _names(info.id), _suits(info.id)
        self.ranks = _ranks(info.id, language)
        self.one_rank = re.compile("10|[1-9]|" + "|".join(map(re.escape, self.ranks)))
        #: Suit for the next rank, and whether the previous word named that suit.
        self.suit, self.opened = "", False
        self.found: list[str] = []
        self.wrong: list[Wrong] = []

    def read(self, text: str) -> WrittenHand:
        """Read all words of the hand."""
        written = [found[0] for found in _WORD.finditer(text)]
        plain = [folded(word) for word in written]
        at = 0
        while at < len(plain):
            taken = 1 if plain[at] in _and() else self._by_name(plain, at)
            if not taken:
                taken = 1
                cards = self._word(plain[at])
                if cards is None:
                    self.wrong.append(Wrong(written[at], Finding("no-card", {"found": quoted(written[at])})))
                self._add(cards or [], written[at])
            at += taken
        return WrittenHand(tuple(in_hand_order(self.found)), tuple(self.wrong))

    def _by_name(self, plain: list[str], at: int) -> int:
        """Read the longest name of a card or suit at word `at`, and return its length in words; 0 if none."""
        for number in range(min(_LONGEST, len(plain) - at), 0, -1):
            name = " ".join(plain[at : at + number])
            if name in self.suits:
                self.suit, self.opened = self.suits[name], True
                return number
            if card := self.names.get(name):
                self._add([card], name)
                return number
        return 0

    def _add(self, cards: list[str], written: str) -> None:
        known = pack(self.info.pack)
        for card in cards:
            self.suit, self.opened = card[0], False
            if not known & 1 << INDEX[card]:
                values = {"found": quoted(written), "pack": self.info.pack, "game": self.info.id}
                self.wrong.append(Wrong(written, Finding("not-in-pack", values)))
            elif card in self.found:
                self.wrong.append(Wrong(written, Finding("named-twice", {"card": card})))
            else:
                self.found.append(card)

    def _word(self, word: str) -> list[str] | None:
        """Return the cards of one word: an empty list for a suit alone, None if the word makes no sense."""
        if word.endswith(":"):
            return self._open(word[:-1].strip())
        if _NUMBER.fullmatch(word) and (self.suit in ("", "T") or int(word) > 10):
            # A small number without a suit may be a card of any suit, so reject it.
            return None if int(word) > 21 or (not self.suit and int(word) <= 10) else [f"T{int(word)}"]
        plain = self.suit not in ("", "T")
        if plain and (self.opened or len(word) == 1) and (cards := self._of_ranks(self.suit, word)):
            return cards
        card = parse_card(word)
        if card is not None:
            return [CARDS[card]]
        suit = _SIGNS.get(word[:1]) or word[:1].upper()  # A word of diacritics alone is empty here.
        if len(word) == 1 and suit in SUIT_SET:
            return self._open(word)
        cards = self._of_ranks(suit, word[1:]) if suit in SUIT_SIGNS else None
        return cards or (self._of_ranks(self.suit, word) if plain else None)

    def _open(self, word: str) -> list[str] | None:
        suit = self.suits.get(word) or _SIGNS.get(word) or word.upper()
        if suit not in SUIT_SET:
            return None
        self.suit, self.opened = suit, True
        return []

    def _of_ranks(self, suit: str, word: str) -> list[str] | None:
        """Return the cards of a suit from a word that joins their ranks (`KJ10`); None for any other word."""
        cards, at = [], 0
        while found := self.one_rank.match(word, at):
            cards.append(suit + self.ranks.get(found[0], found[0]))
            at = found.end()
        return cards if cards and at == len(word) else None


def folded(word: str) -> str:
    """Return a word in lower case without diacritics: `skuz` for “Škůz”."""
    parts = unicodedata.normalize("NFKD", word.casefold())
    return "".join(one for one in parts if unicodedata.category(one) != "Mn").strip()


def _name(text: str) -> str:
    return " ".join(folded(word) for word in _WORD.findall(text))


#: Maximum number of words in the name of a card: “the King of spades”.
_LONGEST = 4


# These tables depend only on a game and its texts. Without the caches, reading a hand takes 10 ms longer.
@cache
def _names(name: str) -> Mapping[str, str]:
    """Map the names of all cards in the four languages to the cards' codes. A name with a part in brackets
    has three forms: the whole name, the name without that part, and the part alone."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        for table in (words(name, language), words("common", language)):
            for code in cards_of(pack(78)):
                whole = [card_name(table, code), card_name(table, code, "acc"), card_in_text(table, code)]
                for text in whole:
                    before, _, inside = text.partition("(")
                    for one in (text, before, inside.rstrip(")")):
                        found.setdefault(_name(one), code)
    found.pop("", None)
    return found


@cache
def _suits(name: str) -> Mapping[str, str]:
    """Map the names of all suits in the four languages to the suits' letters."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        table = words(name, language)
        found |= {_name(text): suit for suit, text in table["suits"].items()}
        found[_name(table["tarock"].format(numeral="", number=""))] = "T"
    return found


@cache
def _and() -> frozenset[str]:
    """Return the words for “and” in the four languages, which may come before the last card."""
    return frozenset(folded(words("common", language)["and"]) for language in LANGUAGES)


@cache
def _ranks(name: str, language: str) -> Mapping[str, str]:
    """Map the letters of court cards in a language to the letters in card codes."""
    letters = words(name, language)["court_letters"]
    return {code.lower(): code for code in letters} | {folded(text): code for code, text in letters.items()}
