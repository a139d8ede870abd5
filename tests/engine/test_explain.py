"""Which slip explains a claim: each kind on a score sheet made by hand."""

from __future__ import annotations

import pytest

from tarock.audit import explain
from tarock.scoring import ScoreLine

#: A Troika of level 2 with a double, (48 - 35) x 2 x 2 = 52, and a hand declaration of 10; C plays alone.
GAME = ScoreLine("taroky.game", {"A": -52, "B": -52, "C": 156, "D": -52}, {"rate": 2, "factor": 2}, "")
HAND = ScoreLine("taroky.hand-taroky", {"A": -10, "B": -10, "C": 30, "D": -10}, {"amount": 10}, "")
SCORE = {"A": -62, "B": -62, "C": 186, "D": -62}


def _claim(each: int) -> dict[str, int]:
    return {"A": -each, "B": -each, "C": 3 * each, "D": -each}


@pytest.mark.parametrize(
    ("each", "found"),
    [
        (52, [("left-out", 1)]),
        (10, [("left-out", 0)]),
        (72, [("twice", 1)]),
        (42, [("reversed", 1)]),
        # 52 / 2 = 26 is what the level or the double alone would leave: 26 + 10 = 36.
        (36, [("unrated", 0), ("undoubled", 0)]),
        (-62, [("signs", None)]),
        (50, []),
        (62, []),
    ],
)
def test_a_single_slip_is_named(each: int, found: list[tuple[str, int | None]]) -> None:
    assert [(e.how, e.line) for e in explain([GAME, HAND], SCORE, _claim(each))] == found


def test_scores_that_stand_in_each_others_place() -> None:
    claim = SCORE | {"A": 186, "C": -62}
    assert [(e.how, e.seats) for e in explain([GAME, HAND], SCORE, claim)] == [("swapped", ("A", "C"))]
