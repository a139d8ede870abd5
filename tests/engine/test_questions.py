"""Questions are input of others: each is answered, and each wrong field is refused, by its place and what is
expected."""

from __future__ import annotations

import base64
import copy
import inspect
import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from tarock.notation import read_one, write_json
from tarock.view.answers.questions import _QUESTIONS, answer
from tarock.words.clauses import LANGUAGES, clause
from tests.engine.driver import TABLES, examples
from tests.engine.test_sheets_of_deals import any_lines
from tests.support import samples

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
     "tap": {"field": "points", "key": ["bidder"], "place": 0, "word": 40}, "was": {"A": "Dana"}},
    "evening": {"setup": SETUP, "deals": [DEAL], "dealer": "Dana", "out": ["Cyril"]},
    "games": {},
    "house-rules": {"game": "taroky", "options": ["cap=1"], "rules": "hlucin@1"},
    "table": {"table": ["Alena"], "date": "2026-11-24", "name": "Bob", "known": ["Bořek"]},
    "check": {"base64": base64.b64encode(samples.TAROKY.encode()).decode(), "skip": 0, "most": 1,
     "begin": PLACE, "is_last": True, "encoding": "cp1250"},
    "board-start": {"game": "taroky", "seats": 4, "dealer": "A", "options": []},
    "hand": {"game": "taroky", "text": "SK"},
    "board": {"record": RECORD, "typed": "T20", "later": [], "known": 0},
    "exchange": {"record": RECORD | {"events": RECORD["events"][:9]}, "former": RECORD["events"][8:],
     "typed": None},
    "variations": {"record": RECORD, "variations": []},
    "values": {"record": RECORD, "later": []},
}  # fmt: skip
for _ask, _question in RIGHT.items():
    _question |= {"ask": _ask, "language": "de"}

TEXT = (7, True, None, ["x"], {"x": 1})
LIST = (7, "x", None, {"x": 1})
NUMBER = (-1, "1", 1.0, True, None, [1], 10**12, 10**4000)
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
    "/encoding": (*TEXT, "latin1"),
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
    "/rules": TEXT,
    "/record": (7, "x", None, []),
    "/typed": (7, True, ["x"]),
    "/later": LIST,
    "/former": LIST,
    "/was": (7, "x", []),
    "/variations": LIST,
}
OTHERS = {("table", "/known"): LIST, ("board", "/known"): (*NUMBER, "x"), ("board-start", "/dealer"): TEXT}
"""Fields of one name in different questions."""


def answer_of(text: str) -> dict[str, Any]:
    """The answer to a question, which can be sent, whatever the text is."""
    written = answer(text, lambda *_: ())  # no question here is about cards in play
    written.encode()
    found: dict[str, Any] = json.loads(written)
    if "error" in found:
        assert set(found) == {"error"}
        assert set(found["error"]) == {"code", "message"}
        assert all(isinstance(value, str) and value for value in found["error"].values())
    return found


def ask(question: Any) -> dict[str, Any]:
    return answer_of(json.dumps(question))


def spoilt(question: dict[str, Any], pointer: str, value: Any) -> dict[str, Any]:
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


def has(question: dict[str, Any], pointer: str) -> bool:
    """Whether a question has the field of a place, or may have an item there."""
    at: Any = question
    for key in pointer.split("/")[1:]:
        if isinstance(at, list):
            at = next(iter(at[int(key) :]), None)
        elif isinstance(at, dict) and key in at:
            at = at[key]
        else:
            return False
    return True


def cases() -> Iterator[Any]:
    for name, question in RIGHT.items():
        places = {pointer for pointer in WRONG if has(question, pointer)} | {f"/{name}" for name in question}
        for pointer in sorted(places - {"/ask"}):
            yield pytest.param(
                name, pointer, OTHERS.get((name, pointer)) or WRONG[pointer], id=name + pointer
            )


CASES = [*cases()]


@pytest.mark.parametrize("name", RIGHT)
def test_a_right_question_is_answered(name: str) -> None:
    assert "error" not in ask(RIGHT[name])


@pytest.mark.parametrize(("text", "code"), [
    *((text, "not-json") for text in ("", "{", "\x00", "nothing", '"\\ud800', "9" * 5000, "[" * 100_000)),
    *((text, "unknown-question") for text in ("null", "7", "[]", "{}", '{"ask": "whist"}', '{"ask": {}}')),
])  # fmt: skip
def test_what_is_no_question_is_an_error(text: str, code: str) -> None:
    assert answer_of(text)["error"]["code"] == code


