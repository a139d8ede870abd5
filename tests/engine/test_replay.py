"""Replay: positions pinned by hand, whole playthroughs, views of a seat, and deals that break off."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from pathlib import Path

import pytest

from tarock import public, sentences
from tarock.notation import read_one, write_json
from tarock.position import Announcement, Hand, Heap, Move, Play, Trick
from tarock.record import Record
from tarock.replay import Count, count, foreseen, last_step, outline, position, positions, unjudged
from tarock.verify import check
from tests.engine.builder import Deal
from tests.engine.worked import WORKED

FOLDER = Path(__file__).resolve().parent / "playthroughs"
PLAYTHROUGHS = {
    "strohmann": "STROHMANN_ROSTOPSCHIN",
    "taroky": "TAROKY_RE",
    "taroky-varsava": "VARSAVA_TIE_OF_THREE",
    "troggu": "TROGGU_DEAD_BETTLER",
    "troggu-seven": "TROGGU_SPLIT_LOST",
    "grosstarock": "GROSS_PLAIN",
}


def record(name: str) -> Record:
    return read_one(WORKED[name].text)


def line_of(record: Record, step: int) -> str:
    """What a position shows, in one line of a playthrough."""
    at = position(record, step)
    last = at.last
    parts = [
        f"{step}",
        f"{last.seat} {last.words}" if last else "dealt",
        at.phase,
        f"turn {at.turn}",
    ]
    parts.append("hands " + " ".join(f"{s}{h.count}" for s, h in at.hands.items()))
    if at.piles:
        parts.append("tops " + " ".join(f"{p.top}" for p in at.piles.values()))
    if at.talon.count:
        parts.append("talon " + " ".join(at.talon.cards))
    if at.trick and at.trick.plays:
        trick = at.trick
        parts.append(
            f"trick {trick.number} " + " ".join(p.card for p in trick.plays) + f" to {trick.winning}"
        )
    if at.tricks:
        parts.append("won " + " ".join(f"{s}{n}" for s, n in at.won.items()))
        parts.append("points " + " ".join(f"{s}{n}" for s, n in at.points.items()))
    if at.sides:
        parts.append("sides " + " ".join(f"{s}:{side}" for s, side in at.sides.items()))
    if at.doubles:
        parts.append("doubles " + " ".join(f"{k}×{v}" for k, v in at.doubles.items()))
    legal = at.legal
    parts.append("legal " + (", ".join(legal) if len(legal) <= 8 else f"{len(legal)} choices"))
    return " | ".join(parts)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough(name: str) -> None:
    """A whole deal state by state, compared line by line; it only notices change.

    `TAROCK_PLAYTHROUGHS=write` writes the files anew: look at the difference before you keep it.
    """
    found = record(PLAYTHROUGHS[name])
    text = "\n".join(line_of(found, step) for step in range(len(found.events) + 1)) + "\n"
    file = FOLDER / f"{name}.txt"
    if os.environ.get("TAROCK_PLAYTHROUGHS") == "write":
        FOLDER.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
    assert text.splitlines() == file.read_text(encoding="utf-8").splitlines()


# --- pinned by hand ---


def test_strohmann_position() -> None:
    """A's SQ S9 CC … in hand; after `take` CK goes into A's hand and HK into B's only when H4 has gone."""
    found = record("STROHMANN_ROSTOPSCHIN")
    before, after = position(found, 0), position(found, 1)
    assert (before.phase, before.turn, before.legal) == ("bidding", "A", ("take", "pass"))
    assert before.hands["A"].count == before.hands["B"].count == 15
    assert {p.count for p in before.piles.values()} == {4}
    assert {p.top for p in before.piles.values()} == {None}
    assert (before.contract, before.declarer) == (None, None)
    assert (after.phase, after.turn, after.declarer, after.contract) == ("play", "A", "A", "take")
    tops = {where: pile.top for where, pile in after.piles.items()}
    assert tops == {"A/1": "DQ", "A/2": "S7", "A/3": "H2", "B/1": "S8", "B/2": "H4", "B/3": "D4"}
    counts = {where: pile.count for where, pile in after.piles.items()}
    assert counts == {"A/1": 3, "A/2": 4, "A/3": 4, "B/1": 3, "B/2": 4, "B/3": 3}
    assert after.hands["A"].count == 16, "CK came up"
    assert after.hands["B"].count == 17, "T10 and T9 came up"
    assert after.trick == Trick(1, "A", (), None)
    # 1. A CK C8: two events later A has the trick and leads again.
    later = position(found, 3)
    assert (later.turn, later.won, len(later.tricks)) == ("A", {"A": 1, "B": 0}, 1)
    assert later.tricks[0].plays == (Play("A", "CK", None), Play("B", "C8", None))
    assert later.points == {"A": 5, "B": 0}, "5 + 1 in two cards: 6 − 1"
    ros = next(n for n, e in enumerate(found.events) if e[2:] == ("T17(ros)",))
    assert position(found, ros + 1).trick.plays == (Play("A", "T17", "ros"),)
    end = position(found, len(found.events))
    assert (end.over, end.turn, end.legal, end.trick) == (True, None, (), None)
    assert end.side_points == {"A": 42, "B": 28}
    assert end.won == {"A": 19, "B": 8}


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
    assert (called.phase, called.turn, called.called, called.contract) == (
        "exchange",
        "A",
        "T19",
        "first",
    )
    assert called.hands["A"].count == 16
    assert called.talon == Heap(2, ("S7", "DJ"))
    announced = position(found, 10)
    assert announced.announced == (Announcement(9, "A", "tarocky"), Announcement(9, "A", "pagat"))
    assert announced.sides == {"A": "bidder", "B": "opponents", "C": "opponents", "D": "bidder"}
    assert {s: d.count for s, d in announced.discards.items()} == {"A": 4, "B": 1, "D": 1}
    assert position(found, 11).doubles == {"pagat": 2}
    assert position(found, 14).doubles == {"pagat": 4}
    play = position(found, 16)
    assert (play.phase, play.turn, play.trick.number) == ("play", "A", 1)
    assert "T1" not in play.legal, "A announced the pagat"
    middle = position(found, 18)
    assert middle.trick == Trick(1, "A", (Play("A", "T20", None), Play("B", "T5", None)), "A")
    end = position(found, len(found.events))
    assert end.side_points == {"bidder": 60, "opponents": 10}
    assert end.won == {"A": 9, "B": 0, "C": 2, "D": 1}


