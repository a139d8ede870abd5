"""Pack the score sheet or the finding of a deal into one compact value.

A sheet is a JSON array with one element per score line: points (in seat order, or by seat if only some seats
have points), quantity, sentences, events. For searching, the clauses of the lines are in a separate column,
in the same order. A clause is followed by a sign for the declarer and then one for each seat (`+` won points,
`-` lost points, `0` neither): `taroky.pagat=++--+`. A finding is a JSON object of its non-empty fields. A
record that was not stored has a JSON array of findings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from typing import Any

import orjson

from tarock.analysis.verify import Check
from tarock.core.findings import Finding
from tarock.core.game import SEATS
from tarock.core.scoring import ScoreLine
from tarock.games import GAMES

_FIELDS = [one.name for one in fields(Finding)]
_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def pack(checked: Check) -> tuple[str, str]:
    """Pack the result of a check. Return the packed clauses, and the packed sheet or finding."""
    if checked.error is not None:
        bare = replace(checked.error, clause=None, line=None, column=None)
        return checked.error.clause or "", _encode(_fields(bare))
    rows = [[_points(line.points), line.quantity, line.sentences, line.events] for line in checked.lines]
    declarer = checked.facts.get("declarer")
    clauses = [f"{line.clause}={_signs(line.points, declarer)}" for line in checked.lines]
    return " ".join(clauses), orjson.dumps(rows).decode()


def pack_doubles(checked: Check) -> str:
    """Pack the doubles of a check: each doubled stake with a sign for the side that doubled it first, and for
    the seats of this side (`+` won the stake, `-` lost it): `game=+0+0+`. Leave out stakes worth nothing."""
    words = []
    for stake, seats in checked.doubled.items():
        clauses = GAMES[checked.game or ""].table.STAKES[stake]
        lines = [line.points for line in checked.lines if line.clause in clauses]
        points = {seat: sum(line.get(seat, 0) for line in lines) for seat in seats}
        if points[seats[0]]:
            words.append(f"{stake}={_signs(points, seats[0])}")
    return " ".join(words)


def _signs(points: dict[str, int], declarer: str | None) -> str:
    seats = SEATS[: SEATS.index(max(points)) + 1] if points else ""
    numbers = [points.get(seat, 0) for seat in (declarer, *seats)]
    return "".join(["0+-"[(n > 0) - (n < 0)] for n in numbers])


def effect_pattern(clause: str, seat: int, sign: str = "+") -> str:
    """Return a regular expression that matches packed clauses if a line with this clause gives points to a
    seat or, if `sign` is “-”, takes points from the seat; “+-” means either. `seat`: number of the seat, from
    0."""
    return rf"(^| ){re.escape(clause)}=..{{{seat}}}[{sign}]"


def effects(packed: str, seat: str = "") -> Iterator[tuple[str, str]]:
    """Yield each packed clause or stake with the sign of the points that it gave to a seat: `+`, `-` or `0`.
    `seat`: by default the declarer or, for a stake, the side that doubled it first."""
    at = SEATS.index(seat) + 1 if seat else 0
    for word in packed.split():
        name, _, signs = word.partition("=")
        yield name, signs[at : at + 1] or "0"


def _points(points: dict[str, int]) -> list[int] | dict[str, int]:
    return list(points.values()) if "".join(points) == SEATS[: len(points)] else points


def _by_seat(points: list[int] | dict[str, int]) -> dict[str, int]:
    return points if isinstance(points, dict) else dict(zip(SEATS, points, strict=False))


def score(seats: Iterable[str], sheet: str) -> dict[str, int]:
    """Add up the points in the lines of a packed sheet, by seat."""
    points = dict.fromkeys(seats, 0)
    for line, *_ in json.loads(sheet):
        for seat, number in _by_seat(line).items():
            points[seat] += number
    return points


def lines(clauses: str, sheet: str) -> tuple[ScoreLine, ...]:
    """Unpack the score lines of a sheet."""
    return tuple(
        ScoreLine(
            clause.partition("=")[0],
            _by_seat(points),
            quantity,
            tuple(sentences),
            tuple(events),
        )
        for clause, (points, quantity, sentences, events) in zip(
            clauses.split(), json.loads(sheet), strict=True
        )
    )


def finding(clauses: str, sheet: str) -> Finding:
    """Unpack a finding. Its line and column are None, because they are not stored."""
    return _finding(json.loads(sheet) | {"clause": clauses or None})


def findings_text(findings: Iterable[Finding]) -> str:
    """Pack findings as a JSON array."""
    return _encode([_fields(one) for one in findings])


def read_findings(text: str) -> tuple[Finding, ...]:
    """Unpack the findings that `findings_text` packed. An empty text means no findings."""
    return tuple([_finding(fields) for fields in json.loads(text or "[]")])


def _fields(finding: Finding) -> dict[str, Any]:
    # Don't use `dataclasses.asdict`, which copies all values: an upload may have millions of findings.
    return {name: value for name in _FIELDS if (value := getattr(finding, name)) is not None}


def _finding(fields: dict[str, Any]) -> Finding:
    legal = fields.get("legal")
    return Finding(**{**fields, "legal": None if legal is None else tuple(legal)})
