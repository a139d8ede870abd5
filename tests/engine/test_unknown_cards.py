"""Records with unknown cards: deduced cards, judged events, and impossible cases."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from tarock.analysis import replay
from tarock.analysis.board import board
from tarock.analysis.fold import fold
from tarock.analysis.verify import check
from tarock.core.cards import bits, pack
from tarock.core.record import Record
from tarock.games.grosstarock.declarations import may_declare
from tarock.notation import read_one, read_value, write_json, write_text
from tests import conformance
from tests.engine.boarding import ask, offers
from tests.engine.builder import Deal, cards
from tests.engine.clauses.taroky import bid
from tests.engine.driver import DEALS, TABLES, random_record
from tests.support import samples
from tests.support.effort import SPARSE

Json = dict[str, Any]
TAROKY = read_one(samples.TAROKY)


def some_records() -> list[Record]:
    """Of the conformance deals that can be read some, or all."""
    return [record for name in [*conformance.deals()][::SPARSE] if (record := conformance.record(name))]


def test_hands_follow_from_the_play() -> None:
    """With talon, piles and discards known every deal that was played to its end comes back whole."""
    ended = 0
    for record in some_records():
        if check(record).verdict not in ("verified", "disputed") or len(record.events) < 20:
            continue
        form = write_json(record)
        form["deal"] = {at: found for at, found in form["deal"].items() if "/" in at or at == "talon"}
        plays = sum(event[1] == "play" for event in record.events)
        if plays == record.seating.tricks * len(record.active):
            assert read_value(form) == record
            ended += 1
    assert ended > 400 // SPARSE


def test_what_may_be_legal_is_not_illegal() -> None:
    """Whatever is hidden of a deal, of every third only its first events: it is illegal only if the whole
    deal is, and its score is no other. Text, JSON, replay and, of every tenth deal, views take cards that
    nobody knows as well as any others."""
    rng = random.Random(1)
    illegal = 0
    for number, record in enumerate(some_records()):
        form = write_json(record)
        if number % 3 == 0:
            form = {key: value for key, value in cut(form, rng).items() if key != "score"}
        whole, seen = read_value(form), read_value(hide(form, rng))
        full, judged = check(whole), check(seen)
        # An event that breaks a rule with the dealt cards may be legal with others that may have been dealt.
        if full.verdict != "illegal":
            assert judged.verdict in (full.verdict, "incomplete"), seen
            assert (judged.verdict == full.verdict) >= (seen == whole)
            if judged.score is not None:
                assert (judged.score, judged.lines) == (full.score, full.lines), seen
                assert judged.facts == full.facts, seen
        illegal += judged.verdict == "illegal"
        again = read_value(write_json(seen))
        assert (again, again.digest) == (seen, seen.digest)
        if judged.verdict != "illegal":
            assert read_one(write_text(seen)) == seen
        if number % 10 == 0:
            list(replay.positions(seen))
            for seat in seen.seats:
                hands = [at.hands for at in replay.positions(seen, seat)]
                assert seat not in seen.active or all(at[seat].cards is not None for at in hands)
    assert illegal > 150 // SPARSE - 10


def test_a_place_without_a_line_is_unknown() -> None:
    """C's and D's hands, and the talon: 12 + 12 + 6 cards, none of them played yet."""
    form = write_json(TAROKY) | {"events": [["A", "bid", "first"]]}
    form["deal"] = {seat: form["deal"][seat] for seat in "AB"}
    record = read_value(form)
    assert record.unknown == ("C", "D", "talon")
    assert record.deal["C"] == ("?",) * 12
    assert "deal C" not in write_text(record)
    found = check(record)
    assert found.verdict == "incomplete"
    assert [error.reason for error in found.errors] == ["ends-after", "cards-unknown"]
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
    assert {*record.deal["C"]} == {*cards("T7 T21 C7 DC H3 T8 T11 T18 DK S9 CC SC")}


@pytest.mark.parametrize(("events", "moves"), [
    (0, {("A", "bid", "first"), ("A", "bid", "troika"), ("A", "bid", "solo")}),
    # Whoever bids second holds the Pagat; where nobody knows, he may.
    (1, {("B", "pass"), ("B", "bid", "second"), ("B", "bid", "troika"), ("B", "bid", "solo")}),
    (4, {("A", "call", card) for card in ("T19", "T18", "T17", "T16")} | {("A", "varsava")}),
])  # fmt: skip
def test_what_may_come_where_no_hand_is_known(events: int, moves: set[tuple[str, ...]]) -> None:
    form = write_json(TAROKY) | {"deal": {}, "events": [list(event) for event in TAROKY.events[:events]]}
    found = board(read_value(form)).choices
    assert found is not None
    assert {move.event for move in found.moves} == moves


@pytest.mark.parametrize(("events", "left"), [(20, 44), (40, 24)])
def test_any_card_that_is_nowhere_may_be_played(events: int, left: int) -> None:
    """54 cards without the six discards and the four of trick 1, or those of six tricks."""
    form = write_json(TAROKY) | {"deal": {}, "events": [list(event) for event in TAROKY.events[:events]]}
    found = board(read_value(form)).choices
    assert found is not None
    away = {card for event in TAROKY.events[:events] for card in event[2:] if event[1] in ("play", "discard")}
    open_cards = {card for cards in TAROKY.deal.values() for card in cards} - away
    assert {move.event[2] for move in found.moves} == open_cards
    assert len(open_cards) == left


def without(record: Record, *places: str, discards: bool = True) -> Record:
    """A record without some places, and if so without the cards of its discards."""
    form = write_json(record)
    form["deal"] = {place: cards for place, cards in form["deal"].items() if place not in places}
    for event in form["events"]:
        if event[1] == "discard" and not discards:
            event[2:] = ["?"] * len(event[2:])
    return read_value(form)


def test_a_talon_card_is_known_if_its_place_is_or_its_order_does_not_count() -> None:
    """A took four cards in an order that nobody knows, then B and D one each."""
    record = without(TAROKY, "talon")
    assert record.deal["talon"] == ("?", "?", "?", "?", "S7", "DJ")
    assert read_one(write_text(record)) == record == read_value(write_json(record))
    assert record.digest == read_one(write_text(record)).digest != TAROKY.digest
    for other in some_records():
        # With two players of Grosstarock a stock stays out of play.
        if other.game in ("grosstarock", "troggu") and len(other.active) > 2:
            assert without(other, "talon") == other or check(other).verdict != "verified"


def test_only_discards_have_unknown_cards_and_these_are_what_was_not_played() -> None:
    assert without(TAROKY, discards=False) == without(TAROKY, "A", discards=False) == TAROKY
    form = write_json(TAROKY)
    for words in ("? foo H1 D4", "? S8 S8 C9", "? ? S8 H1 D4 C9", "? S8 H1 D4 SK"):
        form["events"][5][2:] = words.split()
        assert "?" in read_value(form).events[5], "a discard that is wrong is not completed"
        assert check(read_value(form)).verdict == "illegal"
    assert check(said("grosstarock", 3, "C", "C discard foo S2 S3")).verdict == "illegal"
    form["events"][4][2] = "?"
    assert (read_value(form).events[4], check(read_value(form)).error.event) == (("A", "call", "?"), 4)
    form["events"][16][2] = "?"
    with pytest.raises(ValueError, match="no-card"):
        read_value(form)


def test_a_deal_is_scored_if_the_unknown_cards_make_no_difference() -> None:
    found = check(without(TAROKY, "talon"))
    assert (found.verdict, found.score) == ("verified", TAROKY.score)
    # All hands are known, so nobody declared less than they could.
    agreed = write_json(without(TAROKY, "talon")) | {"options": ["declare-all"]}
    assert check(read_value(agreed)).verdict == "verified"
    rows = [record for n in range(200) if (record := conformance.record(f"taroky-{n}"))]
    solos = [row for row in rows if ("A", "bid", "solo") in row.events and len(row.events) > 48]
    solo = next(row for row in solos if check(row).verdict == "verified")
    for seat in "ABCD":
        seen = without(solo, seat, "talon")
        assert (seen.deal[seat], seen.deal["talon"]) == (solo.deal[seat], ("?",) * 6)
        assert (check(seen).verdict, check(seen).lines) == ("verified", check(solo).lines)


def test_a_deal_is_not_scored_if_a_rule_depends_on_an_unknown_card() -> None:
    """Two hands and the talon unknown: who declared or discarded what cannot be checked."""
    found = check(without(TAROKY, "B", "D", "talon"))
    assert (found.verdict, found.errors[0].values["seats"]) == ("incomplete", ["B", "D"])


def said(game: str, players: int, dealer: str, lines: str, **hands: str) -> Record:
    """A record of events before the play, one a line."""
    names = {seat: seat for seat in "ABCDEFGH"[:players]}
    form: Json = {"tgn": 1, "game": game, "dealer": dealer, "players": names}
    form["deal"] = {seat: cards.split() for seat, cards in hands.items()}
    form["events"] = [line.split() for line in lines.strip().splitlines()]
    return read_value(form)


CALLED = """
B bid first
C pass
D pass
A pass
B call T16
B discard H1 H2 H3 D1
C discard ?
D discard ?
B announce tarocky
"""


def test_a_called_card_that_is_played_may_come_from_the_unknown_talon() -> None:
    hand = "HK H1 H2 D1 CC T21 T19 T18 T17 T9 T8 T2"
    played = "C pass\nD pass\nA pass\nB play T16"
    record = said("taroky", 4, "A", CALLED + played, B=hand)
    assert check(record).verdict == "incomplete"
    # If it was in the hand, it may not be called.
    wrong = said("taroky", 4, "A", CALLED + played, B=hand.replace("T9", "T16"))
    assert check(wrong).error.clause == "taroky.call"


def test_the_bidder_has_the_talon_cards_that_it_shows_later() -> None:
    """B takes four unknown cards when it calls; H3 and T16 are two of them. D has yet to take a card, which
    may be the S9 that it plays."""
    hand = "HK H1 H2 D1 CC T21 T19 T18 T17 T9 T8 T2"
    lines = "C pass\nD pass\nA pass\nA play S7\nB play T16\nC play S8\nD play S9"
    record = said("taroky", 4, "A", CALLED + lines, B=hand, D="SK SQ SC SJ" + " ?" * 8)
    assert {*replay.position(record, 4).hands["B"].cards} == {*hand.split()}
    at = replay.position(record, 5).hands
    assert {*at["B"].cards} == {*hand.split(), "H3", "T16"}
    assert {*at["D"].cards} == {"SK", "SQ", "SC", "SJ", "?"}


@pytest.mark.parametrize(("talon", "offered"), [
    ("S7 S8 C7 C8 D4 D3", False), ("S7 S8 C7 ? D4 D3", True), ("S7 S8 C7 C8 ? D3", False),
])  # fmt: skip
def test_the_bidder_may_surrender_if_the_called_card_may_be_among_those_it_took(
    talon: str, offered: bool
) -> None:
    """Nobody knows who has T19; the bidder took the first four cards."""
    hand = "SK SQ SC SJ S10 S9 H4 H3 T5 T4 T3 T2"
    record = said(
        "taroky", 4, "A", CALLED[: CALLED.index("B discard")].replace("T16", "T19"), B=hand, talon=talon
    )
    found = board(record).choices
    assert found is not None
    assert (("B", "surrender") in {move.event for move in found.moves}) == offered


def test_a_seat_that_kept_an_unknown_talon_card_had_it_when_discarding() -> None:
    """A keeps H3 and B keeps H4, which they play. So all their cards are known at the discard."""
    hands = {"talon": "H3 S8 C7 C8 H4 D4", "A": "S9 T20 SK", "B": "H1 T2"}
    deal = Deal("taroky", hands).say(*bid("first"), "A call T19", "A discard S9 S8 C7 C8")
    record = deal.say("B discard H1", "C discard D4").play_out().record()
    assert check(without(record, "talon")).verdict == "verified"
    # If B discards T2 instead of H1, this is illegal, although B's hand follows only from what B plays.
    form = write_json(without(record, "talon", "B"))
    swapped = {"H1": "T2", "T2": "H1"}
    form["events"] = [[swapped.get(word, word) for word in event] for event in form["events"]]
    error = check(read_value(form)).error
    assert (error and (error.event, error.clause)) == (6, "taroky.discard")


def test_who_may_not_refuse_the_last_talon_card_is_told_what_to_discard() -> None:
    """The talon, B's hand and B's discard are unknown. D refuses the last card, but must take it: it is the
    Queen of hearts, which D plays later."""
    form = write_json(conformance.record("taroky-190"))
    del form["deal"]["B"], form["deal"]["talon"]
    form["events"][6] = ["B", "discard", "?"]
    (error,) = check(read_value(form)).errors
    assert (error.event, error.clause) == (8, "taroky.refuse")
    assert error.legal == (*cards("SQ SC S10 S7 HQ HJ H3 DC CC C8"),)


def test_a_partner_may_have_drawn_and_discarded_the_called_card() -> None:
    """The talon and what B and C discarded are unknown, and nobody plays T19. D drew nothing."""
    deal = Deal("taroky", {"talon": "S7 S8 C7 C8 T19 D4", "B": "SK HK DK CK T18-T11"}).say(*bid("first"))
    deal.say("A call T19", "A discard S7 S8 C7 C8", "B discard T19", "C discard D4")
    form = write_json(deal.play_out().record())
    del form["deal"]["talon"]
    form["events"][6:8] = [["B", "discard", "?"], ["C", "discard", "?"]]
    at = replay.position(read_value(form), 8)
    assert (at.partner, at.sides) == (None, {"A": "bidder", "D": "opponents"})


def test_discards_that_may_be_illegal_are_not_verified() -> None:
    """The talon and what B and C discarded are unknown. The score doesn't depend on them."""
    deal = Deal("taroky", {"talon": "S7 S8 C7 C8 H4 D4", "D": "T19"}).say(*bid("first"), "A call T19")
    form = write_json(deal.say("A discard S7 S8 C7 C8", "B discard H4", "C discard D4").play_out().record())
    del form["deal"]["talon"]
    form["events"][6:8] = [["B", "discard", "?"], ["C", "discard", "?"]]
    found = check(read_value(form))
    assert (found.verdict, found.errors[0].values) == ("incomplete", {"seats": ["B", "C"]})


