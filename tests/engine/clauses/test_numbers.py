"""Each number in a clause about scoring, on both sides of its edge, on a score sheet and in the text of the
clause in every language; and the cards that each declaration needs.

A row: its name, the sheet, the clause with the smallest payment of its line, and the calculation that pages
show. `-`: the clause has no line.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any

import pytest

from tarock.core.cards import bits
from tarock.games.grosstarock.declarations import NUMBERED, declarable, may_declare
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES, clause
from tarock.words.sentences import Names
from tests.engine.builder import cards
from tests.engine.sheets import checked, rows

KINGS = "card SK B lost\ncard HK B lost\ncard DK B lost\ncard CK B lost\n"
BASES = {
    "VARSAVA": ("taroky", 4, "contract varsava\npoints A 29\npoints B 9\npoints C 8\npoints D 7"),
    "FIRST": ("taroky", 4, "contract first\nbidder A\npartner D\npoints bidder 36"),
    "TROIKA": ("taroky", 4, "contract troika\nlevel 1\nbidder A\npoints bidder 36"),
    "SOLO": ("taroky", 4, "contract solo\nbidder A\npoints bidder 36"),
    "SURRENDERED": ("taroky", 4, "contract first\nbidder A\nsurrendered"),
    "DECLARED": ("strohmann", 2, "contract take\ndeclarer A\npoints A 36"),
    "UNDECLARED": ("strohmann", 2, "contract undeclared\npoints A 36"),
    "TAPP": ("troggu", 4, "contract take\ntappist A\npoints tappist 58"),
    "SEVEN": ("troggu", 7, "contract take\ntappist A\npartner B\npoints tappist 58"),
    "EIGHT": ("troggu", 8, "contract take\ntappist A\npartner B\npoints tappist 30"),
    "MISERE": ("troggu", 4, "contract misere\npoints A 20\npoints B 25\npoints C 30\npoints D 20"),
    "COUNTED": ("grosstarock", 3, KINGS + "last C\npoints A 27\npoints B 26"),
    "BOLE": ("grosstarock", 3, KINGS + "last A\nbole A"),
    "NULL": ("grosstarock", 3, KINGS + "last C\nnull A"),
    "TOUT": ("grosstarock", 2, "tout A\npoints A 60\npoints B 0"),
    "TWO": ("grosstarock", 2, "last A\npoints A 40\npoints B 20"),
}
TABLE = """
# taroky.varsava-pay: 10 up to 29, 20 up to 39, 40 from 40 on; twice that to a player without a trick.
29 | VARSAVA | varsava-pay 10
    A has the most points, 29, and pays; 10 to each of the others
30 | VARSAVA; 29 > 30 | varsava-pay 20
    A has the most points, 30, and pays; 20 to each of the others
39 | VARSAVA; 29 > 39 | varsava-pay 20
    A has the most points, 39, and pays; 20 to each of the others
40 | VARSAVA; 29 > 40 | varsava-pay 40
    A has the most points, 40, and pays; 40 to each of the others
one without a trick | VARSAVA; B 9 > B 0; C 8 > C 9; D 7 > D 9; + trickless B | varsava-pay 10
    A has the most points, 29, and pays; 10 to each of the others who took a trick; 20 to B, who took no trick
three without a trick | VARSAVA; A 29 > A 60; B 9 > B 0; C 8 > C 0; D 7 > D 0; + trickless B C D | \
varsava-pay 80
    A has the most points, 60, and pays; 80 to each of the others: nobody else took a trick
# Two pay half of 10 each: 5 to each of the others.
two with the most | VARSAVA; A 29 > A 20; B 9 > B 20 | varsava-tie 10
    A and B tie for the most points, 20, and share what is paid; 10 to each of the others
# taroky.game: each point above 35, at 1, 2, 3 or 6.
36 | FIRST | game 1
    bidder’s side: 36 − 35 = 1
35 | FIRST; 36 > 35 | game -
34 | FIRST; 36 > 34 | game 1
    opponents: 36 − 35 = 1
level 1 | TROIKA | game 1
    bidder’s side: 36 − 35 = 1
