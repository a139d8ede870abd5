"""Comparing a score sheet with the cards of the same deal: which fields differ, and what may be left out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tarock.analysis.comparison import Difference, compare
from tarock.analysis.sheets import sheet_of
from tarock.analysis.simulate import simulate
from tarock.core.record import Line
from tarock.notation import read_one
from tests.engine.driver import ALL, DEALS
from tests.engine.sheet_sample import SHEET, sheet_of_game
from tests.engine.worked import WORKED
from tests.support.samples import TAROKY

#: The deal of the specification. Its sheet is `SHEET`: 60 card points to 10.
PLAYED = read_one(TAROKY)


def test_the_sheet_of_the_deal_agrees_with_it() -> None:
    assert compare(read_one(SHEET), PLAYED) == []


@ALL
def test_the_sheet_of_any_deal_agrees_with_it(game: str, players: int) -> None:
    for played in simulate(game, players=players, deals=max(10, DEALS // 4), seed=21):
        sheet = sheet_of(played)
        assert sheet is not None
        assert compare(sheet, played) == []


#: Old and new text of the sheet, and what differs: the field, the sheet's lines, those of the cards.
DIFFERENT = [
    # The sheet says 58 of the one side and nothing of the other, which follows: 12 in place of 10.
    ("bidder 60\nsheet points opponents 10", "bidder 58", ("points", "points bidder 58", "points bidder 60")),
    ("bidder 60\nsheet points opponents 10", "bidder 58\nsheet points opponents 12",
     ("points", "points bidder 58, points opponents 12", "points bidder 60, points opponents 10")),
    ("partner D", "partner C", ("partner", "partner C", "partner D")),
    ("announced A made", "announced A failed",
     ("pagat", "pagat announced A failed", "pagat announced A made")),
    # Lines that break off.
    ("announced A made", "announced A", ("pagat", "pagat announced A", "pagat announced A made")),
    ("bidder 60", "bidder", ("points", "points bidder", "points bidder 60")),
    ("sheet hand B barvicky\n", "", ("hand", "", "hand B barvicky")),
    ("hand B barvicky", "hand C barvicky", ("hand", "hand C barvicky", "hand B barvicky")),
    ("hand A tarocky", "hand A tarocky trul", ("hand", "hand A tarocky trul", "hand A tarocky")),
    ("sheet double pagat re A\n", "", ("double", "", "double pagat re A")),
    ("pagat flek B", "pagat flek C", ("double", "double pagat flek C", "double pagat flek B")),
    ("sheet pagat", "sheet valat A failed\nsheet pagat", ("valat", "valat A failed", "")),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "found"), DIFFERENT)
def test_each_field_that_differs_is_found(old: str, new: str, found: tuple[str, str, str]) -> None:
    assert old in SHEET
    (one,) = compare(read_one(SHEET.replace(old, new)), PLAYED)
    lines = [", ".join(" ".join(map(str, line)) for line in part) for part in (one.sheet, one.cards)]
    assert (one.field, *lines) == found
    assert one.as_json() == {
        "field": one.field, "sheet": [[*line] for line in one.sheet], "cards": [[*line] for line in one.cards]
    }  # fmt: skip


def test_several_fields_are_in_the_order_of_a_sheet() -> None:
    sheet = read_one(SHEET.replace("announced A made", "announced A failed").replace("bidder A", "bidder B"))
    assert [one.field for one in compare(sheet, PLAYED)] == ["bidder", "pagat"]
    # A sheet that has no score, with or without the hand.
    sheet = read_one(SHEET.replace("sheet partner D\n", "").replace("sheet hand B barvicky\n", ""))
    assert [one.field for one in compare(sheet, PLAYED)] == ["partner", "hand"]


def test_the_card_points_of_one_side_and_who_doubled_may_be_left_out() -> None:
    doubles = {"flek B": "flek", "re A": "re"}
    for changes in ({"sheet points opponents 10\n": ""}, {"sheet points bidder 60\n": ""}, doubles):
        sheet = SHEET
        for old, new in changes.items():
            sheet = sheet.replace(old, new)
        assert compare(read_one(sheet), PLAYED) == [], changes


@pytest.mark.parametrize("players", [2, 3])
def test_card_points_that_do_not_follow_from_the_others_may_not_be_left_out(players: int) -> None:
    """With two players not all cards are dealt, and with three, two numbers are missing."""
    (played,) = simulate("grosstarock", players=players, deals=1, seed=4)
    sheet = sheet_of(played)
    assert sheet is not None
    _first, *others = [line for line in sheet.sheet or () if line[0] == "points"]
    alone = tuple(line for line in sheet.sheet or () if line not in others)
    assert len(others) == players - 1
    assert compare(replace(sheet, sheet=alone), played) == [Difference("points", (), tuple(others))]


def test_the_trick_of_a_king_may_be_left_out_unless_it_is_the_last() -> None:
    """A Pagat in the last trick is worth 15, a King 10, in any other both are 5: so `last` must be there."""
    for played in simulate("grosstarock", players=3, deals=200, seed=4):
        sheet = sheet_of(played)
        assert sheet is not None
        cards = {line[-1] == "last": line for line in sheet.sheet or () if line[0] == "card"}
        if len(cards) == 2:
            break
    last, other = cards[True], cards[False]

    def found(old: Line, new: Line) -> list[Difference]:
        lines = tuple(new if line == old else line for line in sheet.sheet or ())
        return compare(replace(sheet, sheet=lines), played)

    assert found(other, other[:4]) == found(last, (*last[:4], 25)) == []
    assert found(last, last[:4]) == [Difference("card", (last[:4],), (last,))]
    wrong = (*other[:4], int(other[4]) + 1)
    assert found(other, wrong) == [Difference("card", (wrong,), (other,))]


def test_what_is_not_paid_may_be_left_out() -> None:
    """If somebody made a null, card points are not paid."""
    played = read_one(WORKED["GROSS_NULL_REFUND"].text)
    sheet = sheet_of(played)
    assert sheet is not None
    lines = sheet.sheet or ()
    assert {"null", "points"} <= {line[0] for line in lines}
    without = tuple(line for line in lines if line[0] != "points")
    assert compare(replace(sheet, sheet=without), played) == []


def test_a_deal_without_a_score_is_compared_with_nothing() -> None:
    assert compare(read_one(SHEET), read_one(TAROKY[: TAROKY.index("1. ")])) == []


def test_a_sheet_of_another_game_has_nothing_of_the_deal() -> None:
    other = read_one(sheet_of_game("strohmann", "AB", "contract undeclared", "points A 36"))
    assert [(one.field, one.cards) for one in compare(other, PLAYED)] == [("contract", ()), ("points", ())]
