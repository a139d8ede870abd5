"""The clauses of Czech Taroky, one by one. Dealer D, forehand A, unless said otherwise."""

from __future__ import annotations

import pytest

from tarock.notation import NotationError
from tarock.position import Announcement
from tarock.replay import position
from tests.engine.builder import Deal, assert_illegal, assert_legal, no_line, points
from tests.engine.worked import VARSAVA_TIE_OF_THREE, VARSAVA_TIE_OF_TWO

#: A talon of blanks: those who exchange put away what they drew, so that the hands stay as dealt.
BLANKS = "S7 S8 C7 C8 H4 D4"


def bid(first: str, rest: str = "pass pass pass") -> list[str]:
    """The four events of the bidding: A's bid, then what B, C and D say."""
    words = [w if w == "pass" else f"bid {w}" for w in rest.split()]
    return [f"A bid {first}", *(f"{seat} {word}" for seat, word in zip("BCD", words, strict=True))]


def duty(
    given: dict[str, str], call: str = "T19", without: dict[str, str] | None = None, **more: object
) -> Deal:
    """A's First Duty up to the announcements; the hands are as dealt."""
    deal = Deal("taroky", {"talon": BLANKS} | given, without=without, **more)  # type: ignore[arg-type]
    return deal.say(*bid("first"), f"A call {call}", "A discard S7 S8 C7 C8", "B discard H4", "C discard D4")


def second(given: dict[str, str], call: str = "T19", without: dict[str, str] | None = None) -> Deal:
    """B's Second Duty up to the announcements; B holds T1."""
    deal = Deal("taroky", {"talon": BLANKS} | given, without=without)
    deal.say(*bid("first", "second pass pass"), f"B call {call}")
    return deal.say("B discard S7 S8 C7 C8", "C discard H4", "D discard D4")


def solo(given: dict[str, str] | None = None, without: dict[str, str] | None = None) -> Deal:
    """A's Solo up to the announcements."""
    return Deal("taroky", given, without=without).say(*bid("solo"))


#: A Solo that A wins seven tricks of, with 54 in 28 cards: 35 points (see `test_taroky_game_tie`).
EVEN = {
    "A": "T0 T21-T16 S7 S8 C7 H4 D4",
    "B": "T10 T9 T8 SK SQ S10 S9 DK DQ DC D1 D2",
    "C": "T7 T6 T5 HK HQ C9 C8 CK CQ CC C10 D3",
    "D": "T4 T3 T2 SC HC H2 H3 SJ HJ DJ CJ H1",
    "talon": "T1 T15-T11",
}
EVEN_START = ["A: T0 T10 T7 T4", "A: T21 T9 T6 T3", "A: T20 T8 T5 T2"]
EVEN_PLAY = [
    *EVEN_START,
    "A: T19 SK HK SC",
    "A: T18 SQ HQ HC",
    "A: T17 S10 C9 H2",
    "A: T16 S9 C8 H3",
    "A: S7 D2 D3 SJ",
    "D: HJ H4 D1 C10",
    "D: H1 S8 DC CC",
    "D: CJ C7 DQ CQ",
    "C: CK DJ D4 DK",
]
#: The same, but B throws the King of diamonds and not S9: 58 − 19 = 39.
MORE_PLAY = [
    *EVEN_PLAY[:6],
    "A: T16 DK C8 H3",
    "A: S7 S9 D3 SJ",
    "D: HJ H4 D1 C10",
    "D: H1 S8 D2 CC",
    "D: CJ C7 DC CQ",
    "C: CK DJ D4 DQ",
]
#: The same, but C throws D3 and keeps the King of hearts: 50 − 19 = 31.
LESS_PLAY = [
    *EVEN_START,
    "A: T19 SK D3 SC",
    *EVEN_PLAY[4:7],
    "A: S7 D2 C10 SJ",
    "D: HJ H4 D1 HK",
    "C: CK CJ C7 DC",
    "C: CQ DJ D4 DQ",
    "C: CC H1 S8 DK",
]
#: A takes every trick with twelve tarocks; the talon holds six blanks, 6 − 4 = 2 for the others.
SWEEP = {"A": "T0 T21-T12 T1", "talon": "S7 S8 C7 C8 H4 D4"}


