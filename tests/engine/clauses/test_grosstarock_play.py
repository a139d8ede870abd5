"""The clauses of Grosstarock on announcements, play and payment. Three players, dealer C, forehand A."""

from __future__ import annotations

import pytest

from tarock.core.cards import CARDS, names
from tests.engine.builder import Deal, assert_illegal, assert_legal, cards, no_line, points
from tests.engine.clauses.grosstarock import STRONG, TALON, after, each, gross, kings
from tests.engine.worked import WORKED


def announced(deal: Deal, words: str, before: int) -> Deal:
    """A deal played out, with an announcement before the lead to a trick; as it is, if that is 0."""
    if not before:
        return deal
    said = after(deal, before - 1).say(words)
    said.form["events"] += deal.form["events"][len(said.form["events"]) - 1 :]
    return said


def test_grosstarock_announce_bole() -> None:
    deal = gross(STRONG)
    assert_legal(deal.also("A announce bole"))
    assert_legal(deal.also("C announce bole", "B announce bole", "A announce bole"))  # several, in any order
    both = deal.also("A announce bole", "A announce null")  # in events of their own
    assert_illegal(both.also("A announce bole"), "grosstarock.announce-bole")
    assert_illegal(both.also("A announce null"), "grosstarock.announce-null")
    assert_illegal(deal.also("A announce bole bole"), "common.item")
    whole = deal.also().play_out(["T21"], low=False)
    for number in (1, 12, 13, 19):
        assert_legal(after(whole, number).say("A announce bole"))
    for number in (20, 24):
        late = after(whole, number).say("A announce bole")
        assert_illegal(late, "grosstarock.announce-bole", excludes=["announce bole"])
    # B sits out.
    four = Deal("grosstarock", TALON, players=4, dealer="D").say("D discard S1 C1 H10").passes("DAC")
    assert_legal(four.also("C announce bole"))
    assert_illegal(four.also("B announce bole"), "common.turn")
    # Only one who has won every trick so far.
    assert_illegal(after(whole, 1).say("B announce bole"), "grosstarock.announce-bole", seat="B")
    assert_legal(after(whole, 0).say("B announce bole"))


def test_grosstarock_announce_null() -> None:
    deal = gross(STRONG)
    assert_legal(deal.also("B announce null", "C announce null"))
    whole = deal.also().play_out(["T21"], low=False)
    for number in (1, 12):
        assert_legal(after(whole, number).say("C announce null"))
    for number in (13, 20):
        assert_illegal(after(whole, number).say("C announce null"), "grosstarock.announce-null")
    assert_illegal(after(whole, 1).say("A announce null"), "grosstarock.announce-null")  # A has won a trick
    assert_legal(deal.also("B announce null", "B announce bole"))
    assert_illegal(deal.also("B announce kings:3"), "common.item")


def test_grosstarock_lead() -> None:
    deal = gross({"A": "SK", "C": "HK"})
    assert deal.position().turn == "A"
    whole = deal.play_out()
    assert len([e for e in whole.form["events"] if e[1] == "play"]) == 75
    assert whole.verdict().verdict == "verified"


def test_grosstarock_follow() -> None:
    deal = gross({"A": "HQ DQ T9", "B": "H1 T5 T0", "C": "T7 T6"}, {"B": "D T", "C": "H T"})
    hearts = [c for c in deal.hand("B") if c[0] == "H"]
    assert_illegal(deal.also("A: HQ T5"), "grosstarock.follow", seat="B", legal=["T0", *hearts])
    assert_legal(deal.also("A: HQ T0"))  # at any time
    assert_illegal(deal.also("A: DQ H1"), "grosstarock.follow", legal=["T0", "T5"])
    plain = next(c for c in deal.hand("C") if c[0] != "T")
    assert_illegal(deal.also(f"A: HQ H1 {plain}"), "grosstarock.follow", seat="C", legal=["T7", "T6"])
    assert_illegal(deal.also("A: T9 H1"), "grosstarock.follow", legal=["T0", "T5"])
    # T0 is no tarock: with T0 alone, any card may be thrown.
    bare = gross({"A": "DQ", "B": "T0"}, {"B": "D T"})
    assert len(bare.also("A: DQ").position().legal) == 25


