"""Impossible, incomplete and correct sheets of Taroky."""

from __future__ import annotations

import pytest

from tests.engine.sheets import Found, all_found, checked, the_one

#: First Duty with D, 60 points: the rest of the tests change a line of it.
FIRST = """
    contract first
    bidder A
    partner D
    points bidder 60
    """
SECOND = FIRST.replace("first", "second").replace("bidder A", "bidder B")
TROIKA = "contract troika\nlevel 2\nbidder B\npoints bidder 41\n"
SOLO = "contract solo\nbidder C\npoints bidder 41\n"
VARSAVA = "contract varsava\npoints A 10\npoints B 12\npoints C 15\npoints D 20\n"
SETTLED = "contract first\nbidder A\npartner D\n"


def found(lines: str, options: str = "") -> Found:
    return the_one("taroky", lines, 4, options)


def score(lines: str, options: str = "") -> dict[str, int] | None:
    result = checked("taroky", lines, 4, options)
    assert result.verdict == "computed", result.errors
    return result.score


# --- what is right ---


def test_the_sheet_of_an_evening_is_scored() -> None:
    """60 - 35 = 25, the pagat 20 x 4 = 80, tarocky 5: 110 from each of the two opponents."""
    lines = FIRST + "hand A tarocky\ndouble pagat flek B\ndouble pagat re A\npagat announced A made"
    assert score(lines) == {"A": 110, "B": -110, "C": -110, "D": 110}


def test_the_points_of_one_side_are_those_that_the_other_has_not() -> None:
    """70 - 10 = 60, so 60 - 35 = 25."""
    assert score(FIRST.replace("bidder 60", "opponents 10")) == score(FIRST)
    assert score(FIRST) == {"A": 25, "B": -25, "C": -25, "D": 25}


def test_a_re_stands_for_its_flek() -> None:
    """(60 - 35) x 4 = 100, for any speaker."""
    assert score(FIRST + "double game re") == {"A": 100, "B": -100, "C": -100, "D": 100}


def test_level_and_solo_set_the_price() -> None:
    """(41 - 35) x 2 = 12 from each of three, and (41 - 35) x 6 = 36."""
    assert score(TROIKA) == {"A": -12, "B": 36, "C": -12, "D": -12}
    assert score(SOLO) == {"A": -36, "B": -36, "C": 108, "D": -36}


def test_a_surrender_pays_ten_to_each() -> None:
    assert score("contract first\nbidder A\nsurrendered") == {"A": -30, "B": 10, "C": 10, "D": 10}


def test_an_uncontested_first_duty_is_one_point_and_the_hands() -> None:
    """1 for the game and 10 for the barvy of C: 1 - 10 = -9."""
    lines = SETTLED + "uncontested\nhand C barvy"
    assert score(lines, "settle-uncontested") == {"A": -9, "B": 9, "C": 9, "D": -9}


def test_in_varsava_whoever_has_most_pays() -> None:
    """20 is at most 29: 10 to each, and 20 to who took no trick. 0 + 12 + 15 + 20 = 47."""
    assert score(VARSAVA) == {"A": 10, "B": 10, "C": 10, "D": -30}
    assert score(VARSAVA.replace("A 10", "A 0") + "trickless A") == {"A": 20, "B": 10, "C": 10, "D": -40}


# --- card points ---


def test_card_points_are_0_to_70() -> None:
    """114 are those of Troggu, 78 those of Grosstarock."""
    for number in (114, 78, 71, -1):
        one = found(FIRST.replace("60", str(number)))
        assert one[:4] == ("illegal", "number-out-of-bounds", "points", "taroky.card-points")
        assert one.text == f"“Card points” is {number}, but must be 0 to 70".replace("-", "−")


def test_card_points_of_both_sides_add_up_to_70() -> None:
    """60 + 11 = 71."""
    one = found(FIRST + "points opponents 11")
    assert one[:4] == ("illegal", "points-do-not-add-up", "points", "taroky.card-points")
    assert one.text == "the card points (bidder’s side 60, opponents 11) add up to 71, not to 70"


def test_in_a_duty_no_seat_has_card_points_of_its_own() -> None:
    one = found(FIRST.replace("points bidder 60", "points A 60"))
    assert one[:3] == ("illegal", "points-of-nobody", "points")
    assert one.text == "points A 60: here the card points are counted for: bidder’s side and opponents"
    assert found(VARSAVA.replace("A 10", "bidder 10")).reason == "points-of-nobody"


