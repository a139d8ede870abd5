"""The one fold over the events of a record: verifying, replaying and listing steps are all uses of it."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from tarock.cards import bits, names, value
from tarock.games import TABLES, Illegal, Table, start
from tarock.games.tricks import Play, play_through
from tarock.record import Event, Record


class Fold(NamedTuple):
    """The table reached, and the first event that was illegal, if one was; the table stands before it."""

    table: Table
    illegal: Illegal | None


def fold(record: Record, steps: int | None = None) -> Fold:
    """Does the events of a record in order, all or the first `steps`, up to the first illegal one."""
    table = start(record)
    try:
        table.speak(record.events if steps is None else record.events[:steps])
    except Illegal as illegal:
        return Fold(table, illegal)
    return Fold(table, None)


def finished(records: Sequence[Record]) -> list[Table | None]:
    """The tables at the end of complete and legal deals, their tricks run through at once; good for scoring
    only. Many together are faster than one by one.

    None for each where that does not go: the record has no full row of tricks, something limits the play that
    only a look at every card can tell, or an event is illegal. Then `fold` tells.
    """
    found = _begun(records)
    plain: list[tuple[Table, Play]] = []
    for n, table in enumerate(found):
        if table is None or (tricks := table.record.tricks) is None:
            continue
        if table.phase != "play":
            found[n] = None
        elif play := table.plain_play(tricks):
            plain.append((table, play))
        elif not table.run_tricks(tricks):
            found[n] = None
    outcomes = play_through([play for _, play in plain])
    for (table, _), outcome in zip(plain, outcomes, strict=True):
        if outcome is not None:
            table.played_through(outcome)
    return [table if table is not None and table.over else None for table in found]


def _begun(records: Sequence[Record]) -> list[Table | None]:
    """The tables when the first trick begins, or all events are done; None for each where one is illegal, or
    there is no telling."""
    found = [start(record) if record.spoken is not None else None for record in records]
    going = [
        (n, table, table.record.spoken)
        for n, table in enumerate(found)
        if table is not None and table.record.spoken
    ]
    # Phase by phase, for all of them: a processor is faster at doing the same again than something new.
    while going:
        rest = []
        for going_on in going:
            n, table, spoken = going_on
            try:
                if table.begin_on(spoken):
                    rest.append(going_on)
            except (Illegal, KeyError):
                found[n] = None
        going = rest
    return found


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
    if not TABLES[record.game].HIDES or not views:
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


def _words(event: Event, arguments: tuple[str, ...]) -> str:
    return " ".join((event[1], *arguments))


def outline(
    record: Record,
    view: str | None = None,
    counted: Count | None = None,
    look: Callable[[Table], object] | None = None,
) -> list[dict[str, Any]]:
    """One row for each event that can be shown, in order; for a seat's `view`, only for those that it sees,
    by its own `count` (or another's, as `counted`), with nothing that it may not know. `look` is called with
    the table before the first event and after each."""
    if counted is None and (view is None or not TABLES[record.game].HIDES):
        # All is seen, as far as it can be shown: that is told on the way.
        counted = Count(range(len(record.events)), len(record.events))
    counted = counted or count(record, view)
    all_seen = counted.events == range(counted.end)
    table = start(record)
    rows: list[dict[str, Any]] = []
    if look is not None:
        look(table)
    for number, event in enumerate(record.events[: counted.end]):
        phase, trick = table.phase, len(table.tricks) + 1
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
    if counted is None and (view is None or not TABLES[record.game].HIDES):
        # Nothing to be counted: what comes after the step is gone through but once.
        number = max(0, min(step, len(record.events)))
        table, illegal = fold(record, number)
        total = table.step if illegal is not None else _remaining(table, record, number)
        return _position(table, Count(range(total), total), view)
    counted = counted or count(record, view)
    return _position(fold(record, counted.moment(step)).table, counted, view)


def _remaining(table: Table, record: Record, number: int) -> int:
    """How many events can be shown in all."""
    rest = table.copy()
    for event in record.events[number:]:
        try:
            rest.apply(event)
        except Illegal:
            break
    return rest.step


def _position(table: Table, counted: Count, view: str | None) -> dict[str, Any]:
    record, info = table.record, table.info
    opened = view is None
    turn = table.turn if opened or table.turn_known(str(view)) else None
    said = [(counted.number(n), e) for n, e in table.said]
    known = [
        {"event": n, "seat": e[0], "words": _words(e, e[2:] if opened else table.known_words(e, str(view)))}
        for n, e in said
        if n is not None
    ]
    stands = table.contract_words()
    stands["announced"] = [a | {"event": counted.number(a["event"])} for a in stands["announced"]]
    piles = table.piles_shown()
    tops = _tops(piles)
    # The last step of a deal that was not played to its end by the rules shows what is wrong with it.
    unsound = counted.end < len(record.events) or not table.over
    error = _error(table, counted, view) if unsound and table.step == counted.end else None
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
            seat: _cards(cards, opened or seat == view) | {"shown": names(table.shown_discards(seat))}
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
        "error": error,
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


def _error(table: Table, counted: Count, view: str | None) -> dict[str, Any] | None:
    """The finding on a record that ends badly; for a seat's view counted as it counts, with no choices of
    others in it, and no word of whose turn it was where that is a secret."""
    from tarock.verify import check

    error = check(table.record).error
    if error is None:
        return None
    shown = error.as_json()
    if view is not None:
        # The choices are those of the seat on turn, and the sentence may name its cards.
        own = view == error.seat == table.turn
        known = error.seat == view or table.turn_known(view)
        shown |= {
            "event": counted.steps,
            "pointer": None,
            "seat": error.seat if known else None,
            "legal": table.legal_seen() if own else None,
            "message": _recounted(error.message, counted) if own else "",
        }
    return shown


def _recounted(message: str, counted: Count) -> str:
    """The sentence of a finding, which names the event at the end or the one before it, by a view's count."""

    def number(found: re.Match[str]) -> str:
        return f"event {counted.steps if int(found[1]) == counted.end else counted.steps - 1}"

    return re.sub(r"event (\d+)", number, message, count=1)
