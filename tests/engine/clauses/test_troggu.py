"""The clauses of Troggu, one by one. Forehand is A: the dealer is the last seat."""

from __future__ import annotations

import pytest

from tarock.analysis.position import Hand
from tarock.analysis.replay import position
from tarock.notation import NotationError
from tests.engine.builder import Deal, assert_illegal, assert_legal, no_line, points
from tests.engine.worked import WORKED

SIZES = {3: (8, 18), 4: (10, 13), 5: (7, 11), 6: (8, 9), 7: (6, 8), 8: (6, 7)}
#: Ten blanks for the Tapp of four players.
BLANKS = "S10-S5 C10-C7"
#: Six blanks for that of seven and eight.
SIX = "S10-S5"


def four(given: dict[str, str], without: dict[str, str] | None = None) -> Deal:
    """Four players; A says solo, so that the hands are as dealt."""
    return Deal("troggu", given, without=without).say("A solo")


def seven(given: dict[str, str], *, players: int = 7, without: dict[str, str] | None = None) -> Deal:
    """Seven players (or eight); A takes, picks up six blanks and puts them away again."""
    deal = Deal("troggu", {"talon": SIX} | given, players=players, without=without)
    return deal.say("A take").passes("BCDEFGH"[: players - 1]).say("A discard S10 S9 S8 S7 S6 S5")


@pytest.mark.parametrize("players", SIZES)
def test_troggu_deal(players: int) -> None:
    tapp, hand = SIZES[players]
    deal = Deal("troggu", players=players)
    assert {where: len(cards) for where, cards in deal.record().deal.items()} == {
        **dict.fromkeys("ABCDEFGH"[:players], hand),
        "talon": tapp,
    }
    deal.form["deal"]["A"][0] = deal.form["deal"]["A"][1]
    with pytest.raises(NotationError) as fault:
        deal.record()
    assert fault.value.finding.clause == "troggu.deal"


def test_troggu_bid() -> None:
    deal = Deal("troggu")
    assert_illegal(deal.also("B take"), "common.turn", legal=["take", "solo", "pass"])
    taken = deal.also("A take")
    assert_illegal(taken.also("B take"), "troggu.bid", legal=["solo", "pass"])
    assert taken.also("B pass", "C pass", "D pass").position().declarer == "A"
    later = deal.also("A pass", "B take", "C pass")
    assert later.position().phase == "bidding", "each speaks once"
    assert later.also("D pass").position().declarer == "B"
    # A solo ends the bidding at once.
    over = taken.also("B solo")
    assert (over.position().declarer, over.position().phase, over.position().turn) == ("B", "play", "B")
    assert_illegal(over.also("B pass"), "common.unexpected")
    assert_illegal(deal.also("A take all"), "common.count")


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_troggu_all_pass(players: int) -> None:
    deal = Deal("troggu", players=players).passes("ABCDEF"[:players])
    found = deal.position()
    assert (found.phase, found.contract, found.declarer, found.turn) == ("play", "misere", None, "A")
    tapp = deal.play_out().verdict()
    assert [line.clause for line in tapp.lines] == ["troggu.misere"]
    assert found.talon.count == SIZES[players][0], "the Tapp is nobody's"


@pytest.mark.parametrize("players", [7, 8])
def test_troggu_forced_tappist(players: int) -> None:
    seats = "ABCDEFGH"[:players]
    fool = Deal("troggu", {"C": "T0", "B": "T1"}, players=players).passes(seats)
    found = fool.position()
    assert (found.declarer, found.phase, found.turn) == ("C", "exchange", "C")
    assert found.hands["C"].count == SIZES[players][1] + 6
    pagat = Deal("troggu", {"talon": "T0", "B": "T1"}, players=players).passes(seats)
    assert pagat.position().declarer == "B"
    both = Deal("troggu", {"talon": "T0 T1"}, players=players).passes(seats)
    assert (both.position().declarer, both.position().contract, both.position().turn) == (None, "misere", "A")