def test_in_varsava_the_six_cards_of_the_talon_are_missing() -> None:
    """12 + 15 + 20 - 5 = 42 are too few: six fives are 30, so 106 - 30 - 33 = 43. 70 are too many."""
    one = found(VARSAVA.replace("C 15", "C 0").replace("A 10", "A 10") + "trickless C")
    assert one[:4] == ("illegal", "points-without-rest", "points", "taroky.card-points")
    assert one.text.endswith("add up to 42; without the cards that stay out of play it must be 43 to 69")
    assert found(VARSAVA.replace("D 20", "D 33")).reason == "points-without-rest"


def test_who_took_no_trick_has_no_card_points_in_varsava() -> None:
    one = found(VARSAVA + "trickless A")
    assert one[:4] == ("illegal", "points-without-trick", "trickless", "taroky.varsava-pay")
    assert one.text == "A: no trick, but 10 card points; without a trick it is at most 0"


def test_who_has_no_card_points_took_no_trick_in_varsava() -> None:
    """Four blanks are 4 - 2 - 1 = 1 point."""
    one = found(VARSAVA.replace("A 10", "A 0"))
    assert one[:3] == ("illegal", "took-no-trick", "trickless")
    assert one.text == "A: 0 card points, so they took no trick, but “No trick” does not say so"


def test_a_side_without_card_points_took_no_trick() -> None:
    one = found(FIRST.replace("60", "70"))
    assert one[:4] == ("illegal", "took-no-trick", "tricks", "taroky.valat")
    assert score(FIRST.replace("60", "70") + "tricks bidder") == {"A": 105, "B": -105, "C": -105, "D": 105}


# --- who plays ---


def test_a_first_duty_is_forehand_s() -> None:
    one = found(FIRST.replace("bidder A", "bidder B"))
    assert one[:4] == ("illegal", "first-by-other", "bidder", "taroky.forehand-must-bid")


def test_forehand_bids_no_second_duty() -> None:
    one = found(SECOND.replace("bidder B", "bidder A") + "pagat announced A made")
    assert one[:4] == ("illegal", "second-by-forehand", "bidder", "taroky.forehand-must-bid")


def test_nobody_is_the_own_partner() -> None:
    one = found(FIRST.replace("partner D", "partner A"))
    assert one[:4] == ("illegal", "partner-is-declarer", "partner", "taroky.partner")


def test_there_is_a_partner_in_duties_only() -> None:
    one = found(TROIKA + "partner A")
    assert one[:4] == ("illegal", "not-with", "partner", "taroky.partner")
    assert one.text == "“Partner” is not possible with the entry for “Contract”"


def test_there_is_a_level_in_a_troika_only_from_1_to_3() -> None:
    assert found(SOLO + "level 1")[:3] == ("illegal", "not-with", "level")
    assert found(TROIKA.replace("level 2", "level 4")).reason == "number-out-of-bounds"


def test_a_game_is_not_surrendered_and_counted() -> None:
    one = found("contract first\nbidder A\nsurrendered\npoints bidder 30")
    assert one[:4] == ("illegal", "not-with", "points", "taroky.surrender")
    assert one.text == "“Card points” is not possible with the entry for “Surrendered”"


def test_a_game_is_not_surrendered_and_settled_without_play() -> None:
    one = found("contract first\nbidder A\nsurrendered\nuncontested", "settle-uncontested")
    assert one[:3] == ("illegal", "not-with", "uncontested")


def test_a_second_duty_is_not_surrendered() -> None:
    lines = "contract second\nbidder B\npartner D\nsurrendered\npoints bidder 50\npagat announced B made"
    assert {"surrendered"} <= {one.field for one in all_found("taroky", lines, 4)}


def test_without_the_option_every_deal_is_played() -> None:
    one = found(SETTLED + "uncontested")
    assert one[:4] == ("illegal", "without-option", "uncontested", "taroky.settle-uncontested")


def test_with_the_option_an_uncontested_first_duty_is_not_played() -> None:
    one = found(FIRST, "settle-uncontested")
    assert one[:4] == ("illegal", "settled-by-option", "uncontested", "taroky.settle-uncontested")
    assert score(FIRST + "double game flek", "settle-uncontested")


# --- declared hands ---


