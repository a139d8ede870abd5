"""Each field of each question is read strictly: a wrong one is refused, by its place and what is expected."""

from __future__ import annotations

import base64
import copy
import doctest
import inspect
import json
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tarock.notation import read_one, write_json
from tarock.view.answers import fields
from tarock.view.answers.questions import _QUESTIONS, answer
from tests import samples
from tests.engine.driver import examples

RECORD = write_json(read_one(samples.TAROKY))
DEAL: dict[str, Any] = {
    "n": 1,
    "players": {"A": "Alena", "B": "Bořek", "C": "Cyril", "D": "Dana"},
    "dealer": "D",
    "options": [],
    "lines": [["contract", "first"], ["bidder", "A"]],
    "comment": "",
}
SETUP: dict[str, Any] = {
    "game": "taroky",
    "name": "June",
    "date": "2026-11-24",
    "place": "Hlučín",
    "table": ["Alena", "Bořek", "Cyril", "Dana"],
    "dealer": "Dana",
    "seats": 4,
    "options": [],
    "thrown_in": [2, {"n": 3, "turn": ["Alena", "Bořek"]}],
}
PLACE = {"number": 1, "line": 1, "column": 1, "form": "", "array": False, "torn": False}
RIGHT: dict[str, dict[str, Any]] = {
    "form": {"deal": DEAL, "setup": SETUP,
     "tap": {"field": "points", "key": ["bidder"], "place": 0, "word": 40}},
    "evening": {"setup": SETUP, "deals": [DEAL], "dealer": "Dana", "out": ["Cyril"]},
    "games": {},
    "table": {"table": ["Alena"], "date": "2026-11-24", "name": "Bob", "known": ["Bořek"]},
    "check": {"base64": base64.b64encode(samples.TAROKY.encode()).decode(), "skip": 0, "most": 1,
     "begin": PLACE, "is_last": True},
    "board-start": {"game": "taroky", "seats": 4, "dealer": "A", "options": []},
    "hand": {"game": "taroky", "text": "SK"},
    "board": {"record": RECORD, "typed": "T20", "later": [], "known": 0},
    "variations": {"record": RECORD, "variations": []},
}  # fmt: skip
for _ask, _question in RIGHT.items():
    _question |= {"ask": _ask, "language": "de"}

TEXT = (7, True, None, ["x"], {"x": 1})
LIST = (7, "x", None, {"x": 1})
NUMBER = (-1, "1", 1.0, True, None, [1], 10**12)
WRONG: dict[str, tuple[Any, ...]] = {
    "/language": (*TEXT, "xx", ""),
    "/deal": (7, "x", None, [], {}),
    "/deal/n": (*NUMBER, 0),
    "/deal/options": LIST,
    "/deal/lines": LIST,
    "/deal/comment": TEXT,
    "/setup": (7, "x", None, [], {}),
    **dict.fromkeys(("/setup/game", "/setup/name", "/setup/date", "/setup/place", "/setup/dealer"), TEXT),
    "/setup/table": LIST,
    "/setup/table/0": TEXT,
    "/setup/seats": NUMBER,
    "/setup/options": LIST,
    "/setup/options/0": TEXT,
    "/setup/thrown_in": LIST,
    "/setup/thrown_in/0": (*NUMBER, {}),
    "/setup/thrown_in/1/n": NUMBER,
    "/setup/thrown_in/1/turn": LIST,
    "/setup/thrown_in/1/turn/0": TEXT,
    "/tap": (7, "x", [], {}),
    "/tap/field": TEXT,
    "/tap/key": LIST,
    "/tap/key/0": (1.5, True, None, {}, []),
    "/tap/place": (*NUMBER, -3),
    "/tap/word": (1.5, True, {}, []),
    "/deals": LIST,
    "/deals/0": (7, "x", None, [], {}),
    "/deals/0/n": (*NUMBER, 0),
    "/dealer": (7, True, ["x"]),
    "/out": LIST,
    "/out/0": TEXT,
    "/table": LIST,
    "/table/0": TEXT,
    "/date": TEXT,
    "/name": (7, True, ["x"]),
    "/known/0": TEXT,
    "/text": TEXT,
    "/base64": TEXT,
    "/skip": (*NUMBER, "many"),
    "/most": NUMBER,
    "/begin": (7, "x", [], {}),
    **dict.fromkeys(("/begin/number", "/begin/line", "/begin/column"), (*NUMBER, 0)),
    "/begin/form": (*TEXT, "pgn"),
    "/begin/array": (0, 1, "true", None, []),
    "/begin/torn": (0, 1, "true", None, []),
    "/is_last": (0, 1, "true", None, []),
    "/game": TEXT,
    "/seats": (*NUMBER, 0, 9),
    "/options": LIST,
    "/options/0": TEXT,
    "/record": (7, "x", None, []),
    "/typed": (7, True, ["x"]),
    "/later": LIST,
    "/variations": LIST,
}
OTHERS = {("table", "/known"): LIST, ("board", "/known"): (*NUMBER, "x"), ("board-start", "/dealer"): TEXT}
"""Fields of one name in different questions."""


