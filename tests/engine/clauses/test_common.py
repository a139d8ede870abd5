"""The clauses that all games share: seats and cards, and what is wrong in any game."""

from __future__ import annotations

import pytest

from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check_entry
from tarock.core.cards import CARDS, looks_like_card
from tarock.games import games
from tarock.notation import read
from tarock.words import sentences
from tests.engine.builder import Deal, assert_illegal, assert_legal
from tests.engine.sheets import checked, sheet

CANONICAL = """
SK SQ SC SJ S10 S9 S8 S7 S6 S5 S4 S3 S2 S1 HK HQ HC HJ H1 H2 H3 H4 H5 H6 H7 H8 H9 H10
DK DQ DC DJ D1 D2 D3 D4 D5 D6 D7 D8 D9 D10 CK CQ CC CJ C10 C9 C8 C7 C6 C5 C4 C3 C2 C1
T0 T21 T20 T19 T18 T17 T16 T15 T14 T13 T12 T11 T10 T9 T8 T7 T6 T5 T4 T3 T2 T1
"""


@pytest.mark.parametrize(("game", "players", "dealer", "forehand"), [
    ("strohmann", 2, "A", "B"), ("strohmann", 2, "B", "A"), ("taroky", 4, "A", "B"), ("taroky", 4, "D", "A"),
    ("troggu", 8, "H", "A"), ("troggu", 5, "B", "C"), ("grosstarock", 3, "C", "A"),
    ("grosstarock", 4, "C", "D"),
])  # fmt: skip
def test_common_seats(game: str, players: int, dealer: str, forehand: str) -> None:
    at = Deal(game, players=players, dealer=dealer).position()
    assert at.seats == tuple("ABCDEFGH"[:players])
    assert (at.dealer, at.forehand) == (dealer, forehand)
    directions = {g.id: g.direction for g in games()}
    assert at.direction == directions[game]
    assert directions["taroky"] == directions["troggu"] == "anticlockwise"
    assert directions["grosstarock"] == "clockwise"
    usual = {"strohmann": 2, "taroky": 4, "troggu": 3, "grosstarock": 3}
    assert {g.id: g.usual_seats for g in games()} == usual


def test_common_session() -> None:
    """In a session the next dealer is the next seat; for every table, see `tests/simulate`."""
    first, second, *_ = simulate("troggu", players=7, deals=14, seed=3)
    assert first.tags["Session"] == second.tags["Session"]
    assert (first.dealer + second.dealer) in "ABCDEFGA"
    assert (first.tags["Deal"], second.tags["Deal"]) == ("1", "2")


def winner(led: str, others: str) -> str:
    """The card that wins a trick of Taroky of the card led and three others, of its suit or tarocks."""
    cards = [led, *others.split()]
    given = dict(zip("ABCD", cards, strict=True))
    without = {s: led[0] for s in "BCD" if given[s][0] == "T" != led[0]}
    deal = Deal("taroky", given, without=without).say("A bid solo").passes("BCD").passes("ABCD")
    deal.say(f"A: {' '.join(cards)}")
    assert_legal(deal)
    turn = deal.position().turn
    return given[turn]


def test_common_card_order() -> None:
    assert list(CARDS) == CANONICAL.split()
    words = ("H0", "T22", "X5", "H", "", "game", "T²", "T٣")
    assert [word for word in words if looks_like_card(word)] == ["H0", "T22"]
    assert winner("S10", "S9 S8 S7") == "S10"
    assert winner("H4", "H3 H2 H1") == "H1", "in the red suits the 1 is the highest pip"
    assert winner("H1", "HJ HC HQ") == "HQ"
    assert winner("C7", "C10 CJ CK") == "CK"
    assert winner("D2", "D1 D3 D4") == "D1"
    assert winner("T2", "T1 T20 T21") == "T21"
    assert winner("T21", "T0 T1 T20") == "T0"


