"""Public knowledge: the information that every seat has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tarock.analysis import replay
from tarock.analysis.position import Position, Statement, Step
from tarock.core.record import Record


def count(record: Record) -> replay.Count:
    """Return the numbering of the events that are visible to every seat."""
    return replay.count(record, *record.seats)


def position(record: Record, step: int, counted: replay.Count | None = None) -> Position:
    """Return the position after `step` events, limited to public knowledge.

    Hands, piles, talon and discards contain only counts and open cards; the choices of the seat on turn are
    left out. The partner is included once everybody knows who it is. Events that are hidden from any seat are
    not counted. If an event is illegal, the position says so without the reason.
    """
    counted = counted or count(record)
    return _known_to_all([replay.position(record, step, seat, counted) for seat in record.seats])


def _known_to_all(states: Sequence[Position]) -> Position:
    common: Position = _common(states)
    error = common.error
    if error is not None:
        # Drop the details of the error that only the seat that broke the rule may see.
        stops = any(state.error.reason == "stops-here" for state in states if state.error)
        reason = "stops-here" if stops else "ends-here"
        error = replace(error, reason=reason, values={}, clause=None, legal=None)
    statements = _common_statements([state.said for state in states])
    return replace(common, said=statements, view=None, legal=None, error=error)


def positions(record: Record) -> list[Position]:
    """Return the positions of all steps, limited to public knowledge."""
    counted = count(record)
    seen = [replay.positions(record, seat, counted) for seat in record.seats]
    return [_known_to_all(states) for states in zip(*seen, strict=True)]


def outline(record: Record) -> list[Step]:
    """Return the outline of a deal, limited to public knowledge."""
    counted = count(record)
    outlines = [replay.outline(record, seat, counted) for seat in record.seats]
    return [_common(rows) for rows in zip(*outlines, strict=True)]


def _common(values: Sequence[Any]) -> Any:
    """Return the common part of several values. Parts that differ become None or, for tuples, empty."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) for value in values):
        keys = [key for key in first if all(key in value for value in values)]
        return {key: _common([value[key] for value in values]) for key in keys}
    if is_dataclass(first) and all(type(value) is type(first) for value in values):
        kind: Any = type(first)
        return kind(*(_common([getattr(value, field.name) for value in values]) for field in fields(first)))
    return () if all(isinstance(value, tuple) for value in values) else None


def _common_statements(lists: Sequence[tuple[Statement, ...]]) -> tuple[Statement, ...]:
    """Return the statements that all lists contain, in the shortest form, which names no hidden cards."""
    numbers = set.intersection(*({row.event for row in rows} for rows in lists))
    heard: dict[int, Statement] = {}
    for rows in lists:
        for row in rows:
            known = heard.setdefault(row.event, row)
            if len(row.words or "") < len(known.words or ""):
                heard[row.event] = row
    return tuple(heard[number] for number in sorted(numbers))
