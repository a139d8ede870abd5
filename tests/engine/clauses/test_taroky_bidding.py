"""The clauses of Czech Taroky up to the discard. Dealer D, forehand A, unless said otherwise."""

from __future__ import annotations

import pytest

from tarock.games.taroky.exchange import taken_from_talon
from tarock.notation import NotationError
from tests.engine.builder import Deal, assert_illegal, assert_legal, points
from tests.engine.clauses.taroky import BLANKS, SWEEP, bid, called, duty, solo


def test_taroky_deal() -> None:
    deal = Deal("taroky", {"talon": "H4 T3 SK D1 T0 C9"})
    assert deal.record().deal["talon"] == ("H4", "T3", "SK", "D1", "T0", "C9"), "top card first"
    assert [len(cards) for cards in deal.record().deal.values()] == [12, 12, 12, 12, 6]
    deal.form["deal"]["talon"].pop()
    with pytest.raises(NotationError) as fault:
        deal.record()
    assert (fault.value.finding.clause, fault.value.finding.pointer) == ("taroky.deal", "/deal/talon")


def test_taroky_bid() -> None:
    deal = Deal("taroky", {"B": "T1"})
    assert_illegal(deal.also("B bid first"), "common.turn", legal=["bid first", "bid troika", "bid solo"])
    first = deal.also("A bid first")
    assert_illegal(
        first.also("B bid first"), "taroky.bid", legal=["bid second", "bid troika", "bid solo", "pass"]
    )
    troika = deal.also("A bid troika")
    assert_illegal(troika.also("B bid second"), "taroky.bid", legal=["bid solo", "pass"])
    assert_illegal(troika.also("B bid troika"), "taroky.bid")
    low = Deal("taroky", {"B": "T2"}, without={"B": "T1"}).say("A bid troika", "B bid second")
    assert_illegal(low, "taroky.bid")  # too low comes before the missing Pagat
    assert_illegal(deal.also("A bid solo", "B bid solo"), "taroky.bid", legal=["pass"])
    four = deal.also(*bid("first", "second troika solo"))
    assert (four.position().declarer, four.position().contract) == ("D", "solo")


def test_taroky_forehand_must_bid() -> None:
    for dealer, forehand in (("D", "A"), ("B", "C")):
        deal = Deal("taroky", {forehand: "T1"}, dealer=dealer)
        legal = ["bid first", "bid troika", "bid solo"]
        assert_illegal(deal.also(f"{forehand} pass"), "taroky.forehand-must-bid", legal=legal)
        assert_illegal(deal.also(f"{forehand} bid second"), "taroky.forehand-must-bid", legal=legal)
        assert_legal(deal.also(f"{forehand} bid first"))


def test_taroky_bid_second() -> None:
    deal = Deal("taroky", {"C": "T1"}).say("A bid first")
    assert_illegal(deal.also("B bid second"), "taroky.bid-second", legal=["bid troika", "bid solo", "pass"])
    assert_legal(deal.also("B pass", "C bid second"))


def test_taroky_varsava() -> None:
    deal = Deal("taroky", {"B": "T1"}, without={"A": "T19"})
    open_to = deal.also(*bid("first"))
    assert sorted(open_to.position().legal) == ["call T19", "varsava"]
    said = open_to.also("A varsava")
    assert (said.position().phase, said.position().turn, said.position().contract) == ("play", "A", "varsava")
    second_bid = deal.also(*bid("first", "second pass pass"))
    assert_illegal(
        second_bid.also("B varsava"), "taroky.varsava", includes=["call T19"], excludes=["varsava"]
    )
    assert_illegal(deal.also(*bid("troika"), "A varsava"), "common.unexpected")
    assert_illegal(open_to.also("A call T19", "A varsava"), "common.unexpected")


@pytest.mark.parametrize(
    ("held", "callable_cards"),
    [
        ("T16 T17 T18", "T19"),  # without T19 he must name it, whatever else he holds
        ("T19", "T19 T18"),
        ("T19 T17", "T19 T18"),
        ("T19 T18", "T19 T17"),
        ("T19 T18 T16", "T19 T17"),
        ("T19 T18 T17", "T19 T16"),
        ("T19 T18 T17 T16", "T19"),
    ],
)
def test_taroky_call(held: str, callable_cards: str) -> None:
    deal = Deal("taroky", {"A": held}, without={"A": "T"}).say(*bid("first"))
    legal = [f"call {c}" for c in callable_cards.split()]
    for card in ("T20", "T19", "T18", "T17", "T16", "T15", "T0", "SK"):
        if card in callable_cards.split():
            assert_legal(deal.also(f"A call {card}"))
        else:
            assert_illegal(deal.also(f"A call {card}"), "taroky.call", legal=[*legal, "varsava"])
    assert_illegal(deal.also("A call"), "common.count")
    assert_illegal(deal.also("A call T19 T18"), "common.count")


