"""Each number in a clause about scoring, on both sides of its edge, on a score sheet and in the text of the
clause in every language; and the cards that each declaration needs.

A row of the table: the number of players, the clause, the smallest payment of its line, and the sheet.
"""

from __future__ import annotations

import re

import pytest

from tarock.core.cards import bits
from tarock.games.grosstarock.declarations import declarable, may_declare
from tarock.words.clauses import LANGUAGES, clause
from tests.engine.sheets import checked

#: Amount of a clause that has no line in the sheet.
NO_LINE = None
VARSAVA = "contract varsava\npoints A {}\npoints B 9\npoints C 8\npoints D 7"
FIRST = "contract first\nbidder A\npartner D\npoints bidder {}\n"
TROIKA = "contract troika\nlevel {}\nbidder A\npoints bidder 36"
TAKE = "contract take\ndeclarer A\npoints A {}"
TAPPIST = "contract {}\ntappist A\npoints tappist {}"
KINGS = "card SK B lost\ncard HK B lost\ncard DK B lost\ncard CK B lost\n"
THREE = KINGS + "last C\npoints A {}\npoints B 26\n"
ALL = KINGS + "last A\n"
NOTHING = KINGS + "last C\n"

ROWS = [
    # taroky.varsava-pay: 10 up to 29, 20 up to 39, 40 from 40 on; twice that to a player without a trick.
    (4, "taroky.varsava-pay", 10, VARSAVA.format(29)),
    (4, "taroky.varsava-pay", 20, VARSAVA.format(30)),
    (4, "taroky.varsava-pay", 20, VARSAVA.format(39)),
    (4, "taroky.varsava-pay", 40, VARSAVA.format(40)),
    # Two pay half of 10 each: 5 to each of the others.
    (4, "taroky.varsava-tie", 10, "contract varsava\npoints A 20\npoints B 20\npoints C 8\npoints D 7"),
    # taroky.game: each point above 35, at 1, 2, 3 or 6.
    (4, "taroky.game", 1, FIRST.format(36)),
    (4, "taroky.game", NO_LINE, FIRST.format(35)),
    (4, "taroky.game", 1, FIRST.format(34)),
    (4, "taroky.game", 1, TROIKA.format(1)),
    (4, "taroky.game", 2, TROIKA.format(2)),
    (4, "taroky.game", 3, TROIKA.format(3)),
    (4, "taroky.game", 6, "contract solo\nbidder A\npoints bidder 36"),
    (4, "taroky.game-tie", 1, FIRST.format(35)),
    (4, "taroky.game-tie", 8, FIRST.format(35) + "double game sub"),
    (4, "taroky.surrender", 10, "contract first\nbidder A\nsurrendered"),
    (4, "taroky.pagat-ultimo", 10, FIRST.format(36) + "pagat silent A made"),
    (4, "taroky.pagat-announced", 20, FIRST.format(36) + "pagat announced A made"),
    (4, "taroky.valat", 70, FIRST.format(63) + "tricks bidder"),
    (4, "taroky.valat-announced", 140, FIRST.format(36) + "valat A failed"),
    (4, "taroky.hand-taroky", 10, FIRST.format(36) + "hand A taroky"),
    (4, "taroky.hand-tarocky", 5, FIRST.format(36) + "hand A tarocky"),
    (4, "taroky.hand-barvy", 10, FIRST.format(36) + "hand A barvy"),
    (4, "taroky.hand-barvicky", 5, FIRST.format(36) + "hand A barvicky"),
    (4, "taroky.hand-trul", 5, FIRST.format(36) + "hand A trul"),
    (4, "taroky.hand-honery", 5, FIRST.format(36) + "hand A honery"),
    (4, "taroky.hand-kralovske-honery", 10, FIRST.format(36) + "hand A kralovske-honery"),
    # strohmann.game: 45, 36 and 27.
    (2, "strohmann.game", 4, TAKE.format(45)),
    (2, "strohmann.game", 3, TAKE.format(44)),
    (2, "strohmann.game", 3, TAKE.format(36)),
    (2, "strohmann.game", 4, TAKE.format(35)),
    (2, "strohmann.game", 4, TAKE.format(27)),
    (2, "strohmann.game", 5, TAKE.format(26)),
    (2, "strohmann.game-undeclared", 2, "contract undeclared\npoints A 36"),
    (2, "strohmann.game-undeclared", 0, "contract undeclared\npoints A 35"),
    (2, "strohmann.valat", 12, TAKE.format(70) + "\ntricks A"),
    (2, "strohmann.pagat-ultimo", 1, TAKE.format(36) + "\npagat A"),
    (2, "strohmann.uhu", 1, TAKE.format(36) + "\nuhu A"),
    (2, "strohmann.kakadu", 1, TAKE.format(36) + "\nkakadu A"),
    (2, "strohmann.rostopschin", 1, TAKE.format(36) + "\nrostopschin A"),
    # troggu.game: 58 win, 57 draw, 56 lose; 30 points or fewer cost 2, no trick 3.
    (4, "troggu.game", 1, TAPPIST.format("take", 58)),
    (4, "troggu.game", 0, TAPPIST.format("take", 57)),
    (4, "troggu.game", 1, TAPPIST.format("take", 56)),
    (4, "troggu.game", 1, TAPPIST.format("take", 83)),
    (4, "troggu.game", 2, TAPPIST.format("take", 84)),
    (4, "troggu.game", 2, TAPPIST.format("take", 30)),
    (4, "troggu.game", 1, TAPPIST.format("take", 31)),
    (4, "troggu.game", 3, TAPPIST.format("take", 114) + "\ntrickless opponents"),
    (4, "troggu.solo", 2, TAPPIST.format("solo", 58)),
    (4, "troggu.solo", 4, TAPPIST.format("solo", 84)),
    (4, "troggu.solo", 6, TAPPIST.format("solo", 114) + "\ntrickless opponents"),
    (4, "troggu.misere", 1, "contract misere\npoints A 20\npoints B 25\npoints C 30\npoints D 20"),
    # grosstarock: 26 on average; the trick of an announcement sets its price.
    (3, "grosstarock.card-points", 1, THREE.format(27)),
    (3, "grosstarock.card-points", 1, THREE.format(25)),
    (3, "grosstarock.last-trick", 5, THREE.format(27)),
    (3, "grosstarock.king", 5, THREE.format(27)),
    (
        3,
        "grosstarock.king-ultimo",
        10,
        "card SK C won 25\n" + KINGS.partition("\n")[2] + "points A 27\npoints B 26",
    ),
    (3, "grosstarock.pagat", 5, THREE.format(27) + "card T1 A won"),
    (3, "grosstarock.pagat-ultimo", 15, KINGS + "card T1 C won 25\npoints A 27\npoints B 26"),
    (3, "grosstarock.bole", 26, ALL + "bole A"),
    (3, "grosstarock.bole", 52, ALL + "bole A\nannounce A bole 1"),
    (3, "grosstarock.bole", 38, ALL + "bole A\nannounce A bole 2"),
    (3, "grosstarock.bole", 38, ALL + "bole A\nannounce A bole 13"),
    (3, "grosstarock.bole", 31, ALL + "bole A\nannounce A bole 14"),
    (3, "grosstarock.bole", 31, ALL + "bole A\nannounce A bole 20"),
    (3, "grosstarock.null", 26, NOTHING + "null A"),
    (3, "grosstarock.null", 36, NOTHING + "null A\nannounce A null 1"),
    (3, "grosstarock.null", 31, NOTHING + "null A\nannounce A null 2"),
    (3, "grosstarock.null", 31, NOTHING + "null A\nannounce A null 13"),
    (3, "grosstarock.null", 10, THREE.format(27) + "announce A null 1"),
    (3, "grosstarock.null", 5, THREE.format(27) + "announce A null 2"),
    (3, "grosstarock.declare-tarocks", 10, THREE.format(27) + "declare A tarocks:10"),
    (3, "grosstarock.declare-tarocks", 15, THREE.format(27) + "declare A tarocks:11"),
    (3, "grosstarock.declare-matadors", 10, THREE.format(27) + "declare A matadors:3"),
    (3, "grosstarock.declare-matadors", 15, THREE.format(27) + "declare A matadors:4"),
    (3, "grosstarock.declare-skus-matadors", 15, THREE.format(27) + "declare A skus-matadors:5"),
    (3, "grosstarock.declare-kings", 5, THREE.format(27) + "declare A kings:3"),
    (3, "grosstarock.declare-kings", 10, THREE.format(27) + "declare A kings:4"),
    (3, "grosstarock.declare-ladons", 15, THREE.format(27) + "declare A ladons:16"),
    (3, "grosstarock.declare-ladons", 20, THREE.format(27) + "declare A ladons:17"),
    (3, "grosstarock.declare-cavallery", 10, THREE.format(27) + "declare A cavallery:S"),
    (3, "grosstarock.declare-half-cavallery", 5, THREE.format(27) + "declare A half-cavallery:S"),
    (3, "grosstarock.declare-four", 5, THREE.format(27) + "declare A queens"),
    (2, "grosstarock.two-tout", 25, "tout A\npoints A 60\npoints B 0"),
]


