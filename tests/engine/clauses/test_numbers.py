"""Each number in a clause about scoring, on both sides of its edge, on a score sheet and in the text of the
clause in every language; and the cards that each declaration needs.

A row of the table: the number of players, the clause, the smallest payment of its line, the sheet, and the
calculation that pages show.
"""

from __future__ import annotations

import re

import pytest

from tarock.core.cards import bits
from tarock.core.scoring import ScoreLine
from tarock.games.grosstarock.declarations import NUMBERED, declarable, may_declare
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES, clause
from tarock.words.sentences import Names
from tests.engine.builder import cards
from tests.engine.sheets import checked

#: Amount of a clause that has no line in the sheet.
NO_LINE = None
VARSAVA = "contract varsava\npoints A {}\npoints B 9\npoints C 8\npoints D 7"
TRICKLESS = "contract varsava\npoints {}\npoints B 0\npoints C {}\npoints D {}\ntrickless {}"
FIRST = "contract first\nbidder A\npartner D\npoints bidder {}\n"
TROIKA = "contract troika\nlevel {}\nbidder A\npoints bidder 36"
TAKE = "contract take\ndeclarer A\npoints A {}"
TAPPIST = "contract {}\ntappist A\npoints tappist {}"
KINGS = "card SK B lost\ncard HK B lost\ncard DK B lost\ncard CK B lost\n"
WON = "card SK B won\ncard HK B {}\ncard DK B lost\ncard CK B lost\nlast C"
THREE = KINGS + "last C\npoints A {}\npoints B 26\n"
ALL = KINGS + "last A\n"
NOTHING = KINGS + "last C\n"

