"""The JSON Schema against the reader: what both take, what both refuse, where one is stricter, and why."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tarock.core.cards import CARDS, names, pack
from tarock.games import GAMES, games
from tarock.notation import limits, read, read_one, write_json
from tarock.notation.limits import MAX_COMMENT, MAX_COMMENTS, MAX_TEXT
from tarock.notation.schema import schema
from tests.texts.blocks import DOCS, blocks
from tests.texts.schema_forms import DELETE, TABLES, VALIDATOR, Form, both, put, whole


def test_schema_is_a_schema_of_2020_12_with_every_game_and_every_verb() -> None:
    found = schema()
    Draft202012Validator.check_schema(found)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert found["properties"]["game"]["enum"] == [*GAMES, "?"]
    assert [part["if"]["properties"]["game"]["const"] for part in found["allOf"]] == list(GAMES)
    verbs = found["properties"]["events"]["items"]["prefixItems"][1]["enum"]
    assert sorted(verbs) == sorted({"play"} | {verb for info in games() for verb in info.verbs})
    found["title"] = "changed"
    command = [sys.executable, "-m", "tarock.notation.schema"]
    printed = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=300).stdout)
    assert printed == schema(), "a fresh copy"
    assert printed["title"] == "TGN 1, JSON form"


@pytest.mark.parametrize(("game", "number", "dealer"), TABLES)
def test_both_take_every_table(game: str, number: int, dealer: str) -> None:
    form = whole(game, number, dealer)
    assert both(form) == (True, True)
    del form["score"]
    assert both(form) == (True, True)


def test_both_take_a_stock() -> None:
    form = whole("grosstarock", 2)
    dealt = {card for cards in form["deal"].values() for card in cards}
    form["deal"]["stock"] = [card for card in names(pack(78)) if card not in dealt]
    assert both(form) == (True, True)


@pytest.mark.parametrize(
    "block", [b for b in blocks("notation.md") if b.language in ("tgn", "json")], ids=lambda b: b.name
)
def test_schema_takes_what_is_written(block: Any) -> None:
    VALIDATOR.validate(write_json(read_one(block.body)))


@pytest.mark.parametrize("size", [54, 62, 78])
def test_patterns_of_cards_are_the_packs(size: int) -> None:
    pattern = Draft202012Validator({"$ref": f"#/$defs/card{size}", "$defs": schema()["$defs"]})
    words = [s + r for s in "SHDCTX" for r in [*"KQCJ", *map(str, range(23)), "07", ""]]
    assert set(CARDS) < set(words)
    assert sorted(w for w in words if pattern.is_valid(w)) == sorted(names(pack(size)))


def _sit_out(form: Form) -> None:
    form["deal"]["C"] = form["deal"].pop("B")


#: Rejected by both: name → (game, seats, the pointer of the parser's error, change).
BROKEN: dict[str, tuple[str, int, str, Callable[[Form], None]]] = {
    "another version": ("taroky", 4, "/tgn", put("tgn", 2)),
    "the version as a string": ("taroky", 4, "/tgn", put("tgn", "1")),
    "true for the version": ("taroky", 4, "/tgn", put("tgn", True)),
    "no version": ("taroky", 4, "", put("tgn", DELETE)),
    "an unknown game": ("taroky", 4, "/game", put("game", "bridge")),
    "the game's name in capitals": ("taroky", 4, "/game", put("game", "Taroky")),
    "no game": ("taroky", 4, "", put("game", DELETE)),
    "no events": ("taroky", 4, "", put("events", DELETE)),
    "no players": ("taroky", 4, "", put("players", DELETE)),
    "no dealer": ("taroky", 4, "", put("dealer", DELETE)),
    "an unknown key": ("taroky", 4, "/winner", put("winner", "A")),
    "three for Taroky": ("taroky", 4, "/players", put("players D", DELETE)),
    "five for Taroky": ("taroky", 4, "/players", put("players E", "Eva")),
    "two for Troggu": ("troggu", 3, "/players", put("players C", DELETE)),
    "a ninth seat": ("troggu", 8, "/players/I", put("players I", "Ida")),
    "a gap in the seats": ("troggu", 3, "/players", lambda f: f.update(players={"A": "", "B": "", "D": ""})),
    "one for Grosstarock": ("grosstarock", 3, "/players", put("players", {"A": "Anna"})),
    "five for Grosstarock": ("grosstarock", 4, "/players", put("players E", "Eva")),
    "a stock of one card": ("grosstarock", 2, "/deal/stock", put("deal stock", ["T1"])),
    "a stock for three": ("grosstarock", 3, "/deal/stock", put("deal stock", [])),
    "a stock with a card of another pack": ("grosstarock", 2, "/deal/stock/0", put("deal stock", ["T22"])),
    "a name that is no string": ("taroky", 4, "/players/A", put("players A", 7)),
    "a name with a control character": ("taroky", 4, "/players/A", put("players A", "A\tB")),
    "a name that turns the text": ("taroky", 4, "/players/A", put("players A", "A\u202eB")),
    "a name that isolates": ("taroky", 4, "/players/A", put("players A", "\u2066A")),
    "a name of nothing to be seen": ("taroky", 4, "/players/A", put("players A", " \u200b\uffff\U000e0100")),
    "a session of nothing to be seen": ("taroky", 4, "/tags/Session", put("tags Session", "\ufeff")),
    "a name with half a surrogate pair": ("taroky", 4, "/players/A", put("players A", "\ud800")),
    "a dealer who is not there": ("taroky", 4, "/dealer", put("dealer", "E")),
    "an option of another game": ("troggu", 3, "/options/0", put("options", ["settle-uncontested"])),
    "an option twice": ("taroky", 4, "/options/1", put("options", ["settle-uncontested"] * 2)),
    "options as a string": ("taroky", 4, "/options", put("options", "settle-uncontested")),
    "a date in another order": ("taroky", 4, "/tags/Date", put("tags Date", "20.11.2026")),
    "a thirteenth month": ("taroky", 4, "/tags/Date", put("tags Date", "2026-13-01")),
    "deal nought": ("taroky", 4, "/tags/Deal", put("tags Deal", "0")),
    "a deal number as a number": ("taroky", 4, "/tags/Deal", put("tags Deal", 3)),
    "the dealer among the tags": ("taroky", 4, "/tags/Dealer", put("tags Dealer", "A")),
    "a seat among the tags": ("taroky", 4, "/tags/b", put("tags b", "Bob")),
    "a tag's name with a blank": ("taroky", 4, "/tags/Two words", put("tags", {"Two words": "x"})),
    "a tag with a line feed": ("taroky", 4, "/tags/Event", put("tags Event", "two\nlines")),
    "a card short": ("taroky", 4, "/deal/A", put("deal A 11", DELETE)),
    "a card too many": ("taroky", 4, "/deal/A/12", lambda f: f["deal"]["A"].append("SK")),
    "a card twice in one hand": ("taroky", 4, "/deal/A/1", put("deal A 0", "SQ")),
    "a card of a larger pack": ("taroky", 4, "/deal/A/0", put("deal A 0", "S6")),
    "a card that there is not": ("grosstarock", 3, "/deal/A/0", put("deal A 0", "T22")),
    "a talon in Strohmanntarock": ("strohmann", 2, "/deal/talon", put("deal talon", [])),
    "a pile in Taroky": ("taroky", 4, "/deal/A~11", put("deal A/1", [])),
    "cards for one who sits out": ("grosstarock", 4, "/deal/C", _sit_out),
    "a hand as a string": ("taroky", 4, "/deal/A", put("deal A", "SK SQ")),
    "events as an object": ("taroky", 4, "/events", put("events", {})),
    "an event as a string": ("taroky", 4, "/events/0", put("events 0", "A pass")),
    "an event without a verb": ("taroky", 4, "/events/0", put("events 0", ["A"])),
    "an event without anything": ("taroky", 4, "/events/0", put("events 0", [])),
    "an event by nobody there": ("taroky", 4, "/events/0", put("events 0", ["E", "pass"])),
    "a word that is no verb": ("taroky", 4, "/events/0", put("events 0", ["A", "passes"])),
    "a word with a blank": ("taroky", 4, "/events/0/2", put("events 0", ["A", "announce", "flek game"])),
    "an empty word": ("taroky", 4, "/events/0/2", put("events 0", ["A", "announce", ""])),
    "a number for a word": ("taroky", 4, "/events/0/2", put("events 0", ["A", "level", 1])),
    "a play of no card": ("taroky", 4, "/events/0/2", put("events 0", ["A", "play", "trump"])),
    "a play of a card of a larger pack": ("taroky", 4, "/events/0/2", put("events 0", ["A", "play", "H5"])),
    "a play with an open bracket": ("taroky", 4, "/events/0/2", put("events 0", ["A", "play", "T17(ros"])),
    "a discard of a larger pack": ("taroky", 4, "/events/0/2", put("events 0", ["A", "discard", "H5"])),
    "a call of no card there is": ("troggu", 7, "/events/0/2", put("events 0", ["A", "call", "T22"])),
    "a comment that is no list": ("taroky", 4, "/comments/0", put("comments 0", "a deal")),
    "a comment that is no string": ("taroky", 4, "/comments/0/0", put("comments 0", [None])),
    "a comment with a closing brace": ("taroky", 4, "/comments/0/0", put("comments 0", ["a } b"])),
    "a comment at a word": ("taroky", 4, "/comments/first", put("comments", {"first": ["x"]})),
    "a comment at 01": ("taroky", 4, "/comments/01", put("comments", {"01": ["x"]})),
    "a comment before the deal": ("taroky", 4, "/comments/-1", put("comments", {"-1": ["x"]})),
    "a score that leaves out a seat": ("taroky", 4, "/score", put("score D", DELETE)),
    "a score for a seat that is not there": ("taroky", 4, "/score/E", put("score E", 0)),
    "a score of a half": ("taroky", 4, "/score/A", put("score A", 0.5)),
    "a score in a string": ("taroky", 4, "/score/A", put("score A", "5")),
    "a score beyond all scores": ("taroky", 4, "/score/A", put("score A", 10**10)),
    "null for the score": ("taroky", 4, "/score", put("score", None)),
    "the game as a number": ("taroky", 4, "/game", put("game", 5)),
    "a dealer in a list": ("taroky", 4, "/dealer", put("dealer", ["D"])),
    "players in a list": ("taroky", 4, "/players", put("players", [])),
    "the score among the tags": ("taroky", 4, "/tags/Score", put("tags Score", "A=1")),
    "a tag's name to be escaped": ("taroky", 4, "/tags/x~0y~1z", put("tags", {"x~y/z": "x"})),
    "a number for a card": ("taroky", 4, "/deal/talon/5", put("deal talon 5", 5)),
    "a score that is true": ("taroky", 4, "/score/A", put("score A", True)),
}


@pytest.mark.parametrize("name", BROKEN)
def test_both_refuse(name: str) -> None:
    game, number, pointer, change = BROKEN[name]
    good = json.dumps(whole(game, number))
    form = whole(game, number)
    change(form)
    assert both(form) == (False, False)
    # Between two good ones, only it is bad; and the reader says where.
    entries = read(f"[{good},\n{json.dumps(form)},\n{good}]")
    found = [(entry.line, entry.form, entry.error and entry.error.pointer) for entry in entries]
    assert found == [(1, "json", None), (2, "json", pointer), (3, "json", None)]


@pytest.mark.parametrize("events", [["0"], [str(number) for number in range(MAX_COMMENTS + 1)]])
def test_both_have_the_same_limit_of_comments(events: list[str]) -> None:
    """At one event, and at different ones. The other limits are in `tests/engine/test_limits.py`."""
    for number in (MAX_COMMENTS, MAX_COMMENTS + 1):
        comments = {at: ["x"] * (number if len(events) == 1 else 1) for at in events[:number]}
        form = whole("taroky", 4) | {"events": [["A", "pass"]] * MAX_COMMENTS, "comments": comments}
        assert both(form) == (number == MAX_COMMENTS,) * 2


def test_both_refuse_what_is_no_object() -> None:
    for value in (None, 7, "x", [], [1]):
        assert not VALIDATOR.is_valid(value), value
        assert all(entry.record is None for entry in read(json.dumps(value))), value


#: Rejected only by the parser: name → (the pointer of the error, why a schema can't, change).
READER_ONLY: dict[str, tuple[str, str, Callable[[Form], None]]] = {
    "a card dealt twice": ("/deal/B/0", "a schema compares no two lists", put("deal A 0", "H1")),
    "the 30th of February": ("/tags/Date", "a pattern knows no months", put("tags Date", "2026-02-30")),
    "the year nought": ("/tags/Date", "as with the months", put("tags Date", "0000-01-01")),
    "a late comment": ("/comments/4", "a schema can't count the events", put("comments 4", ["late"])),
    "a tag twice in two cases": (
        "/tags/annotator",
        "a schema compares names as they are",
        lambda f: f["tags"].update(annotator="somebody else"),
    ),
    "many comments in two places": (
        "/comments/1/0",
        "a schema doesn't add up the lengths of lists",
        lambda f: f.update(comments={"0": ["x"] * MAX_COMMENTS, "1": ["x"]}),
    ),
    "a record of more than 64 KiB": (
        "",
        "a schema doesn't measure the text that it was read from",
        lambda f: f.update(comments={"0": ["x" * MAX_COMMENT] * (MAX_TEXT // MAX_COMMENT + 1)}),
    ),
    "a score with a fraction of nought": ("/score/A", "to a schema 1.0 is an integer", put("score A", 1.0)),
    "the version with a fraction of nought": ("/tgn", "to a schema 1.0 is 1", put("tgn", 1.0)),
}


@pytest.mark.parametrize("name", READER_ONLY)
def test_only_the_reader_refuses(name: str) -> None:
    form = whole("taroky", 4)
    pointer, _, change = READER_ONLY[name]
    change(form)
    assert both(form) == (True, False)
    (entry,) = read(json.dumps(form))
    assert entry.error.pointer == pointer


def test_a_key_twice_is_refused_by_the_reader_before_a_schema_can_see_it() -> None:
    text = json.dumps(whole("taroky", 4))
    (entry,) = read(text[:-1] + ', "game": "taroky"}')
    assert entry.record is None
    assert VALIDATOR.is_valid(json.loads(text[:-1] + ', "game": "taroky"}'))


#: Rejected only by the schema, because the parser is lenient: name → change. All are read as the form itself.
FORGIVEN: dict[str, Callable[[Form], None]] = {
    "small letters in cards": lambda f: f["deal"].update(A=[c.lower() for c in f["deal"]["A"]]),
    "Roman tarocks": lambda f: f["deal"].update(talon=[c.replace("T6", "VI") for c in f["deal"]["talon"]]),
    "a nought before a pip": lambda f: f["deal"].update(A=[c.replace("S7", "S07") for c in f["deal"]["A"]]),
    "a seat in small letters": lambda f: f["events"][0].__setitem__(0, "a"),
    "a verb in capitals": lambda f: f["events"][0].__setitem__(1, "PASS"),
    "white space in a comment": lambda f: f["comments"].update({"0": [" a\n deal "]}),
    "an empty comment": lambda f: f["comments"]["0"].append(" "),
    "an empty list of comments": lambda f: f["comments"].update({"1": []}),
}


def test_only_the_schema_refuses() -> None:
    form = whole("taroky", 4)
    for name, change in FORGIVEN.items():
        changed = copy.deepcopy(form)
        change(changed)
        assert changed != form, name
        assert both(changed) == (False, True), name
        assert read_one(json.dumps(changed)) == read_one(json.dumps(form)), name
    for key in ("options", "tags", "comments"):  # which may be empty
        assert both({name: value for name, value in form.items() if name != key}) == (False, True), key


@pytest.mark.parametrize("game", GAMES)
def test_both_agree_on_the_conformance_deals(game: str) -> None:
    """Every tenth deal, and every malformed one; only a card dealt twice is beyond the schema."""
    path = Path(__file__).resolve().parents[1] / "conformance" / f"{game}.jsonl"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    chosen = [row for i, row in enumerate(rows) if i % 10 == 0 or row["expect"]["verdict"] == "malformed"]
    assert len(chosen) >= 10
    for row in chosen:
        schema_takes_it, reader_takes_it = both(row["record"])
        dealt_twice = row["expect"].get("kind") == "duplicate-card"
        assert schema_takes_it == (reader_takes_it or dealt_twice), row["expect"]
        assert reader_takes_it == (row["expect"]["verdict"] != "malformed")


def test_the_specification_says_the_same_limits() -> None:
    page = (DOCS / "notation.md").read_text(encoding="utf-8")
    section = page.partition("\n## Limits\n")[2].partition("\n## ")[0]
    told = [int(n) for n in re.findall(r"\| (\d+)(?: bytes| digits)? \|$", section, re.MULTILINE)]
    sheets = [limits.MAX_SHEET_LINES, limits.MAX_WORDS, len(str(limits.MAX_SHEET_NUMBER)), limits.MAX_RESULT]
    others = [MAX_COMMENTS, MAX_COMMENT, limits.MAX_TAGS, limits.MAX_TAG, 9, 10**9]
    assert told == [MAX_TEXT, limits.MAX_EVENTS, limits.MAX_WORDS, *sheets, *others]
