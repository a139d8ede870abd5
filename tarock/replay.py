"""The one fold over the events of a record: verifying, replaying and listing steps are all uses of it."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any, NamedTuple

from tarock import sentences
from tarock.cards import bits, names, value
from tarock.findings import Finding, Illegal
from tarock.games import GAMES, start
from tarock.record import Event, Record
from tarock.scoring import Happening
from tarock.table import Table


class Fold(NamedTuple):
    """The table reached, and the first event that was illegal, if one was; the table stands before it."""

    table: Table
    illegal: Illegal | None

    @property
    def finding(self) -> Finding | None:
        """What keeps the record from being complete and legal; None if nothing does."""
        table, illegal = self.table, self.illegal
        if illegal is None:
            return None if table.over else _unfinished(table)
        number = table.step
        event = table.record.events[number]
        values: dict[str, Any] = {"seat": event[0], "said": " ".join(event[1:])}
        if event[1] in ("play", "call") and len(event) == 3:
            values["card"] = event[2]
        if event[1] == "discard":
            values["cards"] = list(event[2:])
        return Finding(
            illegal.reason,
            values | illegal.values,
            event=number,
            trick=len(table.tricks) + 1 if event[1] == "play" and table.phase == "play" else None,
            seat=event[0],
            clause=illegal.clause,
            legal=tuple(table.legal()),
            pointer=f"/events/{number}",
        )


def _unfinished(table: Table) -> Finding:
    """The record ends before the deal is over."""
    number = table.step
    values: dict[str, Any] = {"turn": table.turn, "phase": table.phase}
    if number:
        values |= {
            "seat": table.record.events[number - 1][0],
            "said": _words(table.record.events[number - 1]),
        }
    return Finding(
        "ends-after" if number else "ends-at-once",
        values,
        event=number,
        seat=table.turn,
        legal=tuple(table.legal()),
        pointer=f"/events/{number}",
    )


def fold(record: Record, steps: int | None = None) -> Fold:
    """Does the events of a record in order, all or the first `steps`, up to the first illegal one."""
    table = start(record)
    events = record.events if steps is None else record.events[:steps]
    end = len(events)
    try:
        while table.step < end:
            table.apply(events[table.step])
            if table.phase == "play" and table.step < end:
                table.play_cards(islice(events, table.step, None))
    except Illegal as illegal:
        return Fold(table, illegal)
    return Fold(table, None)


class Count(NamedTuple):
    """How the events of a record are counted in a view, which knows nothing of those that it must not see:
    neither what they were, nor that there were any.

    `events`: the record's own numbers of the events seen, in order; `end`: how many of its events can be
    shown. A view's step N comes after its N events and shows the moment right before the next one, what is
    hidden between them done: whether there was anything cannot be told. With all hands open both counts are
    one.
    """

    events: Sequence[int]
    end: int

    @property
    def steps(self) -> int:
        """The view's last step."""
        return len(self.events)

    def moment(self, step: int) -> int:
        """How many of the record's events are done at a step of the view (clipped to what can be shown)."""
        step = max(0, step)
        return self.events[step] if step < len(self.events) else self.end

    def step(self, moment: int) -> int:
        """The step at which the view shows a moment: the first one not before it."""
        return bisect_left(self.events, moment)

    def number(self, event: int) -> int | None:
        """The view's number of an event of the record; None if it does not see it."""
        found = bisect_left(self.events, event)
        return found if found < len(self.events) and self.events[found] == event else None


def count(record: Record, view: str | None = None) -> Count:
    """How events are counted in a seat's view, or with all hands open."""
    return count_seen(record, () if view is None else (view,))


def count_seen(record: Record, views: Sequence[str]) -> Count:
    """How events are counted where only those are that each of these seats sees."""
    if not GAMES[record.game].table.HIDES or not views:
        end = fold(record).table.step
        return Count(range(end), end)
    table = start(record)
    seen = []
    for number, event in enumerate(record.events):
        try:
            table.apply(event)
        except Illegal:
            break
        if not any(table.hidden(event, number, view) for view in views):
            seen.append(number)
    return Count(seen, table.step)


def last_step(record: Record, view: str | None = None) -> int:
    """The last step that can be shown, in a seat's `view` by its own count: the number of events, or of those
    before the illegal one."""
    return count(record, view).steps


def _words(event: Event, arguments: tuple[str, ...] | None = None) -> str:
    return " ".join(event[1:] if arguments is None else (event[1], *arguments))