def test_troggu_exchange() -> None:
    deal = Deal("troggu", {"A": "H1 H2 T5", "talon": BLANKS}).say("A take").passes("BCD")
    found = deal.position()
    assert (found.hands["A"].count, found.talon.count) == (23, 0)
    assert_illegal(deal.also("A: H1"), "common.unexpected")
    nine = "S10 S9 S8 S7 S6 S5 C10 C9 C8"
    assert_illegal(deal.also(f"A discard {nine}"), "common.count")
    assert_illegal(deal.also(f"A discard {nine} C7 H1"), "common.count")
    assert_illegal(deal.also(f"A discard {nine} C10"), "common.item")
    over = deal.also(f"A discard {nine} C7")
    assert (over.position().phase, over.position().turn) == ("play", "A")
    assert over.position("B").discards["A"] == Hand(10, None, ())
    done = over.play_out().verdict()
    mine = next(c for c in done.countings if c.side == "tappist")
    assert {"what": "discards", "seat": "A", "cards": f"{nine} C7".split()} in mine.parts
    # In a solo nobody sees the Tapp, and it counts for the Tappist.
    alone = four({"talon": BLANKS})
    assert_illegal(alone.also(f"A discard {nine} C7"), "common.unexpected")
    assert alone.position().talon.count == 10
    mine = next(c for c in alone.play_out().verdict().countings if c.side == "tappist")
    assert {"what": "talon", "seat": "A", "cards": f"{nine} C7".split()} in mine.parts


def test_troggu_discard() -> None:
    deal = Deal("troggu", {"A": "T0 T21 SK HK DK T20", "talon": "S10-S5 C10 C9 T1 SQ"}, without={"A": "CK"})
    deal.say("A take").passes("BCD")
    for bad in ("T0", "T21", "T1", "SK", "SK HK DK"):
        put = [*bad.split(), "S10", "S9", "S8", "S7", "S6", "S5", "C10", "C9", "SQ", "T20"][:10]
        found = deal.also(f"A discard {' '.join(put)}")
        assert_illegal(found, "troggu.discard", excludes=["T0", "T21", "T1", "SK"])
    assert_legal(deal.also("A discard S10 S9 S8 S7 S6 S5 C10 C9 SQ T20"))  # tarocks too
    kings = Deal("troggu", {"A": "SK HK DK CK T21", "talon": BLANKS}).say("A take").passes("BCD")
    assert_legal(kings.also("A discard SK HK DK CK S10 S9 S8 S7 S6 S5"))
    assert_legal(kings.also("A discard S10 S9 S8 S7 S6 S5 C10 C9 C8 C7"))
    three = "SK HK DK S10 S9 S8 S7 S6 S5 C10"
    assert_illegal(kings.also(f"A discard {three}"), "troggu.discard", includes=["SK", "CK", "S10"])
    assert_illegal(kings.also("A discard SK HK DK CK T21 S9 S8 S7 S6 S5"), "troggu.discard", excludes=["T21"])


def test_troggu_call() -> None:
    deal = seven({"A": "T20", "C": "SK", "B": "T0 T21"})
    assert (deal.position().phase, deal.position().turn) == ("calling", "A")
    legal = deal.position().legal
    assert len(legal) == 1 + 60, "alone, and any card but T0 and T21"
    for card in ("T0", "T21"):
        assert_illegal(deal.also(f"A call {card}"), "troggu.call", legal=legal)
    assert_illegal(deal.also("A: T20"), "common.unexpected")
    assert_illegal(deal.also("A call"), "common.count")
    called = deal.also("A call SK")
    assert called.position().partner == "C"
    assert called.position("C").partner == "C"
    own = {"A": "tappist", "C": "tappist"}
    assert called.position("C").sides == dict.fromkeys("BDEFG", "opponents") | own
    assert called.position("B").sides == {"A": "tappist", "B": "opponents"}
    assert called.position("A").sides == {"A": "tappist"}
    for view in "ABD":
        assert called.position(view).partner is None
    played = called.also().play_out(["SK"])
    at = next(n for n, e in enumerate(played.form["events"]) if e[1:] == ["play", "SK"])
    record = played.record()
    assert position(record, at, "B").partner is None
    assert position(record, at + 1, "B").partner == "C"
    # His own card, or one that he put away, leaves him alone; in a solo, one in the Tapp.
    for card in ("T20", "S10"):
        assert deal.also(f"A call {card}").position().partner is None
    assert deal.also("A alone").position().partner is None
    bare = Deal("troggu", {"talon": SIX, "B": "SK"}, players=8).say("A solo")
    assert bare.position().phase == "calling", "in a solo, too"
    assert bare.also("A call S10").position().partner is None
    called = bare.also("A call SK")
    assert (called.position().partner, called.position("A").sides) == ("B", {"A": "tappist"})
    # No call with fewer players.
    for words in ("alone", "call SK"):
        assert_illegal(four({}).say(f"A {words}"), "common.unexpected")


