"""The clauses of Grosstarock, one by one. Three players, dealer C, forehand A, unless said otherwise."""

from __future__ import annotations

import json
import re

import pytest

from tarock import audit, replay
from tarock.cards import CARDS, names
from tarock.notation import NotationError, read_one, write_text
from tarock.verify import Check
from tests.engine.builder import Deal, assert_illegal, assert_legal, cards, no_line, points
from tests.engine.worked import GROSS_NULL_REFUND, GROSS_PLAIN, GROSS_SKUS_LATE, GROSS_SKUS_NO_TRICK

#: A talon of blanks, which the dealer puts away again: the hands are as dealt.
TALON = {"talon": "S1 C1 H10"}
PUT = "C discard S1 C1 H10"


def gross(
    given: dict[str, str] | None = None, without: dict[str, str] | None = None, *, quiet: bool = True
) -> Deal:
    """A deal up to the declarations, or (`quiet`) up to the first lead."""
    deal = Deal("grosstarock", TALON | (given or {}), without=without).say(PUT)
    return deal.passes("CAB") if quiet else deal


def each(seat: str, amount: int) -> dict[str, int]:
    """`amount` for a seat from each of the other two (to each, if negative)."""
    return {s: 2 * amount if s == seat else -amount for s in "ABC" if amount}


def test_grosstarock_deal() -> None:
    deal = Deal("grosstarock")
    assert [len(cards) for cards in deal.record().deal.values()] == [25, 25, 25, 3]
    at = deal.position()
    assert (at.turn, at.phase, at.hands["C"].count, at.talon.count) == (
        "C",
        "exchange",
        28,
        0,
    )
    # Four seats: the second after the dealer sits out.
    for dealer, sitting, forehand in (("A", "C", "B"), ("B", "D", "C"), ("C", "A", "D"), ("D", "B", "A")):
        deal = Deal("grosstarock", players=4, dealer=dealer)
        assert sitting not in deal.form["deal"]
        at = deal.position()
        assert (at.sitting, at.forehand) == (sitting, forehand)
        assert_illegal(deal.also(f"{sitting} pass"), "common.turn")
        put = [c for c in deal.hand(dealer) if c[0] != "T" and c[1] != "K"][:3]
        over = deal.say(f"{dealer} discard {' '.join(put)}").play_out()
        assert over.verdict().verdict == "verified"
        assert (over.verdict().score or {})[sitting] == 0
        assert not any(e[0] == sitting for e in over.form["events"])
    for number in (1, 5):
        wrong = Deal("grosstarock")
        wrong.form["players"] = {s: s for s in "ABCDE"[:number]}
        with pytest.raises(NotationError, match="wrong-number-of-seats"):
            wrong.record()


def test_grosstarock_discard() -> None:
    deal = Deal("grosstarock", TALON | {"C": "SK T21 T0 T5 SQ"}, without={"C": "T1"})
    for bad in ("SK", "T21", "T5"):
        assert_illegal(
            deal.also(f"C discard {bad} S1 C1"),
            "grosstarock.discard",
            includes=["S1", "SQ", "T0"],
            excludes=[bad],
        )
    assert_legal(deal.also("C discard T0 SQ S1"))
    assert_illegal(deal.also("C discard S1 C1"), "common.count")
    assert_illegal(deal.also("A discard S1 C1 H10"), "common.turn")
    assert_illegal(deal.also("C discard S1 C1 C1"), "common.item")
    # Tarocks: without T21, with T1, three at most with T0, and all of them.
    cases = [
        ("T1", "T1 S1 C1", True),
        ("T1 T2", "T1 T2 S1", True),
        ("T1 T2", "T1 S1 C1", False),  # not all
        ("T1 T2", "T2 S1 C1", False),
        ("T1 T2 T3", "T1 T2 T3", True),
        ("T0 T1", "T0 T1 S1", True),
        ("T0 T1", "T1 S1 C1", False),  # T0 is one of them
        ("T0 T1", "T0 S1 C1", True),  # T0 alone may always go
        ("T0 T1 T2", "T0 T1 T2", True),
        ("T0 T1 T2", "T1 T2 S1", False),
        ("T1 T2 T3 T4", "T1 T2 T3", False),  # four
        ("T0 T1 T2 T3", "T1 T2 T3", False),  # four with T0
        ("T2 T3", "T2 T3 S1", False),  # no T1
        ("T1 T21", "T1 S1 C1", False),  # T21 held
    ]
    for held, put, good in cases:
        deal = Deal("grosstarock", TALON | {"C": held}, without={"C": "T"}).say(f"C discard {put}")
        if good:
            assert_legal(deal)
        else:
            assert_illegal(deal, "grosstarock.discard")
    # Among the 28 cards counts what lay in the talon.
    drawn = Deal("grosstarock", {"C": "T1", "talon": "T21 C1 H10"}, without={"C": "T"}).say(
        "C discard T1 C1 H10"
    )
    assert_illegal(drawn, "grosstarock.discard")