def _happened(rows: Sequence[Happening], counted: Count) -> list[dict[str, Any]]:
    """What the rules did by themselves, for who counts events so: everybody sees it."""
    return [sentences.happening_json(row._replace(event=counted.step(row.event))) for row in rows]


def outline(
    record: Record,
    view: str | None = None,
    counted: Count | None = None,
    look: Callable[[Table], object] | None = None,
) -> list[dict[str, Any]]:
    """One row for each event that can be shown, in order; for a seat's `view`, only for those that it sees,
    by its own `count` (or another's, as `counted`), with nothing that it may not know. `look` is called with
    the table before the first event and after each."""
    if counted is None and (view is None or not GAMES[record.game].table.HIDES):
        # All is seen, as far as it can be shown: that is told on the way.
        counted = Count(range(len(record.events)), len(record.events))
    counted = counted or count(record, view)
    all_seen = counted.events == range(counted.end)
    table = start(record)
    rows: list[dict[str, Any]] = []
    if look is not None:
        look(table)
    for number, event in enumerate(record.events[: counted.end]):
        phase, trick, before = table.phase, len(table.tricks) + 1, len(table.happenings)
        try:
            table.apply(event)
        except Illegal:
            break
        if look is not None:
            look(table)
        seen_as = number if all_seen else counted.number(number)
        if seen_as is None:
            continue
        arguments = event[2:] if view is None else table.known_words(event, view)
        rows.append(
            {
                "event": seen_as,
                "seat": event[0],
                "verb": event[1],
                "args": list(arguments),
                "words": _words(event, arguments),
                "phase": phase,
                "trick": trick if event[1] == "play" else None,
                "winner": table.tricks[-1].winner if event[1] == "play" and not table.trick else None,
                "happenings": _happened(table.happenings[before:], counted),
                "comments": [] if view is not None else list(record.comments.get(number + 1, ())),
            }
        )
    return rows


def position(
    record: Record, step: int, view: str | None = None, counted: Count | None = None
) -> dict[str, Any]:
    """The state after `step` events (clipped to what can be shown), ready for JSON.

    With a `view` only what that seat may know is in it: its own cards and what has been shown; never the
    talon, the others' hands, face-down cards, or the secret partner before he is shown. Steps and events are
    then numbered by what the seat sees (`count`), or by another view's count, as `counted`. Raises KeyError
    for a view that is no seat of the deal.
    """
    if view is not None and view not in record.seats:
        raise KeyError(view)
    counted = counted or count(record, view)
    return _position(_fold_to(record, counted.moment(step), counted), counted, view)


def _fold_to(record: Record, moment: int, counted: Count) -> Fold:
    """The fold up to a moment; at the last that can be shown, with what is wrong there."""
    return fold(record, None if moment >= counted.end else moment)


def positions(record: Record, view: str | None = None) -> Iterator[dict[str, Any]]:
    """The positions of all steps of a view, from 0 on, as `position` gives each, going through the deal but
    once."""
    counted = count(record, view)
    moments = {counted.moment(step) for step in range(counted.steps + 1)}
    table = start(record)
    for moment in range(counted.end + 1):
        if moment in moments:
            done = _fold_to(record, moment, counted) if moment == counted.end else Fold(table, None)
            yield _position(done, counted, view)
        if moment < counted.end:
            table.apply(record.events[moment])


