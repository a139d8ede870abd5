"""The edges of score sheets: the last possible value of each limit, and the first impossible one; and the
result of a deal (won, drawn, lost) at its edge.

A row of a table: the number of players, the lines of the sheet, and the reason of the finding, or the result.
"""

from __future__ import annotations

import pytest

from tests.engine.sheets import SEATS, all_found, checked

RESULTS = [
    # strohmann.game, strohmann.game-undeclared: 36 win.
    (2, "strohmann", "contract take|declarer A|points A 36", "won"),
    (2, "strohmann", "contract take|declarer A|points A 35", "lost"),
    (2, "strohmann", "contract undeclared|points B 36", "won"),
    (2, "strohmann", "contract undeclared|points B 35", "drawn"),
    # taroky.game: more than 35 win.
    (4, "taroky", "contract solo|bidder A|points bidder 36", "won"),
    (4, "taroky", "contract solo|bidder A|points bidder 35", "drawn"),
    (4, "taroky", "contract solo|bidder A|points bidder 34", "lost"),
    (4, "taroky", "contract first|bidder A|surrendered", "surrendered"),
    (4, "taroky", "contract varsava|points A 29|points B 9|points C 8|points D 7", "varsava"),
    # troggu.game: 58 win, 57 draw.
    (4, "troggu", "contract take|tappist A|points tappist 58", "won"),
    (4, "troggu", "contract take|tappist A|points tappist 57", "drawn"),
    (4, "troggu", "contract take|tappist A|points tappist 56", "lost"),
    (4, "troggu", "contract misere|points A 20|points B 25|points C 30|points D 20", "misere"),
    (2, "grosstarock", "tout A|points A 60|points B 0", "tout"),
    (2, "grosstarock", "last A|points A 40|points B 20", "counted"),
]


@pytest.mark.parametrize(("players", "game", "lines", "result"), RESULTS, ids=[row[2] for row in RESULTS])
def test_a_deal_ends_with_this_result(players: int, game: str, lines: str, result: str) -> None:
    found = checked(game, lines.replace("|", "\n"), players)
    assert found.facts is not None, found.errors
    assert found.facts["result"] == result
    assert found.facts.get("misere", False) == (result == "misere")


FIRST = "contract first|bidder A|partner D|"
HANDS = FIRST + "points bidder 36|"
TAKE = "contract take|declarer A|"
TAPPIST = "contract take|tappist A|points tappist "
KINGS = "card SK B lost|card HK B lost|card DK B lost|card CK B lost|"
COUNTED = KINGS + "last C|points A 27|points B 26"
TWO = "last A|points A "
BOUNDS, SUM = "number-out-of-bounds", "points-do-not-add-up"
WITHOUT_REST, TOO_FEW = "points-without-rest", "too-few-for-all-tricks"
NO_TRICK, WITHOUT_TRICK = "took-no-trick", "points-without-trick"
OTHER, NUMBER = "trick-of-other", "declared-number"


def misere(players: int, total: int) -> str:
    """Return the lines of a misère in which these card points were counted, the most by the first seat."""
    each = total // players
    points = [total - each * (players - 1)] + [each] * (players - 1)
    rows = zip(SEATS[:players], points, strict=True)
    return "|".join(["contract misere", *(f"points {seat} {number}" for seat, number in rows)])


