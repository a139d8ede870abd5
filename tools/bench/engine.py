"""Benchmark of the engine relative to python-chess, and of the simulator.

The time of an input is the shortest in many rounds, and each figure is the mean over all inputs. python-chess
and our functions alternate, with garbage collection off, so that other work on the machine affects all of
them equally. For the command line, the CPU time of the whole process counts.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tarock.analysis.position import Position
from tarock.analysis.replay import outline, positions
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import Check, check_entry
from tarock.core.record import Record
from tarock.games import games
from tarock.notation import dump_json, read, write_text
from tools.bench import Options, command_seconds, row
from tools.site import PROJECT

PEERS = ("chess==1.11.2",)
ROUNDS = 40
SEED = 20261121


class Peer:
    """python-chess in a separate process."""

    def __init__(self, python: Path, number: int) -> None:
        command = [str(python), "-u", str(Path(__file__).with_name("peers.py")), str(number)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.best = [float("inf")]

    def round(self) -> None:
        """Let python-chess read the games again, and keep the shortest time."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(file=self.process.stdin, flush=True)
        self.best = [min(*self.best, float(self.process.stdout.readline()))]

    def close(self) -> None:
        self.process.communicate(timeout=30)


class Own:
    """One of our functions, with a list of inputs."""

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


def mean(contender: Peer | Own) -> float:
    """Return the mean number of microseconds per input."""
    return sum(contender.best) / len(contender.best) * 1e6


def peers_python() -> Path | None:
    """Install python-chess if it is missing. Return the Python of its environment, or None on failure."""
    folder = Path(os.environ.get("VAR_DIR", PROJECT / "var")) / "bench" / "peers"
    python, stamp = folder / "bin" / "python", folder / "installed"
    if stamp.exists() and stamp.read_text() == " ".join(PEERS):
        return python
    print("Installing the peers into an environment of their own …", flush=True)
    commands = (
        [sys.executable, "-m", "venv", "--clear", str(folder)],
        [str(python), "-m", "pip", "install", "--quiet", *PEERS],
    )
    if any(subprocess.run(command, check=False).returncode for command in commands):
        return None
    stamp.write_text(" ".join(PEERS))
    return python


def stored(text: str) -> Check:
    """Read a deal and check it, as the worker does."""
    (entry,) = read(text)
    return check_entry(entry)


def replayed(record: Record) -> list[Position]:
    """Return the positions at all steps of a deal."""
    return list(positions(record))


def report(options: Options) -> None:
    """Print for each game the time for computing everything that is stored, from text (also relative to
    python-chess's `read_game`) and from JSON, and the times per step of positions and outline. Then print the
    figures of the command line."""
    python = peers_python()
    if python is None:
        print("  python-chess cannot be installed here (no package registry?): only our own times follow.")
    chess = Peer(python, 12) if python else None
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
        for contender in (*([chess] if chess else []), *(own for owns in ways.values() for own in owns)):
            contender.round()
    for info in games():
        ours, from_json, place, lines = map(mean, ways[info.id])
        row(f"{info.name}: from text / JSON to everything stored", f"{ours:.0f} / {from_json:.0f} µs")
        if chess is not None:
            compare(chess, ours, 8 if info.id == "taroky" else 4)
        figures = f"{place / steps[info.id]:.0f} / {lines / steps[info.id]:.1f} µs"
        row("  position / outline, a step", figures)
    if chess is not None:
        command_line(chess)
        chess.close()


def compare(chess: Peer, ours: float, least: float) -> None:
    """Print our speed as a multiple of python-chess's."""
    ratio = mean(chess) / ours
    name = f"  speed as a multiple of read_game ({mean(chess):.0f} µs)"
    row(name, f"{ratio:.1f}", f"{least}", ratio >= least)


def command_line(chess: Peer, deals: int = 3000, many: int = 100_000) -> None:
    """Print the CPU times of `tarock verify --json` per deal and of `tarock verify` on a large file."""
    for info in games():
        made = [write_text(r) for r in simulate(info.id, players=info.seats[0], deals=deals, seed=SEED)]
        ours = verify_seconds("\n".join(made), "--json") / deals * 1e6
        row(f"{info.name}: tarock verify --json, {deals} deals, a deal", f"{ours:.0f} µs")
        compare(chess, ours, 7 if info.id == "taroky" else 3.5)
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
