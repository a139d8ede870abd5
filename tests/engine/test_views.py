"""Replay: what a seat sees, and what its view must not betray."""

from __future__ import annotations

import json
import re

import pytest

from tarock.analysis import public_knowledge
from tarock.analysis.position import Hand, Move
from tarock.analysis.replay import Count, count, last_step, outline, position
from tarock.analysis.verify import check
from tarock.notation import read_one, write_json
from tarock.words import sentences
from tests.engine.builder import Deal
from tests.engine.test_replay import record


def test_a_view_has_its_own_cards_only() -> None:
    found = record("TAROKY_RE")
    at = position(found, 15, "B")
    assert at.hands["B"].cards is not None
    for seat in "ACD":
        assert at.hands[seat] == Hand(12, None, ())
    assert at.talon.cards is None
    assert at.discards["A"] == Hand(4, None, ())
    assert at.discards["B"] == Hand(1, ("CQ",), ())
    assert at.side_points is None
    assert at.legal is None, "A is on turn"
    assert position(found, 14, "A").legal == position(found, 16).legal
    words = [row.words for row in outline(found, "B")]
    assert [words[n] for n in (5, 6, 8)] == ["discard", "discard CQ", "discard"]


def test_the_card_to_be_drawn_is_not_seen_before_it_is_taken() -> None:
    """Taroky: B decides whether to refuse before he looks at the talon card (S7 here)."""
    found = record("TAROKY_RE")
    assert position(found, 6).turn == "B"
    assert "S7" in position(found, 6).legal
    assert {"S7", "refuse", "CQ"} & {*position(found, 6, "B").legal} == {"refuse", "CQ"}


def test_what_is_said_of_a_record_that_ends_at_a_seats_turn_betrays_nothing() -> None:
    """B must refuse or take S7, which B doesn't know; B hasn't seen A's discard either."""
    form = write_json(record("TAROKY_RE"))
    cut = read_one(json.dumps(form | {"events": form["events"][:6]}))
    error = position(cut, 99, "B").error
    assert "refuse" in error.legal
    assert sentences.message(error).startswith("the record ends here, before the deal is over; allowed: ")
    words = re.findall(r"\w+", sentences.message(error, "taroky"))
    assert not {"S7", "S8", "D4", "C9"} & {*error.legal, *words}
    assert error.values == {}


def test_turns_for_raises_betray_nobody() -> None:
    """Event 13 is A's re; 14 and 15 are passes of B and C, whose side may say sub. A and D see none of it,
    nor that there was anything: after the re A leads. B and C see their own."""
    found = record("TAROKY_RE")
    for view in "AD":
        assert count(found, view).events == [*range(14), *range(16, 64)]
        assert last_step(found, view) == len(outline(found, view)) == 62
        at = position(found, 14, view)
        assert (at.step, at.steps, at.phase, at.turn) == (14, 62, "play", "A")
        assert at.last == Move(13, "A", "announce", ("re:pagat",), "announce re:pagat")
        assert [s.event for s in at.said] == list(range(14))
        led = outline(found, view)[14]
        assert (led.event, led.seat, led.words) == (14, "A", "play T20")
        assert position(found, 18, view).tricks[0].event == 14
    asked = position(found, 14, "B")
    assert (asked.turn, asked.phase) == ("B", "announcing")
    assert asked.legal == ("pass", "announce sub:pagat")
    passed = position(found, 15, "B")
    assert passed.last.words == "pass", "his own pass he knows"
    assert (passed.turn, passed.phase, passed.steps) == ("A", "play", 63)
    assert position(found, 14, "C").turn == "C", "B's pass is over, and was never there"
    assert public_knowledge.count(found).events == count(found, "A").events
    assert [row.event for row in public_knowledge.outline(found)] == list(range(62))
    assert public_knowledge.position(found, 14).phase == "play"
    assert public_knowledge.position(found, 14).step == 14


