"""Impossible, incomplete and correct sheets of Strohmanntarock and Troggu."""

from __future__ import annotations

from typing import Any

import pytest

from tests.engine.sheets import assert_found, assert_score, rows

BASES = {
    "DECLARED": ("strohmann", 2, "contract take\ndeclarer A\npoints A 43\n"),
    "UNDECLARED": ("strohmann", 2, "contract undeclared\npoints B 36\n"),
    # With four players a hand has 13 cards and the Tapp 62 - 4 x 13 = 10.
    "TAKE": ("troggu", 4, "contract take\ntappist A\npoints tappist 85\n"),
    # With seven the Tapp has 62 - 7 x 8 = 6 cards.
    "SEVEN": ("troggu", 7, "contract take\ntappist A\npartner C\npoints tappist 60\n"),
    "MISERE": ("troggu", 4, "contract misere\npoints A 20\npoints B 25\npoints C 30\npoints D 20\n"),
}
SCORES = """
# 43 are 36 to 44: 3 for A. The Pagat 1 for B, the Uhu 1 for A, Rostopschin 1 for A: 5 and 1.
a declared game and the birds | DECLARED; + pagat B; + uhu A; + rostopschin A | A=5 B=1
undeclared, 36 win | UNDECLARED | A=0 B=2
69 points leave the other a trick | DECLARED; 43 > 69 | A=4 B=0
# 114 - 85 = 29 are at most 30: 2 chips from each of three, in a solo 4.
a solo doubles, too | TAKE; take > solo | A=12 B=-4 C=-4 D=-4
# Five opponents pay 1 each: 2 for the partner, 3 for the Tappist.
a partner gets the payments of two | SEVEN | A=3 B=-1 C=2 D=-1 E=-1 F=-1 G=-1
in a misère the most points pay | MISERE | A=1 B=1 C=-3 D=1
"""
FOUND = """
undeclared there is no declarer | UNDECLARED; + declarer A | not-with declarer bid
# 43 + 28 = 71.
card points add up to 70 | DECLARED; + points B 28 | points-do-not-add-up points card-points
    the card points (A 43, B 28) add up to 71, not to 70
71 card points | DECLARED; 43 > 71 | number-out-of-bounds points card-points
# Every card is played to a trick, and the last of the other's are worth a point or more.
all tricks with 69 points | DECLARED; 43 > 69; + tricks A | too-few-for-all-tricks tricks valat
    A: all tricks, but only 69 card points; a side with all tricks has 70 or more
# Two cards of 1 are 2 - 1 = 1.
without a card point there was no trick | DECLARED; 43 > 70 | took-no-trick tricks valat
    B: 0 card points, so they took no trick, but “All tricks” does not say so
no Pagat without a trick | DECLARED; 43 > 70; + tricks A; + pagat B | trick-of-other pagat pagat-ultimo
no Uhu without a trick | DECLARED; 43 > 70; + tricks A; + uhu B | trick-of-other uhu uhu
no Kakadu without a trick | DECLARED; 43 > 70; + tricks A; + kakadu B | trick-of-other kakadu kakadu
no Rostopschin without a trick | DECLARED; 43 > 70; + tricks A; + rostopschin B | \
trick-of-other rostopschin rostopschin
# Ros in trick 25 and topschin in trick 26 are A's; the Uhu is in trick 26, the Kakadu in trick 25.
Rostopschin has the trick of the Uhu | DECLARED; + uhu B; + rostopschin A 25 | trick-of-other uhu uhu
    “Uhu”: that trick was won by A, not by B
Rostopschin has the trick of the Kakadu | DECLARED; + kakadu B; + rostopschin A 25 | \
trick-of-other kakadu kakadu
no declarer | DECLARED; - declarer A | incomplete field-missing declarer bid
no points | DECLARED; - points A 43 | incomplete field-missing points card-points
nobody as declarer | DECLARED; declarer A > declarer | incomplete line-breaks-off declarer bid
# 85 + 30 = 115.
card points add up to 114 | TAKE; + points opponents 30 | points-do-not-add-up points card-points
    the card points (Tappist’s side 85, opponents 30) add up to 115, not to 114
115 card points | TAKE; 85 > 115 | number-out-of-bounds points card-points
# Ten blanks leave 114 - 10 = 104, seven fives and three Queens 114 - 47 = 67.
in a misère the Tapp is missing | MISERE; C 30 > C 40 | points-without-rest points card-points
    …add up to 105; without the cards that stay out of play, the total must be 67 to 104
a misère has no sides | MISERE; points A > points tappist | points-of-nobody points card-points
a misère counts all players | MISERE; - points B 25 | incomplete points-missing points card-points
a misère has no Tappist | MISERE; + tappist A | not-with tappist bid
a partner is called from seven on | TAKE; + partner B | not-for-seats partner call
    there is no “Partner” with 4 players
seven call a partner | SEVEN; - partner C | incomplete field-missing partner call
nobody is their own partner | SEVEN; partner C > partner A | partner-is-declarer partner call
# The Tapp, or what was discarded for it, is the Tappist's.
opponents without a trick but points | TAKE; + trickless opponents | points-without-trick trickless game
    opponents: no trick, but 29 card points; a side without a trick has at most 0
# Four Kings, four Queens and two Cavaliers: 20 + 16 + 6 = 42; in a solo seven fives: 35 + 12 = 47.
43 without a trick | TAKE; 85 > 43; + trickless tappist | points-without-trick trickless game
    …a side without a trick has at most 42
48 without a trick in a solo | TAKE; take > solo; 85 > 48; + trickless tappist | \
points-without-trick trickless game
    …a side without a trick has at most 47
# A trick of four cards is worth 4 or more.
three points are no trick | TAKE; 85 > 111 | took-no-trick trickless game
    opponents: 3 card points, so they took no trick, but “No trick” does not say so
the Tapp has ten points or more | TAKE; 85 > 9 | fewer-than-tapp points exchange
    …the Tapp or the discards alone are worth 10 or more
"""


@pytest.mark.parametrize(("given", "expected", "text"), rows(SCORES, BASES))
def test_a_sheet_has_its_score(given: Any, expected: str, text: str) -> None:
    assert_score(given, expected, text)


@pytest.mark.parametrize(("given", "expected", "text"), rows(FOUND, BASES))
def test_a_sheet_has_one_finding(given: Any, expected: str, text: str) -> None:
    assert_found(given, expected, text)
