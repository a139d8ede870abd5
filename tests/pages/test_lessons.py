"""The five pictures of the front page: what they claim is so by the engine."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from replays.home.lessons import Lesson, lessons
from tarock.core.cards import BEATS, BIT, INDEX, bits, pack
from tarock.core.scoring import in_threes
from tarock.games import GAMES
from tarock.words.clauses import book

from .conftest import Page


def lesson(name: str) -> Lesson:
    (found,) = [one for one in lessons() if one.name == name]
    return found


def right(one: Lesson) -> str:
    (found,) = [choice.value for choice in one.choices if choice.right]
    return found


def test_the_right_card_takes_the_trick() -> None:
    """Whatever else lies there, and whichever of them was led."""
    one = lesson("trumps")
    for choice in one.choices:
        if not choice.right:
            assert BEATS[INDEX[choice.value]] & BIT[right(one)]


def test_the_skus_is_the_highest_of_the_trull() -> None:
    assert right(lesson("skus")) == "T0"
    assert BEATS[INDEX["T21"]] & BIT["T0"]


def test_three_cards_are_counted_as_by_the_rules() -> None:
    """5 + 1 + 1 − 2 = 5; all 54 cards are worth 70."""
    one = lesson("threes")
    assert right(one) == str(in_threes(bits([face.code for face in one.lying])))
    assert in_threes(pack(54)) == 70
    assert "70" in one.answer


def test_the_pagat_scores_in_the_last_trick_of_all_games_but_troggu() -> None:
    for game in GAMES:
        slugs = [clause.slug for section in book(game).sections for clause in section.clauses]
        assert any("pagat-ultimo" in slug for slug in slugs) == (game != "troggu"), game
    assert right(lesson("pagat")) == "T1"


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "de", "cs", "ja"])
def test_they_stand_on_the_front_page(client: Client, language: str) -> None:
    answer = client.get("/", headers={"accept-language": language})
    page = Page(answer.content.decode())
    with translation.override(language):
        for one in lessons():
            assert one.title in page.text
            assert one.answer in page.text
            assert len([choice for choice in one.choices if choice.right]) == 1
    assert page.attributes("type").count("radio") == 14
