"""Replay: positions pinned by hand, and deals that break off."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tarock.analysis import public_knowledge
from tarock.analysis.position import Announcement, Heap, Play, Trick
from tarock.analysis.replay import foreseen, last_step, outline, position, positions, unjudged
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import read_one
from tarock.words import sentences
from tests.engine.builder import Deal
from tests.engine.worked import WORKED


def record(name: str) -> Record:
    return read_one(WORKED[name].text)


def test_strohmann_position() -> None:
    found = record("STROHMANN_ROSTOPSCHIN")
    before, after, end = (position(found, step) for step in (0, 1, len(found.events)))
    assert {p.count for p in before.piles.values()} == {4}
    assert (before.contract, before.declarer) == (None, None)
    assert (after.declarer, after.contract) == ("A", "take")
    # CK, T10 and T9 came up.
    counts = {where: pile.count for where, pile in after.piles.items()}
    assert counts == {"A/1": 3, "A/2": 4, "A/3": 4, "B/1": 3, "B/2": 4, "B/3": 3}
    assert after.trick == Trick(1, "A", (), None)
    assert position(found, 3).tricks[0].plays == (Play("A", "CK", None), Play("B", "C8", None))
    ros = next(n for n, e in enumerate(found.events) if e[2:] == ("T17(ros)",))
    assert position(found, ros + 1).trick.plays == (Play("A", "T17", "ros"),)
    assert (end.over, end.turn, end.legal, end.trick) == (True, None, (), None)
    assert end.side_points == {"A": 42, "B": 28}


@pytest.mark.parametrize("name", [name for name in WORKED if name.startswith("STROHMANN")])
def test_strohmann_contract_is_that_of_the_facts(name: str) -> None:
    """Settled by the end of the bidding, and to the end of the deal in the words of the facts."""
    found = record(name)
    settled = 1 if found.events[0][1] == "take" else 2
    contract = check(found).facts["contract"]
    assert contract == ("take" if "take" in (e[1] for e in found.events[:2]) else "undeclared")
    for view in (None, *found.seats):
        told = [position(found, step, view).contract for step in range(len(found.events) + 1)]
        assert told == [None] * settled + [contract] * (len(found.events) + 1 - settled)


def test_taroky_position() -> None:
    found = record("TAROKY_RE")
    called = position(found, 5)
    assert (called.called, called.contract) == ("T19", "first")
    assert called.talon == Heap(2, ("S7", "DJ"))
    announced = position(found, 10)
    assert announced.announced == (Announcement(9, "A", "tarocky"), Announcement(9, "A", "pagat"))
    assert {s: d.count for s, d in announced.discards.items()} == {"A": 4, "B": 1, "D": 1}
    middle = position(found, 18)
    assert middle.trick == Trick(1, "A", (Play("A", "T20", None), Play("B", "T5", None)), "A")
    assert position(found, len(found.events)).side_points == {"bidder": 60, "opponents": 10}


def test_troggu_position() -> None:
    found = record("TROGGU_DEAD_BETTLER")
    drawn, play = position(found, 4), position(found, 5)
    assert (drawn.declarer, drawn.contract, drawn.talon.count) == ("D", "take", 0)
    assert play.discards["D"].cards == ("SQ", "S10", "S8", "S7", "HC", "H5", "DQ", "DC", "D2", "C6")
    assert position(found, len(found.events)).side_points == {"tappist": 85, "opponents": 29}


def test_grosstarock_position() -> None:
    found = record("GROSS_PLAIN")
    start = position(found, 0)
    assert (start.sitting, start.active, start.seats) == ("D", ("A", "B", "C"), ("A", "B", "C", "D"))
    assert (start.forehand, start.hands.keys()) == ("C", {"A", "B", "C"})
    items = ("kings:4", "cavallery:H", "half-cavallery:D", "half-cavallery:C", "queens")
    announced = [(a.seat, a.item) for a in position(found, 4).announced]
    assert announced == [("B", "tarocks:10"), *(("C", item) for item in items)]
    assert position(found, len(found.events)).side_points == {"A": 28, "B": 24, "C": 26}


def test_comments_stand_at_their_step_and_the_one_on_the_deal_comes_last() -> None:
    """That was written when the end was known: nobody reads it before."""
    text = WORKED["TROGGU_SOLO"].text.replace("\nD pass", "\n{ of the deal }\nD pass", 1)
    found = read_one(text.replace("\n1. ", "\n{ the play }\n1. ", 1).rstrip() + " { the last card }\n")
    first, last = next(n for n, e in enumerate(found.events) if e[1] == "play"), len(found.events)
    assert outline(found)[first - 1].comments == ("the play",)
    for view in (None, *found.seats):
        own = {first: ("the play",), last: ("the last card", "of the deal")}
        expected = own if view is None else {last: ("of the deal",)}
        told = [at.comments for at in positions(found, view)]
        assert told == [expected.get(step, ()) for step in range(last + 1)]
        assert position(found, last, view).comments == told[-1]
    assert public_knowledge.position(found, 0).comments == ()
    assert public_knowledge.position(found, last).comments == ("of the deal",)
    wrong = replace(
        found, events=[*found.events[:7], found.events[3], *found.events[7:]], comments={0: ["of it"]}
    )
    assert [state.comments for state, _row in unjudged(wrong)] == [()] * (last - 7) + [("of it",)]


@pytest.mark.parametrize("name", WORKED)
def test_what_is_foreseen_comes_whatever_is_done(name: str) -> None:
    """The end of a trick, where no word can come before it; else the next step. It is not read from what
    follows."""
    found = record(name)
    rows = outline(found)
    for at in positions(found):
        far = foreseen(at)
        assert far == foreseen(position(replace(found, events=found.events[: at.step], comments={}), at.step))
        follows = rows[at.step : far]
        if far > at.step + 1:
            assert {row.trick for row in follows} == {len(at.tricks) + 1}
            assert far == len(rows) or follows[-1].winner
            assert "announce" not in at.legal
    assert foreseen(position(found, 0)) == 1


def test_an_illegal_deal_is_shown_up_to_its_event() -> None:
    deal = Deal("strohmann", {"A": "T5 SK", "B": "T6"}).say("A take", "A: T5 T6", "A: SK", "B: T1")
    found = deal.record()
    assert check(found).verdict == "illegal"
    assert last_step(found) == 3
    assert len(outline(found)) == 3
    for step in (3, 4, 5, 99):
        at = position(found, step)
        assert (at.step, at.steps) == (3, 3)
        assert at.turn == "B"
        error = at.error
        assert (error.event, error.seat, error.clause) == (3, "A", "common.turn")
        assert error.legal == at.legal
    assert position(found, 2).error is None


def test_what_follows_an_illegal_event() -> None:
    """A plays out of turn; what follows lies on the table, and nobody wins it."""
    deal = Deal("strohmann", {"A": "T5 SK", "B": "T6"})
    found = deal.say("A take", "A: T5 T6", "A: SK", "A pass", "B: T6 S9").record()
    states, rows = zip(*unjudged(found), strict=True)
    assert [state.step for state in states] == [4, 5, 6, 7]
    wrong = states[0]
    assert (wrong.judged, wrong.turn, wrong.legal, wrong.error.event) == (False, None, None, 3)
    assert wrong.trick == Trick(2, "A", (Play("A", "SK", None),), None)
    before = position(found, 3)
    assert set(before.hands["A"].cards) - set(wrong.hands["A"].cards) == {"SK"}
    assert wrong.hands["A"].count == before.hands["A"].count - 1
    assert (wrong.tricks, wrong.points) == (before.tricks, before.points)
    assert (states[1].last.words, states[1].said[-1].words, states[1].trick) == ("pass", "pass", wrong.trick)
    assert states[2].trick.plays == (Play("A", "SK", None), Play("B", "T6", None))
    assert states[3].trick == Trick(3, "A", (Play("A", "S9", None),), None)
    assert [(row.event, row.trick) for row in rows] == [(3, 2), (4, None), (5, 2), (6, 3)]
    assert {row.phase for row in rows} == {"play"}
    assert not list(unjudged(Deal("troggu").say("A take", "B pass").record()))


def test_an_illegal_deal_shows_a_view_no_choices_of_others() -> None:
    """A speaks although B is on turn: what B might have played is not for A's eyes."""
    deal = Deal("taroky", {"B": "S9 SQ", "C": "SK"}).say("A bid solo").passes("BCD").passes("ABCD")
    lead = next(c for c in deal.hand("A") if c[0] != "S")
    wrong = next(c for c in deal.hand("A") if c != lead)
    found = deal.say(f"A: {lead}", f"A: {wrong}").record()
    last = last_step(found)
    full = position(found, last).error
    assert full.clause == "common.turn"
    assert full.legal
    for view in "ABCD":
        error = position(found, last, view).error
        assert error.clause == ("common.turn" if view == "A" else None)
        assert error.legal is None, view
    # The one whose own event it was, on his turn, sees his choices.
    own = Deal("taroky", {"A": "S9", "B": "SQ H4"}, without={"B": "T"}).say("A bid solo").passes("BCDABCD")
    broken = own.say("A: S9", "B: H4").record()
    assert position(broken, 99, "B").error.legal == position(broken, 99).error.legal
    assert position(broken, 99, "B").error.clause == "taroky.follow"
    # That the suit led should have been followed would tell the others that B holds it.
    errors = [position(broken, 99, view).error for view in "ACD"]
    for error in (*errors, public_knowledge.position(broken, 99).error):
        assert (error.clause, error.legal, error.values) == (None, None, {})
        assert sentences.message(error) == "the next event breaks a rule; it is not shown from this seat"


def test_a_deal_says_at_its_end_whether_it_is_over() -> None:
    deal = Deal("troggu").say("A take", "B pass")
    at = position(deal.record(), 2)
    assert (at.over, at.turn) == (False, "C")
    assert (at.error.event, at.error.clause) == (2, None)
    assert at.error.legal == ("solo", "pass")
    assert position(deal.record(), 1).error is None
    empty = Deal("troggu").record()
    assert (last_step(empty), outline(empty)) == (0, [])
    assert position(empty, 0).error.event == 0
    deal = Deal("taroky", {"talon": "T19 S8 C7 C8 H4 D4"}, without={"A": "T19"}).say("A bid first")
    deal.passes("BCD").say("A call T19", "A surrender")
    at = position(deal.record(), 6)
    assert (at.over, at.phase, at.trick, at.tricks, at.error) == (True, "over", None, (), None)
