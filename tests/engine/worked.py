"""Hand-worked deals: each complete, its reckoning written out and found from the rules, not by the engine.

What is expected of the engine is read from the reckoning itself: a line `clause: …: A +25, B −25` for each
line that moves points, `A, D (bidder) win tricks … = 60.` for the card points of a side, and in the end the
score.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from tarock.notation import read_one
from tarock.verify import Check, check
from tests.samples import TAROKY

_LINE = re.compile(r"^([a-z-]+):(?: .*:)? ((?:[A-H] [+−]\d+(?:, )?)+)$", re.MULTILINE)
_SIDE = re.compile(
    r"^([A-H](?:, [A-H])*)(?: \((\w+)\))? wins? (?:no trick|tricks? \d).*?(?:(\d+)|no card)\.$",
    re.MULTILINE | re.DOTALL,
)


def _points(words: str) -> dict[str, int]:
    """`A +25, B −25` as numbers by seat."""
    pairs = (word.split() for word in words.split(", "))
    return {seat: int(number.replace("−", "-")) for seat, number in pairs}


@dataclass(frozen=True)
class Worked:
    """A deal and how it is reckoned on paper, with what comes out."""

    title: str
    reckoning: str
    text: str
    dead_bettler: str | None = None

    def check(self) -> Check:
        """What the engine says of it."""
        return check(read_one(self.text))

    @property
    def lines(self) -> list[tuple[str, dict[str, int]]]:
        """Each line that moves points: its clause, and the points by seat."""
        game = read_one(self.text).game
        return [(f"{game}.{name}", _points(words)) for name, words in _LINE.findall(self.reckoning)]

    @property
    def score(self) -> dict[str, int]:
        """The points of every seat."""
        return _points(self.reckoning.strip().rpartition("Score: ")[2].removesuffix("."))

    @property
    def card_points(self) -> dict[str, int]:
        """The card points by side, or by seat where each is for himself."""
        return {side or seats: int(n or 0) for seats, side, n in _SIDE.findall(self.reckoning)}


STROHMANN_EVEN = Worked(
    title="35 to 35 with a declarer: four points to his opponent.",
    reckoning="""
A wins tricks 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15: T0 T21 T1 3 × 5 = 15; CQ 1 × 4 = 4; HC DC
CC 3 × 3 = 9; SJ HJ DJ CJ 4 × 2 = 8; 19 blanks 19: 55 in 30 cards, − 2 × 10 = 35.
B wins tricks 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27: SK HK DK CK 4 × 5 = 20; SQ HQ DQ 3 × 4 = 12;
SC 1 × 3 = 3; 16 blanks 16: 51 in 24 cards, − 2 × 8 = 35.
game: the declarer A has 35: 27 to 35: B +4
Score: A 0, B 4.
""",
    text="""\
[TGN "1"]
[Game "strohmann"]
[A "Player A"]
[B "Player B"]
[Dealer "B"]

deal A T0 T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8
deal B SJ HC HJ DC DJ CQ CC CJ T7 T6 T5 T4 T3 T2 T1
deal A/1 S9 S8 S7 C9
deal A/2 C8 C7 H2 H3
deal A/3 H4 D2 D3 D4
deal B/1 SK HK DK CK
deal B/2 SQ HQ DQ SC
deal B/3 S10 C10 H1 D1
A take
1. A T0 T7
2. A T21 T6
3. A T20 T5
4. A T19 T4
5. A T18 T3
6. A T17 T2
7. A T16 T1
8. A T15 CQ
9. A T14 HC
10. A T13 DC
11. A T12 CC
12. A T11 SJ
13. A T10 HJ
14. A T9 DJ
15. A T8 CJ
16. A S9 SK
17. B CK C8
18. B DK S8
19. B HK H4
20. B SQ S7
21. B HQ C9
22. B DQ D2
23. B SC D3
24. B S10 C7
25. B C10 H2
26. B H1 H3
27. B D1 D4
""",
)

STROHMANN_VALAT = Worked(
    title="A takes all 27 tricks: 12 instead of the game score, and the four bonuses beside it.",
    reckoning="""
A wins tricks 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26,
27: SK HK DK CK T0 T21 T1 7 × 5 = 35; SQ HQ DQ CQ 4 × 4 = 16; SC HC DC CC 4 × 3 = 12; SJ HJ DJ CJ 4 × 2 = 8;
35 blanks 35: 106 in 54 cards, − 2 × 18 = 70.
B wins no trick: no card: 0 in 0 cards, − 2 × 0 = 0.
valat: all 27 tricks: A +12
pagat-ultimo: T1 in trick 27: A +1
uhu: T2 in trick 26: A +1
kakadu: T3 in trick 25: A +1
rostopschin: T17(ros) and T18(topschin) win tricks one after the other: A +1
Score: A 16, B 0.
""",
    text="""\
[TGN "1"]
[Game "strohmann"]
[A "Player A"]
[B "Player B"]
[Dealer "B"]

deal A T0 T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8
deal B H4 DQ DC DJ D1 D2 D3 D4 CQ CC CJ C10 C9 C8 C7
deal A/1 T7 T6 T5 T4
deal A/2 T3 T2 T1 SQ
deal A/3 SK HK DK CK
deal B/1 HJ H1 H2 H3
deal B/2 S8 S7 HQ HC
deal B/3 SC SJ S10 S9
A take
1. A SK SC
2. A SQ SJ
3. A HK HJ
4. A DK DQ
5. A CK CQ
6. A T0 CC
7. A T21 DC
8. A T20 CJ
9. A T19 DJ
10. A T17(ros) C10
11. A T18(topschin) D1
12. A T16 H1
13. A T15 S10
14. A T14 C9
15. A T13 D2
16. A T12 H2
17. A T11 S9
18. A T10 C8
19. A T9 D3
20. A T8 H3
21. A T7 S8
22. A T6 C7
23. A T5 D4
24. A T4 H4
25. A T3 S7
26. A T2 HQ
27. A T1 HC
""",
)

STROHMANN_UNDECLARED = Worked(
    title="Nobody takes. Pagat and T3 come in the last three tricks and are won by different players.",
    reckoning="""
A wins tricks 1, 4, 8, 9, 11, 13, 15, 17, 19, 21, 24, 27: CK T0 T1 3 × 5 = 15; DQ 1 × 4 = 4; DC CC 2 × 3 =
6; SJ HJ 2 × 2 = 4; 16 blanks 16: 45 in 24 cards, − 2 × 8 = 29.
B wins tricks 2, 3, 5, 6, 7, 10, 12, 14, 16, 18, 20, 22, 23, 25, 26: SK HK DK T21 4 × 5 = 20; SQ HQ CQ 3 × 4
= 12; SC HC 2 × 3 = 6; DJ CJ 2 × 2 = 4; 19 blanks 19: 61 in 30 cards, − 2 × 10 = 41.
game-undeclared: 36 or more without a declarer: B +2
pagat-ultimo: T1 in trick 27: A +1
kakadu: T3 in trick 25: B +1
Score: A 1, B 3.
""",
    text="""\
[TGN "1"]
[Game "strohmann"]
[A "Łukasz"]
[B "Günther"]
[Dealer "B"]