LIMITS = [
    # strohmann.card-points: 70 in all.
    *((2, "strohmann", f"{TAKE}points A 43|points B {number}", SUM) for number in (26, 28)),
    (2, "strohmann", f"{TAKE}points A 43|points B 27", ""),
    (2, "strohmann", f"{TAKE}points A 71", BOUNDS),
    # strohmann.valat: with 27 tricks A has all 70 points, and without them B has at least 1.
    (2, "strohmann", f"{TAKE}points A 70|tricks A", ""),
    (2, "strohmann", f"{TAKE}points A 69|tricks A", TOO_FEW),
    (2, "strohmann", f"{TAKE}points A 70", NO_TRICK),
    (2, "strohmann", f"{TAKE}points A 69", ""),
    # strohmann.rostopschin: ros and topschin are two tricks in a row, tricks 1 and 2 to 26 and 27.
    *((2, "strohmann", f"{TAKE}points A 43|rostopschin A {trick}", "") for trick in (1, 26)),
    *((2, "strohmann", f"{TAKE}points A 43|rostopschin A {trick}", BOUNDS) for trick in (0, 27)),
    # Trick 27 is the Pagat's, 26 the Uhu's, 25 the Kakadu's. B can't have a trick that A won with ros or
    # topschin.
    *(
        (2, "strohmann", f"{TAKE}points A 43|{bird} B|rostopschin A {trick}", reason)
        for bird, trick, reason in (
            ("pagat", 26, OTHER),
            ("pagat", 25, ""),
            ("uhu", 26, OTHER),
            ("uhu", 25, OTHER),
            ("uhu", 24, ""),
            ("kakadu", 26, ""),
            ("kakadu", 25, OTHER),
            ("kakadu", 24, OTHER),
            ("kakadu", 23, ""),
        )
    ),
    # taroky.card-points: 70 in all. In Varšava the talon is not counted: 43 to 69.
    *((4, "taroky", f"{FIRST}points bidder 36|points opponents {number}", SUM) for number in (33, 35)),
    (4, "taroky", f"{FIRST}points bidder 71", BOUNDS),
    *(
        (4, "taroky", f"contract varsava|points A {number}|points B 12|points C 11|points D 10", reason)
        for number, reason in ((9, WITHOUT_REST), (10, ""), (36, ""), (37, WITHOUT_REST))
    ),
    # taroky.troika-level: 1 to 3.
    *(
        (4, "taroky", f"contract troika|level {level}|bidder A|points bidder 36", reason)
        for level, reason in ((0, BOUNDS), (1, ""), (3, ""), (4, BOUNDS))
    ),
    # taroky.valat: without a trick a side has only its discards: in Duties the bidder's at most 16, the
    # opponents' 7; in a troika 10 and 13; in a solo 0 and 26. The other side has the rest of the 70.
    (4, "taroky", f"{FIRST}points bidder 63|tricks bidder", ""),
    (4, "taroky", f"{FIRST}points bidder 62|tricks bidder", TOO_FEW),
    (4, "taroky", f"{FIRST}points bidder 16|tricks opponents", ""),
    (4, "taroky", f"{FIRST}points bidder 17|tricks opponents", TOO_FEW),
    *(
        (4, "taroky", f"contract {contract}|bidder A|points bidder {number}|tricks {side}", reason)
        for contract, side, number, reason in (
            ("troika|level 1", "bidder", 57, ""),
            ("troika|level 1", "bidder", 56, TOO_FEW),
            ("troika|level 1", "opponents", 10, ""),
            ("troika|level 1", "opponents", 11, TOO_FEW),
            ("solo", "bidder", 44, ""),
            ("solo", "bidder", 43, TOO_FEW),
            ("solo", "opponents", 0, ""),
            ("solo", "opponents", 1, TOO_FEW),
        )
    ),
    # taroky.hand-*: 10, 8, 3 and 1 are the 22 tarocks of the pack; one hand has one number of them.
    (4, "taroky", f"{HANDS}hand A taroky|hand B tarocky|hand C trul|hand D barvicky", ""),
    (4, "taroky", f"{HANDS}hand A taroky|hand B taroky|hand C barvicky|hand D barvicky", ""),
    (4, "taroky", f"{HANDS}hand A taroky|hand B taroky|hand C trul", "too-many-tarocks"),
    # troggu.card-points: 114 in all. In a misère the Tapp is not counted: from the most valuable cards that
    # it can hold to the least valuable ones. From seven players on it holds the Bättler and the Pagat.
    *((4, "troggu", f"{TAPPIST}58|points opponents {number}", SUM) for number in (55, 57)),
    *(
        (players, "troggu", misere(players, total), reason)
        for players, low, high in (
            (3, 114 - 39, 114 - 8),
            (4, 114 - 47, 114 - 10),
            (5, 114 - 35, 114 - 7),
            (6, 114 - 39, 114 - 8),
            (7, 114 - 30, 114 - 10 - 4),
            (8, 114 - 30, 114 - 10 - 4),
        )
        for total, reason in ((low - 1, WITHOUT_REST), (low, ""), (high, ""), (high + 1, WITHOUT_REST))
    ),
    # troggu.exchange: the ten cards of the Tapp are worth 10 or more, and a trick of four cards 4 or more.
    (4, "troggu", f"{TAPPIST}9|trickless tappist", "fewer-than-tapp"),
    (4, "troggu", f"{TAPPIST}10|trickless tappist", ""),
    (4, "troggu", f"{TAPPIST}13", NO_TRICK),
    (4, "troggu", f"{TAPPIST}14", ""),
    (4, "troggu", f"{TAPPIST}110", ""),
    (4, "troggu", f"{TAPPIST}111", NO_TRICK),
    # Ten discards, at most four Kings, 4 × 4 and 2 × 3: 42. In a solo the Tapp can hold all seven fives: 47.
    (4, "troggu", f"{TAPPIST}42|trickless tappist", ""),
    (4, "troggu", f"{TAPPIST}43|trickless tappist", WITHOUT_TRICK),
    (4, "troggu", f"{TAPPIST}47|trickless tappist".replace("take", "solo"), ""),
    (4, "troggu", f"{TAPPIST}48|trickless tappist".replace("take", "solo"), WITHOUT_TRICK),
    (4, "troggu", f"{TAPPIST}114|trickless opponents", ""),
    (4, "troggu", f"{TAPPIST}113|trickless opponents", WITHOUT_TRICK),
    # troggu.call: a partner from seven players on.
    (6, "troggu", f"{TAPPIST}58|partner B", "not-for-seats"),
    (7, "troggu", f"{TAPPIST}58|partner B", ""),
    (8, "troggu", f"{TAPPIST}58|partner B", ""),
    (7, "troggu", f"{TAPPIST}58|partner A", "partner-is-declarer"),
    # grosstarock.card-points: 78 in all; for two (grosstarock.two-count) 27 to 79.
    *((3, "grosstarock", f"{COUNTED}|points C {number}", SUM) for number in (24, 26)),
    (3, "grosstarock", f"{COUNTED}|points C 25", ""),
    *(
        (2, "grosstarock", f"{TWO}{number}|points B 13", reason)
        for number, reason in ((13, WITHOUT_REST), (14, ""), (66, ""), (67, WITHOUT_REST))
    ),
    # grosstarock.king: 25 tricks.
    *(
        (3, "grosstarock", f"{COUNTED}|card T1 A won {trick}", reason)
        for trick, reason in ((0, BOUNDS), (1, ""), (24, ""), (25, "last-trick-has-card"), (26, BOUNDS))
    ),
    # grosstarock.announce-bole, announce-null: before trick 20 and trick 13 at the latest.
    *(
        (3, "grosstarock", f"{COUNTED}|announce A {item} {trick}", reason)
        for item, trick, reason in (
            ("bole", 0, BOUNDS),
            ("bole", 1, ""),
            ("bole", 20, ""),
            ("bole", 21, BOUNDS),
            ("null", 13, ""),
            ("null", 14, "announced-too-late"),
        )
    ),
    # grosstarock.declare-*: the least cards of each declaration, and as many as the pack or a hand has.
    *(
        (3, "grosstarock", f"{COUNTED}|declare A {item}:{number}", reason)
        for item, low, high in (
            ("tarocks", 10, 22),
            ("matadors", 3, 22),
            ("skus-matadors", 5, 22),
            ("kings", 3, 7),
            ("ladons", 16, 25),
        )
        for number, reason in ((low - 1, NUMBER), (low, ""), (high, ""), (high + 1, NUMBER))
    ),
    # There are 22 tarocks, and seven Kings with the trull. A seat that declares neither adds nothing.
    *(
        (3, "grosstarock", f"{COUNTED}|declare A {a}|declare B {b}{more}", reason)
        for a, b, reason in (
            ("tarocks:10", "tarocks:12", ""),
            ("tarocks:11", "tarocks:12", "too-many-tarocks"),
            ("kings:3", "kings:4", ""),
            ("kings:4", "kings:4", "too-many-kings"),
        )
        for more in ("", "|declare C queens")
    ),
    # The Sküs counts as a tarock and as a ladon, so a hand of 25 cards has 26 of both.
    (3, "grosstarock", f"{COUNTED}|declare A tarocks:10 ladons:16", ""),
    (3, "grosstarock", f"{COUNTED}|declare A tarocks:10 ladons:17", "not-in-one-hand"),
    # Without a trick the dealer has the three discards: Sküs, Pagat and a Queen are 14, less 2 in threes or
    # less 1 by twos. Another seat has nothing.
    (3, "grosstarock", f"{KINGS}last A|bole A|points A 66|points B 0", ""),
    (3, "grosstarock", f"{KINGS}last A|bole A|points A 65|points B 0", WITHOUT_TRICK),
    (3, "grosstarock", f"{KINGS}last A|bole A|points A 77|points B 1", WITHOUT_TRICK),
    (2, "grosstarock", "tout A|points A 60|points B 13", ""),
    (2, "grosstarock", "tout A|points A 60|points B 14", WITHOUT_TRICK),
]