def test_taroky_partner() -> None:
    given = {"A": "T21", "B": "T20", "C": "T19", "talon": BLANKS}
    assert called(given).table().partner is None, "not before the exchange is over"
    assert duty({"C": "T19"}).position().partner == "C"
    # The called card in the talon: the one who draws it is partner; the bidder who draws it is alone.
    for given, exchange, partner in (
        ({"talon": "S7 S8 C7 C8 T19 D4", "B": "H4"}, ["B discard H4", "C discard D4"], "B"),
        ({"talon": "S7 S8 C7 C8 D4 T19", "C": "H4"}, ["B discard D4", "C discard H4"], "C"),
        ({"talon": "S7 S8 C7 C8 D4 T19", "D": "H3"}, ["B refuse", "C discard D4", "D discard H3"], "D"),
        ({"talon": "T19 S8 C7 C8 H4 D4", "A": "S7"}, ["B discard H4", "C discard D4"], None),
    ):
        found = called(given, "A discard S7 S8 C7 C8", *exchange).position()
        assert found.partner == partner
        own = {"A", partner} if partner else {"A"}
        assert found.sides == {s: "bidder" if s in own else "opponents" for s in "ABCD"}
    # Put away, it counts as held: B has nothing but 5-point cards and tarocks.
    given = {"B": "T19 T15-T9 SK HK DK CK", "talon": "S7 S8 C7 C8 T8 D4"}
    deal = called(given, "A discard S7 S8 C7 C8", "B discard T19", "C discard D4")
    assert deal.position().partner == "B"
    assert deal.position("D").partner == "B", "tarocks put away lie open"
    for contract in ("troika", "solo"):
        assert Deal("taroky").say(*bid(contract)).position().partner is None


def test_taroky_exchange() -> None:
    deal = called({"A": "SQ SC", "talon": "S7 SK C7 T5 H4 D4"}, without={"A": "T19"})
    found = deal.position()
    assert found.hands["A"].count == 16
    assert {"S7", "SK", "C7", "T5"} <= set(found.hands["A"].cards)
    assert found.talon.cards == ("H4", "D4")
    assert_illegal(deal.also("A discard S7 C7 SK"), "common.count")
    assert_illegal(deal.also("A discard S7 C7 S7 C7"), "common.item")
    assert_illegal(deal.also("A discard S7 C7 H4 D4"), "common.not-held")
    done = deal.also("A discard S7 C7 SQ SC")
    assert done.position().turn == "B"
    assert_illegal(done.also("B discard D4"), "common.not-held")  # the second card is not his
    assert_illegal(done.also("B discard H4 D4"), "common.count")
    drawn = done.also("B discard H4")
    assert drawn.position().turn == "C"
    over = drawn.also("C discard D4")
    assert (over.position().phase, over.position().turn) == ("announcing", "A")
    assert over.position().talon.count == 0
    assert {s: d.count for s, d in over.position().discards.items()} == {"A": 4, "B": 1, "C": 1}


@pytest.mark.parametrize(
    ("events", "taken"),
    [
        ("A discard S7 S8 C7 C8; B discard T4; C discard T5", {"A": [0, 1, 2, 3], "B": [4], "C": [5]}),
        ("A discard S7 S8 C7 C8; C discard T4", {"A": [0, 1, 2, 3], "C": [4]}),
        ("A level 1; A discard S7 S8 C7", {"A": [0, 1, 2]}),
        ("A level 2; A discard S7 S8 C7", {"A": [3, 4, 5]}),
        ("A level 3; A discard S7 S8 C7", {"A": [0, 1, 2]}),
        ("A level 1; A discard S7 S8 C7; B discard T4", {"A": [0, 1, 2]}),
        ("A discard S7 S8 C7 C8; A discard T4", {"A": [0, 1, 2, 3]}),
        (
            "A discard S7 S8 C7 C8; B discard T4; C discard T5; D discard T6",
            {"A": [0, 1, 2, 3], "B": [4], "C": [5]},
        ),
        ("A level 1; A discard S7 S8 C7 C8", {}),
        ("A discard S7 S8 C7", {}),
    ],
)
def test_taroky_exchange_of_unknown_talon_cards(events: str, taken: dict[str, list[int]]) -> None:
    found = taken_from_talon([tuple(event.split()) for event in events.split("; ")], 6)
    assert {seat: list(places) for seat, places in found.items()} == taken


def test_taroky_refuse() -> None:
    deal = called({"talon": BLANKS, "B": "H3"})
    assert_illegal(deal.also("A refuse"), "taroky.refuse")
    deal.say("A discard S7 S8 C7 C8")
    assert "refuse" in deal.position().legal
    one = deal.also("B refuse")
    assert one.position().turn == "C"
    assert_illegal(one.also("C refuse"), "taroky.refuse", excludes=["refuse"])
    # The card that B refused is C's, and the last one goes to the player before the bidder.
    two = one.also("C discard H4")
    assert two.position().turn == "D"
    assert_illegal(two.also("D refuse"), "taroky.refuse", excludes=["refuse"])
    over = two.also("D discard D4")
    assert over.position().phase == "announcing"
    # C, too, may be the one who refuses.
    late = deal.also("B discard H4", "C refuse")
    assert late.also("D discard D4").position().phase == "announcing"
    assert_illegal(late.also("D refuse"), "taroky.refuse")


