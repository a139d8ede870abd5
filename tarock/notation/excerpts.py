"""Excerpts of an input: the lines around a fault."""

from __future__ import annotations

from typing import NamedTuple

WIDTH = 72
"""Maximum number of characters shown before and after the fault in a long line."""


class ExcerptLine(NamedTuple):
    """A line of an excerpt."""

    number: int
    before: str  # text before the fault
    at: str  # text at the fault
    after: str  # text after the fault
    faulty: bool  # whether the fault is in this line


def excerpt(text: str, line: int, column: int | None, first: tuple[int, int] = (1, 1)) -> list[ExcerptLine]:
    """Return the line of an input that has a fault, and the line before it, shortened around the fault.
    `first`: line and column at which the text begins."""
    all_lines = text.split("\n")
    rows = []
    for number in (line - 1, line):
        if not 0 <= number - first[0] < len(all_lines):
            continue
        content = all_lines[number - first[0]].rstrip("\r")
        if number != line or column is None:
            if len(content) > 2 * WIDTH:
                content = content[: 2 * WIDTH] + "…"
            rows.append(ExcerptLine(number, content, "", "", number == line))
            continue
        start = max(0, column - (first[1] if number == first[0] else 1))
        before, rest = content[:start], content[start:]
        at = rest.split(" ", 1)[0][:WIDTH] or rest[:1]
        after = rest[len(at) :]
        if len(before) > WIDTH:
            before = "…" + before[-WIDTH:]
        if len(after) > WIDTH:
            after = after[:WIDTH] + "…"
        rows.append(ExcerptLine(number, before, at, after, True))
    return rows
