"""Compose the puzzles with which an archive begins, from simulated deals: `python -m tools.puzzles [game …]`.

A puzzle is taken if the simulated player got it wrong. The themes of a game are taken in turn.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import chain, cycle, islice
from pathlib import Path
from typing import Any

from archive.kernel.solver import solve
from tarock.analysis.puzzles import find
from tarock.analysis.simulate import simulate
from tarock.core.record import Record
from tarock.games import GAMES, games
from tarock.notation import write_json

FOLDER = Path(__file__).resolve().parent.parent / "archive" / "puzzles"
SEED = 41
#: Puzzles a game, and candidates among which they are chosen.
PUZZLES, CANDIDATES = 50, 60
#: Most cards that the engine's own search may play for a position. Longer searches are skipped.
NODES = 1_500


def candidates(game: str) -> Iterator[dict[str, Any]]:
    """Yield different puzzles of a game without end, from tables of all sizes in turn."""
    seen = set()
    sizes = [
        simulate(game, players=number, deals=sys.maxsize, seed=SEED) for number in GAMES[game].info.seats
    ]
    for record in chain.from_iterable(zip(*sizes, strict=True)):
        found = find(record, partial(solve, engine_nodes=NODES))
        if found and found.key not in seen and record.events[found.step][2] not in found.right:
            seen.add(found.key)
            yield {"record": write_json(nameless(record))} | found.as_json()


def nameless(record: Record) -> Record:
    """Return a record with seat letters in place of the names, and with nothing that was written about it."""
    players = {seat: seat for seat in record.players}
    return replace(record, players=players, tags={}, comments={}, score=None)


def chosen(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return puzzles of all themes in turn, as far as they last, in the order in which they were found."""
    themes: dict[str, list[dict[str, Any]]] = {}
    for one in found:
        themes.setdefault(one["theme"], []).append(one)
    turns = (rows.pop(0) for rows in cycle(themes.values()) if rows or not any(themes.values()))
    keys = {one["key"] for one in islice(turns, PUZZLES)}
    return [one for one in found if one["key"] in keys]


if __name__ == "__main__":
    for game in sys.argv[1:] or [info.id for info in games()]:
        rows = chosen(list(islice(candidates(game), CANDIDATES)))
        text = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
        (FOLDER / f"{game}.jsonl").write_text(text, encoding="utf-8")
