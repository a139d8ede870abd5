"""Reading a result: the points of each player in a deal, or in all deals of an evening."""

from __future__ import annotations

import re

from tarock.core.persons import folded, is_nobody
from tarock.notation.faults import Faults, Malformed, quoted
from tarock.notation.limits import MAX_POINTS, MAX_RESULT
from tarock.notation.values import read_list, read_tag

_NUMBER = re.compile(r"-?\d{1,10}", re.ASCII)


def read_result(value: object, faults: Faults) -> list[tuple[str, int]]:
    """Return the players' names and points, in the order given."""
    given = read_list(value, "/result")
    if not given:
        raise Malformed("result-without-lines", "/result")
    if len(given) > MAX_RESULT:
        where = f"/result/{MAX_RESULT}"
        raise Malformed("too-many-result-lines", where, found=len(given), limit=MAX_RESULT)
    lines: list[tuple[str, int]] = []
    for number, line in enumerate(given):
        if read := faults.attempt(_line, line, f"/result/{number}"):
            name = folded(read[0])
            if not is_nobody(name) and name in [folded(other) for other, _ in lines]:
                faults.note(Malformed("name-twice", f"/result/{number}/0", found=quoted(read[0])))
            lines.append(read)
    return lines


def _line(value: object, pointer: str) -> tuple[str, int]:
    line = read_list(value, pointer)
    if len(line) != 2:
        raise Malformed("no-result-pair", pointer, found=quoted(line))
    name, points = read_tag(line[0], f"{pointer}/0"), line[1]
    if isinstance(points, str) and _NUMBER.fullmatch(points):
        points = int(points)
    if type(points) is not int or abs(points) > MAX_POINTS:
        raise Malformed("no-points", f"{pointer}/1", found=quoted(points))
    return name, points