deal A SJ S9 DC DJ CK C10 C8 C7 T19 T17 T16 T14 T10 T5 T2
deal B SK SQ SC S7 HJ H1 H2 D1 D3 D4 CQ CC T9 T7 T1
deal A/1 T0 HC T8 DQ
deal A/2 C9 CJ T4 T12
deal A/3 S8 S10 H4 D2
deal B/1 T18 HQ T21 T15
deal B/2 T3 T6 T20 T13
deal B/3 HK T11 DK H3
A pass
B pass
1. A CK CC
2. A C7 CQ
3. B SK S8
4. B D4 DC
5. A C8 T6
6. B HK HC
7. B DK DJ
8. B D3 DQ
9. A T0 T7
10. A C9 T9
11. B D1 T5
12. A C10 T11
13. B H3 T8
14. A T19 T20
15. B H2 T10
16. A S9 SQ
17. B H1 T14
18. A S10 SC
19. B S7 SJ
20. A H4 HQ
21. B T13 T16
22. A D2 T15
23. B T18 T17
24. B HJ T2
25. A CJ T3
26. B T21 T4
27. B T1 T12
""",
)

STROHMANN_ROSTOPSCHIN = Worked(
    title="T17 and T18 called and won one after the other, and all three small tarocks in the last tricks.",
    reckoning="""
A wins tricks 1, 5, 7, 9, 10, 12, 14, 15, 16, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27: HK CK T0 T1 4 × 5 =
20; SQ CQ 2 × 4 = 8; DC CC 2 × 3 = 6; SJ HJ DJ 3 × 2 = 6; 27 blanks 27: 67 in 38 cards, − 2 × 12 − 1 = 42.
B wins tricks 2, 3, 4, 6, 8, 11, 13, 17: SK DK T21 3 × 5 = 15; HQ DQ 2 × 4 = 8; SC HC 2 × 3 = 6; CJ 1 × 2 =
2; 8 blanks 8: 39 in 16 cards, − 2 × 5 − 1 = 28.
game: the declarer A has 42: 36 to 44: A +3
pagat-ultimo: T1 in trick 27: A +1
uhu: T2 in trick 26: A +1
kakadu: T3 in trick 25: A +1
rostopschin: T17(ros) and T18(topschin) win tricks one after the other: A +1
Score: A 7, B 0.
""",
    text="""\
[TGN "1"]
[Game "strohmann"]
[A "Jörg"]
[B "Anton"]
[Dealer "B"]

deal A SQ S9 CC T0 T19 T18 T17 T16 T15 T14 T13 T12 T3 T2 T1
deal B SK SC SJ HQ HC DK DC D1 D2 D3 C8 T21 T20 T5 T4
deal A/1 CK DQ T6 T8
deal A/2 S7 CQ DJ CJ
deal A/3 H2 T7 H3 HJ
deal B/1 T10 S8 T11 H1
deal B/2 H4 HK C10 C9
deal B/3 T9 D4 C7 S10
A take
1. A CK C8
2. A T12 T20
3. B SK S7
4. B DK DQ
5. B D4 T6
6. A H2 HQ
7. B C7 CQ
8. A H3 HC
9. B D3 DJ
10. A T0 T4
11. A S9 SC
12. B D2 T7
13. A T19 T21
14. B D1 T8
15. A T17(ros) T5
16. A T18(topschin) T9
17. A CJ T10
18. B H4 HJ
19. A T13 C10
20. A CC C9
21. A SQ S8
22. A T16 T11
23. A T15 H1
24. A T14 S10
25. A T3 SJ
26. A T2 DC
27. A T1 HK
""",
)

TAROKY_RE = Worked(
    title="Two against two: an announced pagat won after flek and re, and a hand declaration on each side.",
    reckoning="""
The called T19 makes D the partner. (This deal and its reckoning stand in the specification of the
notation.)
A, D (bidder) win tricks 1, 3, 4, 5, 6, 7, 9, 10, 11, 12, with S8 H1 H2 D4 C9 put away: SK HK DK CK T0 T1 6
× 5 = 30; SQ HQ DQ 3 × 4 = 12; SC HC DC CC 4 × 3 = 12; SJ HJ DJ CJ 4 × 2 = 8; 28 blanks 28: 90 in 45 cards,
− 2 × 15 = 60.
B, C (opponents) win tricks 2, 8, with CQ put away: T21 1 × 5 = 5; CQ 1 × 4 = 4; 7 blanks 7: 16 in 9 cards,
− 2 × 3 = 10.
game: (60 − 35) × 1 = 25: A +25, B −25, C −25, D +25
pagat-announced: 20 × 4 = 80: A +80, B −80, C −80, D +80
hand-tarocky: declared: A +5, B −5, C −5, D +5
hand-barvicky: declared: A −5, B +5, C +5, D −5
Score: A 105, B −105, C −105, D 105.
""",
    text=TAROKY.replace('[Score "A=105 B=-105 C=-105 D=105"]\n', ""),
)

TAROKY_EVEN = Worked(
    title="A Solo that ends 35 to 35, with the game doubled by the bidder himself: 1 × 2 to each opponent.",
    reckoning="""
A wins the first seven tricks with T0 T21 … T16 and none of the others.
A (bidder) wins tricks 1, 2, 3, 4, 5, 6, 7: SK HK T0 T21 4 × 5 = 20; SQ HQ 2 × 4 = 8; SC HC 2 × 3 = 6; 20
blanks 20: 54 in 28 cards, − 2 × 9 − 1 = 35.
B, C, D (opponents) win tricks 8, 9, 10, 11, 12, with T15 T14 T13 T12 T11 T1 put away or left in the talon:
DK CK T1 3 × 5 = 15; DQ CQ 2 × 4 = 8; DC CC 2 × 3 = 6; SJ HJ DJ CJ 4 × 2 = 8; 15 blanks 15: 52 in 26 cards,
− 2 × 8 − 1 = 35.
game-tie: 35 to 35: 1 × 2 to the side without the bidder: A −6, B +2, C +2, D +2
Score: A −6, B 2, C 2, D 2.
""",
    text="""\
[TGN "1"]
[Game "taroky"]
[A "Player A"]
[B "Player B"]
[C "Player C"]
[D "Player D"]
[Dealer "D"]

deal A S8 S7 H4 D4 C7 T0 T21 T20 T19 T18 T17 T16
deal B SK SQ S10 S9 DK DQ DC D1 D2 T10 T9 T8
deal C HK HQ D3 CK CQ CC C10 C9 C8 T7 T6 T5
deal D SC SJ HC HJ H1 H2 H3 DJ CJ T4 T3 T2
deal talon T1 T15 T14 T13 T12 T11
A bid solo
B pass
C pass
D pass
A announce flek:game
B pass
C pass
D pass
1. A T0 T10 T7 T4
2. A T21 T9 T6 T3
3. A T20 T8 T5 T2
4. A T19 SK HK SC
5. A T18 SQ HQ HC
6. A T17 S10 C9 H2
7. A T16 S9 C8 H3
8. A S7 D2 D3 SJ
9. D HJ H4 D1 C10
10. D H1 S8 DC CC
11. D CJ C7 DQ CQ
12. C CK DJ D4 DK
""",
)

TAROKY_TROIKA = Worked(
    title="Troika, level 2: the bidder takes the bottom three, the top three count for the others.",
    reckoning="""
A takes H4 T20 SC, the bottom three, and leaves T13 D2 C7 to the others. Level 2: each point over 35 is 2.
A (bidder) wins tricks 1, 3, 5, 7, 9, with SC HC C9 put away: SK DK CK 3 × 5 = 15; SQ DQ 2 × 4 = 8; SC HC 2
× 3 = 6; SJ CJ 2 × 2 = 4; 14 blanks 14: 47 in 23 cards, − 2 × 7 − 1 = 32.
B, C, D (opponents) win tricks 2, 4, 6, 8, 10, 11, 12, with D2 C7 T13 put away or left in the talon: HK T0
T21 T1 4 × 5 = 20; HQ CQ 2 × 4 = 8; DC CC 2 × 3 = 6; HJ DJ 2 × 2 = 4; 21 blanks 21: 59 in 31 cards, − 2 × 10
− 1 = 38.
game: (38 − 35) × 2 = 6 from each of three: A −18, B +6, C +6, D +6
pagat-ultimo: T1 in the last trick: 10: A −30, B +10, C +10, D +10
hand-honery: declared: A +15, B −5, C −5, D −5
hand-barvicky: declared: A −15, B +5, C +5, D +5
Score: A −48, B 16, C 16, D 16.
""",
    text="""\
