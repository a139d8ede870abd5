"""The steps that the buttons lead to."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tarock.analysis.position import Step


@dataclass(frozen=True, slots=True)
class StepLinks:
    """The steps that the buttons lead to; None where there is none."""

    current: int
    last: int
    previous: int | None
    next: int | None
    previous_trick: int | None
    next_trick: int | None


def ends(outline: Iterable[Step]) -> list[int]:
    """The steps at which a trick (before the play: a phase) ends, the beginning of the deal in front."""
    grouped = itertools.groupby(outline, key=lambda row: (row.phase, row.trick))
    return [0, *([row.event for row in rows][-1] + 1 for _group, rows in grouped)]


def step_links(current: int, last: int, ends: Sequence[int]) -> StepLinks:
    """The links of a step: to the next and previous event, and to the end of the next and previous trick
    (before the play: phase); see `ends`."""
    return StepLinks(
        current=current,
        last=last,
        previous=current - 1 if current > 0 else None,
        next=current + 1 if current < last else None,
        previous_trick=max((e for e in ends if e < current), default=None),
        next_trick=min((e for e in ends if e > current), default=None),
    )
