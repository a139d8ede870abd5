"""The JSON Schema of score sheets against the reader, and against the fields of each game."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tarock.core.game import SEATS
from tarock.core.outcome import in_order
from tarock.games import GAMES
from tarock.notation import read, read_one, write_json
from tarock.notation.schema import schema
from tests.texts.schema_forms import DELETE, TABLES, VALIDATOR, Form, both, put, whole


def sheet_form(game: str, number: int, dealer: str = "A") -> Form:
    """Return a score sheet in JSON form with lines of every field: broken off after each word, with the first
    allowed words, with the last ones. Their combination does not matter."""
    form = whole(game, number, dealer)
    info, outcome = GAMES[game].info, GAMES[game].table.OUTCOME
    active = info.seating(number, dealer).active
    lines: list[tuple[Any, ...]] = []
    for one in outcome.fields().values():
        choices = [
            [*part.words, *(active if part.seats else ()), *(part.number or ())] or ["kings:3"]
            for part in one.parts
        ]
        lines += [(one.name, *(words[0] for words in choices[:n])) for n in range(len(choices) + 1)]
        lines.append((one.name, *(words[-1] for words in choices)))
    del form["deal"], form["events"]
    in_canonical_order = [list(line) for line in in_order(outcome, lines)]
    return form | {
        "tags": {"Session": "June", "Deal": "3"},
        "sheet": in_canonical_order,
        "comments": {"0": ["a sheet"]},
    }


@pytest.mark.parametrize(("game", "number", "dealer"), TABLES)
def test_both_take_the_sheet_of_every_table_and_no_seat_that_takes_no_part(
    game: str, number: int, dealer: str
) -> None:
    form = sheet_form(game, number, dealer)
    assert both(form) == (True, True)
    VALIDATOR.validate(write_json(read_one(json.dumps(form))))
    active = GAMES[game].info.seating(number, dealer).active
    field = next(
        one for one in GAMES[game].table.OUTCOME.fields().values() if one.parts and one.parts[0].seats
    )
    for seat in sorted(set(SEATS) - set(active)):
        assert both(form | {"sheet": [[field.name, seat]]}) == (False, False)


def test_the_lines_of_the_schema_are_the_fields() -> None:
    for part in schema()["allOf"]:
        fields = GAMES[part["if"]["properties"]["game"]["const"]].table.OUTCOME.fields()
        lines = part["then"]["properties"]["sheet"]["items"]["oneOf"]
        assert [line["prefixItems"][0]["const"] for line in lines] == list(fields)


def line(*words: Any) -> Callable[[Form], None]:
    return put("sheet 0", [*words])


#: Sheets rejected by both: game → name → (the reason and the pointer of the parser's error, change).
BROKEN_SHEETS: dict[str, dict[str, tuple[str, str, Callable[[Form], None]]]] = {
    "taroky": {
        "no lines": ("sheet-without-lines", "/sheet", put("sheet", [])),
        "lines in an object": ("no-list", "/sheet", put("sheet", {})),
        "a deal, too": ("beside-sheet", "/deal", put("deal", {})),
        "events, too": ("beside-sheet", "/events", put("events", [])),
        "no tags": ("sheet-without-tag", "/tags", put("tags", {})),
        "no session": ("sheet-without-tag", "/tags", put("tags Session", DELETE)),
        "a session without a name": ("sheet-without-tag", "/tags", put("tags Session", " ")),
        "no number": ("sheet-without-tag", "/tags", put("tags Deal", DELETE)),
        "a comment at an event": ("no-number-of-events", "/comments/1", put("comments 1", ["x"])),
        "an empty line": ("unknown-field", "/sheet/0", line()),
        "a line as a string": ("no-list", "/sheet/0", put("sheet 0", "contract first")),
        "a field that is no string": ("no-string", "/sheet/0/0", line(1, "A")),
        "a field of another game": ("unknown-field", "/sheet/0", line("tappist", "A")),
        "a word of another field": ("sheet-word", "/sheet/0/1", line("contract", "made")),
        "a word too many": ("field-too-long", "/sheet/0/2", line("contract", "first", "A")),
        "a seat that is a number": ("sheet-word", "/sheet/0/1", line("bidder", 1)),
        "half a point": ("sheet-word", "/sheet/0/2", line("points", "bidder", 0.5)),
        "true for points": ("sheet-word", "/sheet/0/2", line("points", "bidder", True)),
        "a number of seven digits": ("sheet-word", "/sheet/0/2", line("points", "bidder", 10**6)),
        "too many lines": ("too-many-sheet-lines", "/sheet/64", put("sheet", [["bidder", "A"]] * 65)),
    },
    "grosstarock": {
        "an item of another game": ("sheet-word", "/sheet/0/2", line("declare", "A", "trul")),
        "a card that is no King": ("sheet-word", "/sheet/0/1", line("card", "SQ")),
        "too many words": ("field-too-long", "/sheet/0/64", line("declare", "A", *["jacks"] * 63)),
    },
}


@pytest.mark.parametrize(
    ("game", "name"), [(game, name) for game, rows in BROKEN_SHEETS.items() for name in rows]
)
def test_both_refuse_the_sheet(game: str, name: str) -> None:
    reason, pointer, change = BROKEN_SHEETS[game][name]
    form = sheet_form(game, GAMES[game].info.usual_seats)
    change(form)
    assert both(form) == (False, False)
    (entry,) = read(json.dumps(form))
    assert {(error.reason, error.pointer) for error in entry.errors} == {(reason, pointer)}


def test_both_take_as_many_lines_and_words_as_there_may_be() -> None:
    assert both(sheet_form("taroky", 4) | {"sheet": [["bidder", "A"]] * 64}) == (True, True)
    declared = [["declare", "A", *["jacks"] * 62]]
    assert both(sheet_form("grosstarock", 3) | {"sheet": declared}) == (True, True)


def test_both_take_numbers_that_cannot_be() -> None:
    """A clause says what is wrong with them, as with every other breach of the rules."""
    for points in (-1, 71, 999_999):
        assert both(sheet_form("taroky", 4) | {"sheet": [["points", "bidder", points]]}) == (True, True)


#: Sheets rejected only by the schema: the form in its own spelling, and in another one.
FORGIVEN_LINES = [
    (["bidder", "A"], ["Bidder", "a"]),
    (["points", "bidder", 60], ["points", "bidder", "60"]),
    (["hand", "A", "tarocky"], ["hand", "A", "TAROCKY"]),
]


@pytest.mark.parametrize(("proper", "given"), FORGIVEN_LINES)
def test_only_the_schema_refuses_the_line(proper: list[Any], given: list[Any]) -> None:
    form = sheet_form("taroky", 4)
    assert both(form | {"sheet": [proper]}) == (True, True)
    assert both(form | {"sheet": [given]}) == (False, True)
    assert read_one(json.dumps(form | {"sheet": [given]})) == read_one(json.dumps(form | {"sheet": [proper]}))
