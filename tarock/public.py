"""What everybody at the table knows: the common part of what each seat knows."""

from __future__ import annotations

from typing import Any

from tarock import replay
from tarock.record import Record


def count(record: Record) -> replay.Count:
    """How events are counted here: those that every seat sees."""
    return replay.count_seen(record, record.seats)


def position(record: Record, step: int, counted: replay.Count | None = None) -> dict[str, Any]:
    """The position after `step` events as far as every seat knows it, in the form of
    `tarock.replay.position`.

    Hands, piles, talon and discards are counts and what has been shown; the choices of the seat on turn are
    its own. A partner stands there once he is known to all. What some seat does not see is not counted.
    """
    counted = counted or count(record)
    states = [replay.position(record, step, seat, counted) for seat in record.seats]
    common = _common(states)
    common["said"] = _said([state["said"] for state in states])
    common.update(view=None, legal=None)
    if common["error"] is not None:
        common["error"] |= {"legal": None, "message": ""}
    return dict(common)


def outline(record: Record) -> list[dict[str, Any]]:
    """The events as far as every seat knows them, in the form of `tarock.replay.outline`."""
    counted = count(record)
    outlines = [replay.outline(record, seat, counted) for seat in record.seats]
    return [_common(list(rows)) for rows in zip(*outlines, strict=True)]


def _common(values: list[Any]) -> Any:
    """What stands in all of the values alike; None, or in a list of arguments nothing, where they part."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if all(isinstance(value, dict) for value in values):
        keys = [key for key in first if all(key in value for value in values)]
        return {key: _common([value[key] for value in values]) for key in keys}
    return [] if all(isinstance(value, list) for value in values) else None


def _said(lists: list[list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """What was said before all, in the words that all have heard: the shortest, since others may know the
    cards."""
    numbers = set.intersection(*({row["event"] for row in rows} for rows in lists))
    heard: dict[int, dict[str, Any]] = {}
    for rows in lists:
        for row in rows:
            known = heard.setdefault(row["event"], row)
            if len(row["words"]) < len(known["words"]):
                heard[row["event"]] = row
    return [heard[number] for number in sorted(numbers)]
