"""Hand-worked deals of Strohmann."""

from __future__ import annotations

from tests.engine.worked.deal import Worked

STROHMANN_EVEN = Worked(
    title="35 to 35 with a declarer: four points to his opponent.",
    calculation="""
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
