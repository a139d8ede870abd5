"""Running totals as a line chart, one line per player or game, by deal or by day."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from replays.deal.chart import BOTTOM, LABEL, TOP, WIDTH, Curve, Tick, with_labels
from replays.language import words

LEFT = 44
MOST_POINTS = 200
"""Maximum number of points drawn per line. For a longer line, only every second, third … point is drawn."""
SHORT = 6
"""Maximum length of a short label, in characters. With longer labels, `Size.long_labels` applies."""
MOST_LINKS = 40
"""Maximum number of positions that are links, which is also the number of Tab stops."""
COLOURS = 8
"""Number of line colours in the style sheet."""


class Size(NamedTuple):
    """The size of a chart. `width`: total width; `height`: minimum height; `names`: width of the space for
    names on the right; `letters`: maximum length of a name; `labels`: maximum number of labels on the axis;
    `long_labels`: maximum number of labels if they are long."""

    width: int
    height: int
    names: int
    letters: int
    labels: int
    long_labels: int


SMALL = Size(WIDTH, 230, 160, 14, 5, 3)
WIDE = Size(860, 300, 210, 22, 9, 6)


class Mark(NamedTuple):
    """A point to mark: its line's name, its position on the axis (from 1), and the points scored there."""

    name: str
    place: int
    points: int


class Marked(NamedTuple):
    """A mark with the colour number of its line and its coordinates in the drawing."""

    curve: int
    x: float
    y: float
    points: int


class Link(NamedTuple):
    """A position on the axis as a link: the deals or the deal behind it, and what happened there."""

    href: str
    words: str


class Column(NamedTuple):
    """A link in the drawing: the x coordinate of its left edge, and its width."""

    left: float
    width: float
    link: Link


@dataclass(frozen=True, slots=True)
class Totals:
    """The parts of a chart of running totals."""

    size: Size
    curves: list[Curve]
    across: list[Tick]
    up: list[Tick]
    zero: float
    height: int
    mark: Marked | None = None
    columns: Sequence[Column] = ()

    left, top = LEFT, TOP

    @property
    def right(self) -> int:
        """The x coordinate at which the lines end."""
        return self.size.width - self.size.names

    @property
    def name_x(self) -> int:
        """The x coordinate of the names' left edge."""
        return self.right + 10

    @property
    def bottom(self) -> int:
        """The y coordinate of the lower edge, below which the axis labels are."""
        return self.height - BOTTOM


def totals(
    runs: Mapping[str, Sequence[float]],
    places: Sequence[str],
    size: Size = SMALL,
    mark: Mark | None = None,
    links: Sequence[Link] = (),
    *,
    from_zero: bool = True,
) -> Totals | None:
    """Return a chart of running totals or, without `from_zero`, of other values; None if there are no totals
    or fewer than two positions on the axis.

    `runs`: the totals at each position, by name of the line; `places`: labels of the positions on the axis.
    A line of totals begins at 0, before the first position. `mark`: a point to mark on one of the lines;
    `links`: a link for each position, of which every second, third … is left out if there are too many.
    """
    number = len(places)
    if number < 2 or not runs:
        return None
    height = max(size.height, LABEL * len(runs) + TOP + BOTTOM)
    low = math.floor(min(0, *(min(run) for run in runs.values())))
    high = math.ceil(max(0, *(max(run) for run in runs.values())))
    step = _step(high - low)
    low, high = math.floor(low / step) * step, math.ceil(high / step) * step
    high = high if high > low else low + step

    def across(place: int) -> float:
        return round(LEFT + (size.width - LEFT - size.names) * place / number, 1)

    def up(points: float) -> float:
        return round(height - BOTTOM - (height - TOP - BOTTOM) * (points - low) / (high - low), 1)

    drawn = sorted({*range(number, 0, -math.ceil(number / MOST_POINTS)), number})
    curves = []
    for n, (name, run) in enumerate(runs.items()):
        drawn_points = [(0, 0.0)] * from_zero + [(i, run[i - 1]) for i in drawn]
        path = " ".join(f"{across(at)},{up(points)}" for at, points in drawn_points)
        curves.append(Curve(n % COLOURS + 1, name, path, up(run[-1]), round(run[-1]), 0))
    marked = None
    if mark is not None:
        line = list(runs).index(mark.name) % COLOURS + 1
        marked = Marked(line, across(mark.place), up(runs[mark.name][mark.place - 1]), mark.points)
    most = size.labels if max(map(len, places)) <= SHORT else size.long_labels
    labels = min(most, number) - 1
    every = math.ceil(number / MOST_LINKS)
    width = round((across(1) - across(0)) * every, 1)
    named = sorted({1 + (number - 1) * k // labels for k in range(labels + 1)})
    return Totals(
        size=size,
        curves=with_labels(curves, height),
        across=[Tick(across(at), places[at - 1]) for at in named],
        up=[Tick(up(points), words.points(points)) for points in range(low, high + 1, step)],
        zero=up(0),
        height=height,
        mark=marked,
        columns=[
            Column(round(across(at) - width / 2, 1), width, links[at - 1])
            for at in range(number, 0, -every)[::-1]
            if links
        ],
    )


def _step(span: int) -> int:
    """Return the smallest round number of points that divides a span into at most eight parts."""
    size = 10 ** max(0, len(str(max(span, 1))) - 2)
    return next(step * size for step in (1, 2, 5, 10, 20, 50) if span <= 8 * step * size)
