"""Impossible, incomplete and correct sheets of Taroky."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tarock.analysis.sheets import sheet_lines
from tarock.notation import read_one
from tests import conformance
from tests.engine.sheets import all_found, assert_found, assert_score, checked, rows
from tests.engine.worked import WORKED

BASES = {
    name: ("taroky", 4, lines)
    for name, lines in {
        # First Duty with D, 60 points: most of the rows change a line of it.
        "FIRST": "contract first\nbidder A\npartner D\npoints bidder 60",
        "SECOND": "contract second\nbidder B\npartner D\npoints bidder 60",
        "TROIKA": "contract troika\nlevel 2\nbidder B\npoints bidder 41",
        "SOLO": "contract solo\nbidder C\npoints bidder 41",
        "VARSAVA": "contract varsava\npoints A 10\npoints B 12\npoints C 15\npoints D 20",
        "SETTLED": "contract first\nbidder A\npartner D\nuncontested",
        "SURRENDERED": "contract first\nbidder A\nsurrendered",
    }.items()
}
SCORES = """
# 70 - 10 = 60, so the points of one side are those that the other has not; 60 - 35 = 25.
the opponents' points | FIRST; bidder 60 > opponents 10 | A=25 B=-25 C=-25 D=25
# (60 - 35) x 4 = 100, for any speaker.
a re stands for its flek | FIRST; + double game re | A=100 B=-100 C=-100 D=100
# 1 for the game and 10 for the barvy of C: 1 - 10 = -9.
an uncontested First Duty is one point and the hands | SETTLED; + hand C barvy; @ settle-uncontested | \
A=-9 B=9 C=9 D=-9
with the option a doubled one is played | FIRST; + double game flek; @ settle-uncontested | computed
with the option an announced pagat counts | FIRST; + pagat announced A made; @ settle-uncontested | computed
with the option an announced valat is played | FIRST; + valat A failed; @ settle-uncontested | computed
# 20 is at most 29: 10 to each, and 20 to a player without a trick. 0 + 12 + 15 + 20 = 47.
in Varšava no trick gets twice as much | VARSAVA; A 10 > A 0; + trickless A | A=20 B=10 C=10 D=-40
# 25 for the game, 5 for the tarocky, 5 for the trul, 10 for the Kings: 45.
eight tarocks and four Kings are twelve cards | FIRST; + hand A tarocky trul kralovske-honery | \
A=45 B=-45 C=-45 D=45
# 10 + 8 + 3 + 1 = 22 tarocks are just right.
22 declared tarocks with a trulhonery | FIRST; + hand A taroky; + hand B tarocky; + hand C trulhonery; \
+ hand D barvicky; @ trulhonery | computed
sides take turns | FIRST; + double game flek A; + double game re B; + double game sub D | computed
# 70 - 35 = 35, 140, and 70 for the side that foils the valat by taking all tricks.
a valat foiled by all tricks | FIRST; 60 > 70; + valat B failed; + tricks bidder | A=245 B=-245 C=-245 D=245
"""
FOUND = """
71 card points | FIRST; 60 > 71 | number-out-of-bounds points card-points
    “Card points” is 71, but must be 0 to 70
less than no card point | FIRST; 60 > -1 | number-out-of-bounds points card-points
    “Card points” is −1, but must be 0 to 70
# 60 + 11 = 71.
both sides have more than 70 | FIRST; + points opponents 11 | points-do-not-add-up points card-points
    the card points (bidder’s side 60, opponents 11) add up to 71, not to 70
in a Duty no seat has points of its own | FIRST; bidder 60 > A 60 | points-of-nobody points card-points
    points A 60: in this deal, card points are counted only for: bidder’s side and opponents
nor without a number | FIRST; bidder 60 > A | points-of-nobody points card-points
    points A: in this deal, card points are counted only for: bidder’s side and opponents
in Varšava no side has points | VARSAVA; A 10 > bidder 10 | points-of-nobody points card-points
# 10 + 12 + 0 + 20 = 42 are too few: six fives are 30, so 106 - 30 - 33 = 43.
in Varšava the talon is missing | VARSAVA; C 15 > C 0; + trickless C | points-without-rest points card-points
    …add up to 42; without the cards that stay out of play, the total must be 43 to 69
no trick but card points in Varšava | VARSAVA; + trickless A | points-without-trick trickless varsava-pay
    A: no trick, but 10 card points; a side without a trick has at most 0
# Four blanks are 4 - 2 - 1 = 1 point.
no card points but a trick in Varšava | VARSAVA; A 10 > A 0 | took-no-trick trickless varsava-pay
    A: 0 card points, so they took no trick, but “No trick” does not say so
