"""Records that tests of every part send, store, and show. The scores of the played ones are worked out by
hand from the notation's specification, not by our engine; others are variants of one of them, come from the
simulator, or are merely dealt."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

from tarock.analysis.simulate import simulate
from tarock.core.cards import names, pack
from tarock.core.record import Record
from tarock.notation import write_text

# --- the deal that the specification works out --------------------------------------------------------------

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

FIRST_CARD = 16
"""Events before the first card of TAROKY."""
LAST_STEP = FIRST_CARD + 48
FIRST_SEEN = {"A": 14, "B": 15, "C": 15, "D": 14, "none": 14}
"""The same by what each seat sees, and everybody: nobody hears B and C pass up the sub (events 14 and 15),
but each himself."""


def with_tag(text: str, line: str, *, before: str) -> str:
    """A record's text with one more tag line, before the tag of that name."""
    return text.replace(f"[{before} ", f"{line}\n[{before} ", 1)


#: The same with a place.
PLACED = with_tag(TAROKY, '[Site "Hlučín"]', before="Session")

#: The same with comments and a tag of its own.
ANNOTATED = (
    TAROKY.replace('D=105"]\n', 'D=105"]\n[Annotator "Petr"]\n')
    .replace("A bid first", "{ the deal of the evening }\nA bid first")
    .replace("A announce re:pagat", "A announce re:pagat { a brave word }")
)

# --- the same with something wrong --------------------------------------------------------------------------

#: Another claim, and another name for A.
DISPUTED = TAROKY.replace("A=105 B=-105 C=-105 D=105", "A=100 B=-100 C=-100 D=100").replace("Alena", "Anna")

#: C speaks at event 1, where it is B's turn.
ILLEGAL_BID = TAROKY.replace("B pass\nC pass\nD pass\nA call", "C pass\nB pass\nD pass\nA call", 1)

#: B has hearts in trick 5 and plays a tarock that it never had.
NOT_HELD = TAROKY.replace("5. A HK HQ", "5. A HK T2")

#: The last trick is missing.
INCOMPLETE = TAROKY[: TAROKY.index("12. A")]

#: It stops in the fourth trick, and claims nothing.
BROKEN_OFF = TAROKY[: TAROKY.index("5. A HK")].replace("[Score ", "[Remark ")

#: The same, and nobody wrote down the hands of C and D.
HANDS_UNKNOWN = "\n".join(
    line for line in BROKEN_OFF.splitlines() if not line.startswith(("deal C", "deal D"))
).replace("table 2", "table 5")

#: C revokes in trick 5, which was noticed too late: the agreed score replaces the computed one.
AGREED = (
    TAROKY.replace("5. A HK HQ H3 HC", "5. A HK HQ SC HC")
    .replace("S7 SC SQ", "S7 H3 SQ")
    .replace('[Score "A=105 B=-105 C=-105 D=105"]', '[Agreed "A=20 B=-20 C=-20 D=20"]')
    .replace("table 2", "table 6")
)

#: A card that is in no pack, in the line and column named.
MALFORMED = TAROKY.replace("deal B SK", "deal B SX")
MALFORMED_LINE, MALFORMED_COLUMN = 16, 8

# --- the annotated one with something wrong; two are other deals of its session --------------

#: Another claim.
WRONG_CLAIM = ANNOTATED.replace("A=105 B=-105 C=-105 D=105", "A=100 B=-100 C=-100 D=100")

#: In trick 4 diamonds are led; B holds D1 and D3 and plays a spade.
ILLEGAL = ANNOTATED.replace("4. A DQ D1", "4. A DQ SK").replace('[Deal "7"]', '[Deal "8"]')
ILLEGAL_EVENT = FIRST_CARD + 3 * 4 + 1

#: The last trick is missing.
UNFINISHED = ANNOTATED.replace("12. A T1 S7 SC SQ\n", "").replace('[Deal "7"]', '[Deal "9"]')

#: The card D1 was dealt to B; here C has it too.
DEALT_TWICE = ANNOTATED.replace("deal C SC", "deal C D1")