def test_troggu_position() -> None:
    found = record("TROGGU_DEAD_BETTLER")
    drawn = position(found, 4)
    assert (drawn.phase, drawn.turn, drawn.declarer, drawn.contract) == (
        "exchange",
        "D",
        "D",
        "take",
    )
    assert (drawn.hands["D"].count, drawn.talon.count) == (23, 0)
    play = position(found, 5)
    assert (play.phase, play.turn) == ("play", "D")
    assert play.sides == {"A": "opponents", "B": "opponents", "C": "opponents", "D": "tappist"}
    assert play.discards["D"].cards == ("SQ", "S10", "S8", "S7", "HC", "H5", "DQ", "DC", "D2", "C6")
    end = position(found, len(found.events))
    assert end.side_points == {"tappist": 85, "opponents": 29}


def test_grosstarock_position() -> None:
    found = record("GROSS_PLAIN")
    start = position(found, 0)
    assert (start.sitting, start.active, start.seats) == ("D", ("A", "B", "C"), ("A", "B", "C", "D"))
    assert (start.turn, start.phase, start.forehand) == ("B", "exchange", "C")
    assert start.hands.keys() == {"A", "B", "C"}
    assert start.hands["B"].count == 28
    declared = position(found, 4)
    assert [(a.seat, a.item) for a in declared.announced] == [
        ("B", "tarocks:10"),
        ("C", "kings:4"),
        ("C", "cavallery:H"),
        ("C", "half-cavallery:D"),
        ("C", "half-cavallery:C"),
        ("C", "queens"),
    ]
    assert (declared.phase, declared.turn) == ("play", "C")
    end = position(found, len(found.events))
    assert end.won == {"A": 10, "B": 9, "C": 6}
    assert end.side_points == {"A": 28, "B": 24, "C": 26}