def test_grosstarock_declare() -> None:
    deal = gross({"C": "SK SQ SC SJ"}, quiet=False)
    assert (deal.position().phase, deal.position().turn) == ("declaring", "C")
    assert_illegal(deal.also("A pass"), "common.turn")
    said = deal.also("C announce cavallery:S")
    assert said.position().turn == "A", "one turn each"
    assert_illegal(said.also("A: T1"), "common.unexpected")
    assert_illegal(deal.also("C announce"), "common.count")
    for word in ("bole", "null", "uhu", "cavallery:T", "cavallery", "kings", "tarocks:ten", "trul"):
        assert_illegal(deal.also(f"C announce {word}"), "common.item")
    assert_illegal(deal.also("C announce cavallery:S cavallery:S"), "common.item")
    over = deal.also().passes("CAB")
    assert (over.position().phase, over.position().turn) == ("play", "A")
    assert_illegal(over.also("A announce cavallery:S"), "common.item")
    # On the 25 cards held after the discard, and one card may serve several items.
    late = Deal("grosstarock", {"C": "SQ SC SJ T0 SK", "talon": "S1 C1 H10"}, without={"C": "T"})
    late.say("C discard SJ C1 S1")
    assert_illegal(late.also("C announce cavallery:S"), "grosstarock.declare-cavallery")
    assert_legal(late.also("C announce half-cavallery:S"))


def declare(hand: str, item: str, without: str = "T", courts: bool = True) -> Deal:
    """A (after C's pass) declares an item with the cards named and none of the suits or cards in
    `without`."""
    bar = without + (" " + " ".join(s + r for s in "SHDC" for r in "KQCJ") if courts else "")
    return gross({"A": hand}, {"A": bar}, quiet=False).say("C pass", f"A announce {item}")


def check_item(clause: str, good: list[tuple[str, str, int]], bad: list[tuple[str, str]]) -> None:
    """True declarations (cards, item, points from each) are paid; false ones break the item's clause."""
    for hand, item, amount in good:
        deal = declare(hand, item)
        assert_legal(deal)
        found = deal.say("B pass").play_out().verdict()
        assert points(found, clause) == each("A", amount), (hand, item)
    for hand, item in bad:
        assert_illegal(declare(hand, item), clause, excludes=[f"announce {item}"])


def test_grosstarock_declare_tarocks() -> None:
    check_item(
        "grosstarock.declare-tarocks",
        [
            ("T19-T10", "tarocks:10", 10),
            ("T0 T19-T11", "tarocks:10", 10),  # T0 is one here
            ("T19-T9", "tarocks:11", 15),
            ("T0 T21-T2", "tarocks:21", 65),
            ("T0 T21-T1", "tarocks:22", 70),
        ],
        [
            ("T19-T11", "tarocks:9"),
            ("T19-T9", "tarocks:10"),
            ("T19-T10", "tarocks:11"),
            ("T0 T19-T12", "tarocks:10"),
        ],
    )


