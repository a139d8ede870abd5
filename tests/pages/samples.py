"""Deals that the pages' tests show. The Taroky deal is the one of the notation's specification, reckoned on
paper; the others are it with one thing changed, or come from the simulator."""

from __future__ import annotations

from tarock.notation import write_text
from tarock.record import Record
from tarock.simulate import simulate
from tests import example

TAROKY = (
    example.TAROKY.replace('D=105"]\n', 'D=105"]\n[Annotator "Petr"]\n')
    .replace("A bid first", "{ the deal of the evening }\nA bid first")
    .replace("A announce re:pagat", "A announce re:pagat { a brave word }")
)

FIRST_CARD = 16
"""Events before the first card of TAROKY."""
LAST_STEP = FIRST_CARD + 48
FIRST_SEEN = {"A": 14, "B": 15, "C": 15, "D": 14, "none": 14}
"""The same by what each seat sees, and everybody: nobody hears B and C pass up the sub (events 14 and 15),
but each himself."""

DISPUTED = TAROKY.replace("A=105 B=-105 C=-105 D=105", "A=100 B=-100 C=-100 D=100")
# In trick 4 diamonds are led; B holds D1 and D3 and plays a spade.
ILLEGAL = TAROKY.replace("4. A DQ D1", "4. A DQ SK").replace('[Deal "7"]', '[Deal "8"]')
ILLEGAL_EVENT = FIRST_CARD + 3 * 4 + 1
INCOMPLETE = TAROKY.replace("12. A T1 S7 SC SQ\n", "").replace('[Deal "7"]', '[Deal "9"]')
# The card D1 was dealt to B; here C has it too.
MALFORMED = TAROKY.replace("deal C SC", "deal C D1")

SCRIPT = "<script>alert(1)</script>"
NASTY = TAROKY.replace('"Alena"', f'"{SCRIPT}"').replace(
    "Hlučín club evening", "<img src=x onerror=alert(2)>"
)
NASTY = NASTY.replace("the deal of the evening", "<b>bold</b>").replace(
    '[Annotator "Petr"]', f'[{"X" * 5} "{SCRIPT}"]'
)


def simulated(game: str, players: int, number: int = 1, seed: int = 1) -> list[Record]:
    """Some simulated deals of one table."""
    return list(simulate(game, players=players, deals=number, seed=seed))


def as_text(records: list[Record]) -> str:
    """Records as a file that can be uploaded."""
    return "\n".join(write_text(record) for record in records)
