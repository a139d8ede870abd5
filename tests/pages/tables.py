"""Cards on pages and pictures: those that are drawn or named, and those that a seat must not see."""

from __future__ import annotations

import html
import json
import re

from replays.language import words
from tarock.analysis import public_knowledge, replay
from tarock.analysis.position import Position, Step
from tarock.core.record import Record
from tarock.words import names as naming

TABLES = [
    ("strohmann", 2),
    ("taroky", 4),
    ("troggu", 3),
    ("troggu", 5),
    ("troggu", 8),
    ("grosstarock", 2),
    ("grosstarock", 3),
    ("grosstarock", 4),
]


def drawn(page: str) -> list[str]:
    """The cards drawn in a page, backs left out."""
    return [code for code in re.findall(r"cards\.svg#(\w+)", page) if code != "back"]


def named(page: str, cards: set[str], game: str) -> list[str]:
    """Return those of the cards that a page names, the declaration “Sküs matadors” left out."""
    text = re.sub(r"\d+ Sküs matadors", "", html.unescape(page))
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


def hidden_cards(record: Record, step: int, view: str | None) -> set[str]:
    """Return the cards that a seat, or somebody at the table, knows nothing of at a step."""
    outline = replay.outline(record, view) if view else public_knowledge.outline(record)
    return pack_of(record) - known_codes(seen_position(record, step, view), *outline[:step])
