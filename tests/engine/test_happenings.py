"""Public consequences of the rules; and deals that settle several things at once."""

from __future__ import annotations

from typing import Any

import pytest

from tarock.analysis import public_knowledge
from tarock.analysis.audit import notes
from tarock.analysis.position import Pile
from tarock.analysis.replay import outline, position
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import read_one
from tarock.words import sentences
from tests.engine.builder import Deal, points
from tests.engine.clauses.grosstarock import STRONG, declare, each, gross
from tests.engine.clauses.taroky import SWEEP, alone, solo
from tests.engine.clauses.test_troggu import four, withheld
from tests.engine.driver import TABLES
from tests.engine.worked import WORKED


def told(record: Record) -> list[str]:
    """Return the sentences of all happenings, each with the number of its event; and the same in the public
    view."""
    found = [f"{h.event}: {sentences.happening(h)}" for h in check(record).happenings]
    for rows in (outline(record), public_knowledge.outline(record)):
        assert [f"{row.event}: {sentences.happening(h)}" for row in rows for h in row.happenings] == found
    for view in (None, *record.seats):
        steps = [position(record, step, view) for step in range(len(record.events) + 1)]
        assert [f"{h.event}: {sentences.happening(h)}" for at in steps for h in at.happenings] == found
        assert all(h.event == at.step - 1 for at in steps for h in at.happenings)
    return found


def test_strohmann_cards_taken_up_are_seen_by_both() -> None:
    deal = Deal(
        "strohmann",
        {"A/1": "SK T5 S7 S8", "A/2": "H1 HK D1 D2", "A/3": "C7", "B/1": "C8", "B/2": "C9", "B/3": "C10"}
        | {"A": "S9 T6", "B": "S10 HQ"},
    ).say("A take")
    for view in ("A", "B"):
        at = deal.position(view)
        assert at.hands["A"].shown == ("SK", "T5")
        assert at.hands["A"].cards == (None if view == "B" else deal.position().hands["A"].cards)
        assert at.hands["B"].shown == ()
        assert at.piles["A/1"] == Pile(2, None, "S7")
    assert told(deal.record()) == ["0: A turns up and takes SK.", "0: A turns up and takes T5."]
    # A plays the top of the second pile: HK comes up before B plays. The played card is not shown again.
    on = deal.also("A: H1 HQ")
    assert told(on.record())[2:] == ["1: A turns up and takes HK."]
    assert on.position("B").hands["A"].shown == ("SK", "HK", "T5")
    assert on.also("B: S10 SK").position("B").hands["A"].shown == ("HK", "T5")


def test_grosstarock_the_skus_is_handed_over_or_a_card_is_owed_and_paid() -> None:
    mine = gross({"A": "SK T0", "B": "S9 H8", "C": "S7 H1"}, {"B": "S T", "C": "S"})
    mine.say("A: SK S9 S7", "A: T0(H) H8 H1")
    assert told(mine.record()) == ["9: A keeps the Sküs and gives C S7 for it."]
    hands = {"A": "SK SQ H9", "B": "S9 T0 HK", "C": "S7 S6 H8"}
    deal = gross(hands, {"B": "S"}).say("A: SK S9 S7", "A: SQ T0 S6")
    assert told(deal.record()) == ["9: B keeps the Sküs and owes A a card for it."]
    assert told(deal.also("A: H9 HK H8").record())[1:] == ["12: B pays A the card owed for the Sküs: H9."]


@pytest.mark.parametrize(("name", "last"), [
    ("GROSS_SKUS_LATE", "75: B loses the Sküs to C: it was played in one of the last three tricks."),
    ("GROSS_SKUS_NO_TRICK", "78: B loses the Sküs to A: B took no trick to pay with."),
    ("TROGGU_DEAD_BETTLER", "56: C keeps the dead Bättler; A gives D T2 for it."),
    ("TROGGU_DEAD_NO_TRICK", "55: A loses the dead Bättler to B: the side has no trick to pay with."),
])  # fmt: skip
def test_what_a_worked_deal_ends_with(name: str, last: str) -> None:
    record = read_one(WORKED[name].text)
    if name.startswith("GROSS"):
        assert told(record)[-1] == last
    found = check(record).happenings[-1]
    assert f"{found.event}: {sentences.happening(found)}" == last
    assert len(record.events) - found.event <= 9
    # The last trick is over with the event that it hangs on, or it is the third from the end.
    assert sentences.happening(outline(record)[found.event].happenings[0]) == last.partition(": ")[2]