def test_grosstarock_declare_matadors() -> None:
    check_item(
        "grosstarock.declare-matadors",
        [
            ("T0 T21 T1", "matadors:3", 10),
            ("T0 T21 T20 T19 T1", "matadors:5", 20),
            ("T0 T21 T1 T2 T3", "matadors:5", 20),
            ("T0 T21 T20 T1 T2", "matadors:5", 20),
            ("T0 T21 T19 T1", "matadors:3", 10),  # unbroken runs only
            ("T0 T21-T1", "matadors:22", 105),
        ],
        [
            ("T0 T21 T20", "matadors:3"),
            ("T21 T20 T1", "matadors:3"),
            ("T0 T20 T1", "matadors:3"),
            ("T0 T21 T20 T1", "matadors:3"),
            ("T0 T21 T1", "matadors:4"),
        ],
    )


def test_grosstarock_declare_skus_matadors() -> None:
    check_item(
        "grosstarock.declare-skus-matadors",
        [
            ("T0 T21 T19 T1", "skus-matadors:5", 15),
            ("T0 T21 T20 T18 T16 T1", "skus-matadors:8", 30),
            ("T0 T21 T1 T3", "skus-matadors:5", 15),
            ("T0 T21 T19 T1 T3", "skus-matadors:7", 25),
            # The two runs meet: every other tarock from T21 to T1, with all in between, and T0.
            ("T0 T21 T19 T17 T15 T13 T11 T9 T7 T5 T3 T1", "skus-matadors:22", 100),
        ],
        [
            ("T0 T21 T20 T1", "skus-matadors:4"),  # no step
            ("T0 T21 T18 T1", "skus-matadors:5"),  # two missing in a row
            ("T0 T21 T19 T1", "skus-matadors:4"),
            ("T21 T19 T1", "skus-matadors:4"),
        ],
    )
    for item in ("matadors:3 skus-matadors:5", "skus-matadors:5 matadors:3"):
        assert_illegal(declare("T0 T21 T19 T1", item), "grosstarock.declare-skus-matadors")


def test_grosstarock_declare_kings() -> None:
    check_item(
        "grosstarock.declare-kings",
        [
            ("SK HK DK", "kings:3", 5),
            ("T0 T21 T1", "kings:3", 5),
            ("SK HK DK CK", "kings:4", 10),
            ("SK HK DK CK T0 T21 T1", "kings:7", 25),
        ],
        [("SK HK", "kings:2"), ("SK HK DK CK", "kings:3"), ("SK HK DK", "kings:4"), ("SK HK DK", "kings:0")],
    )


def test_grosstarock_declare_cavallery() -> None:
    check_item(
        "grosstarock.declare-cavallery",
        [("HK HQ HC HJ", "cavallery:H", 10)],
        [("HK HQ HC T0", "cavallery:H"), ("HK HQ HC HJ", "cavallery:S")],
    )


def test_grosstarock_declare_half_cavallery() -> None:
    check_item(
        "grosstarock.declare-half-cavallery",
        [("HK HQ HC T0", "half-cavallery:H", 5), ("DK DC DJ T0", "half-cavallery:D", 5)],
        [
            ("HK HQ HC HJ T0", "half-cavallery:H"),  # all three
            ("HK HQ T0", "half-cavallery:H"),
            ("HQ HC HJ T0", "half-cavallery:H"),  # no King
            ("HK HQ HC T1", "half-cavallery:H"),  # no Sküs
        ],
    )


def test_grosstarock_declare_four() -> None:
    for rank, word in (("Q", "queens"), ("C", "cavaliers"), ("J", "jacks")):
        four = [s + rank for s in "SHDC"]
        check_item("grosstarock.declare-four", [(" ".join(four), word, 5)], [(" ".join(four[1:]), word)])