def raising(partner: str) -> Deal:
    """C announces the pagat, and B or D has the called T19: what A and C see of it is the same. If it is B,
    he has a turn after A to double it, and passes; D has passed it up in the first round."""
    deal = Deal("taroky", {"A": "T20 SK HK", "B": "T19 S9 DK", "C": "T1 C10", "D": "H4 S7 S8"})
    if partner == "D":
        hands = deal.form["deal"]
        for where, gone, comes in (("B", "T19", "H4"), ("D", "H4", "T19")):
            hands[where][hands[where].index(gone)] = comes
    deal.say("A bid first").passes("BCD").say("A call T19")
    spare = [c for c in deal.hand("A") + deal.hand("talon")[:4] if c[0] != "T" and c[1:] != "K"][:4]
    deal.say(f"A discard {' '.join(spare)}", "B discard S9", "C discard C10")
    deal.passes("AB").say("C announce pagat").passes("D")
    return deal.passes("AB" if partner == "B" else "A")


@pytest.mark.parametrize("view", ["A", "C", None])
def test_whether_somebody_passed_a_raise_up_cannot_be_told_by_any_number(view: str | None) -> None:
    """Two deals that A and C (and a viewer of face-down hands) cannot tell apart: in one of them B has had a
    turn."""
    two = [raising("B").also("A: T20").record(), raising("D").also("A: T20").record()]
    assert [len(found.events) for found in two] == [15, 14]
    shown = []
    for found in two:
        if view is None:
            steps, rows = public_knowledge.count(found).steps, public_knowledge.outline(found)
            states = [public_knowledge.position(found, step) for step in range(steps + 3)]
        else:
            steps, rows = last_step(found, view), outline(found, view)
            states = [position(found, step, view) for step in range(steps + 3)]
        shown.append(json.dumps([steps, [r.as_json() for r in rows], [s.as_json() for s in states]]))
    assert states[-1].error is not None, "the deal breaks off, so that its finding is compared, too"
    assert shown[0] == shown[1]


def test_a_deal_that_breaks_off_at_a_secret_turn() -> None:
    deal = raising("B")
    del deal.form["events"][-1]
    found = deal.record()
    whole = position(found, 99).error
    assert (whole.seat, whole.event, whole.pointer) == ("B", 13, "/events/13")
    for view in "ACD":
        error = position(found, 99, view).error
        assert (error.seat, error.pointer) == (None, None)
        assert sentences.message(error) == "the record ends here, before the deal is over"
        assert error.event == last_step(found, view)
    assert position(found, 99, "B").error.seat == "B"
    assert public_knowledge.position(found, 99).error.seat is None


def test_a_finding_is_numbered_as_the_view_counts() -> None:
    found = raising("B").also("A: T20", "B: S7").record()
    assert check(found).verdict == "illegal"
    own = position(found, 99, "B").error
    assert own.event == 14, "A's pass is hidden from B"
    assert position(found, 99).error.event == 15
    over = raising("B").also("A: T20").record()
    assert position(over, 99, "B").error.event == 14
    assert position(over, 99).error.event == 15
    message = sentences.message(position(over, 99).error)
    assert "A plays T20, and the record ends there; it is B's turn" in message


def test_counting() -> None:
    counted = Count([0, 1, 4, 6], 8)
    assert counted.steps == 4
    assert [counted.moment(step) for step in (-1, 0, 1, 2, 3, 4, 5)] == [0, 0, 1, 4, 6, 8, 8]
    assert [counted.step(moment) for moment in range(9)] == [0, 1, 2, 2, 2, 3, 3, 4, 4]
    assert [counted.number(event) for event in range(9)] == [0, 1, None, None, 2, None, 3, None, None]


def test_a_view_that_is_no_seat() -> None:
    found = record("TAROKY_RE")
    for view in ("E", "a", "", "talon"):
        with pytest.raises(KeyError):
            position(found, 3, view)


def test_the_one_who_sits_out_sees_no_hand() -> None:
    found = record("GROSS_PLAIN")
    at = position(found, 10, "D")
    assert all(hand.cards is None for hand in at.hands.values())
    assert at.legal is None
    assert at.players["D"]
