"""Properties of every seat's view of every deal."""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from typing import Any

from tarock.analysis import public_knowledge
from tarock.analysis.position import Move, Step
from tarock.analysis.replay import count, last_step, outline, position
from tarock.core.record import Record
from tarock.games import game as game_info
from tarock.notation import read_one, write_json, write_text
from tests.engine.builder import pack_of
from tests.engine.driver import ALL, DEALS, FEW, deals, in_play, some_steps

CARD = re.compile(r"(?<![\w-])(?:[SHDC](?:K|Q|C|J|10|[1-9])|T(?:2[01]|1\d|\d))(?![\w-])")


def words_of(value: Any) -> set[str]:
    """Every card code in any string of a JSON value, but for players' names and pile names."""
    if isinstance(value, str):
        return set(CARD.findall(value))
    if isinstance(value, dict):
        return set().union(*(words_of(v) for v in value.values()), *(words_of(k) for k in value))
    if isinstance(value, list | tuple):
        return set().union(*map(words_of, value))
    return set()


def open_to(record: Record, step: int, view: str) -> set[str]:
    """The cards that a seat may know of after `step` events: its own as dealt, drawn and put away, what was
    played, shown by the rules, and named aloud. The tops of the piles lie open once the bidding is over."""
    known = set(record.deal.get(view, ()))
    plain = position(record, step)
    for trick in [*plain.tricks, *([plain.trick] if plain.trick else [])]:
        known |= {play.card for play in trick.plays}
    for seat, put in plain.discards.items():
        known |= set(put.cards) if seat == view else set(put.shown)
    known |= set(plain.hands[view].cards) if view in plain.hands else set()
    known |= {pile.top for pile in plain.piles.values() if pile.top}
    for where, pile in plain.piles.items():
        # A card that left a pile was played, or taken into the hand in sight of both.
        known |= set(record.deal[where]) - set(pile.cards)
    if record.game == "troggu" and plain.declarer and not {"take", "solo"} & {e[1] for e in record.events}:
        # Whoever must be Tappist says why.
        known.add("T1" if "T0" in record.deal["talon"] else "T0")
    for event in record.events[:step]:
        if event[1] == "call":
            known.add(event[2])
    return known


@ALL
def test_a_view_shows_no_hidden_card(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} views")
    for record in deals(game, players, DEALS):
        for view in rng.sample(record.seats, 1):
            rows, counted = outline(record, view), count(record, view)
            for step in some_steps(record, rng):
                shown = replace(position(record, counted.step(step), view), players={})
                allowed = open_to(record, step, view)
                if record.game == "taroky" and shown.turn == view and shown.phase == "calling":
                    # Cards that can be named are words of the rules; T19 can be named by any seat.
                    allowed |= {"T16", "T17", "T18", "T19"}
                if record.game == "troggu" and shown.phase == "calling":
                    allowed |= set(pack_of("troggu"))
                assert words_of(shown.as_json()) <= allowed, (write_text(record), step, view, shown)
                if shown.step:
                    row = rows[shown.step - 1]
                    assert words_of([row.args, row.words]) <= allowed
                    if row.verb == "discard" and row.seat != view:
                        assert not set(row.args) - open_to(record, step, view)


@ALL
def test_a_view_of_a_deal_broken_off_shows_no_hidden_card(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} broken off")
    for record in deals(game, players, FEW):
        form = write_json(record)
        for step in some_steps(record, rng)[:-1]:
            cut = read_one(json.dumps(form | {"events": form["events"][:step]}))
            seat = record.events[step][0]
            wrong = [seat, "play", rng.choice(record.deal[seat])]
            spoiled = read_one(json.dumps(form | {"events": [*form["events"][:step], wrong]}))
            for found in (cut, spoiled):
                for view in record.seats:
                    end = position(found, 10_000, view)
                    allowed = open_to(record, step, view)
                    if end.phase == "calling" and end.turn == view:
                        allowed |= set(pack_of(game))
                    if end.error is None:
                        continue
                    if end.error.clause and view == seat:
                        allowed.add(wrong[2])
                    told = end.as_json()["error"]
                    assert words_of(told) <= allowed, (write_text(record), step, view, told)
                    assert told["message"]