@pytest.mark.parametrize(
    ("players", "game", "lines", "reason"),
    LIMITS,
    ids=[f"{row[0]}-{row[2].replace(COUNTED, '…')}-{row[3] or 'ok'}" for row in LIMITS],
)
def test_a_score_sheet_at_the_edge_of_a_limit(players: int, game: str, lines: str, reason: str) -> None:
    text = lines.replace("|", "\n")
    if reason:
        assert reason in [found.reason for found in all_found(game, text, players)]
    else:
        found = checked(game, text, players)
        assert found.verdict == "computed", found.errors


#: taroky.card-points: the tricks alone, without six cards that are worth at most four Queens and two
#: Cavaliers, 22, in a Troika 12 + 15, in a Solo 30: 106 - 32 - 22 = 52, 47 and 44.
TRICKS_ALONE = [
    ("first|bidder A|partner D", 52),
    ("second|bidder B|partner D|pagat announced B made", 52),
    ("troika|level 1|bidder A", 47),
    ("solo|bidder A", 44),
]


@pytest.mark.parametrize(("contract", "least"), TRICKS_ALONE)
def test_all_tricks_of_taroky_have_at_least_these_points_alone(contract: str, least: int) -> None:
    for number, reasons in ((least - 1, [TOO_FEW]), (least, [])):
        lines = f"contract {contract}|points bidder {number}|points opponents 0|tricks bidder"
        found = checked("taroky", lines.replace("|", "\n"), 4, "valat-tricks-only")
        assert [error.reason for error in found.errors] == reasons