ROWS = [
    # taroky.varsava-pay: 10 up to 29, 20 up to 39, 40 from 40 on; twice that to a player without a trick.
    (
        4,
        "taroky.varsava-pay",
        10,
        VARSAVA.format(29),
        "A has the most points, 29, and pays; 10 to each of the others",
    ),
    (
        4,
        "taroky.varsava-pay",
        20,
        VARSAVA.format(30),
        "A has the most points, 30, and pays; 20 to each of the others",
    ),
    (
        4,
        "taroky.varsava-pay",
        20,
        VARSAVA.format(39),
        "A has the most points, 39, and pays; 20 to each of the others",
    ),
    (
        4,
        "taroky.varsava-pay",
        40,
        VARSAVA.format(40),
        "A has the most points, 40, and pays; 40 to each of the others",
    ),
    (
        4,
        "taroky.varsava-pay",
        10,
        TRICKLESS.format("A 29", 9, 9, "B"),
        "A has the most points, 29, and pays; 10 to each of the others who took a trick; "
        "20 to B, who took no trick",
    ),
    (
        4,
        "taroky.varsava-pay",
        80,
        TRICKLESS.format("A 60", 0, 0, "B C D"),
        "A has the most points, 60, and pays; 80 to each of the others: nobody else took a trick",
    ),
    # Two pay half of 10 each: 5 to each of the others.
    (
        4,
        "taroky.varsava-tie",
        10,
        "contract varsava\npoints A 20\npoints B 20\npoints C 8\npoints D 7",
        "A and B tie for the most points, 20, and share what is paid; 10 to each of the others",
    ),
    # taroky.game: each point above 35, at 1, 2, 3 or 6.
    (4, "taroky.game", 1, FIRST.format(36), "bidder’s side: 36 − 35 = 1"),
    (4, "taroky.game", NO_LINE, FIRST.format(35), ""),
    (4, "taroky.game", 1, FIRST.format(34), "opponents: 36 − 35 = 1"),
    (4, "taroky.game", 1, TROIKA.format(1), "bidder’s side: 36 − 35 = 1"),
    (4, "taroky.game", 2, TROIKA.format(2), "bidder’s side: (36 − 35) × 2 = 2"),
    (4, "taroky.game", 3, TROIKA.format(3), "bidder’s side: (36 − 35) × 3 = 3"),
    (4, "taroky.game", 6, "contract solo\nbidder A\npoints bidder 36", "bidder’s side: (36 − 35) × 6 = 6"),
    (4, "taroky.game-tie", 1, FIRST.format(35), "35 to 35: 1 to the opponents"),
    (
        4,
        "taroky.game-tie",
        8,
        FIRST.format(35) + "double game sub",
        "35 to 35: 1 to the opponents; 1 × 8 = 8",
    ),
    (
        4,
        "taroky.surrender",
        10,
        "contract first\nbidder A\nsurrendered",
        "A surrenders and pays 10 to each of the others",
    ),
    (
        4,
        "taroky.pagat-ultimo",
        10,
        FIRST.format(36) + "pagat silent A made",
        "A won the last trick with T1: 10 to the bidder’s side",
    ),
    (
        4,
        "taroky.pagat-announced",
        20,
        FIRST.format(36) + "pagat announced A made",
        "A announced the pagat and won the last trick with it: 20 to the bidder’s side",
    ),
    (
        4,
        "taroky.valat",
        70,
        FIRST.format(63) + "tricks bidder",
        "bidder’s side: all 12 tricks, without announcing it: 70",
    ),
    (
        4,
        "taroky.valat-announced",
        140,
        FIRST.format(36) + "valat A failed",
        "A announced the valat, but not every trick was taken: 140 to the opponents",
    ),
    (
        4,
        "taroky.valat-announced",
        280,
        FIRST.format(36) + "valat A failed\ndouble valat flek B",
        "A announced the valat, but not every trick was taken: 140 to the opponents; 140 × 2 = 280",
    ),
    (4, "taroky.hand-taroky", 10, FIRST.format(36) + "hand A taroky", "A declares taroky, worth 10"),
    (4, "taroky.hand-tarocky", 5, FIRST.format(36) + "hand A tarocky", "A declares tarocky, worth 5"),
    (4, "taroky.hand-barvy", 10, FIRST.format(36) + "hand A barvy", "A declares barvy, worth 10"),
    (4, "taroky.hand-barvicky", 5, FIRST.format(36) + "hand A barvicky", "A declares barvicky, worth 5"),
    (4, "taroky.hand-trul", 5, FIRST.format(36) + "hand A trul", "A declares trul, worth 5"),
    (4, "taroky.hand-honery", 5, FIRST.format(36) + "hand A honery", "A declares honery, worth 5"),
    (
        4,
        "taroky.hand-kralovske-honery",
        10,
        FIRST.format(36) + "hand A kralovske-honery",
        "A declares kralovske-honery, worth 10",
    ),
    # strohmann.game: 45, 36 and 27.
    (2, "strohmann.game", 4, TAKE.format(45), "A declared and has 45 card points, 45 or more: 4 to A"),
    (2, "strohmann.game", 3, TAKE.format(44), "A declared and has 44 card points, 36 to 44: 3 to A"),
    (2, "strohmann.game", 3, TAKE.format(36), "A declared and has 36 card points, 36 to 44: 3 to A"),
    (2, "strohmann.game", 4, TAKE.format(35), "A declared and has 35 card points, 27 to 35: 4 to B"),
    (2, "strohmann.game", 4, TAKE.format(27), "A declared and has 27 card points, 27 to 35: 4 to B"),
    (2, "strohmann.game", 5, TAKE.format(26), "A declared and has 26 card points, 26 or fewer: 5 to B"),
    (
        2,
        "strohmann.game-undeclared",
        2,
        "contract undeclared\npoints A 36",
        "A has 36 card points, 36 or more without a declarer: 2",
    ),
    (
        2,
        "strohmann.game-undeclared",
        0,
        "contract undeclared\npoints A 35",
        "35 to 35 without a declarer: nothing",
    ),
    (2, "strohmann.valat", 12, TAKE.format(70) + "\ntricks A", "A takes all 27 tricks: 12"),
    (2, "strohmann.pagat-ultimo", 1, TAKE.format(36) + "\npagat A", "T1 in trick 27, won by A: 1"),
    (2, "strohmann.uhu", 1, TAKE.format(36) + "\nuhu A", "T2 in trick 26, won by A: 1"),
    (2, "strohmann.kakadu", 1, TAKE.format(36) + "\nkakadu A", "T3 in trick 25, won by A: 1"),
    (
        2,
        "strohmann.rostopschin",
        1,
        TAKE.format(36) + "\nrostopschin A",
        "A called and won T17 and T18, one after the other: 1",
    ),
    (
        2,
        "strohmann.rostopschin",
        1,
        TAKE.format(36) + "\nrostopschin A 4",
        "T17 and T18 called and won in tricks 4 and 5: 1",
    ),
    # troggu.game: 58 win, 57 draw, 56 lose; 30 points or fewer cost 2, no trick 3.
    (
        4,
        "troggu.game",
        1,
        TAPPIST.format("take", 58),
        "58 to 56, the losing side has 56 points: 1 chip; each of the 3 opponents pays 1 chip",
    ),
    (4, "troggu.game", 0, TAPPIST.format("take", 57), "57 to 57: a draw, nothing is paid"),
    (
        4,
        "troggu.game",
        1,
        TAPPIST.format("take", 56),
        "56 to 58, the losing side has 56 points: 1 chip; each of the 3 opponents gets 1 chip",
    ),
    (
        4,
        "troggu.game",
        1,
        TAPPIST.format("take", 83),
        "83 to 31, the losing side has 31 points: 1 chip; each of the 3 opponents pays 1 chip",
    ),
    (
        4,
        "troggu.game",
        2,
        TAPPIST.format("take", 84),
        "84 to 30, the losing side has 30 points, 30 or fewer: 2 chips; each of the 3 opponents pays 2 chips",
    ),
    (
        4,
        "troggu.game",
        2,
        TAPPIST.format("take", 30),
        "30 to 84, the losing side has 30 points, 30 or fewer: 2 chips; each of the 3 opponents gets 2 chips",
    ),
    (
        4,
        "troggu.game",
        1,
        TAPPIST.format("take", 31),
        "31 to 83, the losing side has 31 points: 1 chip; each of the 3 opponents gets 1 chip",
    ),
    (
        4,
        "troggu.game",
        3,
        TAPPIST.format("take", 114) + "\ntrickless opponents",
        "114 to 0, the losing side has no trick: 3 chips; each of the 3 opponents pays 3 chips",
    ),
    (
        4,
        "troggu.solo",
        2,
        TAPPIST.format("solo", 58),
        "58 to 56, the losing side has 56 points: 1 chip; 1 × 2 = 2 (solo); "
        "each of the 3 opponents pays 2 chips",
    ),
    (
        4,
        "troggu.solo",
        4,
        TAPPIST.format("solo", 84),
        "84 to 30, the losing side has 30 points, 30 or fewer: 2 chips; 2 × 2 = 4 (solo); "
        "each of the 3 opponents pays 4 chips",
    ),
    (
        4,
        "troggu.solo",
        6,
        TAPPIST.format("solo", 114) + "\ntrickless opponents",
        "114 to 0, the losing side has no trick: 3 chips; 3 × 2 = 6 (solo); "
        "each of the 3 opponents pays 6 chips",
    ),
    (
        4,
        "troggu.misere",
        1,
        "contract misere\npoints A 20\npoints B 25\npoints C 30\npoints D 20",
        "C has the most points, 30, and pays 1 to each of the 3 others",
    ),
    # troggu.partner-split: the partner has the payments of two opponents, the Tappist those of the others,
    # 5 - 2 = 3 or 6 - 2 = 4.
    (
        7,
        "troggu.partner-split",
        1,
        TAPPIST.format("take", 58) + "\npartner B",
        "58 to 56, the losing side has 56 points: 1 chip; each of the 5 opponents pays 1 chip; "
        "of this the partner, B, gets 2 × 1 and the Tappist, A, 3 × 1",
    ),
    (
        7,
        "troggu.partner-split",
        0,
        TAPPIST.format("take", 57) + "\npartner B",
        "57 to 57: a draw, nothing is paid",
    ),
    (
        8,
        "troggu.partner-split",
        2,
        TAPPIST.format("take", 30) + "\npartner B",
        "30 to 84, the losing side has 30 points, 30 or fewer: 2 chips; "
        "each of the 6 opponents gets 2 chips; of this the partner, B, pays 2 × 2 and the Tappist, A, 4 × 2",
    ),
    # grosstarock: 26 on average; the trick of an announcement sets its price.
    (3, "grosstarock.card-points", 1, THREE.format(27), "card points (A 27, B 26, C 25), less 26 each"),
    (3, "grosstarock.card-points", 1, THREE.format(25), "card points (A 25, B 26, C 27), less 26 each"),
    (
        3,
        "grosstarock.last-trick",
        5,
        THREE.format(27),
        "the last trick holds neither Pagat nor King; C wins it: 5 from each",
    ),
    (3, "grosstarock.king", 5, THREE.format(27), "B plays SK and loses the trick: pays 5 to each"),
    (
        3,
        "grosstarock.king-ultimo",
        10,
        "card SK C won 25\n" + KINGS.partition("\n")[2] + "points A 27\npoints B 26",
        "C plays SK in the last trick and wins it: gets 10 from each",
    ),
    (
        3,
        "grosstarock.pagat",
        5,
        THREE.format(27) + "card T1 A won",
        "A plays T1 and wins the trick: gets 5 from each",
    ),
    (
        3,
        "grosstarock.pagat-ultimo",
        15,
        KINGS + "card T1 C won 25\npoints A 27\npoints B 26",
        "C plays T1 in the last trick and wins it: gets 15 from each",
    ),
    # grosstarock.null-refund: the player of the null gets back what the won card of another has cost.
    (3, "grosstarock.null-refund", NO_LINE, "null A\n" + NOTHING, ""),
    (3, "grosstarock.null-refund", 5, "null A\n" + WON.format("lost"), "A is paid back 5"),
    (3, "grosstarock.null-refund", 10, "null A\n" + WON.format("won"), "A is paid back 5 + 5 = 10"),
    (3, "grosstarock.bole", 26, ALL + "bole A", "A makes bolé without announcing it: 26 from each"),
    (
        3,
        "grosstarock.bole",
        52,
        ALL + "bole A\nannounce A bole 1",
        "A announces bolé before trick 1 and makes it: gets 52 from each",
    ),
    (
        3,
        "grosstarock.bole",
        38,
        ALL + "bole A\nannounce A bole 2",
        "A announces bolé before trick 2 and makes it: gets 38 from each",
    ),
    (
        3,
        "grosstarock.bole",
        38,
        ALL + "bole A\nannounce A bole 13",
        "A announces bolé before trick 13 and makes it: gets 38 from each",
    ),
    (
        3,
        "grosstarock.bole",
        31,
        ALL + "bole A\nannounce A bole 14",
        "A announces bolé before trick 14 and makes it: gets 31 from each",
    ),
    (
        3,
        "grosstarock.bole",
        31,
        ALL + "bole A\nannounce A bole 20",
        "A announces bolé before trick 20 and makes it: gets 31 from each",
    ),
    (3, "grosstarock.null", 26, NOTHING + "null A", "A makes null without announcing it: 26 from each"),
    (
        3,
        "grosstarock.null",
        36,
        NOTHING + "null A\nannounce A null 1",
        "A announces null before trick 1 and makes it: gets 36 from each",
    ),
    (
        3,
        "grosstarock.null",
        31,
        NOTHING + "null A\nannounce A null 2",
        "A announces null before trick 2 and makes it: gets 31 from each",
    ),
    (
        3,
        "grosstarock.null",
        31,
        NOTHING + "null A\nannounce A null 13",
        "A announces null before trick 13 and makes it: gets 31 from each",
    ),
    (
        3,
        "grosstarock.null",
        10,
        THREE.format(27) + "announce A null 1",
        "A announces null before trick 1 and fails: pays 10 to each",
    ),
    (
        3,
        "grosstarock.null",
        5,
        THREE.format(27) + "announce A null 2",
        "A announces null before trick 2 and fails: pays 5 to each",
    ),
    (
        3,
        "grosstarock.declare-tarocks",
        10,
        THREE.format(27) + "declare A tarocks:10",
        "A declares tarocks:10 and gets 10 from each",
    ),
    (
        3,
        "grosstarock.declare-tarocks",
        15,
        THREE.format(27) + "declare A tarocks:11",
        "A declares tarocks:11 and gets 15 from each",
    ),
    (
        3,
        "grosstarock.declare-matadors",
        10,
        THREE.format(27) + "declare A matadors:3",
        "A declares matadors:3 and gets 10 from each",
    ),
    (
        3,
        "grosstarock.declare-matadors",
        15,
        THREE.format(27) + "declare A matadors:4",
        "A declares matadors:4 and gets 15 from each",
    ),
    (
        3,
        "grosstarock.declare-skus-matadors",
        15,
        THREE.format(27) + "declare A skus-matadors:5",
        "A declares skus-matadors:5 and gets 15 from each",
    ),
    (
        3,
        "grosstarock.declare-kings",
        5,
        THREE.format(27) + "declare A kings:3",
        "A declares kings:3 and gets 5 from each",
    ),
    (
        3,
        "grosstarock.declare-kings",
        10,
        THREE.format(27) + "declare A kings:4",
        "A declares kings:4 and gets 10 from each",
    ),
    (
        3,
        "grosstarock.declare-ladons",
        15,
        THREE.format(27) + "declare A ladons:16",
        "A declares ladons:16 and gets 15 from each",
    ),
    (
        3,
        "grosstarock.declare-ladons",
        20,
        THREE.format(27) + "declare A ladons:17",
        "A declares ladons:17 and gets 20 from each",
    ),
    (
        3,
        "grosstarock.declare-cavallery",
        10,
        THREE.format(27) + "declare A cavallery:S",
        "A declares cavallery:S and gets 10 from each",
    ),
    (
        3,
        "grosstarock.declare-half-cavallery",
        5,
        THREE.format(27) + "declare A half-cavallery:S",
        "A declares half-cavallery:S and gets 5 from each",
    ),
    (
        3,
        "grosstarock.declare-four",
        5,
        THREE.format(27) + "declare A queens",
        "A declares queens and gets 5 from each",
    ),
    (
        2,
        "grosstarock.two-tout",
        25,
        "tout A\npoints A 60\npoints B 0",
        "A takes all 25 tricks: 25 to the account",
    ),
]


