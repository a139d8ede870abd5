"""Impossible, incomplete and correct sheets of Grosstarock."""

from __future__ import annotations

import pytest

from tests.engine.sheets import Found, all_found, checked, the_one

#: The Kings of three players, each won by its own player.
KINGS = "card SK A won\ncard HK A won\ncard DK B won\ncard CK C won\n"
THREE = f"{KINGS}last A\npoints A 36\npoints B 35\n"
TWO = "last B\npoints A 30\npoints B 40\n"
#: C takes no trick: a null; the 36 and 42 of A and B do not count.
NULL = KINGS.replace("C won", "C lost") + "last A\nnull C\n"
BOLE = KINGS.replace("A won", "B won").replace("C won", "C lost") + "last B\nbole B\n"


def three(lines: str) -> Found:
    return the_one("grosstarock", lines, 3)


def two(lines: str) -> Found:
    return the_one("grosstarock", lines, 2)


def score(lines: str, players: int = 3) -> dict[str, int] | None:
    result = checked("grosstarock", lines, players)
    assert result.verdict == "computed", result.errors
    return result.score


# --- what is right ---


def test_kings_last_trick_and_card_points() -> None:
    """Four Kings of 5 from each, two of them A's: A 20 - 10, B and C 10 - 15; the last trick 10 - 5 - 5; card
    points 36, 35 and 78 - 71 = 7, less 26: 10, 9 and -19."""
    assert score(THREE) == {"A": 30, "B": -1, "C": -29}


def test_the_trick_of_a_king_need_not_be_known() -> None:
    with_tricks = THREE.replace("SK A won", "SK A won 4").replace("CK C won", "CK C won 9")
    assert score(with_tricks) == score(THREE)
    keys = [line.sentences for line in checked("grosstarock", THREE, 3).lines]
    assert keys[:4] == [("won-somewhere",)] * 4


def test_a_declaration_is_paid_by_each() -> None:
    """Twelve tarocks: 10 + 2 x 5 = 20 from each."""
    assert score(THREE + "declare A tarocks:12") == {"A": 70, "B": -21, "C": -49}


def test_a_null_is_26_from_each_and_what_it_paid_for_kings_comes_back() -> None:
    """SK and HK are 20 to A, DK 10 to B, CK 10 from C; C gets back 5 + 5 + 5 + 10 = 25. The last trick is 10
    to A, the null 52 to C."""
    a = 20 - 5 + 5 + 10 - 26 - (10 + 5)
    b = -10 + 10 + 5 - 5 - 26 - (5 + 5)
    c = -10 - 5 - 10 - 5 + 52 + 25
    assert score(NULL) == {"A": a, "B": b, "C": c} == {"A": -11, "B": -36, "C": 47}


def test_two_players_count_by_twos_and_score_the_difference() -> None:
    """A 30, B 40 + 5 for the last trick: 15 for B."""
    assert score(TWO, 2) == {"A": 0, "B": 15}
    assert score(TWO + "card SK A lost", 2) == {"A": 0, "B": 20}


# --- card points ---


def test_three_have_78_card_points() -> None:
    """36 + 35 + 8 = 79; 36 + 50 = 86 leave less than nothing; 114 are those of Troggu."""
    one = three(THREE + "points C 8")
    assert one[:4] == ("illegal", "points-do-not-add-up", "points", "grosstarock.card-points")
    assert one.text == "the card points (A 36, B 35, C 8) add up to 79, not to 78"
    one = three(THREE.replace("B 35", "B 50"))
    assert one[:3] == ("illegal", "points-too-many", "points")
    assert one.text == "86 card points are entered, but there are only 78"
    assert three(THREE.replace("B 35", "B 114")).reason == "number-out-of-bounds"


def test_two_have_27_to_79_card_points() -> None:
    """Of 130, the 25 dearest cards are 77 and the cheapest 25; counted by twos 26 are lost."""
    one = two(TWO.replace("B 40", "B 50"))
    assert one[:4] == ("illegal", "points-without-rest", "points", "grosstarock.two-count")
    assert one.text.endswith("add up to 80; without the cards that stay out of play it must be 27 to 79")
    assert two(TWO.replace("points B 40\n", ""))[:3] == ("incomplete", "points-missing", "points")


def test_without_a_card_point_there_was_no_trick() -> None:
    """Three blanks are 3 - 2 = 1, two by twos 2 - 1 = 1."""
    one = three(THREE.replace("B 35", "B 42"))
    assert one[:4] == ("illegal", "took-no-trick", "null", "grosstarock.null")
    assert one.text == "C: 0 card points, so they took no trick, but “Null” does not say so"
    one = two(TWO.replace("A 30", "A 0"))
    assert one[:4] == ("illegal", "took-no-trick", "tout", "grosstarock.two-tout")


