"""Questions are input of others: each has an answer, and one that makes no sense has an error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tarock.core.outcome import Field, Part
from tarock.games import GAMES
from tarock.view.answers.questions import answer
from tarock.words.clauses import LANGUAGES, clause
from tests.engine.driver import examples

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
    "seats": 4,
    "options": [],
    "date": "2026-11-24",
    "place": "Hlučín",
    "table": ["Alena", "Bořek", "Cyril", "Dana", "Emil"],
    "dealer": "Dana",
    "thrown_in": [],
}
FORM = {"ask": "form", "setup": SETUP, "deal": DEAL, "language": "cs"}
EVENING = {"ask": "evening", "setup": SETUP, "deals": [DEAL], "language": "ja"}
TAP = {"field": "points", "key": ["bidder"], "place": 0, "word": 40}


def ask(text: str) -> dict[str, Any]:
    """The answer to a question, which is one whatever the text is."""
    written = answer(text)
    # It can be sent.
    written.encode()
    found: dict[str, Any] = json.loads(written)
    if "error" in found:
        assert set(found) == {"error"}
        assert set(found["error"]) == {"code", "message"}
        assert all(isinstance(value, str) and value for value in found["error"].values())
    return found


def code(question: Any) -> str:
    """The code of the error of a question."""
    return str(ask(json.dumps(question))["error"]["code"])


def test_a_question_is_answered() -> None:
    assert set(ask(json.dumps(FORM | {"tap": TAP}))) == {
        "lines",
        "fields",
        "findings",
        "warnings",
        "verdict",
        "score",
        "sheet",
    }
    assert set(ask(json.dumps(EVENING))) == {"deals", "standings", "next", "findings"}
    assert set(ask('{"ask": "games"}')) == {"games"}
    assert set(ask('{"ask": "table"}')) == {"findings", "name", "alike"}


@pytest.mark.parametrize("text", ["", "{", "\x00", "nothing", '"\\ud800', "9" * 5000, "[" * 100_000])
def test_what_is_no_json_is_no_question(text: str) -> None:
    assert ask(text)["error"]["code"] == "not-json"


@pytest.mark.parametrize("question", [None, 7, [], {}, {"ask": "whist"}, {"ask": ["form"]}, {"ask": {}}])
def test_an_unknown_question(question: Any) -> None:
    assert code(question) == "unknown-question"


@pytest.mark.parametrize("depth", [10, 900, 20_000])
def test_what_is_nested_deep(depth: int) -> None:
    deep = "[" * depth + "]" * depth
    for text in (f'{{"ask": {deep}}}', f'{{"ask": "form", "deal": {deep}, "setup": {{}}}}'):
        assert "error" in ask(text)
    for key in ("lines", "players", "dealer", "options", "comment"):
        deal = json.dumps(DEAL | {key: "DEEP"}).replace('"DEEP"', deep)
        assert "error" in ask(f'{{"ask": "form", "setup": {json.dumps(SETUP)}, "deal": {deal}}}')
        ask(f'{{"ask": "evening", "setup": {json.dumps(SETUP)}, "deals": [{deal}]}}')
    for key in SETUP:
        setup = json.dumps(SETUP | {key: "DEEP"}).replace('"DEEP"', deep)
        ask(f'{{"ask": "form", "setup": {setup}, "deal": {json.dumps(DEAL)}}}')
        ask(f'{{"ask": "evening", "setup": {setup}, "deals": []}}')


@pytest.mark.parametrize(
    "tap",
    [
        {"field": "whist"},
        {"field": "points", "key": ["bidder", 40, 50], "word": 1},
        {"field": "points", "key": ["bidder"], "word": "many"},
        {"field": "points", "key": ["bidder"], "word": True},
        {"field": "points", "key": ["bidder"], "word": 10**9},
        {"field": "points", "key": ["bidder"], "place": 9, "word": "A"},
        {"field": "contract", "word": "whist"},
        {"field": "contract", "word": "\ud800"},
        {"field": "surrendered", "key": ["A"]},
        {"field": "hand", "key": ["A"], "word": "flush"},
        {"field": "double", "key": ["game"], "word": "A"},
    ],
)
def test_what_cannot_be_tapped(tap: dict[str, Any]) -> None:
    assert code(FORM | {"tap": tap}) == "malformed"


@pytest.mark.parametrize("n", [0, -1, 10**9, 10**4000, True, 1.5, "1", None, []])
def test_what_is_no_number_of_a_deal(n: Any) -> None:
    for question in (EVENING | {"deals": [DEAL | {"n": n}]}, EVENING | {"setup": SETUP | {"thrown_in": [n]}}):
        found = ask(json.dumps(question))
        assert found["error"]["code"] == "malformed"
        assert "expected a number from 1 up" in found["error"]["message"]


def test_an_error_names_what_is_wrong() -> None:
    found = ask(json.dumps(FORM | {"setup": SETUP | {"game": "whist"}}))
    assert found["error"] == {
        "code": "malformed",
        "message": "found the game “whist”, expected one of strohmann taroky troggu grosstarock",
    }


NASTY = st.sampled_from(
    ["", "A", "Alena", "points", "contract", "game", "\x00", "\ud800", "}", "tarocks:1", *GAMES]
)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), NASTY, st.text(max_size=8))
ANY = st.recursive(
    LEAVES,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(NASTY, inner, max_size=5),
    max_leaves=12,
)
TABLES = st.sampled_from([(name, number) for name, each in GAMES.items() for number in each.info.seats])


def nearly(right: dict[str, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """Return objects with these keys and values, with at most one left out, or anything."""

    def spoilt(value: dict[str, Any], how: str, key: str, other: Any) -> Any:
        if how == "gone":
            return {name: one for name, one in value.items() if name != key}
        return value | {key: other} if how == "other" else value

    hows = st.sampled_from(["right", "right", "right", "gone", "other"])
    return st.builds(spoilt, st.fixed_dictionaries(right), hows, st.sampled_from(sorted(right)), ANY)


def word_of(part: Part, seats: str) -> st.SearchStrategy[Any]:
    """A word that may stand at a place of a line, or nearly."""
    words = [*part.words, *part.forms, *(seats if part.seats else ())]
    numbers = [st.integers(part.number[0] - 1, part.number[1] + 1)] if part.number else []
    return st.one_of([st.sampled_from(words)] * bool(words) + numbers)


def line_of(game: str, seats: str) -> st.SearchStrategy[list[Any]]:
    """A line of a sheet, which may break off, or have a word of anything at its end."""

    def of(one: Field) -> st.SearchStrategy[list[Any]]:
        words = st.tuples(*(word_of(part, seats) for part in one.parts))
        end = st.sampled_from([0, 0, 0, 0, 1]).flatmap(lambda more: st.lists(LEAVES, max_size=more))
        cut = st.sampled_from([9, 9, 9, 2, 1])
        return st.builds(lambda given, at, more: [one.name, *given[:at], *more], words, cut, end)

    return st.sampled_from([*GAMES[game].table.OUTCOME.fields().values()]).flatmap(of)


def deal_of(game: str, number: int) -> st.SearchStrategy[Any]:
    seats = "ABCDEFGH"[:number]
    return nearly(
        {
            "n": st.integers(1, 12),
            "players": st.just({seat: f"Player {seat}" for seat in seats}),
            "dealer": st.sampled_from(seats),
            "options": st.sampled_from([[], [*GAMES[game].info.options]]),
            "lines": st.lists(line_of(game, seats), max_size=6),
        }
    )


def setup_of(game: str) -> st.SearchStrategy[Any]:
    return nearly(
        {key: st.just(value) for key, value in SETUP.items()}
        | {
            "game": st.just(game),
            "seats": st.integers(-1, 9),
            "table": st.lists(NASTY | st.sampled_from("ABCDEFGH"), max_size=9),
            "thrown_in": st.lists(
                st.integers(1, 9)
                | st.fixed_dictionaries({"n": st.integers(1, 9), "turn": st.lists(st.text())}),
                max_size=3,
            ),
        }
    )


def tap_of(game: str, number: int) -> st.SearchStrategy[Any]:
    """A tap anywhere on a line; the form may not offer it."""

    def on(line: list[Any], key: int, word: Any) -> dict[str, Any]:
        place = max(len(line) - 2 - key, 0)
        return {"field": line[0], "key": line[1 : 1 + key], "place": place, "word": [*line, word][-1]}

    lines = line_of(game, "ABCDEFGH"[:number])
    taps = st.builds(on, lines, st.integers(0, 2), st.none() | st.sampled_from(["A", "won"]))
    return st.one_of(taps, nearly({"field": st.just("points"), "key": st.just(["A"]), "word": st.just(1)}))


def question_of(table: tuple[str, int]) -> st.SearchStrategy[Any]:
    game, number = table
    language = st.sampled_from(LANGUAGES)
    form = {"ask": st.just("form"), "deal": deal_of(game, number), "setup": setup_of(game)}
    evening = {
        "ask": st.just("evening"),
        "setup": setup_of(game),
        "deals": st.lists(deal_of(game, number), max_size=4),
        "language": language,
        "dealer": NASTY,
        "out": st.lists(NASTY, max_size=3),
    }
    names = st.lists(NASTY, max_size=5)
    table = {"ask": st.just("table"), "table": names, "known": names, "name": NASTY, "date": NASTY}
    return st.one_of(
        nearly(form | {"tap": tap_of(game, number), "language": language}), nearly(evening), nearly(table)
    )


QUESTIONS = TABLES.flatmap(question_of)


@settings(max_examples=examples(400), deadline=None)
@given(QUESTIONS)
def test_no_question_raises(question: Any) -> None:
    ask(json.dumps(question))


@settings(max_examples=examples(200), deadline=None)
@given(ANY)
def test_no_object_raises(question: Any) -> None:
    ask(json.dumps(question))


@settings(max_examples=examples(300), deadline=None)
@given(st.text())
def test_no_text_raises(text: str) -> None:
    ask(text)


def clauses_of(value: Any) -> set[str]:
    """Every clause that an answer names."""
    if isinstance(value, list):
        return set().union(*map(clauses_of, value)) if value else set()
    if not isinstance(value, dict):
        return set()
    own = {value["clause"]} if value.get("clause") else set()
    return own | clauses_of(list(value.values()))


@settings(max_examples=examples(400), deadline=None)
@given(TABLES.flatmap(lambda table: st.tuples(st.just(table), deal_of(*table))), st.sampled_from(LANGUAGES))
def test_every_clause_that_is_named_exists_and_every_finding_has_a_text(
    dealt: tuple[tuple[str, int], Any], language: str
) -> None:
    (game, _), deal = dealt
    question = FORM | {"setup": SETUP | {"game": game}, "deal": deal, "language": language}
    found = ask(json.dumps(question))
    assert all(clause(slug, language).title for slug in clauses_of(found))
    findings = [one for row in found.get("fields", ()) for one in row["findings"]] + found.get("findings", [])
    assert all(one["text"] and one["clause"] for one in findings)
