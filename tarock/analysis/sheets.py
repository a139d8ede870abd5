"""Score sheets made from played deals."""

from __future__ import annotations

from dataclasses import replace

from tarock.analysis.fold import fold
from tarock.core.record import Line, Record


def sheet_lines(record: Record) -> tuple[Line, ...] | None:
    """Return the lines of a score sheet, or those that follow from a played deal; None for a result, or
    without a score."""
    if not record.is_played:
        return record.sheet
    done = fold(record)
    return None if done.finding else done.table.outcome().lines()


def sheet_of(record: Record) -> Record | None:
    """Return the score sheet of a played deal, with the same tags, claim and comments on the deal as a whole;
    None if the deal has no score. Return a score sheet unchanged."""
    if record.sheet is not None:
        return record
    lines = sheet_lines(record)
    if lines is None:
        return None
    comments = {0: record.comments[0]} if record.comments.get(0) else {}
    return replace(record, deal={}, events=[], comments=comments, sheet=lines)