def test_grosstarock_skus_lead() -> None:
    hands = {"A": "T0 T9 SK-S2", "B": "H1 T5", "C": "D1 T7"}
    deal = gross(hands, {"B": "S D", "C": "S H"})
    tarocks = {seat: sorted((c for c in deal.hand(seat) if c[0] == "T"), key=CARDS.index) for seat in "BC"}
    named = ["T0(S)", "T0(H)", "T0(D)", "T0(C)", "T0(T)"]
    assert_illegal(deal.also("A: T0"), "grosstarock.skus-lead", includes=named, excludes=["T0"])
    assert_illegal(deal.also("A: T9(T)"), "common.item")
    assert_illegal(deal.also("A: T0(X)"), "common.item")
    # Named and held by one at least: it counts as led. B has no diamonds and must play a tarock.
    named = deal.also("A: T0(D)")
    assert named.position().legal == tuple(tarocks["B"])
    assert_illegal(named.also("B: H1"), "grosstarock.follow")
    diamonds = [c for c in deal.hand("C") if c[0] == "D"]
    assert_illegal(named.also("B: T5", "C: T7"), "grosstarock.follow", legal=diamonds)
    won = named.also("B: T5", "C: D1")
    assert won.position().turn == "B"
    # Neither holds spades: the name is void, B plays any card and leads with it.
    void = deal.also("A: T0(S)")
    assert len(void.position().legal) == 25
    led = void.also("B: H1")
    assert_illegal(led.also("C: D1"), "grosstarock.follow", legal=tarocks["C"])
    assert led.also("C: T7").position().turn == "C"
    tarock = deal.also("A: T0(T)")
    assert tarock.position().legal == tuple(tarocks["B"])
    # T0 with a name when it is not led.
    other = gross({"A": "SQ", "B": "T0"}).say("A: SQ T0(S)")
    assert_illegal(other, "grosstarock.skus-lead", includes=["T0"])
    assert_illegal(gross({"A": "SQ", "C": "T0"}).say("A: SQ T0(S)"), "common.not-held", seat="B")
    # T0 never wins: C's D1 takes a trick of diamonds named by T0, B throwing hearts for want of tarocks.
    poor = gross({"A": "T0", "B": "H1", "C": "D1 D9"}, {"B": "D T"}).say("A: T0(D)", "B: H1", "C: D9")
    assert poor.position().turn == "C"


def taken(deal: Deal, seat: str) -> set[str]:
    """The cards of the tricks a seat has taken so far."""
    return set(names(deal.table().taken[seat]))


def test_grosstarock_skus_keeps() -> None:
    # A has SK S9 S7 and leads T0: it stays with him, and of S9 and S7, worth 0 both, S7 comes last and is
    # C's.
    mine = gross({"A": "SK T0", "B": "S9 H8", "C": "S7 H1"}, {"B": "S T", "C": "S"})
    mine.say("A: SK S9 S7", "A: T0(H) H8 H1")
    assert taken(mine, "A") == {"SK", "S9", "T0"}
    assert taken(mine, "C") == {"S7", "H1", "H8"}
    # Never out of the dealer's discards: C has won nothing and owes, although he put three blanks away.
    dealer = gross({"A": "SK", "C": "T0", "B": "S9"}).say("A: SK S9 T0")
    assert taken(dealer, "A") == {"SK", "S9", "T0"}
    # The lowest card by value: a Cavalier if there is nothing lower.
    court = gross({"A": "SK T0", "B": "SQ H8", "C": "SC H1"}).say("A: SK SQ SC", "A: T0(H) H8 H1")
    assert taken(court, "A") == {"SK", "SQ", "T0"}
    assert taken(court, "C") == {"SC", "H1", "H8"}


def test_grosstarock_skus_owed() -> None:
    # B plays T0 in the second trick without having won one: A holds it until B pays. B wins the third trick
    # with HK over H9 and H8. H9 is the last of them in order: it goes to A, and T0 comes back.
    hands = {"A": "SK SQ H9", "B": "S9 T0 HK", "C": "S7 S6 H8"}
    deal = gross(hands, {"B": "S"}).say("A: SK S9 S7", "A: SQ T0 S6")
    assert taken(deal, "A") == {"SK", "S9", "S7", "SQ", "T0", "S6"}
    paid = deal.also("A: H9 HK H8")
    assert taken(paid, "B") == {"HK", "H8", "T0"}
    assert taken(paid, "A") == {"SK", "S9", "S7", "SQ", "S6", "H9"}


def test_grosstarock_skus_lost() -> None:
    for deal in (WORKED["GROSS_SKUS_LATE"], WORKED["GROSS_SKUS_NO_TRICK"]):
        assert deal.check().facts["card_points"] == deal.card_points


def one_trick(hands: dict[str, str], lead: str, without: dict[str, str] | None = None) -> Deal:
    """The trick named comes first, then anything."""
    return gross(hands, without).say(lead).play_out()


def test_grosstarock_pagat() -> None:
    won = one_trick({"A": "HQ", "B": "T1", "C": "H1"}, "A: HQ T1 H1", {"B": "H", "C": "T"}).verdict()
    assert points(won, "grosstarock.pagat") == each("B", 5)
    lost = one_trick({"A": "T2", "B": "T1"}, "A: T2 T1", {"B": "T0"})
    assert points(lost.verdict(), "grosstarock.pagat") == each("B", -5)
    # Put away by the dealer, nobody plays it.
    away = Deal("grosstarock", {"C": "T1", "talon": "S1 C1 H10"}, without={"C": "T"})
    found = away.say("C discard T1 S1 C1").passes("CAB").play_out().verdict()
    assert no_line(found, "grosstarock.pagat")
    assert no_line(found, "grosstarock.pagat-ultimo")


