"""The kernel gives the same values as the engine's own search of endings."""

from __future__ import annotations

import hashlib
import json
import random
from dataclasses import replace
from typing import Any

import pytest
import wasmtime

from archive.kernel import solver
from tarock.analysis import endings
from tarock.analysis.fold import fold
from tarock.analysis.kernel_task import BITS, Task
from tarock.analysis.simulate import simulate
from tarock.core.record import Record
from tarock.core.table import Table
from tarock.notation import read_one, write_json
from tarock.view.answers.questions import answer_to
from tests.conformance import FOLDER
from tests.engine.driver import DEALS, TABLES
from tests.engine.wild_deals import wild_deals

KNOWN = [row for row in TABLES if row[0] in ("taroky", "troggu")]
ROWS = [json.loads(line) for line in (FOLDER / "endings.jsonl").read_text("utf-8").splitlines()]
#: Most tricks left with so many players, so that the engine needs less than half a second.
_TRICKS = {3: 4, 4: 4, 5: 3, 6: 3}


def solved(table: Table, played: list[Any], bits: int = BITS) -> endings.Ending:
    """Solve a position with the kernel, and check that the line is as good as the best card."""
    task = Task(table, played)
    assert task.fits
    found = task.ending(solver.run(task.words, bits=bits))
    end = table.fork()
    for event in found.best or ():
        end.apply(event)
    assert endings.worth(end, str(table.turn), end.outcome()) == max((found.values or {}).values())
    return found


@pytest.mark.parametrize("bits", [1, 18])
def test_the_fixtures(bits: int) -> None:
    compared = 0
    for row in ROWS:
        record = read_one(row["text"])
        _, table, why = endings.position(record, row["step"])
        if (row["game"], row["players"]) in KNOWN and table is not None and not why:
            compared += 1
            assert solved(table, record.events[table.step :], bits).values == row["values"]
    assert compared == 80


@pytest.mark.parametrize(("game", "players"), KNOWN)
def test_any_position(game: str, players: int) -> None:
    rng, left = random.Random(f"{game} {players}"), max(5, DEALS // 4)
    for record in wild_deals(game, players, 1):
        back = rng.randint(2, _TRICKS.get(players, 2) * len(record.active))
        _, table, why = endings.position(record, -1 - back)
        if table is None or why or not Task(table, record.events[table.step :]).fits:
            continue
        played = record.events[table.step :]
        assert solved(table, played).values == endings.solve(table, played).values
        left -= 1
        if not left:
            break


def test_it_prices_the_tricks_alone_of_a_side_that_took_them_all() -> None:
    """In two of these deals a side took all tricks, and by a house rule it counts no discards."""
    compared = 0
    for record in simulate("taroky", deals=22, seed=1, options=["valat-tricks-only"]):
        _, table, why = endings.position(record, tricks=2)
        if table is not None and not why and fold(record).table.outcome().tricks:
            compared += 1
            played = record.events[table.step :]
            assert solved(table, played).values == endings.solve(table, played).values
    assert compared == 2


def test_it_stops_at_a_number_of_cards() -> None:
    (record,) = simulate("taroky", deals=1, seed=32)
    _, table, _ = endings.position(record, tricks=5)
    assert table is not None
    task = Task(table, [])
    needed = task.ending(solver.run(task.words)).nodes
    assert task.ending(solver.run(task.words, nodes=needed + 1)).nodes == needed
    for nodes in (1, needed):
        with pytest.raises(endings.Limit):
            task.ending(solver.run(task.words, nodes=nodes))


def test_the_engine_solves_what_the_kernel_does_not_know() -> None:
    """Games with other special cards, and house rules by which more card points bring a lower price."""
    deals = [
        *simulate("strohmann", deals=1, seed=5),
        *simulate("grosstarock", players=2, deals=1, seed=5),
        *simulate("taroky", deals=3, seed=5, options=["tie=100"]),
    ]
    unknown = 0
    for record in deals:
        _, table, why = endings.position(record, tricks=3)
        if table is not None and not why:
            unknown += not Task(table, []).fits
        assert endings.ending(record, tricks=3, solver=solver.solve) == endings.ending(record, tricks=3)
    assert unknown >= 3


def values_of(record: Record, step: int) -> dict[str, Any]:
    """The answer to the question of a page, with the kernel that a browser has, too."""
    form = write_json(record)
    events = form["events"]
    return answer_to(
        {"ask": "values", "record": form | {"events": events[:step]}, "later": events[step:]}, solver.run
    )


def test_a_page_gets_the_values_or_the_reason() -> None:
    for row in ROWS:
        if row["step"] is not None:
            found = values_of(read_one(row["text"]), row["step"])
            assert (found["values"], found["why"]) == (row["values"], row["why"])
    (known,) = simulate("taroky", deals=1, seed=32)
    # The later events show all cards of these hands, but the board has not come to them.
    unknown = replace(known, deal=known.deal | {"A": ("?",) * 12, "B": ("?",) * 12})
    assert values_of(unknown, len(known.events) - 6)["why"] == "cards-unknown"


def test_a_page_gets_the_last_tricks() -> None:
    """Eight with the kernel; as many as have 20 cards by the engine's own search."""
    taroky, other = (
        next(
            one
            for one in simulate("taroky", deals=9, seed=32, options=options)
            if endings.sides_of(fold(one).table)
        )
        for options in ([], ["tie=100"])
    )
    (strohmann,) = simulate("strohmann", deals=1, seed=5)
    for record, tricks in ((taroky, 8), (other, 5), (strohmann, 8)):
        for left, why in ((tricks + 1, "limit"), (tricks, None)):
            step, _, _ = endings.position(record, tricks=left)
            assert step is not None
            found = values_of(record, step)
            assert (found["why"], found["tricks"]) == (why, tricks)


def test_the_module_is_that_of_its_source_and_imports_nothing() -> None:
    folder = solver.FOLDER
    sums = dict(line.split("  ")[::-1] for line in (folder / "SHA256SUMS").read_text("utf-8").splitlines())
    for name in ("kernel.c", "kernel.wasm"):
        content = (folder / name).read_bytes()
        assert hashlib.sha256(content).hexdigest() == sums[name], "run `make kernel`"
    module = wasmtime.Module(wasmtime.Engine(), (folder / "kernel.wasm").read_bytes())
    assert module.imports == []
