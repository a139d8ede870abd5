"""The values of pages: cards, the table, moves, countings, excerpts of uploads."""

from __future__ import annotations

import itertools

import pytest

import tarock.analysis.replay
from replays.deal.countings import _sets
from replays.deal.step_links import ends, step_links
from replays.language import cards
from replays.language.names import Names
from replays.uploads.results import upload_text
from tarock.core.cards import CARDS, bits, in_hand_order, pack
from tarock.core.scoring import in_threes, in_twos
from tarock.notation import read_one
from tarock.notation.excerpts import WIDTH, excerpt
from tarock.view.cards import in_rows
from tarock.view.moves import move_groups
from tarock.view.table import slots, table_view
from tests import samples


def test_seats_go_round_in_the_true_direction() -> None:
    """0 is at the bottom, 1 is next to the left of it (clockwise as one looks), the last one to the right."""
    assert slots(list("ABCD"), "clockwise") == {"A": 0, "B": 1, "C": 2, "D": 3}
    assert slots(list("ABCD"), "anticlockwise") == {"A": 0, "B": 3, "C": 2, "D": 1}
    assert slots(list("ABC"), "anticlockwise", "B") == {"B": 0, "C": 2, "A": 1}


@pytest.mark.parametrize("number", range(2, 9))
@pytest.mark.parametrize("direction", ["clockwise", "anticlockwise"])
def test_every_seat_has_its_own_place(number: int, direction: str) -> None:
    seats = "ABCDEFGH"[:number]
    for bottom in seats:
        at = slots(seats, direction, bottom)
        assert at[bottom] == 0
        assert sorted(at.values()) == list(range(number))
        step = 1 if direction == "clockwise" else -1
        for one, after in itertools.pairwise(seats):
            assert (at[after] - at[one]) % number == step % number


def test_who_sits_out_is_at_the_bottom_only_if_asked_for() -> None:
    record = next(
        one
        for one in samples.simulated("grosstarock", 4, number=4)
        if tarock.analysis.replay.position(one, 0).sitting == "A"
    )
    position = tarock.analysis.replay.position(record, 0)
    for bottom, nearest in {None: "B", "A": "A", "C": "C"}.items():
        shown = table_view(position, Names(record.game, record.players), bottom=bottom)
        assert next(seat.letter for seat in shown.seats if not seat.slot) == nearest


def test_a_hand_is_held_tarocks_first_then_black_and_red_in_turn() -> None:
    held = in_hand_order(["D1", "C7", "HK", "T1", "S10", "T0", "H1", "T21"])
    assert held == ["T0", "T21", "T1", "S10", "HK", "H1", "C7", "D1"]


def test_two_rows_are_of_nearly_one_length_and_lose_no_card() -> None:
    for number in range(30):
        hand = in_hand_order(CARDS[number : number + number])
        first, second = in_rows(hand)
        assert first + second == hand
        assert abs(len(first) - len(second)) <= 5


@pytest.mark.parametrize("size", [54, 62, 78])
def test_cards_in_threes_add_up_to_what_the_engine_counts(size: int) -> None:
    codes = [c for c in CARDS if bits([c]) & pack(size)]
    for count in (0, 1, 2, 3, 10, 40, len(codes)):
        some = codes[:count]
        groups = _sets(some, cards.pack(), 3)
        assert sorted(c.code for g in groups for c in g.cards) == sorted(some)
        assert [len(g.cards) for g in groups[:-1]] == [3] * (len(groups) - 1 if groups else 0)
        assert (groups[-1].running if groups else 0) == in_threes(bits(some))


def test_a_set_of_three_shows_its_arithmetic() -> None:
    groups = _sets(["SK", "S7", "S8", "HQ"], cards.pack(), 3)
    assert [(g.calculation, g.running) for g in groups] == [("5 + 1 + 1 − 2 = 5", 5), ("4 − 1 = 3", 8)]


