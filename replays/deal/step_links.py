"""The steps to which the replay's buttons lead."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tarock.analysis.position import Step


@dataclass(frozen=True, slots=True)
class StepLinks:
    """The current and last step, and the steps to which the buttons lead; None for a disabled button."""

    current: int
    last: int
    previous: int | None
    next: int | None
    previous_trick: int | None
    next_trick: int | None


def ends(outline: Iterable[Step]) -> list[int]:
    """Return 0 and the steps at which a trick, or a phase before the play, ends."""
    grouped = itertools.groupby(outline, key=lambda row: (row.phase, row.trick))
    return [0, *([row.event for row in rows][-1] + 1 for _group, rows in grouped)]


def step_links(current: int, last: int, ends: Sequence[int]) -> StepLinks:
    """Return the links from a step to the previous and next event, and to the previous and next step in
    `ends`."""
    return StepLinks(
        current=current,
        last=last,
        previous=current - 1 if current > 0 else None,
        next=current + 1 if current < last else None,
        previous_trick=max((e for e in ends if e < current), default=None),
        next_trick=min((e for e in ends if e > current), default=None),
    )
