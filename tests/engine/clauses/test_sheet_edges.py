"""The edges of score sheets: the last possible value of each limit, and the first impossible one, unless
`test_sheet_{game}` has it with its sentence; and the result of a deal (won, drawn, lost) at its edge.
"""

from __future__ import annotations

import pytest

from tests.engine.sheets import SEATS, all_found, checked

#: Players, game, lines of the sheet, and the result.
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
SECOND = "contract second|bidder B|partner D|pagat announced B made|"
TROIKA = "contract troika|level 1|bidder A|"
SOLO = "contract solo|bidder A|"
TAKE = "contract take|declarer A|points A 43|"
TAPPIST = "contract take|tappist A|points tappist "
KINGS = "card SK B lost|card HK B lost|card DK B lost|card CK B lost|"
COUNTED = KINGS + "last C|points A 27|points B 26|"
BOUNDS, SUM = "number-out-of-bounds", "points-do-not-add-up"
WITHOUT_REST, TOO_FEW = "points-without-rest", "too-few-for-all-tricks"
NO_TRICK, WITHOUT_TRICK, OTHER = "took-no-trick", "points-without-trick", "trick-of-other"


def misere(players: int, *totals: int) -> str:
    """Return the ends of misères in which these card points were counted, the most by the first seat."""
    ends = []
    for total in totals:
        each = total // players
        others = (f"points {seat} {each}" for seat in SEATS[1:players])
        ends.append("|".join([str(total - each * (players - 1)), *others]))
    return ", ".join(ends)