KEYS = """
game step steps phase seats active sitting direction players dealer forehand turn view hands piles talon
discards trick tricks won points side_points declarer partner contract called sides doubles announced said
last legal comments over happenings error level judged
"""


def test_the_keys_of_a_position() -> None:
    for name in PLAYTHROUGHS.values():
        found = record(name)
        for step in (0, 7, len(found.events)):
            for view in (None, *found.seats):
                at = position(found, step, view)
                assert set(KEYS.split()) == at.as_json().keys()
                assert at.view == view
                json.dumps(at.as_json())


def test_comments_stand_at_their_step() -> None:
    text = WORKED["TROGGU_SOLO"].text.replace("\n1. ", "\n{ the play }\n1. ", 1)
    text = text.replace("\nD pass", "\n{ of the deal }\nD pass", 1)
    found = read_one(text)
    first = next(n for n, e in enumerate(found.events) if e[1] == "play")
    assert position(found, 0).comments == ()
    assert position(found, first).comments == ("the play",)
    assert position(found, first + 1).comments == ()
    assert outline(found)[first - 1].comments == ("the play",)


def test_the_comment_on_the_deal_comes_last() -> None:
    """It was written when the end was known: nobody reads it before."""
    text = WORKED["TROGGU_SOLO"].text.replace("\nD pass", "\n{ of the deal }\nD pass", 1)
    found = read_one(text.rstrip() + " { the last card }\n")
    last = len(found.events)
    for view in (None, *found.seats):
        told = [at.comments for at in positions(found, view)]
        assert told[:-1] == [()] * last
        assert told[-1] == (("the last card", "of the deal") if view is None else ("of the deal",))
        assert position(found, last, view).comments == told[-1]
    assert public.position(found, 0).comments == ()
    assert public.position(found, last).comments == ("of the deal",)
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


# --- views ---


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
    assert words[5] == "discard"
    assert words[6] == "discard CQ"
    assert words[8] == "discard"


def test_the_card_to_be_drawn_is_not_seen_before_it_is_taken() -> None:
    """Taroky: B decides whether to refuse before he looks at the talon card (S7 here)."""
    found = record("TAROKY_RE")
    assert position(found, 6).turn == "B"
    assert "S7" in position(found, 6).legal
    shown = position(found, 6, "B").legal
    assert "S7" not in shown
    assert "refuse" in shown
    assert "CQ" in shown


def test_what_is_said_of_a_record_that_ends_at_a_seats_turn_betrays_nothing() -> None:
    """B is to refuse or to take S7, of which he knows nothing; nor has he seen what A put away."""
    form = write_json(record("TAROKY_RE"))
    cut = read_one(json.dumps(form | {"events": form["events"][:6]}))
    error = position(cut, 99, "B").error
    assert "refuse" in error.legal
    assert sentences.message(error).startswith("the record ends here, before the deal is over; allowed: ")
    assert not {"S7", "S8", "D4", "C9"} & {
        *error.legal,
        *re.findall(r"\w+", sentences.message(error, "taroky")),
    }
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
    assert public.count(found).events == count(found, "A").events
    assert [row.event for row in public.outline(found)] == list(range(62))
    assert public.position(found, 14).phase == "play"
    assert public.position(found, 14).step == 14


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
    """Two deals that A and C (and whoever sees all hands face down) cannot tell apart: in one of them B has
    had a turn."""
    two = [raising("B").also("A: T20").record(), raising("D").also("A: T20").record()]
    assert [len(found.events) for found in two] == [15, 14]
    shown = []
    for found in two:
        if view is None:
            steps, rows = public.count(found).steps, public.outline(found)
            states = [public.position(found, step) for step in range(steps + 3)]
        else:
            steps, rows = last_step(found, view), outline(found, view)
            states = [position(found, step, view) for step in range(steps + 3)]
        shown.append(json.dumps([steps, [r.as_json() for r in rows], [s.as_json() for s in states]]))
    assert states[-1].error is not None, "the deal breaks off: what is said of that is compared, too"
    assert shown[0] == shown[1]