def test_a_null_has_no_card_points_but_the_dealer_s_discards() -> None:
    """Sküs, Pagat and a Queen are 5 + 5 + 4 - 2 = 12. C deals."""
    points = "points A 36\npoints B {}\npoints C {}\n"
    assert score(NULL + points.format(30, 12))
    one = three(NULL + points.format(29, 13))
    assert one[:4] == ("illegal", "points-without-trick", "null", "grosstarock.null")
    assert one.text == "C: no trick, but 13 card points; without a trick it is at most 12"
    lines = NULL.replace("null C", "null B").replace("DK B won", "DK B lost").replace("CK C lost", "CK C won")
    assert three(lines + points.format(1, 41)).text.startswith("B: no trick, but 1 card point;")


def test_a_tout_leaves_the_dealer_13() -> None:
    """By twos: 5 + 5 + 4 - 1 = 13. B deals."""
    lines = "tout A\npoints A 50\npoints B {}\n"
    assert score(lines.format(13), 2) == {"A": 50 + 25 - 13, "B": 0}
    assert two(lines.format(14))[:3] == ("illegal", "points-without-trick", "points")


# --- all tricks, or none ---


def test_25_tricks_and_a_null_are_not_in_one_deal() -> None:
    lines = BOLE + "null C"
    found = all_found("grosstarock", lines, 3)
    assert ("illegal", "null-beside-bole", "null", "grosstarock.null") in [one[:4] for one in found]
    text = next(one.text for one in found if one.reason == "null-beside-bole")
    assert text == "B took all tricks, so nobody makes a null, C included"


def test_with_a_bole_the_last_trick_is_paid_too() -> None:
    """Without it five points from each would be left out."""
    assert three(BOLE.replace("last B\n", ""))[:3] == ("incomplete", "field-missing", "last")
    assert score(BOLE) == {"A": -15 + 5 - 5 - 26, "B": 30 + 5 + 10 + 52, "C": -15 - 10 - 5 - 26}


@pytest.mark.parametrize(
    ("lines", "slug"),
    [
        (BOLE.replace("DK B won", "DK B lost"), "grosstarock.bole"),
        (BOLE.replace("CK C lost", "CK C won"), "grosstarock.bole"),
        (NULL.replace("CK C lost", "CK C won"), "grosstarock.null"),
    ],
)
def test_kings_go_with_all_tricks_and_with_none(lines: str, slug: str) -> None:
    assert three(lines)[:4] == ("illegal", "card-against-tricks", "card", slug)


def test_with_a_tout_no_king_of_the_other_wins() -> None:
    one = two("tout A\ncard SK B won\npoints A 50\npoints B 2\n")
    assert one[:4] == ("illegal", "card-against-tricks", "card", "grosstarock.two-tout")


def test_the_last_trick_goes_with_all_tricks_and_with_none() -> None:
    for lines in (BOLE.replace("last B", "last A"), NULL.replace("last A", "last C")):
        one = three(lines)
        assert one[:4] == ("illegal", "last-against-tricks", "last", "grosstarock.last-trick")


def test_bole_and_null_are_for_three_and_tout_is_for_two() -> None:
    assert two(TWO + "null A")[:3] == ("illegal", "not-for-seats", "null")
    assert two(TWO + "announce A bole 1")[:3] == ("illegal", "not-for-seats", "announce")
    assert three(THREE + "tout A")[:3] == ("illegal", "not-for-seats", "tout")


def test_null_is_announced_up_to_trick_13() -> None:
    one = three(THREE + "announce A null 14")
    assert one[:4] == ("illegal", "announced-too-late", "announce", "grosstarock.announce-null")
    assert three(THREE + "announce A bole 21").reason == "number-out-of-bounds"
    assert score(THREE + "announce A null 13")
    assert three(THREE + "announce A null").reason == "line-breaks-off"


# --- Pagat, Kings and last trick ---


def test_a_card_is_played_once() -> None:
    one = three(THREE + "card SK B lost")
    assert one[:3] == ("illegal", "field-twice", "card")


def test_a_trick_has_one_winner() -> None:
    one = three(THREE.replace("SK A won", "SK A won 5").replace("DK B won", "DK B won 5"))
    assert one[:4] == ("illegal", "trick-won-by-two", "card", "grosstarock.king")
    assert one.text == "trick 5 was won by A and B, but a trick has one winner"
    lines = (
        THREE.replace("SK A won", "SK A won last").replace("DK B won", "DK B won 25").replace("last A\n", "")
    )
    assert three(lines).text.startswith("trick 25 was won by")


def test_a_trick_has_a_winner() -> None:
    lines = THREE.replace("SK A won", "SK A lost 5").replace("DK B won", "DK B lost 5")
    assert score(lines)
    one = three(lines.replace("CK C won", "CK C lost 5"))
    assert one[:4] == ("illegal", "trick-won-by-nobody", "card", "grosstarock.king")


