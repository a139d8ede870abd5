"""The clauses of Strohmanntarock, one by one. Dealer B, forehand A unless said otherwise."""

from __future__ import annotations

import pytest

from tarock.analysis.board import board
from tarock.analysis.position import Pile
from tarock.notation import NotationError
from tests.engine.builder import Deal, assert_illegal, assert_legal, cards, no_line, points

#: A has every tarock and the four Kings: he can take every trick.
MASTER = {"A": "T0 T21-T8", "A/1": "T7 T6 T5 T4", "A/2": "T3 T2 T1 SQ", "A/3": "SK HK DK CK"}


def master(lead: str, *, declared: bool = True) -> Deal:
    """A leads the cards named as soon as he can, then the others; B never has a tarock."""
    deal = Deal("strohmann", MASTER)
    deal.say("A take") if declared else deal.passes("AB")
    return deal.play_out(lead.split(), low=False)


def counted(thrown: str, *, said: str = "A take") -> Deal:
    """A leads `T0 T21…T8` and wins these 15 tricks, with B's `T7…T1` and the eight cards thrown in them. Then
    A leads S9 to B's SK, and B wins the other twelve with the twelve cards kept, over A's twelve blanks.

    B's cards: 12 blanks of A and 12 cards kept, 24 in all: their values less 2 × 8 = 16.
    """
    courts = cards("SK HK DK CK SQ HQ DQ CQ SC HC DC CC SJ HJ DJ CJ S10 C10 H1 D1")
    kept = [c for c in courts if c not in thrown.split()]
    assert len(kept) == 12
    assert kept[0] == "SK"
    hands = {"A": "T0 T21-T8", "A/1": "S9 S8 S7 C9", "A/2": "C8 C7 H2 H3", "A/3": "H4 D2 D3 D4"}
    piles = {f"B/{n + 1}": " ".join(kept[4 * n : 4 * n + 4]) for n in range(3)}
    deal = Deal("strohmann", hands | {"B": f"T7-T1 {thrown}"} | piles).say(*said.split(", "))
    leads = [f"T{n}" for n in (0, *range(21, 7, -1))]
    answers = [f"T{n}" for n in range(7, 0, -1)] + thrown.split()
    deal.say(*(f"A: {a} {b}" for a, b in zip(leads, answers, strict=True)), "A: S9 SK")
    return deal.play_out(low=False)


def test_strohmann_deal() -> None:
    deal = Deal("strohmann")
    assert_legal(deal)
    assert [len(deal.form["deal"][w]) for w in ("A", "A/1", "A/2", "A/3", "B", "B/3")] == [15, 4, 4, 4, 15, 4]
    moved = Deal("strohmann")
    moved.form["deal"]["A"].append(moved.form["deal"]["A/1"].pop())
    with pytest.raises(NotationError) as fault:
        moved.record()
    assert fault.value.finding.clause == "strohmann.deal"
    assert fault.value.finding.pointer == "/deal/A"


def test_strohmann_bid() -> None:
    deal = Deal("strohmann")
    assert_illegal(deal.also("B take"), "common.turn", legal=["take", "pass"])
    taken = deal.also("A take")
    assert taken.position().turn == "A"
    assert taken.position().declarer == "A"
    passed = deal.also("A pass")
    assert passed.position().turn == "B"
    assert passed.also("B take").position().declarer == "B"
    assert passed.also("B take").position().turn == "A", "forehand leads even if another player is declarer"
    both = passed.also("B pass")
    assert (both.position().declarer, both.position().phase) == (None, "play")
    assert_illegal(deal.also("A take now"), "common.count")


def test_strohmann_reveal() -> None:
    deal = Deal("strohmann", {"A/1": "SK T5 HQ T9", "A/2": "T7 T6 CK DK", "A/3": "S7 T8 T10 T11"})
    before = deal.also("A pass").position()
    assert {p.top for p in before.piles.values()} == {None}
    assert before.hands["A"].count == 15
    after = deal.also("A take").position()
    assert after.piles["A/1"] == Pile(2, ("HQ", "T9"), "HQ")
    assert after.piles["A/2"] == Pile(0, (), None)
    assert after.piles["A/3"].top == "S7"
    assert {"SK", "T5", "T7", "T6", "CK", "DK"} <= set(after.hands["A"].cards)
    assert after.hands["A"].count == 21
    assert {"SK", "T7", "S7", "HQ"} <= set(after.legal)
    assert not {"T9", "T8"} & set(after.legal), "face down under a card that stays"