@ALL
def test_views_of_deals_that_differ_in_hidden_cards_are_alike(game: str, players: int) -> None:
    """Two deals with the same public events, and the same cards of one seat, look alike to it at every step
    before the difference comes out: two cards change places between the others' hands, piles, the talon or
    the stock."""
    rng = random.Random(f"{game} {players} twins")
    compared = 0
    for record in deals(game, players, max(20, 2 * FEW)):
        form = write_json(record)
        if game_info(game).stock.get(players):
            form["deal"]["stock"] = [card for card in pack_of(game) if card not in in_play(record)]
        spots = [(where, i) for where, cards in form["deal"].items() for i in range(len(cards))]
        for view in rng.sample(record.active, 1):
            for _ in range(2):
                (one, i), (two, k) = rng.sample(spots, 2)
                if view in (one, two) or one == two:
                    continue
                first, second = form["deal"][one][i], form["deal"][two][k]
                twin = json.loads(json.dumps(form))
                twin["deal"][one][i], twin["deal"][two][k] = second, first
                other = read_one(json.dumps(twin))
                steps = alike_until(record, other, view, {first, second})
                # Both must be legal that far: an end in sight would tell them apart.
                some = {*some_steps(record, rng), steps, rng.randint(0, max(steps, 0))}
                for step in {*range(steps + 1)} & some:
                    counts = count(record, view), count(other, view)
                    ours = [c.step(step) for c in counts]
                    if counts[0].moment(ours[0]) != counts[1].moment(ours[1]):
                        continue  # one of the two ends while somebody else has a turn
                    mine, theirs = (
                        replace(position(deal, at, view), steps=0, error=None)
                        for deal, at in zip((record, other), ours, strict=True)
                    )
                    assert mine == theirs, (write_text(record), one, two, first, second, step, view)
                compared += steps
    assert compared > 20


def alike_until(record: Record, other: Record, view: str, cards: set[str]) -> int:
    """The last step up to which a seat has seen the same in both deals."""
    last = min(last_step(record), last_step(other))
    forced = record.game == "troggu" and not {"take", "solo"} & {e[1] for e in record.events}
    if forced and len(record.seats) >= 7 and cards & {"T0", "T1"}:
        # The forced Tappist, when all pass, reveals where the Fool and the Pagat are.
        return -1
    low, high = -1, last
    while low < high:  # what was seen once stays known: halve the way
        step = (low + high + 1) // 2
        if cards & (open_to(record, step, view) | open_to(other, step, view)):
            high = step - 1
        else:
            low = step
    return low


@ALL
def test_clipping_and_outline(game: str, players: int) -> None:
    for record in deals(game, players, 5):
        total = len(record.events)
        assert last_step(record) == total
        assert position(record, total + 5) == position(record, total)
        assert position(record, -3) == position(record, 0)
        rows = outline(record)
        assert [r.event for r in rows] == list(range(total))
        assert [(r.seat, r.verb, *r.args) for r in rows] == record.events
        assert [r.phase for r in rows] == [position(record, n).phase for n in range(total)]


def _move(row: Step) -> Move:
    return Move(row.event, row.seat, row.verb, row.args, row.words)


@ALL
def test_a_view_counts_what_it_sees(game: str, players: int) -> None:
    """No number in a view depends on what is hidden: each is a place in its own outline. A moment looked at
    from elsewhere is the same moment."""
    hidden = 0
    rng = random.Random(f"{game} {players} counts")
    # Only where something is hidden is there anything to count.
    for record in deals(game, players, DEALS if game == "taroky" else FEW):
        total = last_step(record)
        for view in rng.sample(record.seats, 1):
            counted, rows = count(record, view), outline(record, view)
            hidden += total - counted.steps
            assert last_step(record, view) == counted.steps == len(rows)
            assert [row.event for row in rows] == list(range(len(rows)))
            seen = [(e[0], e[1]) for n, e in enumerate(record.events) if counted.number(n) is not None]
            assert [(row.seat, row.verb) for row in rows] == seen
            assert [e for e in record.events if e[0] == view] == [
                (row.seat, row.verb, *row.args) for row in rows if row.seat == view
            ]
            for step in {rng.randint(0, counted.steps), counted.steps}:
                assert counted.step(counted.moment(step)) == step
                shown = position(record, step, view)
                assert (shown.step, shown.steps) == (step, counted.steps)
                assert shown.last == (_move(rows[step - 1]) if step else None)
                # At the end of the deal what was put away lies open.
                open_words = {n: " ".join(record.events[e][1:]) for n, e in enumerate(counted.events)}
                for said, row in zip(shown.said, (r for r in rows[:step] if r.verb != "play"), strict=True):
                    opened = shown.over and row.verb == "discard"
                    assert (said.event, said.seat) == (row.event, row.seat)
                    assert said.words == (open_words[row.event] if opened else row.words)
                for trick in shown.tricks:
                    led = rows[trick.event]
                    assert (led.trick, led.seat) == (trick.number, trick.leader)
                for announced in shown.announced:
                    assert rows[announced.event].seat == announced.seat
        everybody = public_knowledge.count(record)
        rows = public_knowledge.outline(record)
        assert [row.event for row in rows] == list(range(everybody.steps))
        step = rng.randint(0, everybody.steps)
        shown = public_knowledge.position(record, step)
        assert (shown.step, shown.steps) == (step, everybody.steps)
    assert (hidden > 0) == (game == "taroky")
