"""The values of pages: cards and their drawings, the table, moves, countings, excerpts of uploads."""

from __future__ import annotations

import itertools
import xml.etree.ElementTree as ET

from replays.deal.countings import _sets
from replays.deal.step_links import ends, step_links
from replays.language import cards
from replays.language.cards import pack_rows
from replays.language.clauses import cards_of
from replays.language.names import Names
from replays.site.sprites import OWN, SPRITE
from replays.uploads.results import upload_text
from tarock.analysis import replay
from tarock.core.cards import CARDS, bits, in_hand_order, pack
from tarock.core.scoring import in_threes, in_twos
from tarock.notation import read_one
from tarock.notation.excerpts import WIDTH, excerpt
from tarock.view.cards import in_rows
from tarock.view.moves import move_groups
from tarock.view.table import slots, table_view
from tarock.words.clauses import clause
from tests.support import samples
from tools import cards_svg


def test_every_seat_has_its_own_place() -> None:
    steps = {"clockwise": 1, "anticlockwise": -1}
    for number, (direction, step) in itertools.product(range(2, 9), steps.items()):
        seats = "ABCDEFGH"[:number]
        for bottom in seats:
            at = slots(seats, direction, bottom)
            assert at[bottom] == 0
            assert sorted(at.values()) == list(range(number))
            for one, after in itertools.pairwise(seats):
                assert (at[after] - at[one]) % number == step % number
    # 0 is at the bottom, 1 is next to the left of it, the last one to the right.
    for direction, going in {"clockwise": "ABCD", "anticlockwise": "ADCB"}.items():
        assert "".join(sorted("ABCD", key=slots("ABCD", direction).__getitem__)) == going


def test_who_sits_out_is_at_the_bottom_only_if_asked_for() -> None:
    records = samples.simulated("grosstarock", 4, number=4)
    record = next(one for one in records if replay.position(one, 0).sitting == "A")
    for bottom, nearest in {None: "B", "A": "A", "C": "C"}.items():
        names = Names(record.game, record.players)
        shown = table_view(replay.position(record, 0), names, bottom=bottom)
        assert next(seat.letter for seat in shown.seats if not seat.slot) == nearest


def test_a_hand_is_held_tarocks_first_then_black_and_red_in_turn() -> None:
    """In two rows of nearly one length, which lose no card."""
    held = in_hand_order(["D1", "C7", "HK", "T1", "S10", "T0", "H1", "T21"])
    assert held == ["T0", "T21", "T1", "S10", "HK", "H1", "C7", "D1"]
    for number in range(30):
        hand = in_hand_order(CARDS[number : number + number])
        first, second = in_rows(hand)
        assert first + second == hand
        assert abs(len(first) - len(second)) <= 5


def test_cards_in_sets_add_up_to_what_the_engine_counts() -> None:
    for size, (each, points) in itertools.product((54, 62, 78), ((3, in_threes), (2, in_twos))):
        codes = [c for c in CARDS if bits([c]) & pack(size)]
        for count in (0, 1, 2, 3, 10, 28, 40, 53, len(codes)):
            some = codes[:count]
            groups = _sets(some, cards.pack(), each)
            assert sorted(c.code for g in groups for c in g.cards) == sorted(some)
            assert [len(g.cards) for g in groups[:-1]] == [each] * (len(groups) - 1 if groups else 0)
            assert (groups[-1].running if groups else 0) == points(bits(some))
    # A set shows its arithmetic.
    for held, each, shown in (
        (["SK", "S7", "S8", "HQ"], 3, [("5 + 1 + 1 − 2 = 5", 5), ("4 − 1 = 3", 8)]),
        (["SK", "S7", "HQ"], 2, [("5 + 1 − 1 = 5", 5), ("4", 9)]),
    ):
        assert [(g.calculation, g.running) for g in _sets(held, cards.pack(), each)] == shown


def test_the_buttons_lead_to_steps_and_tricks() -> None:
    found, first = ends(replay.outline(read_one(samples.ANNOTATED))), samples.FIRST_CARD
    for step, previous, following in (
        (first + 5, (first + 4, first + 4), (first + 6, first + 8)),
        (0, (None, None), (1, 4)),
        (samples.LAST_STEP, (samples.LAST_STEP - 1, samples.LAST_STEP - 4), (None, None)),
    ):
        at = step_links(step, samples.LAST_STEP, found)
        assert (at.previous, at.previous_trick) == previous
        assert (at.next, at.next_trick) == following


