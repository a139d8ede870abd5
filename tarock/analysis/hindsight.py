"""Hindsight: what the cards of a finished deal cost, compared with the best choice when all cards are open.

`analysis.endings` defines the values. The analysis begins with the last card and goes back, so a deal that is
too hard for the search still has the cards after the hard position.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from tarock.analysis import endings
from tarock.analysis.endings import Ending, Limit, Solver, settled
from tarock.analysis.fold import fold
from tarock.core.record import Event, Record
from tarock.core.table import Table

#: Number of last tricks that are analysed: with the kernel, and by the engine's own search.
TRICKS, ENGINE_TRICKS = 10, 6
#: The same for all choices in one position, while a reader waits.
TRICKS_AT_ONCE, ENGINE_TRICKS_AT_ONCE = 8, 5
#: Most turning points of a deal.
TURNING_POINTS = 3


class Loss(NamedTuple):
    """A card that cost something."""

    step: int
    """Number of events before the card."""
    seat: str
    best: str
    """One of the best choices: an argument of `play`."""
    points: int
    """Cost of the card for its seat, in units of the score."""
    rank: int = 0
    """1 to 3 for a turning point of the deal, the most important first; otherwise 0."""
    clause: str = ""
    """Slug of the clause that a turning point gave to the other side, if it was one."""


class Hindsight(NamedTuple):
    """The hindsight of a deal."""

    first: int
    """Number of events before the first analysed card; the number of all events if no card is analysed."""
    losses: tuple[Loss, ...]
    """The cards that cost something, in the order of play."""


class Rated(NamedTuple):
    """A card of the analysed part."""

    step: int
    """Number of events before the card."""
    seat: str
    card: str
    """The choice that was played: the argument of `play`."""
    loss: int
    """Cost of the card for its seat, in units of the score."""
    best: str
    """One of the best choices; the card played if it cost nothing."""
    rank: int
    """1 to 3 for a turning point of the deal, the most important first; otherwise 0."""
    clause: str
    """Slug of the clause that a turning point decided, or “”."""


class _Compared(NamedTuple):
    """A loss, with the two ends between which it decided."""

    loss: Loss
    turned: bool
    """Whether it changed the result of the deal."""
    clauses: list[str]
    """Clauses with another effect on the seat, the largest difference first."""


def why_not(record: Record) -> str | None:
    """Return why the cards of a deal have no values, as a reason of `analysis.endings`. None if they do."""
    end = fold(record).table
    if not end.over or not end.tricks:
        return endings.NOT_IN_PLAY
    return endings.position(record, end.tricks[-1].event)[2]


def at_step(record: Record, step: int, solver: Solver) -> Ending:
    """Return the values of all choices after `step` events of a finished deal, in its last tricks."""
    number, table, why = endings.position(record, step)
    if table is not None and not why:
        most = TRICKS_AT_ONCE if table.special_rules() else ENGINE_TRICKS_AT_ONCE
        why = endings.LIMIT if table.total - len(table.tricks) > most else why_not(record)
    if table is None or why:
        return Ending(number, table.turn if table else None, None, None, why)
    return endings.ending(record, step, solver=solver)


def hindsight(record: Record, solver: Solver) -> Hindsight | None:
    """Return the hindsight of a deal, or None if its cards have no values (`why_not`)."""
    if why_not(record):
        return None
    first, line, found = len(record.events), list[Event](), list[_Compared]()
    for table in reversed(tables(record)):
        event = record.events[table.step]
        after, line = [event, *line], [event, *line]
        if len(endings.choices(table)) > 1:
            try:
                # The line after the card played is a good first guess: most cards cost nothing.
                solved = solver(table, after)
            except Limit:
                break
            assert solved.values is not None
            assert solved.best is not None
            line = list(solved.best)
            points = solved.values[line[0][2]] - solved.values[event[2]]
            if points:
                loss = Loss(table.step, event[0], line[0][2], points)
                found.append(_compared(loss, table, line, after))
        first = table.step
    return Hindsight(first, tuple(_ranked(found)))


def rated(record: Record, hindsight: Hindsight) -> list[Rated]:
    """Return all analysed cards."""
    losses = {loss.step: loss for loss in hindsight.losses}
    cards = []
    for step, (seat, kind, *words) in enumerate(record.events):
        if step >= hindsight.first and kind == "play":
            loss = losses.get(step) or Loss(step, seat, words[0], 0)
            cards.append(Rated(step, seat, words[0], loss.points, loss.best, loss.rank, loss.clause))
    return cards


def tables(record: Record) -> list[Table]:
    """Return the table before each card of the last tricks."""
    end = fold(record).table
    most = TRICKS if end.special_rules() else ENGINE_TRICKS
    tricks = end.tricks[max(0, end.total - most) :]
    if not tricks:
        return []
    table, found = fold(record, tricks[0].event).table, []
    while not table.over:
        if record.events[table.step][1] == "play":
            found.append(table)
        table = table.fork()
        table.apply(record.events[table.step])
    return found


def _compared(loss: Loss, table: Table, best: Sequence[Event], played: Sequence[Event]) -> _Compared:
    """Compare the score after the best card with that after the card played, if both sides then play best."""
    (result, sheet), (other, instead) = settled(table, best), settled(table, played)
    had, got = Counter[str](), Counter[str]()
    for points, lines in ((had, sheet), (got, instead)):
        for line in lines:
            points[line.clause] += line.points.get(loss.seat, 0)
    clauses = [one for one in {**had, **got} if _sign(had[one]) > _sign(got[one])]
    return _Compared(loss, result != other, sorted(clauses, key=lambda one: got[one] - had[one]))


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _ranked(found: Sequence[_Compared]) -> list[Loss]:
    """Return the losses in the order of play, and mark the turning points: a card that changed the result
    comes before one that changed another clause, and this before other losses."""
    by_weight = sorted(found, key=lambda one: (-one.turned, not one.clauses, -one.loss.points))
    turning = by_weight[:TURNING_POINTS]
    return sorted(
        one.loss._replace(rank=turning.index(one) + 1, clause=next(iter(one.clauses), ""))
        if one in turning
        else one.loss
        for one in found
    )