def alone(amount: int, seat: str = "A") -> dict[str, int]:
    """A wins `amount` from each of the three (pays it, if negative)."""
    return {s: 3 * amount if s == seat else -amount for s in "ABCD"}


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
    assert_illegal(deal.also("A bid third"), "common.item")
    assert_illegal(deal.also("A bid"), "common.count")
    four = deal.also(*bid("first", "second troika solo"))
    assert (four.position().declarer, four.position().contract) == ("D", "solo")
    assert_illegal(four.also("A bid solo"), "common.turn")
    assert_illegal(four.also("D bid solo"), "common.unexpected")


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
    assert (said.position().phase, said.position().turn, said.position().contract) == (
        "play",
        "A",
        "varsava",
    )
    assert_illegal(open_to.also("B varsava"), "common.turn")
    second_bid = deal.also(*bid("first", "second pass pass"))
    assert_illegal(
        second_bid.also("B varsava"), "taroky.varsava", includes=["call T19"], excludes=["varsava"]
    )
    assert_illegal(second_bid.also("A varsava"), "common.turn")
    assert_illegal(deal.also(*bid("troika"), "A varsava"), "common.unexpected")
    assert_illegal(open_to.also("A call T19", "A varsava"), "common.unexpected")
    assert_illegal(said.also("A announce valat"), "common.unexpected")


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
    deal = Deal("taroky", given).say(*bid("first"), "A call T19")
    assert deal.table().partner is None, "not before the exchange is over"
    assert duty({"C": "T19"}).position().partner == "C"
    # The called card in the talon: the one who draws it is partner; the bidder who draws it is alone.
    for talon, exchange, partner in (
        ("S7 S8 C7 C8 T19 D4", ["A discard S7 S8 C7 C8", "B discard H4", "C discard D4"], "B"),
        ("S7 S8 C7 C8 D4 T19", ["A discard S7 S8 C7 C8", "B discard D4", "C discard H4"], "C"),
        ("S7 S8 C7 C8 D4 T19", ["A discard S7 S8 C7 C8", "B refuse", "C discard D4", "D discard H3"], "D"),
        ("T19 S8 C7 C8 H4 D4", ["A discard S7 S8 C7 C8", "B discard H4", "C discard D4"], None),
    ):
        hands = {
            "A": "" if "S7" in talon else "S7",
            "B": "H4" if "H4" not in talon else "",
            "C": "",
            "D": "H3",
        }
        if "C discard H4" in exchange:
            hands |= {"B": "", "C": "H4"}
        deal = Deal("taroky", {"talon": talon} | hands).say(*bid("first"), "A call T19", *exchange)
        found = deal.position()
        assert found.partner == partner
        own = {"A", partner} if partner else {"A"}
        assert found.sides == {s: "bidder" if s in own else "opponents" for s in "ABCD"}
    # Put away, it counts as held: B has nothing but 5-point cards and tarocks.
    given = {"B": "T19 T15-T9 SK HK DK CK", "talon": "S7 S8 C7 C8 T8 D4"}
    deal = Deal("taroky", given).say(
        *bid("first"), "A call T19", "A discard S7 S8 C7 C8", "B discard T19", "C discard D4"
    )
    assert deal.position().partner == "B"
    assert deal.position("D").partner == "B", "tarocks put away lie open"
    for contract in ("troika", "solo"):
        assert Deal("taroky").say(*bid(contract)).position().partner is None


def test_taroky_exchange() -> None:
    deal = Deal("taroky", {"A": "SQ SC", "talon": "S7 SK C7 T5 H4 D4"}, without={"A": "T19"})
    deal.say(*bid("first"), "A call T19")
    found = deal.position()
    assert found.hands["A"].count == 16
    assert {"S7", "SK", "C7", "T5"} <= set(found.hands["A"].cards)
    assert found.talon.cards == ("H4", "D4")
    assert_illegal(deal.also("B discard H4"), "common.turn")
    assert_illegal(deal.also("A discard S7 C7 SK"), "common.count")
    assert_illegal(deal.also("A discard S7 C7 S7 C7"), "common.item")
    assert_illegal(deal.also("A discard S7 C7 H4 D4"), "common.not-held")
    done = deal.also("A discard S7 C7 SQ SC")
    assert done.position().turn == "B"
    assert_illegal(done.also("C discard D4"), "common.turn")
    assert_illegal(done.also("B discard D4"), "common.not-held")  # the second card is not his
    assert_illegal(done.also("B discard H4 D4"), "common.count")
    drawn = done.also("B discard H4")
    assert drawn.position().turn == "C"
    over = drawn.also("C discard D4")
    assert (over.position().phase, over.position().turn) == ("announcing", "A")
    assert over.position().talon.count == 0
    assert {s: d.count for s, d in over.position().discards.items()} == {"A": 4, "B": 1, "C": 1}
    assert_illegal(over.also("A discard SK"), "common.unexpected")


def test_taroky_refuse() -> None:
    deal = Deal("taroky", {"talon": BLANKS, "B": "H3"}).say(*bid("first"), "A call T19")
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
    late = deal.also("B discard H4", "C refuse", "D discard D4")
    assert late.position().phase == "announcing"
    assert_illegal(deal.also("B discard H4", "C refuse", "D refuse"), "taroky.refuse")


