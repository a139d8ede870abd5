"""`GET /scores`: points per player."""

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import User

from archive.models import Player
from archive.storing import spaces
from tests import samples
from tests.seasons import season

from .conftest import ApiClient, Store
from .shape import assert_error

KEYS = {
    "game", "place", "player", "player_id", "club", "club_name", "evenings", "evenings_left_out", "deals",
    "points", "points_per_deal", "points_per_evening",
}  # fmt: skip


@pytest.fixture
def some(store: Store) -> None:
    """Two scored deals in which Alena played, and two without a score."""
    store(samples.TAROKY)
    store(samples.DISPUTED_TROGGU)
    store(samples.NOT_HELD)
    store(samples.BROKEN_OFF)


def _scores(client: ApiClient, **query: Any) -> list[tuple[str, int, int]]:
    response = client.ask("scores", query)
    assert response.status_code == 200, response.content
    assert response.json()["next"] is None
    for row in response.json()["results"]:
        assert set(row) == KEYS
    return [(row["player"], row["deals"], row["points"]) for row in response.json()["results"]]


def test_none(reader: ApiClient) -> None:
    assert _scores(reader) == []


def test_all_that_have_a_score(reader: ApiClient, some: None) -> None:
    # The score by the rules counts (4 and −2), not the claim; equal points of a game are sorted by name.
    assert _scores(reader) == [
        ("Alena", 1, 105),
        ("Dana", 1, 105),
        ("Bořek", 1, -105),
        ("Cyril", 1, -105),
        ("Alena", 1, 4),
        ('Jan "Skus" V.', 1, -2),
        ("a\\b", 1, -2),
    ]


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ({"game": "troggu", "player": "Alena"}, [("Alena", 1, 4)]),
        ({"player": "alena"}, [("Alena", 1, 105), ("Alena", 1, 4)]),
        ({"player": "Nobody"}, []),
        ({"verdict": "verified", "player": "Dana"}, [("Dana", 1, 105)]),
        ({"verdict": "illegal"}, []),
        ({"date_from": "2026-06-01", "player": "Alena"}, [("Alena", 1, 105)]),
        ({"date_to": "2026-06-01", "player": "Alena"}, []),
        ({"session": "2026-11-20 table 2", "player": "Alena"}, [("Alena", 1, 105)]),
        ({"contract": "solo", "player": "Alena"}, [("Alena", 1, 4)]),
    ],
)
def test_filters(query: dict[str, str], rows: list[Any], reader: ApiClient, some: None) -> None:
    assert _scores(reader, **query) == rows


def test_players_of_one_name_are_told_apart(writer: ApiClient, store: Store, alena: User) -> None:
    """Each club has its own; so has who is in none."""
    store(samples.TAROKY)
    club = spaces.found_club("Tarok", by=alena)
    assert writer.send(samples.TAROKY, path=f"deals?club={club.pk}").status_code in (200, 201)
    rows = writer.ask("scores", {"player": "Dana"}).json()["results"]
    assert {(row["club"], row["club_name"]) for row in rows} == {(None, None), (club.pk, "Tarok")}
    for row in rows:
        player = Player.objects.get(pk=row["player_id"])
        assert (player.name, player.space.name) == ("Dana", row["club_name"] or "")
        # Its id selects the player, here and in the lists of deals, and so does the club's id.
        assert writer.ask("scores", {"player_id": player.pk}).json()["results"] == [row]
        (deal,) = writer.ask("deals", {"player_id": player.pk, "role": "partner"}).json()["results"]
        assert (deal["club"], deal["players"][3]["player_id"]) == (row["club"], player.pk)
    (row,) = writer.ask("scores", {"player": "Dana", "club": club.pk}).json()["results"]
    assert row["club"] == club.pk
    (row,) = writer.ask("scores", {"player": "Dana", "club_name": "tar"}).json()["results"]
    assert row["club"] == club.pk


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        # Sums worked out in `tests.seasons`.
        ({}, [(1, "Cleo", 14), (2, "Ben", 5), (3, "Ada", -5), (4, "Eva", -6), (5, "Dov", -8)]),
        ({"by": "mean"}, [(1, "Cleo", 14), (2, "Ben", 5), (3, "Ada", -5), (4, "Dov", -8), (5, "Eva", -6)]),
        (
            {"best_evenings": 1, "least_evenings": 2},
            [(1, "Ben", 20), (2, "Ada", 9), (3, "Cleo", 6), (4, "Dov", -3)],
        ),
        ({"by": "evening_mean", "least_deals": 5}, [(1, "Cleo", 14), (2, "Ben", 5), (3, "Ada", -5)]),
    ],
)
def test_a_season_is_that_of_the_page(
    query: dict[str, Any], rows: list[Any], reader: ApiClient, alena: User
) -> None:
    club = spaces.found_club("Tarok", by=alena)
    season(club, alena)
    found = reader.ask("scores", {"club": club.pk, **query}).json()["results"]
    assert [(row["place"], row["player"], row["points"]) for row in found] == rows
    names = {"least_deals": "least", "least_evenings": "evenings", "best_evenings": "best", "by": "by"}
    page = reader.get(
        f"/clubs/{club.pk}/season/season.csv", {"game": "taroky"} | {names[k]: v for k, v in query.items()}
    )
    table = list(csv.DictReader(io.StringIO(page.content.decode())))
    assert [
        (int(row["place"]), row["player"], int(row["total"]), int(row["evenings"]), int(row["deals"]))
        for row in table
    ] == [(row["place"], row["player"], row["points"], row["evenings"], row["deals"]) for row in found]
    for row, line in zip(found, table, strict=True):
        assert row["points_per_deal"] == pytest.approx(row["points"] / row["deals"])
        assert row["points_per_evening"] == pytest.approx(row["points"] / row["evenings"])
        assert row["evenings_left_out"] == int(line["evenings_left_out"])


def test_pages(reader: ApiClient, some: None) -> None:
    everyone = [row["player"] for row in reader.ask("scores").json()["results"]]
    address, seen = "http://testserver/api/v1/scores?limit=4", []
    while address:
        page = reader.get(address).json()
        seen.append([row["player"] for row in page["results"]])
        address = page["next"]
    assert seen == [everyone[:4], everyone[4:]]
    assert reader.ask("scores", {"offset": 7}).json() == {
        "next": None, "is_partial": False, "results": [],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"limit": "0"}, "limit"),
        ({"limit": "501"}, "limit"),
        ({"offset": "-1"}, "offset"),
        ({"offset": "99999999999999999999"}, "offset"),
        ({"game": "poker"}, "game"),
        ({"cursor": "x"}, "cursor"),
        ({"by": "luck"}, "by"),
        ({"least_deals": "0"}, "least_deals"),
        ({"least_evenings": "many"}, "least_evenings"),
        ({"best_evenings": "0"}, "best_evenings"),
    ],
)
def test_bad_parameters(query: dict[str, str], field: str, reader: ApiClient) -> None:
    assert_error(reader.ask("scores", query), 400, "invalid_parameter", field=field)