level 2 | TROIKA; level 1 > level 2 | game 2
    bidder’s side: (36 − 35) × 2 = 2
level 3 | TROIKA; level 1 > level 3 | game 3
    bidder’s side: (36 − 35) × 3 = 3
solo | SOLO | game 6
    bidder’s side: (36 − 35) × 6 = 6
tie | FIRST; 36 > 35 | game-tie 1
    35 to 35: 1 to the opponents
doubled tie | FIRST; 36 > 35; + double game sub | game-tie 8
    35 to 35: 1 to the opponents; 1 × 8 = 8
surrender | SURRENDERED | surrender 10
    A surrenders and pays 10 to each of the others
silent pagat | FIRST; + pagat silent A made | pagat-ultimo 10
    A won the last trick with T1: 10 to the bidder’s side
announced pagat | FIRST; + pagat announced A made | pagat-announced 20
    A announced the pagat and won the last trick with it: 20 to the bidder’s side
silent valat | FIRST; 36 > 63; + tricks bidder | valat 70
    bidder’s side: all 12 tricks, without announcing it: 70
announced valat | FIRST; + valat A failed | valat-announced 140
    A announced the valat, but not every trick was taken: 140 to the opponents
doubled valat | FIRST; + valat A failed; + double valat flek B | valat-announced 280
    A announced the valat, but not every trick was taken: 140 to the opponents; 140 × 2 = 280
# strohmann.game: 45, 36 and 27.
45 | DECLARED; 36 > 45 | game 4
    A declared and has 45 card points, 45 or more: 4 to A
44 | DECLARED; 36 > 44 | game 3
    A declared and has 44 card points, 36 to 44: 3 to A
36 | DECLARED | game 3
    A declared and has 36 card points, 36 to 44: 3 to A
35 | DECLARED; 36 > 35 | game 4
    A declared and has 35 card points, 27 to 35: 4 to B
27 | DECLARED; 36 > 27 | game 4
    A declared and has 27 card points, 27 to 35: 4 to B
26 | DECLARED; 36 > 26 | game 5
    A declared and has 26 card points, 26 or fewer: 5 to B
undeclared | UNDECLARED | game-undeclared 2
    A has 36 card points, 36 or more without a declarer: 2
undeclared tie | UNDECLARED; 36 > 35 | game-undeclared 0
    35 to 35 without a declarer: nothing
valat | DECLARED; 36 > 70; + tricks A | valat 12
    A takes all 27 tricks: 12
pagat | DECLARED; + pagat A | pagat-ultimo 1
    T1 in trick 27, won by A: 1
uhu | DECLARED; + uhu A | uhu 1
    T2 in trick 26, won by A: 1
kakadu | DECLARED; + kakadu A | kakadu 1
    T3 in trick 25, won by A: 1
rostopschin | DECLARED; + rostopschin A | rostopschin 1
    A called and won T17 and T18, one after the other: 1
rostopschin in trick 4 | DECLARED; + rostopschin A 4 | rostopschin 1
    T17 and T18 called and won in tricks 4 and 5: 1
# troggu.game: 58 win, 57 draw, 56 lose; 30 points or fewer cost 2, no trick 3.
58 | TAPP | game 1
    58 to 56, the losing side has 56 points: 1 chip; each of the 3 opponents pays 1 chip
57 | TAPP; 58 > 57 | game 0
    57 to 57: a draw, nothing is paid
56 | TAPP; 58 > 56 | game 1
    56 to 58, the losing side has 56 points: 1 chip; each of the 3 opponents gets 1 chip
83 | TAPP; 58 > 83 | game 1
    83 to 31, the losing side has 31 points: 1 chip; each of the 3 opponents pays 1 chip
84 | TAPP; 58 > 84 | game 2
    84 to 30, the losing side has 30 points, 30 or fewer: 2 chips; each of the 3 opponents pays 2 chips
30 | TAPP; 58 > 30 | game 2
    30 to 84, the losing side has 30 points, 30 or fewer: 2 chips; each of the 3 opponents gets 2 chips
31 | TAPP; 58 > 31 | game 1
    31 to 83, the losing side has 31 points: 1 chip; each of the 3 opponents gets 1 chip