def test_taroky_surrender() -> None:
    given = {"A": "SQ", "B": "T20", "talon": "T19 S8 C7 C8 H4 D4"}
    deal = Deal("taroky", given, without={"A": "T19"}).say(*bid("first"), "A call T19")
    assert "surrender" in deal.position().legal
    found = deal.also("A surrender").verdict()
    assert found.verdict == "verified"
    assert points(found, "taroky.surrender") == {"A": -30, "B": 10, "C": 10, "D": 10}
    assert len(found.lines) == 1
    assert_illegal(deal.also("A surrender", "A: SQ"), "common.after-end", legal=[])
    # Not when somebody else holds it, nor when it lies in the last two cards, nor in Second Duty.
    held = Deal("taroky", {"B": "T19", "talon": BLANKS}).say(*bid("first"), "A call T19", "A surrender")
    assert_illegal(held, "taroky.surrender", excludes=["surrender"])
    deep = Deal("taroky", given | {"talon": "H4 S8 C7 C8 T19 D4"}).say(
        *bid("first"), "A call T19", "A surrender"
    )
    assert_illegal(deep, "taroky.surrender")
    own = Deal("taroky", {"A": "T19", "talon": BLANKS}).say(*bid("first"), "A call T19", "A surrender")
    assert_illegal(own, "taroky.surrender")
    pagat = Deal("taroky", given | {"B": "T20 T1"}).say(
        *bid("first", "second pass pass"), "B call T19", "B surrender"
    )
    assert_illegal(pagat, "taroky.surrender")
    later = deal.also("A discard S8 C7 C8 SQ", "B surrender")
    assert_illegal(later, "taroky.surrender")


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
    deal = Deal("taroky", given).say(*bid("first"), "A call T19")
    for bad in ("SK", "T0", "T21", "T1", "T5"):
        found = assert_illegal(
            deal.also(f"A discard {bad} SQ S10 HQ"), "taroky.discard", includes=["SQ", "S9", "C9"]
        )
        assert not set(found.error.legal or ()) & {"SK", "T0", "T21", "T1", "T5"}
    assert_legal(deal.also("A discard SQ S10 HQ C9"))
    # Two other cards only: both must go, and two tarocks lie open.
    given = {"A": "T18-T9 SK SQ", "talon": "T21 HK T8 C9 H4 D4"}
    deal = Deal("taroky", given, without={"A": "T19"}).say(*bid("first"), "A call T19")
    assert_illegal(deal.also("A discard SQ T18 T17 T16"), "taroky.discard")
    assert_illegal(deal.also("A discard SQ C9 T21 T16"), "taroky.discard", excludes=["T21", "SK", "HK"])
    over = deal.also("A discard SQ C9 T18 T8")
    assert_legal(over)
    for view in (None, "B"):
        assert over.position(view).discards["A"].shown == ("T18", "T8")
    assert over.position("B").discards["A"].cards is None


def test_taroky_announce_order() -> None:
    deal = solo(SWEEP)
    assert_illegal(deal.also("B pass"), "common.turn", seat="B")
    deal.say("A pass")
    assert_illegal(deal.also("A announce valat"), "common.turn")
    deal.passes("BCD")
    assert (deal.position().phase, deal.position().turn) == ("play", "A")
    assert_illegal(deal.also("A announce valat"), "common.unexpected")
    assert_illegal(solo(SWEEP).say("A announce"), "common.count")
    assert_illegal(solo(SWEEP).say("A announce trul trul"), "common.item")
    assert_illegal(solo(SWEEP).say("A announce uhu"), "common.item")
    # From the bidder, not from forehand: B bids Second Duty.
    assert second({"B": "T1", "C": "T19"}).position().turn == "B"
    # In a later turn only raises: C's `flek` opens `re` to A.
    late = solo(SWEEP).say("A pass", "B pass", "C announce flek:game", "D pass")
    assert late.position().turn == "A"
    assert_illegal(late.also("A announce valat"), "taroky.announce-order", legal=["pass", "announce re:game"])
    assert_illegal(late.also("A announce trul"), "taroky.announce-order")
    assert_illegal(late.also("A announce pagat re:game"), "taroky.announce-order")
    assert_legal(late.also("A announce re:game"))


def declared(item: str, hand: str, *, without: str = "T", others: str = "K") -> Deal:
    """A declares an item in a Solo with the cards named, and none of the suits or cards in `without`."""
    return solo({"A": hand}, without={"A": f"{without} {' '.join(s + others for s in 'SHDC')}"}).say(
        f"A announce {item}"
    )


def check_item(item: str, amount: int, good: list[str], bad: list[str]) -> None:
    """An item with true hands, of which each is paid, and false ones."""
    for hand in good:
        found = declared(item, hand).passes("BCD").play_out().verdict()
        assert points(found, f"taroky.hand-{item}") == alone(amount), hand
    for hand in bad:
        assert_illegal(declared(item, hand), f"taroky.hand-{item}", excludes=[f"announce {item}"])


def test_taroky_hand_taroky() -> None:
    check_item("taroky", 10, ["T18-T9", "T18-T8", "T18-T7", "T0 T21-T11"], ["T18-T10", ""])


def test_taroky_hand_tarocky() -> None:
    check_item("tarocky", 5, ["T18-T11", "T18-T10", "T0 T21-T15"], ["T18-T12", "T18-T9"])


