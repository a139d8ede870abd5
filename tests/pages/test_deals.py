"""Browsing, a deal's page, its verdict, its downloads."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from archive import services
from archive.models import Deal

from . import samples
from .conftest import Page, Store

pytestmark = pytest.mark.django_db


@pytest.fixture
def several(store: Store) -> dict[str, Deal]:
    """One deal of each verdict, and one that still waits."""
    (disputed,) = store(samples.DISPUTED)
    (illegal,) = store(samples.ILLEGAL)
    (incomplete,) = store(samples.INCOMPLETE)
    verified, pending = samples.simulated("troggu", 5, 2)
    return {
        "disputed": disputed,
        "illegal": illegal,
        "incomplete": incomplete,
        "verified": store(samples.as_text([verified]))[0],
        "pending": store(samples.as_text([pending]), verify=False)[0],
    }


def listed(client: Client, query: str = "") -> list[int]:
    """The numbers of the deals in the list, in order."""
    page = Page(client.get(f"/deals/{query}").content.decode())
    return [int(a["href"].split("/")[2]) for tag, a in page.tags if a.get("class") == "deal-link"]


def test_newest_first(client: Client, several: dict[str, Deal]) -> None:
    assert listed(client) == sorted((d.pk for d in several.values()), reverse=True)


@pytest.mark.parametrize("verdict", ["verified", "disputed", "illegal", "incomplete", "pending"])
def test_filter_by_verdict(client: Client, several: dict[str, Deal], verdict: str) -> None:
    assert listed(client, f"?verdict={verdict}") == [several[verdict].pk]


def test_filter_by_game(client: Client, several: dict[str, Deal]) -> None:
    assert set(listed(client, "?game=troggu")) == {several["verified"].pk, several["pending"].pk}


def test_filter_by_date(client: Client, several: dict[str, Deal]) -> None:
    dated = {several[v].pk for v in ("disputed", "illegal", "incomplete")}
    assert set(listed(client, "?date_from=2026-11-20&date_to=2026-11-20&game=taroky")) == dated
    assert listed(client, "?date_from=2026-11-21&game=taroky") == []


def test_filter_by_player_in_any_case_and_by_part_of_a_name(client: Client, several: dict[str, Deal]) -> None:
    taroky = {several[v].pk for v in ("disputed", "illegal", "incomplete")}
    assert set(listed(client, "?player=bořek&game=taroky")) == taroky
    assert set(listed(client, "?player=BOŘEK&game=taroky")) == taroky
    assert set(listed(client, "?player=oře&game=taroky")) == taroky
    assert set(listed(client, "?player=OŘE&game=taroky")) == taroky


def test_a_name_that_fits_several_players_offers_them(client: Client, store: Store) -> None:
    store(samples.TAROKY.replace('"Cyril"', '"Alena Nová"'))
    html = client.get("/deals/?player=len").content.decode()
    assert "Did you mean" in html
    assert "?player=Alena+Nov%C3%A1" in html


@pytest.mark.parametrize(
    "query",
    ["?date_from=2026-12-01&date_to=2026-11-01", "?date_from=yesterday", "?game=bridge", "?verdict=good"],
)
def test_a_filter_that_makes_no_sense_says_so(client: Client, taroky: Deal, query: str) -> None:
    answer = client.get(f"/deals/{query}")
    assert answer.status_code == 200
    assert 'class="error' in answer.content.decode()
    assert listed(client, query) == []


def test_a_nul_in_a_name_is_no_fault_of_ours(client: Client, taroky: Deal) -> None:
    assert client.get("/deals/?player=%00").status_code == 200
    assert client.get("/players/?q=%00").status_code == 200


def test_empty_lists_say_what_to_do(client: Client) -> None:
    assert "There are no deals yet." in client.get("/deals/").content.decode()
    assert "No deal fits all of this." in client.get("/deals/?game=troggu").content.decode()
    assert "The archive is empty." in client.get("/").content.decode()
    assert "Nobody yet." in client.get("/players/").content.decode()
    assert "No record names a session yet." in client.get("/sessions/").content.decode()


def test_pages_of_the_list_keep_the_filter(client: Client, store: Store) -> None:
    store(samples.as_text(samples.simulated("strohmann", 2, 30)), verify=False)
    first, second = listed(client, "?game=strohmann"), listed(client, "?game=strohmann&page=2")
    assert (len(first), len(second)) == (25, 5)
    assert not set(first) & set(second)
    assert "?game=strohmann&page=2" in Page(client.get("/deals/?game=strohmann").content.decode()).attributes(
        "href"
    )
    assert listed(client, "?page=99") == second


def test_a_deals_page_has_its_tags_players_score_and_links(client: Client, taroky: Deal) -> None:
    page = Page(client.get(f"/deals/{taroky.pk}/").content.decode())
    for text in (
        "Czech Taroky",
        "Hlučín club evening",
        "2026-11-20",
        "Annotator",
        "Petr",
        "Alena",
        "+105",
        "−105",
    ):
        assert text in page.text
    for text in (
        "First Duty",
        "tarock XIX",
        "the deal of the evening",
        "settle-uncontested",
        taroky.digest[:16],
    ):
        assert text in page.text
    links = set(page.attributes("href"))
    here = f"/deals/{taroky.pk}/"
    assert {here + p for p in ("replay", "audit", "deal.tgn", "deal.json", "original")} <= links
    assert f"/sessions/{taroky.session_id}/" in links


def test_a_disputed_score_stands_beside_the_right_one(client: Client, several: dict[str, Deal]) -> None:
    html = client.get(f"/deals/{several['disputed'].pk}/").content.decode()
    assert "<del>+100</del>" in html
    assert "+105" in html


def test_the_history_shows_a_change_of_verdict(client: Client, taroky: Deal) -> None:
    run = taroky.runs.get()
    type(run).objects.filter(pk=run.pk).update(verdict="illegal", engine_version="0.9")
    services.reverify(Deal.objects.filter(pk=taroky.pk))
    services.verify(taroky.pk)
    page = Page(client.get(f"/deals/{taroky.pk}/").content.decode())
    assert "engine 0.9" in page.text
    assert "changed from ✕ Illegal" in page.text


def test_the_verdict_comes_without_a_reload(client: Client, store: Store) -> None:
    """What the script asks for: a part that waits, and the same part once it need not wait any more."""
    (deal,) = store(samples.TAROKY, verify=False)
    waiting = Page(client.get(f"/deals/{deal.pk}/").content.decode())
    (address,) = waiting.attributes("data-poll")
    assert "Being verified" in waiting.text
    assert 'data-poll="' in client.get(address).content.decode()
    services.verify(deal.pk)
    done = client.get(address).content.decode()
    assert "data-poll" not in done
    assert "Verified" in Page(done).text
    assert "no-store" in client.get(address)["Cache-Control"]


def test_a_failed_run_is_no_verdict_and_its_traceback_is_not_shown(
    client: Client, store: Store, monkeypatch: Any
) -> None:
    (deal,) = store(samples.TAROKY, verify=False)

    def broken(record: object) -> None:
        raise RuntimeError("a secret of ours")

    with monkeypatch.context() as patch:
        patch.setattr(services, "check_entry", broken)
        services.verify(deal.pk)
    assert deal.runs.get().state == "failed"
    for path in ("", "audit", "status"):
        page = Page(client.get(f"/deals/{deal.pk}/{path}").content.decode())
        assert "Being verified" in page.text
        assert "secret" not in page.text


def test_downloads(client: Client, taroky: Deal) -> None:
    text = client.get(f"/deals/{taroky.pk}/deal.tgn")
    assert text.content.decode() == samples.TAROKY
    assert text["Content-Type"] == "application/vnd.tgn; charset=utf-8"
    form = client.get(f"/deals/{taroky.pk}/deal.json")
    assert json.loads(form.content)["players"]["B"] == "Bořek"
    original = client.get(f"/deals/{taroky.pk}/original")
    assert original.content.decode().strip() == samples.TAROKY.strip()
    for answer in (text, form, original):
        assert answer["Content-Disposition"].startswith("attachment")
        assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_record_that_text_cannot_hold_has_no_text_to_download(client: Client, store: Store) -> None:
    record = json.loads(Deal.objects.get(pk=store(samples.TAROKY)[0].pk).record)
    record["events"][samples.FIRST_CARD] = ["B", "play", "T5"]
    (deal,) = store(json.dumps(record))
    assert deal.text is None
    assert client.get(f"/deals/{deal.pk}/deal.tgn").status_code == 404
    links = Page(client.get(f"/deals/{deal.pk}/").content.decode()).attributes("href")
    assert f"/deals/{deal.pk}/deal.tgn" not in links
    assert f"/deals/{deal.pk}/deal.json" in links