#: Game with options, players, the lines up to what varies, their possible ends, and the impossible ones by
#: reason.
LIMITS = [
    # strohmann.card-points: 70 in all.
    ("strohmann", 2, f"{TAKE}points B ", "27", {SUM: "26, 28"}),
    # strohmann.rostopschin: ros and topschin are two tricks in a row, tricks 1 and 2 to 26 and 27.
    ("strohmann", 2, f"{TAKE}rostopschin A ", "1, 26", {BOUNDS: "0, 27"}),
    # Trick 27 is the Pagat's, 26 the Uhu's, 25 the Kakadu's. B can't have a trick that A won with ros or
    # topschin.
    ("strohmann", 2, f"{TAKE}pagat B|rostopschin A ", "25", {OTHER: "26"}),
    ("strohmann", 2, f"{TAKE}uhu B|rostopschin A ", "24", {OTHER: "25, 26"}),
    ("strohmann", 2, f"{TAKE}kakadu B|rostopschin A ", "23, 26", {OTHER: "24, 25"}),
    # taroky.card-points: 70 in all. In Varšava the talon is not counted: 43 to 69.
    ("taroky", 4, f"{FIRST}points bidder 36|points opponents ", "34", {SUM: "33, 35"}),
    ("taroky", 4, "contract varsava|points B 12|points C 11|points D 10|points A ", "10, 36",
     {WITHOUT_REST: "9, 37"}),
    # taroky.troika-level: 1 to 3.
    ("taroky", 4, "contract troika|bidder A|points bidder 36|level ", "1, 3", {BOUNDS: "0, 4"}),
    # taroky.valat: without a trick a side has only its discards: in Duties the bidder's at most 16, the
    # opponents' 7; in a troika 10 and 13; in a solo 0 and 26. The other side has the rest of the 70.
    ("taroky", 4, f"{FIRST}tricks bidder|points bidder ", "63", {TOO_FEW: "62"}),
    ("taroky", 4, f"{FIRST}tricks opponents|points bidder ", "16", {TOO_FEW: "17"}),
    ("taroky", 4, f"{TROIKA}tricks bidder|points bidder ", "57", {TOO_FEW: "56"}),
    ("taroky", 4, f"{TROIKA}tricks opponents|points bidder ", "10", {TOO_FEW: "11"}),
    ("taroky", 4, f"{SOLO}tricks bidder|points bidder ", "44", {TOO_FEW: "43"}),
    ("taroky", 4, f"{SOLO}tricks opponents|points bidder ", "0", {TOO_FEW: "1"}),
    # taroky.card-points: the tricks alone, without six cards that are worth at most four Queens and two
    # Cavaliers, 22, in a Troika 12 + 15, in a Solo 30: 106 - 32 - 22 = 52, 47 and 44.
    *(("taroky valat-tricks-only", 4, f"{contract}points opponents 0|tricks bidder|points bidder ",
       str(least), {TOO_FEW: str(least - 1)})
      for contract, least in ((FIRST, 52), (SECOND, 52), (TROIKA, 47), (SOLO, 44))),
    # taroky.hand-*: 10, 8, 3 and 1 are the 22 tarocks of the pack; one hand has one number of them.
    ("taroky", 4, f"{FIRST}points bidder 36|hand A taroky|hand B ",
     "tarocky|hand C trul|hand D barvicky, taroky|hand C barvicky|hand D barvicky",
     {"too-many-tarocks": "taroky|hand C trul"}),
    # troggu.card-points: 114 in all. In a misère the Tapp is not counted: from the most valuable cards that
    # it can hold to the least valuable ones. From seven players on it holds the Bättler and the Pagat.
    ("troggu", 4, f"{TAPPIST}58|points opponents ", "56", {SUM: "55, 57"}),
    *(("troggu", players, "contract misere|points A ", misere(players, low, high),
       {WITHOUT_REST: misere(players, low - 1, high + 1)})
      for players, low, high in (
          (3, 114 - 39, 114 - 8), (4, 114 - 47, 114 - 10), (5, 114 - 35, 114 - 7), (6, 114 - 39, 114 - 8),
          (7, 114 - 30, 114 - 10 - 4), (8, 114 - 30, 114 - 10 - 4))),
    # troggu.exchange: the ten cards of the Tapp are worth 10 or more, and a trick of four cards 4 or more.
    ("troggu", 4, TAPPIST, "14, 110, 10|trickless tappist", {NO_TRICK: "13"}),
    # Ten discards, at most four Kings, 4 × 4 and 2 × 3: 42. In a solo the Tapp can hold all seven fives: 47.
    ("troggu", 4, TAPPIST, "42|trickless tappist, 114|trickless opponents",
     {WITHOUT_TRICK: "113|trickless opponents"}),
    ("troggu", 4, TAPPIST.replace("take", "solo"), "47|trickless tappist", {}),
    # troggu.call: a partner from seven players on.
    ("troggu", 6, f"{TAPPIST}58|partner ", "", {"not-for-seats": "B"}),
    *(("troggu", players, f"{TAPPIST}58|partner ", "B", {}) for players in (7, 8)),
    # grosstarock.card-points: 78 in all; for two (grosstarock.two-count) 27 to 79.
    ("grosstarock", 3, f"{COUNTED}points C ", "25", {SUM: "24, 26"}),
    ("grosstarock", 2, "last A|points B 13|points A ", "14, 66", {WITHOUT_REST: "13, 67"}),
    # grosstarock.king: 25 tricks.
    ("grosstarock", 3, f"{COUNTED}card T1 A won ", "1, 24", {BOUNDS: "0, 26", "last-trick-has-card": "25"}),
    # grosstarock.announce-bole, announce-null: before trick 20 and trick 13 at the latest.
    ("grosstarock", 3, f"{COUNTED}announce A ", "bole 1, bole 20, null 13", {BOUNDS: "bole 0"}),
    # There are 22 tarocks, and seven Kings with the trull. A seat that declares neither adds nothing.
    ("grosstarock", 3, f"{COUNTED}declare B tarocks:12|declare A tarocks:", "10, 10|declare C queens",
     {"too-many-tarocks": "11, 11|declare C queens"}),
    ("grosstarock", 3, f"{COUNTED}declare B kings:4|declare A kings:", "3, 3|declare C queens",
     {"too-many-kings": "4, 4|declare C queens"}),
    # The Sküs counts as a tarock and as a ladon, so a hand of 25 cards has 26 of both.
    ("grosstarock", 3, f"{COUNTED}declare A tarocks:10 ladons:", "16", {"not-in-one-hand": "17"}),
    # Without a trick the dealer has the three discards: Sküs, Pagat and a Queen are 14, less 2 in threes or
    # less 1 by twos. Another seat has nothing.
    ("grosstarock", 3, f"{KINGS}last A|bole A|points A ", "66|points B 0",
     {WITHOUT_TRICK: "65|points B 0, 77|points B 1"}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "players", "lines", "possible", "impossible"), LIMITS)
def test_a_score_sheet_at_the_edge_of_a_limit(
    game: str, players: int, lines: str, possible: str, impossible: dict[str, str]
) -> None:
    game, _, options = game.partition(" ")
    for reason, ends in {"": possible, **impossible}.items():
        for end in filter(None, ends.split(", ")):
            text = (lines + end).replace("|", "\n")
            if reason:
                assert reason in [found.reason for found in all_found(game, text, players, options)], text
            else:
                assert checked(game, text, players, options).verdict == "computed", text