def lines_of(players: int, slug: str, lines: str) -> list[ScoreLine]:
    """Return the score lines that cite a clause."""
    result = checked(slug.partition(".")[0], lines, players)
    assert result.verdict == "computed", result.errors
    return [line for line in result.lines if line.clause == slug]


@pytest.mark.parametrize(
    ("players", "slug", "amount", "lines", "sentence"), ROWS, ids=[f"{r[1]}-{r[2]}" for r in ROWS]
)
def test_a_number_of_a_clause(players: int, slug: str, amount: int | None, lines: str, sentence: str) -> None:
    found = lines_of(players, slug, lines)
    assert bool(found) == (amount is not NO_LINE)
    for line in found:
        assert min(map(abs, filter(None, line.points.values())), default=0) == amount
    # Several Kings have a line each.
    assert [sentences.line(line, Names(slug.partition(".")[0], "en")) for line in found[:1]] == [
        sentence
    ] * bool(found)


@pytest.mark.parametrize(
    ("players", "slug", "lines"),
    [
        (4, "troggu.misere", "contract misere\npoints A 20\npoints B 25\npoints C 30\npoints D 20"),
        (3, "grosstarock.card-points", THREE.format(27)),
        (2, "grosstarock.two-count", "last A\npoints A 40\npoints B 20"),
    ],
)
def test_a_stake_of_two_is_named_and_one_is_not(players: int, slug: str, lines: str) -> None:
    game = slug.partition(".")[0]
    for options, named in (("", False), ("stake=2", True)):
        (line,) = [one for one in checked(game, lines, players, options).lines if one.clause == slug]
        assert ("times the stake of 2" in sentences.line(line, Names(game, "en"))) == named


