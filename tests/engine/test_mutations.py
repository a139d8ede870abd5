"""One event of a legal deal is changed; the error is found at this event, under the right clause.

The expected event and clause are computed here by the plain implementation of the rules (`oracle`).
"""

from __future__ import annotations

import json
import random
from collections import Counter
from itertools import islice

from tarock.analysis.position import Move
from tarock.analysis.replay import outline, unjudged
from tarock.analysis.verify import Check, check
from tarock.core.cards import BIT
from tarock.notation import read_one, write_json
from tarock.words import sentences
from tests.engine.driver import ALL, DEALS, deals
from tests.engine.mutations import (
    MUTATIONS,
    NTH,
    Deal,
    Form,
    dead_bettler,
    foreign,
    pagat_early,
    played_before,
    revoke,
    second_valat,
    spoiled,
)


def illegal(form: Form, number: int, clauses: set[str]) -> Check:
    found = check(read_one(json.dumps(form)))
    assert (found.verdict, found.error.event) == ("illegal", number), (found.error, form)
    assert found.error.clause in clauses, (clauses, found.error, form)
    assert found.error.seat == form["events"][number][0]
    return found


@ALL
def test_what_is_spoiled_is_found(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} mutations")
    tried: Counter[str] = Counter()
    for record in deals(game, players, max(10, DEALS // 20)):
        deal = Deal(write_json(record), rng)
        for mutation, form, number, clauses in spoiled(deal):
            if form["events"] == deal.events:
                continue
            tried[mutation.__name__] += 1
            found = illegal(form, number, clauses)
            if mutation in (revoke, foreign, played_before):
                cards = {w.partition("(")[0] for w in found.error.legal or () if " " not in w}
                assert cards == deal.legal[number], (mutation.__name__, found.error, form)
    expected = {m.__name__ for m, only in MUTATIONS if not only or game in only}
    rare = {"second_valat", "pagat_early", "dead_bettler"}
    assert expected - rare <= set(tried), f"never tried: {expected - set(tried)}"


def test_the_rare_ones_are_tried_too() -> None:
    rng = random.Random("rare")
    tried: Counter[str] = Counter()
    for game, players, mutation in (
        ("taroky", 4, second_valat),
        ("taroky", 4, pagat_early),
        ("troggu", 3, dead_bettler),
        ("troggu", 4, dead_bettler),
    ):
        for record in deals(game, players, 120):
            for form, number, clauses in mutation(Deal(write_json(record), rng)):
                illegal(form, number, clauses)
                tried[mutation.__name__] += 1
    assert min(tried[m.__name__] for m in (second_valat, pagat_early, dead_bettler)) >= 5


@ALL
def test_what_follows_a_fault_is_shown(game: str, players: int) -> None:
    """As the record has it, whatever nonsense that is: of a spoiled deal, and of one in disorder."""
    rng = random.Random(f"{game} {players} unjudged")
    for record in deals(game, players, 2):
        deal = Deal(write_json(record), rng)
        for mutation, only in MUTATIONS:
            if not only or game in only:
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
    first, size = error.event, len(record.active)
    states, rows = zip(*unjudged(record), strict=True)
    assert len(outline(record)) == first
    json.dumps([states[0].as_json(), *(row.as_json() for row in rows)])
    assert len(states) == len(rows) == len(record.events) - first
    for n, (state, row) in enumerate(zip(states, rows, strict=True), first):
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
            trick = state.trick
            assert (trick.number, trick.winning) == (row.trick, None)
            assert 0 < len(trick.plays) <= size
            assert [(play.seat, play.card) for play in trick.plays][-1] == (row.seat, cards[-1])
            assert not {*cards} & {card for hand in state.hands.values() for card in hand.cards}
        if all(
            len(event) == 3 and event[2].partition("(")[0] in BIT
            for event in record.events
            if event[1] == "play"
        ):
            place = sentences.place(record, n)
            assert row.trick is None or place == f"trick {row.trick}, {NTH[len(state.trick.plays) - 1]} card"


@ALL
def test_what_is_missing_makes_it_incomplete(game: str, players: int) -> None:
    rng = random.Random(f"{game} {players} missing")
    for record in deals(game, players, 20):
        form = write_json(record)
        for cut in {len(form["events"]) - 1, rng.randrange(len(form["events"])), 0}:
            short = dict(form, events=form["events"][:cut], comments={})
            found = check(read_one(json.dumps(short)))
            assert found.verdict == "incomplete"
            assert (found.error.event, found.error.clause) == (cut, None)
            expected = form["events"][cut]
            assert found.error.seat == expected[0] or {"bole", "null"} & set(expected)
            assert found.score is None


@ALL
def test_a_missing_trick_in_the_middle_is_found_no_earlier(game: str, players: int) -> None:
    for record in deals(game, players, 20):
        deal = Deal(write_json(record), random.Random(0))
        if not deal.plays:
            continue
        size = len(deal.oracle.active)
        first = deal.plays[size * (len(deal.plays) // size // 2)]
        form = deal.changed(0, deal.events[0])
        del form["events"][first : first + size]
        found = check(read_one(json.dumps(form)))
        assert found.verdict in ("illegal", "incomplete")
        assert found.error.event >= first