def test_taroky_hand_barvy() -> None:
    check_item("barvy", 10, ["", "T1"], ["T2", "T1 T2", "T0"])


def test_taroky_hand_barvicky() -> None:
    check_item("barvicky", 5, ["T2", "T0", "T1 T2", "T5 T6"], ["", "T1", "T4 T5 T6"])


def test_taroky_hand_trul() -> None:
    check_item("trul", 5, ["T0 T21 T1", "T0 T21 T1 T5"], ["T0 T21", "T0 T1 T20", "T21 T1"])


def test_taroky_hand_honery() -> None:
    check_item("honery", 5, ["T0 T21 T1 SK", "SK HK DK CK", "T1 SK HK DK CK"], ["T0 T21 T1", "SK HK DK"])
    # They add up: A's side gets honery and trul, and it is A's side whoever loses the game.
    both = declared("trul honery", "T0 T21 T1 SK").passes("BCD").play_out().verdict()
    assert points(both, "taroky.hand-trul") == points(both, "taroky.hand-honery") == alone(5)


def test_taroky_hand_kralovske_honery() -> None:
    check_item("kralovske-honery", 10, ["SK HK DK CK"], ["SK HK DK T0", "SK HK DK"])
    together = declared("honery kralovske-honery", "SK HK DK CK")
    assert_illegal(
        together, "taroky.hand-kralovske-honery", includes=["announce honery", "announce kralovske-honery"]
    )
    # Two players, one each, is fine; an opponent's hand is paid to his side.
    deal = solo({"A": "T0 T21 T1 SK", "B": "HK DK CK"}).say("A announce honery").passes("BCD").play_out()
    assert points(deal.verdict(), "taroky.hand-honery") == alone(5)
    deal = solo({"B": "SK HK DK CK"}).say("A pass", "B announce kralovske-honery").passes("CD").play_out()
    assert points(deal.verdict(), "taroky.hand-kralovske-honery") == alone(-10)


def test_taroky_announce_pagat() -> None:
    deal = solo({"B": "T1"})
    assert_illegal(deal.also("A announce pagat"), "taroky.announce-pagat", excludes=["announce pagat"])
    assert_legal(deal.also("A pass", "B announce pagat"))
    # In Second Duty the bid is the announcement.
    bid_it = second({"B": "T1 T20", "C": "T19"})
    assert_illegal(bid_it.also("B announce pagat"), "taroky.announce-pagat")
    assert bid_it.position().announced == (Announcement(1, "B", "pagat"),)
    assert_legal(bid_it.also("B pass", "C pass", "D announce flek:pagat"))


def test_taroky_announce_valat() -> None:
    deal = solo(SWEEP).say("A announce valat")
    for seat, before in (("B", ""), ("C", "B"), ("D", "BC")):
        again = deal.also(*(f"{s} pass" for s in before), f"{seat} announce valat")
        assert_illegal(
            again, "taroky.announce-valat", includes=["announce flek:valat"], excludes=["announce valat"]
        )
    assert_legal(solo(SWEEP).say("A pass", "B announce valat"))


def test_taroky_side_shown() -> None:
    hands = {"A": "T21 SK HK DK", "B": "T20", "C": "T19", "D": "T1"}
    # Four of 5 points: A may declare honery.
    deal = duty(hands)
    assert deal.position().partner == "C"
    for view in "ABD":
        assert deal.position(view).partner is None
        assert "C" not in deal.position(view).sides
    assert deal.position("C").partner == "C"
    # A hand declaration shows nothing; a raise shows the side of the one who makes it.
    told = deal.also("A announce honery", "B announce flek:game")
    assert told.position("D").sides == {"A": "bidder", "B": "opponents", "D": "opponents"}
    assert told.position("A").sides == {"A": "bidder", "B": "opponents"}
    for word in ("flek:game", "valat"):
        shown = deal.also("A pass", "B pass", f"C announce {word}")
        assert {v: shown.position(v).partner for v in "ABD"} == {"A": "C", "B": "C", "D": "C"}
    pagat = deal.also("A pass", "B pass", "C pass", "D announce pagat")
    assert pagat.position("B").sides["D"] == "opponents"
    assert pagat.position("B").partner is None
    # The called card itself, when it is played.
    deal.passes("ABCD").play_out(["SK"])
    events = deal.form["events"]
    at = next(n for n, e in enumerate(events) if e[1:] == ["play", "T19"])
    assert position(deal.record(), at, "B").partner is None
    assert position(deal.record(), at + 1, "B").partner == "C"
    # Put away face up, it shows its holder at once.
    given = {"B": "T19 T15-T9 SK HK DK CK", "talon": "S7 S8 C7 C8 T8 D4"}
    put = Deal("taroky", given).say(
        *bid("first"), "A call T19", "A discard S7 S8 C7 C8", "B discard T19", "C discard D4"
    )
    done = put.passes("ABCD").play_out()
    for seat in "ACD":
        assert position(done.record(), 6, seat).partner is None
        assert position(done.record(), 7, seat).partner is None, "the sides are settled after the exchange"
        assert position(done.record(), 8, seat).partner == "B"
        assert position(done.record(), 8, seat).sides["B"] == "bidder"
    # The fact lists what was said and played; the discard lies there for all to see.
    assert [row for row in done.verdict().facts["sides_shown"] if row[1] == "B"] == []


