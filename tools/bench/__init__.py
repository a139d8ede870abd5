"""Benchmarks: `make bench ARGS="CASE …"`. Times vary with the machine and its load; compare only ratios."""

from __future__ import annotations

import multiprocessing
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from tarock.analysis.simulate import simulate
from tarock.games import games
from tarock.notation import write_text

T = TypeVar("T")


@dataclass(frozen=True)
class Options:
    """Command-line options."""

    deals: int
    """Number of deals in the measured archive."""
    server: str
    """URL of a PostgreSQL server, which keeps the large databases for the next run."""


def row(name: str, figure: str, target: str = "", good: bool | None = None) -> None:
    verdict = "" if good is None else "reached" if good else "NOT reached"
    print(f"  {name:64s} {figure:>22s}  {target:>10s}  {verdict}", flush=True)


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[-1]


def texts(number: int, seed: int) -> list[str]:
    """Return `number` simulated deals as text, one of each game in turn."""
    each = -(-number // len(games()))
    simulated = [
        [write_text(record) for record in simulate(info.id, players=info.seats[0], deals=each, seed=seed)]
        for info in games()
    ]
    return [text for four in zip(*simulated, strict=True) for text in four][:number]


def files(number: int, seed: int, size: int = 20_000) -> list[bytes]:
    """Return the contents of files with `number` simulated deals of all games, `size` deals per file."""
    deals = texts(number, seed)
    return ["\n".join(deals[start : start + size]).encode() for start in range(0, number, size)]


def in_turns(
    ways: Mapping[str, Callable[[int], Any]], between: Callable[[], Any], rounds: int, warm_up: int = 3
) -> dict[str, list[float]]:
    """Call every function in `ways` once per round, with the number of the round, and `between` before each
    call. Return the milliseconds of each call by the function's name; those of `between` are under the key
    `between`. Warm-up rounds don't count."""
    from deploy.gunicorn_conf import collect_less

    taken: dict[str, list[float]] = {name: [] for name in (*ways, "between")}
    for number in range(warm_up + rounds):
        if number == warm_up:
            collect_less()
        for name, action in ways.items():
            began = time.perf_counter()
            between()
            middle = time.perf_counter()
            action(number)
            ended = time.perf_counter()
            if number >= warm_up:
                taken["between"].append((middle - began) * 1e3)
                taken[name].append((ended - middle) * 1e3)
    return taken


def apart(function: Callable[..., T], *args: Any) -> T:
    """Call a function in a separate process, because Django can be set up only once per process."""
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        return pool.submit(function, *args).result()


def command_seconds(environment: Mapping[str, str], *arguments: str) -> float:
    """Run `python -m` with these arguments; return the CPU seconds that it used."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Let Python keep compiled modules, because an installed program isn't compiled at each start.
    compiled = {name: value for name, value in environment.items() if name != "PYTHONDONTWRITEBYTECODE"}
    command = [sys.executable, "-m", *arguments]
    subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=compiled)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def cpu_seconds(root: int) -> float:
    """Return the CPU seconds that a process and its descendants, including ended ones, have used."""
    parents, ticks = {}, {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            pid = int(file.parent.name)
            parents[pid], ticks[pid] = int(fields[1]), sum(map(int, fields[11:15]))
    total = 0
    for pid, used in ticks.items():
        ancestor = pid
        while ancestor not in (root, 0):
            ancestor = parents.get(ancestor, 0)
        total += used if ancestor == root else 0
    return total / os.sysconf("SC_CLK_TCK")