def ask(question: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(answer(json.dumps(question)))
    return found


def spoilt(question: dict[str, Any], pointer: str, value: Any) -> dict[str, Any]:
    """A question with another value at a place."""
    found = copy.deepcopy(question)
    *path, last = pointer.split("/")[1:]
    at: Any = found
    for key in path:
        at = at[int(key)] if isinstance(at, list) else at[key]
    if isinstance(at, list):
        at[: int(last) + 1] = [*at[: int(last)], value]
    else:
        at[last] = value
    return found


def value_at(question: dict[str, Any], pointer: str) -> Any:
    """The value of a question at a place; None for an item of an empty list.

    :raises KeyError: if there is no such field.
    """
    at: Any = question
    for key in pointer.split("/")[1:]:
        at = at[key] if isinstance(at, dict) else next(iter(at[int(key) :]), None)
    return at


def has(question: dict[str, Any], pointer: str) -> bool:
    """Whether a question has the field of a place, or may have an item there."""
    try:
        value_at(question, pointer)
    except (KeyError, TypeError):
        return False
    return True


def cases() -> Iterator[Any]:
    """Each question with each of its fields, and the values that are wrong there."""
    for name, question in RIGHT.items():
        places = {pointer for pointer in WRONG if has(question, pointer)} | {f"/{name}" for name in question}
        for pointer in sorted(places - {"/ask"}):
            yield pytest.param(
                name, pointer, OTHERS.get((name, pointer)) or WRONG[pointer], id=name + pointer
            )


CASES = [*cases()]


def test_the_reader_explains_itself() -> None:
    assert doctest.testmod(fields).failed == 0


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_question_is_answered(name: str) -> None:
    assert "error" not in ask(RIGHT[name])


def test_every_field_of_every_question_is_here() -> None:
    assert [*RIGHT] == [*_QUESTIONS]
    for name, answers in _QUESTIONS.items():
        here = {*RIGHT[name]} - {"ask"} | ({"text"} if name == "check" else set())
        assert here == {*inspect.signature(answers).parameters}, name


@pytest.mark.parametrize(("name", "pointer", "wrong"), CASES)
def test_a_wrong_field_is_refused_by_its_name(name: str, pointer: str, wrong: tuple[Any, ...]) -> None:
    for value in wrong:
        error = ask(spoilt(RIGHT[name], pointer, value))["error"]
        assert error["code"] == "malformed", value
        assert error["message"].startswith((f"{pointer}: found ", f"{pointer}/")), (value, error)
        assert "expected " in error["message"]


@pytest.mark.parametrize(
    ("name", "pointer"),
    [(name, "") for name in RIGHT]
    + [("form", "/tap"), ("check", "/begin"), ("evening", "/setup/thrown_in/1")],
)
def test_a_field_that_nobody_knows_is_refused(name: str, pointer: str) -> None:
    message = ask(spoilt(RIGHT[name], f"{pointer}/plaec~", 1))["error"]["message"]
    assert message.startswith(f"{pointer}/plaec~0: found 1, expected only ")


def test_what_else_the_archive_has_of_an_evening_is_left_alone() -> None:
    more = [("form", "/setup/stake"), ("form", "/deal/version")]
    more += [("evening", "/setup/stake"), ("evening", "/deals/0/version")]
    for name, pointer in more:
        assert ask(spoilt(RIGHT[name], pointer, "2.50")) == ask(RIGHT[name])


@pytest.mark.parametrize(
    ("name", "field"),
    [("form", "deal"), ("form", "setup"), ("evening", "setup"), ("hand", "game"), ("hand", "text")]
    + [("board-start", name) for name in ("game", "seats", "dealer")]
    + [("board", "record"), ("variations", "record"), ("variations", "variations")],
)
def test_a_field_that_is_needed(name: str, field: str) -> None:
    question = {key: value for key, value in RIGHT[name].items() if key != field}
    assert ask(question)["error"]["message"].startswith(f"/{field}: found nothing, expected ")


def test_records_are_sent_as_text_or_as_bytes() -> None:
    both = ask(RIGHT["check"] | {"text": samples.TAROKY})["error"]["message"]
    none = ask({"ask": "check"})["error"]["message"]
    assert both == none == "/text: expected text or base64, one of them"
    for value in TEXT:
        message = ask({"ask": "check", "text": value})["error"]["message"]
        assert message.startswith("/text: found ")
        assert message.endswith(", expected a string")


@pytest.mark.parametrize(
    "tap",
    [
        {"field": "points", "key": ["A", {}], "place": -3, "word": 50},
        {"field": "points", "key": [], "place": 0, "word": "bidder"},
        {"field": "points", "key": ["bidder"], "place": 1, "word": 40},
        {"field": "points", "key": ["bidder", 40], "place": 0, "word": 40},
        {"field": "contract", "key": [], "place": 7, "word": "second"},
        {"field": "contract", "key": ["first"], "place": 0, "word": "second"},
        {"field": "whist", "key": [], "place": 0, "word": None},
    ],
)
def test_a_tap_beside_the_form_changes_nothing(tap: dict[str, Any]) -> None:
    assert ask(RIGHT["form"] | {"tap": tap})["error"]["code"] == "malformed"


def test_a_tap_says_where_it_went_wrong() -> None:
    tap = {"field": "contract", "key": [], "place": 7, "word": "second"}
    assert ask(RIGHT["form"] | {"tap": tap})["error"]["message"] == (
        'found {"key": [], "place": 7} for “contract”, expected the key and the place of a row of the form'
    )


@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_a_variation_has_no_other_fields(language: str) -> None:
    line = {"id": 1, "from": 0, "step": 3, "events": [["A", "pass"]], "name": "", "comment": "", "color": 1}
    error = ask(RIGHT["variations"] | {"variations": [line], "language": language})["error"]
    assert error["message"] == "found the key “color”, expected only id from step events name comment"


LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=6)
ANY = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
)


@settings(max_examples=examples(300), deadline=None)
@given(st.sampled_from(CASES), ANY)
def test_a_spoilt_field_is_refused_or_counts(case: Any, value: Any) -> None:
    """None raises, and no value of a wrong type is taken for a field that was left out."""
    name, pointer, wrong = case.values
    found = ask(spoilt(RIGHT[name], pointer, value))
    assert found.get("error", {}).get("code") != "failed"
    if type(value) in {type(other) for other in wrong} - {type(value_at(RIGHT[name], pointer))}:
        assert found["error"]["code"] == "malformed"
        assert found["error"]["message"].startswith(pointer)