def test_grosstarock_pagat_ultimo() -> None:
    won = gross(STRONG).play_out(["SK", "HK", "DK", "CK", "T21"], low=False)
    assert won.form["events"][-3][2] == "T1"
    assert points(won.verdict(), "grosstarock.pagat-ultimo") == each("A", 15)
    assert no_line(won.verdict(), "grosstarock.pagat")


def test_grosstarock_king() -> None:
    hands = {"A": "HK SK", "B": "H1 S2", "C": "T2 H2 S3"}
    won = one_trick(hands, "A: HK H1 H2").verdict()
    assert kings(won)["HK"] == each("A", 5)
    lost = one_trick({"A": "HK", "B": "H1", "C": "T2"}, "A: HK H1 T2", {"C": "H"}).verdict()
    assert kings(lost)["HK"] == each("A", -5)
    # Two in one trick are each settled.
    two = one_trick({"A": "HK", "B": "DK", "C": "H2"}, "A: HK DK H2", {"B": "H T"}).verdict()
    assert kings(two)["HK"] == each("A", 5)
    assert kings(two)["DK"] == each("B", -5)


def test_grosstarock_king_ultimo() -> None:
    won = gross(STRONG).play_out(cards("HK DK CK T21-T1"))
    assert won.form["events"][-3][2] == "SK"
    assert points(won.verdict(), "grosstarock.king-ultimo") == each("A", 10)
    assert no_line(won.verdict(), "grosstarock.last-trick")


def test_grosstarock_last_trick() -> None:
    deal = gross(STRONG).play_out(cards("SK HK DK CK T1 T21-T3"))
    assert deal.form["events"][-3][2] == "T2"
    assert points(deal.verdict(), "grosstarock.last-trick") == each("A", 5)


def test_grosstarock_card_points() -> None:
    found = WORKED["GROSS_PLAIN"].check()
    count = found.facts["card_points"]
    assert sum(count.values()) == 78
    assert points(found, "grosstarock.card-points") == {s: n - 26 for s, n in count.items() if n != 26}
    swept = gross(STRONG).play_out(["T21"], low=False).verdict()
    assert no_line(swept, "grosstarock.card-points"), "not when a bolé succeeds"


@pytest.mark.parametrize(("before", "amount"), [(0, 26), (1, 52), (2, 38), (13, 38), (14, 31), (20, 31)])
def test_grosstarock_bole(before: int, amount: int) -> None:
    deal = gross(STRONG).play_out(["T21"], low=False)
    found = announced(deal, "A announce bole", before).verdict()
    assert found.verdict == "verified"
    assert points(found, "grosstarock.bole") == each("A", amount)
    assert no_line(found, "grosstarock.null"), "nobody makes a null if somebody makes a bolé"
    assert no_line(found, "grosstarock.card-points")


@pytest.mark.parametrize(("before", "amount"), [(1, 52), (2, 38), (13, 38), (14, 31), (20, 31)])
def test_grosstarock_bole_failed(before: int, amount: int) -> None:
    # A wins 24 tricks and leads S2 to the last one, which B wins with SK.
    deal = gross({"A": "T21-T2 HK DK DQ CK S2", "B": "SK"}, {"B": "T"})
    deal.play_out(cards("T21-T2 HK DK DQ CK S2"))
    assert deal.form["events"][-3][2] == "S2"
    found = announced(deal, "A announce bole", before).verdict()
    assert found.facts["tricks"]["A"] == 24
    assert points(found, "grosstarock.bole") == each("A", -amount)


@pytest.mark.parametrize(("before", "amount"), [(0, 26), (1, 36), (2, 31), (13, 31)])
def test_grosstarock_null(before: int, amount: int) -> None:
    deal = gross({"B": "S9-S2 C9-C2 H2-H9 D9"}).play_out(low=False)
    found = announced(deal, "B announce null", before).verdict()
    assert found.facts["tricks"]["B"] == 0
    assert min(found.facts["tricks"]["A"], found.facts["tricks"]["C"]) > 0
    assert points(found, "grosstarock.null") == each("B", amount)
    assert no_line(found, "grosstarock.card-points")


@pytest.mark.parametrize(("before", "amount"), [(1, 10), (5, 5), (13, 5)])
def test_grosstarock_null_failed(before: int, amount: int) -> None:
    deal = gross(STRONG).play_out(["T21"], low=False)  # A sweeps: with a bolé nobody makes a null
    found = announced(deal, "B announce null", before).verdict()
    assert points(found, "grosstarock.null") == each("B", -amount)
    assert points(found, "grosstarock.bole") == each("A", 26)


def test_grosstarock_null_refund() -> None:
    found = WORKED["GROSS_NULL_REFUND"].check()
    expected = dict(WORKED["GROSS_NULL_REFUND"].lines)["grosstarock.null-refund"]
    assert points(found, "grosstarock.null-refund") == expected