[TGN "1"]
[Game "taroky"]
[A "Alena"]
[B "Žaneta"]
[C "Eliška"]
[D "Zdeňka"]
[Dealer "A"]

deal A HK HC DK D3 CK C9 T18 T17 T15 T4 T2 T1
deal B S8 S7 DJ D1 CQ C10 T21 T16 T14 T11 T8 T6
deal C SQ S9 HJ DC D4 CJ T0 T19 T12 T10 T9 T5
deal D SK SJ S10 HQ H1 H2 H3 DQ CC C8 T7 T3
deal talon T13 D2 C7 H4 T20 SC
B bid first
C pass
D pass
A bid troika
A level 2
A discard SC HC C9
A announce honery
B pass
C pass
D announce barvicky
1. B C10 CJ C8 CK
2. A T20 T21 T5 T3
3. B D1 D4 DQ DK
4. A T2 T6 T9 T7
5. C S9 S10 T18 S7
6. A HK T16 HJ HQ
7. B S8 SQ SK T4
8. A D3 DJ DC CC
9. C T10 SJ T15 T8
10. A H4 T14 T0 H3
11. C T19 H2 T17 T11
12. C T12 H1 T1 CQ
""",
)

TAROKY_PARTNER_WINS = Worked(
    title="T1 in the last trick falls to its player's own partner: 10 to the other side all the same.",
    reckoning="""
C plays T1 to the last trick and his partner A takes it with T21: B and D get the 10.
A, C (bidder) win tricks 1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, with S8 HC DQ CC CJ put away: SK HK DK T0 T21
T1 6 × 5 = 30; HQ DQ CQ 3 × 4 = 12; SC HC DC CC 4 × 3 = 12; SJ HJ DJ CJ 4 × 2 = 8; 32 blanks 32: 94 in 49
cards, − 2 × 16 − 1 = 61.
B, D (opponents) win tricks 4, with SQ put away: CK 1 × 5 = 5; SQ 1 × 4 = 4; 3 blanks 3: 12 in 5 cards, − 2
× 1 − 1 = 9.
game: (61 − 35) × 1 = 26: A +26, B −26, C +26, D −26
pagat-ultimo: T1 in the last trick: 10: A −10, B +10, C −10, D +10
hand-tarocky: declared: A +5, B −5, C +5, D −5
hand-barvicky: declared: A −5, B +5, C −5, D +5
Score: A 16, B −16, C 16, D −16.
""",
    text="""\
[TGN "1"]
[Game "taroky"]
[A "Ondřej"]
[B "Eliška"]
[C "Růžena"]
[D "Cyril"]
[Dealer "B"]

deal A SK S10 S9 H1 H4 DQ T21 T20 T19 T18 T14 T4
deal B SJ HJ DC D1 D2 CQ C10 T11 T10 T9 T7 T6
deal C HK CC CJ C9 C7 T0 T17 T13 T12 T8 T3 T2
deal D SQ SC S7 HQ H2 H3 DK DJ D3 D4 T15 T5
deal talon T1 T16 S8 HC CK C8
C bid first
D pass
A pass
B pass
C call T19
C discard S8 HC CC CJ
D discard SQ
A discard DQ
C announce tarocky
D announce barvicky
A pass
B pass
1. C HK H3 H4 HJ
2. C T2 T5 T14 T6
3. A SK SJ T0 S7
4. C C7 CK C8 C10
5. D DK T4 D2 T8
6. C C9 T15 T18 CQ
7. A H1 T11 T12 H2
8. C T17 D4 T19 T7
9. A S9 T10 T13 SC
10. C T3 D3 T20 T9
11. A S10 D1 T16 DJ
12. C T1 HQ T21 DC
""",
)

TAROKY_VALAT_FAILED = Worked(
    title="A Second Duty whose pagat is doubled, and a valat announced that comes to nothing and is doubled.",
    reckoning="""
C, who bid second, plays T1 to the last trick, but A wins it with T2: flek by D, re by B. A's valat, doubled
by C, fails for want of seven tricks.
B, C (bidder) win tricks 2, 3, 4, 6, 8, 9, 10, with SQ SJ D2 CQ C9 put away: SK DK CK T21 4 × 5 = 20; SQ CQ
2 × 4 = 8; DC CC 2 × 3 = 6; SJ CJ 2 × 2 = 4; 23 blanks 23: 61 in 33 cards, − 2 × 11 = 39.
A, D (opponents) win tricks 1, 5, 7, 11, 12, with HQ put away: HK T0 T1 3 × 5 = 15; HQ DQ 2 × 4 = 8; SC HC 2
× 3 = 6; HJ DJ 2 × 2 = 4; 12 blanks 12: 45 in 21 cards, − 2 × 7 = 31.
game: (39 − 35) × 1 = 4: A −4, B +4, C +4, D −4
pagat-announced: 20 × 4 = 80: A +80, B −80, C −80, D +80
valat-announced: 140 × 2 = 280: A −280, B +280, C +280, D −280
hand-honery: declared: A −5, B +5, C +5, D −5
Score: A −209, B 209, C 209, D −209.
""",
    text="""\
[TGN "1"]
[Game "taroky"]
[A "Tomáš"]
[B "Květa"]
[C "Alena"]
[D "Cyril"]
[Dealer "D"]

deal A S9 HJ H1 H4 DC C7 T0 T11 T10 T8 T5 T2
deal B SK D1 D3 CK C9 C8 T19 T16 T13 T6 T4 T3
deal C SJ S8 HK DK D2 CQ T21 T17 T15 T12 T7 T1
deal D SC S7 HQ DQ D4 CC CJ C10 T20 T18 T14 T9
deal talon SQ H2 H3 HC S10 DJ
A bid first
B pass
C bid second
D pass
C call T19
C discard SQ SJ D2 CQ
D discard HQ
A refuse
B discard C9
C announce honery
D announce flek:pagat
A announce valat
B announce re:pagat
C announce flek:valat
D pass
A pass
1. A T0 T3 T7 T9
2. A T11 T19 T12 T14
3. B SK S8 S7 S9
4. B CK T21 C10 C7
5. C HK T18 HJ T4
6. D D4 DC D3 DK
7. C H3 T20 H4 T6
8. D S10 T10 T13 T15
9. C H2 CJ H1 T16
10. B C8 T17 CC T5
11. C HC SC T8 D1
12. A T2 DJ T1 DQ
""",
)

VARSAVA_TIE_OF_TWO = Worked(
    title="Varšava: B and C tie for most; A has no trick, and gets twice the payment.",
    reckoning="""
B and C have 25 each, up to 29: 10 to each of the others, half from each of the two. A without a trick gets
twice that, 20. So B and C pay 10 to A and 5 to D each.
A wins no trick: no card.
B wins tricks 1, 3, 5, 7, 9: HK DK T21 3 × 5 = 15; DQ 1 × 4 = 4; HC 1 × 3 = 3; HJ 1 × 2 = 2; 14 blanks 14:
38 in 20 cards, − 2 × 6 − 1 = 25.
C wins tricks 2, 6, 8, 10, 11, 12: T0 T1 2 × 5 = 10; CQ 1 × 4 = 4; DC CC 2 × 3 = 6; DJ CJ 2 × 2 = 4; 17
blanks 17: 41 in 24 cards, − 2 × 8 = 25.
D wins trick 4: SK 1 × 5 = 5; SQ 1 × 4 = 4; SJ 1 × 2 = 2; 1 blanks 1: 12 in 4 cards, − 2 × 1 − 1 = 9.
varsava-tie: see above: A +20, B −15, C −15, D +10
Score: A 20, B −15, C −15, D 10.
""",
    text="""\