def test_a_hand_has_what_its_seat_certainly_holds() -> None:
    taroky = "HK H1 H2 D1 CC T21 T19 T18 T17 T9 T8 T2"
    # C, whose cards are all known, has no Pagat.
    error = check(said("taroky", 4, "A", "B bid first\nC bid second", C=taroky)).error
    assert (error and error.clause) == "taroky.bid-second"
    # D plays out of turn. So this trick proves neither that D has S10 nor that B has T15.
    tricks = "B play T16\nC play S8\nD play S9\nA play S7"
    record = said(
        "taroky", 4, "A", f"{CALLED}C pass\nD pass\nA pass\n{tricks}\nB play T15\nD play S10", B=taroky
    )
    assert replay.position(record, 99).hands["D"].cards == ("?",) * 11
    held = replay.position(record, 8).hands["B"].cards
    assert ("T16" in held, "T15" in held) == (True, False)
    # A's twelve cards are all known, so it doesn't hold the S7 that it plays.
    whole = tuple(cards("DK-DJ CK-C7"))
    record = said("taroky", 4, "A", f"{CALLED}C pass\nD pass\nA pass\n{tricks}", A=" ".join(whole))
    played = replay.position(record, 99)
    assert (played.error and played.error.clause, played.hands["A"].cards) == ("common.not-held", whole)
    # The dealer of Grosstarock takes the talon first of all, so the SK that is played later is in the hand.
    declared = "C discard S1 H2 H3\nC pass\nA pass\nB pass\n"
    played = "A play S7\nB play S8\nC play SK"
    record = said("grosstarock", 3, "C", declared + played, C="T21 HK" + " ?" * 23, talon="S1 ? ?")
    assert {*replay.position(record, 0).hands["C"].cards} == {*cards("S1 H2 H3 SK HK T21"), "?"}
    # After an unknown discard the dealer may still have each King. Two cards are no discard of the talon.
    hand = " ".join(cards("SK HK DK S4-S1 H1-H10 D4-D10 C1"))
    found = board(said("grosstarock", 3, "C", "C discard ? ? ?", C=hand, talon="S10 S9 S8")).announcements
    assert found is not None
    assert {"kings:3", "ladons:22"} <= {*found.items}
    # Whether Pagat and Sküs are among the declared tarocks is unknown.
    declared = "C discard S1 H2 H3\nC announce tarocks:10"
    assert check(said("grosstarock", 3, "C", declared, C="T21 HK" + " ?" * 23)).happenings == ()
    hand = hand.replace("S4", "S7")
    assert said("grosstarock", 3, "C", "C discard S4 S3", C=hand).deal["talon"] == ("?",) * 3


