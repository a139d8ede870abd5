"""The picture of an evening for link previews: the points of each player and the running totals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from replays.clubs.totals import LEFT, Totals
from replays.deal.chart import BOTTOM, TOP
from replays.language import words
from replays.pictures import lettering
from replays.pictures.drawing import DIM, WIDTH, Box, Drawing, colour_of
from tarock.core.options import POINT
from tarock.view.cards import faces, pack

VERSION = "2"
"""Version of the pictures. Increase it when the pictures change, so that cached pictures are replaced."""
MOST_ROWS = 8
COLOURS = ("#ffd34d", "#8fd3ff", "#ff9f80", "#a8e6a1", "#e0b3ff", "#ffb3d1", "#c9d66b", "#7fe3d4")
"""Colours of the curves, which repeat after the last one."""
_CARDS = ("T0", "T21", "T1", "SK", "HK", "DK", "CK")
"""Cards in the picture if there are no standings."""


@dataclass(frozen=True, slots=True)
class Row:
    """A player's place (0 for none), name, points with their unit, and curve colour."""

    place: int
    name: str
    points: int
    colour: str = ""
    unit: str = POINT


def svg(title: str, about: str, rows: Sequence[Row], chart: Totals | None) -> str:
    """Return the standings as SVG, with the chart of running totals if there is one. If there are no rows,
    the picture shows playing cards instead."""
    drawing = Drawing(bar=150)
    drawing.text(lettering.fit(title, 56, WIDTH - 120), 60, 78, 56)
    drawing.text(lettering.fit(about, 28, WIDTH - 120), 60, 124, 28, DIM)
    if not rows:
        _cards(drawing)
        return drawing.svg()
    room = 500 if chart else WIDTH - 120
    step = min(74.0, 440 / len(rows[:MOST_ROWS]))
    for number, row in enumerate(rows[:MOST_ROWS]):
        _row(drawing, row, Box(60, 176 + number * step, room, step), min(40.0, step * 0.6))
    if chart:
        _chart(drawing, chart, Box(620, 190, WIDTH - 680, 390))
    return drawing.svg()


def _row(drawing: Drawing, row: Row, box: Box, size: float) -> None:
    base = box.y + box.height / 2 + size * 0.36
    if row.place:
        drawing.text(f"{row.place}.", box.x, base, size, DIM)
    points = words.points(row.points, row.unit)
    drawing.text(points, box.x + box.width, base, size, colour_of(row.points), "end")
    x = box.x + (size * 1.5 if row.place else 0)
    if row.colour:
        drawing.circle(x + size * 0.3, base - size * 0.34, size * 0.26, row.colour)
        x += size
    name = lettering.fit(row.name, size, box.x + box.width - lettering.width(points, size) - 20 - x)
    drawing.text(name, x, base, size)


def _chart(drawing: Drawing, chart: Totals, box: Box) -> None:
    across, up = box.width / (chart.right - LEFT), box.height / (chart.height - TOP - BOTTOM)

    def at(x: float, y: float) -> tuple[float, float]:
        return box.x + (x - LEFT) * across, box.y + (y - TOP) * up

    zero = at(LEFT, chart.zero)[1]
    drawing.line(f"{box.x},{zero:.1f} {box.x + box.width},{zero:.1f}", DIM, 2)
    for curve in chart.curves:
        places = [at(*map(float, point.split(","))) for point in curve.path.split()]
        colour = curve_colour(curve.number)
        drawing.line(" ".join([f"{x:.1f},{y:.1f}" for x, y in places]), colour, 6)
        drawing.circle(*places[-1], 9, colour)


def curve_colour(number: int) -> str:
    """Return the colour of the curve with this number, counted from 1."""
    return COLOURS[(number - 1) % len(COLOURS)]


def _cards(drawing: Drawing) -> None:
    width, step = 150.0, 140.0
    x = (WIDTH - step * (len(_CARDS) - 1) - width) / 2
    for number, face in enumerate(faces(_CARDS, pack("taroky", "en"))):
        drawing.card(face, x + number * step, 265, width)