def test_troggu_lead() -> None:
    deal = Deal("troggu", {"B": "H1", "A": "H2", "talon": BLANKS}).say("A pass", "B take").passes("CD")
    deal.say("B discard S10 S9 S8 S7 S6 S5 C10 C9 C8 C7")
    assert deal.position().turn == "B", "the Tappist, not forehand"
    assert Deal("troggu", dealer="B").passes("CDAB").position().turn == "C"


def test_troggu_follow() -> None:
    hands = {"A": "HQ DQ T9", "B": "H1 T5 T0", "C": "T7 T6", "D": "T21"}
    deal = four(hands, {"B": "D T", "C": "H T", "A": "D"})
    hearts = [c for c in deal.hand("B") if c[0] == "H"]
    assert_illegal(deal.also("A: HQ T5"), "troggu.follow", seat="B", legal=hearts)
    plain = next(c for c in deal.hand("C") if c[0] != "T")
    assert_illegal(deal.also(f"A: HQ H1 {plain}"), "troggu.follow", seat="C", legal=["T7", "T6"])
    assert_illegal(deal.also("A: T9 H1"), "troggu.follow", legal=["T0", "T5"])
    assert_legal(deal.also("A: T9 T5"))
    # With a second tarock the Bättler cannot be withheld; T0 wins as the highest tarock.
    assert_illegal(deal.also("A: DQ H1"), "troggu.follow", legal=["T0", "T5"])
    assert_legal(deal.also("A: DQ T0"))


def withheld(lead: str = "A: DQ", **more: str) -> Deal:
    """B has the Bättler as his only tarock and no diamonds; A leads diamonds, and B plays another card:
    dead."""
    hands = {"A": "DQ T21 T20 HQ", "B": "T0 H1 H2 H3 SK S6 CK", "C": "D1 H4", "D": "D2 H5"} | more
    return four(hands, {"B": "D T"}).say(lead)


def test_troggu_bettler_withheld() -> None:
    deal = withheld()
    assert sorted(deal.position().legal) == sorted(deal.hand("B")), "T0 or any other card"
    assert_legal(deal.also("B: T0"))
    dead = deal.also("B: SK", "C: D1", "D: D2")
    assert dead.table().dead == "B"  # type: ignore[attr-defined]
    assert dead.position().turn == "A"
    # Dead: treated as if he had no tarock.
    assert_illegal(dead.also("A: T21 T0"), "troggu.bettler-withheld", excludes=["T0"], includes=["H1", "S6"])
    assert_legal(dead.also("A: T21 H1"))
    hearts = [c for c in dead.hand("B") if c[0] == "H"]
    assert_illegal(dead.also("A: HQ CK"), "troggu.follow", legal=hearts)
    # Playing T0 the first time, or leading another card with T0 as the only tarock, kills nothing.
    free = deal.also("B: T0", "C: D1", "D: D2")
    assert free.table().dead is None  # type: ignore[attr-defined]
    assert free.position().turn == "B", "T0 is the highest tarock"
    tarock = withheld("A: T21")
    assert tarock.also("B: H1").table().dead == "B"  # type: ignore[attr-defined]
    heart = withheld("A: HQ")
    assert heart.also("B: H1").table().dead is None, "he followed suit"  # type: ignore[attr-defined]


def test_troggu_bettler_withheld_may_not_be_led() -> None:
    hands = {"A": "DQ S5", "B": "T0 H1 SK S6", "C": "D1 S7", "D": "D2 S8"}
    deal = four(hands, {"B": "D T", "C": "T", "D": "T"}).say("A: DQ H1 D1 D2", "A: S5 SK S7 S8")
    assert deal.position().turn == "B"
    assert_illegal(deal.also("B: T0"), "troggu.bettler-withheld", includes=["S6"], excludes=["T0"])
    assert_legal(deal.also("B: S6"))
    # Alive it may be led at any time.
    alive = four(hands, {"B": "D T", "C": "T", "D": "T"}).say("A: S5 SK S7 S8")
    assert_legal(alive.also("B: T0"))


def test_troggu_bettler_last() -> None:
    for deal in (WORKED["TROGGU_DEAD_BETTLER"], WORKED["TROGGU_DEAD_NO_TRICK"]):
        found = deal.check()
        assert found.verdict == "verified"
        assert found.facts["dead_bettler"] == deal.dead_bettler
        assert found.facts["card_points"] == deal.card_points


