"""Benchmark of endings: the engine's search and the kernel, by game, players and number of tricks left.

The positions are at the start of a trick, in simulated deals and in those of `tests/conformance`. Times are
CPU times of single positions, and the kernel's time includes its price table. The number of cards that a
search plays (nodes), the number of positions over the server's limits, and the share of deals that a worker
analyses within its limits don't depend on the machine.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice, product
from pathlib import Path
from typing import Any

from archive.kernel import solver
from tarock.analysis.endings import Ending, Limit, position, solve
from tarock.analysis.hindsight import hindsight, tables
from tarock.analysis.kernel_task import ENGINE_NODES
from tarock.analysis.simulate import simulate
from tarock.core.record import Record
from tarock.core.table import Table
from tarock.notation import read_value
from tools.bench import Options, row

SEED, DEALS = 32, 300
#: Most positions of each source in a row, and CPU seconds after which a row takes no more of them.
POSITIONS, SECONDS = 200, 20.0
#: Most deals of each source in a row of analysed deals.
ANALYSED = 100
#: Game, players, most tricks left for the engine's search, and for the kernel (0 if it can't).
_GAMES = (
    ("taroky", 4, 6, 10),
    ("troggu", 3, 6, 10),
    ("troggu", 4, 5, 10),
    ("troggu", 5, 4, 8),
    ("troggu", 6, 3, 8),
    ("troggu", 7, 3, 8),
    ("troggu", 8, 3, 7),
    ("strohmann", 2, 8, 0),
    ("grosstarock", 2, 8, 0),
)
_CONFORMANCE = Path(__file__).resolve().parents[2] / "tests" / "conformance"

Position = tuple[Table, list[Any]]


def _conformance(game: str, players: int) -> Iterator[Record]:
    """Yield the complete deals among the examples."""
    for file in sorted(_CONFORMANCE.glob(f"{game}*.jsonl")):
        for line in file.read_text("utf-8").splitlines():
            example = json.loads(line)
            if example["expect"]["verdict"] in ("verified", "disputed"):
                record = read_value(example["record"])
                if len(record.seats) == players:
                    yield record


def _positions(records: list[Record], tricks: int) -> Iterator[Position]:
    """Yield the positions with a number of tricks left, as far as they have values."""
    for record in records:
        _, table, why = position(record, tricks=tricks)
        if table is not None and not why:
            yield table, record.events[table.step :]


def _measured(solver: Callable[..., Ending], positions: Iterator[Position]) -> str:
    """Return median, 95th percentile and maximum of milliseconds and of nodes, the number of positions, and
    how many of them are over the limit."""
    taken: list[float] = []
    nodes: list[float] = []
    for table, played in islice(positions, POSITIONS):
        start = time.process_time()
        try:
            nodes.append(solver(table, played).nodes)
        except Limit:
            nodes.append(float("inf"))
        taken.append((time.process_time() - start) * 1e3)
        if sum(taken) > 1e3 * SECONDS:
            break
    if not taken:
        return "no positions"
    times, counts = (
        " / ".join(form(sorted(found)[int(part * len(found))]) for part in (0.5, 0.95, 1 - 1e-9))
        for form, found in (("{:.1f}".format, taken), ("{:,.0f}".format, nodes))
    )
    over = nodes.count(float("inf"))
    return f"{times} ms, {counts} nodes, {len(taken)} positions, {over} over"


def _analysed(records: list[Record]) -> str:
    """Return the share of deals whose last tricks a worker analyses completely, and that of their cards."""
    deals, cards = list[bool](), [0, 0]
    for record in records[:ANALYSED]:
        found = hindsight(record, solver.Solver())
        if found is not None and (last := tables(record)):
            done = sum(table.step >= found.first for table in last)
            deals.append(done == len(last))
            cards = [cards[0] + done, cards[1] + len(last)]
    if not deals:
        return "no deals"
    return f"{sum(deals) / len(deals):.1%} of {len(deals)} deals, {cards[0] / cards[1]:.1%} of the cards"


def report(options: Options) -> None:
    """Print median, 95th percentile and maximum by source, game, players and number of tricks left, and the
    share of deals that are analysed within the limits."""
    searches = ("engine", partial(solve, nodes=ENGINE_NODES)), ("kernel", solver.solve)
    for game, players, *most in _GAMES:
        sources = (
            ("simulated", [*simulate(game, players=players, deals=DEALS, seed=SEED)]),
            ("conformance", [*_conformance(game, players)]),
        )
        for source, records in sources:
            row(f"{game}, {players} players, {source}: analysed within the limits", _analysed(records))
        for (search, solved), last in zip(searches, most, strict=True):
            for tricks, (source, records) in product(range(2, last + 1), sources):
                name = f"{game}, {players} players, {tricks} tricks, {source}: {search}"
                row(name, _measured(solved, _positions(records, tricks)))
