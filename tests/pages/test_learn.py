"""Pages for newcomers: what they claim is what the engine finds, in four languages."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from itertools import product

import pytest
from django.test import Client
from django.utils import translation

from replays.learn.demonstration import Demonstration, record_of
from replays.learn.hands import HandPage, hands
from replays.learn.quiz import quiz
from tarock.analysis.endings import ending
from tarock.analysis.puzzles import with_line
from tarock.analysis.verify import check
from tarock.games import GAMES, start
from tarock.words.clauses import LANGUAGES, book, clause
from tarock.words.terms import marked, terms
from tests.support import samples

from .conftest import Page, Store, page_at, present

pytestmark = pytest.mark.django_db

ALL = pytest.mark.parametrize("game", GAMES)
SPOKEN = pytest.mark.parametrize("language", LANGUAGES)


@pytest.mark.parametrize(
    ("game", "language"), [*product(GAMES, ["en"]), *zip(GAMES, ("de", "cs", "ja", "de"), strict=True)]
)
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
def test_the_answers_to_the_ten_hands_are_right(game: str) -> None:
    """By the engine's rules, not by the page's own words."""
    assert len(hands(game)) == 10
    for hand in hands(game):
        record, choices = hand.puzzle.record, hand.puzzle.choices
        rights = 0
        for token, wrong in choices.items():
            page = HandPage(hand.puzzle, token, 0, hand.ask)
            found = check(page.after)
            if hand.ask == "best":
                values = ending(record, hand.puzzle.step).values
                assert values is not None
                assert max(values.values()) - values[token] == wrong[0]
                assert check(with_line(record, hand.puzzle.step, wrong[1])).verdict == "verified"
            elif found.verdict == "illegal":
                assert [error.clause for error in found.errors] == [wrong]
                assert page.answer[1] == wrong
            elif hand.ask == "take":
                table = start(record)
                for event in page.after.events:
                    table.apply(event)
                assert (table.tricks[-1].winner == page.seat) == (wrong is None)
                assert page.answer[1] == (wrong or hand.puzzle.theme)
            else:
                assert wrong is None, "only an illegal choice is wrong"
            assert page.answer[0]
            rights += page.is_right
        assert 0 < rights < len(choices)
        assert hand.puzzle.theme in {HandPage(hand.puzzle, t, 0, hand.ask).answer[1] for t in choices}


@ALL
def test_a_hand_is_answered_by_its_clause_and_hides_the_cards_of_the_others(
    client: Client, game: str
) -> None:
    """Each hand in English and in another language."""

    def at(number: int, language: str, **query: str) -> Page:
        return page_at(client, f"/learn/{game}/hands/{number}/", query, headers={"accept-language": language})

    for number, hand in enumerate(hands(game), 1):
        right, wrong = (
            next(t for t in hand.puzzle.choices if HandPage(hand.puzzle, t, 0, hand.ask).is_right is is_right)
            for is_right in (True, False)
        )
        for language in (LANGUAGES[0], LANGUAGES[1 + number % 3]):
            with translation.override(language):
                question = HandPage(hand.puzzle, "", 0, hand.ask).question
                says, slug = HandPage(hand.puzzle, wrong, 0, hand.ask).answer
            told = at(number, language, card=wrong)
            assert question in told.text
            # A word with an explanation is an element of its own.
            expected = f"{says}({clause(slug, language).title})"
            assert re.sub(r"\s", "", expected) in re.sub(r"\s", "", told.text)
        kept = [href for href in at(number, "en", card=right).attributes("href") if href]
        assert any(href.endswith(f"?done={number}") for href in kept)
        html, page = client.get(f"/learn/{game}/hands/{number}/").text, HandPage(hand.puzzle, "", 0, hand.ask)
        assert present(html, 'id="answer"', "is-legal") == []
        assert [seat.letter for seat in page.table.seats if seat.hand and not seat.hidden] == [page.seat]


def test_the_hands_that_were_right_are_counted(client: Client) -> None:
    where = "/learn/taroky/hands/1/"
    (right,) = [token for token, wrong in hands("taroky")[0].puzzle.choices.items() if wrong is None]
    text = page_at(client, where, {"done": "3.x.99.10", "card": right}).text
    assert "3 / 10" in re.sub(r"\s+", " ", text)
    for bad in ("T0(ros)", "x" * 500):
        assert client.get(where, {"card": bad}).status_code == 404
    for number in (0, 11):
        assert client.get(f"/learn/taroky/hands/{number}/").status_code == 404
    assert client.get("/learn/taroky/hands/9/", {"card": "T16", "at": "99999"}).status_code == 200
    assert client.get("/learn/bridge/hands/1/").status_code == 404


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
    # “Taroky” is also the Czech word for tarocks.
    others = [one for one in GAMES if one != game and (one, language) != ("taroky", "cs")]
    first = text.partition('id="section-first"')[2].partition("<section")[0]
    assert not [one for one in others if book(one, language).name in first or f"{one}." in first]
    assert len(re.findall("<h3>", first)) == 3, "the order of the cards, tricks, the Fool"


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


@pytest.mark.parametrize("language", ["en", "cs"])
def test_the_words_in_the_steps_of_a_replay_have_their_explanations(
    client: Client, store: Store, language: str
) -> None:
    (deal,) = store(samples.TAROKY)
    headers = {"accept-language": language}
    page = client.get(f"/deals/{deal.pk}/replay/?step=20", headers=headers).content.decode()
    frames = client.get(f"/deals/{deal.pk}/frames.json", headers=headers).json()["frames"]
    assert frames[20]["status"].strip() in page, "the script and the page show the same"
    opened = {
        slug for frame in frames for slug in re.findall(r'popovertarget="term-([a-z-]+)"', frame["status"])
    }
    assert opened
    boxes = re.findall(r'id="term-([a-z-]+)" popover', page)
    assert opened <= set(boxes)
    assert len(set(boxes)) == len(boxes)
    assert len(page.encode()) < 80_000
