"""Replays go on after an illegal event and show the record as it is, even if it makes no sense."""

from __future__ import annotations

import json
import random

import pytest

from tarock.analysis.position import Move
from tarock.analysis.replay import outline, unjudged
from tarock.analysis.verify import check
from tarock.core.cards import BIT
from tarock.notation import read_one, write_json
from tests.conformance import FILES, rows
from tests.engine.boarding import Json
from tests.engine.driver import ALL, deals


@pytest.mark.parametrize("file", FILES)
def test_what_follows_an_illegal_event_is_shown(file: str) -> None:
    for row in rows(file):
        if row["expect"]["verdict"] == "illegal":
            follows(row["record"], row["expect"]["index"])


@ALL
def test_a_deal_in_disorder_is_shown(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} unjudged")
    (record,) = deals(game, players, 1)
    assert not list(unjudged(record))
    form = write_json(record)
    whole = form["events"]
    mixed = rng.sample(whole, len(whole))
    more = rng.choices(whole, k=20)
    for events in (mixed, whole + more, [[rng.choice(record.seats), *e[1:]] for e in mixed]):
        follows({**form, "events": events, "comments": {}}, None)


def follows(form: Json, number: int | None) -> None:
    """There is a position and a row for each event from the illegal one on, and each card lies where it was
    played to."""
    record = read_one(json.dumps(form))
    error = check(record).error
    assert error.event == number or number is None
    states, rows = zip(*unjudged(record), strict=True)
    assert len(outline(record)) == error.event
    json.dumps([states[0].as_json(), *(row.as_json() for row in rows)])
    assert len(states) == len(rows) == len(record.events) - error.event
    for n, (state, row) in enumerate(zip(states, rows, strict=True), error.event):
        assert (state.judged, row.judged) == (False, False)
        assert (state.step, state.steps, state.error) == (n + 1, len(record.events), error)
        assert (row.event, row.seat, row.verb, *row.args) == (n, *record.events[n])
        assert state.last == Move(row.event, row.seat, row.verb, row.args, row.words)
        for heap in (*state.hands.values(), *state.piles.values()):
            assert len(heap.cards) == len(set(heap.cards)) == heap.count
        cards = [word.partition("(")[0] for word in row.args] if row.verb == "play" else []
        if row.verb != "play":
            assert (state.said[-1].event, row.trick) == (n, None)
        elif all(card in BIT for card in cards):
            assert (state.trick.number, state.trick.winning) == (row.trick, None)
            assert len(state.trick.plays) <= len(record.active)
            assert (state.trick.plays[-1].seat, state.trick.plays[-1].card) == (row.seat, cards[-1])
            assert not {*cards} & {card for hand in state.hands.values() for card in hand.cards}