a side without card points took no trick | FIRST; 60 > 70 | took-no-trick tricks valat
a First Duty is forehand's | FIRST; bidder A > bidder B | first-by-other bidder forehand-must-bid
forehand bids no Second Duty | SECOND; bidder B > bidder A; + pagat announced A made | \
second-by-forehand bidder forehand-must-bid
nobody is their own partner | FIRST; partner D > partner A | partner-is-declarer partner partner
a Troika has no partner | TROIKA; + partner A | not-with partner partner
    “Partner” is not possible with the entry for “Contract”
a Solo has no level | SOLO; + level 1 | not-with level troika-level
a Troika has no level 4 | TROIKA; level 2 > level 4 | number-out-of-bounds level troika-level
a game is not surrendered and counted | SURRENDERED; + points bidder 30 | not-with points surrender
    “Card points” is not possible with the entry for “Surrendered”
a game is not surrendered and settled without play | SURRENDERED; + uncontested; @ settle-uncontested | \
not-with uncontested surrender
without the option, every deal is played | SETTLED | without-option uncontested settle-uncontested
with the option an uncontested First Duty is not played | FIRST; @ settle-uncontested | \
settled-by-option uncontested settle-uncontested
# No hand of twelve has ten tarocks and eight; none and one; two and the three of a trul; ten and four Kings.
ten tarocks and eight | FIRST; + hand A taroky tarocky | not-in-one-hand hand hand-tarocky
no tarock and one | FIRST; + hand A barvy barvicky | not-in-one-hand hand hand-barvicky
two tarocks and three | FIRST; + hand A barvicky trul | not-in-one-hand hand hand-trul
ten tarocks and four Kings | FIRST; + hand A taroky kralovske-honery | \
not-in-one-hand hand hand-kralovske-honery
a contract is entered once | SOLO; + contract first | field-twice contract bid
    “Contract” appears a second time: contract first
an item is declared once | FIRST; + hand A trul trul | word-twice hand announce-order
a player declares honery or kralovske-honery | FIRST; + hand A honery kralovske-honery | \
not-both-honours hand hand-kralovske-honery
two players have not both all Kings | FIRST; + hand A kralovske-honery; + hand B kralovske-honery | \
declared-by-two hand hand-kralovske-honery
    A and B declare kralovske-honery, but only one hand can hold it
two players have not both the trul | FIRST; + hand A trul; + hand B trul | declared-by-two hand hand-trul
# 4 + 4 = 8 of seven cards; 7 - 4 = 3.
two players have not both four of seven fives | FIRST; + hand A honery; + hand B honery | \
declared-by-two hand hand-honery
beside four Kings there are not four fives | FIRST; + hand A honery; + hand B kralovske-honery | \
too-few-fives hand hand-honery
# 10 + 8 + 8 = 26.
declared tarocks are 22 at most | FIRST; + hand A taroky; + hand B tarocky; + hand C tarocky | \
too-many-tarocks hand hand-tarocky
    together the declared hands hold at least 26 tarocks, but there are only 22
# 10 + 10 + 3 = 23, as a trulhonery is a trull, too.
a trulhonery has three tarocks | FIRST; + hand A taroky; + hand B taroky; + hand C trulhonery; \
@ trulhonery | too-many-tarocks hand hand-tarocky
# 10 + 10 + 3 + 0 = 23, and 10 + 10 + 3 + 1 = 24.
a hand without tarocks frees none | FIRST; + hand A taroky; + hand B taroky; + hand C trul; + hand D barvy | \
too-many-tarocks hand hand-tarocky
    together the declared hands hold at least 23 tarocks, but there are only 22
a hand with Kings may have no tarocks | FIRST; + hand A taroky; + hand B taroky; + hand C trul; \
+ hand D kralovske-honery | too-many-tarocks hand hand-tarocky
    together the declared hands hold at least 23 tarocks, but there are only 22
a barvicky has a tarock | FIRST; + hand A taroky; + hand B taroky; + hand C trul; + hand D barvicky | \
too-many-tarocks hand hand-tarocky
    together the declared hands hold at least 24 tarocks, but there are only 22
a pagat is made or fails | FIRST; + pagat announced A | incomplete line-breaks-off pagat pagat-announced
    “Pagat” is not complete: pagat announced A
only one player announces the pagat | FIRST; + pagat announced A made; + pagat announced B failed | \
field-twice pagat pagat-announced
    “Pagat” appears a second time: pagat announced B failed
the player with the trul has the Pagat | FIRST; + hand B trul; + pagat silent A made | \
pagat-held-by-other pagat announce-pagat
a Second Duty announces the pagat | SECOND | incomplete field-missing pagat pagat-announced
a Second Duty has no silent pagat | SECOND; + pagat silent B made | second-announces pagat bid-second
a Second Duty has no other's pagat | SECOND; + pagat announced A made | second-announces pagat bid-second
a doubled pagat was announced | FIRST; + double pagat flek B | stake-not-announced double double
    flek:pagat: nobody has announced the pagat
