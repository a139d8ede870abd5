"""One record in both forms, and how it is altered."""

from __future__ import annotations

import json
from typing import Any

TEXT = """\
[TGN "1"]
[Game "taroky"]
[A "Alena"]
[B "Bořek"]
[C "Cyril"]
[D "Dana"]
[Dealer "D"]
[Date "2026-11-20"]
[Score "A=1 B=-1 C=-1 D=1"]

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
A pass
1. A T20 T5 T7 T15
2. A T12 T3
"""
FORM: dict[str, Any] = {
    "tgn": 1,
    "game": "taroky",
    "dealer": "D",
    "players": {"A": "Alena", "B": "Bořek", "C": "Cyril", "D": "Dana"},
    "options": [],
    "tags": {"Date": "2026-11-20"},
    "deal": {"A": ["DQ", "D4", "C9", "T20", "T17", "T16", "T14", "T12", "T9", "T6", "T4", "T1"],
     "B": ["SK", "SJ", "S10", "HQ", "HJ", "H4", "D1", "D3", "CQ", "C10", "T5", "T3"],
     "C": ["SC", "S9", "H3", "DK", "DC", "CC", "C7", "T21", "T18", "T11", "T8", "T7"],
     "D": ["SQ", "HC", "H2", "D2", "CJ", "C8", "T0", "T19", "T15", "T13", "T10", "T2"],
     "talon": ["CK", "S8", "HK", "H1", "S7", "DJ"]},
    "events": [["A", "bid", "first"], ["B", "pass"], ["C", "pass"], ["D", "pass"], ["A", "call", "T19"],
     ["A", "discard", "S8", "H1", "D4", "C9"], ["B", "discard", "CQ"], ["C", "refuse"],
     ["D", "discard", "H2"], ["A", "announce", "tarocky", "pagat"],
     ["B", "announce", "barvicky", "flek:pagat"], ["C", "pass"], ["D", "pass"], ["A", "pass"],
     ["A", "play", "T20"], ["B", "play", "T5"], ["C", "play", "T7"], ["D", "play", "T15"],
     ["A", "play", "T12"], ["B", "play", "T3"]],
    "comments": {},
    "score": {"A": 1, "B": -1, "C": -1, "D": 1},
}  # fmt: skip


def altered(**changes: Any) -> str:
    """The JSON of FORM with keys changed; None takes a key away."""
    form = FORM | changes
    return json.dumps({key: found for key, found in form.items() if found is not None})


def sure(old: str, new: str, text: str = TEXT) -> str:
    """The text with one piece replaced, which must be there."""
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)