def _position(done: Fold, counted: Count, view: str | None) -> dict[str, Any]:
    table = done.table
    record, info = table.record, table.info
    opened = view is None
    turn = table.turn if opened or table.turn_known(str(view)) else None
    known = [
        {"event": n, "seat": e[0], "words": _words(e, e[2:] if opened else table.known_words(e, str(view)))}
        for n, e in ((counted.number(n), e) for n, e in table.statements)
        if n is not None
    ]
    stands = table.standing()
    stands["announced"] = [a | {"event": counted.number(a["event"])} for a in stands["announced"]]
    piles = table.piles_shown()
    tops = _tops(piles)
    # The last step of a deal that was not played to its end by the rules shows what is wrong with it.
    finding = done.finding if table.step == counted.end else None
    return {
        "game": record.game,
        "step": counted.step(table.step),
        "steps": counted.steps,
        "phase": table.phase,
        "seats": list(record.seats),
        "active": list(table.active),
        "sitting": next((s for s in record.seats if s not in table.active), None),
        "direction": info.direction,
        "players": dict(record.players),
        "dealer": record.dealer,
        "forehand": table.forehand,
        "turn": turn,
        "view": view,
        "hands": {
            seat: _cards(hand & ~tops.get(seat, 0), opened or seat == view)
            | {"shown": names(table.shown_in_hand(seat))}
            for seat, hand in table.hands.items()
        },
        "piles": {
            where: {
                "count": len(cards),
                "top": cards[0] if open_top else None,
                "cards": list(cards) if opened else None,
            }
            for where, (cards, open_top) in piles.items()
        },
        "talon": {"count": len(table.talon), "cards": list(table.talon) if opened else None},
        "discards": {
            seat: _cards(cards, opened or seat == view or table.over)
            | {"shown": names(table.shown_discards(seat))}
            for seat, cards in table.discards.items()
        },
        "trick": _open_trick(table),
        "tricks": [
            {
                "number": t.number,
                "leader": t.leader,
                "plays": _plays(t.seats, t.cards),
                "winner": t.winner,
                "value": value(t.set),
                "event": counted.number(t.event),
            }
            for t in table.tricks
        ],
        "won": dict(table.won),
        "points": {seat: table.points_of(seat) for seat in table.active},
        "side_points": table.sides_points() if opened else None,
        "declarer": table.declarer,
        "partner": table.known_partner(view),
        "sides": table.known_sides(view),
        **stands,
        "said": known,
        "last": _last(table, counted, view),
        "legal": table.legal() if opened else table.legal_seen() if turn == view else None,
        "comments": list(record.comments.get(table.step, ())) if opened or table.step == 0 else [],
        "over": table.over,
        "happenings": _happened([h for h in table.happenings if h.event == table.step - 1], counted),
        "error": None if finding is None else _error(finding, table, counted, view),
    }


def _tops(piles: dict[str, tuple[list[str], bool]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for where, (cards, open_top) in piles.items():
        if open_top:
            seat = where.partition("/")[0]
            found[seat] = found.get(seat, 0) | bits(cards[:1])
    return found


def _cards(cards: int, visible: bool) -> dict[str, Any]:
    return {"count": cards.bit_count(), "cards": names(cards) if visible else None}


def _plays(seats: tuple[str, ...] | list[str], tokens: tuple[str, ...] | list[str]) -> list[dict[str, Any]]:
    rows = []
    for seat, token in zip(seats, tokens, strict=True):
        code, _, says = token.partition("(")
        rows.append({"seat": seat, "card": code, "says": says.removesuffix(")") or None})
    return rows


def _open_trick(table: Table) -> dict[str, Any] | None:
    if table.phase != "play":
        return None
    started = bool(table.trick)
    return {
        "number": len(table.tricks) + 1,
        "leader": table.trick_seats[0] if started else table.turn,
        "plays": _plays(table.trick_seats, table.trick),
        "winning": table.best_seat if started else None,
    }


def _last(table: Table, counted: Count, view: str | None) -> dict[str, Any] | None:
    number = counted.step(table.step) - 1
    if number < 0:
        return None
    event = table.record.events[counted.events[number]]
    arguments = event[2:] if view is None else table.known_words(event, view)
    return {
        "event": number,
        "seat": event[0],
        "verb": event[1],
        "args": list(arguments),
        "words": _words(event, arguments),
    }


def _error(finding: Finding, table: Table, counted: Count, view: str | None) -> dict[str, Any]:
    """A finding as a view may know it: in a seat's view counted as it counts, with no choices of others in
    it, nothing of the event before, and no word of whose turn it was where that is a secret."""
    if view is None:
        return sentences.finding_json(finding, table.info.id)
    if view == finding.seat == table.turn:
        own = replace(finding, legal=tuple(table.legal_seen()))
        if own.clause is None:
            # The event before, or its cards, may be hidden from this seat.
            own = replace(own, reason="ends-here", values={})
        shown = sentences.finding_json(own, table.info.id)
    else:
        known = finding.seat == view or table.turn_known(view)
        reason = "ends-here" if finding.clause is None else "stops-here"
        elsewhere = Finding(
            reason, trick=finding.trick, seat=finding.seat if known else None, clause=finding.clause
        )
        shown = sentences.finding_json(elsewhere, table.info.id)
    return shown | {"event": counted.steps, "pointer": None}