a doubled valat was announced | FIRST; + double valat flek | stake-not-announced double double
# A and D announced: flek and sub are for B and C, re is for A and D.
flek is for the opponents | FIRST; + double pagat flek D; + pagat announced A made | \
double-of-other-side double double
    D says flek:pagat, but only the other side may say that
re is for the announcing side | FIRST; + double pagat re B; + pagat announced A made | \
double-of-other-side double double
    B says re:pagat, but only the other side may say that
sub is for the opponents | FIRST; + double pagat sub A; + pagat announced A made | \
double-of-other-side double double
    A says sub:pagat, but only the other side may say that
# Either side may say flek on the game; sub is for the side that did, re for the other.
re on the game is not for the side of the flek | FIRST; + double game flek A; + double game re D | \
double-of-other-side double double
sub on the game is not for the side of the re | FIRST; + double game re A; + double game sub D | \
double-of-other-side double double
all tricks leave only what the others laid away | FIRST; + tricks bidder | too-few-for-all-tricks tricks valat
    bidder’s side: all tricks, but only 60 card points; a side with all tricks has 63 or more
# The lone bidder lays away three cards or none: the opponents need 60 and 70.
all tricks against a Troika | TROIKA; 41 > 11; + tricks opponents | too-few-for-all-tricks tricks valat
    …a side with all tricks has 60 or more
all tricks against a Solo | SOLO; 41 > 1; + tricks opponents | too-few-for-all-tricks tricks valat
    …a side with all tricks has 70 or more
a valat that was made has nearly all points | FIRST; + valat A made | too-few-for-all-tricks valat valat
a failed valat has not all tricks | FIRST; 60 > 70; + valat A failed; + tricks bidder | \
valat-against-tricks valat valat-announced
a valat is not made against all tricks | FIRST; 60 > 70; + valat B made; + tricks bidder | \
valat-against-tricks valat valat-announced
the last trick is one of all | FIRST; 60 > 70; + tricks bidder; + pagat silent B made | \
pagat-against-tricks pagat pagat-ultimo
card points of no side | FIRST; + points | incomplete line-breaks-off points card-points
no contract | FIRST; - contract first | incomplete field-missing contract bid
    “Contract” is missing
no contract, but points of every seat | VARSAVA; - contract varsava | incomplete field-missing contract bid
in Varšava the points of all four are needed | VARSAVA; - points B 12 | \
incomplete points-missing points card-points
    “Card points” is missing for: B
"""


@pytest.mark.parametrize(("given", "expected", "text"), rows(SCORES, BASES))
def test_a_sheet_has_its_score(given: Any, expected: str, text: str) -> None:
    assert_score(given, expected, text)


@pytest.mark.parametrize(("given", "expected", "text"), rows(FOUND, BASES))
def test_a_sheet_has_one_finding(given: Any, expected: str, text: str) -> None:
    assert_found(given, expected, text)


@pytest.mark.parametrize(("lines", "expected"), [
    # Impossible lines come before missing ones.
    ("contract troika", ["field-missing level", "field-missing bidder", "field-missing points"]),
    ("contract first\nbidder A\nlevel 2\npoints bidder 114",
     ["not-with level", "number-out-of-bounds points"]),
    ("contract second\nbidder B\npartner D\nsurrendered\npoints bidder 50\npagat announced B made",
     ["not-with partner", "not-with surrendered", "not-with points", "not-with pagat"]),
])  # fmt: skip
def test_all_findings_are_told_at_once(lines: str, expected: list[str]) -> None:
    assert [f"{one.reason} {one.field}" for one in all_found("taroky", lines, 4)] == expected


@pytest.mark.parametrize(("text", "lines"), [
    (WORKED["VARSAVA_TIE_OF_TWO"].text, [("trickless", "A")]),
    # A, B, C and D won 4, 3, 2 and 3 tricks.
    (json.dumps(conformance.deals()["taroky-73"]["record"]), []),
], ids=["one", "nobody"])  # fmt: skip
def test_the_sheet_of_a_varsava_names_the_players_without_a_trick(text: str, lines: list[Any]) -> None:
    assert [line for line in sheet_lines(read_one(text)) or () if line[0] == "trickless"] == lines


def test_of_several_players_with_the_fives_the_first_are_named() -> None:
    hands = "hand A honery\nhand B honery\nhand C kralovske-honery\nhand D kralovske-honery"
    errors = checked("taroky", f"{BASES['FIRST'][2]}\n{hands}", 4).errors
    (fives,) = [error for error in errors if error.reason == "too-few-fives"]
    assert (fives.values["seat"], fives.values["other"]) == ("A", "C")
