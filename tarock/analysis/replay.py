"""Replay of a deal: its events as rows, and its positions, with all hands open or as one seat sees them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from tarock.analysis.fold import Fold, fold
from tarock.analysis.position import (
    Announcement,
    Hand,
    Heap,
    Move,
    Pile,
    Play,
    Position,
    Statement,
    Step,
    TakenTrick,
    Trick,
)
from tarock.core.cards import BIT, UNKNOWN, bits, names, value
from tarock.core.findings import Finding, Illegal
from tarock.core.record import Event, Record
from tarock.core.scoring import Happening
from tarock.core.table import Table
from tarock.games import GAMES, start

AnyHeap = TypeVar("AnyHeap", bound=Heap)


class Count(NamedTuple):
    """Numbering of the events and steps in a view. Events hidden from the view are not counted, so that even
    their existence stays hidden.

    Step N of a view comes after N visible events and shows the moment right before the next visible event,
    after any hidden events in between. With all hands open, the numbers are those of the record.
    """

    events: Sequence[int]  # record's numbers for the visible events, in order
    end: int  # number of events before the first illegal one

    @property
    def steps(self) -> int:
        """Number of the view's last step."""
        return len(self.events)

    def moment(self, step: int) -> int:
        """Return the number of record events before a step of the view. A step out of range is clipped."""
        step = max(0, step)
        return self.events[step] if step < len(self.events) else self.end

    def step(self, moment: int) -> int:
        """Return the view's step after `moment` events of the record: the number of visible ones among
        them."""
        return bisect_left(self.events, moment)

    def number(self, event: int) -> int | None:
        """Return the view's number for an event of the record; None if the event is hidden."""
        found = bisect_left(self.events, event)
        return found if found < len(self.events) and self.events[found] == event else None


def count(record: Record, *views: str | None) -> Count:
    """Return the numbering of the events that all these views can see. With only None, or without a view, all
    hands are open."""
    seats = [view for view in views if view is not None]
    if not GAMES[record.game].table.HIDES or not seats:
        end = fold(record).table.step
        return Count(range(end), end)
    table = start(record)
    seen = []
    for number, event in enumerate(record.events):
        try:
            table.apply(event)
        except Illegal:
            break
        if not any(table.hidden(event, number, seat) for seat in seats):
            seen.append(number)
    return Count(seen, table.step)


def last_step(record: Record, view: str | None = None) -> int:
    """Return the last step, which is the number of events that the view sees before an illegal one."""
    return count(record, view).steps


def _words(event: Event, arguments: tuple[str, ...]) -> str:
    return " ".join((event[1], *arguments))


def _happened(rows: Sequence[Happening], counted: Count) -> tuple[Happening, ...]:
    """Renumber the events of happenings for a view. All happenings are public, so none is left out."""
    return tuple([row._replace(event=counted.step(row.event)) for row in rows])


def outline(
    record: Record,
    view: str | None = None,
    counted: Count | None = None,
    look: Callable[[Table], object] | None = None,
) -> list[Step]:
    """List the events before the first illegal event, one row each. For a seat's `view`, list only visible
    events and arguments, numbered by `counted` (by default the seat's `count`). Call `look` with the table
    before the first event and after each event."""
    if counted is None and (view is None or not GAMES[record.game].table.HIDES):
        # Every event is visible, and the loop below stops at an illegal one, so `count` is not needed.
        counted = Count(range(len(record.events)), len(record.events))
    counted = counted or count(record, view)
    table = start(record)
    rows: list[Step] = []
    if look is not None:
        look(table)
    with suppress(Illegal):
        for row in _rows(table, counted, view, look):
            rows.append(row)
    return rows


