"""Solve endings with the kernel (`kernel.c`, a WebAssembly module) or, where it can't, with the engine."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from struct import pack, unpack

import wasmtime

from tarock.analysis import endings
from tarock.analysis.kernel_task import BITS, ENGINE_NODES, NODES, Task
from tarock.core.record import Event
from tarock.core.table import Table

FOLDER = Path(__file__).resolve().parent
#: Most cards that a search may play while a reader waits.
NODES_AT_ONCE = 4_000_000


# Compiling the module takes longer than solving most endings.
@cache
def _module() -> tuple[wasmtime.Engine, wasmtime.Module]:
    engine = wasmtime.Engine()
    data = (FOLDER / "kernel.wasm").read_bytes()
    return engine, wasmtime.Module(engine, data)


def run(words: list[int], nodes: int = NODES, bits: int = BITS) -> tuple[int, ...]:
    """Run the kernel in a fresh memory, and return its output."""
    engine, module = _module()
    store = wasmtime.Store(engine)
    exports = wasmtime.Instance(store, module, []).exports(store)
    memory = exports["memory"]
    memory.write(store, pack(f"<{len(words)}i", *words), exports["input_place"](store))
    length = exports["solve"](store, bits, nodes)
    place = exports["output_place"](store)
    return unpack(f"<{length}i", memory.read(store, place, place + 4 * length))


def solve(table: Table, played: list[Event], engine_nodes: int = ENGINE_NODES) -> endings.Ending:
    """Solve an ending (a solver for `tarock.analysis.endings.ending`). Raise Limit if it takes too long."""
    return Task(table, played).solve(run, engine_nodes=engine_nodes)


class Solver:
    """A solver for the positions of a deal, which together may take a number of nodes of the kernel, or as
    much time without the kernel."""

    def __init__(self, nodes: int = NODES) -> None:
        self.left = nodes

    def __call__(self, table: Table, played: list[Event]) -> endings.Ending:
        if self.left <= 0:
            raise endings.Limit
        task = Task(table, played)
        ending = task.solve(run, self.left, max(1, self.left * ENGINE_NODES // NODES))
        self.left -= ending.nodes if task.fits else ending.nodes * NODES // ENGINE_NODES
        return ending