114 | TAPP; 58 > 114; + trickless opponents | game 3
    114 to 0, the losing side has no trick: 3 chips; each of the 3 opponents pays 3 chips
solo 58 | TAPP; take > solo | solo 2
    58 to 56, the losing side has 56 points: 1 chip; 1 × 2 = 2 (solo); each of the 3 opponents pays 2 chips
solo 84 | TAPP; take > solo; 58 > 84 | solo 4
    84 to 30, the losing side has 30 points, 30 or fewer: 2 chips; 2 × 2 = 4 (solo); \
each of the 3 opponents pays 4 chips
solo 114 | TAPP; take > solo; 58 > 114; + trickless opponents | solo 6
    114 to 0, the losing side has no trick: 3 chips; 3 × 2 = 6 (solo); each of the 3 opponents pays 6 chips
misere | MISERE | misere 1
    C has the most points, 30, and pays 1 to each of the 3 others
# troggu.partner-split: the partner has the payments of two opponents, the Tappist those of the others,
# 5 - 2 = 3 or 6 - 2 = 4.
seven | SEVEN | partner-split 1
    58 to 56, the losing side has 56 points: 1 chip; each of the 5 opponents pays 1 chip; \
of this the partner, B, gets 2 × 1 and the Tappist, A, 3 × 1
seven draw | SEVEN; 58 > 57 | partner-split 0
    57 to 57: a draw, nothing is paid
eight | EIGHT | partner-split 2
    30 to 84, the losing side has 30 points, 30 or fewer: 2 chips; each of the 6 opponents gets 2 chips; \
of this the partner, B, pays 2 × 2 and the Tappist, A, 4 × 2
# grosstarock: 26 on average; the trick of an announcement sets its price.
27 | COUNTED | card-points 1
    card points (A 27, B 26, C 25), less 26 each
25 | COUNTED; 27 > 25 | card-points 1
    card points (A 25, B 26, C 27), less 26 each
last trick | COUNTED | last-trick 5
    the last trick holds neither Pagat nor King; C wins it: 5 from each
King | COUNTED | king 5
    B plays SK and loses the trick: pays 5 to each
King at the end | COUNTED; SK B lost > SK C won 25; - last C | king-ultimo 10
    C plays SK in the last trick and wins it: gets 10 from each
Pagat | COUNTED; + card T1 A won | pagat 5
    A plays T1 and wins the trick: gets 5 from each
Pagat at the end | COUNTED; + card T1 C won 25; - last C | pagat-ultimo 15
    C plays T1 in the last trick and wins it: gets 15 from each
# grosstarock.null-refund: the player of the null gets back what the won card of another has cost.
no refund | NULL | null-refund -
one King | NULL; SK B lost > SK B won | null-refund 5
    A is paid back 5
two Kings | NULL; SK B lost > SK B won; HK B lost > HK B won | null-refund 10
    A is paid back 5 + 5 = 10
bole | BOLE | bole 26
    A makes bolé without announcing it: 26 from each
null | NULL | null 26
    A makes null without announcing it: 26 from each
tout | TOUT | two-tout 25
    A takes all 25 tricks: 25 to the account
