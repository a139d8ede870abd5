"""Pages of puzzles: solving one with or without a script, and what guests, members and strangers get."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Attempt, Puzzle
from archive.reading import puzzles as reading
from archive.storing import corrections, puzzles, spaces
from tests.pages.conftest import missing, page_of, present, text_of
from tests.support import samples
from tests.support.storing import deal_of, puzzle_of, shown

pytestmark = pytest.mark.django_db


@pytest.fixture
def puzzle() -> Puzzle:
    return puzzle_of(deal_of(samples.TAROKY).pk)


def test_a_wrong_card_is_answered_by_the_line_that_refutes_it(client: Client, puzzle: Puzzle) -> None:
    where = f"/puzzles/{puzzle.pk}/"
    text = text_of(client, where)
    told = ("Player D is to play.", "every other costs at least 5", "After the right card: Player D +105")
    assert missing(text, *told) == []
    assert present(text, "Alena", "Bořek", "Cyril", "Dana", "Hlučín") == []
    answer = client.post(where, {"card": "SQ"})
    assert answer.status_code == 302
    told = ("Queen of spades costs 5.", "Best play goes on like this:", "♠Q", "♠10", "♣J")
    assert missing(text_of(client, answer["Location"].partition("#")[0]), *told) == []
    assert "Player A plays tarock XVI" in text_of(client, where, {"card": "SQ", "at": "2"})
    text = text_of(client, where, {"card": "CJ"})
    assert missing(text, "Jack of clubs is right.", "Try another card") == ["Try another card"]
    for bad in ("T21", "SQ(ros)", "x" * 500):
        assert client.post(where, {"card": bad}).status_code == 404
        assert client.get(where, {"card": bad}).status_code == 404
    assert client.get(where, {"card": "SQ", "at": "999999"}).status_code == 200
    assert not Attempt.objects.exists(), "nobody is signed in"


def test_a_puzzle_for_two_says_what_both_players_score_with_the_right_card(client: Client) -> None:
    puzzles.load_composed()
    first = Puzzle.objects.filter(game="strohmann").order_by("pk")[0]
    text = text_of(client, f"/puzzles/{first.pk}/")
    assert missing(text, "After the right card: Player A +1, Player B +3") == []


def test_users_see_their_own_record(signed_in: Client, other: Client, puzzle: Puzzle) -> None:
    for card in ("SQ", "CJ"):
        signed_in.post(f"/puzzles/{puzzle.pk}/", {"card": card})
    text = text_of(signed_in, "/puzzles/")
    assert missing(text, "Solved at the first attempt: 0 of 1", "in a row: 0", "✗") == []
    assert present(text_of(other, "/puzzles/"), "Solved at the first attempt", "✗") == []
    Attempt.objects.update(due_at="2026-01-01T00:00:00Z")
    assert "1 failed puzzle is back" in text_of(signed_in, "/puzzles/")
    assert f"/puzzles/{puzzle.pk}/" in signed_in.get("/puzzles/?due=1").text
    assert "There are no such puzzles." in text_of(other, "/puzzles/?due=1")


def test_puzzles_are_listed_by_game_theme_and_difficulty(client: Client) -> None:
    puzzles.load_composed()
    where = f"/puzzles/{puzzle_of(deal_of(samples.TAROKY).pk).pk}/"
    for query in ("", "game=taroky", "theme=points", "difficulty=new"):
        assert where in client.get(f"/puzzles/?{query}").text, query
    for query in ("game=troggu", "theme=result", "difficulty=hard"):
        assert where not in client.get(f"/puzzles/?{query}").text, query
    assert client.get("/puzzles/?game=whist&page=x").status_code == 200


def test_the_puzzle_of_the_day_is_the_same_for_everybody(client: Client, other: Client) -> None:
    puzzles.load_composed()
    answers = [browser.get("/") for browser in (client, other)]
    assert all("Puzzle of the day" in page_of(answer).text for answer in answers)
    assert len({answer.context["today"].puzzle for answer in answers}) == 1


def test_a_club_has_a_puzzle_from_its_own_evenings(alena: User, signed_in: Client, other: Client) -> None:
    club = spaces.found_club("Hlučín", by=alena)
    deal = deal_of(samples.TAROKY, user=alena, space=club)
    puzzle = puzzle_of(deal.pk)
    Puzzle.objects.update(found_at="2026-01-01T00:00:00Z")
    corrections.set_visibility(shown(deal.pk).contribution, "members", by=alena)
    where, link = f"/clubs/{club.pk}/", f"/puzzles/{puzzle.pk}/"
    assert link in signed_in.get(where).text
    for browser in (Client(), other):
        assert link not in browser.get(where).text
        assert browser.get(link).status_code == 404
        assert browser.post(link, {"card": "CJ"}).status_code == 404
    for page in ("/", "/puzzles/"):
        assert link not in signed_in.get(page).text, "only on the club's page"
    assert not reading.public().exists()
