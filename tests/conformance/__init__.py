"""Deals with answers that were found without the engine."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tarock.core.record import Record
from tarock.notation import read
from tests.support.effort import EVERY

FOLDER = Path(__file__).resolve().parent
FILES = ("strohmann", "taroky", "troggu", "grosstarock", "grosstarock_two")
_PARTS = 6

#: One test for each of these parts of the deals: `some` has their deals.
PARTS = pytest.mark.parametrize(("file", "part"), [(file, part) for file in FILES for part in range(_PARTS)])


@cache
def rows(file: str) -> list[dict[str, Any]]:
    """The deals of a file with their answers."""
    lines = (FOLDER / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def deals() -> dict[str, dict[str, Any]]:
    """The deals of all games with their answers, by file and number, such as `taroky-17`."""
    return {f"{file}-{n}": row for file in FILES for n, row in enumerate(rows(file))}


def some(file: str, part: int, every: int = EVERY) -> dict[str, dict[str, Any]]:
    """The deals of one part of a file, by their names. A quick run takes few of them."""
    named = [(f"{file}-{n}", row) for n, row in enumerate(rows(file))]
    return dict(named[part * every :: _PARTS * every])


@cache
def record(name: str) -> Record | None:
    """The record of a deal; None if it can't be read."""
    return read(json.dumps(deals()[name]["record"]))[0].record