def test_common_trick() -> None:
    assert winner("S7", "S8 HK T1") == "T1", "the highest tarock, however low"
    assert winner("S7", "T3 T9 T5") == "T9"
    assert winner("S7", "T3 S8 SK") == "T3"
    # Cards of other suits never win: B has no spades, and his tarocks lie face down.
    piles = {"B/1": "C9 C8 C7 T1", "B/2": "CJ CC CQ T2", "B/3": "D4 D3 D2 T3"}
    deal = Deal("strohmann", {"A": "S7", "B": "HK"} | piles, without={"B+": "S T"}).say("A take", "A: S7 HK")
    assert deal.position().tricks[0].winner == "A"


def test_common_equal_value() -> None:
    """A pays for his Sküs out of SK S9 S7: of the two blanks S7 comes last."""
    deal = Deal(
        "grosstarock",
        {"A": "SK T0", "B": "S9 H8", "C": "S7 H1", "talon": "S1 C1 H10"},
        without={"B": "S T", "C": "S"},
    )
    deal.say("C discard S1 C1 H10").passes("CAB").say("A: SK S9 S7", "A: T0(H) H8 H1")
    table = deal.table()
    assert table.taken["C"] >> CARDS.index("S7") & 1
    assert not table.taken["C"] >> CARDS.index("S9") & 1


def test_common_check_order() -> None:
    """End, turn, verb, arguments, cards held, the game's clauses: the first that is wrong is named."""
    deal = Deal("taroky", {"A": "SK T5", "B": "S7"}).say("A bid first").passes("BCD").say("A call T19")
    assert_illegal(deal.also("B announce uhu uhu"), "common.turn")  # before verb and argument
    assert_illegal(deal.also("A announce uhu"), "common.unexpected")  # before the argument
    assert_illegal(deal.also("A discard SK SK"), "common.count")  # before a card twice
    assert_illegal(deal.also("A discard SK SK S7 T5"), "common.item")  # before a card not held
    assert_illegal(deal.also("A discard S7 SK T5 T0"), "common.not-held")  # before what may not go
    over = Deal("taroky").say("A bid first").passes("BCD").say("A varsava").play_out()
    assert_illegal(over.also("C announce uhu"), "common.after-end", legal=[])


@pytest.mark.parametrize(("game", "opening"), [
    ("strohmann", "A take"), ("taroky", "A bid solo"), ("troggu", "A solo"),
    ("grosstarock", "C discard S1 C1 H10"),
])  # fmt: skip
def test_common_after_end(game: str, opening: str) -> None:
    whole = Deal(game, {"talon": "S1 C1 H10"} if game == "grosstarock" else {}).say(opening).play_out()
    assert whole.verdict().verdict == "verified"
    card = whole.hand("A")[0]
    for more in ("A pass", f"A: {card}", "B take", "A announce valat"):
        assert_illegal(whole.also(more), "common.after-end", legal=[])
    again = whole.also("A pass", "B pass")
    assert_illegal(again, "common.after-end", event=len(whole.form["events"]))


def test_common_turn() -> None:
    for game, wrong, legal in (
        ("strohmann", "B take", ["take", "pass"]),
        ("troggu", "C solo", ["take", "solo", "pass"]),
        ("taroky", "D pass", ["bid first", "bid troika", "bid solo"]),
    ):
        found = assert_illegal(Deal(game).say(wrong), "common.turn", legal=legal)
        assert sentences.message(found.error, game).endswith(f"; allowed: {', '.join(legal)}")
    deal = Deal("troggu", {"A": "SK", "B": "SQ", "C": "SJ"}).say("A solo")
    assert_illegal(deal.also("B: SQ"), "common.turn", seat="B")
    deal.form["events"] += [["A", "play", "SK"], ["C", "play", "SJ"]]
    assert_illegal(deal, "common.turn", seat="C")
    sitter = Deal("grosstarock", players=4, dealer="D").say("B pass")
    assert_illegal(sitter, "common.turn", seat="B")