def test_the_list_of_moves_has_a_group_for_each_phase_and_trick() -> None:
    record = read_one(samples.ANNOTATED)
    groups = move_groups(replay.outline(record), Names(record.game, record.players))
    assert [g.title for g in groups[:4]] == ["Bidding", "Calling a partner", "Exchange", "Announcements"]
    assert [g.trick for g in groups[4:]] == list(range(1, 13))
    assert [m.short for m in groups[4].moves] == ["XX", "V", "VII", "XV"]
    assert [m.seat for m in groups[4].moves if m.wins] == ["A"]
    assert [m.seat for m in groups[5].moves if m.wins] == ["C"]
    assert groups[3].comments == ["a brave word"]


def test_the_finished_trick_stays_on_the_table_until_the_next_card() -> None:
    record = read_one(samples.ANNOTATED)
    for step, trick in ((4, (1, True, "A", "T20 T5 T7 T15")), (5, (2, False, "A", "T12"))):
        position = replay.position(record, samples.FIRST_CARD + step)
        shown = table_view(position, Names(record.game, record.players)).trick
        assert shown is not None
        cards = " ".join(play.card.code for play in shown.plays)
        assert (shown.number, shown.done, shown.winner, cards) == trick


def test_an_excerpt_marks_the_word_at_the_column() -> None:
    before, faulty = excerpt("one\ntwo three four\nfive", 2, 5)
    assert (before.number, before.before, before.faulty) == (1, "one", False)
    assert (faulty.number, faulty.before, faulty.at, faulty.after) == (2, "two ", "three", " four")
    # A long line is cut about the fault; beyond the text there is what there is.
    (shown,) = excerpt("x" * 5000 + " FAULT " + "y" * 5000, 1, 5002)
    assert (shown.at, len(shown.before), len(shown.after)) == ("FAULT", WIDTH + 1, WIDTH + 1)
    assert excerpt("one", 7, 1) == []
    (end,) = excerpt("one", 1, 4)
    assert (end.before, end.at, end.after) == ("one", "", "")
    # Bytes that are no text keep the columns.
    assert upload_text(b"\xef\xbb\xbfa\xff\xfeb\r\nc") == "a\ufffd\ufffdb\nc"


def test_a_pack_is_laid_out_in_rows() -> None:
    """Of 54 cards each suit has eight, of 62 ten, of 78 fourteen; the Fool begins."""
    sizes = {"taroky": 8, "troggu": 10, "grosstarock": 14}
    for game, size in sizes.items():
        rows = pack_rows(game)
        assert [len(row) for row in rows] == [11, 11, size, size, size, size]
        assert [rows[0][0].code, rows[1][-1].code] == ["T0", "T1"]
        assert [row[0].code for row in rows[2:]] == ["SK", "HK", "DK", "CK"]


def test_the_cards_that_a_clause_speaks_of() -> None:
    for slug, language, codes in (
        ("taroky.hand-trul", "en", "T0 T21 T1"), ("taroky.hand-trul", "cs", "T0 T21 T1"),
        ("strohmann.uhu", "de", "T2"), ("troggu.bettler-withheld", "en", "T0"),
        ("taroky.forehand-must-bid", "en", ""),
    ):  # fmt: skip
        assert [face.code for face in cards_of(clause(slug, language))] == codes.split()


def test_every_card_is_drawn_once_by_shapes_alone_and_no_two_are_alike() -> None:
    """No picture from elsewhere, no font, no script, nothing that a strict policy would forbid.

    Whoever changes the drawing runs ``python -m tools.cards_svg``.
    """
    assert SPRITE.read_text(encoding="utf-8") == cards_svg.sprite()
    assert set(cards_svg.LETTERS) == OWN
    root = ET.fromstring(cards_svg.sprite())
    symbols = {one.get("id"): ET.tostring(one[0]) + b"".join(map(ET.tostring, one)) for one in root}
    assert set(symbols) == {*CARDS, "back"}
    assert len(set(symbols.values())) == 79
    assert {one.tag.partition("}")[2] for one in root.iter()} == {"svg", "symbol", "g", "path", "rect"}
    assert not {name for one in root.iter() for name in one.attrib} & {"style", "href", "class"}
