"""The replay: the table after any event, all hands open, as one seat sees it, or as everybody does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

import tarock.commentary
import tarock.public
import tarock.replay
from replays import presenters, words
from replays.deal import audit, commentary, sharing
from replays.deal import chart as charts
from replays.deal.frame import Frame, as_json, seeds
from replays.deal.scene import Choice, Guess, Modes, Scene
from replays.deal.story import Story, story
from replays.jinja import part
from replays.sentences import Names
from replays.views.common import Look, counted_by, deal_or_404, look
from tarock.cards import INDEX
from tarock.games import GAMES
from tarock.position import Position, Step
from tarock.record import Record
from tarock.replay import Count

NOBODY = "-"
"""A view that is no seat: it knows of every play what the card itself shows."""


def _after(seats: Sequence[str], seat: str) -> str:
    """The seat to turn the table to next."""
    return seats[(seats.index(seat) + 1) % len(seats)] if seat in seats else seats[0]


def _modes(looking: Look, state: Position, step: int) -> Modes:
    """The addresses of the same step seen in other ways."""
    address, seats, players = looking.address, state.active, state.players
    plain = presenters.Address(spoilers=address.spoilers)
    following = _after(seats, looking.seat or seats[0])
    if looking.view:
        flipped = replace(address, view=following)
    else:
        flipped = replace(address, bottom=following)
    guesser = looking.seat if looking.seat in seats else state.turn or seats[0]
    hidden = replace(plain, bottom=looking.seat, closed=True)
    shown = replace(plain, view=looking.seat)
    # A guess is spoiler-free by itself, so that to leave the one is to leave the other.
    tell = replace(address, spoilers=True, guess=False)
    silent = replace(address, spoilers=False)

    def at(way: presenters.Address) -> str:
        # What step it is there, the server finds out when it is asked: the difference would tell this seat
        # how much it has not seen.
        other = GAMES[state.game].table.HIDES and counted_by(way) != counted_by(address)
        return f"{way.prefix}{step}" + (f"&from={counted_by(address)}" if other else "")

    return Modes(
        all_hands=at(plain),
        seats=[(s, players[s], at(replace(plain, view=s, guess=address.guess))) for s in seats],
        flip=at(flipped),
        hide=at(shown if looking.closed else hidden),
        spoilers=at(silent if looking.spoilers else tell),
        guess=at(
            presenters.Address(view=looking.view, spoilers=False)
            if looking.guess
            else presenters.Address(view=guesser, spoilers=False, guess=True)
        ),
    )


def _guess(looking: Look, record: Record, counted: Count, state: Position, picked: str) -> Guess | None:
    """The play of the view's seat that comes next, to be guessed."""
    if not looking.guess or state.step >= state.steps:
        return None
    prefix, step = looking.address.prefix, state.step
    player = record.players[looking.view or ""]
    to_play = state.phase == "play" and state.turn == looking.view
    # What may be said before a card is played is nothing to be guessed.
    legal = [t for t in state.legal or [] if t.partition("(")[0] in INDEX] if to_play else []
    if not legal:
        return Guess(player, [], waits=f"{prefix}{step}&go=turn")
    in_order = presenters.in_hand_order(dict.fromkeys(token.partition("(")[0] for token in legal))
    tokens = sorted(legal, key=lambda token: in_order.index(token.partition("(")[0]))
    choices = [
        Choice(
            token,
            words.card_token(token, record.game),
            presenters.face(token.partition("(")[0], record.game),
            f"{prefix}{step}&pick={token}",
        )
        for token in tokens
    ]
    if picked not in legal:
        return Guess(player, choices)
    played = record.events[counted.moment(step)][2]
    return Guess(
        player,
        choices,
        words.card_token(picked, record.game),
        words.card_token(played, record.game),
        picked == played,
    )


def _next_turn(looking: Look, record: Record, counted: Count) -> int:
    """The next step at which the view's seat is to play a card; the end, if there is none."""
    return next(
        (
            n
            for n in range(looking.step + 1, counted.steps)
            if record.events[counted.moment(n)][:2] == (looking.view, "play")
        ),
        counted.steps,
    )


