"""Variations of a deal: read, checked, and compared with what was played."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from tarock.analysis.simulate import simulate
from tarock.analysis.variations import MOST, difference, origin_of, read_variations
from tarock.analysis.verify import check
from tarock.core.findings import NotationError
from tarock.games import GAMES
from tarock.notation import read_one, read_value, write_json, write_text
from tests.engine.boarding import ask
from tests.support import samples

PLAYED = read_one(samples.ANNOTATED)
Json = dict[str, Any]


def plays(text: str) -> list[list[str]]:
    """Plays as `A T6 B H4`."""
    words = text.split()
    return [[seat, "play", card] for seat, card in zip(words[::2], words[1::2], strict=True)]


#: In trick 8 D takes C's tarock XVIII with the Škýz, where he played the XIII.
SKYZ: Json = {
    "id": 1,
    "from": 0,
    "step": 47,
    "events": plays(
        "D T0 D D2 A T4 B D3 C DK A T9 B HJ C S9 D T13 D CJ A T16 B S10 C CC A T1 B S7 C SC D SQ"
    ),
    "name": "Škýz",
    "comment": "",
}
#: In that line B throws the 10 of spades to trick 10, and the Jack of hearts to trick 11.
TEN: Json = {
    "id": 2,
    "from": 1,
    "step": 53,
    "events": plays("B S10 C S9 D T13  D CJ A T16 B HJ C CC  A T1 B S7 C SC D SQ"),
    "name": "",
    "comment": "it makes no difference",
}
#: B does not follow suit: he holds hearts.
REVOKE: Json = {"id": 3, "from": 0, "step": 33, "events": plays("B S10")}


def test_a_variation_is_checked_as_any_deal_and_compared_by_clause() -> None:
    """B and C are left with trick 2 and the Queen that B laid away: T12 T3 T21 T19 CQ are worth
    1 + 1 + 5 + 1 + 4 = 12; five cards, one set of three and two cards left over, 12 − 2 − 1 = 9.
    So A and D have 70 − 9 = 61, and the game is worth 61 − 35 = 26 instead of 25."""
    (one,) = read_variations([SKYZ], PLAYED)
    found, played = check(one.record), check(PLAYED)
    assert found.score == {"A": 106, "B": -106, "C": -106, "D": 106}
    assert found.verdict == "verified"
    (row,) = difference(played, found)
    assert row.clause == "taroky.game"
    assert row.before == {"A": 25, "B": -25, "C": -25, "D": 25}
    assert row.after == {"A": 26, "B": -26, "C": -26, "D": 26}


def test_a_variation_goes_out_from_another() -> None:
    first, second = read_variations([SKYZ, TEN], PLAYED)
    assert (first.start, second.start) == (47, 47)
    assert second.record.events[:53] == first.record.events[:53]
    assert second.events[0] == ("B", "play", "S10")
    assert check(second.record).score == check(first.record).score
    assert difference(check(first.record), check(second.record)) == []
    assert [one.as_json() for one in (first, second)] == [SKYZ, TEN]


def test_its_record_is_no_deal_that_was_played() -> None:
    """It names the deal, and has neither its place in the session nor its score nor later comments."""
    (one,) = read_variations([SKYZ], PLAYED)
    assert one.record.tags["From"] == f"{PLAYED.digest} 47"
    assert origin_of(one.record) == (PLAYED.digest, 47)
    assert origin_of(PLAYED) is None
    assert {"Session", "Deal"}.isdisjoint(one.record.tags)
    assert one.record.score is None
    assert all(at <= 47 for at in one.record.comments)
    assert read_one(write_text(one.record)) == one.record


def test_an_illegal_variation_says_why() -> None:
    question = {"ask": "variations", "record": write_json(PLAYED), "variations": [REVOKE], "language": "en"}
    (found,) = ask(question)["variations"]
    assert found["verdict"] == "illegal"
    assert found["finding"].startswith("Trick 5: Bořek plays ♠10, but must follow suit")
    assert found["difference"] == []
    assert found["moves"] == [{"seat": "B", "short": "♠10", "trick": 5}]


def test_the_answer_has_sheets_and_differences_in_words() -> None:
    question = {"ask": "variations", "record": write_json(PLAYED), "variations": [SKYZ, TEN]}
    found = ask(question | {"language": "de"})
    assert found["played"]["score"]["A"] == 105
    skyz, ten = found["variations"]
    assert skyz["score"]["A"] == ten["score"]["A"] == 106
    assert skyz["name"] == "Škýz"
    (row,) = skyz["difference"]
    assert row["points"] == {"A": 1, "B": -1, "C": -1, "D": 1}
    assert row["clause"] == "taroky.game"
    assert "61" in row["lines_after"][0]
    assert "60" in row["lines_before"][0]
    assert skyz["moves"][0] == {"seat": "D", "short": "Škýz", "trick": 8}


@pytest.mark.parametrize(("change", "reason", "pointer"), [
    ({"id": 0}, "variation-number", "/0/id"),
    ({"id": "1"}, "no-count", "/0/id"),
    ({"from": 1}, "variation-origin", "/0/from"),
    ({"step": 65}, "variation-step", "/0/step"),
    ({"step": -1}, "no-count", "/0/step"),
    ({"events": []}, "variation-same", "/0/events"),
    ({"events": plays("D T13")}, "variation-same", "/0/events"),
    ({"events": None}, "no-list", "/0/events"),
    ({"events": [["D", "play", "Q9"]]}, "no-card", "/0/events/0/2"),
    ({"events": [["E", "play", "T0"]]}, "unknown-seat", "/0/events/0"),
    ({"name": 1}, "no-string", "/0/name"),
    ({"name": "x" * 61}, "variation-text", "/0/name"),
    ({"comment": "x" * 501}, "variation-text", "/0/comment"),
])  # fmt: skip
def test_a_faulty_variation_has_its_place(change: Json, reason: str, pointer: str) -> None:
    with pytest.raises(NotationError) as caught:
        read_variations([SKYZ | change], PLAYED)
    assert (caught.value.finding.reason, caught.value.finding.pointer) == (reason, pointer)


def test_faults_of_the_list() -> None:
    many = ([SKYZ] * (MOST + 1), "too-many-variations")
    for value, reason in (({}, "no-list"), ([1], "no-object"), many, ([SKYZ, SKYZ], "variation-number")):
        with pytest.raises(NotationError) as caught:
            read_variations(value, PLAYED)
        assert caught.value.finding.reason == reason


def test_the_tag_of_a_variation_is_checked() -> None:
    for written in ("x", "a" * 64, "a" * 63 + " 1", "A" * 64 + " 1"):
        form = write_json(PLAYED)
        form["tags"]["from"] = written
        with pytest.raises(NotationError) as caught:
            read_value(form)
        assert caught.value.finding.reason == "no-origin"


@pytest.mark.parametrize("game", GAMES)
def test_the_differences_by_clause_add_up_to_that_of_the_scores(game: str) -> None:
    """Also between any two deals."""
    for one, other in pairwise(simulate(game, deals=6, seed=5)):
        before, after = check(one), check(other)
        rows = difference(before, after)
        for seat in one.seats:
            sums = sum(row.after.get(seat, 0) - row.before.get(seat, 0) for row in rows)
            assert sums == (after.score or {})[seat] - (before.score or {})[seat]
