"""Lists of deals and the search: each filter, the URL, the downloads, CSV files for Czech and German."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Player, Space
from archive.shown import ShownDeal
from archive.storing import spaces, sums
from replays.site.common import DealPaginator
from tarock.notation import read
from tests.support import samples
from tests.support.storing import stored

from .conftest import Page, Store, missing, page_at, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def keys(client: Client, query: str = "") -> list[str]:
    page = page_at(client, f"/deals/{query}")
    return [attrs["href"] or "" for tag, attrs in page.tags if attrs.get("class") == "deal-link"]


def listed(client: Client, query: str = "") -> list[int]:
    return [int(key.split("/")[2]) for key in keys(client, query)]


@pytest.fixture
def deals(store: Store) -> dict[str, ShownDeal]:
    """The hand-worked deal (Alena declares with Dana, and makes it), one with a fault, another game."""
    (troggu,) = samples.simulated("troggu", 3)
    return {
        "taroky": store(samples.ANNOTATED)[0],
        "illegal": store(samples.ILLEGAL.replace("Hlučín club evening", "Vídeň"))[0],
        "troggu": store(samples.as_text([troggu]))[0],
    }


def test_each_thing_by_which_deals_are_found(client: Client, deals: dict[str, ShownDeal]) -> None:
    club = spaces.found_club("Šachy a karty", by=User.objects.create_user("eva"))
    Contribution.objects.filter(deal=deals["troggu"].pk).update(space=club)
    pagat = "clause=taroky.pagat-announced"
    for query, names in (
        ("game=troggu", "troggu"), ("verdict=illegal", "illegal"), ("seats=3", "troggu"),
        ("date_from=2026-11-20&date_to=2026-11-20&game=taroky", "taroky illegal"),
        ("date_from=2026-11-21&game=taroky", ""), ("club=sachy", "troggu"),
        ("player=OŘE&game=taroky", "taroky illegal"),
        ("player=alena&role=declarer", "taroky illegal"), ("player=dana&role=opponent", ""),
        ("player=dana&role=partner&verdict=verified", "taroky"),
        ("player=borek&role=opponent&verdict=verified", "taroky"),
        ("player=alena&with_players=borek, CYRIL", "taroky illegal"),
        ("player=alena&with_players=nobody", ""), ("session=TABLE 2", "taroky illegal"),
        ("event=hlucin", "taroky"), ("event=viden", "illegal"), ("site=hlucin", ""),
        ("text=BRAVE word", "taroky illegal"), ("text=petr&verdict=verified", "taroky"),
        ("text=Hlučín", "taroky"), ("text=100%25", ""), ("contract=first&verdict=verified", "taroky"),
        ("result=won&game=taroky", "taroky"), ("result=lost&game=taroky", ""),
        ("points_from=60&points_to=60&game=taroky", "taroky"), ("points_from=61&game=taroky", ""),
        (pagat, "taroky"), (f"{pagat}&effect=gained", "taroky"), (f"{pagat}&effect=lost", ""),
        (f"{pagat}&effect=lost&player=borek", "taroky"), (f"{pagat}&effect=gained&player=borek", ""),
        ("doubled=pagat&effect=lost", "taroky"), ("doubled=pagat&effect=gained", ""),
        (f"{pagat}&effect=broken", ""), ("clause=taroky.follow", "illegal"),
        ("clause=taroky.follow&effect=broken", "illegal"), ("order=score&game=taroky", "taroky"),
        ("order=score&game=taroky&rules=vysocina%401", ""), ("order=stored&game=taroky", "taroky illegal"),
    ):  # fmt: skip
        assert set(listed(client, f"?{query}")) == {deals[name].pk for name in names.split()}, query


def test_the_orders(client: Client, store: Store) -> None:
    days = ("2026-03-01", "2026-05-01", "2026-04-01", "")
    records = [samples.simulated("strohmann", 2, seed=seed)[0] for seed in (1, 2, 3, 4)]
    for record, day in zip(records, days, strict=True):
        record.tags = {name: value for name, value in (record.tags | {"Date": day}).items() if value}
    first, second, third, undated = (store(samples.as_text([record]))[0] for record in records)
    assert listed(client) == [second.pk, third.pk, first.pk, undated.pk], "as they were played"
    assert listed(client, "?order=stored") == [undated.pk, third.pk, second.pk, first.pk]
    by_points = sorted((first, second, third, undated), key=lambda deal: (-deal.deal.highest, -deal.pk))
    assert listed(client, "?order=score") == [deal.pk for deal in by_points]


def test_a_list_goes_by_evenings(client: Client, store: Store) -> None:
    """Deals of a session are below its day and name; one without a session below its day."""
    for text in (samples.ANNOTATED, samples.UNFINISHED, samples.dealt(3, Date="2026-11-05")):
        store(text)
    page = page_at(client, "/deals/")
    first, second, third = (f"№ {number}" for number in listed(client))
    assert page.text.count("20 November 2026 table 2") == 1
    order = ["20 November 2026", first, second, "5 November 2026", third]
    places = [page.text.index(words) for words in order]
    assert places == sorted(places)
    assert [tag for tag, attrs in page.tags if attrs.get("class") == "deal-evening"] == ["h2", "h2"]


def test_a_name_that_fits_several_players_offers_them(client: Client, store: Store) -> None:
    store(samples.ANNOTATED.replace('"Cyril"', '"Alena Nová"'))
    html = client.get("/deals/?player=len").text
    assert missing(html, "Did you mean", "?player=Alena+Nov%C3%A1") == []


def test_empty_lists_say_what_to_do(client: Client) -> None:
    for path, words in {
        "/deals/": "There are no deals yet.",
        "/deals/?game=troggu": "No deal matches these filters.",
        "/": "The archive is empty.",
        "/players/": "There are no players yet.",
        "/sessions/": "There are no sessions yet.",
    }.items():
        assert words in text_of(client, path)


def test_pages_of_the_list_keep_the_filter(client: Client, store: Store) -> None:
    store(samples.as_text(samples.simulated("strohmann", 2, 30)))
    first, second = listed(client, "?game=strohmann"), listed(client, "?game=strohmann&page=2")
    assert (len(first), len(second), set(first) & set(second)) == (25, 5, set())
    links = page_at(client, "/deals/?game=strohmann").attributes("href")
    assert "?game=strohmann&page=2" in links
    assert listed(client, "?page=99") == second


def test_the_page_says_what_was_searched(client: Client, deals: dict[str, ShownDeal]) -> None:
    query = "game=taroky&clause=taroky.pagat-announced&date_from=2026-11-01"
    html = client.get(f"/deals/?{query}").text
    page = Page(html)
    assert missing(page.text, "Czech Taroky", "1 November 2026") == []
    assert "?game=taroky&date_from=2026-11-01" in page.attributes("href")
    # Empty fields are not part of the URL.
    answer = client.get("/deals/?game=taroky&player=&date_from=&page=2")
    assert (answer.status_code, answer["Location"]) == (302, "/deals/?game=taroky&page=2")
    assert client.get("/deals/?game=&player=")["Location"] == "/deals/"
    assert '<details class="more" open>' in html
    assert '<details class="more">' in client.get("/deals/?game=taroky").text


def test_a_search_that_makes_no_sense_says_so(client: Client, taroky: ShownDeal) -> None:
    for query in (
        "role=declarer", "effect=lost", "clause=taroky.nothing", "seats=99", "points_from=x", "order=up",
        "date_from=2026-12-01&date_to=2026-11-01", "date_from=yesterday", "game=bridge", "verdict=good",
    ):  # fmt: skip
        assert 'class="error' in client.get(f"/deals/?{query}").text, query
        assert listed(client, f"?{query}") == []
        assert client.get(f"/deals/deals.tgn?{query}").status_code == 404


def test_more_than_can_be_counted(
    client: Client, deals: dict[str, ShownDeal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DealPaginator, "AHEAD", 2)
    monkeypatch.setattr(DealPaginator, "MOST", 2)
    assert "more than 2 deals" in text_of(client, "/deals/?date_from=2000-01-01")
    assert len(listed(client)) == 2
    assert "2 deals" in text_of(client, "/deals/?game=taroky")
    # The stored sums know how many there are in all, of a game, and of a player.
    sums.settle()
    alena = Player.objects.get(name="Alena").pk
    monkeypatch.setattr(DealPaginator, "MOST", 1)
    for query, number in (("", 3), ("?game=taroky", 2), (f"?player_id={alena}", 2)):
        assert f" {number} deals " in text_of(client, f"/deals/{query}")


def body(client: Client, address: str) -> str:
    answer = client.get(address)
    assert (answer.status_code, answer.streaming) == (200, True)
    assert answer["Content-Disposition"].startswith("attachment")
    found: str = answer.getvalue().decode()
    return found


def test_downloads(client: Client, deals: dict[str, ShownDeal], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("archive.reading.deals.BATCH", 1)
    links = page_at(client, "/deals/?game=taroky").attributes("href")
    assert {f"/deals/deals.{end}?game=taroky" for end in ("tgn", "jsonl", "csv")} <= set(links)
    records = [deals["illegal"].record, deals["taroky"].record]
    for end in ("tgn", "jsonl"):
        assert [one.record for one in read(body(client, f"/deals/deals.{end}?game=taroky"))] == records
    assert body(client, "/deals/deals.tgn?game=strohmann") == ""


def test_the_table(client: Client, deals: dict[str, ShownDeal]) -> None:
    text = body(client, "/deals/deals.csv?verdict=verified&game=taroky")
    assert text.startswith("\ufeffid,deal,digest,kind,game,unit,verdict,")
    (row,) = csv.DictReader(io.StringIO(text.removeprefix("\ufeff")))
    assert row["id"] == str(deals["taroky"].pk)
    assert (row["player_A"], row["points_A"], row["points_B"]) == ("Alena", "105", "-105")
    assert (row["session"], row["session_date"]) == ("2026-11-20 table 2", "2026-11-20")
    assert (row["declarer"], row["partner"], row["card_points"], row["result"]) == ("A", "D", "60", "won")


def test_a_download_has_what_its_reader_may_see_alone(client: Client) -> None:
    user = User.objects.create_user("eva")
    stored(samples.ANNOTATED, user=user, visibility="members")
    assert body(client, "/deals/deals.jsonl") == ""
    client.force_login(user)
    assert json.loads(body(client, "/deals/deals.jsonl"))["players"]["A"] == "Alena"


def test_one_may_not_download_without_end(client: Client, deals: dict[str, ShownDeal], settings: Any) -> None:
    assert client.get("/deals/deals.exe").status_code == 404
    settings.DOWNLOADS_PER_HOUR = 2
    for _ in range(2):
        body(client, "/deals/deals.csv")
    answer = client.get("/deals/deals.csv")
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert client.get("/deals/").status_code == 200


@pytest.fixture
def club(client: Client) -> Space:
    """A club with an evening of three deals, whose owner looks."""
    owner = User.objects.create_user("ann")
    found = spaces.found_club("Three; and more", by=owner)
    records = samples.simulated("taroky", 4, 3, seed=3)
    for record in records:
        record.tags.update(Session="an evening", Date="2026-02-01")
    stored(samples.as_text(records), user=owner, space=found)
    client.force_login(owner)
    return found


@pytest.fixture
def files(client: Client, club: Space) -> list[str]:
    session = club.sessions.get()
    return [
        "/deals/deals.csv?game=taroky",
        f"/sessions/{session.pk}/session.csv?stake=0.25",
        "/leaderboard/leaderboard.csv?game=taroky&least=1",
        f"/clubs/{club.pk}/season/season.csv?game=taroky",
        "/accounts/season/season.csv?game=taroky",
        "/api/v1/deals?format=csv",
    ]


def csv_text(client: Client, address: str) -> Any:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.getvalue().decode()


def rows(content: str, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.removeprefix("\ufeff")), delimiter=delimiter))


def test_csv_has_commas_or_semicolons(client: Client, files: list[str]) -> None:
    """The same columns; with semicolons, fractions have a comma. There is no other delimiter."""
    for address in files:
        content = csv_text(client, address)
        assert csv_text(client, f"{address}&delimiter=,") == content
        commas, semicolons = rows(content, ","), rows(csv_text(client, f"{address}&delimiter=%3B"), ";")
        assert len(commas[0]) > 5
        assert [[cell.replace(",", ".") for cell in row] for row in semicolons] == [
            [cell.replace(",", ".") for cell in row] for row in commas
        ]
        for wrong in ("%7C", "", "%3B%3B", "%00"):
            if address != files[-1]:
                assert csv_text(client, f"{address}&delimiter={wrong}") == content
                continue
            answer = client.get(f"{address}&delimiter={wrong}")
            assert answer.status_code == 400
            error = answer.json()
            assert (error["code"], error["where"]["field"]) == ("invalid_parameter", "delimiter")
    money, ranking = (rows(csv_text(client, f"{address}&delimiter=%3B"), ";") for address in files[1:3])
    assert "," in money[1][next(n for n, name in enumerate(money[0]) if name.endswith("(money)"))]
    assert "." not in "".join(ranking[1][-2:])


def test_pages_offer_csv_with_semicolons(client: Client, club: Space) -> None:
    session, season = club.sessions.get().pk, f"/clubs/{club.pk}/season/?game=taroky&least=1"
    ranking = "game=taroky&amp;least=1&amp;delimiter=%3B"
    for language, offered in {"cs": True, "de": True, "en": False, "ja": False}.items():
        for address, file in {
            "/deals/?game=taroky": "/deals/deals.csv?game=taroky&amp;delimiter=%3B",
            f"/sessions/{session}/": f"/sessions/{session}/session.csv?delimiter=%3B",
            "/leaderboard/?game=taroky&least=1": f"leaderboard.csv?{ranking}",
            season: f"season.csv?{ranking}",
        }.items():
            page = client.get(address, headers={"Accept-Language": language}).text
            assert (file in page) == offered, (language, address)
