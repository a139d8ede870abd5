"""The slip that explains a claim: in the lines of a score, and in those of a disputed sheet."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tarock.analysis.audit import Explanation, accounts, explain, explain_sheet
from tarock.analysis.sheets import sheet_of
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.scoring import ScoreLine
from tarock.notation import read_one
from tests.engine.sheet_sample import SHEET, sheet_of_game
from tests.support.samples import TAROKY

#: A Troika of level 2 with a double, (48 - 35) x 2 x 2 = 52, and a hand declaration of 10; C plays alone.
GAME = ScoreLine("taroky.game", {"A": -52, "B": -52, "C": 156, "D": -52}, {"rate": 2, "factor": 2}, "")
HAND = ScoreLine("taroky.hand-taroky", {"A": -10, "B": -10, "C": 30, "D": -10}, {"amount": 10}, "")
SCORE = {"A": -62, "B": -62, "C": 186, "D": -62}


def _claim(each: int) -> dict[str, int]:
    return {"A": -each, "B": -each, "C": 3 * each, "D": -each}


@pytest.mark.parametrize(("each", "found"), [
    (52, [("left-out", 1)]),
    (10, [("left-out", 0)]),
    (72, [("twice", 1)]),
    (42, [("reversed", 1)]),
    # 52 / 2 = 26 is what the level or the double alone would leave: 26 + 10 = 36.
    (36, [("unrated", 0), ("undoubled", 0)]),
    (-62, [("signs", None)]),
    (50, []),
    (62, []),
])  # fmt: skip
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


@pytest.mark.parametrize(("claim", "found"), [
    ({"A": 30, "B": 22}, [("left-out", 3)]),
    ({"A": 3, "B": 0}, [("left-out", 0), ("twice", 1)]),
    ({"A": 13, "B": 0}, [("twice", 0), ("left-out", 1)]),
    ({"A": 18, "B": 0}, [("reversed", 1)]),
    ({"A": 0, "B": 2}, [("reversed", 0)]),
    ({"A": 16, "B": 0}, [("twice", 2)]),
    ({"A": 0, "B": 0}, [("left-out", 2)]),
    ({"A": 0, "B": 8}, [("swapped", None)]),
    ({"A": 7, "B": 0}, []),
])  # fmt: skip
def test_a_slip_in_an_account_changes_the_difference(
    claim: dict[str, int], found: list[tuple[str, int | None]]
) -> None:
    assert accounts(FOR_TWO, "AB") == {"A": 30, "B": 22}
    assert accounts([GAME, HAND], "ABCD") == {}, "where all is scored"
    slips = [(e.how, e.line) for e in explain(FOR_TWO, {"A": 8, "B": 0}, claim)]
    assert sorted(slips, key=str) == sorted(found, key=str)


def _line(text: str) -> tuple[str | int, ...] | None:
    return tuple(int(word) if word.isdigit() else word for word in text.split()) or None


def _found(text: str) -> list[Explanation]:
    record = read_one(text)
    assert check(record).verdict == "disputed"
    return explain_sheet(record)


def _claimed(each: int) -> str:
    return SHEET.replace('"A=105 B=-105 C=-105 D=105"', f'"A={each} B={-each} C={-each} D={each}"')


#: The sheet scores 25 + 80 + 5 - 5 = 105 for A and D. The claim of each of the two, and what explains it.
TAROKY_SLIPS = [
    # 61 points are 26 over 35, 62 are 27; and so down.
    (106, [("points", "points bidder 60", "points bidder 61")]),
    (107, [("points", "points bidder 60", "points bidder 62")]),
    (104, [("points", "points bidder 60", "points bidder 59")]),
    (103, [("points", "points bidder 60", "points bidder 58")]),
    # 10 points in place of 60: 25 to the other side, -25 + 80.
    (55, [("exchanged", "points bidder 60", "points bidder 10")]),
    # The announced pagat failed: 25 - 80.
    (-55, [("word", "pagat announced A made", "pagat announced A failed")]),
    # Without the re the pagat is 40: 25 + 40. With a sub, too, it is 160; with a flek on the game that is 50.
    (65, [("fewer", "double pagat re A", "")]),
    (185, [("more", "", "double pagat sub")]),
    (130, [("more", "", "double game flek")]),
    # Two fifths of a point is nothing.
    (108, []),
    (99, []),
]


@pytest.mark.parametrize(("each", "found"), TAROKY_SLIPS)
def test_a_slip_in_taroky(each: int, found: list[tuple[str, str, str]]) -> None:
    assert _found(_claimed(each)) == [
        Explanation(how, None, (), _line(written), _line(meant)) for how, written, meant in found
    ]


def test_the_slip_is_in_the_line_that_was_written() -> None:
    """The 60 points of the bidder's side follow from the 10 of the others, alone on the sheet."""
    (found,) = _found(_claimed(106).replace("sheet points bidder 60\n", ""))
    assert found.as_json() == {
        "how": "points",
        "line": None,
        "seats": [],
        "written": ("points", "opponents", 10),
        "meant": ("points", "opponents", 9),
    }


