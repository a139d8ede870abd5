"""Values of cards in 160 endings, and nine positions without any, found independently of this engine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tarock.analysis.endings import ending, worth
from tarock.analysis.fold import fold
from tarock.notation import read_one
from tests.conformance import FOLDER
from tests.support.effort import EVERY

ROWS = [json.loads(line) for line in (FOLDER / "endings.jsonl").read_text("utf-8").splitlines()]
NAMES = ("step", "seat", "values", "exact", "why")


@pytest.mark.parametrize("row", ROWS[::EVERY], ids=lambda row: f"{row['game']}-{row['digest'][:4]}")
def test_the_values(row: dict[str, Any]) -> None:
    record = read_one(row["text"])
    assert record.digest == row["digest"]
    found = ending(record, row["step"]).as_json()
    assert [found[name] for name in NAMES] == [row[name] for name in NAMES]
    if row["tricks"] is None or not row["exact"]:
        assert found["best"] is None
        return
    table = fold(record, row["step"]).table
    before = len(table.tricks)
    for event in found["best"]:
        table.apply(tuple(event))
    assert table.over
    assert len(table.tricks) - before == row["tricks"]
    assert worth(table, row["seat"], table.outcome()) == max(row["values"].values())
    assert found["values"][found["best"][0][2]] == max(row["values"].values())
