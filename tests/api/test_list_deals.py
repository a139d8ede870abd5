"""`GET /deals`: what is listed, in which order, and in which pages."""

from datetime import date
from typing import Any

import pytest

from api.pagination import BIGGEST_ID, read_cursor, write_cursor
from archive.models import Deal, Player
from archive.shown import ShownDeal
from archive.web.errors import ApiError
from tarock.analysis.simulate import simulate
from tarock.notation import write_text
from tests import samples
from tests.storing import stored

from .conftest import ApiClient, Store
from .shape import assert_error


@pytest.fixture
def four(store: Store) -> dict[str, ShownDeal]:
    """One deal of each verdict."""
    return {
        "taroky": store(samples.TAROKY),
        "troggu": store(samples.DISPUTED_TROGGU),
        "illegal": store(samples.NOT_HELD.replace("2026-11-20", "2025-01-31")),
        "incomplete": store(samples.BROKEN_OFF.replace("table 2", "table 3")),
    }


def _listed(client: ApiClient, **query: Any) -> list[int]:
    response = client.ask("deals", query)
    assert response.status_code == 200, response.content
    return [deal["id"] for deal in response.json()["results"]]


def test_empty(reader: ApiClient) -> None:
    assert reader.ask("deals").json() == {"next": None, "results": []}


def test_newest_first(reader: ApiClient, four: dict[str, ShownDeal]) -> None:
    assert _listed(reader) == [four[name].pk for name in ("incomplete", "illegal", "troggu", "taroky")]


def test_what_is_said_of_a_deal(reader: ApiClient, taroky: ShownDeal) -> None:
    (listed,) = reader.ask("deals").json()["results"]
    assert listed == {
        "id": taroky.pk,
        "deal": f"{taroky.pk}-{taroky.contribution.pk}",
        "url": f"http://testserver/api/v1/deals/{taroky.pk}-{taroky.contribution.pk}",
        "digest": taroky.hex_digest,
        "kind": "played",
        "game": "taroky",
        "verdict": "verified",
        "players": [
            {
                "seat": seat,
                "player": name,
                "player_id": Player.objects.get(name=name).pk,
                "points": samples.TAROKY_SCORE[seat],
            }
            for seat, name in zip("ABCD", ("Alena", "Bořek", "Cyril", "Dana"), strict=True)
        ],
        "dealer": "D",
        "date": "2026-11-20",
        "event": "Hlučín club evening",
        "site": "",
        "club": None,
        "club_name": None,
        "session": "2026-11-20 table 2",
        "session_id": taroky.contribution.session_id,
        "session_date": "2026-11-20",
        "deal_number": 7,
        "declarer": "A",
        "partner": "D",
        "contract": "first",
        "result": "won",
        "card_points": 60,
        "clauses": taroky.deal.slugs,
        "score": samples.TAROKY_SCORE,
        "claim": samples.TAROKY_SCORE,
        "engine_version": taroky.engine_version,
        "verified_at": taroky.verified_at.isoformat().replace("+00:00", "Z"),
        "stored_at": taroky.stored_at.isoformat().replace("+00:00", "Z"),
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"game": "taroky"}, {"taroky", "illegal", "incomplete"}),
        ({"game": "troggu"}, {"troggu"}),
        ({"game": "strohmann"}, set()),
        ({"verdict": "verified"}, {"taroky"}),
        ({"verdict": "disputed"}, {"troggu"}),
        ({"verdict": "illegal"}, {"illegal"}),
        ({"verdict": "incomplete"}, {"incomplete"}),
        ({"player": "Alena"}, {"taroky", "troggu", "illegal", "incomplete"}),
        ({"player": "aLENA"}, {"taroky", "troggu", "illegal", "incomplete"}),
        ({"player": "Bořek"}, {"taroky", "illegal", "incomplete"}),
        ({"player": "BOŘEK"}, {"taroky", "illegal", "incomplete"}),
        ({"player": 'Jan "Skus" V.'}, {"troggu"}),
        ({"player": "a\\b"}, {"troggu"}),
        ({"player": "Al%"}, set()),
        ({"player": "Nobody"}, set()),
        ({"session": "2026-11-20 table 2"}, {"taroky"}),
        ({"session": "2026-11-20 table 3"}, {"incomplete"}),
        ({"session": "TABLE 3"}, {"incomplete"}),
        ({"session": "table 4"}, set()),
        ({"contract": "solo"}, {"troggu"}),
        ({"contract": "first", "verdict": "verified"}, {"taroky"}),
        ({"date_from": "2026-11-20"}, {"taroky", "incomplete"}),
        ({"date_from": "2026-11-21"}, set()),
        ({"date_to": "2026-11-19"}, {"illegal"}),  # of 2026-??-?? nobody knows
        ({"date_to": "2026-12-31"}, {"taroky", "incomplete", "troggu", "illegal"}),
        ({"date_from": "2025-01-31", "date_to": "2025-01-31"}, {"illegal"}),
        ({"date_from": "2026-01-02", "date_to": "2026-01-01"}, set()),
        (
            {"game": "taroky", "verdict": "incomplete", "player": "dana", "date_to": "2026-11-20"},
            {"incomplete"},
        ),
        ({"game": "troggu", "verdict": "verified"}, set()),
    ],
)
def test_filters(
    query: dict[str, str], names: set[str], reader: ApiClient, four: dict[str, ShownDeal]
) -> None:
    assert set(_listed(reader, **query)) == {four[name].pk for name in names}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"game": "poker"}, "game"),
        ({"game": ""}, "game"),
        ({"verdict": "malformed"}, "verdict"),
        ({"verdict": "pending"}, "verdict"),
        ({"verdict": "VERIFIED"}, "verdict"),
        ({"player": ""}, "player"),
        ({"player": "\x00"}, "player"),
        ({"player": "x" * 201}, "player"),
        ({"session": "\x00"}, "session"),
        ({"with_players": "\x00"}, "with_players"),
        ({"with_players": "Alena,B\x00"}, "with_players"),
        ({"with_players": "x" * 501}, "with_players"),
        ({"date_from": "yesterday"}, "date_from"),
        ({"date_from": "2026-02-30"}, "date_from"),
        ({"date_to": "2026-??-??"}, "date_to"),
        ({"date_to": "99999-01-01"}, "date_to"),
        ({"limit": "0"}, "limit"),
        ({"limit": "501"}, "limit"),
        ({"limit": "-1"}, "limit"),
        ({"limit": "ten"}, "limit"),
        ({"limit": "9" * 5000}, "limit"),
        ({"game": ["taroky", "troggu"]}, "game"),
        ({"page": "2"}, "page"),
        ({"player__name": "Alena"}, "player__name"),
        ({"": "x"}, ""),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_filters(query: dict[str, Any], field: str, reader: ApiClient) -> None:
    error = assert_error(reader.ask("deals", query), 400, "invalid_parameter", field=field)
    assert len(error["detail"]) < 500


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "====",
        "é",
        "MjAyNi0",
        "fHw",
        "bm90LWEtZGF0ZXw3",
        write_cursor(BIGGEST_ID + 1),
        write_cursor(-1),
        "MDc",  # 07
        "MjAyNi0xMS0yMFQxODozMDowMC4wMDAwMDUrMDA6MDB8Nw",  # as they were once, with the time
        "A" * 200,
    ],
)
def test_made_up_cursors(cursor: str, reader: ApiClient) -> None:
    assert_error(reader.ask("deals", {"cursor": cursor}), 400, "invalid_cursor", field="cursor")


