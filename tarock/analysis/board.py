"""The board: the position of a deal after all its events, and the legal next events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tarock.analysis import replay
from tarock.analysis.fold import Fold, fold
from tarock.analysis.position import Choice, Choices, DiscardChoice, DiscardWay, Position, Step
from tarock.analysis.verify import Check, check_fold
from tarock.core.cards import names
from tarock.core.findings import Finding
from tarock.core.record import Event, Record
from tarock.core.table import Table, free_cards
from tarock.words import sentences


@dataclass(frozen=True, slots=True)
class Announcements:
    """Items that the seat on turn may announce, one or several at a time."""

    seat: str
    items: tuple[str, ...]  # in the order of the game's tables
    apart: tuple[tuple[str, str], ...]  # pairs of items that exclude each other


@dataclass(frozen=True, slots=True)
class Board:
    """State of a deal after its events, with all hands open or as one seat (`view`) sees it.

    If the deal is over or an event is illegal, there is no legal next event.
    """

    record: Record
    view: str | None
    done: Fold  # fold of the deal's events
    at: Position  # position after the last legal event
    steps: Sequence[Step]  # events from the requested one on, with all hands open; not judged if illegal
    checked: Check  # check of the record as it is

    @property
    def fault(self) -> Finding | None:
        """The finding on the illegal event; None if all events are legal."""
        return self.checked.error if self.checked.verdict == "illegal" else None

    @property
    def unknown(self) -> frozenset[str]:
        """Seats that hold unknown cards."""
        return self.done.table.unknown

    @property
    def _table(self) -> Table | None:
        """The table; None if there is no legal next event, or if a seat other than `view` is on turn."""
        table = self.done.table
        if self.checked.verdict != "incomplete" or table.turn is None or self.view not in (None, table.turn):
            return None
        return table

    @property
    def moves(self) -> tuple[Event, ...]:
        """Legal next events, except discards and announcements of several items at once."""
        return tuple(self._table.single_moves()) if self._table else ()

    @property
    def discard(self) -> DiscardChoice | None:
        """Cards to choose the next discard from, as far as the view may know; None if no discard is legal."""
        return _discard_choice(self._table, self.view) if self._table else None

    @property
    def announcements(self) -> Announcements | None:
        """Items that may be announced next; None if there are none."""
        return _announcements(self._table) if self._table else None

    @property
    def choices(self) -> Choices | None:
        """All legal next events, including every announcement of several items."""
        table = self._table
        if table is None:
            return None
        called = sentences.Names(self.record.game)
        moves = [_choice(event, called) for event in table.moves() if self.view in (None, event[0])]
        return Choices(str(table.turn), tuple(moves), self.discard)


def board(record: Record, view: str | None = None, first: int = 0) -> Board:
    """Return the board for a record with cards, which may end after any event. `view`: a seat of the deal
    (not validated here), or None for all hands open. `first`: number of the event with which `steps` begins;
    if an earlier event is illegal, `steps` begins there. The events are applied once or, for a view,
    twice."""
    done, steps = replay.run(record, first)
    # With all hands open, no event is hidden, so the events can be counted without applying them again.
    moment = done.table.step
    counted = replay.Count(range(moment), moment) if view is None else replay.count(record, view)
    at = replay.position_of(done, counted, view)
    return Board(record, view, done, at, steps, check_fold(done))


def exchange(record: Record, number: int) -> tuple[Record, Finding | None]:
    """Put an event of a record in place of the event after it. Return the new record, and the finding on its
    first illegal event; None if all are legal. `number`: number of the new event, from 0. If its seat plays
    the same card later, the two cards change places."""
    events = record.events
    new, old, *after = events[number:]
    if new[1] == "play" and new[:2] == old[:2]:
        after = [old if event == new else event for event in after]
    changed = replace(record, events=[*events[:number], new, *after])
    done = fold(changed)
    return changed, done.finding if done.illegal else None


def _choice(event: Event, called: sentences.Names) -> Choice:
    written = event[2] if event[1] == "play" else " ".join(event)
    return Choice(event, written, f"{event[0]} {sentences.event_sentence(event[1], event[2:], called)}")


def _discard_choice(table: Table, view: str | None) -> DiscardChoice | None:
    if "discard" not in table.verbs:
        return None
    number, rows = table.discard_choices() if view is None else table.discard_choices_seen()
    if table.turn in table.unknown:
        # The seat's cards are unknown, and it may discard a card just taken from the talon, so offer every
        # card that it may hold.
        rows = [(0, free_cards(rows) | table.may_hold(table.turn, -1))]
    ways = [DiscardWay(tuple(names(fixed)), tuple(names(pool))) for fixed, pool in rows]
    return DiscardChoice(number, tuple(ways))


def _announcements(table: Table) -> Announcements | None:
    seat = table.turn
    items = tuple(table.open_items(seat)) if seat else ()
    if seat is None or not items:
        return None
    apart = tuple(pair for pair in combinations(items, 2) if not table.go_together(pair))
    return Announcements(seat, items, apart)
