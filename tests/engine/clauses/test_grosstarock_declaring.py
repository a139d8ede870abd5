"""The clauses of Grosstarock up to the declarations. Three players, dealer C, forehand A, unless said
otherwise."""

from __future__ import annotations

import pytest

from tarock.games import game
from tarock.notation import NotationError
from tests.engine.builder import Deal, assert_illegal, assert_legal, points
from tests.engine.clauses.grosstarock import TALON, declare, each, gross


def test_grosstarock_deal() -> None:
    assert game("grosstarock").seats == (2, 3, 4)
    deal = Deal("grosstarock")
    assert [len(cards) for cards in deal.record().deal.values()] == [25, 25, 25, 3]
    at = deal.position()
    assert (at.turn, at.phase, at.hands["C"].count, at.talon.count) == ("C", "exchange", 28, 0)
    # Four seats: the second after the dealer sits out.
    for dealer, sitting, forehand in (("A", "C", "B"), ("B", "D", "C"), ("C", "A", "D"), ("D", "B", "A")):
        deal = Deal("grosstarock", players=4, dealer=dealer)
        assert sitting not in deal.form["deal"]
        at = deal.position()
        assert (at.sitting, at.forehand) == (sitting, forehand)
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
        never = deal.also(f"C discard {bad} S1 C1")
        assert_illegal(never, "grosstarock.discard", includes=["S1", "SQ", "T0"], excludes=[bad])
    assert_legal(deal.also("C discard T0 SQ S1"))
    assert_illegal(deal.also("C discard S1 C1"), "common.count")
    assert_illegal(deal.also("C discard S1 C1 C1"), "common.item")
    # Tarocks: without T21, with T1, three at most with T0, and all of them.
    for held, legal, illegal in (
        ("T1", "T1 S1 C1", ""),
        ("T1 T2", "T1 T2 S1", "T1 S1 C1, T2 S1 C1"),  # not all
        ("T1 T2 T3", "T1 T2 T3", ""),
        ("T0 T1", "T0 T1 S1, T0 S1 C1", "T1 S1 C1"),  # T0 is one of them, but may always go alone
        ("T0 T1 T2", "T0 T1 T2", "T1 T2 S1"),
        ("T1 T2 T3 T4", "", "T1 T2 T3"),  # four
        ("T0 T1 T2 T3", "", "T1 T2 T3"),  # four with T0
        ("T2 T3", "", "T2 T3 S1"),  # no T1
        ("T1 T21", "", "T1 S1 C1, T1 T21 S1"),  # T21 held
    ):
        deal = Deal("grosstarock", TALON | {"C": held}, without={"C": "T"})
        for put in filter(None, legal.split(", ")):
            assert_legal(deal.also(f"C discard {put}"))
        for put in filter(None, illegal.split(", ")):
            assert_illegal(deal.also(f"C discard {put}"), "grosstarock.discard")
    # The sentence names the tarocks that were put away, and the Sküs only if they all go together.
    for held, put, named in (("T0 T1 T2", "T0 T1 S1", "T0 T1"), ("T0 T2 T3", "T0 T2 S1", "T2")):
        wrong = Deal("grosstarock", TALON | {"C": held}, without={"C": "T"}).say(f"C discard {put}")
        assert wrong.verdict().error.values["cards"] == named.split()
    # Among the 28 cards counts what lay in the talon.
    drawn = Deal("grosstarock", {"C": "T1", "talon": "T21 C1 H10"}, without={"C": "T"})
    assert_illegal(drawn.say("C discard T1 C1 H10"), "grosstarock.discard")


def test_grosstarock_declare() -> None:
    deal = gross({"C": "SK SQ SC SJ"}, quiet=False)
    assert (deal.position().phase, deal.position().turn) == ("declaring", "C")
    said = deal.also("C announce cavallery:S")
    assert said.position().turn == "A", "one turn each"
    late = assert_illegal(said.also("B pass"), "common.turn").error
    assert (late.reason, late.values["before"]) == ("after", "C")
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
    # The other 21 cards and the Sküs are 22 ladons, which have no part in this.
    for item in ("matadors:3 skus-matadors:5", "skus-matadors:5 matadors:3 ladons:22"):
        assert_illegal(declare("T0 T21 T19 T1", item), "grosstarock.declare-skus-matadors")
    deal = gross({"A": "T0 T21 T19 T1"}, {"A": "T SK HK DK CK"}, quiet=False).say("C pass")
    moves = [event[2:] for event in deal.table().moves()]
    assert {("matadors:3",), ("skus-matadors:5",)} <= {*moves}
    assert not any({"matadors:3", "skus-matadors:5"} <= {*move} for move in moves)


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
    # 25 cards with a number of tarocks or court cards.
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