def _chart(
    told: Story,
    record: Record,
    looking: Look,
    counted: Count,
    step: int,
    outline: Sequence[Step],
) -> charts.Chart | None:
    """The running account as far as it may be told, its steps as the view counts them."""
    public = looking.view is not None or looking.closed
    until = counted.moment(step) if looking.limited else None
    account = told.account(public, until)
    if not account.rows:
        return None
    ends = [(row.trick, row.step) for row in account.rows]
    if public:
        # A seat is told of what it has seen happen on the table, and of nothing else.
        heard = [r.event for r in outline if r.words and r.verb != "discard"]
        seen = {counted.events[number] for number in heard}
        earned = charts.bonuses(told.deal.lines, ends, until, seen)
        earned = [replace(bonus, step=counted.step(bonus.step)) for bonus in earned]
        rows = (row._replace(step=counted.step(row.step)) for row in account.rows)
        account = account._replace(rows=tuple(rows))
    else:
        earned = charts.bonuses(told.deal.lines, ends, until, None)
    return charts.chart(
        account,
        game=record.game,
        players=record.players,
        total=record.seating.tricks,
        current=step,
        earned=earned,
    )


@dataclass(frozen=True, slots=True)
class _Walk:
    """The steps of a deal as one looks at it: those that the engine judges, with all hands open what follows
    an illegal event, and after the last card the score sheet."""

    told: Story
    looking: Look
    counted: Count
    rest: list[Position]
    """After an illegal event: not judged."""
    has_result: bool
    """Whether it ends with the score sheet."""

    @property
    def end(self) -> int:
        """The last step with cards on the table."""
        return self.counted.steps + len(self.rest)

    @property
    def last(self) -> int:
        """The last step."""
        return self.end + self.has_result

    @property
    def outline(self) -> tuple[Step, ...]:
        """A row for each event."""
        known = self.told.outline(self.looking.view, self.looking.closed)
        return (*known, *tarock.replay.unjudged_outline(self.told.record)) if self.rest else known

    def state(self, step: int) -> Position:
        """What lies on the table at a step; at the score sheet, what lay there last."""
        past = min(step, self.end) - self.counted.steps
        if past > 0:
            return self.rest[past - 1]
        return replace(self.looking, step=step).state(self.told.record, self.counted)

    def states(self) -> list[Position]:
        """The same of all steps with cards on the table."""
        record, looking = self.told.record, self.looking
        if looking.closed:
            return tarock.public.positions(record)
        return [*tarock.replay.positions(record, looking.view), *self.rest]

    def frame(self, state: Position, *, is_result: bool = False) -> Frame:
        """What is shown of it."""
        last = state.last
        reason = None
        if last and last.verb == "play" and state.judged:
            event = self.counted.events[last.event]
            reason = tarock.commentary.reason(self.told.record, event, self._eyes)
        return self._frame(state, reason, is_result)

    def frames(self) -> list[Frame]:
        """The same of all steps."""
        record, states = self.told.record, self.states()
        reasons = tarock.commentary.reasons(record, self._eyes)
        found = [None, *(reasons[number] for number in self.counted.events), *(None for _ in self.rest)]
        shown = [self._frame(state, reason) for state, reason in zip(states, found, strict=True)]
        return [*shown, self._frame(states[-1], found[-1], is_result=True)] if self.has_result else shown

    @property
    def _eyes(self) -> str | None:
        return NOBODY if self.looking.closed else self.looking.view

    def _frame(self, state: Position, reason: dict[str, Any] | None, is_result: bool = False) -> Frame:
        position = replace(presenters.table(state, bottom=self.looking.seat), steps=self.last)
        title = sharing.fraction(position, self.looking.spoilers)
        last, remark = state.last, None
        if reason is not None and last is not None:
            record = self.told.record
            remark = commentary.play(reason, record.players[last.seat], last.args[0], record.game)
        return Frame(position, remark, _("Result") if is_result else title, is_result)


def _walk(told: Story, looking: Look) -> _Walk:
    is_open = looking.view is None and not looking.closed
    wrong = is_open and told.deal.verdict == "illegal"
    counted = told.count(looking.view, looking.closed)
    rest = tarock.replay.unjudged(told.record) if wrong else []
    return _Walk(told, looking, counted, rest, told.deal.score is not None)


