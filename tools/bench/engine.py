"""Benchmark of the engine and of the simulator.

The time of an input is the shortest in many rounds, and each figure is the mean over all inputs. The
functions alternate, with garbage collection off, so that other work on the machine affects all of them
equally. For the command line, the CPU time of the whole process counts.
"""

from __future__ import annotations

import gc
import os
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

from tarock.analysis.position import Position
from tarock.analysis.replay import outline, positions
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import Check, check_entry
from tarock.core.record import Record
from tarock.games import games
from tarock.notation import dump_json, read, write_text
from tools.bench import Options, command_seconds, row

ROUNDS = 40
SEED = 20261121


class Own:
    """A function, with a list of inputs."""

    def __init__(self, action: Callable[[Any], object], inputs: Sequence[Any]) -> None:
        self.action, self.inputs = action, inputs
        self.best = [float("inf")] * len(inputs)

    def round(self) -> None:
        """Process the inputs again, and keep the shortest time of each."""
        clock, action = time.perf_counter, self.action
        gc.disable()
        for i, given in enumerate(self.inputs):
            start = clock()
            action(given)
            took = clock() - start
            self.best[i] = min(self.best[i], took)
        gc.enable()


def mean(contender: Own) -> float:
    """Return the mean number of microseconds per input."""
    return sum(contender.best) / len(contender.best) * 1e6


def stored(text: str) -> Check:
    """Read a deal and check it, as the worker does."""
    (entry,) = read(text)
    return check_entry(entry)


def replayed(record: Record) -> list[Position]:
    """Return the positions at all steps of a deal."""
    return list(positions(record))


def report(options: Options) -> None:
    """Print for each game the time for computing everything that is stored, from text and from JSON, and the
    times per step of positions and outline. Then print the figures of the command line."""
    ways: dict[str, list[Own]] = {}
    steps: dict[str, float] = {}
    for info in games():
        records = list(simulate(info.id, players=info.seats[0], deals=40, seed=SEED))
        few = records[:10]
        steps[info.id] = sum(len(record.events) for record in few) / len(few)
        ways[info.id] = [
            Own(stored, [write_text(record) for record in records]),
            Own(stored, [dump_json(record) for record in records]),
            Own(replayed, few),
            Own(outline, few),
        ]
    for _ in range(ROUNDS):
        for contender in (own for owns in ways.values() for own in owns):
            contender.round()
    for info in games():
        ours, from_json, place, lines = map(mean, ways[info.id])
        row(f"{info.name}: from text / JSON to everything stored", f"{ours:.0f} / {from_json:.0f} µs")
        figures = f"{place / steps[info.id]:.0f} / {lines / steps[info.id]:.1f} µs"
        row("  position / outline, a step", figures)
    command_line()


def command_line(deals: int = 3000, many: int = 100_000) -> None:
    """Print the CPU times of `tarock verify --json` per deal and of `tarock verify` on a large file."""
    for info in games():
        made = [write_text(r) for r in simulate(info.id, players=info.seats[0], deals=deals, seed=SEED)]
        ours = verify_seconds("\n".join(made), "--json") / deals * 1e6
        row(f"{info.name}: tarock verify --json, {deals} deals, a deal", f"{ours:.0f} µs")
        if info.id == "taroky":
            seconds = verify_seconds("\n".join(made * (many // deals)), "--quiet")
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            name = f"{info.name}: tarock verify, {many // deals * deals} deals"
            row(name, f"{seconds:.0f} s, {memory:.0f} MiB")


def verify_seconds(text: str, option: str) -> float:
    """Run `tarock verify` on a text; return the CPU seconds."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".tgn") as file:
        file.write(text)
        file.flush()
        return command_seconds(os.environ, "tarock", "verify", option, file.name)


def simulator(options: Options, deals: int = 400) -> None:
    """Print the number of deals per second that the simulator generates and writes as text."""
    for info in games():
        for players in info.seats:
            best = float("inf")
            for _ in range(3):
                start = time.perf_counter()
                for record in simulate(info.id, players=players, deals=deals, seed=SEED):
                    write_text(record)
                best = min(best, time.perf_counter() - start)
            rate = deals / best
            row(f"simulate {info.id}, {players} players: deals a second", f"{rate:.0f}", "1000", rate >= 1000)
