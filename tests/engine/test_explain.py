"""The slip that explains a claim: each kind on a score sheet made by hand."""

from __future__ import annotations

import pytest

from tarock.analysis.audit import accounts, explain
from tarock.core.scoring import ScoreLine

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


def test_where_nobody_pays_the_wrong_side_is_the_other_seat() -> None:
    """Strohmanntarock: 4 for the game and 1 for the pagat, both B's."""
    lines = [
        ScoreLine("strohmann.game", {"B": 4}, {}, ()),
        ScoreLine("strohmann.pagat-ultimo", {"B": 1}, {}, ()),
    ]
    score = {"A": 0, "B": 5}
    for claim, found in (
        ({"A": 0, "B": -5}, [("signs", None)]),
        ({"A": 1, "B": 4}, [("reversed", 1)]),
        ({"A": 4, "B": 1}, [("reversed", 0)]),
        ({"A": 0, "B": 3}, []),
    ):
        assert [(e.how, e.line) for e in explain(lines, score, claim)] == found


#: Grosstarock for two: accounts of 5 + 30 − 5 = 30 and 22, so that A scores 8.
KINGS = ScoreLine("grosstarock.declare-kings", {"A": 5}, {}, ())
PAGAT = ScoreLine("grosstarock.pagat", {"A": -5}, {}, ())
COUNT = ScoreLine("grosstarock.two-count", {"A": 30, "B": 22}, {}, ())
LESS = ScoreLine("grosstarock.two-score", {"A": -22, "B": -22}, {}, ())
FOR_TWO = [KINGS, PAGAT, COUNT, LESS]


@pytest.mark.parametrize(
    ("claim", "found"),
    [
        ({"A": 30, "B": 22}, [("left-out", 3)]),
        ({"A": 3, "B": 0}, [("left-out", 0), ("twice", 1)]),
        ({"A": 13, "B": 0}, [("twice", 0), ("left-out", 1)]),
        ({"A": 18, "B": 0}, [("reversed", 1)]),
        ({"A": 0, "B": 2}, [("reversed", 0)]),
        ({"A": 16, "B": 0}, [("twice", 2)]),
        ({"A": 0, "B": 0}, [("left-out", 2)]),
        ({"A": 0, "B": 8}, [("swapped", None)]),
        ({"A": 7, "B": 0}, []),
    ],
)
def test_a_slip_in_an_account_changes_the_difference(
    claim: dict[str, int], found: list[tuple[str, int | None]]
) -> None:
    assert accounts(FOR_TWO, "AB") == {"A": 30, "B": 22}
    slips = [(e.how, e.line) for e in explain(FOR_TWO, {"A": 8, "B": 0}, claim)]
    assert sorted(slips, key=str) == sorted(found, key=str)


def test_where_all_is_scored_there_are_no_accounts() -> None:
    assert accounts([GAME, HAND], "ABCD") == {}