def test_grosstarock_declare_ladons() -> None:
    # 25 cards, of which so many are tarocks or court cards.
    nine = "T19-T11"
    check_item(
        "grosstarock.declare-ladons",
        [
            (nine, "ladons:16", 15),
            ("T0 T19-T11", "ladons:16", 15),  # T0 is one of the sixteen
            ("T19-T13 SK", "ladons:17", 20),
            ("", "ladons:25", 60),
            ("T0 T19-T12", "ladons:17", 20),  # with T0, who may be left out
            ("T0 T19-T12", "ladons:16", 15),
        ],
        [
            ("T19-T10", "ladons:15"),
            (nine, "ladons:15"),
            (nine, "ladons:17"),
            ("T0 T19-T11", "ladons:15"),  # 16 with T0, and 15 are too few
            ("T0 T19-T10", "ladons:16"),
            ("T0 T19-T12", "ladons:15"),
            ("T0 T19-T12", "ladons:18"),
            ("T19-T13 SK", "ladons:16"),  # no T0, so none may be left out
        ],
    )
    both = ["announce ladons:16", "announce ladons:17"]
    for items in ("ladons:16 ladons:17", "ladons:17 ladons:16"):
        assert_illegal(declare("T0 T19-T12", items), "grosstarock.declare-ladons", includes=both)
    assert_illegal(declare("T0 T19-T12", "ladons:17 ladons:17"), "common.item")


#: A holds every tarock and T0, and three Kings: he wins all 25 tricks unless he leads T0.
STRONG = {"A": "T21-T1 SK HK DK CK"}


def after(deal: Deal, number: int) -> Deal:
    """A deal played out from the first lead on, broken off after so many tricks."""
    cut = deal.also()
    del cut.form["events"][4 + 3 * number :]
    return cut


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
    assert_illegal(deal.also("A announce bole", "A announce bole"), "grosstarock.announce-bole")
    assert_legal(deal.also("A announce bole", "A announce null"))  # both, in events of their own
    assert_illegal(deal.also("A announce bole null"), "grosstarock.announce-bole")
    both = deal.also("A announce bole", "A announce null")
    assert_illegal(both.also("A announce bole"), "grosstarock.announce-bole")
    assert_illegal(both.also("A announce null"), "grosstarock.announce-null")
    assert_illegal(deal.also("A announce bole bole"), "common.item")
    assert_illegal(deal.also("A: T21", "B announce bole"), "common.unexpected")  # in mid-trick
    whole = deal.also().play_out(["T21"], low=False)
    for number, good in ((1, True), (12, True), (13, True), (19, True), (20, False), (24, False)):
        said = after(whole, number).say("A announce bole")
        if good:
            assert_legal(said)
        else:
            assert_illegal(said, "grosstarock.announce-bole", excludes=["announce bole"])
    # Only one who has won every trick so far.
    assert_illegal(after(whole, 1).say("B announce bole"), "grosstarock.announce-bole", seat="B")
    assert_legal(after(whole, 0).say("B announce bole"))


def test_grosstarock_announce_null() -> None:
    deal = gross(STRONG)
    assert_legal(deal.also("B announce null", "C announce null"))
    whole = deal.also().play_out(["T21"], low=False)
    for number, good in ((1, True), (12, True), (13, False), (20, False)):
        said = after(whole, number).say("C announce null")
        if good:
            assert_legal(said)
        else:
            assert_illegal(said, "grosstarock.announce-null", seat="C")
    said = after(whole, 1).say("A announce null")
    assert_illegal(said, "grosstarock.announce-null", seat="A")  # he has won a trick
    assert_legal(deal.also("B announce null", "B announce bole"))
    assert_illegal(deal.also("B announce null", "B announce null"), "grosstarock.announce-null")
    assert_illegal(deal.also("B announce kings:3"), "common.item")