@pytest.mark.parametrize(("name", "kinds", "keeper", "winner", "card"), [
    ("GROSS_SKUS_OWED", ["owed", "paid"], ("A", 8), ("B", 32), "D10"),
    ("TROGGU_DEAD_BETTLER", ["handed-over"], ("C", 0), ("D", 35), "T2"),
])  # fmt: skip
def test_a_card_handed_over_is_told_in_the_counting(
    name: str, kinds: list[str], keeper: tuple[str, int], winner: tuple[str, int], card: str
) -> None:
    found = check(read_one(WORKED[name].text))
    assert [h.kind for h in found.handed_over] == kinds
    parts = [part for counting in found.countings for part in counting.parts]
    assert {p["what"]: (p["seat"], p["cards"]) for p in parts if p["what"] in ("kept", "exchange")} == {
        "kept": (keeper[0], ["T0"]),
        "exchange": (winner[0], [card]),
    }
    tricks = {part["seat"]: len(part["cards"]) for part in parts if part["what"] == "tricks"}
    assert [(seat, tricks.get(seat, 0)) for seat in (keeper[0], winner[0])] == [keeper, winner]
    declared = check(declare("T0 T18-T11 T1", "tarocks:10").play_out().record())
    assert "grosstarock.declare-tarocks" in {h.clause for h in declared.happenings}
    assert all(h.clause.startswith("grosstarock.skus-") for h in declared.handed_over)


@pytest.mark.parametrize(("name", "kind"), [("GROSS_SKUS_LATE", "late"), ("TROGGU_DEAD_NO_TRICK", "lost")])
def test_a_fool_lost_lies_in_the_trick_of_who_won_it(name: str, kind: str) -> None:
    found = check(read_one(WORKED[name].text))
    (lost,) = found.handed_over
    parts = [part for counting in found.countings for part in counting.parts]
    assert {part["what"] for part in parts} <= {"tricks", "discards"}
    (place,) = [(part["what"], part["seat"]) for part in parts if "T0" in part["cards"]]
    assert (lost.kind, place) == (kind, ("tricks", lost.values["winner"]))


def test_a_forced_tappist_is_named_with_the_card_that_forces_him() -> None:
    for hands, said in (
        ({"C": "T0", "B": "T1"}, ["6: Everybody passed: C holds T0 and must be Tappist."]),
        ({"talon": "T0", "B": "T1"}, ["6: Everybody passed: B holds T1 and must be Tappist."]),
        ({"talon": "T0 T1"}, []),
    ):
        assert told(Deal("troggu", hands, players=7).passes("ABCDEFG").record()) == said


@pytest.mark.parametrize(("hand", "words"), [
    ("T0 T18-T11 T1", "has both Pagat and Sküs"),
    ("T19-T11 T1", "has the Pagat, but not the Sküs,"),
    ("T0 T19-T11", "has the Sküs, but not the Pagat,"),
    ("T19-T10", "has neither Pagat nor Sküs"),
])  # fmt: skip
def test_declared_tarocks_are_told_with_pagat_and_skus(hand: str, words: str) -> None:
    deal = declare(hand, "tarocks:10")
    event = len(deal.form["events"]) - 1
    assert told(deal.record()) == [f"{event}: A {words} among the tarocks declared."]


def test_who_has_withheld_the_bettler_is_not_seen_until_the_deal_is_over() -> None:
    """B throws SK on a diamond: to the others he has T0, or no tarock at all."""
    shown = []
    for fool, other in (("B", "D"), ("D", "B")):
        hands = {"A": "DQ", "B": "H1 H2 SK", "C": "D1", "D": "D2"}
        hands = {**hands, fool: hands[fool] + " T0", other: hands[other] + " S5"}
        deal = four(hands, {"B": "D T", "D": "T"}).say("A: DQ SK")
        found = deal.record()
        everybody = public_knowledge.outline(found)
        shown.append([position(found, 3, "C").happenings, outline(found, "C"), everybody])
    assert shown[0] == shown[1]
    dead = withheld().say("B: SK", "C: D1", "D: D2")
    assert check(dead.also("A: T21 H1").record()).happenings == ()
    said = [sentences.note(note, sentences.Names("troggu")) for note in notes(dead.play_out().record())]
    assert "B holds back the Bättler: it is dead until the last trick." in said