@pytest.mark.parametrize(
    ("items", "slug"),
    [
        ("taroky tarocky", "tarocky"),
        ("barvy barvicky", "barvicky"),
        ("barvicky trul", "trul"),
        ("taroky kralovske-honery", "kralovske-honery"),
    ],
)
def test_what_no_hand_of_twelve_has_at_once(items: str, slug: str) -> None:
    """Ten tarocks and eight; none and one; two and the three of the trul; ten and four Kings are 14."""
    one = found(f"{FIRST}hand A {items}")
    assert one[:4] == ("illegal", "not-in-one-hand", "hand", f"taroky.hand-{slug}")


def test_eight_tarocks_and_four_kings_are_a_hand_of_twelve() -> None:
    """25 for the game, 5 for the tarocky, 5 for the trul, 10 for the Kings: 45."""
    lines = FIRST + "hand A tarocky trul kralovske-honery"
    assert score(lines) == {"A": 45, "B": -45, "C": -45, "D": 45}


def test_an_item_is_declared_once() -> None:
    one = found(FIRST + "hand A trul trul")
    assert one[:4] == ("illegal", "word-twice", "hand", "taroky.announce-order")


def test_a_player_declares_honery_or_kralovske_honery() -> None:
    one = found(FIRST + "hand A honery kralovske-honery")
    assert one[:4] == ("illegal", "not-both-honours", "hand", "taroky.hand-kralovske-honery")


def test_two_players_have_not_both_all_kings() -> None:
    lines = FIRST + "hand A kralovske-honery\nhand B kralovske-honery"
    one = found(lines)
    assert one[:4] == ("illegal", "declared-by-two", "hand", "taroky.hand-kralovske-honery")
    assert one.text == "A and B declare kralovske-honery, but only one hand can hold it"


@pytest.mark.parametrize("item", ["trul", "honery"])
def test_one_player_has_the_trul_or_four_of_seven_fives(item: str) -> None:
    """4 + 4 = 8 of seven cards."""
    one = found(f"{FIRST}hand A {item}\nhand B {item}")
    assert one[:4] == ("illegal", "declared-by-two", "hand", f"taroky.hand-{item}")


def test_beside_four_kings_there_are_not_four_fives() -> None:
    """7 - 4 = 3."""
    one = found(FIRST + "hand A honery\nhand B kralovske-honery")
    assert one[:4] == ("illegal", "too-few-fives", "hand", "taroky.hand-honery")


def test_declared_tarocks_are_22_at_most() -> None:
    """10 + 8 + 8 = 26; 10 + 8 + 3 + 1 = 22 are just right."""
    one = found(FIRST + "hand A taroky\nhand B tarocky\nhand C tarocky")
    assert one[:4] == ("illegal", "too-many-tarocks", "hand", "taroky.hand-tarocky")
    assert one.text == "together the declared hands hold at least 26 tarocks, but there are only 22"
    assert score(FIRST + "hand A taroky\nhand B tarocky\nhand C trul\nhand D barvicky")


# --- pagat, valat and doubles ---


def test_a_pagat_has_an_end() -> None:
    one = found(FIRST + "pagat announced A")
    assert one[:4] == ("incomplete", "line-breaks-off", "pagat", "taroky.pagat-announced")
    assert one.text == "“Pagat” is not complete: pagat announced A"


def test_a_pagat_is_not_of_two() -> None:
    one = found(FIRST + "pagat announced A made\npagat announced B failed")
    assert one[:4] == ("illegal", "field-twice", "pagat", "taroky.pagat-announced")
    assert one.text == "“Pagat” appears a second time: pagat announced B failed"


def test_who_declares_the_trul_has_the_pagat() -> None:
    one = found(FIRST + "hand B trul\npagat silent A made")
    assert one[:4] == ("illegal", "pagat-held-by-other", "pagat", "taroky.announce-pagat")


def test_a_second_duty_announces_the_pagat() -> None:
    one = found(SECOND)
    assert one[:3] == ("incomplete", "field-missing", "pagat")
    for line in ("pagat silent B made", "pagat announced A made"):
        one = found(f"{SECOND}{line}")
        assert one[:4] == ("illegal", "second-announces", "pagat", "taroky.bid-second")


def test_a_double_is_on_what_was_announced() -> None:
    one = found(FIRST + "double pagat flek B")
    assert one[:4] == ("illegal", "stake-not-announced", "double", "taroky.double")
    assert one.text == "flek:pagat: nobody has announced the pagat"
    assert found(FIRST + "double valat flek").reason == "stake-not-announced"