[TGN "1"]
[Game "taroky"]
[A "Player A"]
[B "Player B"]
[C "Player C"]
[D "Player D"]
[Dealer "D"]

deal A SQ HJ H2 H4 DC D3 D4 CQ C8 T13 T3 T2
deal B S10 CC CJ C7 T21 T20 T18 T16 T14 T9 T4 T1
deal C SJ S9 S8 HK HC DK T0 T19 T17 T15 T10 T8
deal D SK S7 H1 H3 DQ DJ D2 C10 C9 T11 T6 T5
deal talon D1 HQ T7 SC CK T12
A bid first
B pass
C pass
D pass
A varsava
1. A H4 T20 HK H3
2. B CC T19 C9 CQ
3. C T8 T11 T13 T14
4. B S10 SJ SK SQ
5. D H1 HJ T21 HC
6. B T4 T17 T6 T2
7. C DK DQ D4 T18
8. B CJ T0 C10 C8
9. C S8 S7 T3 T16
10. B T9 T10 T5 DC
11. C T15 DJ H2 T1
12. C S9 D2 D3 C7
""",
)

VARSAVA_TIE_OF_THREE = Worked(
    title="Varšava: three tie and pay the fourth, who has no trick: 20 as 7, 7 and 6 in order from forehand.",
    reckoning="""
B, C and D have 20 each, up to 29: one payment of 10 to A, doubled for want of a trick: 20, split in order
from forehand (A, then B, C, D) as 7, 7, 6.
A wins no trick: no card.
B wins tricks 3, 7: SK CK 2 × 5 = 10; SQ CQ 2 × 4 = 8; CC 1 × 3 = 3; CJ 1 × 2 = 2; 2 blanks 2: 25 in 8
cards, − 2 × 2 − 1 = 20.
C wins tricks 1, 6, 9, 10, 11, 12: T0 1 × 5 = 5; DQ 1 × 4 = 4; SC HC 2 × 3 = 6; SJ 1 × 2 = 2; 19 blanks 19:
36 in 24 cards, − 2 × 8 = 20.
D wins tricks 2, 4, 5, 8: DK T1 2 × 5 = 10; HQ 1 × 4 = 4; DC 1 × 3 = 3; HJ DJ 2 × 2 = 4; 10 blanks 10: 31 in
16 cards, − 2 × 5 − 1 = 20.
varsava-tie: see above: A +20, B −7, C −7, D −6
Score: A 20, B −7, C −7, D −6.
""",
    text="""\
[TGN "1"]
[Game "taroky"]
[A "Player A"]
[B "Player B"]
[C "Player C"]
[D "Player D"]
[Dealer "D"]

deal A SQ SJ S7 HJ D2 CQ T19 T10 T8 T7 T6 T2
deal B SK H1 DQ DC DJ D1 CK C10 C9 C7 T17 T1
deal C S10 H2 H3 D3 D4 CC T0 T18 T16 T14 T4 T3
deal D SC S9 S8 HQ HC DK CJ T20 T12 T11 T9 T5
deal talon H4 HK C8 T21 T15 T13
A bid first
B pass
C pass
D pass
A varsava
1. A T19 T17 T0 T5
2. C H2 HQ HJ H1
3. D S9 SQ SK S10
4. B DJ D3 DK D2
5. D T20 T7 T1 T3
6. D T12 T6 C7 T16
7. C CC CJ CQ CK
8. B DC D4 T11 T2
9. D SC SJ C10 T4
10. C T18 T9 T10 C9
11. C T14 HC T8 DQ
12. C H3 S8 S7 D1
""",
)

TROGGU_DEAD_BETTLER = Worked(
    title="A dead Bättler comes down in the last trick and stays with its side, which hands over a blank.",
    reckoning="""
C withholds T0 in trick 7 (tarocks are led, he plays C10): dead. It comes down in trick 13, which D wins. It
stays with A, B and C, who hand D their lowest card: of the blanks in tricks 1, 3, 5 and 7 the last in order
is T2. They have 4 tricks, 16 cards, and give one for T0.
D (tappist) wins tricks 2, 4, 6, 8, 9, 10, 11, 12, 13, with SQ S10 S8 S7 HC H5 DQ DC D2 C6 put away: SK HK
DK CK 4 × 5 = 20; SQ HQ DQ CQ 4 × 4 = 16; SC HC DC CC 4 × 3 = 12; HJ DJ CJ 3 × 2 = 6; 31 blanks 31: 85.
A, B, C (opponents) win tricks 1, 3, 5, 7: T0 T21 T1 3 × 5 = 15; SJ 1 × 2 = 2; 12 blanks 12: 29.
game: the losing side has 29: 2 for each of 3 opponents: A −2, B −2, C −2, D +6
Score: A −2, B −2, C −2, D 6.
""",
    dead_bettler="C",
    text="""\
[TGN "1"]
[Game "troggu"]
[A "Mägi"]
[B "Göpf"]
[C "Vreni"]
[D "Walti"]
[Dealer "B"]

deal A HQ HJ H3 D4 D5 CK CC CJ C5 T21 T19 T12 T11
deal B SC S9 S6 HK H1 H4 DJ C9 C8 T16 T8 T5 T1
deal C SJ S5 H2 H6 D1 D3 D6 CQ C10 C7 T0 T15 T4
deal D SK SQ S10 S8 D2 T20 T18 T17 T10 T9 T6 T3 T2
deal talon S7 HC H5 DK DQ DC C6 T14 T13 T7
C pass
D take
A pass
B pass
D discard SQ S10 S8 S7 HC H5 DQ DC D2 C6
1. D T2 T21 T1 T4
2. A CK C8 CQ T3
3. D T6 T19 T5 T15
4. A C5 C9 C7 T7
5. D T9 T12 T8 SJ
6. A D5 DJ D6 DK
7. D T10 T11 T16 C10
8. B HK H6 T20 H3
9. D T13 D4 H4 D3
10. D T14 CJ H1 D1
11. D T18 HJ S6 H2
12. D SK CC S9 S5
13. D T17 HQ SC T0
""",
)

TROGGU_DEAD_NO_TRICK = Worked(
    title="Misère: the owner of a dead Bättler has no trick to pay from, and loses it.",
    reckoning="""
A withholds T0 in trick 5 (tarocks are led, he plays CK): dead. B wins it in trick 13, as A has no trick to
pay from.
A wins no trick: no card: 0.
B wins tricks 3, 5, 6, 9, 10, 11, 12, 13: HK DK CK T0 T1 5 × 5 = 25; SQ CQ 2 × 4 = 8; SC HC 2 × 3 = 6; SJ HJ
CJ 3 × 2 = 6; 20 blanks 20: 65.
C wins tricks 1, 7: T21 1 × 5 = 5; 7 blanks 7: 12.
D wins tricks 2, 4, 8: HQ 1 × 4 = 4; DC 1 × 3 = 3; DJ 1 × 2 = 2; 9 blanks 9: 18.
misere: the most points pay 1 to each of the rest: A +1, B −3, C +1, D +1
Score: A 1, B −3, C 1, D 1.
""",
    dead_bettler="A",
    text="""\
[TGN "1"]
[Game "troggu"]
[A "Mägi"]
[B "Göpf"]
[C "Vreni"]
[D "Walti"]
[Dealer "C"]