DOUBLED = """
B bid first
C bid second
D pass
A pass
C call T19
C discard SJ S9 S7 CC
D discard C9
A discard T16
C pass
D announce barvicky
A announce honery flek:game
B pass
"""


@pytest.mark.parametrize(("line", "clause"), [
    # C, the bidder, is next if A is an opponent, and D if A is the partner.
    ("C pass", None),
    ("C announce re:game", None),
    ("D announce re:game", None),
    # In both cases the double has been said, a sub needs a re, and somebody may still speak.
    ("D announce flek:game", "taroky.double"),
    ("C announce sub:game", "taroky.double"),
    ("A announce re:game", "common.turn"),
    ("C play S8", "common.unexpected"),
    ("B play S8", "common.turn"),
])  # fmt: skip
def test_an_event_is_legal_if_it_is_for_some_partner(line: str, clause: str | None) -> None:
    """Nobody knows who has T19, so who may answer a double, and who speaks next, is open."""
    record = said("taroky", 4, "A", DOUBLED + line)
    error = check(record).error
    assert error is not None
    assert (error.clause, error.legal) == (clause, ()), error
    if clause:
        assert replay.position(record, 99).partner is None
        before = fold(record, len(record.events) - 1)
        assert len(fold(record).table.others) == len(before.table.others), "all possible states are left"


