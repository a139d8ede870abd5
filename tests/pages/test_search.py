"""Searching the deals on the page: each filter, the URL, the downloads."""

from __future__ import annotations

import csv
import io
import json

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution
from archive.shown import ShownDeal
from archive.storing import spaces
from replays.site.common import DealPaginator
from tarock.notation import read
from tests import samples
from tests.storing import stored

from .conftest import Page, Store
from .test_deals import listed

pytestmark = pytest.mark.django_db


def found(client: Client, query: str) -> set[int]:
    return set(listed(client, f"?{query}"))


def keys(client: Client, query: str) -> list[str | None]:
    page = Page(client.get(f"/deals/{query}").content.decode())
    return [a["href"] for tag, a in page.tags if a.get("class") == "deal-link"]


@pytest.fixture
def deals(store: Store) -> dict[str, ShownDeal]:
    """The hand-worked deal (Alena declares with Dana, and makes it), one with a fault, another game."""
    (troggu,) = samples.simulated("troggu", 3)
    return {
        "taroky": store(samples.ANNOTATED)[0],
        "illegal": store(samples.ILLEGAL.replace("Hlučín club evening", "Vídeň"))[0],
        "troggu": store(samples.as_text([troggu]))[0],
    }


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("player=alena&role=declarer", ["taroky", "illegal"]),
        ("player=dana&role=partner&verdict=verified", ["taroky"]),
        ("player=borek&role=opponent&verdict=verified", ["taroky"]),
        ("player=dana&role=opponent", []),
        ("player=alena&with_players=borek, CYRIL", ["taroky", "illegal"]),
        ("player=alena&with_players=nobody", []),
        ("session=TABLE 2", ["taroky", "illegal"]),
        ("event=hlucin", ["taroky"]),
        ("event=viden", ["illegal"]),
        ("site=hlucin", []),
        ("text=BRAVE word", ["taroky", "illegal"]),
        ("text=petr&verdict=verified", ["taroky"]),
        ("text=Hlučín", ["taroky"]),
        ("text=2026-11-20 table&verdict=verified", ["taroky"]),
        ("text=100%25", []),
        ("contract=first&verdict=verified", ["taroky"]),
        ("result=won&game=taroky", ["taroky"]),
        ("result=lost&game=taroky", []),
        ("points_from=60&points_to=60&game=taroky", ["taroky"]),
        ("points_from=61&game=taroky", []),
        ("clause=taroky.pagat-announced", ["taroky"]),
        ("clause=taroky.pagat-announced&effect=gained", ["taroky"]),
        ("clause=taroky.pagat-announced&effect=lost", []),
        ("clause=taroky.pagat-announced&effect=lost&player=borek", ["taroky"]),
        ("clause=taroky.pagat-announced&effect=gained&player=borek", []),
        ("clause=taroky.follow", ["illegal"]),
        ("clause=taroky.follow&effect=broken", ["illegal"]),
        ("clause=taroky.pagat-announced&effect=broken", []),
        ("seats=3", ["troggu"]),
        ("seats=4", ["taroky", "illegal"]),
        ("order=score&game=taroky", ["taroky"]),
        ("order=stored&game=taroky", ["taroky", "illegal"]),
    ],
)
def test_each_thing_by_which_deals_are_found(
    client: Client, deals: dict[str, ShownDeal], query: str, names: list[str]
) -> None:
    assert found(client, query) == {deals[name].pk for name in names}


def test_by_the_club(client: Client, deals: dict[str, ShownDeal]) -> None:
    club = spaces.found_club("Šachy a karty", by=User.objects.create_user("eva"))
    Contribution.objects.filter(deal=deals["troggu"].pk).update(space=club)
    assert found(client, "club=sachy") == {deals["troggu"].pk}


def test_the_orders(client: Client, store: Store) -> None:
    def dated(day: str, number: int) -> ShownDeal:
        (record,) = samples.simulated("strohmann", 2, seed=number)
        record.tags["Date"] = day
        record.tags = {name: value for name, value in record.tags.items() if value}
        return store(samples.as_text([record]))[0]

    first, second, third = dated("2026-03-01", 1), dated("2026-05-01", 2), dated("2026-04-01", 3)
    undated = dated("", 4)
    assert listed(client) == [second.pk, third.pk, first.pk, undated.pk], "as they were played"
    assert listed(client, "?order=stored") == [undated.pk, third.pk, second.pk, first.pk]
    by_points = sorted((first, second, third, undated), key=lambda deal: (-deal.deal.highest, -deal.pk))
    assert listed(client, "?order=score") == [deal.pk for deal in by_points]


def test_a_deal_that_several_say_something_of_is_listed_once(client: Client, store: Store) -> None:
    (deal,) = store(samples.ANNOTATED)
    store(samples.WRONG_CLAIM.replace("2026-11-20", "2026-11-21"), user=User.objects.create_user("eva"))
    for order in ("", "stored", "score"):
        first_one = deal.deal.contributions.order_by("pk")[0]
        assert keys(client, f"?order={order}" if order else "") == [f"/deals/{first_one.key}/"]


