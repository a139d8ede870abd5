"""`GET /deals`: what is listed of each deal, the filters, and pages."""

from typing import Any

import pytest

from api.pagination import BIGGEST_ID, read_cursor, write_cursor
from api.serializers.filters import DealFilters
from archive.models import Deal, Player
from archive.reading.filters import Filters
from archive.shown import ShownDeal
from archive.web.errors import ApiError
from tests.support import samples
from tests.support.storing import stored

from .conftest import ApiClient, Store
from .shape import assert_error


def four_of(store: Store) -> dict[str, ShownDeal]:
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


def test_deals_are_listed_newest_first(reader, store, django_assert_max_num_queries) -> None:
    assert reader.ask("deals").json() == {"next": None, "results": []}
    four = four_of(store)
    with django_assert_max_num_queries(6):
        assert _listed(reader) == [four[name].pk for name in ("incomplete", "illegal", "troggu", "taroky")]
    assert reader.ask("deals", {"limit": 4}).json()["next"] is None
    assert reader.ask("deals", {"limit": 3}).json()["next"] is not None


def test_what_is_said_of_a_deal(reader, taroky) -> None:
    (listed,) = reader.ask("deals").json()["results"]
    assert listed == {
        "id": taroky.pk,
        "deal": f"{taroky.pk}-{taroky.contribution.pk}",
        "url": f"http://testserver/api/v1/deals/{taroky.pk}-{taroky.contribution.pk}",
        "digest": taroky.hex_digest,
        "kind": "played",
        "game": "taroky",
        "unit": "point",
        "verdict": "verified",
        "players": [
            {"seat": seat, "player": name, "player_id": Player.objects.get(name=name).pk, "points": points}
            for (seat, points), name in zip(
                samples.TAROKY_SCORE.items(), ("Alena", "Bořek", "Cyril", "Dana"), strict=True
            )
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


FOUND = {
    "taroky troggu illegal incomplete": "player=aLENA",
    "taroky illegal incomplete": "game=taroky",
    "taroky troggu": "result=won",
    "taroky incomplete": "date_from=2026-11-20",
    "taroky": """
        verdict=verified | contract=first&verdict=verified | player=borek&role=opponent
        | player=alena&with_players=dana,borek&verdict=verified | event=hlucin&verdict=verified
        | text=table 2&verdict=verified | points_from=60&points_to=60
        | clause=taroky.pagat-announced&effect=gained
        | clause=taroky.pagat-announced&effect=lost&player=borek | doubled=pagat | doubled=pagat&effect=lost
        | doubled=pagat&effect=lost&player=borek | doubled=pagat&player=cyril
        """,
    "troggu": 'player=Jan "Skus" V. | player=a\\b | seats=3',
    "illegal": "date_to=2026-11-19 | clause=common.not-held&effect=broken",
    "incomplete": "session=TABLE 3",
    "": """
        site=hlucin | club_name=nobody | club=999999 | player_id=999999 | player=BOREK&role=declarer
        | clause=taroky.pagat-announced&effect=lost | clause=taroky.pagat-announced&effect=broken
        | doubled=game | doubled=pagat&effect=gained | doubled=pagat&player=alena
        | doubled=pagat&effect=gained&player=borek
        | tarocks=22 | honours=3&kings=4 | position=8 | seats=2 | seats=8 | lost_from=1 | points_from=1000
        | points_to=1000&points_from=1000 | score_from=1000000000 | score_to=-1000000000
        """,
}
"""Queries by the deals that they find."""


def test_filters(reader, store) -> None:
    four = four_of(store)
    for names, queries in FOUND.items():
        for query in queries.split("|"):
            results = reader.ask(f"deals?{query.strip()}").json()["results"]
            assert {deal["id"] for deal in results} == {four[name].pk for name in names.split()}, query
    (row,) = reader.ask("scores?clause=taroky.pagat-announced&effect=lost&player=borek").json()["results"]
    assert (row["deals"], row["points"]) == (1, -105)
    asked = {field.source or name for name, field in DealFilters().fields.items()}
    assert asked <= set(Filters.__dataclass_fields__)


MADE_UP = [
    *("x", "====", "é", "MjAyNi0", "fHw", "bm90LWEtZGF0ZXw3", "A" * 200),
    *(write_cursor(number) for number in (BIGGEST_ID + 1, -1)),
    "MDc",  # 07
    "MjAyNi0xMS0yMFQxODozMDowMC4wMDAwMDUrMDA6MDB8Nw",  # as they were once, with the time
]


def test_a_cursor_is_a_number(reader, taroky) -> None:
    for cursor in MADE_UP:
        assert_error(reader.ask("deals", {"cursor": cursor}), 400, "invalid_cursor", field="cursor")
    assert write_cursor(4711) == "NDcxMQ"
    assert read_cursor("NDcxMQ") == 4711
    with pytest.raises(ApiError):
        read_cursor("NDcxMQ==")
    assert _listed(reader, cursor=write_cursor(0)) == []
    assert _listed(reader, cursor=write_cursor(BIGGEST_ID)) == [taroky.pk]
    assert_error(reader.ask("deals", {"cursor": "A" * 201}), 400, field="cursor")


def test_pages_meet_every_deal_once(reader, db) -> None:
    stored(samples.many(13))
    expected = list(Deal.objects.order_by("-id").values_list("pk", flat=True))
    assert len(expected) == 13
    address, seen, pages = "http://testserver/api/v1/deals?game=taroky&limit=3", [], 0
    while address:
        page = reader.get(address).json()
        seen += [deal["id"] for deal in page["results"]]
        address = page["next"]
        pages += 1
        stored(samples.many(2, first=100 * pages))  # what comes in meanwhile does not disturb the pages
    assert seen == expected
    assert pages == 5
