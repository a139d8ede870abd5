"""Hand-worked deals of Czech Taroky."""

from __future__ import annotations

from tests.engine.worked.deal import Worked
from tests.samples import TAROKY

TAROKY_RE = Worked(
    title="Two against two: an announced pagat won after flek and re, and a hand declaration on each side.",
    calculation="""
The called T19 makes D the partner. (This deal and its calculation stand in the specification of the
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
