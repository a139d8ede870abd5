"""Impossible, incomplete and correct sheets of Grosstarock."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.sheets import all_found, assert_found, assert_score, checked, rows

#: The Kings of three players, each won by its own player.
KINGS = "card SK A won\ncard HK A won\ncard DK B won\ncard CK C won\n"
THREE = f"{KINGS}last A\npoints A 36\npoints B 35\n"
#: C takes no trick: a null; the 36 and 42 of A and B do not count.
NULL = KINGS.replace("C won", "C lost") + "last A\nnull C\n"
BOLE = KINGS.replace("A won", "B won").replace("C won", "C lost") + "last B\nbole B\n"
NULL_OF_B = "card SK A won\ncard HK A won\ncard DK B lost\ncard CK C won\nlast A\nnull B\npoints A 36\n"
BASES = {
    "THREE": ("grosstarock", 3, THREE),
    "NULL": ("grosstarock", 3, NULL),
    "NULL OF B": ("grosstarock", 3, NULL_OF_B),
    "BOLE": ("grosstarock", 3, BOLE),
    "TWO": ("grosstarock", 2, "last B\npoints A 30\npoints B 40\n"),
    "TOUT": ("grosstarock", 2, "tout A\npoints A 50\n"),
}
SCORES = """
# Four Kings of 5 from each, two of them A's: A 20 - 10, B and C 10 - 15; the last trick 10 - 5 - 5; card
# points 36, 35 and 78 - 71 = 7, less 26: 10, 9 and -19.
Kings, last trick and card points | THREE | A=30 B=-1 C=-29
the trick of a King may be known | THREE; SK A won > SK A won 4; CK C won > CK C won 9 | A=30 B=-1 C=-29
# Twelve tarocks: 10 + 2 x 5 = 20 from each.
a declaration is paid by each | THREE; + declare A tarocks:12 | A=70 B=-21 C=-49
# SK and HK are 20 to A, DK 10 to B, CK 10 from C; C gets back 5 + 5 + 5 + 10 = 25; the last trick is 10 to A,
# the null 52 to C. A 20 - 5 + 5 + 10 - 26 - (10 + 5) = -11, B -10 + 10 + 5 - 5 - 26 - (5 + 5) = -36,
# C -10 - 5 - 10 - 5 + 52 + 25 = 47.
a null brings back what was paid for Kings | NULL | A=-11 B=-36 C=47
# A 30, B 40 + 5 for the last trick: 15 for B; 5 more for a King that A lost.
two count by twos and score the difference | TWO | A=0 B=15
two score a lost King | TWO; + card SK A lost | A=0 B=20
# Sküs, Pagat and a Queen are 5 + 5 + 4 - 2 = 12. C deals.
a null has the dealer's discards | NULL; + points A 36; + points B 30; + points C 12 | computed
# By twos: 5 + 5 + 4 - 1 = 13. B deals. 50 + 25 - 13 = 62.
a tout leaves the dealer 13 | TOUT; + points B 13 | A=62 B=0
# A -15 + 5 - 5 - 26, B 30 + 5 + 10 + 52, C -15 - 10 - 5 - 26.
with a bolé the last trick is paid too | BOLE | A=-41 B=97 C=-56
two Kings lost in one trick | THREE; SK A won > SK A lost 5; DK B won > DK B lost 5 | computed
"""
FOUND = """
# 36 + 35 + 8 = 79; 36 + 50 = 86 leave less than nothing.
three have 78 card points | THREE; + points C 8 | points-do-not-add-up points card-points
    the card points (A 36, B 35, C 8) add up to 79, not to 78
two of three have 78 at most | THREE; B 35 > B 50 | points-too-many points card-points
    86 card points are entered, but there are only 78
one of three has 78 at most | THREE; A 36 > A 79; B 35 > B | points-too-many points card-points
    79 card points are entered, but there are only 78
78 card points and a number that is missing | THREE; A 36 > A 78; B 35 > B | \
incomplete line-breaks-off points card-points
80 card points | THREE; B 35 > B 80 | number-out-of-bounds points card-points
# Of 130, the 25 dearest cards are 77 and the cheapest 25; counted by twos 26 are lost.
two have 27 to 79 card points | TWO; B 40 > B 50 | points-without-rest points two-count
    …add up to 80; without the cards that stay out of play, the total must be 27 to 79
with two nothing is the rest | TWO; - points B 40 | incomplete points-missing points card-points
# Three blanks are 3 - 2 = 1, two by twos 2 - 1 = 1.
without a card point there was no trick | THREE; B 35 > B 42 | took-no-trick null null
    C: 0 card points, so they took no trick, but “Null” does not say so
without a card point the other made a tout | TWO; A 30 > A 0 | took-no-trick tout two-tout
a null of the dealer has 12 | NULL; + points A 36; + points B 29; + points C 13 | \
points-without-trick null null
    C: no trick, but 13 card points; a side without a trick has at most 12
a null of another has nothing | NULL OF B; + points B 1; + points C 41 | points-without-trick null null
    B: no trick, but 1 card point; a side without a trick has at most 0