def _rows(
    table: Table, counted: Count, view: str | None, look: Callable[[Table], object] | None = None
) -> Iterator[Step]:
    """Apply the remaining events and yield a row for each visible one. Raise Illegal at an illegal event."""
    record, all_seen = table.record, counted.events == range(counted.end)
    for number in range(table.step, counted.end):
        event = record.events[number]
        phase, trick, before = table.phase, len(table.tricks) + 1, len(table.happenings)
        table.apply(event)
        if look is not None:
            look(table)
        seen_as = number if all_seen else counted.number(number)
        if seen_as is None:
            continue
        arguments = table.known_words(event, view)
        played = event[1] == "play"
        yield Step(
            seen_as,
            event[0],
            event[1],
            arguments,
            _words(event, arguments),
            phase,
            trick if played else None,
            table.tricks[-1].winner if played and not table.trick else None,
            _happened(table.happenings[before:], counted) if len(table.happenings) > before else (),
            tuple(record.comments.get(number + 1, ())) if view is None else (),
        )


def run(record: Record, first: int = 0) -> tuple[Fold, list[Step]]:
    """Return the fold of a record, and the rows of its events from `first` on, with all hands open. An
    illegal event and all later events are included, but not judged."""
    done = fold(record, first)
    rows: list[Step] = []
    if done.illegal is None:
        table, number = done.table, len(record.events)
        try:
            for row in _rows(table, Count(range(number), number), None):
                rows.append(row)
        except Illegal as illegal:
            done = Fold(table, illegal)
    return done, [*rows, *(row for _, row in unjudged(record, done))]


def position(record: Record, step: int, view: str | None = None, counted: Count | None = None) -> Position:
    """Return the state after `step` events (clipped to the last step).

    A `view` limits the state to the knowledge of that seat: the seat's own cards and all open cards, but
    never the talon, other hands, face-down cards, or the secret partner before they are revealed. Steps and
    events are then numbered by `counted` (by default the seat's `count`). Raises KeyError if the view is not
    a seat of the deal.
    """
    if view is not None and view not in record.seats:
        raise KeyError(view)
    counted = counted or count(record, view)
    return position_of(_fold_to(record, counted.moment(step), counted), counted, view)


def _fold_to(record: Record, moment: int, counted: Count) -> Fold:
    """Fold the first `moment` events. If these are all the legal events, try the illegal one, too."""
    return fold(record, None if moment >= counted.end else moment)


def positions(record: Record, view: str | None = None, counted: Count | None = None) -> Iterator[Position]:
    """Yield the position at each step of a view, from 0 on, in one pass through the deal."""
    counted = counted or count(record, view)
    moments = {counted.moment(step) for step in range(counted.steps + 1)}
    table = start(record)
    taken: list[TakenTrick] = []
    for moment in range(counted.end + 1):
        if moment in moments:
            done = _fold_to(record, moment, counted) if moment == counted.end else Fold(table, None)
            yield position_of(done, counted, view, taken)
        if moment < counted.end:
            table.apply(record.events[moment])


