"""Cards on pages and pictures: those that are drawn or named, and those that a seat must not see."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from functools import cache

from replays.language import words
from tarock.analysis import public_knowledge, replay
from tarock.analysis.position import Position, Step
from tarock.core.record import Record
from tarock.words import names as naming
from tests.support.effort import THOROUGH

TABLES = [
    ("strohmann", 2), ("taroky", 4), ("troggu", 5), ("troggu", 8), ("grosstarock", 2), ("grosstarock", 4),
    *([("troggu", 3), ("grosstarock", 3)] if THOROUGH else ()),
]  # fmt: skip


def drawn(page: str) -> list[str]:
    """The cards drawn in a page, backs left out."""
    return [code for code in re.findall(r"cards\.svg#(\w+)", page) if code != "back"]


def named(page: str, cards: set[str], game: str) -> list[str]:
    """Return those of the cards that a page names, the declaration “Sküs matadors” left out."""
    plain = re.sub(r'<dfn><button[^>]* class="term"[^>]*>(.*?)</button></dfn>', r"\1", html.unescape(page))
    text = re.sub(r"\d+ Sküs matadors", "", plain)
    called = {card: re.escape(naming.card_name(words.of(game), card)) for card in cards}
    return [card for card, name in called.items() if re.search(name + r"(?![\w)])", text)]


def known_codes(*shown: Position | Step) -> set[str]:
    """Every card code in positions, or rows of an outline, of the engine."""
    told = json.dumps([one.as_json() for one in shown])
    return set(re.findall(r'"([SHDCT](?:[KQCJ]|\d+))["(]', told))


def pack_of(record: Record) -> set[str]:
    return {card for cards in record.deal.values() for card in cards}


def seen_position(record: Record, step: int, view: str | None) -> Position:
    """Return the position as a seat sees it, or as everybody does."""
    return replay.position(record, step, view) if view else public_knowledge.position(record, step)


def hidden_cards(record: Record, view: str | None) -> Callable[[int], set[str]]:
    """Return a function of the step: the cards that a seat, or somebody at the table, knows nothing of."""
    outline = replay.outline(record, view) if view else public_knowledge.outline(record)
    told = [known_codes(row) for row in outline]

    @cache
    def hidden(step: int) -> set[str]:
        return pack_of(record).difference(known_codes(seen_position(record, step, view)), *told[:step])

    return hidden


def leaks(text: str, cards: set[str], game: str) -> list[str]:
    """Return those of the cards that a text names: by code, in words, or as they are written down."""
    text, of_game = html.unescape(text), words.of(game)
    ways = {card: (card, naming.card_name(of_game, card), naming.card_short(of_game, card)) for card in cards}
    found = {card: "|".join(map(re.escape, names)) for card, names in ways.items()}
    return [card for card, names in found.items() if re.search(rf"(?<![\w♠♥♦♣])(?:{names})(?![\w)])", text)]