def test_strohmann_pile_card() -> None:
    given = {"A": "T0 T21", "A/1": "HQ T9 S8 S9", "B": "T1", "B/1": "H2 D1 D2 D3"}
    deal = Deal("strohmann", given, without={"A": "H", "B+": "H K"}).say("A take")
    assert_illegal(deal.also("A: T9"), "common.not-held", includes=["HQ", "T0"], excludes=["T9", "S8"])
    led = deal.also("A: HQ")
    shown = led.position()
    assert shown.piles["A/1"].top == "S8", "turned up at once, before B plays; T9 goes into the hand"
    assert "T9" in shown.hands["A"].cards
    assert_illegal(led.also("B: T1"), "strohmann.follow", legal=["H2"])
    assert_illegal(led.also("B: D1"), "common.not-held", legal=["H2"])
    assert shown.legal == ("H2",), "the face-up H2 must be played to follow"
    assert led.also("B: H2").position().piles["B/1"].top == "D1"


def test_strohmann_lead() -> None:
    for dealer, forehand in (("B", "A"), ("A", "B")):
        deal = Deal("strohmann", dealer=dealer).passes(forehand + dealer)
        assert deal.position().turn == forehand
        assert_illegal(deal.also(f"{dealer}: {deal.hand(dealer)[0]}"), "common.turn")
    deal = Deal("strohmann", MASTER).say("A take").play_out()
    assert len(deal.form["events"]) == 1 + 2 * 27
    assert deal.verdict().verdict == "verified"


def test_strohmann_follow() -> None:
    deal = Deal(
        "strohmann",
        {"A": "SQ S10 DJ T5", "B": "SK S7 T1 T2 T3 T4 T21 H3", "B/1": "C7 S9", "B/2": "C8", "B/3": "CQ"},
        without={"B+": "D T"},
    ).say("A take")
    legal = [c for c in deal.hand("B") if c[0] == "S"]
    assert {"SK", "S7"} <= set(legal)
    assert_illegal(deal.also("A: SQ T1"), "strohmann.follow", seat="B", event=2, legal=legal)
    assert_illegal(deal.also("A: SQ C7"), "strohmann.follow", legal=legal)
    assert_legal(deal.also("A: S10 S7"))
    tarocks = ["T1", "T2", "T3", "T4", "T21"]
    assert_illegal(deal.also("A: DJ H3"), "strohmann.follow", legal=tarocks)
    assert_legal(deal.also("A: DJ T1"))
    assert_illegal(deal.also("A: T5 C7"), "strohmann.follow", legal=tarocks)
    assert_legal(deal.also("A: T5 T1"))  # no duty to beat
    bare = Deal("strohmann", MASTER).say("A take", "A: T0")
    assert len(bare.position().legal) == 15 + 3, "neither tarocks nor the suit: any card, the three tops too"


def test_strohmann_card_points() -> None:
    deal = counted("S10 C10 H1 D1 SJ HJ DJ CJ")
    # Kept: four Kings, Queens and Cavaliers, 20 + 16 + 12 = 48, and 12 blanks: 60 − 16 = 44 in 24 cards.
    counts = {c.side: c for c in deal.verdict().countings}
    assert (counts["B"].cards, counts["B"].value, counts["B"].threes, counts["B"].rest) == (24, 60, 8, 0)
    assert (counts["B"].points, counts["B"].pairs, counts["A"].points) == (44, 0, 26)
    # A: 30 cards, 15 tarocks with T0 and T21 (23), T7…T1 (11), four Jacks (8), four blanks (4): 46 − 20 = 26.
    assert (counts["A"].cards, counts["A"].value) == (30, 46)


def test_strohmann_game() -> None:
    """B keeps K×4 Q×3 J×1 and four blanks, 38: 12 + 38 − 16 = 34. The edges are in `test_numbers.py`."""
    thrown = "CQ SC HC DC CC HJ DJ CJ"
    for said, line in (("A take", {"A": 3}), ("A pass, B take", {"A": 4})):
        found = counted(thrown, said=said).verdict()
        assert found.facts["card_points"] == {"A": 36, "B": 34}
        assert points(found, "strohmann.game") == line
        assert found.score == {"A": 0, "B": 0} | line