def test_taroky_surrender() -> None:
    given = {"A": "SQ", "B": "T20", "talon": "T19 S8 C7 C8 H4 D4"}
    deal = called(given, without={"A": "T19"})
    assert "surrender" in deal.position().legal
    found = deal.also("A surrender").verdict()
    assert found.verdict == "verified"
    assert points(found, "taroky.surrender") == {"A": -30, "B": 10, "C": 10, "D": 10}
    assert len(found.lines) == 1
    assert_illegal(deal.also("A surrender", "A: SQ"), "common.after-end", legal=[])
    # Not when somebody else holds it, nor when it lies in the last two cards, nor in Second Duty.
    for other in (
        {"B": "T19", "talon": BLANKS},
        {"A": "T19", "talon": BLANKS},
        given | {"talon": "H4 S8 C7 C8 T19 D4"},
    ):
        assert_illegal(called(other, "A surrender"), "taroky.surrender", excludes=["surrender"])
    pagat = Deal("taroky", given | {"B": "T20 T1"}).say(*bid("first", "second pass pass"), "B call T19")
    assert_illegal(pagat.say("B surrender"), "taroky.surrender")
    assert_illegal(deal.also("A discard S8 C7 C8 SQ", "B surrender"), "taroky.surrender")


def test_taroky_troika_level() -> None:
    given = {"A": "SQ SC SJ", "talon": "T2 T3 T4 T5 T6 T7"}
    deal = Deal("taroky", given, without={"A": "T"}).say(*bid("troika"))
    assert deal.position().legal == ("level 1", "level 2", "level 3")
    for level, drawn, left in (
        ("1", "T2 T3 T4", "T5 T6 T7"),
        ("2", "T5 T6 T7", "T2 T3 T4"),
        ("3", "T2 T3 T4", "T5 T6 T7"),
    ):
        took = deal.also(f"A level {level}")
        found = took.position()
        assert {c for c in found.hands["A"].cards if c[0] == "T"} == set(drawn.split())
        assert set(found.talon.cards) == set(left.split())
        assert_illegal(took.also("A discard SQ SC SJ S10"), "common.count")
        over = took.also("A discard SQ SC SJ")
        assert (over.position().phase, over.position().turn) == ("announcing", "A"), "nobody else exchanges"
        counts = {c.side: c for c in over.also().play_out().verdict().countings}
        talon = [p["cards"] for p in counts["opponents"].parts if p["what"] == "talon"]
        assert [sorted(cards) for cards in talon] == [sorted(left.split())]
    assert_illegal(deal.also("A level 4"), "taroky.troika-level")
    assert_illegal(deal.also("A level"), "common.count")
    assert_illegal(deal.also("A discard SQ SC SJ"), "common.unexpected")
    assert_illegal(deal.also("A level 1", "A refuse"), "taroky.refuse")


def test_taroky_solo_talon() -> None:
    deal = solo(SWEEP)
    assert (deal.position().phase, deal.position().turn) == ("announcing", "A")
    assert deal.position().talon.count == 6
    assert_illegal(deal.also("A discard T12"), "common.unexpected")
    found = deal.passes("ABCD").play_out(["T0"], low=False).verdict()
    assert found.facts["card_points"] == {"bidder": 68, "opponents": 2}, "six blanks: 6 − 2 × 2"


def test_taroky_discard() -> None:
    given = {"A": "SK T0 T5 SQ S10 HQ", "talon": "T21 T1 S9 C9 H4 D4"}
    deal = called(given)
    for bad in ("SK", "T0", "T21", "T1", "T5"):
        put = deal.also(f"A discard {bad} SQ S10 HQ")
        never = ["SK", "T0", "T21", "T1", "T5"]
        assert_illegal(put, "taroky.discard", includes=["SQ", "S9", "C9"], excludes=never)
    assert_legal(deal.also("A discard SQ S10 HQ C9"))
    # Two other cards only: both must go, and two tarocks lie open.
    given = {"A": "T18-T9 SK SQ", "talon": "T21 HK T8 C9 H4 D4"}
    deal = called(given, without={"A": "T19"})
    assert_illegal(deal.also("A discard SQ T18 T17 T16"), "taroky.discard")
    assert_illegal(deal.also("A discard SQ C9 T21 T16"), "taroky.discard", excludes=["T21", "SK", "HK"])
    over = deal.also("A discard SQ C9 T18 T8")
    assert_legal(over)
    for view in (None, "B"):
        assert over.position(view).discards["A"].shown == ("T18", "T8")
    assert over.position("B").discards["A"].cards is None
