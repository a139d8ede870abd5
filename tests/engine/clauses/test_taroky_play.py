"""The clauses of Czech Taroky on play and payment. Dealer D, forehand A, unless said otherwise."""

from __future__ import annotations

from itertools import starmap
from typing import Any

from tarock.core.outcome import Points
from tests.engine.builder import Deal, assert_illegal, assert_legal, no_line, points
from tests.engine.clauses.taroky import (
    BLANKS,
    EVEN,
    EVEN_PLAY,
    LESS_PLAY,
    MORE_PLAY,
    SWEEP,
    alone,
    bid,
    duty,
    second,
    solo,
    varsava,
)
from tests.engine.worked import WORKED


def test_taroky_lead() -> None:
    deal = second({"B": "T1", "C": "T19", "A": "SK"}).passes("BCDA")
    assert deal.position().turn == "A", "forehand, not the bidder"
    whole = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*EVEN_PLAY)
    assert whole.verdict().verdict == "verified"


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
    assert_legal(asked.also("A: T5"))
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
    # Two against two: one pays one. B is the partner with T19 and declares his 10.
    pair = duty({"B": "T19 SK HK DK CK"}).say("A pass", "B announce kralovske-honery").passes("CD").play_out()
    assert points(pair.verdict(), "taroky.hand-kralovske-honery") == {"A": 10, "B": 10, "C": -10, "D": -10}
    # A bidder who plays alone in a duty pays and gets three times.
    single = duty({"A": "T19 SK HK DK CK"}).say("A announce kralovske-honery").passes("BCD").play_out()
    assert points(single.verdict(), "taroky.hand-kralovske-honery") == alone(10)


def test_taroky_card_points() -> None:
    found = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*EVEN_PLAY).verdict()
    counts = {c.side: c for c in found.countings}
    # T0 T21 T20 with nine small tarocks: 5 + 5 + 1 + 9 = 20; T19 SK HK SC: 1 + 5 + 5 + 3 = 14;
    # T18 SQ HQ HC: 1 + 4 + 4 + 3 = 12; twice four blanks: 8. 54 in 28 cards: − 2 × 9 − 1 = 35.
    assert (counts["bidder"].cards, counts["bidder"].value, counts["bidder"].points) == (28, 54, 35)
    # The talon (T1 and five blanks: 10) is theirs: 26 cards, 106 − 54 = 52, − 2 × 8 − 1 = 35.
    assert (counts["opponents"].cards, counts["opponents"].value, counts["opponents"].points) == (26, 52, 35)


def test_taroky_card_points_of_the_tricks_alone() -> None:
    """All tricks are 48 cards, 106 less the other six, less 2 x 16. A's discards and the talon are six ones,
    106 - 6 - 32 = 68; with the discards, A has 52 cards, 104 - 2 x 17 - 1 = 69. The talon in the other deal
    is two fives and four ones, 106 - 14 - 32 = 60; with it, the opponents have all 70."""
    duty_won = duty(SWEEP).passes("ABCD").play_out(["T0"], low=False)
    weak = {"A": "S9 S10 C9 C10 H3 H2 D3 D2 H1 D1 SJ CJ", "talon": "SK HK S7 S8 C7 C8"}
    solo_lost = solo(weak).passes("ABCD").play_out(low=False)
    for deal, with_all, tricks_alone in (
        (duty_won, {"bidder": 69, "opponents": 1}, {"bidder": 68, "opponents": 1}),
        (solo_lost, {"bidder": 0, "opponents": 70}, {"bidder": 0, "opponents": 60}),
    ):
        for options, counted in (([], with_all), (["valat-tricks-only"], tricks_alone)):
            deal.form["options"] = options
            found = deal.verdict()
            assert found.facts["card_points"] == counted
            assert {count.side: count.points for count in found.countings} == counted
            # The outcome of an imagined end, with the points of all cards, is that of the played one.
            table: Any = deal.table()
            end, all_points = table.outcome(), tuple(starmap(Points, with_all.items()))
            last = (end.pagat.seat, end.pagat.end == "made") if end.pagat else None
            assert table.imagined(end, all_points, end.tricks, last) == end


def test_taroky_game() -> None:
    won = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*MORE_PLAY).verdict()
    assert won.facts["card_points"] == {"bidder": 39, "opponents": 31}
    assert points(won, "taroky.game") == alone((39 - 35) * 6)
    lost = Deal("taroky", EVEN).say(*bid("solo")).passes("ABCD").say(*LESS_PLAY).verdict()
    assert lost.facts["card_points"] == {"bidder": 31, "opponents": 39}
    assert points(lost, "taroky.game") == alone(-(39 - 35) * 6)
    # The levels of a Troika are in `test_numbers.py`.


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
    doubled = solo(SWEEP).say("A announce pagat", "B announce flek:pagat", "CD pass")
    doubled.say("A announce re:pagat", "BCD pass").play_out(["T0"], low=False)
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
    hands["A"] += " T16-T11 T7 T6"
    deal = varsava(hands | {"talon": "T0 T21-T17"}, dict.fromkeys("ABCD", "T"))
    assert_illegal(deal.also("A: T8 T3"), "taroky.varsava-play", legal=["T9"])
    # C cannot beat T9: any tarock but the Pagat, which is not his last.
    after = deal.also("A: T8 T9")
    assert_illegal(after.also("C: T1"), "taroky.varsava-play", legal=["T5"])
    assert_illegal(after.also("C: T5", "D: T2"), "taroky.varsava-play", legal=["T10"])
    then = after.also("C: T5", "D: T10")
    # The Pagat as the last tarock: led, or played when a tarock is required.
    again = then.also("D: SQ", "A: S7", "B: SK", "C: S9")
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
    for deal in (WORKED["VARSAVA_TIE_OF_TWO"], WORKED["VARSAVA_TIE_OF_THREE"]):
        found = deal.check()
        assert points(found, "taroky.varsava-tie") == {s: p for s, p in deal.score.items() if p}
        assert no_line(found, "taroky.varsava-pay")