deal A S9 S7 S6 HQ HC H2 D2 D6 CK C9 C7 C6 T0
deal B SC S10 HK H5 DJ D5 C8 T20 T17 T15 T12 T11 T9
deal C SQ S5 HJ H3 H4 H6 DK D1 D4 T21 T10 T7 T1
deal D SJ S8 DC D3 CQ CJ C10 T19 T16 T8 T5 T3 T2
deal talon SK H1 DQ CC C5 T18 T14 T13 T6 T4
D pass
A pass
B pass
C pass
1. D C10 C9 C8 T7
2. C D4 D3 D6 D5
3. D S8 S7 S10 S5
4. B H5 H6 T2 HQ
5. D T3 CK T9 T1
6. B T11 T10 T8 HC
7. B T12 T21 T19 S9
8. C D1 DC D2 DJ
9. D T5 S6 T15 DK
10. B T17 SQ T16 H2
11. B T20 HJ CQ C7
12. B HK H3 SJ C6
13. B SC H4 CJ T0
""",
)

TROGGU_DEAD_LEADS = Worked(
    title="Misère of three: the dead Bättler is led to the last trick, and the next card sets the suit.",
    reckoning="""
C leads the dead T0 to trick 18; A's HC sets the suit, and B's T7 wins. T0 stays with C, who hands B his
lowest
card: of the blanks in his tricks T2 (trick 3) is the last in order. B: 9 cards, T2 for T0.
A wins tricks 2, 4, 8, 10, 14, 15: SK T21 2 × 5 = 10; CQ 1 × 4 = 4; DJ CJ 2 × 2 = 4; 13 blanks 13: 31.
B wins tricks 6, 16, 18: DQ 1 × 4 = 4; SC HC 2 × 3 = 6; HJ 1 × 2 = 2; 5 blanks 5: 17.
C wins tricks 1, 3, 5, 7, 9, 11, 12, 13, 17: HK DK T0 T1 4 × 5 = 20; HQ 1 × 4 = 4; SJ 1 × 2 = 2; 21 blanks
21: 47.
misere: the most points pay 1 to each of the rest: A +1, B +1, C −2
Score: A 1, B 1, C −2.
""",
    dead_bettler="C",
    text="""\
[TGN "1"]
[Game "troggu"]
[A "Élodie"]
[B "Käthi"]
[C "Jürg"]
[Dealer "B"]

deal A SK S10 HK HC H1 H2 H3 DK DQ DJ D2 D5 C6 T21 T17 T12 T10 T3
deal B S9 S7 S5 HQ HJ H6 D1 D3 D4 D6 C9 C5 T19 T18 T13 T7 T6 T1
deal C SC SJ S8 S6 H4 H5 CQ CJ C8 C7 T0 T20 T16 T14 T9 T8 T5 T2
deal talon SQ DC CK CC C10 T15 T11 T4
C pass
A pass
B pass
1. C C7 C6 C5
2. C C8 T3 C9
3. A D5 D6 T2
4. C H5 H3 H6
5. A D2 D3 T5
6. C H4 H2 HJ
7. B D4 T8 DK
8. C S6 S10 S7
9. A H1 HQ T9
10. C S8 SK S9
11. A T10 T1 T14
12. C T16 T12 T13
13. C T20 T17 T19
14. C CJ T21 T18
15. A DJ D1 CQ
16. A DQ T6 SC
17. B S5 SJ HK
18. C T0 HC T7
""",
)

TROGGU_SPLIT_LOST = Worked(
    title="Seven players: Tappist and partner lose with 30 points or fewer and share the payment.",
    reckoning="""
G calls HK, which B holds. 29 points: 2 for each of the five opponents, 10 in all; the partner pays two of
them, the Tappist three.
B, G (tappist) win tricks 4, with SQ HC DC DJ CQ C6 put away: HK 1 × 5 = 5; SQ CQ 2 × 4 = 8; HC DC 2 × 3 =
6; HJ DJ 2 × 2 = 4; 6 blanks 6: 29.
A, C, D, E, F (opponents) win tricks 1, 2, 3, 5, 6, 7, 8: SK DK CK T0 T21 T1 6 × 5 = 30; HQ DQ 2 × 4 = 8; SC
CC 2 × 3 = 6; SJ CJ 2 × 2 = 4; 37 blanks 37: 85.
partner-split: the losing side has 29: 2 for each of 5 opponents: A +2, B −4, C +2, D +2, E +2, F +2, G −6
Score: A 2, B −4, C 2, D 2, E 2, F 2, G −6.
""",
    text="""\
[TGN "1"]
[Game "troggu"]
[A "Röbi"]
[B "Vreni"]
[C "Bäbi"]
[D "Walti"]
[E "Köbi"]
[F "Reto"]
[G "Göpf"]
[Dealer "F"]

deal A HJ DQ D3 CK T16 T14 T10 T3
deal B HK HQ H5 CC CJ C8 T13 T5
deal C S9 S7 H4 C7 C5 T19 T8 T6
deal D SK H6 D2 D6 C9 T20 T18 T17
deal E SC SJ S6 H3 DK D5 T21 T9
deal F S10 H1 H2 D1 C10 T0 T15 T2
deal G SQ S8 CQ T12 T11 T7 T4 T1
deal talon S5 HC DC DJ D4 C6
G take
A pass
B pass
C pass
D pass
E pass
F pass
G discard SQ HC DC DJ CQ C6
G call HK
1. G D4 D3 T5 T6 D6 D5 D1
2. C C5 C9 T21 C10 T4 CK C8
3. E DK T0 T7 DQ T13 T8 D2
4. F H2 T11 HJ HK H4 H6 H3
5. G S5 T3 H5 S7 SK SC S10
6. A T16 CJ T19 T17 T9 T2 T12
7. C C7 T18 SJ T15 T1 T10 CC
8. D T20 S6 H1 S8 T14 HQ S9
""",
)

TROGGU_MISERE_TIE = Worked(
    title="Misère: two tie for most, and each pays 1 to each of the other two.",
    reckoning="""
A wins trick 1: 4 blanks 4: 4.
B wins tricks 6, 8, 11: HK T21 2 × 5 = 10; 10 blanks 10: 20.
C wins tricks 3, 5, 9, 12, 13: DK 1 × 5 = 5; HQ 1 × 4 = 4; HC DC 2 × 3 = 6; SJ HJ CJ 3 × 2 = 6; 13 blanks
13: 34.
D wins tricks 2, 4, 7, 10: SK CK T1 3 × 5 = 15; CQ 1 × 4 = 4; CC 1 × 3 = 3; DJ 1 × 2 = 2; 10 blanks 10: 34.
misere: the most points pay 1 to each of the rest: A +2, B +2, C −2, D −2
Score: A 2, B 2, C −2, D −2.
""",
    text="""\
[TGN "1"]
[Game "troggu"]
[A "Köbi"]
[B "Trudi"]
[C "Jürg"]
[D "Vreni"]
[Dealer "C"]

deal A SK SJ S5 HK H2 H4 DK D2 D6 CQ C9 T17 T6
deal B HC H5 D3 D4 D5 CC CJ C10 C6 T21 T19 T18 T1
deal C S7 S6 D1 CK C7 C5 T15 T14 T12 T10 T9 T5 T3
deal D S8 HQ HJ H1 H3 H6 DC DJ C8 T16 T13 T7 T4
deal talon SQ SC S10 S9 DQ T0 T20 T11 T8 T2
D pass
A pass
B pass
C pass
1. D C8 C9 C6 C7
2. A D6 D5 D1 DJ
3. D H6 H4 H5 T3
4. C C5 T4 CQ CC
5. D H3 H2 HC T5
6. C S6 S8 S5 T18
7. B C10 CK T7 T6
8. D H1 HK T19 T15
9. B D4 T9 DC DK
10. C S7 T13 SK T1
11. D T16 T17 T21 T14
12. B D3 T10 HQ D2
13. C T12 HJ SJ CJ
""",
)

TROGGU_SOLO = Worked(
    title="A solo of five, won against 30 points or fewer: 2 × 2 from each of four.",
    reckoning="""