def test_strohmann_game_undeclared() -> None:
    found = counted("CQ SC HC DC CC HJ DJ CJ", said="A pass, B pass").verdict()
    assert points(found, "strohmann.game-undeclared") == {"A": 2}, "36 to 34"
    assert found.score == {"A": 2, "B": 0}
    assert no_line(found, "strohmann.game")


def test_strohmann_valat() -> None:
    for declared in (True, False):
        deal = master("SK SQ HK DK CK T1 T2 T3 T4 T5 T6 T7", declared=declared)
        found = deal.verdict()
        assert found.facts["tricks"] == {"A": 27, "B": 0}
        assert points(found, "strohmann.valat") == {"A": 12}
        assert no_line(found, "strohmann.game")
        assert no_line(found, "strohmann.game-undeclared")
        assert found.score == {"A": 12, "B": 0}, "T1, T2, T3 went early: no bonus"


LAST = "SK SQ HK DK CK T0 T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 T4"


def test_strohmann_pagat_ultimo() -> None:
    found = master(f"{LAST} T3 T2 T1").verdict()
    assert points(found, "strohmann.pagat-ultimo") == {"A": 1}
    assert no_line(master("T1").verdict(), "strohmann.pagat-ultimo")
    # B's Pagat lies at the bottom of a pile and is captured in the last trick by A's T2.
    hands = MASTER | {"A/2": "T3 T2 HQ SQ", "B": "SC-S7 HC HJ H1-H4 DQ DC", "B/3": "C9 C8 C7 T1"}
    deal = Deal("strohmann", hands).say("A take")
    mine = cards("S7 S8 S9 S10 SJ SC H4 H3 H2 H1 HJ HC D4 D3 D2 D1 DJ DC DQ CJ CC CQ C10")
    deal.play_out([*LAST.split(), "HQ", "T3", "T2", *mine])
    assert deal.form["events"][-1] == ["B", "play", "T1"]
    assert points(deal.verdict(), "strohmann.pagat-ultimo") == {"A": 1}


def test_strohmann_uhu() -> None:
    found = master(f"{LAST} T3 T2 T1").verdict()
    assert points(found, "strohmann.uhu") == {"A": 1}
    assert no_line(master(f"{LAST} T2 T3 T1").verdict(), "strohmann.uhu"), "T2 in the last trick but two"


def test_strohmann_kakadu() -> None:
    found = master(f"{LAST} T3 T2 T1").verdict()
    assert points(found, "strohmann.kakadu") == {"A": 1}
    assert found.score == {"A": 12 + 3, "B": 0}, "[ruling] the bonuses are scored in addition to the valat"
    assert no_line(master(f"{LAST} T1 T2 T3").verdict(), "strohmann.kakadu")


def test_strohmann_rostopschin() -> None:
    both = "T17(ros) T18(topschin)"
    assert points(master(f"SK {both}").verdict(), "strohmann.rostopschin") == {"A": 1}
    for calls in (
        "T17 T18(topschin)",  # no “Ros”
        "T17(ros) T18",  # no “Topschin”
        "T17(ros) T16 T18(topschin)",  # not the very next trick
        "T18(topschin) T17(ros)",  # the wrong way round
    ):
        found = master(f"SK {calls}").verdict()
        assert found.verdict == "verified", "a call that comes to nothing costs nothing"
        assert no_line(found, "strohmann.rostopschin")
    # B's T17 loses to T21, so that nothing comes of T18 either.
    deal = Deal("strohmann", {"A": "T21 SK", "B": "T17 T18"}, without={"B+": "S"})
    deal.say("A take", "A: T21 T17(ros)", "A: SK T18(topschin)").play_out()
    assert no_line(deal.verdict(), "strohmann.rostopschin")


