"""The filters of `GET /deals` and `GET /scores`: each of them, and what makes no sense."""

from typing import Any

import pytest

from api.serializers.filters import DealFilters
from archive.reading.filters import Filters
from archive.shown import ShownDeal
from tests import samples

from .conftest import ApiClient, Store
from .shape import assert_error


@pytest.fixture
def deals(store: Store) -> dict[str, ShownDeal]:
    return {"taroky": store(samples.TAROKY), "illegal": store(samples.NOT_HELD)}


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"player": "borek", "role": "opponent"}, ["taroky"]),
        ({"player": "BOREK", "role": "declarer"}, []),
        ({"player": "alena", "with_players": "dana,borek", "verdict": "verified"}, ["taroky"]),
        ({"event": "hlucin", "verdict": "verified"}, ["taroky"]),
        ({"site": "hlucin"}, []),
        ({"text": "table 2", "verdict": "verified"}, ["taroky"]),
        ({"session": "TABLE 2", "verdict": "verified"}, ["taroky"]),
        ({"club_name": "nobody"}, []),
        ({"club": 4711}, []),
        ({"player_id": 4711}, []),
        ({"result": "won"}, ["taroky"]),
        ({"points_from": 60, "points_to": 60}, ["taroky"]),
        ({"clause": "taroky.pagat-announced", "effect": "gained"}, ["taroky"]),
        ({"clause": "taroky.pagat-announced", "effect": "lost"}, []),
        ({"clause": "taroky.pagat-announced", "effect": "lost", "player": "borek"}, ["taroky"]),
        ({"clause": "taroky.pagat-announced", "effect": "broken"}, []),
        ({"seats": 3}, []),
    ],
)
def test_filters(
    reader: ApiClient, deals: dict[str, ShownDeal], query: dict[str, Any], names: list[str]
) -> None:
    found = [deal["id"] for deal in reader.ask("deals", query).json()["results"]]
    assert found == [deals[name].pk for name in names]


def test_by_the_clause_that_was_broken(reader: ApiClient, deals: dict[str, ShownDeal]) -> None:
    query = {"clause": deals["illegal"].deal.clauses, "effect": "broken"}
    assert [deal["id"] for deal in reader.ask("deals", query).json()["results"]] == [deals["illegal"].pk]


def test_points_of_players_in_the_deals_that_fit(reader: ApiClient, deals: dict[str, ShownDeal]) -> None:
    query = {"clause": "taroky.pagat-announced", "effect": "lost", "player": "borek"}
    (row,) = reader.ask("scores", query).json()["results"]
    assert (row["deals"], row["points"]) == (1, -105)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"role": "declarer"}, "role"),
        ({"club": "Tarok"}, "club"),
        ({"player": "Alena", "player_id": 1}, "player_id"),
        ({"player_id": "Alena"}, "player_id"),
        ({"effect": "lost"}, "effect"),
        ({"player": "x", "role": "dealer"}, "role"),
        ({"clause": "taroky.nothing"}, "clause"),
        ({"seats": 1}, "seats"),
        ({"points_from": "many"}, "points_from"),
        ({"text": "x" * 201}, "text"),
    ],
)
def test_what_makes_no_sense(reader: ApiClient, query: dict[str, Any], field: str) -> None:
    assert_error(reader.ask("deals", query), 400, "invalid_parameter", field=field)


def test_every_filter_is_one_of_the_archive() -> None:
    asked = {field.source or name for name, field in DealFilters().fields.items()}
    assert asked <= set(Filters.__dataclass_fields__)
