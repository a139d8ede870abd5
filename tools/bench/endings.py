"""Benchmark of endings: the engine's search and the kernel, by game and number of tricks left.

Times are CPU times of single positions at the start of a trick. The kernel's time includes its price table.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from archive.kernel import solver
from tarock.analysis.endings import Limit, position, solve
from tarock.analysis.simulate import simulate
from tarock.core.table import Table
from tools.bench import Options, p95, row

SEEDS = range(32, 37)
#: Number of positions in a row.
POSITIONS = 40
#: Game, players, most tricks left for the engine's search, and for the kernel.
_GAMES = (
    ("taroky", 4, 6, 8),
    ("troggu", 4, 5, 7),
    ("troggu", 7, 3, 5),
    ("strohmann", 2, 8, 8),
    ("grosstarock", 2, 8, 8),
)


def positions(game: str, players: int, tricks: int) -> Iterator[tuple[Table, list[Any]]]:
    """Yield positions with a number of tricks left, the same number from each seed."""
    for seed in SEEDS:
        wanted = POSITIONS // len(SEEDS)
        for record in simulate(game, players=players, deals=10 * wanted, seed=seed):
            _, table, why = position(record, tricks=tricks)
            if wanted and table is not None and not why:
                wanted -= 1
                yield table, record.events[table.step :]


def _times(solver: Callable[..., Any], found: list[tuple[Table, list[Any]]]) -> str:
    """Return median, 95th percentile, maximum, and the number of positions over the limit."""
    taken, over = [], 0
    for table, played in found:
        start = time.process_time()
        try:
            solver(table, played)
        except Limit:
            over += 1
        taken.append((time.process_time() - start) * 1e3)
    return f"{statistics.median(taken):.1f} / {p95(taken):.0f} / {max(taken):.0f} ms, {over} over"


def report(options: Options) -> None:
    """Print median, 95th percentile, maximum, and the number of positions over the server's limits."""
    engine = partial(solve, nodes=solver.ENGINE_NODES)
    for game, players, most, most_of_kernel in _GAMES:
        for tricks in range(2, most_of_kernel + 1):
            found = list(positions(game, players, tricks))
            name = f"{game}, {players} players, {tricks} tricks, {len(found)} positions"
            if tricks <= most:
                row(f"{name}: engine", _times(engine, found))
            if solver.Task(*found[0]).special is not None:
                row(f"{name}: kernel", _times(solver.solve, found))
