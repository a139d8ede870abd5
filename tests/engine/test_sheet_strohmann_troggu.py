"""Impossible, incomplete and correct sheets of Strohmanntarock and Troggu."""

from __future__ import annotations

import pytest

from tests.engine.sheets import Found, checked, the_one

DECLARED = "contract take\ndeclarer A\npoints A 43\n"


def strohmann(lines: str) -> Found:
    return the_one("strohmann", lines, 2)


def troggu(lines: str, players: int = 4) -> Found:
    return the_one("troggu", lines, players)


def score(game: str, lines: str, players: int) -> dict[str, int] | None:
    result = checked(game, lines, players)
    assert result.verdict == "computed", result.errors
    return result.score


# --- Strohmanntarock ---


def test_strohmann_a_declared_game_and_the_birds() -> None:
    """43 are 36 to 44: 3 for A. The Pagat 1 for B, the Uhu 1 for A, Rostopschin 1 for A: 5 and 1."""
    lines = DECLARED + "pagat B\nuhu A\nrostopschin A"
    assert score("strohmann", lines, 2) == {"A": 5, "B": 1}


def test_strohmann_rostopschin_needs_no_trick_to_be_scored() -> None:
    with_trick = checked("strohmann", DECLARED + "rostopschin A 4", 2)
    without = checked("strohmann", DECLARED + "rostopschin A", 2)
    assert without.score == with_trick.score == {"A": 4, "B": 0}
    assert without.lines[-1].sentences == ("made-somewhere",)


def test_strohmann_undeclared_36_win() -> None:
    assert score("strohmann", "contract undeclared\npoints B 36", 2) == {"A": 0, "B": 2}
    assert strohmann("contract undeclared\ndeclarer A\npoints B 36")[:3] == (
        "illegal",
        "not-with",
        "declarer",
    )


def test_strohmann_card_points_add_up_to_70() -> None:
    """43 + 28 = 71; 78 and 114 are of other games."""
    one = strohmann(DECLARED + "points B 28")
    assert one[:4] == ("illegal", "points-do-not-add-up", "points", "strohmann.card-points")
    assert one.text == "the card points (A 43, B 28) add up to 71, not to 70"
    for number in (78, 114):
        assert strohmann(DECLARED.replace("43", str(number))).reason == "number-out-of-bounds"


def test_strohmann_all_tricks_are_all_70_points() -> None:
    """Every card is played to a trick, and the last of the other's are worth a point or more."""
    one = strohmann(DECLARED + "tricks A")
    assert one[:4] == ("illegal", "too-few-for-all-tricks", "tricks", "strohmann.valat")
    assert one.text == "A: all tricks, but only 43 card points; it must be 70 or more"
    assert score("strohmann", DECLARED.replace("43", "70") + "tricks A", 2) == {"A": 12, "B": 0}


def test_strohmann_without_a_card_point_there_was_no_trick() -> None:
    """Two cards of 1 are 2 - 1 = 1."""
    one = strohmann(DECLARED.replace("43", "70"))
    assert one[:4] == ("illegal", "took-no-trick", "tricks", "strohmann.valat")
    assert one.text == "B: 0 card points, so they took no trick, but “All tricks” does not say so"
    assert score("strohmann", DECLARED.replace("43", "69"), 2) == {"A": 4, "B": 0}


@pytest.mark.parametrize("bird", ["pagat", "uhu", "kakadu", "rostopschin"])
def test_strohmann_nothing_is_won_without_a_trick(bird: str) -> None:
    slug = {"pagat": "pagat-ultimo"}.get(bird, bird)
    one = strohmann(f"{DECLARED.replace('43', '70')}tricks A\n{bird} B")
    assert one[:4] == ("illegal", "trick-of-other", bird, f"strohmann.{slug}")


def test_strohmann_rostopschin_has_both_tricks() -> None:
    """Ros in trick 25 and topschin in trick 26 are A's; the Uhu is in trick 26, the Kakadu in trick 25."""
    one = strohmann(DECLARED + "uhu B\nrostopschin A 25")
    assert one[:3] == ("illegal", "trick-of-other", "uhu")
    assert one.text == "“Uhu”: that trick was won by A, not by B"
    assert strohmann(DECLARED + "kakadu B\nrostopschin A 25").field == "kakadu"
    assert score("strohmann", DECLARED + "pagat B\nrostopschin A 25", 2)


def test_strohmann_what_is_missing() -> None:
    assert strohmann("contract take\npoints A 43")[:3] == ("incomplete", "field-missing", "declarer")
    assert strohmann("contract take\ndeclarer A")[:3] == ("incomplete", "field-missing", "points")
    assert strohmann("contract take\ndeclarer\npoints A 43")[:3] == (
        "incomplete",
        "line-breaks-off",
        "declarer",
    )


# --- Troggu ---

#: With four players a hand has 13 cards and the Tapp 62 - 4 x 13 = 10.
TAKE = "contract take\ntappist A\npoints tappist 85\n"
#: With seven the Tapp has 62 - 7 x 8 = 6 cards.
SEVEN = "contract take\ntappist A\npartner C\npoints tappist 60\n"
MISERE = "contract misere\npoints A 20\npoints B 25\npoints C 30\npoints D 20\n"


