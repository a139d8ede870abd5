"""The clauses of Czech Taroky on announcements. Dealer D, forehand A, unless said otherwise."""

from __future__ import annotations

from tarock.analysis.board import board
from tarock.analysis.position import Announcement
from tarock.analysis.replay import position
from tests.engine.builder import Deal, assert_illegal, assert_legal, points
from tests.engine.clauses.taroky import (
    BLANKS,
    EVEN,
    MORE_PLAY,
    SWEEP,
    alone,
    bid,
    called,
    declared,
    duty,
    second,
    solo,
    varsava,
)


def test_taroky_announce_order() -> None:
    deal = solo(SWEEP)
    assert_illegal(deal.also("B pass"), "common.turn", seat="B")
    deal.say("A pass")
    deal.passes("BCD")
    assert (deal.position().phase, deal.position().turn) == ("play", "A")
    assert_illegal(solo(SWEEP).say("A announce"), "common.count")
    # From the bidder, not from forehand: B bids Second Duty.
    assert second({"B": "T1", "C": "T19"}).position().turn == "B"
    # In a later turn only raises: C's `flek` opens `re` to A.
    late = solo(SWEEP).say("A pass", "B pass", "C announce flek:game", "D pass")
    assert late.position().turn == "A"
    assert_illegal(late.also("A announce valat"), "taroky.announce-order", legal=["pass", "announce re:game"])
    assert_illegal(late.also("A announce pagat re:game"), "taroky.announce-order")
    assert_legal(late.also("A announce re:game"))


def check_item(item: str, amount: int, good: list[str], bad: list[str]) -> None:
    """Check an item with true hands, which are paid, and false ones."""
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
    # They add up: A's side gets honery and trul even if it loses the game.
    both = declared("trul honery", "T0 T21 T1 SK").passes("BCD").play_out().verdict()
    assert points(both, "taroky.hand-trul") == points(both, "taroky.hand-honery") == alone(5)


def test_taroky_hand_kralovske_honery() -> None:
    check_item("kralovske-honery", 10, ["SK HK DK CK"], ["SK HK DK T0", "SK HK DK"])
    together = declared("honery kralovske-honery", "SK HK DK CK")
    both = ["announce honery", "announce kralovske-honery"]
    assert_illegal(together, "taroky.hand-kralovske-honery", includes=both)
    # The board offers both, but not together.
    offered = board(solo({"A": "SK HK DK CK"}).record()).announcements
    assert offered is not None
    assert offered.apart == (("honery", "kralovske-honery"),)
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
        found = assert_illegal(again, "taroky.announce-valat", excludes=["announce valat"])
        assert "announce flek:valat" in (found.error.legal or ())
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
    put = called(given, "A discard S7 S8 C7 C8", "B discard T19", "C discard D4")
    done = put.passes("ABCD").play_out()
    for seat in "ACD":
        assert position(done.record(), 6, seat).partner is None
        assert position(done.record(), 7, seat).partner is None, "the sides are settled after the exchange"
        assert position(done.record(), 8, seat).partner == "B"
        assert position(done.record(), 8, seat).sides["B"] == "bidder"
    # The fact lists announcements and plays; the discard is public.
    assert [row for row in done.verdict().facts["sides_shown"] if row[1] == "B"] == []


def test_taroky_double() -> None:
    # C is A's partner; B holds the Pagat and announces it.
    deal = duty({"A": "T21", "B": "T1", "C": "T19"})
    assert "announce flek:game" in deal.position().legal, "open to anybody, the bidder too"
    assert_illegal(deal.also("A announce flek:pagat"), "taroky.double")
    assert_illegal(deal.also("A announce flek:uhu"), "common.item")
    pagat = deal.also("A pass", "B announce pagat")
    partner = pagat.also("C announce flek:pagat")
    own = pagat.also("C pass", "D announce flek:pagat")
    assert_illegal(own, "taroky.double", excludes=["announce flek:pagat"])
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
    for said, factor in (
        ("BCD pass", 1),
        ("B announce flek:game, CD pass, A pass", 2),
        ("B announce flek:game, CD pass, A announce re:game, BCD pass", 4),
        ("B announce flek:game, CD pass, A announce re:game, B announce sub:game", 8),
    ):
        deal = Deal("taroky", EVEN).say(*bid("solo"), "A pass", *said.split(", "), *MORE_PLAY)
        assert points(deal.verdict(), "taroky.game") == alone(24 * factor)
        assert deal.verdict().doubled == ({"game": ("B", "C", "D")} if factor > 1 else {})


