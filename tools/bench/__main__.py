"""`make bench`: how fast the engine is beside python-chess, and what a page weighs.

Measured is what the product runs. `from text to everything stored` is `check_entry` of the entry read, as the
worker calls it that verifies a stored deal; the command line is timed as a process. Every figure is the mean
over the inputs of the shortest of many rounds, the contenders taking turns round by round and garbage
collection off inside a round, so that what else the machine does weighs on all alike: take the ratios.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tarock.games import games
from tarock.notation import dump_json, read, write_text
from tarock.position import Position
from tarock.record import Record
from tarock.replay import outline, positions
from tarock.simulate import simulate
from tarock.verify import Check, check_entry
from tools.bench import row

PROJECT = Path(__file__).resolve().parents[2]
PEERS = ("chess==1.11.2",)
ROUNDS = 40
SEED = 20261121


class Peer:
    """One of the peers: a process of its own that goes through its inputs once a round."""

    def __init__(self, python: Path, what: str, number: int) -> None:
        self.process = subprocess.Popen(
            [str(python), "-u", str(Path(__file__).with_name("peers.py")), what, str(number)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.best = [float("inf")] * int(self._line())

    def _line(self) -> str:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("a peer broke off")
        return line

    def round(self) -> None:
        """One more time through its inputs."""
        assert self.process.stdin is not None
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        self.best = [min(a, b) for a, b in zip(self.best, json.loads(self._line()), strict=True)]

    def close(self) -> None:
        """Ends the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=30)


class Own:
    """One way of ours through a list of inputs."""

    def __init__(self, action: Callable[[Any], object], inputs: Sequence[Any]) -> None:
        self.action, self.inputs = action, inputs
        self.best = [float("inf")] * len(inputs)

    def round(self) -> None:
        """One more time through the inputs."""
        clock, action = time.perf_counter, self.action
        gc.disable()
        for i, given in enumerate(self.inputs):
            start = clock()
            action(given)
            took = clock() - start
            if took < self.best[i]:
                self.best[i] = took
        gc.enable()


def mean(contender: Peer | Own) -> float:
    """Microseconds an input takes."""
    return sum(contender.best) / len(contender.best) * 1e6


def peers_python() -> Path | None:
    """The Python of the peers' environment in var/bench, made if need be; None where they cannot be had."""
    place = Path(os.environ.get("VAR_DIR", PROJECT / "var")) / "bench" / "peers"
    python = place / "bin" / "python"
    stamp = place / "installed"
    if stamp.exists() and stamp.read_text() == " ".join(PEERS):
        return python
    print("Installing the peers into an environment of their own …", flush=True)
    made = subprocess.run([sys.executable, "-m", "venv", "--clear", str(place)], check=False)
    if made.returncode == 0:
        made = subprocess.run([str(python), "-m", "pip", "install", "--quiet", *PEERS], check=False)
    if made.returncode:
        return None
    stamp.write_text(" ".join(PEERS))
    return python


def stored(text: str) -> Check:
    """From the text of a deal to everything that is stored of it, as the worker does it."""
    (entry,) = read(text)
    return check_entry(entry)


def replayed(record: Record) -> list[Position]:
    """The positions of all steps of a deal."""
    return list(positions(record))


def engine_beside_chess(deals: int = 40) -> None:
    """Every game, from text and from JSON to everything that is stored, beside python-chess `read_game`; then
    position and outline, a step."""
    python = peers_python()
    if python is None:
        print("  python-chess cannot be installed here (no package registry?): only our own times follow.")
    chess = Peer(python, "chess", 12) if python else None
    texts: dict[str, Own] = {}
    forms: dict[str, Own] = {}
    steps: dict[str, tuple[Own, Own, float]] = {}
    for info in games():
        records = list(simulate(info.id, players=info.seats[0], deals=deals, seed=SEED))
        texts[info.id] = Own(stored, [write_text(record) for record in records])
        forms[info.id] = Own(stored, [dump_json(record) for record in records])
        few = records[:10]
        number = sum(len(record.events) for record in few) / len(few)
        steps[info.id] = Own(replayed, few), Own(outline, few), number
    contenders = [*texts.values(), *forms.values(), *(own for row in steps.values() for own in row[:2])]
    for _ in range(ROUNDS):
        if chess is not None:
            chess.round()
        for contender in contenders:
            contender.round()
    for info in games():
        ours, json_ = mean(texts[info.id]), mean(forms[info.id])
        row(f"{info.name}: from text / JSON to everything stored", f"{ours:.0f} / {json_:.0f} µs")
        if chess is not None:
            least = 8 if info.id == "taroky" else 4
            ratio = mean(chess) / ours
            row(
                f"  so many times as fast as read_game ({mean(chess):.0f} µs)",
                f"{ratio:.1f}",
                str(least),
                ratio >= least,
            )
    for info in games():
        place, rows, number = steps[info.id]
        figures = f"{mean(place) / number:.0f} / {mean(rows) / number:.1f} µs"
        row(f"{info.name}: position / outline, a step", figures)
    if chess is not None:
        command_line(mean(chess))
        chess.close()


def command_line(chess: float, deals: int = 3000, many: int = 100_000) -> None:
    """The CPU time a deal of `tarock verify --json`, and of `tarock verify` on a file of 100,000 deals, with
    the start of the program in it."""
    for info in games():
        texts = [write_text(r) for r in simulate(info.id, players=info.seats[0], deals=deals, seed=SEED)]
        ours = _cpu("\n".join(texts), "--json") / deals * 1e6
        least = 7 if info.id == "taroky" else 3.5
        row(f"{info.name}: tarock verify --json, {deals} deals, a deal", f"{ours:.0f} µs")
        row("  so many times as fast as read_game", f"{chess / ours:.1f}", str(least), chess / ours >= least)
        if info.id == "taroky":
            seconds = _cpu("\n".join(texts * (many // deals)), "--quiet")
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
            row(
                f"{info.name}: tarock verify, {many // deals * deals} deals",
                f"{seconds:.0f} s, {memory:.0f} MiB",
            )


def _cpu(text: str, option: str) -> float:
    """Seconds of CPU time that `tarock verify` takes."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".tgn") as file:
        file.write(text)
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, "-m", "tarock", "verify", option, file.name]
        # As an installed program runs: compiled once, not at every start.
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def simulated(deals: int = 400) -> None:
    """Deals a second that `tarock simulate` makes, written as text."""
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


def main() -> None:
    """Prints all the figures."""
    print("Engine (microseconds a record; mean of the shortest of many rounds, the contenders taking turns)")
    engine_beside_chess()
    print("Simulator (text written)")
    simulated()
    for module, name in (
        ("pages", "Pages"),
        ("lists", "Lists"),
        ("streams", "Streams"),
        ("archive", "The archive"),
        ("flat", "A million deals"),
    ):
        print(name, flush=True)
        # In a process of its own: each makes a site with settings of its own.
        subprocess.run([sys.executable, "-m", f"tools.bench.{module}"], cwd=PROJECT, check=True)


if __name__ == "__main__":
    main()