@pytest.mark.parametrize(("game", "seats", "lines", "claim", "written", "meant"), [
    # Another bidder: 48 points are 13 over 35, six times that in a Solo: 78 from each of three.
    ("taroky", "ABCD", "contract solo, bidder B, points bidder 48", "A=-78 B=-78 C=234 D=-78",
     "bidder B", "bidder C"),
    # Another level: 48 - 35 = 13, twice 26; of level 3, 39. The player of a Troika is alone.
    ("taroky", "ABCD", "contract troika, level 2, bidder A, points bidder 48", "A=117 B=-39 C=-39 D=-39",
     "level 2", "level 3"),
    # The nearest of several numbers: from 36 to 44 points the declarer gets 3; with 35 the other gets 4.
    ("strohmann", "AB", "contract take, declarer A, points A 35, points B 35", "A=3 B=0",
     "points A 35", "points A 36"),
    # Another partner: with C in place of D B's barvicky stays with B; A and C get 105, the others pay it.
    ("taroky", "ABCD", "", "A=105 B=-105 C=105 D=-105", "partner D", "partner C"),
])  # fmt: skip
def test_another_word_or_number_in_a_line(
    game: str, seats: str, lines: str, claim: str, written: str, meant: str
) -> None:
    text = sheet_of_game(game, seats, *lines.split(", "), score=claim)
    (found,) = _found(text if lines else SHEET.replace("A=105 B=-105 C=-105 D=105", claim))
    how = {"level": "number", "points": "points"}.get(written.split()[0], "word")
    assert found == Explanation(how, None, (), _line(written), _line(meant))


FOUR_KINGS = "card SK A won 1, card HK A won 2, card DK B won 3, card CK B won 4"
REST = "last C, points A 26, points B 26, points C 26"


@pytest.mark.parametrize(("game", "lines", "claim", "slips"), [
    # Two pay in Varšava, or C alone, who has a point more than D.
    ("taroky", "contract varsava, points A 10, points B 15, points C 16, points D 16",
     "A=10 B=10 C=-30 D=10", "points C 16 > points C 17, points D 16 > points D 15"),
    # A card of five that was won is 5 from each: A=20 B=5 C=-25, and with C's last trick A=15 B=0 C=-15. One
    # that was lost is 5 to each, which is 20 less for A and 10 more for the others.
    ("grosstarock", f"{FOUR_KINGS}, card T1 A won 7, {REST}", "A=-5 B=10 C=-5",
     ", ".join(f"card {card} A won {trick} > card {card} A lost {trick}"
               for card, trick in (("SK", 1), ("HK", 2), ("T1", 7)))),
    # The Pagat and the last trick bring C the 20 that the Kings cost. Then 27 and 25 card points, for 26
    # each, are 1 for A and -1 for B.
    ("grosstarock", f"{FOUR_KINGS}, card T1 C won 7, {REST}", "A=1 B=-1 C=0", "points A 26 > points A 27"),
])  # fmt: skip
def test_a_slip_where_each_plays_alone(game: str, lines: str, claim: str, slips: str) -> None:
    seats = "ABCD" if game == "taroky" else "ABC"
    found = _found(sheet_of_game(game, seats, *lines.split(", "), score=claim))
    how = "points" if slips.startswith("points") else "word"
    assert found == [Explanation(how, None, (), *map(_line, slip.split(" > "))) for slip in slips.split(", ")]


@pytest.mark.parametrize(("game", "number"), [("taroky", 4), ("grosstarock", 3)])
def test_what_explains_a_claim_comes_to_it(game: str, number: int) -> None:
    """With the line that was meant in its place, the sheet of any deal comes to the claim."""
    explained = 0
    for played in simulate(game, players=number, deals=20, seed=22):
        sheet = sheet_of(played)
        assert sheet is not None
        score = check(sheet).score or {}
        for off in (1, 2, 5, 10):
            one, *others = sheet.active
            claim = score | {one: score[one] + off * len(others)} | {o: score[o] - off for o in others}
            for slip in explain_sheet(replace(sheet, score=claim)):
                explained += 1
                lines = [slip.meant if line == slip.written else line for line in sheet.sheet or ()]
                if slip.how in ("word", "number"):
                    changed = replace(sheet, sheet=tuple(line for line in lines if line), score=claim)
                    assert check(changed).verdict == "computed"
    assert explained


def test_nothing_but_a_disputed_sheet_is_explained() -> None:
    assert explain_sheet(read_one(SHEET)) == []
    assert explain_sheet(read_one(SHEET.replace("[Score", "[Score2"))) == []
    assert explain_sheet(read_one(_claimed(106).replace("bidder 60", "bidder 71"))) == []
    assert explain_sheet(replace(read_one(TAROKY), score={"A": 1, "B": -1, "C": -1, "D": 1})) == []