def test_taroky_double_order() -> None:
    deal = duty({"A": "T21", "B": "T1", "C": "T19"})
    # Nothing raised: after the first round the play begins at once.
    assert deal.also().passes("ABCD").position().phase == "play"
    # D doubles last: `re` is open to A and C, in this order; B and D are skipped.
    last = deal.also("A pass", "B pass", "C pass", "D announce flek:game")
    assert last.position().turn == "A"
    assert last.position().legal == ("pass", "announce re:game")
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
    assert_illegal(later.also("C announce flek:pagat"), "taroky.double-order")
    assert_illegal(later.also("C announce sub:game"), "taroky.double")
    # Two stakes: A's flek:pagat in the later turn opens re:pagat to B and D.
    more = gone.also("A announce flek:pagat re:game")
    assert more.position().turn == "B"
    assert sorted(more.position().legal) == ["announce re:pagat", "announce sub:game", "pass"]
    # B's re:pagat opens sub:pagat to A and C, whose side doubled; C comes after B.
    done = more.also("B announce re:pagat")
    assert (done.position().turn, sorted(done.position().legal)) == ("C", ["announce sub:pagat", "pass"])
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
        contested = deal.also("A pass", f"B announce {words}", "CD pass")
        assert contested.verdict().verdict == "incomplete"
    assert duty(given).passes("ABCD").position().phase == "play"
    # Nor does it touch other contracts.
    other = Deal("taroky", {"B": "T1"}, options=["settle-uncontested"]).say(*bid("solo")).passes("ABCD")
    assert other.position().phase == "play"


def with_options(deal: Deal, *words: str) -> Deal:
    deal.form["options"] = list(words)
    return deal


def test_taroky_hand_trulhonery() -> None:
    """The trull with a King, worth a big hand; not next to trul, honery and kralovske-honery."""
    deal = with_options(declared("trulhonery", "T0 T21 T1 SK"), "trulhonery", "hand-big=12")
    found = deal.passes("BCD").play_out().verdict()
    assert points(found, "taroky.hand-trulhonery") == alone(12)
    assert_illegal(declared("trulhonery", "T0 T21 T1 SK"), "common.item")
    for other in ("trul", "honery", "kralovske-honery"):
        both = declared(f"{other} trulhonery", "T0 T21 T1 SK HK DK CK")
        assert_illegal(with_options(both, "trulhonery"), "taroky.hand-trulhonery")
    for less in ("T0 T21 SK", "T0 T21 T1"):
        assert_illegal(with_options(declared("trulhonery", less), "trulhonery"), "taroky.hand-trulhonery")


def test_taroky_declare_all() -> None:
    """Tarocky and trul are 10 in all, and both must be declared; without the option neither."""
    hand = "T0 T21 T1 T9-T5"
    deal = solo({"A": hand}, without={"A": "T SK HK DK CK"})
    for said in ("pass", "announce tarocky"):
        assert_legal(deal.also(f"A {said}"))
        assert_illegal(with_options(deal.also(f"A {said}"), "declare-all"), "taroky.declare-all")
    assert_legal(with_options(deal.also("A announce tarocky trul"), "declare-all"))


def test_taroky_cap() -> None:
    """A Solo with all tricks: 33 x 6 = 198, the Pagat 10, all tricks 70: 278 from each of three. With a limit
    of 100, 178 come off; a limit of 278 takes nothing off."""
    deal = solo(SWEEP).passes("ABCD").play_out(["T0"], low=False)
    found = with_options(deal, "cap=100").verdict()
    assert points(found, "taroky.cap") == alone(-178)
    assert found.score == alone(100)
    found = with_options(deal, "cap=278").verdict()
    assert found.score == alone(278)
    assert "taroky.cap" not in {line.clause for line in found.lines}