def amounts(players: int, slug: str, lines: str) -> set[int]:
    """Return the sizes of the smallest payments on the lines with a clause."""
    result = checked(slug.partition(".")[0], lines, players)
    assert result.verdict == "computed", result.errors
    found = [line.points for line in result.lines if line.clause == slug]
    return {min(map(abs, filter(None, points.values())), default=0) for points in found}


@pytest.mark.parametrize(("players", "slug", "amount", "lines"), ROWS, ids=[f"{r[1]}-{r[2]}" for r in ROWS])
def test_a_number_of_a_clause(players: int, slug: str, amount: int | None, lines: str) -> None:
    assert amounts(players, slug, lines) == (set() if amount is NO_LINE else {amount})


#: Numbers in the texts: those of the rows, and the edges between them.
IN_TEXTS = {
    "taroky.varsava-pay": {10, 20, 29, 30, 39, 40},
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
    "strohmann.game": {45, 4, 36, 44, 3, 27, 35, 26, 5},
    "strohmann.game-undeclared": {36, 2, 35},
    "strohmann.valat": {12, 27},
    "strohmann.pagat-ultimo": {1},
    "strohmann.rostopschin": {1},
    "troggu.game": {58, 56, 57, 1, 2, 3, 30},
    "troggu.solo": {2, 4, 6, 30},
    "troggu.misere": {1},
    "troggu.card-points": {114},
    "grosstarock.card-points": {78, 26},
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


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", IN_TEXTS)
def test_the_text_of_a_clause_has_its_numbers(slug: str, language: str) -> None:
    found = set(map(int, re.findall(r"\d+", str(clause(slug, language).text))))
    assert IN_TEXTS[slug] <= found
    paid = {amount for _, of, amount, lines in ROWS if of == slug and amount and "double" not in lines}
    assert paid <= found | {amount for amount in paid if amount - 5 in found}, "5 more for each further card"


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
    ("S1-S10 H1-H6", ["ladons:16"]),
    ("S1-S10 H1-H5", []),
    ("S1-S10 H1-H5 T0", ["ladons:16"]),
    ("S1-S10 H1-H6 T0", ["ladons:17", "ladons:16"]),
]


@pytest.mark.parametrize(("hand", "items"), OFFERED, ids=[row[0] for row in OFFERED])
def test_grosstarock_declare_offers_what_a_hand_has(hand: str, items: list[str]) -> None:
    cards: list[str] = []
    for word in hand.split():
        first, _, last = word.partition("-")
        low, high = sorted((int(first[1:] or 0), int(last[1:]))) if last else (0, 0)
        cards += [f"{first[0]}{n}" for n in range(low, high + 1)] if last else [first]
    found = declarable(bits(cards))
    assert sorted(found) == sorted(items)
    known = bits(cards)
    assert set(items) <= set(may_declare(known, known, known.bit_count())), "a hand with nothing unknown"