def test_a_led_skus_is_never_winning() -> None:
    deal = gross({"A": "T0", "B": "H1", "C": "D1"}, {"B": "D T"})
    for name in "SHDCT":
        assert deal.also(f"A: T0({name})").position().trick.winning is None
    assert deal.also("A: T0(D)", "B: H1").position().trick.winning == "B"
    assert deal.also("A: T0(D)", "B: H1", "C: D1").position().tricks[0].winner == "C"


@pytest.mark.parametrize(("game", "players"), [row for row in TABLES if row[0] != "strohmann"])
def test_at_the_end_what_was_put_away_lies_open_and_counts(game: str, players: int) -> None:
    opened = 0
    for record in simulate(game, players=players, deals=12, seed=9):
        end = position(record, len(record.events))
        countings = {c.side: c.points for c in check(record).countings}
        for view in record.seats:
            at = position(record, 10_000, view)
            for seat, put in at.discards.items():
                assert put.cards == put.shown == end.discards[seat].cards
                opened += seat != view
            assert at.points == end.points
            before = position(record, at.steps - 1, view)
            for seat, put in before.discards.items():
                assert (put.cards is None) == (seat != view)
        if game == "grosstarock":
            assert end.points == countings
    assert opened


LOW = {"A": "S7 S8 S9 C7 C8 C9 H4 H3 H2 D4 D3 D2"}


@pytest.mark.parametrize(("hands", "words", "prefer", "lines", "score"), [
    # A announces a valat that B doubles, and takes no trick. The opponents have all the points, 70:
    # (70 − 35) × 6 = 210 for the game, 140 × 2 = 280 for the valat announced, 70 for the one that they
    # made. 210 + 280 + 70 = 560.
    (LOW, ["A announce valat", "B announce flek:valat", *"CDA"], "T1",
     {"game": -210, "valat-announced": -280, "valat": -70}, -560),
    # B announces; A takes every trick with 68 points: (68 − 35) × 6 = 198, T1 in the last trick 10, 140
    # and 70: 198 + 10 + 140 + 70 = 418.
    (SWEEP, ["A pass", "B announce valat", *"CD"], "T0",
     {"game": 198, "pagat-ultimo": 10, "valat-announced": 140, "valat": 70}, 418),
])  # fmt: skip
def test_an_announced_valat_that_the_other_side_makes(
    hands: dict[str, str], words: list[str], prefer: str, lines: dict[str, int], score: int
) -> None:
    deal = solo(hands).say(*(word if " " in word else f"{word} pass" for word in words))
    found = deal.play_out([prefer], low=False).verdict()
    assert found.verdict == "verified"
    assert {line.clause: points(found, line.clause) for line in found.lines} == {
        f"taroky.{name}": alone(amount) for name, amount in lines.items()
    }
    assert (found.score, found.facts["tricks"]["A"]) == (alone(score), 0 if score < 0 else 12)


@pytest.mark.parametrize(("speaker", "hands", "lines", "score"), [
    # A takes every trick: his bolé, announced before the first lead, 52 from each; his null costs him 10 to
    # each. T1 in the last trick 15, four Kings 5 each: 52 − 10 + 15 + 20 = 77 from each.
    ("A", STRONG, {"bole": [each("A", 52)], "null": [each("A", -10)], "pagat-ultimo": [each("A", 15)]},
     each("A", 77)),
    # B takes no trick, and neither does C: A's bolé counts, and nobody makes a null in addition. A gets
    # 26 + 15 + 20 from each; B pays 52 + 10 to each.
    ("B", STRONG, {"bole": [each("A", 26), each("B", -52)], "null": [each("B", -10)]},
     {"A": 122 + 62, "B": -61 - 124, "C": -61 + 62}),
    # B takes no trick, but the others some: 36 from each for the null, 52 to each for the bolé.
    ("B", {"B": "S9-S2 C9-C2 H2-H9 D9"},
     {"bole": [each("B", -52)], "null": [each("B", 36)], "card-points": []}, None),
])  # fmt: skip
@pytest.mark.parametrize("said", [("bole", "null"), ("null", "bole")])
def test_bole_and_null_of_one_player_are_each_settled(
    said: tuple[str, str], speaker: str, hands: dict[str, str], lines: dict[str, Any], score: Any
) -> None:
    deal = gross(hands).say(*(f"{speaker} announce {word}" for word in said))
    found = deal.play_out(["SK", "HK", "DK", "CK", "T21"] if hands is STRONG else (), low=False).verdict()
    assert found.verdict == "verified"
    for name, paid in lines.items():
        assert [one.points for one in found.lines if one.clause == f"grosstarock.{name}"] == paid
    assert score in (None, found.score)
