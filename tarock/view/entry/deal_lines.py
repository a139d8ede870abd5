"""The deal lines of a record that can't be parsed: the cards that no place has, and corrections of a card
dealt twice.

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

#: More cards that lie nowhere are no help.
MOST_ABSENT = 3

_DEAL_LINE = re.compile(r"^[ \t]*deal[ \t]+(\S+)([^;{\n]*)", re.IGNORECASE | re.MULTILINE)
_WORD = re.compile(r"\S+")


class DealtWord(NamedTuple):
    """A word of a deal line: its first character and the one after its last, its place, and its card; empty
    if it cannot be read."""

    start: int
    end: int
    place: str
    card: str


class Edit(NamedTuple):
    """A text in place of the characters from `start` to `end` of a record, for a card of this place of the
    deal."""

    start: int
    end: int
    text: str
    place: str


def dealt_words(record: str) -> Iterator[DealtWord]:
    """The words of the deal lines of a text."""
    for line in _DEAL_LINE.finditer(record):
        for word in _WORD.finditer(record, line.start(2), line.end(2)):
            card = parse_card(word[0])
            code = CARDS[card] if card is not None else UNKNOWN if word[0] == UNKNOWN else ""
            yield DealtWord(word.start(), word.end(), line[1], code)


def absent_cards(record: str, game: str) -> list[str]:
    """The cards of the pack that lie nowhere in a record; none if they are too many to choose from, or some
    are marked as unknown."""
    dealt = {word.card for word in dealt_words(record)}
    absent = [card for card in pack_cards(GAMES[game].info.pack) if card not in dealt]
    return absent if len(absent) <= MOST_ABSENT and UNKNOWN not in dealt else []


def mend_dealt_twice(record: str, game: str, card: str) -> list[Edit]:
    """Return replacements for a card that was dealt twice: at one of its places another card, one that no
    place has, or none. Only replacements that leave fewer errors, and of these the ones that fit the play, if
    any do."""
    faults = len(read(record)[0].errors)
    absent = sorted(absent_cards(record, game), key=lambda other: -SequenceMatcher(None, card, other).ratio())
    found: dict[tuple[str, str], tuple[Edit, Entry]] = {}
    for word in dealt_words(record):
        if word.card != card:
            continue
        for other in ("", *absent):
            # A card goes with the blank before it.
            start = word.start if other else word.start - 1
            mended = read(record[:start] + other + record[word.end :])[0]
            # Sizes of hands are not checked in addition to another such error.
            is_sure = other or not absent or not any(e.reason == "dealt-twice" for e in mended.errors)
            if is_sure and len(mended.errors) < faults:
                found[word.place, other] = Edit(start, word.end, other, word.place), mended
    fitting = [e for e, entry in found.values() if entry.record and check(entry.record).verdict != "illegal"]
    return fitting or [edit for edit, _ in found.values()]
