"""Records the API's tests send. What they score is written in the notation's own specification, not found by
our engine."""

import json
from typing import Any

from tests.example import TAROKY, TAROKY_SCORE

__all__ = [
    "DISPUTED",
    "ILLEGAL",
    "INCOMPLETE",
    "MALFORMED",
    "TAROKY",
    "TAROKY_SCORE",
    "TROGGU",
    "TROGGU_SCORE",
]

#: A plays alone at a table of three, takes 62 of the 114 card points, and gets 2 chips from each of the
#: others.
TROGGU = r"""[TGN "1"]
[Game "troggu"]
[A "Alena"]
[B "a\\b"]
[C "Jan \"Skus\" V."]
[Dealer "B"]
[Date "2026-??-??"]
[Event "Hlučín club evening"]
[Score "A=4 B=-2 C=-2"]

deal A SQ S9 S8 HK HC HJ H5 DQ D5 D6 CK C6 C5 T18 T17 T15 T12 T5
deal B SK SJ S7 HQ H2 H3 H4 DK D1 D2 CQ T16 T11 T10 T9 T8 T6 T2
deal C SC S5 H1 H6 DC D3 D4 CJ C9 C8 C7 T0 T20 T19 T7 T4 T3 T1
deal talon S10 S6 DJ CC C10 T21 T14 T13
C pass
A solo
1. A T18 T2 T1
2. A T17 T6 T7
3. A T15 T8 T0
4. C CJ CK CQ
5. A T12 T9 T19
6. C T20 T5 T10
7. C H6 HK H3
8. A SQ S7 SC
9. A DQ D1 D4
10. A HC H2 H1
11. A HJ H4 T3
12. C S5 S9 SJ
13. B D2 DC D5
14. C C7 C6 T11
15. B HQ T4 H5
16. C C8 C5 T16
17. B SK D3 S8
18. B DK C9 D6
"""

TROGGU_SCORE = {"A": 4, "B": -2, "C": -2}

#: The same deal of Troggu with a claim that is not what the rules give.
DISPUTED = TROGGU.replace("A=4 B=-2 C=-2", "A=2 B=-1 C=-1")

#: It stops in the fourth trick.
INCOMPLETE = TAROKY[: TAROKY.index("5. A HK")].replace("[Score ", "[Remark ")

#: B has hearts in trick 5 and plays a tarock that it never had.
ILLEGAL = TAROKY.replace("5. A HK HQ", "5. A HK T2")

#: A card that is in no pack, in the line and column named.
MALFORMED = TAROKY.replace("deal B SK SJ", "deal B SX SJ")
MALFORMED_LINE, MALFORMED_COLUMN = 16, 8


def taroky_json(**changes: Any) -> dict[str, Any]:
    """The Taroky deal in the JSON form, with some of its keys changed."""
    tags, deal, events = {}, {}, []
    for line in TAROKY.splitlines():
        head, _, rest = line.partition(" ")
        if line.startswith("["):
            tags[head[1:]] = rest[1:-2]
        elif head == "deal":
            where, *cards = rest.split()
            deal[where] = cards
        elif head.endswith("."):
            leader, *cards = rest.split()
            first = "ABCD".index(leader)
            events += [["ABCD"[(first + n) % 4], "play", card] for n, card in enumerate(cards)]
        elif line:
            events.append(line.split())
    record = {
        "tgn": 1,
        "game": tags["Game"],
        "dealer": tags["Dealer"],
        "players": {seat: tags[seat] for seat in "ABCD"},
        "options": tags["Options"].split(),
        "tags": {name: tags[name] for name in ("Date", "Event", "Session", "Deal")},
        "deal": deal,
        "events": events,
        "comments": {},
        "score": dict(TAROKY_SCORE),
    }
    return {**record, **changes}


def wrong_seat_json() -> dict[str, Any]:
    """A deal in which C follows before B, which text cannot write: a trick's line says who leads, no more."""
    record = taroky_json()
    first = next(n for n, event in enumerate(record["events"]) if event[1] == "play")
    events = record["events"]
    events[first + 1], events[first + 2] = events[first + 2], events[first + 1]
    return record


def json_text(value: Any) -> str:
    """JSON as a client would send it."""
    return json.dumps(value, ensure_ascii=False)


def taroky_without_option() -> str:
    """The same cards without the option: another deal by its digest."""
    return TAROKY.replace('[Options "settle-uncontested"]\n', "")
