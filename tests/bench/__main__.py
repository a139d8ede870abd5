"""`make bench`: how fast the engine is beside its peers, and what a page weighs.

Every figure is the mean over the inputs of the shortest of many rounds, the contenders taking turns round by
round and garbage collection off inside a round, so that what else the machine does weighs on all alike.
Records are read from files of many, as players and clubs send them, and so are the games of chess; what one
record alone takes is told beside it.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tarock.games import games
from tarock.notation import dump_json, read, read_each, write_text
from tarock.record import Record
from tarock.simulate import simulate
from tarock.verify import check_all, check_entries, check_entry

PROJECT = Path(__file__).resolve().parents[2]
PEERS = ("chess==1.11.2", "open_spiel==2.0.2")
ROUNDS = 150
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


def files(texts: Sequence[str], number: int) -> list[str]:
    """Files of so many records each."""
    return ["\n".join(texts[n : n + number]) for n in range(0, len(texts), number)]


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


def from_text(text: str) -> object:
    """A full check of the records of a file."""
    return [(result.verdict, result.score) for result in check_entries(read_each(text))]


def parsed(records: Sequence[Record]) -> object:
    """The check of records that were read already."""
    return [(result.verdict, result.score) for result in check_all(records)]


def everything(text: str) -> dict[str, Any]:
    """The check with digest, facts and countings, as it is stored."""
    return check_entry(read(text)[0]).as_json()


def row(name: str, figure: str, target: str = "", good: bool | None = None) -> None:
    """Prints a line of the table."""
    verdict = "" if good is None else "reached" if good else "NOT reached"
    print(f"  {name:58s} {figure:>22s}  {target:>8s}  {verdict}", flush=True)


def engine_beside_peers(number: int = 4, deals: int = 60) -> None:
    """Taroky from text beside python-chess, both from files of many games, and parsed beside OpenSpiel."""
    texts = [write_text(record) for record in simulate("taroky", deals=number * deals, seed=SEED)]
    text, single = Own(from_text, files(texts, deals)), Own(from_text, texts[:deals])
    records = [entry.record for entry in read("\n".join(texts)) if entry.record is not None]
    parts = [records[n : n + deals] for n in range(0, len(records), deals)]
    ready, alone = Own(parsed, parts), Own(parsed, [[record] for record in parts[0]])
    python = peers_python()
    if python is None:
        print("  The peers cannot be installed here (no package registry?): only our own times follow.")
    chess = Peer(python, "chess", 12) if python else None
    tarok = Peer(python, "tarok", 12) if python else None
    for _ in range(ROUNDS):
        for contender in (text, single, chess, ready, alone, tarok):
            if contender is not None:
                contender.round()
    ours, theirs = mean(text) / deals, mean(ready) / deals
    if chess is None or tarok is None:
        row(f"Taroky from text, full check, {deals} records a file", f"{ours:.1f} µs")
        row("Taroky parsed, check of as many", f"{theirs:.1f} µs")
    else:
        ratio = mean(chess) / ours
        row("Taroky from text : python-chess read_game, 80 plies", f"{ours:.1f} : {mean(chess):.0f} µs")
        row("  so many times as fast", f"{ratio:.1f}", "25", ratio >= 25)
        ratio = mean(tarok) / theirs
        row("Taroky parsed : OpenSpiel tarok, 48 cards, legality", f"{theirs:.1f} : {mean(tarok):.1f} µs")
        row("  so many times as fast", f"{ratio:.2f}", "1", ratio >= 1)
        chess.close()
        tarok.close()
    row("a record alone, from text / parsed", f"{mean(single):.1f} / {mean(alone):.1f} µs")


def all_games(deals: int = 30) -> None:
    """Every game from text and from JSON, with and without what is stored beside the score."""
    for info in games():
        records = list(simulate(info.id, players=info.seats[0], deals=deals, seed=SEED))
        texts, forms = [write_text(r) for r in records], [dump_json(r) for r in records]
        ways = [
            Own(from_text, files(texts, deals)),
            Own(from_text, files(forms, deals)),
            Own(everything, texts),
        ]
        for _ in range(8):
            for way in ways:
                way.round()
        figures = [mean(ways[0]) / deals, mean(ways[1]) / deals, mean(ways[2])]
        row(
            f"{info.name}: text / JSON / alone, with digest, facts, counts",
            " / ".join(f"{figure:.0f}" for figure in figures) + " µs",
        )


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
    engine_beside_peers()
    all_games()
    print("Simulator (text written)")
    simulated()
    if (Path(__file__).with_name("pages.py")).exists():
        print("Pages", flush=True)
        importlib.import_module("tests.bench.pages").report()


if __name__ == "__main__":
    main()