@pytest.mark.parametrize(("word", "seat"), [("flek", "D"), ("re", "B"), ("sub", "A")])
def test_a_double_is_of_the_side_to_which_it_is_open(word: str, seat: str) -> None:
    """A and D announced: flek and sub are for B and C, re is for A and D."""
    one = found(f"{FIRST}double pagat {word} {seat}\npagat announced A made")
    assert one[:4] == ("illegal", "double-of-other-side", "double", "taroky.double")
    assert one.text == f"{seat} says {word}:pagat, but that is for the other side"


def test_on_the_game_the_sides_take_turns() -> None:
    """Either side may say flek; sub is for the side that did, re for the other."""
    assert found(FIRST + "double game flek A\ndouble game re D").reason == "double-of-other-side"
    assert found(FIRST + "double game re A\ndouble game sub D").reason == "double-of-other-side"
    assert score(FIRST + "double game flek A\ndouble game re B\ndouble game sub D")


def test_all_tricks_leave_only_what_the_others_laid_away() -> None:
    """In a Duty the opponents lay away two cards, two Queens at most: 4 + 4 - 1 = 7, and 70 - 7 = 63."""
    one = found(FIRST + "tricks bidder")
    assert one[:4] == ("illegal", "too-few-for-all-tricks", "tricks", "taroky.valat")
    assert one.text == "bidder’s side: all tricks, but only 60 card points; it must be 63 or more"
    assert score(FIRST.replace("60", "63") + "tricks bidder")


def test_a_valat_that_was_made_has_nearly_all_points() -> None:
    one = found(FIRST + "valat A made")
    assert one[:3] == ("illegal", "too-few-for-all-tricks", "valat")


def test_in_troika_and_solo_the_talon_lies_with_the_opponents() -> None:
    """Three fives are 15 - 2 = 13, so 57; six are 30 - 4 = 26, so 44. The lone opponents need 60 and 70."""
    for lines, least, other in ((TROIKA, 57, 60), (SOLO, 44, 70)):
        for number, side, fits in ((least, "bidder", True), (least - 1, "bidder", False)):
            text = lines.replace("41", str(number)) + f"tricks {side}"
            assert (checked("taroky", text, 4).verdict == "computed") is fits
        text = lines.replace("41", str(70 - other + 1)) + "tricks opponents"
        assert found(text).text.endswith(f"it must be {other} or more")


def test_a_valat_ends_as_the_tricks_say() -> None:
    high = FIRST.replace("60", "70")
    for lines in ("valat A failed\ntricks bidder", "valat B made\ntricks bidder"):
        one = found(high + lines)
        assert one[:4] == ("illegal", "valat-against-tricks", "valat", "taroky.valat-announced")
    # 70 - 35 = 35, 140, and 70 for the side that foils it by taking all tricks.
    assert score(high + "valat B failed\ntricks bidder") == {"A": 245, "B": -245, "C": -245, "D": 245}


def test_the_last_trick_is_one_of_all() -> None:
    one = found(FIRST.replace("60", "70") + "tricks bidder\npagat silent B made")
    assert one[:4] == ("illegal", "pagat-against-tricks", "pagat", "taroky.pagat-ultimo")


# --- what is missing ---


def test_a_sheet_without_a_contract_is_incomplete() -> None:
    one = found(FIRST.replace("contract first\n", ""))
    assert one[:4] == ("incomplete", "field-missing", "contract", "taroky.bid")
    assert one.text == "“Contract” is missing"
    assert found(VARSAVA.replace("contract varsava\n", ""))[:3] == ("incomplete", "field-missing", "contract")


def test_all_that_is_missing_is_found_at_once() -> None:
    missing = all_found("taroky", "contract troika", 4)
    assert [(one.verdict, one.field) for one in missing] == [
        ("incomplete", "level"),
        ("incomplete", "bidder"),
        ("incomplete", "points"),
    ]


def test_in_varsava_the_points_of_all_four_are_needed() -> None:
    one = found(VARSAVA.replace("points B 12\n", ""))
    assert one[:3] == ("incomplete", "points-missing", "points")
    assert one.text == "“Card points” is missing for: B"


def test_all_that_cannot_be_is_found_at_once_and_comes_before_what_is_missing() -> None:
    lines = "contract first\nbidder A\nlevel 2\npoints bidder 114"
    reasons = [one.reason for one in all_found("taroky", lines, 4)]
    assert reasons == ["not-with", "number-out-of-bounds"]