def test_grosstarock_lead() -> None:
    deal = gross({"A": "SK", "C": "HK"})
    assert deal.position().turn == "A"
    assert_illegal(deal.also("C: HK"), "common.turn")
    whole = deal.play_out()
    assert len([e for e in whole.form["events"] if e[1] == "play"]) == 75
    assert whole.verdict().verdict == "verified"
    assert_illegal(whole.also("A announce null"), "common.after-end", legal=[])
    assert_illegal(whole.also("A: SK"), "common.after-end")


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
    # with HK over H9 and H8, of which H9 is the last in order: it goes to A, and T0 comes back.
    hands = {"A": "SK SQ H9", "B": "S9 T0 HK", "C": "S7 S6 H8"}
    deal = gross(hands, {"B": "S"}).say("A: SK S9 S7", "A: SQ T0 S6")
    assert taken(deal, "A") == {"SK", "S9", "S7", "SQ", "T0", "S6"}
    paid = deal.also("A: H9 HK H8")
    assert taken(paid, "B") == {"HK", "H8", "T0"}
    assert taken(paid, "A") == {"SK", "S9", "S7", "SQ", "S6", "H9"}


def test_grosstarock_skus_lost() -> None:
    for deal in (GROSS_SKUS_LATE, GROSS_SKUS_NO_TRICK):
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
    away = Deal("grosstarock", {"C": "T1", "talon": "S1 C1 H10"}, without={"C": "T"}).say(
        "C discard T1 S1 C1"
    )
    found = away.passes("CAB").play_out().verdict()
    assert no_line(found, "grosstarock.pagat")
    assert no_line(found, "grosstarock.pagat-ultimo")


def test_grosstarock_pagat_ultimo() -> None:
    won = gross(STRONG).play_out(["SK", "HK", "DK", "CK", "T21"], low=False)
    assert won.form["events"][-3][2] == "T1"
    assert points(won.verdict(), "grosstarock.pagat-ultimo") == each("A", 15)
    assert no_line(won.verdict(), "grosstarock.pagat")


def kings(found: Check) -> dict[str, dict[str, int]]:
    """What is paid for each King that is not in the last trick."""
    lines = [line for line in found.lines if line.clause == "grosstarock.king"]
    assert len({line.quantity["card"] for line in lines}) == len(lines), "each once"
    return {line.quantity["card"]: dict(line.points) for line in lines}


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
    found = GROSS_PLAIN.check()
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
    assert no_line(found, "grosstarock.null"), "nobody makes a null beside a bolé"
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
    deal = gross(STRONG).play_out(["T21"], low=False)  # A sweeps: beside a bolé nobody makes a null
    found = announced(deal, "B announce null", before).verdict()
    assert points(found, "grosstarock.null") == each("B", -amount)
    assert points(found, "grosstarock.bole") == each("A", 26)


def test_grosstarock_null_refund() -> None:
    found = GROSS_NULL_REFUND.check()
    expected = dict(GROSS_NULL_REFUND.lines)["grosstarock.null-refund"]
    assert points(found, "grosstarock.null-refund") == expected


# -- for two players: A and B, dealer B, forehand A ---------------------------------------------------


def for_two(
    given: dict[str, str] | None = None, without: dict[str, str] | None = None, *, quiet: bool = True
) -> Deal:
    """A deal for two up to the declarations, or (`quiet`) up to the first lead."""
    deal = Deal("grosstarock", TALON | (given or {}), players=2, without=without).say("B discard S1 C1 H10")
    return deal.passes("BA") if quiet else deal


def stock_of(deal: Deal) -> list[str]:
    """The cards that are not dealt."""
    dealt = {card for cards in deal.form["deal"].values() for card in cards}
    return [card for card in CARDS if card not in dealt]


