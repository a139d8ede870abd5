"""Pages of puzzles: solving one with or without a script, and what guests, members and strangers get."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Attempt, Puzzle
from archive.reading import puzzles as reading
from archive.storing import corrections, puzzles, spaces
from tests.pages.conftest import missing, page_of
from tests.support import samples
from tests.support.storing import deal_of, puzzle_of, shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzle() -> Puzzle:
    return puzzle_of(deal_of(samples.TAROKY).pk)


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_wrong_card_is_answered_by_the_line_that_refutes_it(client: Client, puzzle: Puzzle) -> None:
    where = f"/puzzles/{puzzle.pk}/"
    page = page_of(client.get(where))
    assert missing(page.text, "Player D is to play.", "every other costs at least 5") == []
    assert not any(name in page.text for name in ("Alena", "Bořek", "Cyril", "Dana", "Hlučín"))
    answer = client.post(where, {"card": "SQ"})
    assert answer.status_code == 302
    page = page_of(client.get(answer["Location"].partition("#")[0]))
    assert (
        missing(page.text, "Queen of spades costs 5.", "Best play goes on like this:", "♠Q", "♠10", "♣J")
        == []
    )
    later = client.get(where, {"card": "SQ", "at": "2"})
    assert "Player A plays tarock XVI" in page_of(later).text
    page = page_of(client.get(where, {"card": "CJ"}))
    assert "Jack of clubs is right." in page.text
    assert "Try another card" not in page.text
    for bad in ("T21", "SQ(ros)", "x" * 500):
        assert client.post(where, {"card": bad}).status_code == 404
        assert client.get(where, {"card": bad}).status_code == 404
    assert client.get(where, {"card": "SQ", "at": "999999"}).status_code == 200
    assert not Attempt.objects.exists(), "nobody is signed in"


def test_users_see_their_own_record(alena: User, borek: User, puzzle: Puzzle) -> None:
    own, other = signed_in(alena), signed_in(borek)
    own.post(f"/puzzles/{puzzle.pk}/", {"card": "SQ"})
    own.post(f"/puzzles/{puzzle.pk}/", {"card": "CJ"})
    text = page_of(own.get("/puzzles/")).text
    assert missing(text, "Solved at the first attempt: 0 of 1", "in a row: 0", "✗") == []
    assert "Solved at the first attempt" not in page_of(other.get("/puzzles/")).text
    Attempt.objects.update(due_at="2026-01-01T00:00:00Z")
    assert "1 failed puzzle is back" in page_of(own.get("/puzzles/")).text
    assert f"/puzzles/{puzzle.pk}/" in own.get("/puzzles/?due=1").text
    assert "There are no such puzzles." in page_of(other.get("/puzzles/?due=1")).text


def test_puzzles_are_listed_by_game_theme_and_difficulty(client: Client) -> None:
    puzzles.load_composed()
    where = f"/puzzles/{puzzle_of(deal_of(samples.TAROKY).pk).pk}/"
    for query in ("", "game=taroky", "theme=points", "difficulty=new"):
        assert where in client.get(f"/puzzles/?{query}").text, query
    for query in ("game=troggu", "theme=result", "difficulty=hard"):
        assert where not in client.get(f"/puzzles/?{query}").text, query
    assert client.get("/puzzles/?game=whist&page=x").status_code == 200


def test_the_puzzle_of_the_day_is_the_same_for_everybody(client: Client, alena: User) -> None:
    puzzles.load_composed()
    for browser in (client, signed_in(alena)):
        text = page_of(browser.get("/")).text
        assert "Puzzle of the day" in text
    today = [browser.get("/").context["today"].puzzle for browser in (client, signed_in(alena))]
    assert today[0] == today[1]


def test_a_club_has_a_puzzle_from_its_own_evenings(client: Client, alena: User, borek: User) -> None:
    club = spaces.found_club("Hlučín", by=alena)
    deal = deal_of(samples.TAROKY, user=alena, space=club)
    puzzle = puzzle_of(deal.pk)
    Puzzle.objects.update(found_at="2026-01-01T00:00:00Z")
    corrections.set_visibility(shown(deal.pk).contribution, "members", by=alena)
    where, link = f"/clubs/{club.pk}/", f"/puzzles/{puzzle.pk}/"
    assert link in signed_in(alena).get(where).text
    for browser in (client, signed_in(borek)):
        assert link not in browser.get(where).text
        assert browser.get(link).status_code == 404
        assert browser.post(link, {"card": "CJ"}).status_code == 404
    for page in ("/", "/puzzles/"):
        assert link not in signed_in(alena).get(page).text, "only on the club's page"
    assert not reading.public().exists()


@pytest.mark.parametrize("language", ["de", "cs", "ja"])
def test_puzzles_are_in_all_languages(client: Client, puzzle: Puzzle, language: str) -> None:
    for query in ("", "?card=SQ&at=1"):
        text = page_of(
            client.get(f"/puzzles/{puzzle.pk}/{query}", headers={"accept-language": language})
        ).text
        assert not any(word in text for word in ("Puzzle", "Theme", "costs", "play", "card"))