def position_of(
    done: Fold, counted: Count, view: str | None = None, taken: list[TakenTrick] | None = None
) -> Position:
    """Return the position at the end of a fold. For `counted` and `view`, see `position`. `taken`: list of
    the tricks already converted for earlier positions; new tricks are appended to it."""
    table, taken = done.table, [] if taken is None else taken
    record, info = table.record, table.info
    opened = view is None
    turn = table.turn if opened or table.turn_known(str(view)) else None
    stands = table.standing()
    piles = table.visible_piles()
    tops = _tops(piles)
    for won in table.tricks[len(taken) :]:
        plays = _plays(won.seats, won.cards)
        first = counted.step(won.event)
        taken.append(TakenTrick(won.number, won.leader, plays, won.winner, value(won.set), first))
    # Only the last step of an illegal or incomplete deal shows the finding.
    finding = done.finding if table.step == counted.end else None
    legal = table.legal() if opened else table.legal(seen=True) if turn == view else None
    if turn in table.unknown or table.others:
        legal = None
    held = _held(table, piles) if table.unknown else {}
    all_known = not (table.unknown or table.others or table.loose) and table.talon_cards() is not None
    return Position(
        game=record.game,
        step=counted.step(table.step),
        steps=counted.steps,
        phase=table.phase,
        seats=table.seats,
        active=table.active,
        sitting=next((s for s in table.seats if s not in table.active), None),
        direction=info.direction,
        players=dict(record.players),
        dealer=record.dealer,
        forehand=table.forehand,
        turn=turn,
        view=view,
        hands={
            seat: _hand(
                hand & ~tops.get(seat, 0),
                opened or seat == view,
                table.public_in_hand(seat),
                held.get(seat, 0),
            )
            for seat, hand in table.hands.items()
        },
        piles={
            where: Pile(len(cards), tuple(cards) if opened else None, cards[0] if open_top else None)
            for where, (cards, open_top) in piles.items()
        },
        talon=Heap(len(table.talon), tuple(table.talon) if opened else None),
        discards={
            seat: _hand(cards, opened or seat == view or table.over, table.public_discards(seat))
            for seat, cards in table.discards.items()
        },
        trick=_open_trick(table),
        tricks=tuple(taken),
        won=dict(table.won),
        points={seat: table.points_of(seat) for seat in table.active},
        side_points=table.sides_points() if opened and all_known else None,
        declarer=table.declarer,
        partner=table.known_partner(view),
        sides=table.known_sides(view),
        contract=stands["contract"],
        called=stands["called"],
        doubles=stands["doubles"],
        announced=tuple(
            [Announcement(counted.step(a["event"]), a["seat"], a["item"]) for a in stands["announced"]]
        ),
        said=tuple(
            [
                Statement(n, e[0], _words(e, table.known_words(e, view)))
                for n, e in ((counted.number(n), e) for n, e in table.statements)
                if n is not None
            ]
        ),
        last=_last(table, counted, view),
        legal=None if legal is None else tuple(legal),
        comments=_comments(record, table.step, opened, table.step == counted.end),
        over=table.over,
        happenings=_happened([h for h in table.happenings if h.event == table.step - 1], counted),
        error=None if finding is None else _error(finding, table, counted, view),
        level=stands.get("level"),
    )


def _comments(record: Record, moment: int, opened: bool, is_last: bool) -> tuple[str, ...]:
    """Return the comments on the event before a moment, if all hands are open. At the last moment, add the
    comments on the deal, which every seat may see because they were written after the deal."""
    on_event = record.comments.get(moment, ()) if opened and moment else ()
    return (*on_event, *(record.comments.get(0, ()) if is_last else ()))


