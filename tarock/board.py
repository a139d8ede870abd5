"""The board: how a deal stands after its events, and what may come next."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from tarock import replay
from tarock.findings import Finding
from tarock.fold import fold
from tarock.position import DiscardChoice, Position, Step
from tarock.record import Event, Record
from tarock.table import Table
from tarock.verify import Check, check


@dataclass(frozen=True, slots=True)
class Announcements:
    """The announcements that the seat on turn may make in one turn, one item or several.

    `items`: in the order of the game's tables; `apart`: the pairs of which it may announce only one.
    """

    seat: str
    items: tuple[str, ...]
    apart: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Board:
    """A deal after its events, all hands open.

    `at`: the position after the last legal event; `steps`: all events, those from an illegal one on not
    judged; `moves`: the single events that may come next; `discard`, `announcements`: what may come next and
    has too many combinations for a list; `checked`: the verdict on the record as it is; `unknown`:
    the seats of whose cards some are not known.
    """

    record: Record
    at: Position
    steps: tuple[Step, ...]
    moves: tuple[Event, ...]
    discard: DiscardChoice | None
    announcements: Announcements | None
    checked: Check
    unknown: frozenset[str] = frozenset()

    @property
    def fault(self) -> Finding | None:
        """The finding of the illegal event; None if all events are legal."""
        return self.checked.error if self.checked.verdict == "illegal" else None


def board(record: Record) -> Board:
    """Set up the board for a record with cards, which may end anywhere. Nothing may come after an illegal
    event."""
    checked = check(record)
    table = fold(record).table
    # All hands are open, so no event is hidden.
    counted = replay.Count(range(table.step), table.step)
    at = replay.position(record, table.step, counted=counted)
    steps = (*replay.outline(record), *(step for _, step in replay.unjudged(record)))
    if checked.verdict != "incomplete":
        return Board(record, at, steps, (), None, None, checked)
    moves = tuple(table.single_moves())
    discard, announcements = replay.discard_choice(table), _announcements(table)
    return Board(record, at, steps, moves, discard, announcements, checked, table.unknown)


def _announcements(table: Table) -> Announcements | None:
    seat = table.turn
    items = tuple(table.open_items(seat)) if seat else ()
    if seat is None or not items:
        return None
    apart = tuple(pair for pair in combinations(items, 2) if not table.go_together(pair))
    return Announcements(seat, items, apart)
