"""The protocol of an evening on one sheet of A4: the size of its type, and the signatures.

As on the sheet of a deal (`replays.deal.printing`) lines and columns are counted here, and the sheet says by
a class name in which size it is to be set.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from replays import words
from replays.deal.printing import PAGE_HEIGHT, PAGE_WIDTH, POINT, SIZES, line_count
from replays.session_page import Evening, Row

ROW = 1.5
"""The height of a row in the style sheet, in ems."""
FIRST_COLUMNS = 34.0
"""The width of the columns before those of the players, in ems."""
DIGIT = 0.6
"""The width of a digit, in ems."""
LEGEND = 3
"""The lines of what explains the cells, and of the sum check."""
SIGNATURES = 5
"""Signatures side by side."""
SIGNATURE = 16.0
"""The height of a row of signatures, in mm."""


@dataclass(frozen=True, slots=True)
class Protocol:
    """Everything on the sheet. ``running``: whether there is room for running totals."""

    evening: Evening
    rows: list[Row]
    size: int
    running: bool
    fits: bool


def protocol(evening: Evening, rows: Sequence[Row]) -> Protocol:
    """The protocol of an evening in the largest type in which it fits one sheet. If it fits none, it goes on
    several, in the largest type in which its columns do."""
    for running in (True, False):
        for size, points in enumerate(SIZES):
            em = points * POINT
            wide = _width(evening, running) * em <= PAGE_WIDTH
            if wide and _height(evening, rows, em) <= PAGE_HEIGHT:
                return Protocol(evening, list(rows), size, running, True)
    for running in (True, False):
        for size, points in enumerate(SIZES):
            if _width(evening, running) * points * POINT <= PAGE_WIDTH:
                return Protocol(evening, list(rows), size, running, False)
    return Protocol(evening, list(rows), len(SIZES) - 1, False, False)


def _width(evening: Evening, running: bool) -> float:
    """The width of the table in ems."""
    ems = FIRST_COLUMNS
    for column in range(len(evening.columns)):
        standings = [result.columns[column] for result in evening.results]
        totals = [words.points(standing.total) for standing in standings if standing]
        money = [
            result.stake.written(standing.total)
            for result in evening.results
            if result.stake and (standing := result.columns[column])
        ]
        # A total may have been larger before, and points are as long as a total at most.
        figures = (max(map(len, totals), default=1) + 1) * (2 if running else 1)
        ems += 1.0 + DIGIT * max([figures, *map(len, money)])
    return ems


def _height(evening: Evening, rows: Sequence[Row], em: float) -> float:
    """The height of the sheet in mm: head, rows with their remarks, sums, signatures, foot."""
    room = PAGE_WIDTH / em
    remarks = [*evening.remarks, *(f"{row.number}: {remark}" for row in rows for remark in row.remarks)]
    ems = 3.0 + 1.35 * line_count(f"{evening.games} · {evening.days} · {evening.places}", room * 0.9)
    ems += 2.0 + ROW * (len(rows) + sum(4 if result.stake else 3 for result in evening.results))
    ems += 0.6 + 1.35 * line_count(" ".join(remarks), room * 0.95) if remarks else 0
    ems += 1.35 * (2 + LEGEND) + 1.5
    ems += 1.35 * line_count(evening.sheets, room * 0.7) if evening.sheets else 0
    lines = -(-(len(evening.columns) + 1) // SIGNATURES)
    return ems * em + lines * SIGNATURE + 4