def _tops(piles: dict[str, tuple[list[str], bool]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for where, (cards, open_top) in piles.items():
        if open_top:
            seat = where.partition("/")[0]
            found[seat] = found.get(seat, 0) | bits(cards[:1])
    return found


def _hand(cards: int, visible: bool, public: int, held: int = 0) -> Hand:
    """Return a hand, padded with unknown cards to `held` cards."""
    unknown = [UNKNOWN] * (held - cards.bit_count())
    found = (*names(cards), *unknown)
    return Hand(len(found), found if visible else None, tuple(names(public)))


def _held(table: Table, piles: dict[str, tuple[list[str], bool]]) -> dict[str, int]:
    """Return the number of cards in each seat's hand, not counting cards still to be discarded: one for each
    remaining trick, minus the cards in the seat's piles."""
    played = dict.fromkeys(table.active, len(table.tricks))
    for seat in table.trick_seats if table.trick else ():
        played[seat] += 1
    lying = dict.fromkeys(table.active, 0)
    for where, (cards, _) in piles.items():
        lying[where.partition("/")[0]] += len(cards)
    return {seat: table.total - played[seat] - lying[seat] for seat in table.active}


def _plays(seats: Sequence[str], tokens: Sequence[str]) -> tuple[Play, ...]:
    return tuple([_play(seat, token) for seat, token in zip(seats, tokens, strict=True)])


def _play(seat: str, token: str) -> Play:
    code, _, qualifier = token.partition("(")
    return Play(seat, code, qualifier.removesuffix(")") or None)


def _open_trick(table: Table) -> Trick | None:
    if table.phase != "play":
        return None
    started = bool(table.trick)
    leader = table.trick_seats[0] if started else table.turn
    assert leader is not None
    return Trick(
        len(table.tricks) + 1,
        leader,
        _plays(table.trick_seats, table.trick),
        table.best_seat if started else None,
    )


def _last(table: Table, counted: Count, view: str | None) -> Move | None:
    number = counted.step(table.step) - 1
    if number < 0:
        return None
    event = table.record.events[counted.events[number]]
    arguments = table.known_words(event, view)
    return Move(number, event[0], event[1], arguments, _words(event, arguments))


def _error(finding: Finding, table: Table, counted: Count, view: str | None) -> Finding:
    """Limit a finding to the knowledge of a view, and number its event by the view's count. Leave out the
    previous event and a secret seat on turn. For another seat's error, leave out the clause and the choices,
    because they would reveal cards in that seat's hand."""
    if view is None:
        return finding
    if view == finding.seat == table.turn:
        own = replace(finding, legal=tuple(table.legal(seen=True)), event=counted.steps, pointer=None)
        if own.clause is None:
            # The previous event, or its cards, may be hidden from this seat.
            own = replace(own, reason="ends-here", values={})
        return own
    known = finding.seat == view or table.turn_known(view)
    return Finding(
        "ends-here" if finding.clause is None else "stops-here",
        event=counted.steps,
        trick=finding.trick,
        seat=finding.seat if known else None,
        clause=finding.clause if finding.seat == view else None,
    )


def foreseen(at: Position) -> int:
    """Return the last step that the deal is sure to reach: the end of the current or next trick, because no
    announcement can interrupt a trick; only the next step if a seat may speak before the trick."""
    lying = len(at.trick.plays) if at.trick else 0
    speaks = len(GAMES[at.game].table.PHASES["play"]) > 1
    if at.phase != "play" or not at.judged or (speaks and not lying):
        return at.step + 1
    return at.step + len(at.active) - lying


# -- positions after an illegal event -------------------------------------------------------------------


def unjudged(record: Record, done: Fold | None = None) -> Iterator[tuple[Position, Step]]:
    """Yield the position after the illegal event and after each later event, with all hands open, together
    with the row of that event. `outline` leaves these rows out. The rules are not applied: a played card
    leaves the hand or pile that has it, if any, and goes to a trick, which has one card for each active seat
    and no winner. An event that is not a play only becomes a statement. `done`: the fold of the record."""
    done = done or fold(record)
    end, steps = done.table.step, len(record.events)
    if done.illegal is None:
        return
    at = position_of(done, Count(range(end), end))
    trick = Trick(len(at.tricks) + 1, "", (), None) if at.trick is None else replace(at.trick, winning=None)
    at = replace(at, steps=steps, turn=None, legal=None, happenings=(), judged=False)
    for number in range(end, steps):
        event = record.events[number]
        seat, verb, words = event[0], event[1], " ".join(event[1:])
        comments = _comments(record, number + 1, True, number + 1 == steps)
        last = Move(number, seat, verb, event[2:], words)
        at = replace(at, step=number + 1, last=last, comments=comments)
        cards = [token for token in event[2:] if token.partition("(")[0] in BIT] if verb == "play" else []
        for token in cards:
            play = _play(seat, token)
            if len(trick.plays) == len(at.active):
                trick = Trick(trick.number + 1, seat, (), None)
            trick = replace(trick, leader=trick.leader if trick.plays else seat, plays=(*trick.plays, play))
            hands = {seat: _without(hand, play.card) for seat, hand in at.hands.items()}
            piles = {where: _without(pile, play.card) for where, pile in at.piles.items()}
            at = replace(at, trick=trick, hands=hands, piles=piles)
        if verb != "play":
            at = replace(at, said=(*at.said, Statement(number, seat, words)))
        played = trick.number if cards else None
        phase = "play" if cards else at.phase
        yield at, Step(number, seat, verb, event[2:], words, phase, played, None, (), comments, judged=False)


def _without(heap: AnyHeap, card: str) -> AnyHeap:
    if card not in (heap.cards or ()):
        return heap
    left: dict[str, Any] = {"count": heap.count - 1, "cards": _less(heap.cards, card)}
    if isinstance(heap, Hand):
        left["shown"] = _less(heap.shown, card)
    if isinstance(heap, Pile) and heap.top == card:
        left["top"] = None
    return replace(heap, **left)


def _less(cards: tuple[str, ...] | None, card: str) -> tuple[str, ...]:
    return tuple([other for other in cards or () if other != card])
