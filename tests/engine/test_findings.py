"""The sentences of findings: who, which card, which trick, why not, and whose turn it is and why. One deal
for each sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tarock.words import sentences
from tarock.words.clauses import book_names
from tests.engine.builder import Deal
from tests.engine.clauses.grosstarock import gross
from tests.engine.clauses.taroky import duty, solo, varsava
from tests.engine.wrong import WRONG, doubled, duty_surrendered, strohmann
from tests.texts.test_clauses import data_of


def reason_of(deal: Deal) -> tuple[str, str, str]:
    """The clause and the reason of what is wrong with a deal, and the sentence without the choices."""
    found = deal.verdict()
    assert found.error.event == len(deal.form["events"]) - 1, found.error
    message = sentences.message(found.error, found.game or "")
    said, _, allowed = message.partition("; allowed: ")
    assert bool(allowed) == bool(found.error.legal)
    assert sentences.finding(found.error, sentences.Names(found.game or "")) == said
    return str(found.error.clause), found.error.reason, said


@pytest.mark.parametrize(("language", "places"), [
    ("en",
     ["turn 1 before the play", "trick 1, first card", "trick 1, second card", "trick 2, first card"]),
    ("de", ["1. Zug vor dem ersten Stich", "1. Stich, erste Karte", "1. Stich, zweite Karte"]),
    ("cs", ["1. tah před sehrávkou", "1. štych, první karta", "1. štych, druhá karta"]),
    ("ja", ["プレイ前の1手目", "1トリック目の1枚目", "1トリック目の2枚目"]),
])  # fmt: skip
def test_where_an_event_stands(language: str, places: list[str]) -> None:
    record = strohmann("A take", "A: SK SQ", "B: HK", A="SK", B="SQ HK").record()
    names = sentences.Names("strohmann", language)
    assert [sentences.place(record, n, names) for n in range(len(places))] == places
    assert sentences.place(record, 99, names) == sentences.place(record, 3, names)
    assert sentences.place(strohmann().record(), 0, names) == ""


def test_where_a_word_stands() -> None:
    record = doubled().record()
    told = [sentences.place(record, n) for n in range(len(record.events))]
    assert told[:2] == ["bid 1", "turn 2 before the play"]
    assert told[-2:] == ["announcement 1", "announcement 2"]
    assert "discard 1" in told
    record = gross({"A": "SK"}).say("A announce bole", "A: SK", "B pass").record()
    told = [sentences.place(record, n) for n in range(len(record.events) - 3, len(record.events))]
    assert told == ["announcement 1", "trick 1, first card", "trick 1, after 1 card"]
    after = gross({"A": "SK", "B": "SQ", "C": "SC"}).say("A: SK SQ SC", "B announce null").record()
    assert sentences.place(after, 99) == "before trick 2"


def test_the_choices_are_those_of_who_was_free_to_speak() -> None:
    """Bolé and null wait for nobody's turn: the choices are the speaker's own, not those of who leads."""
    once = gross().say("C announce bole", "C announce bole").verdict().error
    assert (once.reason, once.legal) == ("again", ("announce null",))
    both = gross().say("C announce null", "C announce bole", "C announce null").verdict().error
    assert both.legal == ()
    turn = gross().say("B pass").verdict().error
    assert (turn.clause, turn.legal[-1]) == ("common.turn", "announce null")


def test_what_the_sheet_is_headed_by() -> None:
    called, settling = "First Duty; bidder A; called T19", {"options": ["settle-uncontested"]}
    for deal, said in (
        (duty({"B": "T19"}).passes("ABCD").play_out(), f"{called}; partner B"),
        (duty({"A": "T19"}).passes("ABCD").play_out(), f"{called}; alone against three"),
        (duty({"B": "T19"}, **settling).passes("ABCD"),
         f"{called}; partner B; an uncontested First Duty is settled without play"),
        (duty({"B": "T19"}, **settling).say("A announce valat").passes("BCD").play_out(),
         f"{called}; partner B"),
        (duty_surrendered(), called),
        (varsava({}).play_out(), "Varšava"),
    ):  # fmt: skip
        assert "; ".join(sentences.heading(deal.verdict().facts, sentences.Names("taroky"))) == said


@pytest.mark.parametrize(("wrong", "build", "said"), WRONG, ids=[row[0] for row in WRONG])
def test_what_is_said_of_it(wrong: str, build: Callable[[], Deal], said: str) -> None:
    clause, reason, found = reason_of(build())
    assert (f"{clause} {reason}", found) == (wrong, said)


def test_there_is_a_deal_for_every_sentence() -> None:
    """Of the clauses on turns, on what belongs where, on doubles, discards and declarations."""
    wanted = set()
    for game in book_names():
        for slug, entry in data_of(game, "en").items():
            name = slug.partition(".")[2]
            chosen = slug in ("common.turn", "common.unexpected", "taroky.double") or name == "discard"
            if chosen or name.startswith(("declare-", "hand-")):
                wanted |= {f"{slug} {key}" for key in entry.get("findings", {})}
    assert len(wanted) > 45
    assert wanted <= {wrong for wrong, _, _ in WRONG}


def test_many_choices_are_counted() -> None:
    error = gross({"A": "SK"}).say("B: S1").verdict().error
    assert error.legal is not None
    legal = ", ".join(error.legal[:16])
    more = len(error.legal) - 16
    assert sentences.message(error, "grosstarock").endswith(f"; allowed: {legal} and {more} more")


@pytest.mark.parametrize(("deal", "said"), [
    (Deal("troggu"), "the record ends before its first event; it is A's turn (Bidding)"),
    (Deal("troggu").say("A take", "B pass"),
     "B passes, and the record ends there; it is C's turn (Bidding)"),
    (solo({"A": "SK"}).passes("ABCD").say("A: SK"),
     "A plays SK, and the record ends there; it is B's turn (Play)"),
])  # fmt: skip
def test_what_is_said_of_a_record_that_breaks_off(deal: Deal, said: str) -> None:
    found = deal.verdict()
    assert found.verdict == "incomplete"
    assert (found.error.clause, found.error.event) == (None, len(deal.form["events"]))
    assert sentences.message(found.error, found.game or "").partition("; allowed: ")[0] == said
