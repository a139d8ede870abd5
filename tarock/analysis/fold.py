"""Fold of a record: its events applied to a table. Verification, scoring and replay are based on it."""

from __future__ import annotations

from itertools import islice
from typing import Any, NamedTuple

from tarock.core.findings import Finding, Illegal
from tarock.core.record import Record
from tarock.core.table import Table
from tarock.games import start


class Fold(NamedTuple):
    """The table after the legal events, and the error of the first illegal event, if any. Events whose
    legality depends on unknown cards are not judged, so they are not errors."""

    table: Table
    illegal: Illegal | None

    @property
    def finding(self) -> Finding | None:
        """The reason why the record is illegal or incomplete; None if it is complete and legal."""
        table, illegal = self.table, self.illegal
        if illegal is None:
            return unknown_cards(table) if table.over else _unfinished(table)
        number = table.step
        event = table.record.events[number]
        values: dict[str, Any] = {"seat": event[0], "said": " ".join(event[1:])}
        if event[1] in ("play", "call") and len(event) == 3:
            values["card"] = event[2]
        if event[1] == "discard":
            values["cards"] = list(event[2:])
        # List the choices of the seat on turn, or of the acting seat if it may speak out of turn.
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
    """Return a finding if a rule or the score of a legal record depends on unknown cards, otherwise None."""
    if not table.partial:
        return None
    record = table.record
    places = {place.partition("/")[0] for place in record.unknown}
    seats = [seat for seat in table.seats if seat in places | table.doubts | table.unknown]
    if not (seats or places) or (not seats and table.over and _is_settled(table)):
        return None
    number = len(record.events)
    reason = "cards-unknown" if seats else "talon-unknown"
    return Finding(reason, {"seats": seats}, event=number, legal=(), pointer=f"/events/{number}")


def _is_settled(table: Table) -> bool:
    """Return whether a finished deal has the same score and facts whatever its unknown cards are."""
    if table.talon_cards() is None:
        return False
    outcomes = [(state, state.outcome()) for state in table.states()]
    results = [(tuple(state.settle(outcome)), state.facts(outcome)) for state, outcome in outcomes]
    return all(result == results[0] for result in results)


def _unfinished(table: Table) -> Finding:
    """Return the finding for a record that ends before the deal is over."""
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
    """Apply the events of a record, up to the first illegal one. `steps`: maximum number of events to
    apply."""
    table = start(record)
    events = record.events if steps is None else record.events[:steps]
    end = len(events)
    try:
        while table.step < end:
            table.apply(events[table.step])
            if table.phase == "play" and table.step < end and not table.partial:
                table.play_cards(islice(events, table.step, None))
    except Illegal as illegal:
        return Fold(table, illegal)
    return Fold(table, None)