#: Numbers in the texts: those of the rows, and the edges between them.
IN_TEXTS = {
    "taroky.card-points": {70, 5, 4, 3, 2, 1},
    "taroky.varsava-pay": {10, 20, 29, 30, 39, 40},
    "taroky.varsava-tie": {10, 4, 3, 20, 7, 6, 5},
    "taroky.game-tie": {35, 1, 2, 4, 8},
    "taroky.game": {1, 2, 3, 6, 35},
    "taroky.surrender": {10},
    "taroky.pagat-ultimo": {10},
    "taroky.pagat-announced": {20},
    "taroky.valat": {70},
    "taroky.valat-announced": {140},
    "taroky.hand-taroky": {10},
    "taroky.hand-tarocky": {5},
    "taroky.hand-barvy": {10},
    "taroky.hand-barvicky": {5},
    "taroky.hand-trul": {5},
    "taroky.hand-honery": {5},
    "taroky.hand-kralovske-honery": {10},
    "strohmann.card-points": {70, 5, 4, 3, 2, 1},
    "strohmann.game": {45, 4, 36, 44, 3, 27, 35, 26, 5},
    "strohmann.game-undeclared": {36, 2, 35},
    "strohmann.valat": {12, 27},
    "strohmann.pagat-ultimo": {1},
    "strohmann.rostopschin": {1},
    "troggu.deal": {3, 8, 18, 4, 10, 13, 5, 7, 11, 6, 9},
    "troggu.partner-split": {57, 2, 12, 4, 8},
    "troggu.game": {58, 56, 57, 1, 2, 3, 30},
    "troggu.solo": {2, 4, 6, 30},
    "troggu.misere": {1},
    "troggu.card-points": {114, 5, 4, 3, 2, 1},
    "grosstarock.card-points": {78, 26, 5, 4, 3, 2, 1},
    "grosstarock.two-count": {26, 53, 27},
    "grosstarock.null-refund": {15, 10},
    "grosstarock.bole": {25, 26, 52, 38, 31},
    "grosstarock.null": {26, 36, 31, 10, 5},
    "grosstarock.king": {5},
    "grosstarock.king-ultimo": {10},
    "grosstarock.pagat": {5},
    "grosstarock.pagat-ultimo": {15},
    "grosstarock.last-trick": {5},
    "grosstarock.declare-tarocks": {10, 5},
    "grosstarock.declare-matadors": {10, 5},
    "grosstarock.declare-skus-matadors": {5},
    "grosstarock.declare-kings": {5},
    "grosstarock.declare-ladons": {15, 5},
    "grosstarock.declare-cavallery": {10},
    "grosstarock.declare-half-cavallery": {5},
    "grosstarock.declare-four": {5},
    "grosstarock.two-tout": {25},
}