SCRIPT = "<script>alert(1)</script>"
NASTY = ANNOTATED.replace('"Alena"', f'"{SCRIPT}"').replace(
    "Hlučín club evening", "<img src=x onerror=alert(2)>"
)
NASTY = NASTY.replace("the deal of the evening", "<b>bold</b>").replace(
    '[Annotator "Petr"]', f'[{"X" * 5} "{SCRIPT}"]'
)

# --- another game -------------------------------------------------------------------------------------------

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

#: The same deal with a claim that is not what the rules give.
DISPUTED_TROGGU = TROGGU.replace("A=4 B=-2 C=-2", "A=2 B=-1 C=-1")

# --- any number of deals ------------------------------------------------------------------------------------


def simulated(game: str, players: int, number: int = 1, seed: int = 1) -> list[Record]:
    """Some simulated deals of one table."""
    return list(simulate(game, players=players, deals=number, seed=seed))


def as_text(records: list[Record]) -> str:
    """Records as a file that can be uploaded."""
    return "\n".join(write_text(record) for record in records)


def dealt(seed: int, *, players: Iterable[str] = ("Ada", "Ben", "Cleo", "Dov"), **tags: str) -> str:
    """A Taroky deal in TGN that nobody has played: well-formed, ``incomplete``, another one for each seed."""
    cards = list(names(pack(54)))
    random.Random(seed).shuffle(cards)
    hands = {seat: cards[12 * n : 12 * n + 12] for n, seat in enumerate("ABCD")}
    lines = ['[TGN "1"]', '[Game "taroky"]']
    lines += [f'[{seat} "{name}"]' for seat, name in zip("ABCD", players, strict=True)]
    lines += ['[Dealer "A"]', *(f'[{name} "{value}"]' for name, value in tags.items()), ""]
    lines += [f"deal {seat} {' '.join(hand)}" for seat, hand in hands.items()]
    lines += [f"deal talon {' '.join(cards[48:])}"]
    return "\n".join(lines) + "\n"


def many(count: int, *, first: int = 0, **tags: str) -> bytes:
    """This many different dealt records in one text."""
    return "\n".join(dealt(seed, **tags) for seed in range(first, first + count)).encode()


def as_json(seed: int = 0, **changes: object) -> bytes:
    """A dealt record in the JSON form, with some of its keys changed."""
    cards = list(names(pack(54)))
    random.Random(seed).shuffle(cards)
    record: dict[str, object] = {
        "tgn": 1,
        "game": "taroky",
        "dealer": "A",
        "players": {"A": "Ada", "B": "Ben", "C": "Cleo", "D": "Dov"},
        "options": [],
        "tags": {},
        "deal": {
            **{seat: cards[12 * n : 12 * n + 12] for n, seat in enumerate("ABCD")},
            "talon": cards[48:],
        },
        "events": [],
        "comments": {},
    }
    return json.dumps(record | changes).encode()


# --- the JSON form ------------------------------------------------------------------------------------------


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


# --- score sheets without cards ----------------------------------------------------------------------------

#: Game 60 - 35 = 25; announced pagat won with re 20 x 4 = 80; tarocky 5: 25 + 80 + 5 = 110 each.
SHEET = """[TGN "1"]
[Game "taroky"]
[A "Alena"]
[B "Bob"]
[C "Cyril"]
[D "Dana"]
[Dealer "D"]
[Date "2026-06-05"]
[Session "June"]
[Deal "7"]
[Score "A=110 B=-110 C=-110 D=110"]
[Annotator "Petr"]

{ the deal of the evening }
sheet contract first
sheet bidder A
sheet partner D
sheet points bidder 60
sheet hand A tarocky
sheet double pagat re A
sheet pagat announced A made
"""
#: The same, with the 5 of the tarocky forgotten.
DISPUTED_SHEET = SHEET.replace("A=110 B=-110 C=-110 D=110", "A=105 B=-105 C=-105 D=105")
#: With more card points than the pack has.
SHEET_THAT_CANNOT_BE = SHEET.replace("bidder 60", "bidder 71")
#: Without the partner of a First Duty.
SHEET_LACKING = SHEET.replace("sheet partner D\n", "")
