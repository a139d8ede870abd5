"""The fold over the events of a record, which verifying, scoring and replaying all use."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from tarock.findings import Finding, Illegal
from tarock.games import start
from tarock.record import Record
from tarock.table import Table


class Fold(NamedTuple):
    """The table reached, and the first illegal event, if there is one; the table stands before it. What
    depends on cards that nobody knows is not judged, and no fault; `unsure`: whether nothing can be judged
    from here on."""

    table: Table
    illegal: Illegal | None
    unsure: bool = False

    @property
    def finding(self) -> Finding | None:
        """The finding that makes the record illegal or incomplete; None for a complete and legal one."""
        table, illegal = self.table, self.illegal
        if self.unsure:
            return unknown_cards(table)
        if illegal is None:
            return unknown_cards(table) if table.over else _unfinished(table)
        number = table.step
        event = table.record.events[number]
        values: dict[str, Any] = {"seat": event[0], "said": " ".join(event[1:])}
        if event[1] in ("play", "call") and len(event) == 3:
            values["card"] = event[2]
        if event[1] == "discard":
            values["cards"] = list(event[2:])
        # The choices of the seat on turn; of a seat that may speak out of turn, its own.
        in_turn = event[0] == table.turn or illegal.clause == "common.turn"
        return Finding(
            illegal.reason,
            values | illegal.values,
            event=number,
            trick=len(table.tricks) + 1 if event[1] == "play" and table.phase == "play" else None,
            seat=event[0],
            clause=illegal.clause,
            legal=tuple(table.legal() if in_turn else table.legal_to_say(event[0])),
            pointer=f"/events/{number}",
        )


def unknown_cards(table: Table) -> Finding | None:
    """The finding for a record that is legal as far as its cards are known; None if all of them are."""
    record = table.record
    if record.is_whole and not table.unknown:
        return None
    hands = {place.partition("/")[0] for place in record.unknown} - {"talon"}
    seats = [seat for seat in table.seats if seat in hands or seat in table.unknown]
    number = len(record.events)
    reason = "cards-unknown" if seats else "talon-unknown"
    return Finding(reason, {"seats": seats}, event=number, legal=(), pointer=f"/events/{number}")


def _unfinished(table: Table) -> Finding:
    """The finding for a record that ends before the deal is over."""
    number = table.step
    values: dict[str, Any] = {"turn": table.turn, "phase": table.phase}
    if number:
        before = table.record.events[number - 1]
        values |= {"seat": before[0], "said": " ".join(before[1:])}
    return Finding(
        "ends-after" if number else "ends-at-once",
        values,
        event=number,
        seat=table.turn,
        legal=tuple(table.legal()),
        pointer=f"/events/{number}",
    )


def fold(record: Record, steps: int | None = None) -> Fold:
    """Apply the events of a record in order, all or the first `steps`, up to the first illegal one."""
    table = start(record)
    events = record.events if steps is None else record.events[:steps]
    end = len(events)
    try:
        while table.step < end:
            table.apply(events[table.step])
            if table.phase == "play" and table.step < end and not table.may_come:
                table.play_cards(islice(events, table.step, None))
    except Illegal as illegal:
        return stopped(table, illegal)
    return Fold(table, None)


def stopped(table: Table, illegal: Illegal) -> Fold:
    """The fold that ends before an event which is illegal, as far as that can be judged."""
    return Fold(table, None, unsure=True) if table.unsure() else Fold(table, illegal)
