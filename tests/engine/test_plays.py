"""Why a card could be played, where a clause of the game widens or narrows the duty to follow."""

from __future__ import annotations

from typing import Any

import pytest

from tarock.analysis import commentary
from tarock.words import sentences
from tests.engine.builder import Deal
from tests.engine.clauses.grosstarock import gross
from tests.engine.clauses.taroky import duty, varsava
from tests.engine.clauses.test_troggu import withheld


def last(deal: Deal, view: str | None = None) -> dict[str, Any]:
    found = commentary.reasons(deal.record(), view)[-1]
    assert found is not None
    return found


def sentence(deal: Deal) -> str:
    found = last(deal)
    assert found["kind"] in ("special", "open")
    seat, _verb, card = deal.record().events[-1]
    names = sentences.Names(found["clause"].partition(".")[0])
    return sentences.play(found, seat, card.partition("(")[0], names)


@pytest.mark.parametrize(
    ("game", "kind"), [("strohmann", "follow"), ("taroky", "follow"), ("troggu", "fool")]
)
def test_where_the_fool_is_the_highest_tarock_it_has_no_rules_of_its_own(game: str, kind: str) -> None:
    begun = {
        "strohmann": Deal("strohmann", {"A": "T5", "B": "T0"}).say("A take"),
        "taroky": duty({"A": "T5", "B": "T0"}).passes("ABCD"),
        "troggu": Deal("troggu", {"A": "T5", "B": "T0"}).say("A solo"),
    }[game]
    found = last(begun.also("A: T5 T0"), "A")
    assert (found["kind"], found["clause"]) == (kind, f"{game}.follow")
    assert found["choices"] is found["legal"] is None


def test_who_holds_the_skus_may_play_it_too() -> None:
    deal = gross({"A": "HQ", "B": "H1 H2 T0"}, {"B": "H"})
    assert sentence(deal.also("A: HQ H1")) == (
        "B must follow suit (hearts) or play the Sküs and can choose from 3 cards."
    )
    none = gross({"A": "HQ", "B": "S2 T5 T0"}, {"B": "H T"})
    assert sentence(none.also("A: HQ T0")) == "B has no hearts left and must play a tarock or the Sküs."
    # To the others it is but a card that follows.
    assert last(deal.also("A: HQ H1"), "C")["kind"] == "follow"


def test_after_a_void_naming_the_next_card_leads() -> None:
    deal = gross({"A": "T0 SK-S2"}, {"B": "S", "C": "S"})
    card = deal.hand("B")[0]
    for view in (None, "A", "B", "C"):
        found = last(deal.also(f"A: T0(S) {card}"), view)
        assert (found["kind"], found["clause"], found["suit"]) == ("open", "grosstarock.skus-lead", None)
    assert sentence(deal.also(f"A: T0(S) {card}")) == (
        "Nobody else holds the suit, or tarocks, named with the Sküs: B may play any card, and that card "
        "counts as the card led."
    )


def test_the_bettler_as_only_tarock_widens_the_choice() -> None:
    deal = withheld().also("B: SK")
    assert sentence(deal) == "B's only tarock is the Bättler, which may be held back: any card may be played."
    assert last(deal)["choices"] == 13
    dead = deal.also("C: D1", "D: D2", "A: T21 H1")
    assert sentence(dead) == "B keeps the dead Bättler and cannot follow: any other card may be played."


def test_in_varsava_it_is_said_whether_to_beat_or_to_keep_the_pagat() -> None:
    hands = {"A": "S9 T1 T2", "B": "S8 SJ SK", "C": "T5 T7", "D": "T6 T9 S10", "talon": "T0 T21 T20 SQ SC S7"}
    deal = varsava(hands, {"A": "S", "B": "S", "C": "S T", "D": "S T"})
    assert sentence(deal.also("A: S9")).startswith("In Varšava A must keep the Pagat as the last tarock: ")
    assert sentence(deal.also("A: S9 SJ")) == "In Varšava B must beat the trick, and can do so with 2 cards."


def test_a_pagat_announced_is_held() -> None:
    deal = duty({"A": "T20", "B": "T1 T5 T4 T19"}, without={"B": "T"}).also("A pass", "B announce pagat")
    assert sentence(deal.passes("CD").say("A: T20 T5")) == (
        "B announced the pagat and must keep the Pagat as long as another card may be played: "
        "3 cards are left to choose from."
    )


def test_the_plain_duty_names_no_sentence_of_a_clause() -> None:
    deal = Deal("strohmann", {"A": "SK", "B": "SQ"}).say("A take", "A: SK SQ")
    assert (last(deal)["kind"], last(deal)["reason"]) == ("follow", None)
