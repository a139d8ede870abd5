"""`GET /games` and `GET /clauses`: what the engine says of its games and clauses."""

import pytest

from tarock.words import clauses

from .conftest import ApiClient
from .shape import assert_error


def test_games(reader: ApiClient) -> None:
    games = reader.ask("games").json()
    assert [(game["id"], game["seats"], game["pack"], game["points"]) for game in games] == [
        ("strohmann", [2], 54, 70),
        ("taroky", [4], 54, 70),
        ("troggu", [3, 4, 5, 6, 7, 8], 62, 114),
        ("grosstarock", [2, 3, 4], 78, 78),
    ]
    for game in games:
        assert reader.get(game["url"]).json() == game
        for found in reader.get(game["clauses"]).json():
            assert found["game"] == game["id"]


def test_one_game(reader: ApiClient) -> None:
    game = reader.ask("games/taroky").json()
    assert game["direction"] == "anticlockwise"
    assert game["options"] == ["settle-uncontested"]
    assert {"bid", "call", "announce", "play"} <= set(game["verbs"])


def test_all_clauses(reader: ApiClient) -> None:
    listed = reader.ask("clauses").json()
    assert [row["slug"] for row in listed] == [found.slug for found in clauses.clauses()]
    assert listed
    for row in listed:
        assert row["title"].strip()
        assert row["text"].strip()
        assert row["source"].strip()
        assert row["kind"] == "seed" or row["reason"].strip()


@pytest.mark.parametrize("game", ["common", "strohmann", "taroky", "troggu", "grosstarock"])
def test_clauses_of_a_game(game: str, reader: ApiClient) -> None:
    listed = reader.ask("clauses", {"game": game}).json()
    assert [row["slug"] for row in listed] == [found.slug for found in clauses.clauses(game)]
    assert {row["game"] for row in listed} == {game}


def test_clauses_of_no_game(reader: ApiClient) -> None:
    assert_error(reader.ask("clauses", {"game": "poker"}), 400, "invalid_parameter", field="game")


def test_every_clause_has_an_address(reader: ApiClient) -> None:
    for row in reader.ask("clauses").json():
        assert reader.get(row["url"]).json() == row
