"""Deal lines of an invalid record: which cards are missing, and how to correct a card that was dealt twice.

>>> record = '[Game "taroky"]\\ndeal A T1 t02\\ndeal B'
>>> [(word.place, word.card, record[word.start : word.end]) for word in dealt_words(record)]
[('A', 'T1', 'T1'), ('A', 'T2', 't02')]
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import NamedTuple

from tarock.analysis.verify import check
from tarock.core.cards import CARDS, UNKNOWN, pack_cards, parse_card
from tarock.games import GAMES
from tarock.notation import Entry, read

#: Maximum number of missing cards to list, because a longer list is no help.
MOST_ABSENT = 3

_DEAL_LINE = re.compile(r"^[ \t]*deal[ \t]+(\S+)([^;{\n]*)", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"\S+")


class DealtWord(NamedTuple):
    """A word of a deal line."""

    start: int  # start of the word in the text
    end: int
    place: str
    card: str  # empty if the word is no card


class Suggestion(NamedTuple):
    """A replacement for the characters from `start` to `end` of a text. `place`: for a card dealt twice, the
    place of the deal that the suggestion corrects."""

    start: int
    end: int
    text: str
    place: str = ""


def dealt_words(record: str) -> Iterator[DealtWord]:
    """Yield the words of the deal lines of a text."""
    for line in _DEAL_LINE.finditer(record):
        for word in _WORD.finditer(record, line.start(2), line.end(2)):
            card = parse_card(word[0])
            code = CARDS[card] if card is not None else UNKNOWN if word[0] == UNKNOWN else ""
            yield DealtWord(word.start(), word.end(), line[1], code)


def absent_cards(record: str, game: str) -> list[str]:
    """Return a record's missing cards; empty if there are too many, or if the record has unknown cards."""
    dealt = {word.card for word in dealt_words(record)}
    absent = [card for card in pack_cards(GAMES[game].info.pack) if card not in dealt]
    return absent if len(absent) <= MOST_ABSENT and UNKNOWN not in dealt else []


def mend_dealt_twice(record: str, game: str, card: str) -> list[Suggestion]:
    """Return edits for a card that was dealt twice. Each edit replaces the card at one of its places with a
    missing card, or removes it. Return only edits that leave fewer errors and, if some of them fit the play,
    only those that do."""
    faults = len(read(record)[0].errors)
    absent = sorted(absent_cards(record, game), key=lambda other: -SequenceMatcher(None, card, other).ratio())
    found: dict[tuple[str, str], tuple[Suggestion, Entry]] = {}
    for word in dealt_words(record):
        if word.card != card:
            continue
        for other in ("", *absent):
            # When removing a card, also remove the space before it, so that only one space remains.
            start = word.start if other else word.start - 1
            mended = read(record[:start] + other + record[word.end :])[0]
            # While a card is dealt twice, no hand sizes are checked, so fewer errors don't justify removal.
            is_sure = other or not absent or not any(e.reason == "dealt-twice" for e in mended.errors)
            if is_sure and len(mended.errors) < faults:
                found[word.place, other] = Suggestion(start, word.end, other, word.place), mended
    fitting = [e for e, entry in found.values() if entry.record and check(entry.record).verdict != "illegal"]
    return fitting or [edit for edit, _ in found.values()]
