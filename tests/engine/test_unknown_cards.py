"""Records of deals of which not all cards are known: what follows, what is judged, and what cannot be."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tarock import replay
from tarock.board import board
from tarock.notation import read_one, read_value, write_json, write_text
from tarock.record import Record
from tarock.verify import check
from tests import samples
from tests.conformance.test_conformance import ROWS

Json = dict[str, Any]
RECORDS = [
    read_one(json.dumps(row.values[0]["record"]))
    for row in ROWS
    if row.values[0]["expect"]["verdict"] != "malformed"
]
TAROKY = read_one(samples.TAROKY)


def hidden(record: Record, rng: random.Random) -> Record:
    """A record without some places, without some cards of others, and perhaps without some discards."""
    form = write_json(record)
    share = rng.choice((0.2, 0.5, 0.8, 1))
    form["deal"] = {place: cards for place, cards in form["deal"].items() if rng.random() > share}
    for place, cards in form["deal"].items():
        if rng.random() < 0.3:
            form["deal"][place] = ["?" if rng.random() < 0.4 else card for card in cards]
    if rng.random() < 0.3:
        for event in form["events"]:
            if event[1] == "discard":
                event[2:] = ["?" if rng.random() < 0.6 else card for card in event[2:]]
    return read_value(form)


def test_hands_follow_from_the_play() -> None:
    """With talon, piles and discards known every deal that was played to its end comes back whole."""
    ended = 0
    for record in RECORDS:
        if check(record).verdict not in ("verified", "disputed") or len(record.events) < 20:
            continue
        form = write_json(record)
        form["deal"] = {
            place: cards for place, cards in form["deal"].items() if "/" in place or place == "talon"
        }
        read = read_value(form)
        if len([event for event in record.events if event[1] == "play"]) == record.seating.tricks * len(
            record.active
        ):
            assert read == record
            ended += 1
    assert ended > 400


def test_what_may_be_legal_is_not_illegal() -> None:
    """Whatever is hidden of a deal: it is illegal only if the whole deal is. Text, JSON, replay and, of
    every tenth deal, views take cards that nobody knows as well as any others."""
    rng = random.Random(1)
    found = 0
    for number, record in enumerate(RECORDS):
        seen, verdict = hidden(record, rng), check(record).verdict
        judged = check(seen).verdict
        # What breaks a rule with the cards that were dealt may be legal with others that may have been dealt.
        if verdict != "illegal":
            assert judged in (verdict, "incomplete"), record
            assert (judged == verdict) >= (seen == record)
        found += judged == "illegal"
        assert read_value(write_json(seen)) == seen
        if judged != "illegal":
            assert read_one(write_text(seen)) == seen
        if number % 10:
            continue
        list(replay.positions(seen))
        for seat in seen.seats:
            for at in replay.positions(seen, seat):
                assert seat not in seen.active or at.hands[seat].cards is not None
    assert found > 200


def test_a_place_without_a_line_is_unknown() -> None:
    """C's and D's hands, and the talon: 12 + 12 + 6 cards, of which nothing was played yet."""
    form = write_json(TAROKY) | {"events": [["A", "bid", "first"]]}
    form["deal"] = {seat: form["deal"][seat] for seat in "AB"}
    record = read_value(form)
    assert record.unknown == ("C", "D", "talon")
    assert record.deal["C"] == ("?",) * 12
    assert "deal C" not in write_text(record)
    found = check(record)
    assert (found.verdict, [error.reason for error in found.errors]) == (
        "incomplete",
        ["ends-after", "cards-unknown"],
    )
    assert found.errors[1].values["seats"] == ["C", "D"]
    at = replay.position(record, 1)
    assert at.hands["C"].count == 12
    assert at.talon.cards == ("?",) * 6
    assert at.side_points is None


def test_the_last_hand_is_what_is_left() -> None:
    form = write_json(TAROKY)
    form["deal"].pop("C")
    form["events"] = []
    assert read_value(form).deal == TAROKY.deal
    form["deal"].pop("talon")
    # The order of Taroky's talon matters, and C's hand is open, too.
    assert read_value(form).unknown == ("C", "talon")


def test_a_played_card_was_in_the_hand_unless_it_may_have_been_drawn() -> None:
    """A takes the talon, so his cards may come from there; B, who takes nothing, held what he plays. In this
    deal B discards, too."""
    form = write_json(TAROKY)
    form["deal"] = {"A": form["deal"]["A"]}
    record = read_value(form)
    assert record.unknown == ("B", "D", "talon")
    assert set(record.deal["C"]) == {
        "T7",
        "T21",
        "C7",
        "DC",
        "H3",
        "T8",
        "T11",
        "T18",
        "DK",
        "S9",
        "CC",
        "SC",
    }


def test_a_card_that_is_not_known_is_no_card_to_play() -> None:
    form = write_json(TAROKY)
    form["events"][16][2] = "?"
    with pytest.raises(ValueError, match="no-card"):
        read_value(form)


@pytest.mark.parametrize(
    ("events", "moves"),
    [
        (0, {("A", "bid", "first"), ("A", "bid", "troika"), ("A", "bid", "solo")}),
        # Whoever bids second holds the Pagat; where nobody knows, he may.
        (1, {("B", "pass"), ("B", "bid", "second"), ("B", "bid", "troika"), ("B", "bid", "solo")}),
        (4, {("A", "call", card) for card in ("T19", "T18", "T17", "T16")} | {("A", "varsava")}),
    ],
)
def test_what_may_come_where_no_hand_is_known(events: int, moves: set[tuple[str, ...]]) -> None:
    form = write_json(TAROKY) | {"deal": {}, "events": [list(event) for event in TAROKY.events[:events]]}
    found = board(read_value(form)).choices
    assert found is not None
    assert {move.event for move in found.moves} == moves


def test_any_card_that_is_nowhere_may_be_played() -> None:
    """After trick 1, in which four cards fell, 50 are left; three more were laid away in hand."""
    form = write_json(TAROKY) | {"deal": {}, "events": [list(event) for event in TAROKY.events[:20]]}
    found = board(read_value(form)).choices
    assert found is not None
    away = {card for event in TAROKY.events[:20] for card in event[2:] if event[1] in ("play", "discard")}
    assert {move.event[2] for move in found.moves} == {
        card for cards in TAROKY.deal.values() for card in cards
    } - away