def test_a_cursor_of_200_characters_and_more(reader: ApiClient) -> None:
    assert_error(reader.ask("deals", {"cursor": "A" * 201}), 400, field="cursor")


def test_the_ends_of_the_numbers(reader: ApiClient, taroky: ShownDeal) -> None:
    assert _listed(reader, cursor=write_cursor(0)) == []
    assert _listed(reader, cursor=write_cursor(BIGGEST_ID)) == [taroky.pk]


def test_pages_meet_every_deal_once(reader: ApiClient, db: None) -> None:
    def send(number: int, seed: int) -> None:
        stored("\n".join(write_text(record) for record in simulate("strohmann", deals=number, seed=seed)))

    send(13, 1)
    expected = list(Deal.objects.order_by("-id").values_list("pk", flat=True))
    assert len(expected) == 13

    address, seen = "http://testserver/api/v1/deals?game=strohmann&limit=3", []
    pages = 0
    while address:
        page = reader.get(address).json()
        seen += [deal["id"] for deal in page["results"]]
        address = page["next"]
        pages += 1
        send(2, 100 + pages)  # what comes in meanwhile does not disturb the pages

    assert seen == expected
    assert pages == 5


def test_the_last_page_says_so(reader: ApiClient, four: dict[str, ShownDeal]) -> None:
    assert reader.ask("deals", {"limit": 4}).json()["next"] is None
    assert reader.ask("deals", {"limit": 3}).json()["next"] is not None


def test_a_list_takes_few_queries(
    reader: ApiClient, four: dict[str, ShownDeal], django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(6):
        assert len(_listed(reader)) == 4


def test_a_cursor_is_a_number() -> None:
    assert write_cursor(4711) == "NDcxMQ"
    assert read_cursor("NDcxMQ") == 4711
    with pytest.raises(ApiError):
        read_cursor("NDcxMQ==")


def test_the_date_of_a_filter_is_a_day(reader: ApiClient, taroky: ShownDeal) -> None:
    assert taroky.contribution.played_on == date(2026, 11, 20)
    assert _listed(reader, date_from="2026-11-20", date_to="2026-11-20") == [taroky.pk]
    assert_error(reader.ask("deals", {"date_from": "2026-11-20T00:00:00"}), 400, field="date_from")
