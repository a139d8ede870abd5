"""The clauses of Grosstarock for two players: A and B, dealer B, forehand A."""

from __future__ import annotations

import json
import re

import pytest

from tarock.analysis import audit, replay
from tarock.core.cards import CARDS
from tarock.notation import NotationError, read_one, write_text
from tests.engine.builder import Deal, assert_illegal, assert_legal, cards, no_line, points
from tests.engine.clauses.grosstarock import STRONG, for_two, kings


def stock_of(deal: Deal) -> list[str]:
    dealt = {card for cards in deal.form["deal"].values() for card in cards}
    return [card for card in CARDS if card not in dealt]


def test_grosstarock_two_deal() -> None:
    deal = Deal("grosstarock", players=2)
    sizes = {where: len(held) for where, held in deal.record().deal.items()}
    assert sizes == {"A": 25, "B": 25, "talon": 3}
    at = deal.position()
    assert (at.turn, at.phase, at.hands["B"].count, at.talon.count) == ("B", "exchange", 28, 0)
    assert (at.sitting, at.forehand, at.active) == (None, "A", ("A", "B"))
    # The dealer declares first, then the forehand, who leads; all 25 tricks are played.
    declaring = for_two(quiet=False)
    assert declaring.position().turn == "B"
    assert_illegal(declaring.also("B pass", "A pass", "B pass"), "common.turn")
    over = for_two().play_out()
    assert len(over.record().events) == 3 + 50
    assert over.verdict().verdict == "verified"
    # The discard is as with three.
    king = Deal("grosstarock", {"B": "SK S2 S3"}, players=2).say("B discard SK S2 S3")
    assert_illegal(king, "grosstarock.discard")
    wrong = Deal("grosstarock", players=2)
    wrong.form["deal"]["B"] += wrong.form["deal"]["talon"]
    wrong.form["deal"]["talon"] = []
    with pytest.raises(NotationError, match="wrong-size") as caught:
        wrong.record()
    assert caught.value.finding.clause == "grosstarock.two-deal"
    # A led Sküs can name one.
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
    put = Deal("grosstarock", {"stock": "S5"}, players=2).say("B discard S5 S4 S3")
    assert_illegal(put, "common.not-held")
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
    with pytest.raises(NotationError, match="cards-missing"):
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
    assert assert_illegal(deal.also("A pass"), "common.unexpected").error.reason == "verb"
    # A player without a trick has no null.
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


def test_grosstarock_two_past_has_what_later_scores_depend_on() -> None:
    """Who owes a card, the lowest values in the tricks of A and B while the Sküs is held, and the Kings."""
    deal = for_two({"A": "SK T0", "B": "S7 S6 SQ"}).say("A: SK S7")
    assert deal.table().past() == (None, 1, 0, ("SK", "A", "won"))
    assert deal.say("A: T0(S) S6").table().past() == (None, 0, 0, ("SK", "A", "won"))
    assert for_two({"A": "T0", "B": "S7"}).say("A: T0(S) S7").table().past() == (("A", "B"), 0, 0)


def test_grosstarock_two_tout() -> None:
    last = ["SK", "HK", "DK", "CK", "T21"]
    pagat = for_two({**STRONG, "stock": "T0"}).play_out(last, low=False).verdict()
    assert points(pagat, "grosstarock.two-tout") == {"A": 25}
    assert no_line(pagat, "grosstarock.pagat-ultimo")
    # A King in the last trick that wins it is not paid either, nor is the trick.
    king = for_two({**STRONG, "stock": "T0"}).play_out(cards("HK DK CK T21-T1"))
    assert king.form["events"][-2][2] == "SK"
    assert points(king.verdict(), "grosstarock.two-tout") == {"A": 25}
    assert no_line(king.verdict(), "grosstarock.king-ultimo")
    plain = for_two({"A": "T21-T2 SK HK DK CK SQ", "stock": "T0 T1"}).play_out([*last, "T20"], low=False)
    assert no_line(plain.verdict(), "grosstarock.last-trick")
    assert points(plain.verdict(), "grosstarock.two-tout") == {"A": 25}
    # The other's loss in it remains.
    other = for_two({"A": "T21-T1 SK HK DK S10", "B": "CK", "stock": "T0"})
    other.play_out(["SK", "HK", "DK", "S10", "T21"], low=True)
    assert other.form["events"][-1][2] == "CK"
    assert points(other.verdict(), "grosstarock.two-tout") == {"A": 25}
    assert points(other.verdict(), "grosstarock.king-ultimo") == {"B": -10}
    # One trick away there is a note, and nothing else.
    near = for_two({"A": "T21-T1 SK HK DK C2", "B": "CK", "stock": "T0"}).play_out(["C2"], low=False)
    assert no_line(near.verdict(), "grosstarock.two-tout")
    notes = [note.kind for note in audit.notes(near.record()) if note.clause == "grosstarock.two-tout"]
    assert notes == ["tricks-near"]


def test_grosstarock_two_count() -> None:
    found = for_two(STRONG).play_out(low=False).verdict()
    counts = {count.side: count for count in found.countings}
    # A has 50 cards, B the three blanks that he put away: 3 − 1.
    assert (counts["B"].cards, counts["B"].value, counts["B"].pairs, counts["B"].rest) == (3, 3, 1, 1)
    assert counts["B"].points == 2
    assert (counts["A"].cards, counts["A"].pairs, counts["A"].threes) == (50, 25, 0)
    assert counts["A"].scheme == "twos"
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
