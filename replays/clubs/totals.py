"""Running totals as lines: one line a player, or a game, from deal to deal or from day to day."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from replays.deal.chart import BOTTOM, LABEL, TOP, WIDTH, Curve, Tick, with_labels
from replays.language import words

LEFT = 44
MOST_POINTS = 200
"""Places drawn across at most; of a longer run every second, third … one."""
SHORT = 6
"""If a place has a longer name, fewer are labelled."""
COLOURS = 8
"""Colours of lines in the style sheet."""


class Size(NamedTuple):
    """How large a drawing is: its width, its least height, the room for names at its right, how many letters
    of a name are written, how many places are labelled at most, and how many of them with long names."""

    width: int
    height: int
    names: int
    letters: int
    labels: int
    long_labels: int


SMALL = Size(WIDTH, 230, 160, 14, 5, 3)
WIDE = Size(860, 300, 210, 22, 9, 6)


class Mark(NamedTuple):
    """Something to be seen on a line: the line's name, its place across, counted from 1, and what was made
    there."""

    name: str
    place: int
    points: int


class Marked(NamedTuple):
    """The same on paper."""

    curve: int
    x: float
    y: float
    points: int


@dataclass(frozen=True, slots=True)
class Totals:
    """The parts of the drawing."""

    size: Size
    curves: list[Curve]
    across: list[Tick]
    up: list[Tick]
    zero: float
    height: int
    mark: Marked | None = None

    left = LEFT

    @property
    def width(self) -> int:
        """The width of the drawing."""
        return self.size.width

    @property
    def right(self) -> int:
        """The x coordinate at which the lines end."""
        return self.width - self.size.names

    @property
    def name_x(self) -> int:
        """The x coordinate at which the names begin."""
        return self.right + 10

    @property
    def bottom(self) -> int:
        """The height of the numbers below."""
        return self.height - BOTTOM


def totals(
    runs: Mapping[str, Sequence[int]],
    places: Sequence[str],
    size: Size = SMALL,
    mark: Mark | None = None,
) -> Totals | None:
    """The lines of some running totals; None where there are not two places across.

    `runs`: the total of each at each place; `places`: their names. Every line begins at 0, before the
    first place. `mark`: what is marked on one of them.
    """
    number = len(places)
    if number < 2 or not runs:
        return None
    height = max(size.height, LABEL * len(runs) + TOP + BOTTOM)
    low = min(0, *(min(run) for run in runs.values()))
    high = max(0, *(max(run) for run in runs.values()))
    step = _step(high - low)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    high = high if high > low else low + step

    def across(place: int) -> float:
        return round(LEFT + (size.width - LEFT - size.names) * place / number, 1)

    def up(points: int) -> float:
        return round(height - BOTTOM - (height - TOP - BOTTOM) * (points - low) / (high - low), 1)

    drawn = sorted({*range(number, 0, -math.ceil(number / MOST_POINTS)), number})
    curves = []
    for n, (name, run) in enumerate(runs.items()):
        path = " ".join(
            f"{across(at)},{up(points)}" for at, points in [(0, 0), *((i, run[i - 1]) for i in drawn)]
        )
        curves.append(Curve(n % COLOURS + 1, name, path, up(run[-1]), run[-1], 0))
    marked = None
    if mark is not None:
        line = list(runs).index(mark.name) % COLOURS + 1
        marked = Marked(line, across(mark.place), up(runs[mark.name][mark.place - 1]), mark.points)
    most = size.labels if max(map(len, places)) <= SHORT else size.long_labels
    labels = min(most, number) - 1
    named = sorted({1 + (number - 1) * k // labels for k in range(labels + 1)})
    return Totals(
        size=size,
        curves=with_labels(curves, height),
        across=[Tick(across(at), places[at - 1]) for at in named],
        up=[Tick(up(points), words.points(points)) for points in range(low, high + 1, step)],
        zero=up(0),
        height=height,
        mark=marked,
    )


def _step(span: int) -> int:
    """Return a round number of points, four to ten of which make a span."""
    size = 10 ** max(0, len(str(max(span, 1))) - 2)
    return next(step * size for step in (1, 2, 5, 10, 20, 50) if span <= 8 * step * size)
