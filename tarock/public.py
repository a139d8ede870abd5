"""What everybody at the table knows: the common part of what each seat knows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tarock import replay
from tarock.position import Position, Statement, Step
from tarock.record import Record


def count(record: Record) -> replay.Count:
    """How events are counted here: those that every seat sees."""
    return replay.count_seen(record, record.seats)


def position(record: Record, step: int, counted: replay.Count | None = None) -> Position:
    """The position after `step` events as far as every seat knows it.

    Hands, piles, talon and discards are counts and what has been shown; the choices of the seat on turn are
    its own. A partner stands there once he is known to all. What some seat does not see is not counted. Of a
    broken rule there is no more than that it was broken.
    """
    counted = counted or count(record)
    return _known_to_all([replay.position(record, step, seat, counted) for seat in record.seats])


def _known_to_all(states: Sequence[Position]) -> Position:
    common: Position = _common(states)
    error = common.error
    if error is not None:
        # Who broke the rule knows more of it than the others.
        stops = any(state.error.reason == "stops-here" for state in states if state.error)
        reason = "stops-here" if stops else "ends-here"
        error = replace(error, reason=reason, values={}, clause=None, legal=None)
    statements = _common_statements([state.said for state in states])
    return replace(common, said=statements, view=None, legal=None, error=error)


def positions(record: Record) -> list[Position]:
    """The same of all steps."""
    counted = count(record)
    seen = [replay.positions(record, seat, counted) for seat in record.seats]
    return [_known_to_all(states) for states in zip(*seen, strict=True)]


def outline(record: Record) -> list[Step]:
    """The events as far as every seat knows them."""
    counted = count(record)
    outlines = [replay.outline(record, seat, counted) for seat in record.seats]
    return [_common(rows) for rows in zip(*outlines, strict=True)]


def _common(values: Sequence[Any]) -> Any:
    """What stands in all of the values alike; None, or in a list nothing, where they part."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) for value in values):
        keys = [key for key in first if all(key in value for value in values)]
        return {key: _common([value[key] for value in values]) for key in keys}
    if is_dataclass(first) and all(type(value) is type(first) for value in values):
        made: Any = type(first)
        return made(*(_common([getattr(value, field.name) for value in values]) for field in fields(first)))
    return () if all(isinstance(value, tuple) for value in values) else None


def _common_statements(lists: Sequence[tuple[Statement, ...]]) -> tuple[Statement, ...]:
    """What was said before all, in the words that all have heard: the shortest, since others may know the
    cards."""
    numbers = set.intersection(*({row.event for row in rows} for rows in lists))
    heard: dict[int, Statement] = {}
    for rows in lists:
        for row in rows:
            known = heard.setdefault(row.event, row)
            if len(row.words or "") < len(known.words or ""):
                heard[row.event] = row
    return tuple(heard[number] for number in sorted(numbers))