def test_troggu_card_points() -> None:
    # A: 4 tricks with SK-SJ (14) … every card of A's counts singly, with the ten blanks of the Tapp.
    deal = four({"A": "T0 T21-T10", "talon": BLANKS}).play_out(["T0"], low=False)
    counts = {c.side: c for c in deal.verdict().countings}
    assert (counts["tappist"].points, counts["opponents"].points) == (114, 0)
    assert (counts["tappist"].cards, counts["tappist"].scheme) == (62, "singly")


def test_troggu_game() -> None:
    # Everything to A: the others took no trick, 3 from each. (take, so no doubling)
    deal = Deal("troggu", {"A": "T0 T21-T10", "talon": BLANKS}).say("A take").passes("BCD")
    deal.say("A discard S10 S9 S8 S7 S6 S5 C10 C9 C8 C7").play_out(["T0"], low=False)
    assert points(deal.verdict(), "troggu.game") == {"A": 9, "B": -3, "C": -3, "D": -3}
    # A takes no trick: he pays 3, whatever he has put away.
    weak = {"A": "S10-S5 C10-C5 H6", "talon": "SQ HQ DQ CQ SC HC DC CC SJ HJ"}
    deal = Deal("troggu", weak).say("A take").passes("BCD").say("A discard SQ HQ DQ CQ SC HC DC CC SJ HJ")
    deal.play_out(low=False)
    found = deal.verdict()
    assert found.facts["tricks"]["A"] == 0
    assert found.facts["card_points"] == {"tappist": 32, "opponents": 82}, "4 × 4 + 4 × 3 + 2 × 2 put away"
    assert points(found, "troggu.game") == {"A": -9, "B": 3, "C": 3, "D": 3}


def test_troggu_solo() -> None:
    deal = four({"A": "T0 T21-T10", "talon": BLANKS}).play_out(["T0"], low=False)
    assert points(deal.verdict(), "troggu.solo") == {"A": 18, "B": -6, "C": -6, "D": -6}
    assert no_line(deal.verdict(), "troggu.game")
    weak = four({"A": "S10-S5 C10-C5 H6", "talon": "SQ HQ DQ CQ SC HC DC CC SJ HJ"}).play_out(low=False)
    assert points(weak.verdict(), "troggu.solo") == {"A": -18, "B": 6, "C": 6, "D": 6}


def test_troggu_partner_split() -> None:
    # Seven: A has T0 and T21…T15, C has T14: every trick is A's. 3 from each of the five opponents, 15 in
    # all: the partner gets two payments, the Tappist three.
    deal = seven({"A": "T0 T21-T15", "C": "T14"}).say("A call T14").play_out(["T0"], low=False)
    found = deal.verdict()
    assert found.facts["tricks"]["A"] == 8
    assert points(found, "troggu.partner-split") == {"A": 9, "C": 6} | dict.fromkeys("BDEFG", -3)
    assert no_line(found, "troggu.game")
    # Eight, lost without a trick: six opponents get 3 each, the partner pays two of them, the Tappist four.
    deal = seven({"A": "C10-C5 H6", "C": "H5 D6 D5 D4 D3 H4 H3"}, players=8).say("A call H5")
    deal.play_out(low=False)
    found = deal.verdict()
    assert found.facts["tricks"]["A"] + found.facts["tricks"]["C"] == 0
    assert points(found, "troggu.partner-split") == {"A": -12, "C": -6} | dict.fromkeys("BDEFGH", 3)
    # In a solo the line is still the split, doubled.
    solo = Deal("troggu", {"A": "T0 T21-T15", "C": "T14", "talon": SIX}, players=7)
    found = solo.say("A solo", "A call T14").play_out(["T0"], low=False).verdict()
    assert points(found, "troggu.partner-split") == {"A": 18, "C": 12} | dict.fromkeys("BDEFG", -6)
    assert no_line(found, "troggu.solo")


def test_troggu_misere() -> None:
    deal = Deal("troggu", {"A": "T0 T21-T10", "talon": BLANKS}).passes("ABCD").play_out(["T0"], low=False)
    found = deal.verdict()
    assert found.facts["card_points"] == {"A": 104, "B": 0, "C": 0, "D": 0}, "the Tapp is nobody's"
    assert points(found, "troggu.misere") == {"A": -3, "B": 1, "C": 1, "D": 1}
    tied = WORKED["TROGGU_MISERE_TIE"].check()
    assert points(tied, "troggu.misere") == WORKED["TROGGU_MISERE_TIE"].score