@pytest.mark.parametrize("hands", [
    {},
    # C and D, who may be on turn, have no unknown cards.
    {"C": "T1 T18 SK SQ S9 S7 HK HQ DK DQ CK CQ", "D": "C9 S10 S8 H1 H2 H3 D1 D2 D3 CJ C10 T5",
     "talon": "SJ CC C7 C8 D4 H4"},
])  # fmt: skip
def test_the_board_offers_the_events_of_each_seat_that_may_be_on_turn(hands: dict[str, str]) -> None:
    """A or B has T19. If A is the partner, D may answer the double, otherwise C."""
    found = board(said("taroky", 4, "A", DOUBLED, **hands))
    assert found.choices is not None
    words = (("pass",), ("announce", "re:game"))
    assert {move.event for move in found.choices.moves} == {(seat, *word) for seat in "CD" for word in words}
    error = check(said("taroky", 4, "A", DOUBLED + "D announce flek:game", **hands)).error
    assert (error and (error.clause, error.legal)) == ("taroky.double", ())


@pytest.mark.parametrize(("kings", "items", "moves"), [("SK HK DK CK", 13, 88), ("HK DK CK", 14, 15)])
def test_the_board_combines_up_to_13_announcements(kings: str, items: int, moves: int) -> None:
    """All tarocks and some Kings are elsewhere. A may have 16 to 25 ladons, one of 10 declarations or none,
    and Queens, Cavaliers and Jacks: 11 × 2 × 2 × 2 = 88 moves with the pass. With the cavallery of spades
    there are 14 items, which are offered one by one."""
    hands = {"B": kings + " ?" * (25 - len(kings.split())), "C": " ".join([*cards("T0 T21-T1"), "? ? ?"])}
    found = board(said("grosstarock", 3, "C", "C discard S1 H2 H3\nC pass", **hands))
    assert found.announcements is not None
    assert found.choices is not None
    assert (len(found.announcements.items), len(found.choices.moves)) == (items, moves)


