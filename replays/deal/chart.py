"""The running account of a deal as a small chart and a table: card points by trick, the points needed to win,
and the bonuses as they happen. The engine computes the points; this module lays them out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from replays.language import words
from replays.language.names import Names
from tarock.analysis.audit import Running
from tarock.core.game import Threshold
from tarock.core.scoring import ScoreLine
from tarock.words import names as naming
from tarock.words.clauses import Clause

WIDTH, HEIGHT = 480, 168
LEFT, RIGHT, TOP, BOTTOM = 28, 130, 20, 22
LABEL = 15
"""Minimum vertical distance between two names at the right edge, in SVG units."""


@dataclass(frozen=True, slots=True)
class Curve:
    """The curve that shows the points of one side or seat."""

    number: int
    name: str
    path: str
    end: float
    """The y coordinate of the curve's end."""
    last: int
    """The points at the curve's end."""
    label_y: float


@dataclass(frozen=True, slots=True)
class Bonus:
    """A bonus, with the step and the trick in which it was earned."""

    title: str
    slug: str
    step: int
    trick: int | None


class Column(NamedTuple):
    """One trick: its position in the chart, its winner, and each side's points after the trick."""

    trick: int
    step: int
    x: float
    left: float
    width: float
    winner: str
    points: list[int]
    bonuses: list[Bonus]
    words: str
    current: bool


class Tick(NamedTuple):
    """A number on an axis."""

    at: float
    text: str


@dataclass(frozen=True, slots=True)
class Needed:
    """The points needed to win, with the clause that sets them."""

    y: float
    points: int
    words: str
    slug: str
    clause: Clause | None


@dataclass(frozen=True, slots=True)
class Chart:
    """The parts of the chart and of the table."""

    curves: list[Curve]
    columns: list[Column]
    bonuses: list[Bonus]
    needed: Needed | None
    across: list[Tick]
    up: list[Tick]

    width = WIDTH
    height = HEIGHT
    left = LEFT
    right = WIDTH - RIGHT
    top = TOP
    bottom = HEIGHT - BOTTOM
    name_x = WIDTH - RIGHT + 8


def bonuses(
    lines: Iterable[ScoreLine],
    columns: Sequence[tuple[int, int]],
    step: int | None,
    known: set[int] | None,
    names: Names,
) -> list[Bonus]:
    """Return the score lines that particular events earned, in order. `columns`: number and last step of each
    trick; `step`: leave out lines earned later; `known`: leave out lines with an event not in this set."""
    rows = []
    for line in lines:
        if not line.events:
            continue
        at = max(line.events) + 1
        if (step is not None and at > step) or (known is not None and not set(line.events) <= known):
            continue
        clause = names.clause(line.clause)
        trick = next((number for number, end in columns if at <= end), None)
        rows.append(Bonus(clause.title if clause else line.clause, line.clause, at, trick))
    return sorted(rows, key=lambda bonus: bonus.step)


def chart(
    account: Running, names: Names, *, total: int, current: int, earned: Sequence[Bonus] = ()
) -> Chart | None:
    """Return the chart of an account; None before the first trick is complete. `total`: number of tricks in
    the deal; `current`: the step that the page shows."""
    if not account.rows:
        return None
    sides = list(account.rows[0].points)
    called = [names.side(side) for side in sides]
    points = [[row.points[side] for side in sides] for row in account.rows]
    threshold = account.threshold
    top = max(*(max(some) for some in points), (threshold.points if threshold else 0) + 4, 10)
    step_width = (WIDTH - LEFT - RIGHT) / total

    def across(trick: int) -> float:
        return round(LEFT + step_width * trick, 1)

    def up(points: int) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * points / top, 1)

    at = [across(row.trick) for row in account.rows]
    curves = []
    for n, side in enumerate(sides):
        heights = [up(some[n]) for some in points]
        start = f"{across(0)},{up(account.before.get(side, 0))}"
        path = " ".join((start, *(f"{x},{y}" for x, y in zip(at, heights, strict=True))))
        curves.append(Curve(n + 1, called[n], path, heights[-1], points[-1][n], 0))
    curves = with_labels(curves)
    comma = words.comma()
    reached = max((row.step for row in account.rows if row.step <= current), default=None)
    columns = [
        Column(
            trick=row.trick,
            step=row.step,
            x=x,
            left=round(x - step_width / 2, 1),
            width=round(step_width, 1),
            winner=names.name("seat", row.winner),
            points=some,
            bonuses=[bonus for bonus in earned if bonus.trick == row.trick],
            words=comma.join([f"{who} {number}" for who, number in zip(called, some, strict=True)]),
            current=row.step == reached,
        )
        for row, x, some in zip(account.rows, at, points, strict=True)
    ]
    return Chart(
        curves=curves,
        columns=columns,
        bonuses=list(earned),
        needed=_needed(threshold, up(threshold.points), names) if threshold else None,
        across=[Tick(across(n), str(n)) for n in range(1, total + 1) if n % (3 if total > 14 else 2) == 0],
        up=[Tick(up(n), str(n)) for n in range(0, top + 1, 20 if top > 50 else 10)],
    )


def _needed(threshold: Threshold, y: float, names: Names) -> Needed:
    values: dict[str, int | str] = {"points": threshold.points, "of": threshold.of}
    if threshold.side is None:
        text = _("%(points)s of %(of)s are needed") % values
    else:
        values["side"] = naming.label(names.words["sides"].get(threshold.side, threshold.side))
        text = _("%(side)s needs %(points)s of %(of)s") % values
    clause = names.clause(threshold.clause)
    return Needed(y, threshold.points, text, threshold.clause, clause)


def with_labels(curves: Sequence[Curve], height: int = HEIGHT) -> list[Curve]:
    """Return the curves with positions for their names, next to the ends of the curves and without
    overlap."""
    order = sorted(curves, key=lambda curve: curve.end)
    places: list[float] = []
    for curve in order:
        wanted = curve.end
        places.append(max(wanted, places[-1] + LABEL) if places else max(wanted, TOP - 8))
    over = places[-1] - (height - 6) if places else 0
    if over > 0:
        # The lowest name is below the chart, so move it up, and the names above it as far as necessary.
        places[-1] -= over
        for i in range(len(places) - 2, -1, -1):
            places[i] = min(places[i], places[i + 1] - LABEL)
    at = {curve.number: round(place + 4, 1) for curve, place in zip(order, places, strict=True)}
    return [replace(curve, label_y=at[curve.number]) for curve in curves]