def test_a_player_plays_one_card_to_a_trick() -> None:
    one = three(THREE.replace("SK A won", "SK A won 5").replace("HK A won", "HK A lost 5"))
    assert one[:4] == ("illegal", "two-cards-to-one-trick", "card", "grosstarock.king")


def test_the_last_trick_is_paid_once() -> None:
    one = three(THREE.replace("SK A won", "SK A won last"))
    assert one[:4] == ("illegal", "last-trick-has-card", "last", "grosstarock.last-trick")


def test_with_three_players_every_king_is_played() -> None:
    """Nobody may discard one. Two players may have left it in the stock."""
    one = three(THREE.replace("card DK B won\n", ""))
    assert one[:4] == ("incomplete", "line-missing", "card", "grosstarock.king")
    assert one.text == "“Pagat and Kings”: card DK is missing"
    assert score(TWO, 2)


# --- declarations ---


@pytest.mark.parametrize(
    ("item", "low", "high"),
    [
        ("tarocks:9", 10, 22),
        ("tarocks:23", 10, 22),
        ("matadors:2", 3, 22),
        ("skus-matadors:4", 5, 22),
        ("kings:2", 3, 7),
        ("kings:8", 3, 7),
        ("ladons:15", 16, 25),
        ("ladons:26", 16, 25),
    ],
)
def test_a_declared_number_is_one_that_is_paid_and_that_there_is(item: str, low: int, high: int) -> None:
    found = all_found("grosstarock", f"{THREE}declare A {item}", 3)
    name = item.partition(":")[0]
    assert found[0][:4] == ("illegal", "declared-number", "declare", f"grosstarock.declare-{name}")
    assert found[0].text == f"A declares {item}, but the number must be {low} to {high}"


@pytest.mark.parametrize(("items", "name"), [("queens", "four"), ("cavallery:H", "cavallery")])
def test_what_only_one_hand_can_have(items: str, name: str) -> None:
    one = three(f"{THREE}declare A {items}\ndeclare B {items}")
    assert one[:4] == ("illegal", "declared-by-two", "declare", f"grosstarock.declare-{name}")


def test_whole_and_half_cavallery_of_a_suit_need_its_king() -> None:
    one = three(THREE + "declare A cavallery:H\ndeclare B half-cavallery:H")
    assert one[:3] == ("illegal", "declared-by-two", "declare")
    one = three(THREE + "declare A cavallery:H half-cavallery:H")
    assert one[:3] == ("illegal", "not-in-one-hand", "declare")


def test_the_skues_is_in_one_hand() -> None:
    one = three(THREE + "declare A matadors:3\ndeclare B half-cavallery:H")
    assert one[:4] == ("illegal", "skus-of-two", "declare", "grosstarock.declare-matadors")
    assert one.text == "A and B make declarations that require the Sküs, but only one hand can hold it"


def test_there_are_22_tarocks() -> None:
    """12 + 11 = 23, also if the 11 are matadors."""
    for items in ("tarocks:11", "matadors:11"):
        one = three(f"{THREE}declare A tarocks:12\ndeclare B {items}")
        assert one[:4] == ("illegal", "too-many-tarocks", "declare", "grosstarock.declare-tarocks")
        assert "23 tarocks" in one.text
    assert score(THREE + "declare A tarocks:12\ndeclare B tarocks:10")


def test_there_are_seven_kings_with_the_trull() -> None:
    """4 + 4 = 8."""
    one = three(THREE + "declare A kings:4\ndeclare B kings:4")
    assert one[:4] == ("illegal", "too-many-kings", "declare", "grosstarock.declare-kings")
    assert one.text.endswith("add up to 8, but there are only 7")


def test_a_hand_has_25_cards() -> None:
    """10 + 16 = 26 with the Sküs in both; 11 + 16 = 27."""
    one = three(THREE + "declare A tarocks:11 ladons:16")
    assert one[:4] == ("illegal", "not-in-one-hand", "declare", "grosstarock.declare-ladons")
    assert score(THREE + "declare A tarocks:10 ladons:16")


def test_only_one_kind_of_matadors_is_declared() -> None:
    one = three(THREE + "declare A matadors:3 skus-matadors:5")
    assert one[:3] == ("illegal", "not-together", "declare")
    assert three(THREE + "declare A ladons:16 ladons:17").reason == "not-together"
    assert three(THREE + "declare A queens queens").reason == "word-twice"


def test_what_is_no_declaration_is_told_the_forms_of_those() -> None:
    (error,) = checked("grosstarock", THREE + "declare A foo", 3).errors
    assert (error.reason, error.values["found"]) == ("sheet-word", "“foo”")
    assert "tarocks:10" in error.values["expected"].split()
    for item in error.values["expected"].split():
        assert score(f"{THREE}declare A {item}")