def test_taroky_double() -> None:
    # C is A's partner; B holds the Pagat and announces it.
    deal = duty({"A": "T21", "B": "T1", "C": "T19"})
    assert "announce flek:game" in deal.position().legal, "open to anybody, the bidder too"
    assert_illegal(deal.also("A announce flek:pagat"), "taroky.double")
    assert_illegal(deal.also("A announce re:game"), "taroky.double")
    assert_illegal(deal.also("A announce flek:uhu"), "common.item")
    pagat = deal.also("A pass", "B announce pagat")
    partner = pagat.also("C announce flek:pagat")
    assert_legal(partner)
    assert_illegal(
        pagat.also("C pass", "D announce flek:pagat"), "taroky.double", excludes=["announce flek:pagat"]
    )
    assert_illegal(partner.also("D announce flek:pagat"), "taroky.double")  # said already; `re` is next
    assert_legal(partner.also("D announce re:pagat"))
    both = deal.also("A announce flek:game")
    assert_illegal(both.also("B pass", "C announce re:game"), "taroky.double")  # the side that said `flek`
    re = both.also("B announce re:game")
    assert_illegal(re.also("C pass", "D announce sub:game"), "taroky.double")
    sub = re.also("C announce sub:game")
    assert sub.position().doubles == {"game": 8}
    assert_illegal(sub.also("D announce sub:game"), "taroky.double")
    # `flek:game` by A's own partner is his side's: `re` is the opponents'.
    assert_legal(deal.also("A pass", "B pass", "C announce flek:game", "D announce re:game"))
    # The factors: 39 − 35 at Solo 6, then ×2, ×4, ×8.
    for raises, factor in (([], 1), (["B"], 2), (["B", "A"], 4), (["B", "A", "B"], 8)):
        doubled = Deal("taroky", EVEN).say(*bid("solo"), "A pass")
        doubled.say("B announce flek:game" if raises else "B pass").passes("CD")
        if raises:
            doubled.say("A announce re:game" if len(raises) > 1 else "A pass")
        if len(raises) > 1:
            doubled.say("B announce sub:game" if len(raises) > 2 else "B pass")
            doubled.passes("CD" if len(raises) == 2 else "")
        assert points(doubled.say(*MORE_PLAY).verdict(), "taroky.game") == alone(24 * factor)


def test_taroky_double_order() -> None:
    deal = duty({"A": "T21", "B": "T1", "C": "T19"})
    # Nothing raised: after the first round the play begins at once.
    assert deal.also().passes("ABCD").position().phase == "play"
    # D doubles last: `re` is open to A and C, in this order; B and D are skipped.
    last = deal.also("A pass", "B pass", "C pass", "D announce flek:game")
    assert last.position().turn == "A"
    assert last.position().legal == ("pass", "announce re:game")
    assert_illegal(last.also("B pass"), "common.turn")
    assert last.also("A pass").position().turn == "C"
    assert last.also("A pass", "C pass").position().phase == "play"
    # A's `re` opens `sub` to B and D; C, whose side has raised, is skipped.
    re = last.also("A announce re:game")
    assert re.position().turn == "B"
    assert re.also("B pass").position().turn == "D"
    assert re.also("B announce sub:game").position().phase == "play"
    # C passed while B's pagat could be doubled: gone. A had his turn before the pagat was announced: a new
    # chance.
    gone = deal.also("A pass", "B announce pagat", "C pass", "D announce flek:game")
    assert gone.position().turn == "A"
    assert sorted(gone.position().legal) == ["announce flek:pagat", "announce re:game", "pass"]
    later = gone.also("A pass")
    assert (later.position().turn, later.position().legal) == ("C", ("pass", "announce re:game"))
    assert_illegal(
        later.also("C announce flek:pagat"), "taroky.double-order", legal=["pass", "announce re:game"]
    )
    assert_illegal(later.also("C announce sub:game"), "taroky.double")
    # Two stakes: A's flek:pagat in the later turn opens re:pagat to B and D.
    more = gone.also("A announce flek:pagat re:game")
    assert (more.position().turn, sorted(more.position().legal)) == (
        "B",
        ["announce re:pagat", "announce sub:game", "pass"],
    )
    # B's re:pagat opens sub:pagat to A and C, whose side doubled; C comes after B.
    done = more.also("B announce re:pagat")
    assert (done.position().turn, sorted(done.position().legal)) == (
        "C",
        ["announce sub:pagat", "pass"],
    )
    assert_illegal(done.also("C announce sub:game"), "taroky.double")
    assert done.also("C pass").position().turn == "D", "sub:game is open to him, and new"
    assert done.also("C pass", "D pass").position().turn == "A"
    assert done.also("C pass", "D pass", "A pass").position().phase == "play"