#: Clauses that pass on the amounts of other clauses.
PASSED_ON = {"troggu.partner-split", "grosstarock.null-refund"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", IN_TEXTS)
def test_the_text_of_a_clause_has_its_numbers(slug: str, language: str) -> None:
    found = set(map(int, re.findall(r"\d+", str(clause(slug, language).text))))
    assert IN_TEXTS[slug] <= found
    paid = {amount for _, of, amount, lines, _said in ROWS if of == slug and amount and "double" not in lines}
    assert slug in PASSED_ON or paid <= found | {amount for amount in paid if amount - 5 in found}, (
        "5 more for each further card"
    )


#: The declarations that a hand may make, at the least cards for each, and with one card less.
OFFERED = [
    ("T19-T10", ["tarocks:10"]),
    ("T19-T11", []),
    ("T0 T21 T1", ["matadors:3", "kings:3"]),
    ("T0 T21", []),
    ("T0 T21 T19 T1", ["skus-matadors:5", "matadors:3", "kings:3"]),
    ("SK HK DK", ["kings:3"]),
    ("SK HK", []),
    ("HK HQ HC HJ", ["cavallery:H"]),
    ("HK HQ HC T0", ["half-cavallery:H"]),
    ("HK HQ T0", []),
    ("HQ HC HJ T0", []),
    ("HK HQ HC", []),
    ("SQ HQ DQ CQ", ["queens"]),
    ("SQ HQ DQ", []),
    ("S10-S1 H1-H6", ["ladons:16"]),
    ("S10-S1 H1-H5", []),
    ("S10-S1 H1-H5 T0", ["ladons:16"]),
    ("S10-S1 H1-H6 T0", ["ladons:17", "ladons:16"]),
]


@pytest.mark.parametrize(("hand", "items"), OFFERED, ids=[row[0] for row in OFFERED])
def test_grosstarock_declare_offers_what_a_hand_has(hand: str, items: list[str]) -> None:
    held = bits(cards(hand))
    assert sorted(declarable(held)) == sorted(items)
    assert set(items) <= set(may_declare(held, held, held.bit_count())), "a hand with nothing unknown"


@pytest.mark.parametrize("hand", ["T0 T21 T20", "T0 T1 T2", "T21-T1"])
def test_without_the_whole_trull_no_tarock_is_a_matador(hand: str) -> None:
    held = bits(cards(hand))
    assert [NUMBERED[name].count(held) for name in ("matadors", "skus-matadors")] == [0, 0]


SKUS_MATADORS = [f"skus-matadors:{number}" for number in range(22, 2, -1)]
#: Known cards of a hand, further cards that it may hold, its size, and what it may be able to declare.
POSSIBLE = [
    ("T19-T11", "T10 T9 T8", 10, ["tarocks:10"]),
    ("T19-T11", "T10 T9 T8", 11, ["tarocks:11", "tarocks:10"]),
    ("T0", "T21 T1", 3, ["matadors:3", *SKUS_MATADORS, "kings:3"]),
    ("T0", "T21 T2", 3, []),
    ("HK", "T0 HQ", 3, []),
    ("HK", "T0 HQ HC", 4, ["half-cavallery:H"]),
    ("HK", "T0 HQ HC HJ", 5, ["cavallery:H", "half-cavallery:H"]),
    ("HK HQ HC HJ", "T0", 5, ["cavallery:H"]),
    ("SQ HQ", "DQ CQ", 4, ["queens"]),
    ("SQ HQ", "DQ", 4, []),
    ("S10-S1 H1-H5", "H6 T0", 16, ["ladons:16"]),
]


@pytest.mark.parametrize(("hand", "more", "size", "items"), POSSIBLE)
def test_a_partly_unknown_hand_may_declare_what_its_other_cards_allow(
    hand: str, more: str, size: int, items: list[str]
) -> None:
    held = bits(cards(hand))
    assert may_declare(held, held | bits(cards(more)), size) == items