def test_grosstarock_two_deal() -> None:
    deal = Deal("grosstarock", players=2)
    assert {where: len(cards) for where, cards in deal.record().deal.items()} == {
        "A": 25,
        "B": 25,
        "talon": 3,
    }
    at = deal.position()
    assert (at.turn, at.phase, at.hands["B"].count, at.talon.count) == ("B", "exchange", 28, 0)
    assert (at.sitting, at.forehand, at.active) == (None, "A", ("A", "B"))
    # The dealer declares first, then the forehand, who leads; all 25 tricks are played.
    declaring = for_two(quiet=False)
    assert declaring.position().turn == "B"
    assert_illegal(declaring.also("A pass"), "common.turn")
    assert_illegal(declaring.also("B pass", "A pass", "B pass"), "common.turn")
    over = for_two().play_out()
    assert len(over.record().events) == 3 + 50
    assert over.verdict().verdict == "verified"
    # The discard is as with three.
    assert_illegal(
        Deal("grosstarock", {"B": "SK S2 S3"}, players=2).say("B discard SK S2 S3"), "grosstarock.discard"
    )
    wrong = Deal("grosstarock", players=2)
    wrong.form["deal"]["B"] += wrong.form["deal"]["talon"]
    wrong.form["deal"]["talon"] = []
    with pytest.raises(NotationError, match="wrong-size"):
        wrong.record()
    # Of a Sküs that is led there is one to be asked.
    void = for_two({"A": "T0", "B": "S7 C2"}, {"B": "H"})
    assert len(void.also("A: T0(H)").position().legal) == 25
    assert_illegal(void.also("A: T0(S) C2"), "grosstarock.follow")
    assert_legal(void.also("A: T0(S) S7"))


def test_grosstarock_two_stock() -> None:
    deal = for_two({"A": "SK", "stock": "HK T0 T1"})
    stock = stock_of(deal)
    assert {"HK", "T0", "T1"} <= set(stock)
    over = deal.also().play_out()
    # In no view, at no step, neither with all hands open nor to who knows what all know.
    for step in range(len(over.record().events) + 1):
        for view in (None, "A", "B"):
            at = replay.position(over.record(), step, view)
            assert not re.search(rf'"({"|".join(stock)})"', json.dumps(at.as_json())), (step, view)
    # Nobody holds its cards.
    assert_illegal(deal.also("A: HK"), "common.not-held")
    assert_illegal(
        Deal("grosstarock", {"stock": "S5"}, players=2).say("B discard S5 S4 S3"), "common.not-held"
    )
    found = over.verdict()
    assert sum(found.facts["card_points"].values()) < 78
    assert not any(line.quantity.get("card") in ("HK", "T1") for line in found.lines)
    # A record that names it is the same deal, and does not keep it.
    named = json.loads(json.dumps(over.form))
    named["deal"] = {"stock": stock[::-1]} | named["deal"]
    read = read_one(json.dumps(named))
    assert (read, read.digest) == (over.record(), over.record().digest)
    text = write_text(read)
    assert "stock" not in text
    assert read_one(text.replace("deal talon", f"deal Stock {' '.join(stock)}\ndeal talon")) == read
    named["deal"]["stock"][0] = over.hand("A")[0]
    with pytest.raises(NotationError, match="dealt-twice"):
        read_one(json.dumps(named))
    named["deal"]["stock"] = stock[1:]
    with pytest.raises(NotationError, match="wrong-size"):
        read_one(json.dumps(named))
    three = Deal("grosstarock")
    three.form["deal"]["stock"] = []
    with pytest.raises(NotationError, match="unknown-place"):
        three.record()


def test_grosstarock_two_announce() -> None:
    deal = for_two()
    for item in ("bole", "null"):
        assert_illegal(deal.also(f"A announce {item}"), "common.unexpected", excludes=[f"announce {item}"])
        assert_illegal(deal.also(f"B announce {item}"), "common.turn")
        assert_illegal(for_two(quiet=False).say(f"B announce {item}"), "common.item")
    assert_illegal(deal.also("A announce kings:3"), "common.unexpected")
    # Who takes no trick has no null.
    swept = for_two(STRONG).play_out(low=False).verdict()
    assert swept.facts["tricks"] == {"A": 25, "B": 0}
    assert no_line(swept, "grosstarock.null")
    assert no_line(swept, "grosstarock.bole")
    assert (swept.facts["result"], swept.facts["bole"], swept.facts["null"]) == ("tout", None, None)