def test_a_deal_that_breaks_off_at_a_secret_turn() -> None:
    deal = raising("B")
    del deal.form["events"][-1]
    found = deal.record()
    whole = position(found, 99).error
    assert (whole.seat, whole.event, whole.pointer) == ("B", 13, "/events/13")
    for view in "ACD":
        error = position(found, 99, view).error
        assert (error.seat, error.pointer, sentences.message(error)) == (
            None,
            None,
            "the record ends here, before the deal is over",
        )
        assert error.event == last_step(found, view)
    assert position(found, 99, "B").error.seat == "B"
    assert public.position(found, 99).error.seat is None


def test_a_finding_is_numbered_as_the_view_counts() -> None:
    found = raising("B").also("A: T20", "B: S7").record()
    assert check(found).verdict == "illegal"
    own = position(found, 99, "B").error
    assert own.event == 14, "A's pass is hidden from B"
    assert position(found, 99).error.event == 15
    over = raising("B").also("A: T20").record()
    assert position(over, 99, "B").error.event == 14
    assert position(over, 99).error.event == 15
    assert "A plays T20, and there the record ends; it is B's turn" in sentences.message(
        position(over, 99).error
    )


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


# --- deals that break off ---


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
    deal = Deal("strohmann", {"A": "T5 SK", "B": "T6"}).say(
        "A take", "A: T5 T6", "A: SK", "A pass", "B: T6 S9"
    )
    found = deal.record()
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
    assert [(row.event, row.phase, row.trick) for row in rows] == [
        (3, "play", 2),
        (4, "play", None),
        (5, "play", 2),
        (6, "play", 3),
    ]
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
    own = (
        Deal("taroky", {"A": "S9", "B": "SQ H4"}, without={"B": "T"})
        .say("A bid solo")
        .passes("BCD")
        .passes("ABCD")
    )
    broken = own.say("A: S9", "B: H4").record()
    assert position(broken, 99, "B").error.legal == position(broken, 99).error.legal
    assert position(broken, 99, "B").error.clause == "taroky.follow"
    # That the suit led should have been followed would tell the others that B holds it.
    for error in (*(position(broken, 99, view).error for view in "ACD"), public.position(broken, 99).error):
        assert (error.clause, error.legal, error.values) == (None, None, {})
        assert sentences.message(error) == "the next event breaks a rule; it is not shown from this seat"


def test_an_incomplete_deal_says_so_at_its_end() -> None:
    deal = Deal("troggu").say("A take", "B pass")
    at = position(deal.record(), 2)
    assert (at.over, at.turn) == (False, "C")
    assert (at.error.event, at.error.clause) == (2, None)
    assert at.error.legal == ("solo", "pass")
    assert position(deal.record(), 1).error is None
    empty = Deal("troggu").record()
    assert (last_step(empty), outline(empty)) == (0, [])
    assert position(empty, 0).error.event == 0


def test_a_surrendered_deal_is_over_without_play() -> None:
    deal = (
        Deal("taroky", {"talon": "T19 S8 C7 C8 H4 D4"}, without={"A": "T19"}).say("A bid first").passes("BCD")
    )
    found = deal.say("A call T19", "A surrender").record()
    at = position(found, 6)
    assert (at.over, at.phase, at.trick, at.tricks) == (True, "over", None, ())
    assert at.error is None