@pytest.mark.parametrize("count", [0, 1, 2, 3, 28, 53, 78])
def test_cards_by_twos_add_up_to_what_the_engine_counts(count: int) -> None:
    some = CARDS[:count]
    groups = _sets(some, cards.pack(), 2)
    assert sorted(c.code for g in groups for c in g.cards) == sorted(some)
    assert [len(g.cards) for g in groups[:-1]] == [2] * (len(groups) - 1 if groups else 0)
    assert (groups[-1].running if groups else 0) == in_twos(bits(some))


def test_a_pair_shows_its_arithmetic() -> None:
    groups = _sets(["SK", "S7", "HQ"], cards.pack(), 2)
    assert [(g.calculation, g.running) for g in groups] == [("5 + 1 − 1 = 5", 5), ("4", 9)]


def test_the_buttons_lead_to_steps_and_tricks() -> None:
    record = read_one(samples.ANNOTATED)
    found = ends(tarock.analysis.replay.outline(record))
    first = samples.FIRST_CARD
    at = step_links(first + 5, samples.LAST_STEP, found)
    assert (at.previous, at.next, at.previous_trick, at.next_trick) == (
        first + 4,
        first + 6,
        first + 4,
        first + 8,
    )
    start = step_links(0, samples.LAST_STEP, found)
    assert (start.previous, start.previous_trick, start.next, start.next_trick) == (None, None, 1, 4)
    end = step_links(samples.LAST_STEP, samples.LAST_STEP, found)
    assert (end.next, end.next_trick) == (None, None)


def test_the_list_of_moves_has_a_group_for_each_phase_and_trick() -> None:
    record = read_one(samples.ANNOTATED)
    groups = move_groups(tarock.analysis.replay.outline(record), Names(record.game, record.players))
    assert [g.title for g in groups[:4]] == ["Bidding", "Calling a partner", "Exchange", "Announcements"]
    assert [g.trick for g in groups[4:]] == list(range(1, 13))
    assert [m.short for m in groups[4].moves] == ["XX", "V", "VII", "XV"]
    assert [m.seat for m in groups[4].moves if m.wins] == ["A"]
    assert [m.seat for m in groups[5].moves if m.wins] == ["C"]
    assert groups[3].comments == ["a brave word"]


def test_the_finished_trick_stays_on_the_table_until_the_next_card() -> None:
    record = read_one(samples.ANNOTATED)
    names = Names(record.game, record.players)
    done = table_view(tarock.analysis.replay.position(record, samples.FIRST_CARD + 4), names).trick
    assert done is not None
    assert (done.number, done.done, done.winner, [p.card.code for p in done.plays]) == (
        1,
        True,
        "A",
        ["T20", "T5", "T7", "T15"],
    )
    going_on = table_view(tarock.analysis.replay.position(record, samples.FIRST_CARD + 5), names).trick
    assert going_on is not None
    assert (going_on.number, going_on.done, [p.card.code for p in going_on.plays]) == (2, False, ["T12"])


def test_an_excerpt_marks_the_word_at_the_column() -> None:
    before, faulty = excerpt("one\ntwo three four\nfive", 2, 5)
    assert (before.number, before.before, before.faulty) == (1, "one", False)
    assert (faulty.number, faulty.before, faulty.at, faulty.after) == (2, "two ", "three", " four")


def test_a_long_line_is_cut_about_the_fault() -> None:
    line = "x" * 5000 + " FAULT " + "y" * 5000
    (shown,) = excerpt(line, 1, 5002)
    assert shown.at == "FAULT"
    assert len(shown.before) == len(shown.after) == WIDTH + 1


def test_an_excerpt_beyond_the_text_shows_what_there_is() -> None:
    assert excerpt("one", 7, 1) == []
    (end,) = excerpt("one", 1, 4)
    assert (end.before, end.at, end.after) == ("one", "", "")


def test_bytes_that_are_no_text_keep_the_columns() -> None:
    assert upload_text(b"\xef\xbb\xbfa\xff\xfeb\r\nc") == "a\ufffd\ufffdb\nc"