def test_taroky_settle_uncontested() -> None:
    given = {"A": "SK HK DK CK", "B": "T19"}
    deal = duty(given, options=["settle-uncontested"])
    found = deal.also("A announce kralovske-honery").passes("BCD").verdict()
    assert found.verdict == "verified"
    assert points(found, "taroky.settle-uncontested") == {"A": 1, "B": 1, "C": -1, "D": -1}
    assert points(found, "taroky.hand-kralovske-honery") == {"A": 10, "B": 10, "C": -10, "D": -10}
    assert found.score == {"A": 11, "B": 11, "C": -11, "D": -11}
    over = deal.also().passes("ABCD").also(f"A: {deal.hand('A')[0]}")
    assert_illegal(over, "common.after-end", legal=[])
    # A double, a pagat or a valat, or no option: it is played.
    for words in ("flek:game", "valat"):
        assert (
            deal.also("A pass", f"B announce {words}", "C pass", "D pass").verdict().verdict == "incomplete"
        )
    assert duty(given).passes("ABCD").position().phase == "play"
    # Nor does it touch other contracts.
    other = Deal("taroky", {"B": "T1"}, options=["settle-uncontested"]).say(*bid("solo")).passes("ABCD")
    assert other.position().phase == "play"


def test_taroky_lead() -> None:
    deal = second({"B": "T1", "C": "T19", "A": "SK"}).passes("BCDA")
    assert deal.position().turn == "A", "forehand, not the bidder"
    assert_illegal(deal.also("B: T1"), "common.turn")
    assert_legal(deal.also("A: SK"))
    whole = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*EVEN_PLAY)
    assert whole.verdict().verdict == "verified"
    assert_illegal(whole.also("C: CK"), "common.after-end", legal=[])


def test_taroky_follow() -> None:
    deal = solo(
        {"A": "SQ HQ T5", "B": "SK S9 H1 T9 T3", "C": "T20 T19", "D": "S10"}, without={"C": "S", "B": "T H"}
    )
    deal.passes("ABCD")
    spades = [c for c in deal.hand("B") if c[0] == "S"]
    assert_illegal(deal.also("A: SQ H1"), "taroky.follow", seat="B", legal=spades)
    assert_illegal(deal.also("A: SQ T9"), "taroky.follow", legal=spades)
    assert_legal(deal.also("A: SQ S9"))  # no duty to beat
    plain = next(c for c in deal.hand("C") if c[0] != "T")
    tarocks = [c for c in deal.hand("C") if c[0] == "T"]
    assert_illegal(deal.also(f"A: SQ S9 {plain}"), "taroky.follow", seat="C", legal=tarocks)
    assert_illegal(deal.also("A: T5 S9"), "taroky.follow", legal=["T9", "T3"])
    assert_legal(deal.also("A: T5 T3"))


def test_taroky_hold_pagat() -> None:
    hands = {"A": "T1 T5 SK S9", "B": "SQ SJ", "C": "S10", "D": "SC T21"}
    deal = solo(hands, without={"A": "T"}).say("A announce pagat").passes("BCD")
    others = [c for c in deal.hand("A") if c != "T1"]
    assert_illegal(deal.also("A: T1"), "taroky.hold-pagat", legal=others)
    # Ruffing or following with T1 is forbidden as well while another tarock is there; once it is the only
    # one, it is forced.
    led = deal.also("A: S9 SJ S10 SC")
    assert led.position().turn == "D"
    asked = led.also("D: T21")
    assert_illegal(asked.also("A: T1"), "taroky.hold-pagat", legal=["T5"])
    again = asked.also("A: T5")
    assert_legal(again)
    # Not announced, T1 is free.
    assert_legal(solo(hands, without={"A": "T"}).passes("ABCD").also("A: T1"))
    # Bid as Second Duty, it is held just so.
    bound = second({"B": "T1 T6", "A": "T5", "C": "T19"}).passes("BCDA")
    found = assert_illegal(bound.also("A: T5 T1"), "taroky.hold-pagat", includes=["T6"], excludes=["T1"])
    assert found.error.seat == "B"


def test_taroky_hold_pagat_forced() -> None:
    deal = solo({"A": "T1 S9", "D": "SK T21"}, without={"A": "T", "B": "S", "C": "S"}).say("A announce pagat")
    deal.passes("BCD")
    lead = deal.also("A: S9")
    lead.play_out(["T20", "T19", "SK"])
    assert points(lead.verdict(), "taroky.pagat-announced") == alone(-20)
    # The line leads to where T1 fell: in the second trick.
    (line,) = [line for line in lead.verdict().lines if line.clause == "taroky.pagat-announced"]
    assert [lead.form["events"][n] for n in line.events] == [["A", "play", "T1"]]
    assert len(lead.form["events"]) - line.events[0] > 36


