"""One event of a legal deal is changed; the error is found at this event, under the right clause.

The expected event and clause are computed here by the plain implementation of the rules (`oracle`).
"""

from __future__ import annotations

import json
import random
from itertools import islice

from tarock.analysis.position import Move
from tarock.analysis.replay import outline, unjudged
from tarock.analysis.verify import check
from tarock.core.cards import BIT
from tarock.notation import read_one, write_json
from tests.engine.driver import ALL, DEALS, deals
from tests.engine.mutations import MUTATIONS, Deal, Form, foreign, played_before, revoke, spoiled


@ALL
def test_what_is_spoiled_is_found(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} mutations")
    for record in deals(game, players, max(2, DEALS // 20)):
        deal = Deal(write_json(record), rng)
        for mutation, form, number, clauses in spoiled(deal):
            if form["events"] == deal.events:
                continue
            found = check(read_one(json.dumps(form)))
            assert (found.verdict, found.error.event) == ("illegal", number), (found.error, form)
            assert found.error.clause in clauses, (clauses, found.error, form)
            assert found.error.seat == form["events"][number][0]
            if mutation in (revoke, foreign, played_before):
                cards = {w.partition("(")[0] for w in found.error.legal or () if " " not in w}
                assert cards == deal.legal[number], (mutation.__name__, found.error, form)


@ALL
def test_what_follows_a_fault_is_shown(game: str, players: int) -> None:
    """As the record has it, whatever nonsense that is: of a spoiled deal, and of one in disorder."""
    rng = random.Random(f"{game} {players} unjudged")
    for record in deals(game, players, 1):
        deal = Deal(write_json(record), rng)
        for mutation in MUTATIONS:
            for form, number, _ in islice(mutation(deal), 1):
                if form["events"] != deal.events:
                    follows(form, number)
        mixed = rng.sample(deal.events, len(deal.events))
        more = rng.choices(deal.events, k=20)
        for events in (mixed, deal.events + more, [[rng.choice(record.seats), *e[1:]] for e in mixed]):
            follows({**deal.form, "events": events, "comments": {}}, None)
        assert not list(unjudged(record))


def follows(form: Form, number: int | None) -> None:
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