def test_taroky_refuse_by_the_rules_of_the_table() -> None:
    deal = called({"talon": BLANKS}, "A discard S7 S8 C7 C8", "B refuse")
    assert_legal(deal)
    assert_illegal(with_options(deal, "refuse=no"), "taroky.refuse", excludes=["refuse"])


def test_taroky_double_by_the_rules_of_the_table() -> None:
    """After four doubles nothing is open, and after none there is none at all. The fourth answers the
    third."""
    deal = solo(SWEEP).say("A pass", "B announce flek:game", "CD pass", "A announce re:game")
    deal.say("B announce sub:game")
    assert_legal(with_options(deal.also("A announce resub:game"), "doubles=4"))
    assert_illegal(deal.also("A announce resub:game"), "common.unexpected")
    early = solo(SWEEP).say("A pass", "B announce flek:game", "C announce resub:game")
    found = assert_illegal(with_options(early, "doubles=4"), "taroky.double")
    assert found.error.values["needed"] == "sub:game"
    assert_illegal(with_options(solo(SWEEP).say("A announce flek:game"), "doubles=0"), "taroky.double")
    valat = solo(SWEEP).say("A announce valat", "B announce flek:valat")
    assert_legal(valat)
    found = assert_illegal(with_options(valat, "valat-doubles=no"), "taroky.double")
    assert found.error.reason == "not-here"
    early = with_options(solo(SWEEP).say("A announce re:game"), "valat-doubles=no")
    assert assert_illegal(early, "taroky.double").error.reason == "too-early"


def test_taroky_hand_barvy_by_the_rules_of_the_table() -> None:
    """With `barvy-pagat=no` the Pagat alone is barvicky, which still has one or two tarocks."""
    for hand in ("", "T1 T5 T6"):
        assert_illegal(with_options(declared("barvicky", hand), "barvy-pagat=no"), "taroky.hand-barvicky")
    assert_legal(with_options(declared("barvicky", "T1 T5"), "barvy-pagat=no"))
    assert_legal(declared("barvy", "T1"))
    assert_illegal(with_options(declared("barvy", "T1"), "barvy-pagat=no"), "taroky.hand-barvy")
    assert_illegal(declared("barvicky", "T1"), "taroky.hand-barvicky")
    assert_legal(with_options(declared("barvicky", "T1"), "barvy-pagat=no"))


def test_taroky_surrender_by_the_rules_of_the_table() -> None:
    deal = called({"talon": "T19 S8 C7 C8 H4 D4"}, "A surrender")
    assert deal.verdict().score == alone(-10)
    assert_illegal(with_options(deal, "surrender=0"), "taroky.surrender", excludes=["surrender"])


def test_taroky_varsava_by_the_rules_of_the_table() -> None:
    deal = varsava({})
    assert_legal(deal)
    assert_illegal(with_options(deal, "varsava=no"), "taroky.varsava", excludes=["varsava"])


def test_taroky_varsava_play_by_the_rules_of_the_table() -> None:
    """B holds a tarock above A's and one below: only without the duty to overtake may B stay below."""
    deal = varsava({"A": "T9", "B": "T10 T8"}).say("A: T9 T8")
    assert_illegal(deal, "taroky.varsava-play")
    assert_legal(with_options(deal, "varsava-overtake=no"))


def test_taroky_forehand_must_bid_by_the_rules_of_the_table() -> None:
    deal = Deal("taroky", {"A": "T1"}).say("A bid second")
    assert_illegal(deal, "taroky.forehand-must-bid")
    assert_legal(with_options(deal, "second-forehand"))
    without = Deal("taroky", {"B": "T1"}, options=["second-forehand"]).say("A bid second")
    assert_illegal(without, "taroky.bid-second")