def test_taroky_settlement() -> None:
    # One against three: 24 from each of three (see test_taroky_game).
    lone = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*MORE_PLAY).verdict()
    assert lone.score == {"A": 72, "B": -24, "C": -24, "D": -24}
    # Two against two: one pays one. B is the partner with T19 and declares his 10.
    pair = duty({"B": "T19 SK HK DK CK"}).say("A pass", "B announce kralovske-honery").passes("CD").play_out()
    assert points(pair.verdict(), "taroky.hand-kralovske-honery") == {"A": 10, "B": 10, "C": -10, "D": -10}
    # A bidder who plays alone in a duty pays and gets three times.
    single = duty({"A": "T19 SK HK DK CK"}).say("A announce kralovske-honery").passes("BCD").play_out()
    assert points(single.verdict(), "taroky.hand-kralovske-honery") == alone(10)
    # The points of a side that wins come from the other side alone: always zero in sum.
    assert sum((single.verdict().score or {}).values()) == 0


def test_taroky_card_points() -> None:
    found = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*EVEN_PLAY).verdict()
    counts = {c.side: c for c in found.countings}
    # T0 T21 T20 with nine small tarocks: 5 + 5 + 1 + 9 = 20; T19 SK HK SC: 1 + 5 + 5 + 3 = 14;
    # T18 SQ HQ HC: 1 + 4 + 4 + 3 = 12; twice four blanks: 8. 54 in 28 cards: − 2 × 9 − 1 = 35.
    assert (counts["bidder"].cards, counts["bidder"].value, counts["bidder"].points) == (28, 54, 35)
    # The talon (T1 and five blanks: 10) is theirs: 26 cards, 106 − 54 = 52, − 2 × 8 − 1 = 35.
    assert (counts["opponents"].cards, counts["opponents"].value, counts["opponents"].points) == (26, 52, 35)


def test_taroky_game() -> None:
    won = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*MORE_PLAY).verdict()
    assert won.facts["card_points"] == {"bidder": 39, "opponents": 31}
    assert points(won, "taroky.game") == alone((39 - 35) * 6)
    lost = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*LESS_PLAY).verdict()
    assert lost.facts["card_points"] == {"bidder": 31, "opponents": 39}
    assert points(lost, "taroky.game") == alone(-(39 - 35) * 6)
    # The same cards in a Troika: each point over 35 is worth the level.
    for level in (1, 2, 3):
        deal = Deal("taroky", EVEN | {"talon": "T15-T11 T1"}).say(*bid("troika"), f"A level {level}")
        # He puts away S8, C7 and D4 and keeps the tarocks drawn.
        deal.say("A discard S8 C7 D4").passes("ABCD").play_out(
            ["T0", "T21", "T20", "T19", "T18", "T17", "T16"]
        )
        found = deal.verdict()
        count = found.facts["card_points"]
        assert sum(count.values()) == 70
        over = count["bidder"] - 35
        assert over != 0
        assert points(found, "taroky.game") == alone(over * level)


def test_taroky_game_tie() -> None:
    found = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*EVEN_PLAY).verdict()
    assert points(found, "taroky.game-tie") == alone(-1), "just 1, in a Solo too"
    assert no_line(found, "taroky.game")
    assert found.score == {"A": -3, "B": 1, "C": 1, "D": 1}
    doubled = Deal("taroky", EVEN).say(*bid("solo"), "A announce flek:game").passes("BCD").say(*EVEN_PLAY)
    assert points(doubled.verdict(), "taroky.game-tie") == alone(-2)


def last_trick(deal: Deal) -> list[list[str]]:
    return [[e[0], e[2]] for e in deal.form["events"][-4:]]


def test_taroky_pagat_ultimo() -> None:
    deal = solo(SWEEP).passes("ABCD").play_out(["T0"], low=False)
    assert last_trick(deal)[0] == ["A", "T1"]
    assert points(deal.verdict(), "taroky.pagat-ultimo") == alone(10)
    early = solo(SWEEP).passes("ABCD").play_out(["T0", "T21", "T1"], low=False)
    assert no_line(early.verdict(), "taroky.pagat-ultimo")


def test_taroky_pagat_announced() -> None:
    deal = solo(SWEEP).say("A announce pagat").passes("BCD").play_out(["T0"], low=False)
    assert points(deal.verdict(), "taroky.pagat-announced") == alone(20)
    assert no_line(deal.verdict(), "taroky.pagat-ultimo"), "it replaces the unannounced score"
    doubled = (
        solo(SWEEP).say("A announce pagat", "B announce flek:pagat").passes("CD").say("A announce re:pagat")
    )
    doubled.passes("BCD").play_out(["T0"], low=False)
    assert points(doubled.verdict(), "taroky.pagat-announced") == alone(80)
    # The doubles of one stake do not touch another.
    assert points(doubled.verdict(), "taroky.game") == alone((68 - 35) * 6)