def test_troggu_few_points_double_and_a_solo_too() -> None:
    """114 - 85 = 29 are at most 30: 2 chips from each of three, in a solo 4."""
    assert score("troggu", TAKE, 4) == {"A": 6, "B": -2, "C": -2, "D": -2}
    assert score("troggu", TAKE.replace("take", "solo"), 4) == {"A": 12, "B": -4, "C": -4, "D": -4}


def test_troggu_a_partner_gets_the_payments_of_two() -> None:
    """Five opponents pay 1 each: 2 for the partner, 3 for the Tappist."""
    assert score("troggu", SEVEN, 7) == {"A": 3, "B": -1, "C": 2, "D": -1, "E": -1, "F": -1, "G": -1}


def test_troggu_in_a_misere_the_most_points_pay() -> None:
    assert score("troggu", MISERE, 4) == {"A": 1, "B": 1, "C": -3, "D": 1}


def test_troggu_card_points_add_up_to_114() -> None:
    """85 + 30 = 115."""
    one = troggu(TAKE + "points opponents 30")
    assert one[:4] == ("illegal", "points-do-not-add-up", "points", "troggu.card-points")
    assert one.text == "the card points (Tappist’s side 85, opponents 30) add up to 115, not to 114"
    assert troggu(TAKE.replace("85", "115")).reason == "number-out-of-bounds"


def test_troggu_in_a_misere_the_tapp_is_missing() -> None:
    """Ten blanks leave 114 - 10 = 104, seven fives and three Queens 114 - 47 = 67."""
    one = troggu(MISERE.replace("C 30", "C 40"))
    assert one[:4] == ("illegal", "points-without-rest", "points", "troggu.card-points")
    assert one.text.endswith("add up to 105; without the cards that stay out of play it must be 67 to 104")
    assert troggu(MISERE.replace("B 25", "B 0").replace("C 30", "C 26")).text.count("add up to 66") == 1
    assert score("troggu", MISERE.replace("B 25", "B 0").replace("C 30", "C 27"), 4)


def test_troggu_in_a_misere_of_seven_bettler_and_pagat_are_in_the_tapp() -> None:
    """114 - 10 - 4 = 100 at the most."""
    lines = "contract misere\n" + "\n".join(f"points {seat} 15" for seat in "ABCDEF")
    assert troggu(f"{lines}\npoints G 11", 7).text.endswith("it must be 84 to 100")
    assert score("troggu", f"{lines}\npoints G 10", 7)


def test_troggu_who_has_points_in_a_misere() -> None:
    assert troggu(MISERE.replace("points A", "points tappist")).reason == "points-of-nobody"
    assert troggu(MISERE.replace("points B 25\n", ""))[:3] == ("incomplete", "points-missing", "points")
    assert troggu(MISERE + "tappist A")[:3] == ("illegal", "not-with", "tappist")


def test_troggu_a_partner_is_called_from_seven_on() -> None:
    one = troggu(TAKE + "partner B")
    assert one[:4] == ("illegal", "not-for-seats", "partner", "troggu.call")
    assert one.text == "there is no “Partner” with 4 players"
    assert troggu(SEVEN.replace("partner C\n", ""), 7)[:3] == ("incomplete", "field-missing", "partner")
    assert troggu(SEVEN.replace("partner C", "partner A"), 7).reason == "partner-is-declarer"


def test_troggu_opponents_without_a_trick_have_no_points() -> None:
    """The Tapp, or what was discarded for it, is the Tappist's."""
    one = troggu(TAKE + "trickless opponents")
    assert one[:4] == ("illegal", "points-without-trick", "trickless", "troggu.game")
    assert one.text == "opponents: no trick, but 29 card points; without a trick it is at most 0"
    assert score("troggu", TAKE.replace("85", "114") + "trickless opponents", 4) == {
        "A": 9,
        "B": -3,
        "C": -3,
        "D": -3,
    }


def test_troggu_a_tappist_without_a_trick_has_ten_cards() -> None:
    """Four Kings, four Queens and two Cavaliers: 20 + 16 + 6 = 42; in a solo seven fives: 35 + 12 = 47."""
    for contract, most in (("take", 42), ("solo", 47)):
        lines = f"contract {contract}\ntappist A\ntrickless tappist\npoints tappist "
        assert troggu(f"{lines}{most + 1}").text.endswith(f"without a trick it is at most {most}")
        assert score("troggu", f"{lines}{most}", 4)


def test_troggu_so_few_points_are_no_trick() -> None:
    """A trick of four cards is worth 4 or more: with 3 points the opponents have none. The Tappist's ten
    cards and a trick are worth 14."""
    one = troggu(TAKE.replace("85", "111"))
    assert one[:4] == ("illegal", "took-no-trick", "trickless", "troggu.game")
    assert one.text == "opponents: 3 card points, so they took no trick, but “No trick” does not say so"
    assert troggu(TAKE.replace("85", "13")).reason == "took-no-trick"
    assert score("troggu", TAKE.replace("85", "110"), 4)
    assert score("troggu", TAKE.replace("85", "14"), 4)


def test_troggu_the_tapp_has_ten_points_or_more() -> None:
    one = troggu(TAKE.replace("85", "9"))
    assert one[:4] == ("illegal", "fewer-than-tapp", "points", "troggu.exchange")
    assert one.text.endswith("the Tapp or the discards alone are worth 10 or more")