def test_a_seat_that_speaks_shows_the_sides() -> None:
    """A doubled the game. If C, the bidder, has no answer to that, A is the partner."""
    record = said("taroky", 4, "A", DOUBLED + "D announce re:game")
    at = replay.position(record, len(record.events))
    assert (at.partner, at.sides) == ("A", {"A": "bidder", "B": "opponents", "C": "bidder", "D": "opponents"})
    before = replay.position(record, len(record.events) - 1)
    assert (before.partner, before.sides) == (None, {"C": "bidder"})


def test_the_seat_that_discards_is_the_forced_tappist() -> None:
    """All seven passed, and nobody knows who holds the Bättler."""
    passes = "\n".join(f"{seat} pass" for seat in "ABCDEFG")
    record = said("troggu", 7, "G", passes + "\nE discard ? ? ? ? ? ?")
    assert check(record).facts["declarer"] == "E"
    offered = board(said("troggu", 7, "G", passes)).moves
    assert ("E", "discard", *"??????") in offered
    # Both may lie in the Tapp: then it is a misère.
    assert ("A", "play", "SK") in offered
    # A Tapp without the Bättler, or a hand with it: it is no misère, and the Pagat forces nobody.
    error = check(said("troggu", 7, "G", passes + "\nA play SK", talon="H1 H2 H3 H4 D1 D2")).error
    assert error is not None
    assert (error.event, error.clause) == (7, "common.unexpected")
    held = "T0 T2 T3 T4 T5 T6 T7 T8"
    error = check(said("troggu", 7, "G", passes + "\nE discard ? ? ? ? ? ?", C=held)).error
    assert error is not None
    assert (error.event, error.clause, error.values["turn"]) == (7, "common.turn", "C")