def test_taroky_valat() -> None:
    deal = solo(SWEEP).passes("ABCD").play_out(["T0"], low=False)
    assert points(deal.verdict(), "taroky.valat") == alone(70)
    # 68 − 35 = 33, × 6 = 198; 10 for the pagat; 70: 278 from each.
    assert deal.verdict().score == alone(198 + 10 + 70)
    # The other side, too: A has nothing but blanks.
    weak = solo({"A": "S7 S8 S9 C7 C8 C9 H4 H3 H2 D4 D3 D2"}).passes("ABCD").play_out(low=False)
    assert weak.verdict().facts["tricks"]["A"] == 0
    assert points(weak.verdict(), "taroky.valat") == alone(-70)


def test_taroky_valat_announced() -> None:
    made = solo(SWEEP).say("A announce valat").passes("BCD").play_out(["T0"], low=False)
    assert points(made.verdict(), "taroky.valat-announced") == alone(140)
    assert no_line(made.verdict(), "taroky.valat"), "a valat is paid once"
    assert made.verdict().score == alone(198 + 10 + 140)
    failed = Deal("taroky", EVEN).say(*bid("solo"), "A announce valat", "B announce flek:valat").passes("CD")
    failed.say("A pass").say(*EVEN_PLAY)
    assert points(failed.verdict(), "taroky.valat-announced") == alone(-280)
    (line,) = [line for line in failed.verdict().lines if line.clause == "taroky.valat-announced"]
    assert [failed.form["events"][n] for n in line.events] == [["A", "announce", "valat"]]


def varsava(given: dict[str, str], without: dict[str, str] | None = None) -> Deal:
    return Deal("taroky", given, without=without).say(*bid("first"), "A varsava")


def test_taroky_varsava_play() -> None:
    hands = {"A": "S9 T1 T2", "B": "S8 SJ SK", "C": "T5 T7", "D": "T6 T9 S10", "talon": "T0 T21 T20 SQ SC S7"}
    deal = varsava(hands, {"A": "S", "B": "S", "C": "S T", "D": "S T"})
    assert_illegal(deal.also("A: T1"), "taroky.varsava-play", includes=["T2", "S9"], excludes=["T1"])
    assert_illegal(deal.also("A: S9 S8"), "taroky.varsava-play", seat="B", legal=["SJ", "SK"])
    # C must play a tarock, and each of his beats; D follows, and his S10 cannot beat T5: it is free.
    assert deal.also("A: S9 SJ").position().legal == ("T7", "T5")
    assert_legal(deal.also("A: S9 SJ T5 S10"))


def test_taroky_varsava_play_beats_with_a_tarock() -> None:
    hands = {"A": "T8 S7", "B": "T3 T9 T4 SK", "C": "T5 T1 S9", "D": "T10 T2 SQ"}
    bar = {"B": "T", "C": "T", "D": "T", "A": "T"}
    talon = "T0 T21 T20 T19 T18 T17"
    rest = "T16 T15 T14 T13 T12 T11 T7 T6"
    hands["A"] += " " + rest
    deal = varsava(hands | {"talon": talon}, bar)
    assert_illegal(deal.also("A: T8 T3"), "taroky.varsava-play", legal=["T9"])
    # C cannot beat T9: any tarock but the Pagat, which is not his last.
    after = deal.also("A: T8 T9")
    assert_illegal(after.also("C: T1"), "taroky.varsava-play", legal=["T5"])
    assert_illegal(after.also("C: T5", "D: T2"), "taroky.varsava-play", legal=["T10"])
    then = after.also("C: T5", "D: T10")
    assert_legal(then)
    # The Pagat as the last tarock: led, or played when a tarock is asked for.
    again = then.also("D: SQ", "A: S7", "B: SK", "C: S9")
    assert_legal(again)
    assert again.position().turn == "B"
    forced = again.also("B: T3")
    assert forced.position().legal == ("T1",)
    assert_legal(forced.also("C: T1"))


def test_taroky_varsava_pay() -> None:
    # A has twelve cards that win every trick: 48 cards, talon of blanks: 106 − 6 = 100, − 32 = 68.
    deal = varsava({"A": "T0 T21-T11", "talon": BLANKS}).play_out(["T0"], low=False)
    found = deal.verdict()
    assert found.facts["card_points"] == {"A": 68, "B": 0, "C": 0, "D": 0}
    # 40 or more: 40 to each, and twice that to a player without a trick.
    assert points(found, "taroky.varsava-pay") == {"A": -240, "B": 80, "C": 80, "D": 80}
    assert len(found.lines) == 1


def test_taroky_varsava_tie() -> None:
    for deal in (VARSAVA_TIE_OF_TWO, VARSAVA_TIE_OF_THREE):
        found = deal.check()
        assert points(found, "taroky.varsava-tie") == {s: p for s, p in deal.score.items() if p}
        assert no_line(found, "taroky.varsava-pay")