def test_strohmann_rostopschin_names_its_two_cards() -> None:
    """A trumps B's lead with the first one."""
    deal = Deal("strohmann", {"A": "T17 T18 H4", "B": "HK S7"}, without={"A+": "S", "B+": "T"})
    deal.say("A take", "A: H4 HK", "B: S7 T17(ros)", "A: T18(topschin)").play_out()
    assert points(deal.verdict(), "strohmann.rostopschin") == {"A": 1}
    assert cards_of(deal, "strohmann.rostopschin") == ["T17(ros)", "T18(topschin)"]


@pytest.mark.parametrize(
    ("pile", "up"),
    [
        ("S7 S9 H2 H3", {"S9"}),  # below an unknown King or tarock
        ("S7 SK S9 H2", {"SK", "S9"}),  # a King goes into the hand, too
        ("S7 T9 T10 H2", {"T9", "T10", "H2"}),
    ],
)
def test_strohmann_reveal_below_an_unknown_card(pile: str, up: set[str]) -> None:
    """Nobody wrote down what lay on top: what may have been turned up below it may be played."""
    deal = Deal("strohmann", {"A/1": pile, "A/2": "C7 C8", "B/1": "D1 D2"}).say("A take")
    for place in ("A/1", "A/2", "B/1"):
        deal.form["deal"][place][0] = "?"
    offered = {words[0] for _seat, verb, *words in board(deal.record()).moves if verb == "play"}
    assert offered & {*pile.split()} - {"S7"} == up
    played = {card: deal.also(f"A: {card}").verdict() for card in pile.split()[1:]}
    assert {card for card, found in played.items() if found.verdict == "incomplete"} == up
    assert {found.errors[0].reason for card, found in played.items() if card not in up} <= {"covered"}
    deal.form["deal"]["A/1"][0] = "S7"
    assert_illegal(deal.also(f"A: {pile.split()[1]}"), "common.not-held")


def test_strohmann_call_misplaced() -> None:
    deal = Deal("strohmann", {"A": "T16 T17 T18 SK"}).say("A take")
    for card in ("T16(ros)", "T17(topschin)", "T18(ros)", "SK(topschin)"):
        said = ["T17(ros)", "T18(topschin)", "T16"]
        assert_illegal(deal.also(f"A: {card}"), "strohmann.call-misplaced", includes=said)
    assert_legal(deal.also("A: T17(ros)"))
    assert_legal(deal.also("A: T18(topschin)"))
    assert_illegal(deal.also("A: T17(kakadu)"), "common.item")
    other = Deal("strohmann", {"B": "T16"}).say("A take")
    assert_illegal(other.also("A: T16(ros)"), "common.not-held")


def cards_of(deal: Deal, clause: str) -> list[str]:
    """The cards that earned the points of a clause."""
    (line,) = (line for line in deal.verdict().lines if line.clause == clause)
    return [deal.form["events"][number][-1] for number in line.events]


def worth(option: str, clause: str, deal: Deal) -> list[dict[str, int]]:
    """The points of a clause without an option and with it."""
    found = []
    for words in ([], [option]):
        deal.form["options"] = words
        checked = deal.verdict()
        assert checked.verdict == "verified", checked.error
        found.append({} if no_line(checked, clause) else points(checked, clause))
    return found


def test_strohmann_quapil() -> None:
    """The last tricks are T4, T3, T2 and T1, and A takes all of them."""
    deal = master("T0 T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 SQ SK HK DK CK T4 T3 T2")
    assert worth("quapil=2", "strohmann.quapil", deal) == [{}, {"A": 2}]


def test_strohmann_trull() -> None:
    assert worth("trull=3", "strohmann.trull", master("T0")) == [{}, {"A": 3}]


def test_strohmann_kings() -> None:
    assert worth("kings=3", "strohmann.kings", master("T0")) == [{}, {"A": 3}]


def test_strohmann_mondfang() -> None:
    """B's Sküs takes A's Mond in the first trick. The other way round nothing happens."""
    for mond, skus, seat in (("A", "B", "B"), ("B", "A", "A")):
        deal = Deal("strohmann", {mond: "T21", skus: "T0"}).say("A take")
        deal.say("A: T21 T0" if mond == "A" else "A: T0 T21").play_out()
        assert worth("mondfang=2", "strohmann.mondfang", deal) == [{}, {seat: 2}]
        assert set(cards_of(deal, "strohmann.mondfang")) == {"T21", "T0"}