def test_common_unexpected() -> None:
    for game, words in {
        "strohmann": "bid first, solo, discard SK, announce valat, call T19, varsava",
        "taroky": "take, solo, alone, call T19, varsava, level 1, refuse, surrender",
        "troggu": "bid solo, call SK, alone, discard SK, announce null, varsava",
        "grosstarock": "take, announce kings:3, pass, bid first",
    }.items():
        seat = "C" if game == "grosstarock" else "A"
        for word in words.split(", "):
            assert_illegal(Deal(game).say(f"{seat} {word}"), "common.unexpected")
        card = Deal(game).hand(seat)[0]
        assert_illegal(Deal(game).say(f"{seat}: {card}"), "common.unexpected")
    playing = Deal("taroky", {"A": "SK"}).say("A bid first").passes("BCD").say("A varsava")
    for word in ("pass", "announce flek:game", "bid solo", "call T19", "varsava", "discard SK"):
        assert_illegal(playing.also(f"A {word}"), "common.unexpected", includes=["SK"])


def test_common_count() -> None:
    deal = Deal("taroky")
    assert_illegal(deal.also("A bid"), "common.count")
    assert_illegal(deal.also("A bid first solo"), "common.count")
    assert_illegal(deal.also("A bid first", "B pass now"), "common.count")
    playing = Deal("strohmann", {"A": "T5 T6"}).say("A take")
    for event in (["A", "play"], ["A", "play", "T5", "T6"]):
        wrong = playing.also()
        wrong.form["events"].append(event)
        assert_illegal(wrong, "common.count", includes=["T5", "T6"])
    playing.form["events"].append(["B", "play", "T5", "T6"])
    assert_illegal(playing, "common.turn")
    assert_illegal(Deal("grosstarock").say("C discard S1 S2 S3 S4"), "common.count")
    assert_illegal(Deal("grosstarock").say("C discard"), "common.count")


def test_common_item() -> None:
    deal = Deal("taroky").say("A bid solo").passes("BCD")
    wrong = "flek flek:solo flek: :game kings:3 pagat:game taroky:10 T19"
    for words in (*wrong.split(), "valat valat"):
        assert_illegal(deal.also(f"A announce {words}"), "common.item", includes=["announce valat", "pass"])
    assert_illegal(Deal("taroky").say("A bid fourth"), "common.item")
    call = Deal("taroky").say("A bid first").passes("BCD")
    assert_illegal(call.also("A call joker"), "common.item")
    discard = Deal("troggu", {"A": "S5 S6"}, players=8).say("A take").passes("BCDEFGH")
    assert_illegal(discard.also("A discard S5 S5 S6 S6 S5 S6"), "common.item")


def test_common_not_held() -> None:
    deal = Deal("taroky", {"A": "SK S7 T5", "B": "SQ T9", "C": "SJ", "D": "S9", "talon": "S8 C7 C8 H4 D4 T0"})
    deal.say("A bid solo").passes("BCD").passes("ABCD")
    held = ["SK", "S7", "T5"]
    found = assert_illegal(deal.also("A: SQ"), "common.not-held", includes=held, excludes=["SQ"])
    assert "SQ" in sentences.message(found.error)
    assert_illegal(deal.also("A: S8"), "common.not-held")  # in the talon
    after = deal.also("A: SK SQ SJ S9")
    assert_illegal(after.also("A: SK"), "common.not-held")  # played before
    assert_illegal(after.also("A: S7 SQ"), "common.not-held", seat="B")
    down = Deal("strohmann", {"A/1": "S7 SK S9 S8"}).say("A take")
    assert_illegal(down.also("A: S8"), "common.not-held")  # face down
    put = Deal("troggu", {"A": "SQ", "talon": "S10-S5 C10-C7"}).say("A take").passes("BCD")
    put.say("A discard S10 S9 S8 S7 S6 S5 C10 C9 C8 SQ")
    assert_illegal(put.also("A: SQ"), "common.not-held")  # put away


def test_common_options() -> None:
    """The stake multiplies every amount: 3 for the game and 1 for the Pagat, by 10. `Rules` alone fills the
    options in, and the unit is a label."""
    lines = "contract take\ndeclarer A\npoints A 40\npagat B"
    assert checked("strohmann", lines, 2, "stake=10 unit=cent").score == {"A": 30, "B": 10}
    text = sheet("strohmann", lines, 2).replace("\n\n", '\n[Rules "mayr-sedlaczek-2007@1"]\n\n', 1)
    assert check_entry(read(text)[0]).score == {"A": 30, "B": 10}
