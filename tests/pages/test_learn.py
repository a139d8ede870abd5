"""Pages for newcomers: what they claim is what the engine finds, in four languages."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape

import pytest
from django.test import Client
from django.utils import translation

from replays.learn.demonstration import Demonstration, record_of
from replays.learn.quiz import quiz
from tarock.analysis.verify import check
from tarock.games import GAMES
from tarock.words.clauses import LANGUAGES, book, clause
from tarock.words.terms import marked, terms
from tests.support import samples

from .conftest import Page, Store, page_at

pytestmark = pytest.mark.django_db

ALL = pytest.mark.parametrize("game", GAMES)
SPOKEN = pytest.mark.parametrize("language", LANGUAGES)


@ALL
@SPOKEN
def test_a_composed_deal_plays_with_its_captions(client: Client, game: str, language: str) -> None:
    def at(query: str = "") -> Page:
        return page_at(client, f"/learn/{game}/{query}", headers={"accept-language": language})

    text = re.sub(r"\s", "", at().text)
    with translation.override(language):
        captions = Demonstration(game).captions
    frames = client.get(f"/learn/{game}/frames.json", headers={"accept-language": language}).json()["frames"]
    assert len(frames) == len(record_of(game).events) + 1
    for caption in captions:
        # A word with an explanation is an element of its own.
        assert re.sub(r"\s", "", caption.text) in text
        assert caption.text in unescape(frames[caption.step]["status"])
    for step in (captions[0].step, captions[-1].step):
        assert at(f"?step={step}").attributes("data-step") == [f"{step}"]


def test_the_captions_give_the_points_that_the_engine_finds() -> None:
    scores = {game: check(record_of(game)).score for game in GAMES}
    assert scores["strohmann"] == {"A": 4 + 1 + 1, "B": 0}
    assert scores["taroky"] == {"A": -14, "B": 14, "C": -14, "D": 14}  # 21 + 5 − 40 = −14
    assert scores["troggu"] == {"A": 1, "B": 1, "C": -3, "D": 1}
    lines = [(line.clause, line.points["B"]) for line in check(record_of("grosstarock")).lines]
    assert lines[-2:] == [("grosstarock.pagat-ultimo", 30), ("grosstarock.card-points", 0)]


@ALL
def test_one_answer_of_each_question_is_right(client: Client, game: str) -> None:
    page = page_at(client, f"/learn/{game}/quiz/")
    questions = quiz(game)
    assert len(questions) == 10
    assert len({question.name for question in questions}) == 10
    places: Counter[int] = Counter()
    for question in questions:
        assert question.answer in page.text
        (right,) = [n for n, choice in enumerate(question.choices) if choice.right]
        assert len({choice.value for choice in question.choices}) == len(question.choices)
        places[right] += 1
    assert len(places) > 1


@ALL
@SPOKEN
def test_the_rules_for_players_have_all_clauses_and_no_notation(
    client: Client, game: str, language: str
) -> None:
    answer = client.get(f"/learn/{game}/rules/", headers={"accept-language": language})
    text = answer.content.decode()
    assert "<code>" not in text.partition("<details>")[0]
    for entry in book(game, language).clauses:
        assert entry.title in text
        assert f'id="{entry.slug}"' in text
    assert clause("common.trick", language).title in text


@ALL
@SPOKEN
def test_every_language_explains_the_same_words(client: Client, game: str, language: str) -> None:
    page = page_at(client, f"/learn/{game}/words/", headers={"accept-language": language})
    assert [term.slug for term in terms(game, language)] == [term.slug for term in terms(game)]
    for term in terms(game, language):
        assert term.slug in page.attributes("id")
        assert term.text in page.text
        assert [found for _piece, found in marked(term.word, game, language)] == [term]


def test_a_word_in_the_score_opens_its_explanation_once(client: Client, store: Store) -> None:
    (deal,) = store(samples.TAROKY)
    text = client.get(f"/deals/{deal.pk}/audit/").content.decode()
    opened = re.findall(r'popovertarget="term-([a-z-]+)"', text)
    assert "pagat" in opened
    assert len(set(opened)) == len(opened)
    assert sorted(opened) == sorted(re.findall(r'id="term-([a-z-]+)" popover', text))


def test_an_unknown_game_is_not_found(client: Client) -> None:
    for page in ("", "frames.json", "rules/", "quiz/", "words/"):
        assert client.get(f"/learn/bridge/{page}").status_code == 404