a tout leaves the dealer no 14 | TOUT; + points B 14 | points-without-trick points card-points
with a bolé somebody won the last trick | BOLE; - last B | incomplete field-missing last last-trick
a bolé loses no King | BOLE; DK B won > DK B lost | card-against-tricks card bole
with a bolé no other wins a King | BOLE; CK C lost > CK C won | card-against-tricks card bole
a null wins no King | NULL; CK C lost > CK C won | card-against-tricks card null
with a tout no King of the other wins | TOUT; + card SK B won; + points B 2 | \
card-against-tricks card two-tout
the last trick goes with all tricks | BOLE; last B > last A | last-against-tricks last last-trick
the last trick goes with none | NULL; last A > last C | last-against-tricks last last-trick
null is for three | TWO; + null A | not-for-seats null null
bolé is for three | TWO; + announce A bole 1 | not-for-seats announce announce-bole
tout is for two | THREE; + tout A | not-for-seats tout two-tout
null before trick 14 | THREE; + announce A null 14 | announced-too-late announce announce-null
bolé before trick 21 | THREE; + announce A bole 21 | number-out-of-bounds announce announce-bole
null before no trick | THREE; + announce A null | incomplete line-breaks-off announce announce-bole
a card is played once | THREE; + card SK B lost | field-twice card king
a trick has one winner | THREE; SK A won > SK A won 5; DK B won > DK B won 5 | trick-won-by-two card king
    trick 5 was won by A and B, but a trick has one winner
trick 25 is the last | THREE; SK A won > SK A won last; DK B won > DK B won 25; - last A | \
trick-won-by-two card king
    trick 25 was won by A and B, but a trick has one winner
a trick has a winner | THREE; SK A won > SK A lost 5; DK B won > DK B lost 5; CK C won > CK C lost 5 | \
trick-won-by-nobody card king
a player plays one card to a trick | THREE; SK A won > SK A won 5; HK A won > HK A lost 5 | \
two-cards-to-one-trick card king
the last trick is paid once | THREE; SK A won > SK A won last | last-trick-has-card last last-trick
# Nobody of three may discard a King. Two players may have left it in the stock.
with three every King is played | THREE; - card DK B won | incomplete line-missing card king
    “Pagat and Kings”: card DK is missing
only one has the Queens | THREE; + declare A queens; + declare B queens | declared-by-two declare declare-four
only one has a cavallery | THREE; + declare A cavallery:H; + declare B cavallery:H | \
declared-by-two declare declare-cavallery
whole and half need one King | THREE; + declare A cavallery:H; + declare B half-cavallery:H | \
declared-by-two declare declare-cavallery
whole and half are not in one hand | THREE; + declare A cavallery:H half-cavallery:H | \
not-in-one-hand declare declare-half-cavallery
the Sküs is in one hand | THREE; + declare A matadors:3; + declare B half-cavallery:H | \
skus-of-two declare declare-matadors
    A and B make declarations that require the Sküs, but only one hand can hold it
# 12 + 11 = 23, also if the 11 are matadors.
there are 22 tarocks | THREE; + declare A tarocks:12; + declare B tarocks:11 | \
too-many-tarocks declare declare-tarocks
    together the declared hands hold at least 23 tarocks, but there are only 22
matadors are tarocks | THREE; + declare A tarocks:12; + declare B matadors:11 | \
too-many-tarocks declare declare-tarocks
    together the declared hands hold at least 23 tarocks, but there are only 22
# 4 + 4 = 8.
there are seven Kings with the Trull | THREE; + declare A kings:4; + declare B kings:4 | \
too-many-kings declare declare-kings
    …add up to 8, but there are only 7
one kind of matadors | THREE; + declare A matadors:3 skus-matadors:5 | \
not-together declare declare-skus-matadors
one number of ladons | THREE; + declare A ladons:16 ladons:17 | not-together declare declare-ladons
an item is declared once | THREE; + declare A queens queens | word-twice declare declare
"""


@pytest.mark.parametrize(("given", "expected", "text"), rows(SCORES, BASES))
def test_a_sheet_has_its_score(given: Any, expected: str, text: str) -> None:
    assert_score(given, expected, text)


@pytest.mark.parametrize(("given", "expected", "text"), rows(FOUND, BASES))
def test_a_sheet_has_one_finding(given: Any, expected: str, text: str) -> None:
    assert_found(given, expected, text)


def test_25_tricks_and_a_null_are_not_in_one_deal() -> None:
    found = all_found("grosstarock", BOLE + "null C", 3)
    text = "B took all tricks, so nobody makes a null, C included"
    assert ("illegal", "null-beside-bole", "null", "grosstarock.null", text) in found


@pytest.mark.parametrize(("name", "low", "high"), [
    ("tarocks", 10, 22), ("matadors", 3, 22), ("skus-matadors", 5, 22), ("kings", 3, 7), ("ladons", 16, 25),
])  # fmt: skip
def test_a_declared_number_is_one_that_is_paid_and_that_there_is(name: str, low: int, high: int) -> None:
    # A hand of 25 cards can have 26 tarocks and ladons together, because the Sküs counts as both, but not 27.
    for number in (low - 1, high + 1, 26, 27):
        found, *others = all_found("grosstarock", f"{THREE}declare A {name}:{number}", 3)
        too_many = name in ("tarocks", "ladons") and number == 27
        assert ("not-in-one-hand" in [other.reason for other in others]) == too_many
        assert found[:4] == ("illegal", "declared-number", "declare", f"grosstarock.declare-{name}")
        assert found.text == f"A declares {name}:{number}, but the number must be {low} to {high}"
    for number in (low, high):
        assert checked("grosstarock", f"{THREE}declare A {name}:{number}", 3).verdict == "computed"


def test_what_is_no_declaration_is_told_the_forms_of_those() -> None:
    (error,) = checked("grosstarock", THREE + "declare A foo", 3).errors
    assert (error.reason, error.values["found"]) == ("sheet-word", "“foo”")
    assert "tarocks:10" in error.values["expected"].split()
    for item in error.values["expected"].split():
        assert checked("grosstarock", f"{THREE}declare A {item}", 3).verdict == "computed"
