"""The deal that the specification of the notation works out: tests of every part show it, or a variant."""

from __future__ import annotations

#: A bids the First Duty and announces the pagat; D holds the called T19; B and C raise in vain.
TAROKY = """\
[TGN "1"]
[Game "taroky"]
[A "Alena"]
[B "Bořek"]
[C "Cyril"]
[D "Dana"]
[Dealer "D"]
[Date "2026-11-20"]
[Event "Hlučín club evening"]
[Session "2026-11-20 table 2"]
[Deal "7"]
[Options "settle-uncontested"]
[Score "A=105 B=-105 C=-105 D=105"]

deal A DQ D4 C9 T20 T17 T16 T14 T12 T9 T6 T4 T1
deal B SK SJ S10 HQ HJ H4 D1 D3 CQ C10 T5 T3
deal C SC S9 H3 DK DC CC C7 T21 T18 T11 T8 T7
deal D SQ HC H2 D2 CJ C8 T0 T19 T15 T13 T10 T2
deal talon CK S8 HK H1 S7 DJ
A bid first
B pass
C pass
D pass
A call T19
A discard S8 H1 D4 C9
B discard CQ
C refuse
D discard H2
A announce tarocky pagat
B announce barvicky flek:pagat
C pass
D pass
A announce re:pagat
B pass
C pass
1. A T20 T5 T7 T15
2. A T12 T3 T21 T19
3. C C7 C8 CK C10
4. A DQ D1 DC DJ
5. A HK HQ H3 HC
6. A T14 SK T8 T10
7. A T17 SJ T11 T2
8. A T6 H4 T18 T13
9. C DK D2 T4 D3
10. A T9 HJ S9 T0
11. D CJ T16 S10 CC
12. A T1 S7 SC SQ
"""

#: Called T19 makes D the partner. B and C hold 16 in nine cards, 16 - 6 = 10, so A and D have 60: game
#: 60 - 35 = 25; announced pagat won with re 20 x 4 = 80; tarocky 5; B's barvicky 5 to the others:
#: 25 + 80 + 5 - 5 = 105 each.
TAROKY_SCORE = {"A": 105, "B": -105, "C": -105, "D": 105}


def with_tag(text: str, line: str, *, before: str) -> str:
    """A record's text with one more tag line, before the tag of that name."""
    return text.replace(f"[{before} ", f"{line}\n[{before} ", 1)
