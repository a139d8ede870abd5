"""The replay: the table after any event, all hands open, as one seat sees it, or as everybody does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_safe

import tarock.commentary
from replays import commentary, frames, presenters, running, sharing, words
from replays.markup.moves import moves
from replays.markup.replay import fragment, slots
from replays.scene import Choice, Guess, Modes, Scene
from replays.sentences import Names
from replays.story import Story, story
from replays.views.common import Look, counted_by, deal_or_404, look
from tarock.cards import INDEX
from tarock.games import GAMES
from tarock.position import Move, Position, Step
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
) -> running.Chart | None:
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
        earned = running.bonuses(told.deal.lines, ends, until, seen)
        earned = [replace(bonus, step=counted.step(bonus.step)) for bonus in earned]
        rows = (row._replace(step=counted.step(row.step)) for row in account.rows)
        account = account._replace(rows=tuple(rows))
    else:
        earned = running.bonuses(told.deal.lines, ends, until, None)
    return running.chart(
        account,
        game=record.game,
        players=record.players,
        total=record.seating.tricks,
        current=step,
        earned=earned,
    )


def _remark(record: Record, looking: Look, counted: Count, last: Move | None) -> presenters.Remark | None:
    """Why the card that was played last could be played."""
    if last is None or last.verb != "play":
        return None
    eyes = NOBODY if looking.closed else looking.view
    reason = tarock.commentary.reason(record, counted.events[last.event], eyes)
    return commentary.play(reason, record.players[last.seat], last.args[0], record.game)


def _scene(told: Story, record: Record, looking: Look, picked: str, root: str) -> Scene:
    counted = told.count(looking.view, looking.closed)
    state = looking.state(record, counted)
    position = presenters.table(state, bottom=looking.seat)
    outline = told.outline(looking.view, looking.closed)
    ends = presenters.ends(outline)
    # What comes later is known to no seat: it would show the others' cards.
    shown = outline[: position.step] if looking.limited else outline
    steps = presenters.steps(position.step, position.steps, ends)
    if not looking.spoilers:
        # How long a deal is tells how it ends.
        steps = replace(steps, last=max(steps.current, steps.next or 0, steps.next_trick or 0))
    link = sharing.Link(told.deal, position.step, looking.address)
    return Scene(
        story=told,
        position=position,
        groups=presenters.moves(shown, Names(record.game, record.players)),
        steps=steps,
        address=looking.address,
        seat=looking.seat,
        limited=looking.limited,
        modes=_modes(looking, state, position.step),
        remark=_remark(record, looking, counted, state.last),
        chart=_chart(told, record, looking, counted, position.step, outline),
        guess=_guess(looking, record, counted, state, picked),
        shared=sharing.shared(root, link, position, (record.players[seat] for seat in record.seats)),
    )


@require_safe
def replay(request: HttpRequest, pk: int) -> HttpResponse:
    """The replay at ``?step=N``; with ``view=B`` from that seat's eyes, with ``view=B&hands=all`` only from
    its side, with ``hands=none`` as everybody at the table sees it.

    ``spoilers=off`` tells nothing of what comes later. ``guess=1`` lets one guess the plays of the view's
    seat: ``pick`` is a guess, ``go=turn`` leads to its next turn. ``fragment=1`` gives the changing part
    alone, for the script that steps through it. ``from=C`` has the step counted as C counts, and leads to
    the same moment by the view's own count. In a seat's view the engine is asked for nothing that the
    seat does not know, and nothing about the result is in the page.
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
    scene = _scene(told, record, looking, request.GET.get("pick", ""), root)
    if "fragment" not in request.GET:
        switches = {"spoilers": looking.spoilers, "guess": looking.guess}
        return frames.page(request, "replays/replay.html", slots(scene), switches)
    # Where nothing of the future is told, the list grows with the steps; with open hands it stays as it is.
    grown = moves(scene.groups, scene.address.prefix, scene.steps.current) if scene.limited else ""
    response = HttpResponse(fragment(scene) + grown)
    response["Cache-Control"] = "private, max-age=60"
    response["X-Robots-Tag"] = "noindex"
    return response