def test_the_board_offers_what_an_unknown_talon_may_bring() -> None:
    form = write_json(TAROKY) | {"events": [list(event) for event in TAROKY.events[:5]]}
    form["deal"].pop("talon")
    many = ask({"ask": "board", "record": form})["many"]
    assert (many["unknown"], {*many["cards"]} >= {*TAROKY.deal["A"], *TAROKY.deal["talon"]}) == (True, True)


def test_the_board_offers_the_declarations_of_an_unknown_hand() -> None:
    """The declarations of a hand of 25 if T21, HK and all Queens are known to be elsewhere."""
    record = said("grosstarock", 3, "C", "C discard S1 H2 H3", C="T21 HK SQ HQ DQ CQ" + " ?" * 19)
    record = said("grosstarock", 3, "C", "C discard S1 H2 H3\nC pass", C=" ".join(record.deal["C"]))
    found = board(record).announcements
    assert found is not None
    assert {"kings:3", "kings:5", "tarocks:21", "ladons:25", "half-cavallery:S", "jacks"} <= {*found.items}
    barred = {"kings:6", "tarocks:22", "matadors:3", "cavallery:S", "half-cavallery:H", "queens"}
    assert barred.isdisjoint(found.items)
    assert ("kings:4", "kings:3") in found.apart
    assert ("kings:3", "jacks") not in found.apart


@pytest.mark.parametrize(("elsewhere", "whole", "half"), [
    ("S1", True, True), ("DK", False, False), ("T0", True, False), ("DQ", False, True),
    ("DQ DJ", False, False),
])  # fmt: skip
def test_an_unknown_hand_may_have_the_cavallery_whose_cards_are_nowhere_else(
    elsewhere: str, whole: bool, half: bool
) -> None:
    found = may_declare(0, pack(78) & ~bits(elsewhere.split()), 25)
    assert ("cavallery:D" in found, "half-cavallery:D" in found) == (whole, half)
    five = may_declare(bits(["SK", "HK", "DK", "CK", "T0"]), pack(78), 25)
    assert [item for item in five if item.startswith("kings")] == ["kings:7", "kings:6", "kings:5"]


GAMES = pytest.mark.parametrize("game", ["strohmann", "taroky", "troggu", "grosstarock"])


