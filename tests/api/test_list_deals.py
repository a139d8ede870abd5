"""`GET /deals`: what is listed, in which order, and in which pages."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from api.errors import BadCursor
from api.pagination import BIGGEST_ID, page_of, read_cursor, write_cursor
from archive.models import Deal

from . import samples
from .conftest import ApiClient
from .shape import assert_error

pytestmark = pytest.mark.storage


@pytest.fixture
def four(store: Callable[..., Deal]) -> dict[str, Deal]:
    """One deal of each kind; the second of Troggu is younger than the first of Taroky."""
    return {
        "taroky": store(samples.TAROKY),
        "troggu": store(samples.DISPUTED),
        "illegal": store(samples.ILLEGAL.replace("2026-11-20", "2025-01-31")),
        "pending": store(samples.INCOMPLETE.replace("table 2", "table 3"), verify=False),
    }


def _listed(client: ApiClient, **query: Any) -> list[int]:
    response = client.ask("deals", query)
    assert response.status_code == 200, response.content
    return [deal["id"] for deal in response.json()["results"]]


def test_empty(reader: ApiClient) -> None:
    assert reader.ask("deals").json() == {"next": None, "results": []}


def test_newest_first(reader: ApiClient, four: dict[str, Deal]) -> None:
    assert _listed(reader) == [four[name].pk for name in ("pending", "illegal", "troggu", "taroky")]


def test_what_is_said_of_a_deal(reader: ApiClient, taroky: Deal) -> None:
    (listed,) = reader.ask("deals").json()["results"]
    assert listed == {
        "id": taroky.pk,
        "url": f"http://testserver/api/v1/deals/{taroky.pk}",
        "digest": taroky.digest,
        "game": "taroky",
        "verdict": "verified",
        "players": [
            {"seat": seat, "player": name, "points": samples.TAROKY_SCORE[seat]}
            for seat, name in zip("ABCD", ("Alena", "Bořek", "Cyril", "Dana"), strict=True)
        ],
        "dealer": "D",
        "date": "2026-11-20",
        "event": "Hlučín club evening",
        "site": "",
        "session": "2026-11-20 table 2",
        "deal_number": 7,
        "declarer": "A",
        "contract": "first",
        "score": samples.TAROKY_SCORE,
        "claim": samples.TAROKY_SCORE,
        "engine_version": taroky.engine_version,
        "verified_at": taroky.verified_at.isoformat().replace("+00:00", "Z"),
        "created_at": taroky.created_at.isoformat().replace("+00:00", "Z"),
    }


def test_a_deal_not_verified_yet_says_so(reader: ApiClient, store: Callable[..., Deal]) -> None:
    store(samples.TROGGU, verify=False)
    (listed,) = reader.ask("deals").json()["results"]
    assert (listed["verdict"], listed["score"], listed["verified_at"]) == (None, None, None)
    assert listed["claim"] == samples.TROGGU_SCORE
    assert [seat["points"] for seat in listed["players"]] == [None, None, None]


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ({"game": "taroky"}, {"taroky", "illegal", "pending"}),
        ({"game": "troggu"}, {"troggu"}),
        ({"game": "strohmann"}, set()),
        ({"verdict": "verified"}, {"taroky"}),
        ({"verdict": "disputed"}, {"troggu"}),
        ({"verdict": "illegal"}, {"illegal"}),
        ({"verdict": "incomplete"}, set()),
        ({"verdict": "pending"}, {"pending"}),
        ({"player": "Alena"}, {"taroky", "troggu", "illegal", "pending"}),
        ({"player": "aLENA"}, {"taroky", "troggu", "illegal", "pending"}),
        ({"player": "Bořek"}, {"taroky", "illegal", "pending"}),
        ({"player": "BOŘEK"}, {"taroky", "illegal", "pending"}),
        ({"player": 'Jan "Skus" V.'}, {"troggu"}),
        ({"player": "a\\b"}, {"troggu"}),
        ({"player": "Al%"}, set()),
        ({"player": "Nobody"}, set()),
        ({"session": "2026-11-20 table 2"}, {"taroky"}),
        ({"session": "2026-11-20 table 3"}, {"pending"}),
        ({"session": "2026-11-20"}, set()),
        ({"contract": "solo"}, {"troggu"}),
        ({"contract": "first", "verdict": "verified"}, {"taroky"}),
        ({"date_from": "2026-11-20"}, {"taroky", "pending"}),
        ({"date_from": "2026-11-21"}, set()),
        ({"date_to": "2026-11-19"}, {"troggu", "illegal"}),  # of 2026-??-?? the first day counts
        ({"date_from": "2025-01-31", "date_to": "2025-01-31"}, {"illegal"}),
        ({"date_from": "2026-01-02", "date_to": "2026-01-01"}, set()),
        ({"game": "taroky", "verdict": "pending", "player": "dana", "date_to": "2026-11-20"}, {"pending"}),
        ({"game": "troggu", "verdict": "verified"}, set()),
    ],
)
def test_filters(query: dict[str, str], names: set[str], reader: ApiClient, four: dict[str, Deal]) -> None:
    assert set(_listed(reader, **query)) == {four[name].pk for name in names}


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"game": "poker"}, "game"),
        ({"game": ""}, "game"),
        ({"verdict": "malformed"}, "verdict"),
        ({"verdict": "VERIFIED"}, "verdict"),
        ({"player": ""}, "player"),
        ({"player": "\x00"}, "player"),
        ({"player": "x" * 201}, "player"),
        ({"session": "\x00"}, "session"),
        ({"date_from": "yesterday"}, "date_from"),
        ({"date_from": "2026-02-30"}, "date_from"),
        ({"date_to": "2026-??-??"}, "date_to"),
        ({"date_to": "99999-01-01"}, "date_to"),
        ({"limit": "0"}, "limit"),
        ({"limit": "101"}, "limit"),
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
    assert len(error["message"]) < 500


@pytest.mark.parametrize(
    "cursor",
    [
        "x",
        "====",
        "é",
        "MjAyNg",
        "fHw",
        "bm90LWEtZGF0ZXw3",
        write_cursor(Deal(pk=BIGGEST_ID + 1, created_at=datetime(2026, 1, 1, tzinfo=UTC))),
        write_cursor(Deal(pk=-1, created_at=datetime(2026, 1, 1, tzinfo=UTC))),
        write_cursor(Deal(pk=1, created_at=datetime(2026, 1, 1))),
        "A" * 200,
    ],
)
def test_made_up_cursors(cursor: str, reader: ApiClient) -> None:
    assert_error(reader.ask("deals", {"cursor": cursor}), 400, "invalid_cursor", field="cursor")


def test_a_cursor_of_200_characters_and_more(reader: ApiClient) -> None:
    assert_error(reader.ask("deals", {"cursor": "A" * 201}), 400, field="cursor")


@pytest.mark.parametrize(
    "time", [datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)]
)
def test_cursors_at_the_ends_of_the_calendar(time: datetime, reader: ApiClient) -> None:
    response = reader.ask("deals", {"cursor": write_cursor(Deal(pk=1, created_at=time))})
    assert response.status_code in (200, 400)
    if response.status_code == 400:
        assert_error(response, 400, "invalid_cursor")


def _bare(n: int, at: datetime) -> Deal:
    return Deal(
        digest=f"{n:064x}",
        game="troggu",
        players_count=3,
        dealer="A",
        record="{}",
        original="",
        original_form="tgn",
        created_at=at,
    )


def test_pages_meet_every_deal_once(reader: ApiClient, db: None) -> None:
    now = timezone.now()
    # Several at one moment, as in one upload, and of differing ages.
    Deal.objects.bulk_create(_bare(n, now - timedelta(minutes=n // 4)) for n in range(23))
    expected = list(Deal.objects.order_by("-created_at", "-id").values_list("pk", flat=True))

    address, seen = "http://testserver/api/v1/deals?game=troggu&limit=5", []
    pages = 0
    while address:
        page = reader.get(address).json()
        seen += [deal["id"] for deal in page["results"]]
        address = page["next"]
        pages += 1
        # What comes in or goes meanwhile does not disturb the pages.
        Deal.objects.bulk_create([_bare(100 + pages, timezone.now())])
        if pages == 2:
            Deal.objects.filter(pk__in=seen[-2:]).delete()

    assert seen == expected
    assert pages == 5


def test_the_last_page_says_so(reader: ApiClient, four: dict[str, Deal]) -> None:
    assert reader.ask("deals", {"limit": 4}).json()["next"] is None
    assert reader.ask("deals", {"limit": 3}).json()["next"] is not None


def test_a_list_takes_few_queries(
    reader: ApiClient, four: dict[str, Deal], django_assert_max_num_queries: Any
) -> None:
    with django_assert_max_num_queries(3):
        assert len(_listed(reader)) == 4


def test_cursor_literal() -> None:
    deal = Deal(pk=7, created_at=datetime(2026, 11, 20, 18, 30, 0, 5, tzinfo=UTC))
    assert write_cursor(deal) == "MjAyNi0xMS0yMFQxODozMDowMC4wMDAwMDUrMDA6MDB8Nw"
    assert read_cursor("MjAyNi0xMS0yMFQxODozMDowMC4wMDAwMDUrMDA6MDB8Nw") == (deal.created_at, 7)
    with pytest.raises(BadCursor):
        read_cursor("MjAyNi0xMS0yMFQxODozMDowMC4wMDAwMDUrMDA6MDB8")


def test_the_date_of_a_filter_is_a_day(reader: ApiClient, taroky: Deal) -> None:
    assert taroky.played_on == date(2026, 11, 20)
    assert _listed(reader, date_from="2026-11-20", date_to="2026-11-20") == [taroky.pk]
    assert_error(reader.ask("deals", {"date_from": "2026-11-20T00:00:00"}), 400, field="date_from")


def test_pages_do_not_depend_on_the_order_given(four: dict[str, Deal]) -> None:
    request = APIView().initialize_request(APIRequestFactory().get("/api/v1/deals"))
    page = page_of(Deal.objects.order_by("id"), request, 2, None)
    assert [deal.pk for deal in page["results"]] == [four["pending"].pk, four["illegal"].pk]