def _scene(told: Story, looking: Look, picked: str, root: str) -> Scene:
    record, walk = told.record, _walk(told, looking)
    is_result = walk.has_result and looking.step > walk.end
    state = walk.state(looking.step)
    frame = walk.frame(state, is_result=is_result)
    position, outline = frame.position, walk.outline
    # What comes later is known to no seat: it would show the others' cards.
    shown = outline[: position.step] if looking.limited else outline
    steps = presenters.steps(frame.step, walk.last, presenters.ends(outline))
    if not looking.spoilers:
        # How long a deal is tells how it ends.
        steps = replace(steps, last=max(steps.current, steps.next or 0, steps.next_trick or 0))
    link = sharing.Link(told.deal, position.step, looking.address)
    return Scene(
        story=told,
        frame=frame,
        groups=presenters.moves(shown, Names(record.game, record.players)),
        steps=steps,
        address=looking.address,
        seat=looking.seat,
        modes=_modes(looking, state, frame.step),
        chart=_chart(told, record, looking, walk.counted, position.step, outline),
        guess=_guess(looking, record, walk.counted, state, picked),
        result=audit.sheet(told.deal) if is_result else None,
        shared=sharing.shared(root, link, position, (record.players[seat] for seat in record.seats)),
    )


@require_safe
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    """The replay at ``?step=N``; with ``view=B`` from that seat's eyes, with ``view=B&hands=all`` only from
    its side, with ``hands=none`` as everybody at the table sees it.

    ``spoilers=off`` tells nothing of what comes later. ``guess=1`` lets one guess the plays of the view's
    seat: ``pick`` is a guess, ``go=turn`` leads to its next turn. ``from=C`` has the step counted as C
    counts, and leads to the same moment by the view's own count. In a seat's view the engine is asked for
    nothing that the seat does not know, and nothing about the result is in the page.
    """
    told = story(deal_or_404(pk))
    record = told.record
    looking = look(request.GET, record)
    if looking.guess and request.GET.get("go") == "turn":
        counted = told.count(looking.view, looking.closed)
        return redirect(f"{request.path}{looking.address.prefix}{_next_turn(looking, record, counted)}")
    if "from" in request.GET:
        return redirect(f"{request.path}{looking.address.prefix}{looking.step}")
    root = f"{request.scheme}://{request.get_host()}"
    scene = _scene(told, looking, request.GET.get("pick", ""), root)
    return render(request, "replays/replay.html", {"scene": scene, "deal": told.deal, "seeds": seeds()})


# --- all steps at once --------------------------------------------------------------------------------------


@require_safe
def frames(request: HttpRequest, pk: int) -> HttpResponse:
    """All steps of a deal as one looks at it, in JSON, for the script that steps through them.

    With ``hidden`` the same with all hands face down, so that they can be turned without asking again. The
    query is that of the replay. In a seat's view there is nothing that the seat will not come to know.
    """
    told = story(deal_or_404(pk))
    looking = look(request.GET, told.record)
    walk = _walk(told, looking)
    document = _document(walk)
    if not looking.closed:
        hidden = _walk(told, replace(looking, view=None, closed=True))
        here, there = walk.counted, hidden.counted
        past = range(here.steps + 1, walk.last + 1)
        document["hidden"] = _document(hidden) | {
            "from": [there.step(here.moment(step)) for step in range(here.steps + 1)]
            + [hidden.last] * len(past),
            "back": [here.step(there.moment(step)) for step in range(there.steps + 1)]
            + [walk.last] * hidden.has_result,
        }
    response = JsonResponse(document)
    response["Cache-Control"] = "private, max-age=60"
    response["X-Robots-Tag"] = "noindex"
    return response


def _document(walk: _Walk) -> dict[str, Any]:
    told, looking, outline = walk.told, walk.looking, walk.outline
    record, counted = told.record, walk.counted
    to_the_end = replace(looking, step=counted.steps, spoilers=True)
    chart = _chart(told, record, to_the_end, counted, counted.steps, outline)
    groups = presenters.moves(outline, Names(record.game, record.players))
    prefix = looking.address.prefix
    return {
        "frames": [as_json(frame) for frame in walk.frames()],
        "names": {code: face.name for code, face in presenters.open_cards(record.game).items()}
        | {"back": presenters.backs(1)[0].name},
        "ends": presenters.ends(outline),
        "prefix": prefix,
        "turned": {
            seat: replace(looking.address, bottom=seat).prefix for seat in record.seats if not looking.view
        },
        "moves": part("moves", {"groups": groups, "prefix": prefix, "current": 0}),
        "chart": part("chart", {"chart": chart, "prefix": prefix}) if chart else "",
        "result": part("result", {"result": audit.sheet(told.deal)}) if walk.has_result else "",
    }
