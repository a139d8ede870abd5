"""Records in JSON form for the tests of the schema, and what takes them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from jsonschema import Draft202012Validator

from tarock.core.cards import names, pack
from tarock.games import GAMES, games
from tarock.notation import read
from tarock.notation.schema import schema

Form = dict[str, Any]
VALIDATOR = Draft202012Validator(schema())


def whole(game: str, number: int, dealer: str = "A") -> Form:
    """A record in JSON form with a deal in canonical order, and what every game can hold in addition."""
    info = GAMES[game].info
    letters = info.seat_letters(number)
    cards = iter(names(pack(info.pack)))
    return {
        "tgn": 1,
        "game": game,
        "dealer": dealer,
        "players": {seat: f"Player {seat}" for seat in letters},
        "options": [one.word(not one.default) for one in info.rules.table().values() if one.of_source],
        "tags": {"Date": "2026-??-??", "Deal": "3", "Annotator": "“somebody” \\ else"},
        "deal": {where: [next(cards) for _ in range(size)] for where, size in info.places(number, dealer)},
        "events": [["A", "pass"], ["B", "announce", "flek:game", "sixpence"], ["A", "discard", "HK", "what"]],
        "comments": {"0": ["a deal"], "3": ["one", "two { words"]},
        "score": {seat: index - 1 for index, seat in enumerate(letters)},
    }


TABLES = [
    (info.id, number, dealer)
    for info in games()
    for number in info.seats
    for dealer in (info.seat_letters(number) if info.sits_out else "A")
]


def both(form: Form) -> tuple[bool, bool]:
    """Whether the schema takes it, and whether the reader does."""
    entries = read(json.dumps(form))
    assert len(entries) == 1
    return VALIDATOR.is_valid(form), entries[0].record is not None


#: In place of a value: nothing.
DELETE = object()


def put(path: str, value: Any) -> Callable[[Form], None]:
    """A change of a form: a value at a path of keys and numbers, or nothing there any more."""

    def change(form: Form) -> None:
        *steps, last = path.split(" ")
        place: Any = form
        for step in steps:
            place = place[int(step)] if isinstance(place, list) else place[step]
        if value is DELETE:
            del place[int(last) if isinstance(place, list) else last]
        elif isinstance(place, list):
            place[int(last)] = value
        else:
            place[last] = value

    return change