"""
TABLE += "".join(
    f"hand | FIRST; + hand A {item} | hand-{item} {worth}\n    A declares {item}, worth {worth}\n"
    for worth, items in ((10, "taroky barvy kralovske-honery"), (5, "tarocky barvicky trul honery"))
    for item in items.split()
)
TABLE += "".join(
    f"announced {item} | {base}; + announce A {item} {trick} | {item} {amount}\n"
    f"    A announces {said} before trick {trick} and {end.format(amount)} each\n"
    for base, item, said, end, prices in (
        ("BOLE", "bole", "bolé", "makes it: gets {} from", "1 52, 2 38, 13 38, 14 31, 20 31"),
        ("NULL", "null", "null", "makes it: gets {} from", "1 36, 2 31, 13 31"),
        ("COUNTED", "null", "null", "fails: pays {} to", "1 10, 2 5"),
    )
    for trick, amount in map(str.split, prices.split(", "))
)
TABLE += "".join(
    f"declared | COUNTED; + declare A {item} | declare-{slug} {amount}\n"
    f"    A declares {item} and gets {amount} from each\n"
    for slug, prices in {
        "tarocks": "tarocks:10 10, tarocks:11 15",
        "matadors": "matadors:3 10, matadors:4 15",
        "skus-matadors": "skus-matadors:5 15",
        "kings": "kings:3 5, kings:4 10",
        "ladons": "ladons:16 15, ladons:17 20",
        "cavallery": "cavallery:S 10",
        "half-cavallery": "half-cavallery:S 5",
        "four": "queens 5",
    }.items()
    for item, amount in map(str.split, prices.split(", "))
)
ROWS = rows(TABLE, BASES)


@pytest.mark.parametrize(("given", "expected", "sentence"), ROWS)
def test_a_number_of_a_clause(given: Any, expected: str, sentence: str) -> None:
    name, amount = expected.split()
    result = checked(*given)
    assert result.verdict == "computed", result.errors
    found = [line for line in result.lines if line.clause == f"{given[0]}.{name}"]
    assert bool(found) == (amount != "-")
    for line in found:
        assert min(map(abs, filter(None, line.points.values())), default=0) == int(amount)
    # Several Kings have a line each.
    said = [sentences.line(line, Names(given[0], "en")) for line in found[:1]]
    assert said == [sentence] * bool(found)


@pytest.mark.parametrize(
    ("base", "slug"),
    [("MISERE", "troggu.misere"), ("COUNTED", "grosstarock.card-points"), ("TWO", "grosstarock.two-count")],
)
def test_a_stake_of_two_is_named_and_one_is_not(base: str, slug: str) -> None:
    game, players, lines = BASES[base]
    for options, named in (("", False), ("stake=2", True)):
        (line,) = [one for one in checked(game, lines, players, options).lines if one.clause == slug]
        assert ("times the stake of 2" in sentences.line(line, Names(game, "en"))) == named


#: Clauses that pass on the amounts of other clauses.
PASSED_ON = ("partner-split", "null-refund")
#: The amounts of the rows by clause, without doubled ones. The text has each of them, but only the least of a
#: declaration, which is worth 5 more for each further card.
PAID: dict[str, set[int]] = defaultdict(set)
for (game, lines, *_), expected, _sentence in (row.values for row in ROWS):
    name, amount = expected.split()
    if amount not in ("-", "0") and "double" not in lines and name not in PASSED_ON:
        PAID[f"{game}.{name}"].add(int(amount))

#: Further numbers in the texts, such as the edges between those amounts.
IN_TEXTS = {
    "taroky.card-points": {70, 5, 4, 3, 2, 1},
    "taroky.varsava-pay": {29, 30, 39},
    "taroky.varsava-tie": {4, 3, 20, 7, 6, 5},
    "taroky.game-tie": {35, 2, 4, 8},
    "taroky.game": {35},
    "strohmann.card-points": {70, 5, 4, 3, 2, 1},
    "strohmann.game": {45, 36, 44, 27, 35, 26},
    "strohmann.game-undeclared": {36, 35},
    "strohmann.valat": {27},
    "troggu.deal": {3, 8, 18, 4, 10, 13, 5, 7, 11, 6, 9},
    "troggu.partner-split": {57, 2, 12, 4, 8},
    "troggu.game": {58, 56, 57, 30},
    "troggu.solo": {30},
    "troggu.card-points": {114, 5, 4, 3, 2, 1},
    "grosstarock.card-points": {78, 26, 5, 4, 3, 2},
    "grosstarock.two-count": {26, 53, 27},
    "grosstarock.null-refund": {15, 10},
    "grosstarock.bole": {25},
    "grosstarock.declare-tarocks": {5},
    "grosstarock.declare-matadors": {5},
    "grosstarock.declare-ladons": {5},
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("slug", sorted({*PAID, *IN_TEXTS}))
def test_the_text_of_a_clause_has_its_numbers(slug: str, language: str) -> None:
    found = set(map(int, re.findall(r"\d+", str(clause(slug, language).text))))
    assert IN_TEXTS.get(slug, set()) <= found
    assert PAID[slug] <= found | {amount + 5 for amount in PAID[slug] & found}


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