# --- the address ----------------------------------------------------------------------------------------


def test_what_is_empty_is_no_part_of_the_address(client: Client) -> None:
    answer = client.get("/deals/?game=taroky&player=&date_from=&page=2")
    assert (answer.status_code, answer["Location"]) == (302, "/deals/?game=taroky&page=2")
    assert client.get("/deals/?game=&player=")["Location"] == "/deals/"


def test_the_page_says_what_was_searched_and_how_to_leave_it_out(
    client: Client, deals: dict[str, ShownDeal]
) -> None:
    query = "game=taroky&clause=taroky.pagat-announced&date_from=2026-11-01"
    html = client.get(f"/deals/?{query}").content.decode()
    page = Page(html)
    for words in ("Czech Taroky", "1 November 2026"):
        assert words in page.text
    assert "?game=taroky&date_from=2026-11-01" in page.attributes("href")
    assert '<details class="more" open>' in html
    assert '<details class="more">' in client.get("/deals/?game=taroky").content.decode()


@pytest.mark.parametrize(
    "query",
    ["role=declarer", "effect=lost", "clause=taroky.nothing", "seats=99", "points_from=x", "order=up"],
)
def test_a_search_that_makes_no_sense_says_so(
    client: Client, deals: dict[str, ShownDeal], query: str
) -> None:
    answer = client.get(f"/deals/?{query}")
    assert answer.status_code == 200
    assert 'class="error' in answer.content.decode()
    assert listed(client, f"?{query}") == []
    assert client.get(f"/deals/deals.tgn?{query}").status_code == 404


def test_more_than_can_be_counted(
    client: Client, deals: dict[str, ShownDeal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DealPaginator, "AHEAD", 2)
    monkeypatch.setattr(DealPaginator, "MOST", 2)
    assert "more than 2 deals" in Page(client.get("/deals/").content.decode()).text
    assert len(listed(client)) == 2
    assert "2 deals" in Page(client.get("/deals/?game=taroky").content.decode()).text


# --- downloads ------------------------------------------------------------------------------------------


def body(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    assert answer.streaming
    assert answer["Content-Disposition"].startswith("attachment")
    return b"".join(answer.streaming_content).decode()


def test_downloads_of_a_search(
    client: Client, deals: dict[str, ShownDeal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("archive.reading.deals.BATCH", 1)
    links = Page(client.get("/deals/?game=taroky").content.decode()).attributes("href")
    assert {f"/deals/deals.{end}?game=taroky" for end in ("tgn", "jsonl", "csv")} <= set(links)
    records = [deals["illegal"].record, deals["taroky"].record]
    for end in ("tgn", "jsonl"):
        assert [one.record for one in read(body(client, f"/deals/deals.{end}?game=taroky"))] == records
    assert body(client, "/deals/deals.tgn?game=strohmann") == ""


def test_the_table(client: Client, deals: dict[str, ShownDeal]) -> None:
    text = body(client, "/deals/deals.csv?verdict=verified&game=taroky")
    assert text.startswith("\ufeffid,deal,digest,kind,game,verdict,")
    (row,) = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert row["id"] == str(deals["taroky"].pk)
    assert (row["player_A"], row["points_A"], row["points_B"]) == ("Alena", "105", "-105")
    assert (row["declarer"], row["partner"], row["card_points"], row["result"]) == ("A", "D", "60", "won")


def test_no_spreadsheet_takes_a_name_for_a_formula(client: Client, store: Store) -> None:
    store(samples.ANNOTATED.replace('"Alena"', '"=HYPERLINK(1)"').replace('"Bořek"', '"@SUM(A1)"'))
    (row,) = csv.DictReader(io.StringIO(body(client, "/deals/deals.csv").removeprefix("\ufeff")))
    assert (row["player_A"], row["player_B"]) == ("'=HYPERLINK(1)", "'@SUM(A1)")


def test_a_download_has_what_its_reader_may_see_alone(client: Client) -> None:
    user = User.objects.create_user("eva")
    stored(samples.ANNOTATED, user=user, visibility="members")
    assert body(client, "/deals/deals.jsonl") == ""
    client.force_login(user)
    assert json.loads(body(client, "/deals/deals.jsonl"))["players"]["A"] == "Alena"


def test_one_may_not_download_without_end(
    client: Client, deals: dict[str, ShownDeal], settings: object
) -> None:
    settings.DOWNLOADS_PER_HOUR = 2  # type: ignore[attr-defined]
    for _ in range(2):
        body(client, "/deals/deals.csv")
    answer = client.get("/deals/deals.csv")
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert client.get("/deals/").status_code == 200


def test_no_other_form(client: Client) -> None:
    assert client.get("/deals/deals.exe").status_code == 404