def test_grosstarock_two_account() -> None:
    deal = for_two({"A": "SK HK DK T2", "B": "CK S3"}, {"A": "C T0 T21 T1", "B": "T"}, quiet=False)
    found = deal.say("B pass", "A announce kings:3", "A: SK S3").play_out().verdict()
    assert points(found, "grosstarock.declare-kings") == {"A": 5}
    assert kings(found)["SK"] == {"A": 5}
    lost = for_two({"A": "CK", "B": "T5"}, {"B": "C"}).say("A: CK T5").play_out().verdict()
    assert kings(lost)["CK"] == {"A": -5}
    assert lost.lines[0].sentences == ("lost-two",)


def test_grosstarock_two_tout() -> None:
    last = ["SK", "HK", "DK", "CK", "T21"]
    pagat = for_two({**STRONG, "stock": "T0"}).play_out(last, low=False).verdict()
    assert points(pagat, "grosstarock.two-tout") == {"A": 25}
    assert no_line(pagat, "grosstarock.pagat-ultimo")
    # A King in the last trick that wins it is not paid either, nor is the trick.
    king = for_two({**STRONG, "stock": "T0"}).play_out(
        ["HK", "DK", "CK", *(f"T{n}" for n in range(21, 0, -1))]
    )
    assert king.form["events"][-2][2] == "SK"
    assert points(king.verdict(), "grosstarock.two-tout") == {"A": 25}
    assert no_line(king.verdict(), "grosstarock.king-ultimo")
    plain = for_two({"A": "T21-T2 SK HK DK CK SQ", "stock": "T0 T1"}).play_out([*last, "T20"], low=False)
    assert no_line(plain.verdict(), "grosstarock.last-trick")
    assert points(plain.verdict(), "grosstarock.two-tout") == {"A": 25}
    # What the other loses in it stands.
    other = for_two({"A": "T21-T1 SK HK DK S10", "B": "CK", "stock": "T0"})
    other.play_out(["SK", "HK", "DK", "S10", "T21"], low=True)
    assert other.form["events"][-1][2] == "CK"
    assert points(other.verdict(), "grosstarock.two-tout") == {"A": 25}
    assert points(other.verdict(), "grosstarock.king-ultimo") == {"B": -10}
    # One trick away there is a note, and nothing else.
    near = for_two({"A": "T21-T1 SK HK DK C2", "B": "CK", "stock": "T0"}).play_out(["C2"], low=False)
    assert no_line(near.verdict(), "grosstarock.two-tout")
    assert [n.kind for n in audit.notes(near.record()) if n.clause == "grosstarock.two-tout"] == [
        "tricks-near"
    ]


def test_grosstarock_two_count() -> None:
    found = for_two(STRONG).play_out(low=False).verdict()
    counts = {count.side: count for count in found.countings}
    # A has 50 cards, B the three blanks that he put away: 3 − 1.
    assert (counts["B"].cards, counts["B"].value, counts["B"].pairs, counts["B"].rest) == (3, 3, 1, 1)
    assert counts["B"].points == 2
    assert (counts["A"].cards, counts["A"].pairs, counts["A"].scheme) == (50, 25, "twos")
    assert counts["A"].points == counts["A"].value - 25
    assert points(found, "grosstarock.two-count") == {seat: count.points for seat, count in counts.items()}
    # The points add up to 27 and what the piles hold above blanks.
    above = sum(count.value - count.cards for count in counts.values())
    assert sum(count.points for count in counts.values()) == 27 + above


def test_grosstarock_two_score() -> None:
    found = for_two().play_out().verdict()
    accounts = audit.accounts(found.lines, "AB")
    assert points(found, "grosstarock.two-score") == {s: -min(accounts.values()) for s in "AB"}
    assert found.lines[-1].quantity["accounts"] == accounts
    assert found.score == {s: accounts[s] - min(accounts.values()) for s in "AB"}
    assert min(found.score.values()) == 0
    # No zero-sum game: one seat has points and none pays them.
    assert max(found.score.values()) > 0
