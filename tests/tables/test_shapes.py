"""Tables of many shapes are recognised."""

from __future__ import annotations

import json

import pytest

from tarock.tables import Recognised, recognise_file
from tests.tables.shapes import SHAPES


def meaning(found: Recognised) -> str:
    """Return the meaning of a table in the form of `shapes.py`."""
    lines = [" ".join([found.kind, *found.players])]
    for row in found.rows:
        points = " ".join(str(row.points.get(name, ".")) for name in found.players)
        played = f" ({row.played})" if row.played else ""
        lines.append(f"{row.date or '-'} {row.deal or '-'}: {points}{played}")
    return "\n".join(lines)


@pytest.mark.parametrize("name", SHAPES)
def test_a_table_means_its_rows(name: str) -> None:
    table, expected = SHAPES[name]
    found = recognise_file(table.encode(), filename="results.csv")
    assert [str(fault) for fault in found.faults] == []
    assert meaning(found) == expected
    assert [name for name, (stated, ours) in found.total_check.items() if stated != ours] == []
    json.dumps(found.as_json())
