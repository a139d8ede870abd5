"""Possible slips on a score sheet: a wrong word or number in a line, or one double too few or too many."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, product
from typing import NamedTuple

from tarock.core.outcome import Field, Outcome, Word, values_of
from tarock.core.record import Line


class Slip(NamedTuple):
    """A possible slip on a score sheet, with its correction."""

    how: str  # kind of slip (`analysis.audit.Explanation`)
    written: Line | None
    meant: Line | None
    lines: list[Line]  # lines of the sheet without the slip, in any order


def slips(outcome: Outcome, sheet: Sequence[Line]) -> Iterator[Iterable[Slip]]:
    """For each word or number on a sheet with this outcome, yield the possible slips, the nearest number
    first. The corrected sheet of a slip may be invalid."""
    lines = list(outcome.lines())
    for one in outcome.fields().values():
        own = [line for line in lines if line[0] == one.name]
        if one.name == "points":
            # A slip is made in a written line, so move lines that the sheet leaves out to the end.
            own.sort(key=lambda line: line not in sheet)
            yield from _in_points(outcome, own, lines)
            continue
        for line in own:
            yield from _in_line(outcome, one, line, lines)
        yield from _in_steps(one, own, lines)


def _changed(lines: list[Line], *changes: tuple[Line, Line]) -> list[Line]:
    other = dict(changes)
    return [other.get(line, line) for line in lines]


def _in_points(outcome: Outcome, own: list[Line], lines: list[Line]) -> Iterator[list[Slip]]:
    """Yield slips in card points: off by one or two, or exchanged between two sides or seats. If the sum is
    fixed, the other side or seat is off by the same number in the opposite direction."""
    fixed = (
        outcome.total(values_of(type(outcome), outcome.seating, outcome.options, outcome.lines())) is not None
    )
    for line, other in combinations(own, 2):
        (name, owner, points), (_, second, rest) = line, other
        exchanged = ((line, (name, owner, rest)), (other, (name, second, points)))
        yield [Slip("exchanged", *exchanged[0], _changed(lines, *exchanged))]
        if fixed:
            yield [_off(by, lines, line, other) for by in (1, -1, 2, -2)]
    if not fixed:
        for line in own:
            yield [_off(by, lines, line) for by in (1, -1, 2, -2)]


def _off(by: int, lines: list[Line], line: Line, other: Line | None = None) -> Slip:
    """Return the slip whose correction adds `by` to the card points of `line` and subtracts it from those of
    `other`."""
    meant = (*line[:2], int(line[2]) + by)
    changes = [(line, meant)]
    if other is not None:
        changes.append((other, (*other[:2], int(other[2]) - by)))
    return Slip("points", line, meant, _changed(lines, *changes))


def _in_line(outcome: Outcome, one: Field, line: Line, lines: list[Line]) -> Iterator[list[Slip]]:
    """Yield slips in the words and numbers of a line, except in the words that distinguish it from the
    field's other lines."""
    for place in range(one.key, len(one.parts)):
        part = one.parts[place]
        if part.many:
            continue
        before, rest = line[: place + 1], line[place + 2 :]
        written: Word | None = line[place + 1] if len(line) > place + 1 else None
        for word in (*part.words, *(outcome.active if part.seats else ())):
            if word != written:
                meant = (*before, word, *rest)
                yield [Slip("word", line, meant, _changed(lines, (line, meant)))]
        if part.optional:
            if written is not None:
                yield [Slip("word", line, before, _changed(lines, (line, before)))]
        elif part.number and isinstance(written, int):
            numbers = sorted(range(part.number[0], part.number[1] + 1), key=lambda n: abs(n - written))
            meant_lines = [(*before, number, *rest) for number in numbers if number != written]
            yield [Slip("number", line, meant, _changed(lines, (line, meant))) for meant in meant_lines]


def _in_steps(one: Field, own: list[Line], lines: list[Line]) -> Iterator[list[Slip]]:
    """Yield slips in steps such as doubles (`Part.steps`): one too few or, if there are several, one too
    many."""
    place = next((number for number, part in enumerate(one.parts) if part.steps), None)
    if place is None:
        return
    steps = one.parts[place].words
    for before in product((one.name,), *(part.words for part in one.parts[:place])):
        # The lines are in canonical order, so the last one has the highest step.
        there = [line for line in own if line[: place + 1] == before]
        highest = steps.index(str(there[-1][place + 1])) if there else -1
        if highest + 1 < len(steps):
            more = (*before, steps[highest + 1])
            yield [Slip("more", None, more, [*lines, more])]
        if len(there) > 1:
            yield [Slip("fewer", there[-1], None, [line for line in lines if line != there[-1]])]
