"""Hand-worked deals of Grosstarock."""

from __future__ import annotations

from tests.engine.worked.deal import Worked

GROSS_PLAIN = Worked(
    title="Four at the table, one sitting out; declarations, Kings and Pagat; T0 is paid for with a card.",
    calculation="""
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
    calculation="""
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
    calculation="""
B takes no trick: his T0 stays with the winner, A, and he makes a null, not announced: 26. He paid 5 for
each of A's three Kings and 5 for A's T1, and 10 for his own CK. Back: from A 15 + 5 + 5 = 25, from C 5. No
card points are scored with a null.
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
    calculation="""
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
    calculation="""
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
    calculation="""
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
