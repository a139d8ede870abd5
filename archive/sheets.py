"""The score sheet, or the finding, of a deal as one compact value.

A sheet is a JSON array, a line of the score sheet each: points (in the order of the seats, or by seat where
not all have some), quantities, sentences, events. The clause of each line stands in a column of its own, in
the same order, by which deals are found. A finding is a JSON object of what is not empty in it.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from tarock.findings import Finding
from tarock.game import SEATS
from tarock.scoring import ScoreLine
from tarock.verify import Check

_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def pack(checked: Check) -> tuple[str, str]:
    """Clauses and sheet of a check."""
    if checked.error is not None:
        return checked.error.clause or "", finding_text(checked.error, without=("clause", "line", "column"))
    rows = [[_points(line.points), line.quantity, line.sentences, line.events] for line in checked.lines]
    return " ".join([line.clause for line in checked.lines]), _encode(rows)


def _points(points: dict[str, int]) -> list[int] | dict[str, int]:
    return list(points.values()) if "".join(points) == SEATS[: len(points)] else points


def lines(clauses: str, sheet: str) -> tuple[ScoreLine, ...]:
    """The lines of a sheet that was packed."""
    return tuple(
        ScoreLine(
            clause,
            points if isinstance(points, dict) else dict(zip(SEATS, points, strict=False)),
            quantity,
            tuple(said),
            tuple(events),
        )
        for clause, (points, quantity, said, events) in zip(clauses.split(), json.loads(sheet), strict=True)
    )


def finding(clauses: str, sheet: str) -> Finding:
    """The finding that was packed; without its place in a text."""
    return read_finding(json.loads(sheet) | {"clause": clauses or None})


def finding_text(found: Finding, without: tuple[str, ...] = ()) -> str:
    """A finding as JSON."""
    fields = {name: value for name, value in asdict(found).items() if value is not None}
    return _encode({name: value for name, value in fields.items() if name not in without})


def read_finding(fields: dict[str, Any]) -> Finding:
    """A finding of its fields."""
    legal = fields.get("legal")
    return Finding(**{**fields, "legal": None if legal is None else tuple(legal)})