@pytest.mark.parametrize("depth", [10, 900, 20_000])
def test_what_is_nested_deep(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    assert "error" in answer_of(f'{{"ask": {deep}}}')
    for part, keys in (("deal", ("lines", "players", "dealer", "options", "comment")), ("setup", SETUP)):
        for key in keys:
            question = RIGHT["form"] | {part: RIGHT["form"][part] | {key: "DEEP"}}
            answer_of(json.dumps(question).replace('"DEEP"', deep))
            evening = {"ask": "evening", "setup": question["setup"], "deals": [question["deal"]]}
            answer_of(json.dumps(evening).replace('"DEEP"', deep))


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
    + [("board", "record"), ("variations", "record"), ("variations", "variations"), ("values", "record")]
    + [("exchange", "record"), ("exchange", "former")],
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


@pytest.mark.parametrize(("field", "key", "place", "word"), [
    ("points", ["A", {}], -3, 50),
    ("points", [], 0, "bidder"),
    ("points", ["bidder"], 1, 40),
    ("points", ["bidder", 40], 0, 40),
    ("points", ["bidder", 40, 50], 0, 1),
    ("points", ["bidder"], 0, "many"),
    ("points", ["bidder"], 0, True),
    ("points", ["bidder"], 0, 10**9),
    ("points", ["bidder"], 9, "A"),
    ("contract", [], 7, "second"),
    ("contract", ["first"], 0, "second"),
    ("contract", [], 0, "whist"),
    ("contract", [], 0, "\ud800"),
    ("whist", [], 0, None),
    ("surrendered", ["A"], 0, ""),
    ("hand", ["A"], 0, "flush"),
    ("double", ["game"], 0, "A"),
])  # fmt: skip
def test_a_tap_beside_the_form_changes_nothing(field: str, key: list[Any], place: int, word: Any) -> None:
    tap = {"field": field, "key": key, "place": place, "word": word}
    assert ask(RIGHT["form"] | {"tap": tap})["error"]["code"] == "malformed"


def test_some_wrong_values_have_messages_of_their_own() -> None:
    line = {"id": 1, "from": 0, "step": 3, "events": [["A", "pass"]], "name": "", "comment": "", "color": 1}
    tap = {"field": "contract", "key": [], "place": 7, "word": "second"}
    for question, message in (
        (RIGHT["form"] | {"setup": SETUP | {"game": "whist"}},
         "found the game “whist”, expected one of strohmann taroky troggu grosstarock"),
        (RIGHT["variations"] | {"variations": [line], "language": "ja"},
         "found the key “color”, expected only id from step events name comment"),
        (RIGHT["form"] | {"tap": tap},
         'found {"key": [], "place": 7} for “contract”, expected the key and place of a row in the form'),
        *((RIGHT["check"] | {"base64": text}, f"found “{text}”, expected bytes in Base64")
          for text in ("[TGN]", "ř")),
    ):  # fmt: skip
        assert ask(question)["error"] == {"code": "malformed", "message": message}


def clauses_of(value: Any) -> set[str]:
    if isinstance(value, list):
        return set().union(*map(clauses_of, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    own = {value["clause"]} if value.get("clause") else set()
    return own | clauses_of(list(value.values()))


@pytest.mark.parametrize(("game", "number"), TABLES)
def test_no_lines_make_a_question_fail_and_every_finding_of_a_form_has_a_text(game: str, number: int) -> None:
    """Ask about deals with random lines, and about taps that the form doesn't offer."""
    rng, seats = random.Random(f"{game} {number} questions"), "ABCDEFGH"[:number]
    setup = SETUP | {"game": game, "seats": number}
    for _ in range(examples(60)):
        lines = [line.split() for line in any_lines(game, tuple(seats), rng)]
        written = [[int(word) if word.isdigit() else word for word in line] for line in lines]
        players = {seat: f"Player {seat}" for seat in seats}
        deal = DEAL | {"players": players, "dealer": rng.choice(seats), "lines": written}
        language, (name, *words) = rng.choice(LANGUAGES), rng.choice([*lines, ["points", "A", "1"]])
        key, word = rng.randint(0, 2), rng.choice([None, "won", *words])
        tap = {"field": name, "key": words[:key], "place": rng.randint(0, 2), "word": word}
        form = {"ask": "form", "setup": setup, "deal": deal, "language": language}
        evening = {"ask": "evening", "setup": setup, "deals": [deal], "language": language}
        for question in (form, form | {"tap": tap}, evening):
            found = ask(question)
            assert found.get("error", {}).get("code") != "failed"
            assert all(clause(slug).title for slug in clauses_of(found))
            findings = [one for row in found.get("fields", ()) for one in row["findings"]]
            findings += found.get("findings", []) if "fields" in found else []
            assert all(one["text"] and one["clause"] for one in findings)
