"""How many ways a deal can go on to its end from a fixed position late in the play.

Such counts find faults of what may be played that no single example would. Each is pinned as a literal, and a
second counter, which walks the plain reading of the rules (`oracle`) card by card, comes to the same number.
"""

from __future__ import annotations

from typing import Any

import pytest

from tarock.core.table import Table
from tarock.games import start
from tarock.notation import read_one, write_json
from tests.engine.driver import choices, copied
from tests.engine.oracle import GAMES
from tests.engine.oracle.play import Play
from tests.engine.worked import WORKED


def by_table(table: Table) -> int:
    if table.over:
        return 1
    number = 0
    for event in list(choices(table)):
        following = copied(table)
        following.apply(event)
        number += by_table(following)
    return number


def by_oracle(play: Play) -> int:
    if not any(play.hands.values()):
        return 1
    seat = play.turn()
    number = 0
    for card in play.may_play(seat):
        for token in play.ways(card):
            following = play.fork()
            following.put_card(seat, token)
            number += by_oracle(following)
    return number


def positions(name: str, tricks: int) -> tuple[Table, Play]:
    """Return a hand-worked deal with a number of tricks to go, on the engine's table and the oracle's."""
    record = read_one(WORKED[name].text)
    form: dict[str, Any] = write_json(record)
    plays = [n for n, event in enumerate(record.events) if event[1] == "play"]
    cut = plays[len(plays) - tricks * len(record.active)]
    table = start(record)
    for event in record.events[:cut]:
        table.apply(event)
    form["events"] = form["events"][:cut]
    oracle = GAMES[record.game](form)
    oracle.run()
    return table, oracle


@pytest.mark.slow
@pytest.mark.parametrize(("name", "tricks", "number"), [
    ("STROHMANN_EVEN", 6, 74),
    ("STROHMANN_VALAT", 5, 2400),
    ("STROHMANN_UNDECLARED", 4, 44),
    ("STROHMANN_ROSTOPSCHIN", 4, 576),
    ("TAROKY_RE", 4, 2016),  # the announcer keeps T1
    ("TAROKY_EVEN", 3, 576),
    ("TAROKY_TROIKA", 3, 348),
    ("TAROKY_PARTNER_WINS", 3, 288),
    ("TAROKY_VALAT_FAILED", 3, 72),
    ("VARSAVA_TIE_OF_TWO", 4, 576),  # each must beat
    ("VARSAVA_TIE_OF_THREE", 3, 120),
    ("TROGGU_DEAD_BETTLER", 3, 360),
    ("TROGGU_DEAD_NO_TRICK", 3, 288),
    ("TROGGU_DEAD_LEADS", 4, 1088),
    ("TROGGU_SPLIT_LOST", 2, 24),
    ("GROSS_PLAIN", 4, 1872),
    ("GROSS_SKUS_LATE", 3, 552),  # T0 still to be played: led with five names
    ("GROSS_SKUS_OWED", 4, 1032),
    ("GROSS_NULL_REFUND", 3, 360),
    ("GROSS_BOLE_FAILED", 3, 48),
])  # fmt: skip
def test_ways_to_the_end(name: str, tricks: int, number: int) -> None:
    table, oracle = positions(name, tricks)
    assert by_table(table) == by_oracle(oracle) == number