C (tappist) wins tricks 1, 2, 4, 5, 6, 7, 9, 10, 11, with H5 H6 DK D4 D6 T15 T9 in the Tapp: SK DK CK T0 T21
5 × 5 = 25; HQ CQ 2 × 4 = 8; SC HC DC CC 4 × 3 = 12; SJ HJ CJ 3 × 2 = 6; 38 blanks 38: 89.
A, B, D, E (opponents) win tricks 3, 8: HK T1 2 × 5 = 10; SQ DQ 2 × 4 = 8; DJ 1 × 2 = 2; 5 blanks 5: 25.
solo: the losing side has 25: 4 for each of 4 opponents: A −4, B −4, C +16, D −4, E −4
Score: A −4, B −4, C 16, D −4, E −4.
""",
    text="""\
[TGN "1"]
[Game "troggu"]
[A "Köbi"]
[B "Röbi"]
[C "Käthi"]
[D "Trudi"]
[E "Vreni"]
[Dealer "C"]

deal A SJ HQ HC D5 CQ CC C10 T19 T10 T4 T3
deal B SQ S10 S8 S6 HK H3 H4 D1 T7 T6 T5
deal C SK SC S9 DJ T0 T21 T20 T18 T17 T14 T12
deal D S5 HJ H2 DQ DC C9 C6 T13 T11 T2 T1
deal E S7 H1 D2 D3 CK CJ C8 C7 C5 T16 T8
deal talon H5 H6 DK D4 D6 T15 T9
D pass
E pass
A pass
B pass
C solo
1. C SK S5 S7 SJ S6
2. C T0 T2 T8 T3 T5
3. C S9 T1 T16 T4 SQ
4. E CK CQ T6 T12 C6
5. C T14 T13 C5 T10 T7
6. C T21 T11 C7 T19 D1
7. C T20 C9 C8 C10 H4
8. C DJ DQ D3 D5 HK
9. D H2 H1 HC H3 T17
10. C SC HJ D2 CC S8
11. C T18 DC CJ HQ S10
""",
)

GROSS_PLAIN = Worked(
    title="Four at the table, one sitting out; declarations, Kings and Pagat; T0 is paid for with a card.",
    reckoning="""
D, two after the dealer B, sits out. C plays T0 to trick 7, which A wins, and hands A D10, the last of the
blanks in his tricks 1, 2 and 5. Nobody's cards but these are moved: A 30 cards, C 18. tarocks:10 is 10;
kings:4 (HK DK CK T0) 5 + 5; a cavallery 10, each half one 5, queens 5.
A wins tricks 7, 10, 12, 14, 15, 18, 20, 22, 23, 25: T21 T1 2 × 5 = 10; HQ 1 × 4 = 4; SC HC DC 3 × 3 = 9; HJ
1 × 2 = 2; 23 blanks 23: 48 in 30 cards, − 2 × 10 = 28.
B wins tricks 3, 4, 6, 8, 11, 13, 16, 19, 21, with S10 C4 C3 put away: SK CK 2 × 5 = 10; CQ 1 × 4 = 4; CC 1
× 3 = 3; CJ 1 × 2 = 2; 25 blanks 25: 44 in 30 cards, − 2 × 10 = 24.
C wins tricks 1, 2, 5, 9, 17, 24: HK DK T0 3 × 5 = 15; SQ DQ 2 × 4 = 8; SJ DJ 2 × 2 = 4; 11 blanks 11: 38 in
18 cards, − 2 × 6 = 26.
declare-tarocks: A −10, B +20, C −10
declare-kings: A −10, B −10, C +20
declare-cavallery: A −10, B −10, C +20
declare-half-cavallery: A −5, B −5, C +10
declare-half-cavallery: A −5, B −5, C +10
declare-four: A −5, B −5, C +10
king: A −5, B −5, C +10
king: A −5, B −5, C +10
king: A +5, B +5, C −10
king: A −5, B +10, C −5
pagat: A +5, B −10, C +5
last-trick: A +10, B −5, C −5
card-points: A 28 − 26, B 24 − 26, C 26 − 26: A +2, B −2
Score: A −38, B −27, C 65, D 0.
""",
    text="""\
[TGN "1"]
[Game "grosstarock"]
[A "Inge"]
[B "Kirsten"]
[C "Åse"]
[D "Frøydis"]
[Dealer "B"]

deal A SJ S9 S7 H4 H7 H10 DC D3 D4 D5 CJ C9 C7 C6 C5 C2 C1 T21 T20 T19 T18 T15 T9 T8 T5
deal B SK S10 S6 S3 S1 H2 H3 H5 H8 D1 D2 D6 D8 D9 D10 C4 C3 T16 T14 T10 T7 T6 T4 T2 T1
deal C SQ SC S8 S5 S4 S2 HK HQ HC HJ H1 H6 DK DQ DJ D7 CK CQ CC C10 C8 T0 T17 T12 T3
deal talon H9 T13 T11
B discard S10 C4 C3
B announce tarocks:10
C announce kings:4 cavallery:H half-cavallery:D half-cavallery:C queens
A pass
1. C HK H10 H9
2. C DK D5 D10
3. C CK C1 T2
4. B SK S2 S7
5. B D9 DQ D4
6. C C8 CJ T4
7. B D8 T0 DC
8. A C2 T6 C10
9. B D6 DJ D3
10. C D7 T5 D2
11. A C5 T7 CC
12. B D1 T17 T18
13. A C6 T16 CQ
14. B H8 H6 H4
15. A T21 T10 T3
16. A C7 T14 T12
17. B H5 H1 H7
18. C S4 S9 S1
19. A C9 T13 S5
20. B H3 HJ T19
21. A T8 T11 S8
22. B H2 HQ T9
23. A T15 T1 HC
24. A SJ S3 SQ
25. C SC T20 S6
""",
)

GROSS_SKUS_LATE = Worked(
    title="T0 in one of the last three tricks is lost to the winner, and T1 in the last one.",
    reckoning="""
B plays T0 to trick 24, one of the last three: C, who wins it, keeps it. tarocks:10 is 10, kings:3 is 5.
A wins tricks 2, 3, 5, 10, 12, 14, 16, 18, 22, with HC HJ H5 put away: SK 1 × 5 = 5; HQ CQ 2 × 4 = 8; HC DC
CC 3 × 3 = 9; HJ 1 × 2 = 2; 23 blanks 23: 47 in 30 cards, − 2 × 10 = 27.
B wins tricks 1, 4, 8, 21, 25: HK CK T1 3 × 5 = 15; DQ 1 × 4 = 4; DJ 1 × 2 = 2; 10 blanks 10: 31 in 15
cards, − 2 × 5 = 21.
C wins tricks 6, 7, 9, 11, 13, 15, 17, 19, 20, 23, 24: DK T0 T21 3 × 5 = 15; SQ 1 × 4 = 4; SC 1 × 3 = 3; SJ
CJ 2 × 2 = 4; 26 blanks 26: 52 in 33 cards, − 2 × 11 = 30.
declare-kings: A −5, B +10, C −5
declare-tarocks: A −10, B −10, C +20
declare-kings: A −5, B −5, C +10
king: A −5, B +10, C −5
king: A +10, B −5, C −5
king: A −5, B +10, C −5
king: A −5, B −5, C +10
pagat-ultimo: A +15, B +15, C −30
card-points: A 27 − 26, B 21 − 26, C 30 − 26: A +1, B −5, C +4
Score: A −9, B 15, C −6.
""",
    text="""\