@GAMES
def test_no_masked_illegal_deal_is_verified_or_illegal_too_early(game: str) -> None:
    """A card that is not its seat's may be another deal's in which it is: then it is not seen to be wrong, or
    something before it is."""
    rng = random.Random(f"{game} illegal")
    of_other_deals = {"common.not-held", "common.turn", f"{game}.discard"}
    illegal = 0
    for row in conformance.deals().values():
        form, expect = row["record"], row["expect"]
        if form["game"] == game and expect["verdict"] == "illegal":
            number = expect["index"]
            form = {key: value for key, value in form.items() if key not in ("comments", "score")}
            hidden = hide(form | {"events": form["events"][: rng.choice((number + 1, None))]}, rng)
            hidden["events"][number] = form["events"][number]
            found = check(read_value(hidden))
            illegal += found.verdict == "illegal"
            if not of_other_deals & {*expect["slugs"]}:
                assert found.verdict in ("illegal", "incomplete"), hidden
                assert found.verdict != "illegal" or found.error.event >= number, hidden
    assert illegal


@GAMES
def test_the_board_offers_what_a_masked_deal_did(game: str) -> None:
    """At a random step of each deal, with the cards that are known by then."""
    rng = random.Random(f"{game} board")
    for record in some_deals(game, DEALS, "board"):
        _, seen = masked(record, rng)
        events = len(seen.events)
        said = sum(event[1] != "play" for event in seen.events)
        step = rng.randrange(said + 1 if rng.random() < 0.6 else events) if events > 1 else 0
        step = min(step, events - 1)
        event = [*seen.events[step]]
        if "?" in event:
            continue
        form = write_json(seen)
        found = ask({"ask": "board", "record": form | {"events": form["events"][:step]}})
        # If another seat may be the forced Tappist, its discard is offered without its cards.
        forced = [*event[:2], *["?"] * len(event[2:])]
        assert offers(found, event) or offers(found, forced), (event, form, step, found)


#: Deals at random from one seed on; simulated ones come in as many sessions.
_BATCH = 20


def some_deals(game: str, number: int, seed: str) -> Iterator[Record]:
    """Deals of a game at tables of every size, half of them simulated, half played at random."""
    from tarock.analysis.simulate import simulate

    sizes = [players for other, players in TABLES if other == game]
    rng = random.Random(f"{game} {seed}")
    for batch in range(-(-number // _BATCH)):
        players, first = sizes[batch % len(sizes)], rng.randrange(10**9)
        options = ("settle-uncontested",) if game == "taroky" and batch % 4 == 0 else ()
        made = partial(simulate, game, players=players, seed=first, options=options)
        half = min(_BATCH, number - batch * _BATCH)
        yield from made(deals=half - half // 2)
        yield from (random_record(game, players, first + n) for n in range(half // 2))


def cut(form: Json, rng: random.Random) -> Json:
    """The first events of a record; every other time few of them, since most are plays."""
    said = sum(event[1] != "play" for event in form["events"])
    end = rng.randrange(1, (said + 3 if rng.random() < 0.5 else len(form["events"])) + 1)
    return form | {"events": form["events"][:end], "comments": {}}


def hide(form: Json, rng: random.Random) -> Json:
    """Return a record with some cards unknown: whole places, single cards, discards."""
    share, single = rng.choice((0, 0.2, 0.5, 0.8, 1)), rng.choice((0, 0.1, 0.3, 0.6))
    deal = {place: list(cards) for place, cards in form["deal"].items() if rng.random() >= share}
    if rng.random() < 0.3:
        deal.pop("talon", None)
    if rng.random() < 0.3:
        one = rng.choice(list(form["deal"]))
        deal = {place: list(cards) for place, cards in form["deal"].items() if place != one}
    deal = {
        place: ["?" if rng.random() < single else card for card in found] for place, found in deal.items()
    }
    events = [list(event) for event in form["events"]]
    unknown = rng.choice((0, 0, 0.5, 1))
    for event in events:
        if event[1] == "discard":
            event[2:] = ["?" if rng.random() < unknown else card for card in event[2:]]
    return form | {"deal": deal, "events": events}


def masked(record: Record, rng: random.Random) -> tuple[Record, Record]:
    """A record, half the time broken off, and the same with unknown cards. Its claim is left out."""
    form = write_json(record)
    form.pop("score", None)
    form = cut(form, rng) if rng.random() < 0.5 else form
    return read_value(form), read_value(hide(form, rng))
