"""Hand-worked deals of Troggu."""

from __future__ import annotations

from tests.engine.worked.deal import Worked

TROGGU_DEAD_BETTLER = Worked(
    title="A dead Bättler comes down in the last trick and stays with its side, which hands over a blank.",
    calculation="""
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