[TGN "1"]
[Game "grosstarock"]
[A "Høgni"]
[B "Ågot"]
[C "Frøydis"]
[Dealer "A"]

deal A SK S10 S9 S7 S4 S1 HC HJ H5 H8 DC DJ D4 D8 D9 D10 CQ C5 C4 C2 T19 T15 T11 T6 T2
deal B SC S6 S3 S2 HK HQ H1 H4 H10 DQ D2 D3 D5 D7 CK C10 C7 C3 C1 T0 T20 T16 T13 T7 T3
deal C SQ SJ S8 S5 H2 H3 H6 H7 H9 DK D1 D6 CC C8 C6 T21 T18 T17 T14 T10 T9 T8 T5 T4 T1
deal talon CJ C9 T12
A discard HC HJ H5
A pass
B announce kings:3
C announce tarocks:10 kings:3
1. B HK H9 H8
2. B T3 T4 T6
3. A SK S2 S5
4. A C2 CK C6
5. B C1 CC CQ
6. A C4 C3 C8
7. C DK D10 D7
8. C D6 D9 DQ
9. B C7 T5 C5
10. C D1 DC D5
11. A C9 C10 T8
12. C H7 T2 H10
13. A D8 D2 T9
14. C H6 T11 H4
15. A D4 D3 T10
16. C H3 T12 H1
17. A S1 SC SQ
18. C H2 T19 HQ
19. A S4 S6 SJ
20. C T21 T15 T7
21. C T14 S7 T16
22. B S3 S8 S10
23. A S9 T13 T17
24. C T18 CJ T0
25. C T1 DJ T20
""",
)

GROSS_SKUS_NO_TRICK = Worked(
    title="T0's player takes no trick in the whole deal: it stays with the winner. He makes a null, too.",
    reckoning="""
B takes no trick: his T0 stays with the winner, A, and he makes a null, not announced: 26. He paid 5 for
each of A's three Kings and 5 for A's T1, and 10 for his own CK. Back: from A 15 + 5 + 5 = 25, from C 5. No
card points are scored beside a null.
A wins tricks 1, 2, 3, 5, 6, 9, 10, 12, 15, 17, 19, 21: SK HK DK CK T0 T1 6 × 5 = 30; DC CC 2 × 3 = 6; 28
blanks 28: 64 in 36 cards, − 2 × 12 = 40.
B wins no trick, with SC SJ DJ put away: SC 1 × 3 = 3; SJ DJ 2 × 2 = 4: 7 in 3 cards, − 2 × 1 = 5.
C wins tricks 4, 7, 8, 11, 13, 14, 16, 18, 20, 22, 23, 24, 25: T21 1 × 5 = 5; SQ HQ DQ CQ 4 × 4 = 16; HC 1 ×
3 = 3; HJ CJ 2 × 2 = 4; 31 blanks 31: 59 in 39 cards, − 2 × 13 = 33.
declare-half-cavallery: A −5, B +10, C −5
declare-ladons: A −30, B +60, C −30
declare-tarocks: A −10, B −10, C +20
declare-kings: A +20, B −10, C −10
king: A +10, B −5, C −5
king: A +10, B −5, C −5
pagat: A +10, B −5, C −5
king: A +5, B −10, C +5
king: A +10, B −5, C −5
last-trick: A −5, B −5, C +10
null: A −26, B +52, C −26
null-refund: A −25, B +30, C −5
Score: A −36, B 97, C −61.
""",
    text="""\
[TGN "1"]
[Game "grosstarock"]
[A "Ærtha"]
[B "Frøydis"]
[C "Søren"]
[Dealer "B"]

deal A SK S10 S8 S7 S3 HK HJ H1 H2 H6 H8 DK DC D1 D7 C8 C6 T19 T18 T14 T13 T10 T9 T7 T1
deal B SC SJ S6 S4 H3 H5 H7 H9 DJ D2 D5 D9 D10 CK CQ CC C10 C7 C5 C3 C1 T0 T17 T8 T6
deal C SQ S9 S5 S2 HQ HC H10 DQ D3 D4 D6 D8 CJ C9 C4 T21 T20 T16 T15 T12 T11 T5 T4 T3 T2
deal talon S1 H4 C2
B discard SC SJ DJ
B announce half-cavallery:C ladons:19
C announce tarocks:10
A announce kings:4
1. C C4 C6 C5
2. A SK T0 S2
3. A HK H3 H10
4. A C8 C7 CJ
5. C C9 T1 CK
6. A DK D2 D8
7. A D7 D9 DQ
8. C T21 T7 T17
9. C T2 T9 T8
10. A D1 D5 D6
11. A H8 H9 HQ
12. C T3 T10 T6
13. A H6 H7 HC
14. C T20 T13 CQ
15. C T16 T19 CC
16. A H2 H4 T4
17. C D4 DC D10
18. A H1 H5 T5
19. C D3 T18 S6
20. A S3 S1 SQ
21. C S5 S7 S4
22. A S8 C10 S9
23. C T15 T14 C3
24. C T12 S10 C2
25. C T11 HJ C1
""",
)

GROSS_SKUS_OWED = Worked(
    title="T0 is played before its player has won anything: the card owed is paid from his first trick.",
    reckoning="""
A plays T0 to trick 2, which B wins, and has no trick yet. In trick 8 A wins D10 D6 DJ and hands B the
lowest card of it that comes last, D10. tarocks:11 is 15, kings:5 (four Kings and T21) 15.
A wins tricks 8, 13, 19: T0 T1 2 × 5 = 10; SQ 1 × 4 = 4; DJ 1 × 2 = 2; 5 blanks 5: 21 in 9 cards, − 2 × 3 =
15.
B wins tricks 1, 2, 4, 5, 7, 9, 11, 15, 17, 21, 23: SK DK CK T21 4 × 5 = 20; SC 1 × 3 = 3; SJ CJ 2 × 2 = 4;
26 blanks 26: 53 in 33 cards, − 2 × 11 = 31.
C wins tricks 3, 6, 10, 12, 14, 16, 18, 20, 22, 24, 25, with HC H2 CQ put away: HK 1 × 5 = 5; HQ DQ CQ 3 × 4
= 12; HC DC CC 3 × 3 = 9; HJ 1 × 2 = 2; 28 blanks 28: 56 in 36 cards, − 2 × 12 = 32.
declare-tarocks: A −15, B −15, C +30
declare-kings: A −15, B +30, C −15
king: A −5, B +10, C −5
king: A −5, B +10, C −5
king: A +5, B −10, C +5
king: A −5, B +10, C −5
pagat: A +10, B −5, C −5
last-trick: A −5, B −5, C +10
card-points: A 15 − 26, B 31 − 26, C 32 − 26: A −11, B +5, C +6
Score: A −46, B 30, C 16.
""",
    text="""\
[TGN "1"]
[Game "grosstarock"]
[A "Ågot"]
[B "Frøydis"]
[C "Søren"]
[Dealer "C"]

