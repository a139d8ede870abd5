"""Running totals as lines: one line a player, or a game, from deal to deal or from month to month."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from replays import words
from replays.deal.chart import BOTTOM, HEIGHT, LABEL, TOP, WIDTH, Curve, Tick, with_labels

LEFT, RIGHT = 44, 160
MOST_POINTS = 200
"""Places drawn across at most; of a longer run every second, third … one."""
MOST_LABELS, SHORT = 5, 8
"""Places labelled at most; fewer where a name is longer than `SHORT`."""
COLOURS = 8
"""Colours of lines in the style sheet."""


@dataclass(frozen=True, slots=True)
class Totals:
    """The parts of the drawing."""

    curves: list[Curve]
    across: list[Tick]
    up: list[Tick]
    zero: float
    height: int

    width = WIDTH
    left = LEFT
    right = WIDTH - RIGHT
    name_x = WIDTH - RIGHT + 8

    @property
    def bottom(self) -> int:
        """The height of the numbers below."""
        return self.height - BOTTOM


def totals(runs: Mapping[str, Sequence[int]], places: Sequence[str]) -> Totals | None:
    """The lines of some running totals; None where there are not two places across.

    ``runs``: the total of each at each place; ``places``: their names. Every line begins at 0, before the
    first place.
    """
    number = len(places)
    if number < 2 or not runs:
        return None
    height = max(HEIGHT, LABEL * len(runs) + TOP + BOTTOM)
    low = min(0, *(min(run) for run in runs.values()))
    high = max(0, *(max(run) for run in runs.values()))
    step = _step(high - low)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    high = high if high > low else low + step

    def across(place: int) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * place / number, 1)

    def up(points: int) -> float:
        return round(height - BOTTOM - (height - TOP - BOTTOM) * (points - low) / (high - low), 1)

    drawn = sorted({*range(number, 0, -math.ceil(number / MOST_POINTS)), number})
    curves = []
    for n, (name, run) in enumerate(runs.items()):
        path = " ".join(
            f"{across(at)},{up(points)}" for at, points in [(0, 0), *((i, run[i - 1]) for i in drawn)]
        )
        curves.append(Curve(n % COLOURS + 1, name, path, up(run[-1]), run[-1], 0))
    most = MOST_LABELS if max(map(len, places)) <= SHORT else 3
    labels = min(most, number) - 1
    named = sorted({1 + (number - 1) * k // labels for k in range(labels + 1)})
    return Totals(
        curves=with_labels(curves, height),
        across=[Tick(across(at), places[at - 1]) for at in named],
        up=[Tick(up(points), words.points(points)) for points in range(low, high + 1, step)],
        zero=up(0),
        height=height,
    )


def _step(span: int) -> int:
    """A round number of points, of which four to ten make a span."""
    size = 10 ** max(0, len(str(max(span, 1))) - 2)
    return next(step * size for step in (1, 2, 5, 10, 20, 50) if span <= 8 * step * size)