deal A SQ S10 S8 S5 HQ HJ H3 H4 H5 H8 DJ D1 D5 D8 C9 C8 C7 C3 C2 C1 T0 T13 T9 T4 T1
deal B SK SC SJ S2 S1 HK H1 H6 H7 H9 H10 DK D2 D3 D7 D10 CK CJ C10 T21 T20 T18 T12 T11 T10
deal C S9 S7 S6 S4 S3 H2 DQ DC D4 D6 D9 CQ CC C6 C5 C4 T19 T17 T16 T15 T14 T7 T6 T5 T3
deal talon HC T8 T2
C discard HC H2 CQ
C announce tarocks:11
A pass
B announce kings:5
1. A C1 CK C4
2. B SK S3 T0
3. B HK T19 H8
4. C C5 C9 CJ
5. B DK D9 D8
6. B C10 CC C2
7. C C6 C3 T10
8. B D10 D6 DJ
9. A C7 T21 T2
10. B D7 DQ D5
11. C T3 T4 T12
12. B D3 DC D1
13. C D4 T1 D2
14. A C8 T11 T14
15. C T5 T9 T18
16. B H10 T6 H5
17. C T7 T13 T20
18. B H9 T17 H4
19. C S4 SQ S1
20. A H3 H7 T8
21. C S6 S10 SC
22. B H6 T16 HJ
23. C S7 S5 SJ
24. B H1 T15 HQ
25. C S9 S8 S2
""",
)

GROSS_NULL_REFUND = Worked(
    title="A null announced later and made: what B paid for lost and others' Kings and Pagat comes back.",
    reckoning="""
B announces null before the lead to trick 4: 31. He paid 5 for each of C's SK and DK, 5 for A's HK, 10 for
his own CK (5 to each) and 10 for his own T1. Back: from A 5 + 5 + 5 = 15, from C 5 + 5 + 5 + 5 = 20.
last-trick stands. ladons:19 is 15 + 15, tarocks:11 15, kings:3 5. C plays T0 to trick 25: lost to A.
A wins tricks 2, 3, 5, 7, 8, 10, 12, 14, 16, 18, 20, 23, 24, 25: HK CK T0 T21 T1 5 × 5 = 25; SQ HQ 2 × 4 =
8; SC HC DC CC 4 × 3 = 12; HJ DJ CJ 3 × 2 = 6; 28 blanks 28: 79 in 42 cards, − 2 × 14 = 51.
B wins no trick, with S5 S4 S3 put away: 3 blanks 3: 3 in 3 cards, − 2 × 1 = 1.
C wins tricks 1, 4, 6, 9, 11, 13, 15, 17, 19, 21, 22: SK DK 2 × 5 = 10; DQ CQ 2 × 4 = 8; SJ 1 × 2 = 2; 28
blanks 28: 48 in 33 cards, − 2 × 11 = 26.
declare-ladons: A −30, B +60, C −30
declare-kings: A −5, B −5, C +10
declare-tarocks: A +30, B −15, C −15
king: A −5, B −5, C +10
king: A +10, B −5, C −5
king: A −5, B −5, C +10
king: A +5, B −10, C +5
pagat: A +5, B −10, C +5
last-trick: A +10, B −5, C −5
null: A −31, B +62, C −31
null-refund: A −15, B +35, C −20
Score: A −31, B 97, C −66.
""",
    text="""\
[TGN "1"]
[Game "grosstarock"]
[A "Høgni"]
[B "Ågot"]
[C "Frøydis"]
[Dealer "B"]

deal A SQ SC S9 S8 S6 HK HQ DC DJ D2 D3 CC C9 C8 T21 T20 T18 T16 T14 T13 T11 T9 T8 T5 T2
deal B S5 S4 S3 S1 H4 H5 H6 H7 H8 H9 D1 D4 D5 D7 D8 D9 D10 CK C7 C6 C4 C1 T7 T4 T3
deal C SK SJ S10 S7 S2 HC HJ H1 H2 H3 H10 DK DQ D6 CQ C5 C3 C2 T0 T19 T17 T15 T12 T10 T6
deal talon CJ C10 T1
B discard S5 S4 S3
B announce ladons:19
C announce kings:3
A announce tarocks:11
1. C SK S6 S1
2. C C2 C8 C7
3. A HK H4 H10
B announce null
4. A C9 C6 CQ
5. C C3 CC CJ
6. A D3 D4 DK
7. C C5 T21 CK
8. A T20 T1 T6
9. A T2 T3 T10
10. C D6 DC D1
11. A D2 D5 DQ
12. C H3 HQ H5
13. A T5 T4 T12
14. C H2 T8 H6
15. A T9 T7 T15
16. C H1 T18 H7
17. A S8 H8 SJ
18. C S2 SQ H9
19. A T11 D7 T17
20. C S7 SC D8
21. A T13 D9 T19
22. C S10 S9 D10
23. C HJ T14 C10
24. A DJ C4 HC
25. A T16 C1 T0
""",
)

GROSS_BOLE_FAILED = Worked(
    title="Bolé announced before the first lead and failed; the dealer has put T0 away.",
    reckoning="""
C puts away SC, CC and T0, which may always go. A announces bolé before the first lead and loses trick 2: he
pays 52. tarocks:10 is 10, kings:3 5, a cavallery 10.
A wins tricks 1, 3, 6, 11, 15, 24: SK T21 2 × 5 = 10; SQ CQ 2 × 4 = 8; SJ DJ CJ 3 × 2 = 6; 11 blanks 11: 35
in 18 cards, − 2 × 6 = 23.
B wins tricks 2, 8, 10, 13, 14, 17, 19, 21, 23, 25: HK CK T1 3 × 5 = 15; HQ DQ 2 × 4 = 8; DC 1 × 3 = 3; HJ 1
× 2 = 2; 23 blanks 23: 51 in 30 cards, − 2 × 10 = 31.
C wins tricks 4, 5, 7, 9, 12, 16, 18, 20, 22, with SC CC T0 put away: DK T0 2 × 5 = 10; SC HC CC 3 × 3 = 9;
25 blanks 25: 44 in 30 cards, − 2 × 10 = 24.
declare-cavallery: A −10, B −10, C +20
declare-tarocks: A −10, B +20, C −10
declare-kings: A −5, B +10, C −5
king: A +10, B −5, C −5
king: A −5, B +10, C −5
king: A −5, B −5, C +10
pagat: A −5, B +10, C −5
king: A −5, B +10, C −5
last-trick: A −5, B +10, C −5
bole: A −104, B +52, C +52
card-points: A 23 − 26, B 31 − 26, C 24 − 26: A −3, B +5, C −2
Score: A −147, B 107, C 40.
""",
    text="""\
[TGN "1"]
[Game "grosstarock"]
[A "Aksel"]
[B "Viggo"]
[C "Høgni"]
[Dealer "C"]

deal A SK SJ S7 S3 HJ H1 H2 H5 H8 D1 D2 D4 D7 D9 CQ C8 C7 C6 C5 C4 C3 T21 T6 T5 T4
deal B SQ S9 S8 S6 S5 S2 HK HQ H7 D5 D10 CK C10 C2 C1 T20 T19 T15 T12 T11 T9 T7 T3 T2 T1
deal C SC S10 S4 S1 H3 H4 H6 H9 H10 DK DQ DC DJ D6 D8 CC C9 T0 T18 T17 T16 T14 T13 T10 T8
deal talon HC D3 CJ
C discard SC CC T0
C announce cavallery:D
A pass
B announce tarocks:10 kings:3
A announce bole
1. A SK S2 S1
2. A C3 CK C9
3. B C1 CJ CQ
4. A C4 C2 T8
5. C DK D9 D10
6. C D8 D1 D5
7. A C5 C10 T10
8. C D6 D2 T1
9. B H7 HC H8
10. C D3 D7 T2
11. B T20 T13 T21
12. A C6 T3 T14
13. C DC D4 T7
14. B HK H10 H5
15. B S5 S4 SJ
16. A C7 T9 T16
17. C H9 HJ HQ
18. B S6 S10 S3
19. C H6 H2 T11
20. B S8 T17 S7
21. C H4 H1 T12
22. B S9 T18 T4
23. C H3 T6 T15
24. B SQ DJ T5
25. A C8 T19 DQ
""",
)

#: Every deal by its name.
WORKED = {name: deal for name, deal in globals().items() if isinstance(deal, Worked)}
