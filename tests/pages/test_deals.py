"""Browsing, a deal's page, its verdict, its downloads."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from archive.models import Contribution, Deal, Part
from archive.shown import ShownDeal
from archive.storing import campaigns
from replays.deal.analysis import analysis_of
from replays.deal.decisive import decisive
from replays.deal.views import deals as views
from tarock.notation import dump_json
from tests import samples

from .conftest import Page, Store

pytestmark = pytest.mark.django_db


@pytest.fixture
def several(store: Store) -> dict[str, ShownDeal]:
    """One deal of each verdict."""
    (disputed,) = store(samples.WRONG_CLAIM)
    (illegal,) = store(samples.ILLEGAL)
    (incomplete,) = store(samples.UNFINISHED)
    (verified,) = samples.simulated("troggu", 5)
    return {
        "disputed": disputed,
        "illegal": illegal,
        "incomplete": incomplete,
        "verified": store(samples.as_text([verified]))[0],
    }


def listed(client: Client, query: str = "") -> list[int]:
    """The numbers of the deals in the list, in order."""
    page = Page(client.get(f"/deals/{query}").content.decode())
    return [int(a["href"].split("/")[2]) for tag, a in page.tags if a.get("class") == "deal-link"]


def test_a_list_goes_by_evenings(client: Client, store: Store) -> None:
    """Deals of a session are below its day and name; one without a session below its day."""
    store(samples.ANNOTATED)
    store(samples.UNFINISHED)
    store(samples.dealt(3, Date="2026-11-05"))
    page = Page(client.get("/deals/").content.decode())
    numbers = listed(client)
    assert page.text.count("20 November 2026 2026-11-20 table 2") == 1
    order = ["20 November 2026", f"№ {numbers[0]}", f"№ {numbers[1]}", "5 November 2026", f"№ {numbers[2]}"]
    places = [page.text.index(words) for words in order]
    assert places == sorted(places)
    assert [tag for tag, attrs in page.tags if attrs.get("class") == "deal-evening"] == ["h2", "h2"]


def test_a_page_opens_with_the_table_when_the_deal_was_decided(client: Client, store: Store) -> None:
    """By a card that earned most; where an event breaks a rule, at that; where it ends too early, at its end;
    where nothing was played, as it stood. The table is a picture, with its words."""
    for text, step, words in (
        (samples.TAROKY, samples.LAST_STEP, "Alena announces re (×4) on the pagat and wins 80."),
        (samples.ILLEGAL, samples.ILLEGAL_EVENT + 1, "Bořek plays"),
        (samples.UNFINISHED, samples.LAST_STEP - 4, "Trick 11"),
        (samples.dealt(1), 0, "The cards are dealt"),
    ):
        (deal,) = store(text)
        page = Page(client.get(f"/deals/{deal.pk}/").content.decode())
        assert f"/deals/{deal.pk}/replay/?step={step}" in page.attributes("href"), text
        assert words in page.text
        assert "img" in [attrs.get("role") for tag, attrs in page.tags if tag == "div"]


def test_a_deal_that_no_card_decides_is_decided_by_its_threshold(store: Store) -> None:
    """At the first trick after which one side has what it needs, or can't have it any more."""
    tables = {"taroky": 4, "troggu": 5, "strohmann": 2, "grosstarock": 3}
    records = [record for game, players in tables.items() for record in samples.simulated(game, players, 8)]
    passed = 0
    for deal in store(samples.as_text(records)):
        analysis = analysis_of(deal)
        account = analysis.account(False, None)
        found, threshold = decisive(deal, analysis), account.threshold
        assert found.step in {row.step for row in account.rows} or not account.rows
        if found.event is not None or threshold is None or threshold.side is None:
            continue
        at = [row.step for row in account.rows].index(found.step)
        for row in account.rows[:at]:
            assert row.points[threshold.side] < threshold.points
        own = account.rows[at].points[threshold.side]
        others = sum(account.rows[at].points.values()) - own
        last = found.step == account.rows[-1].step
        assert own >= threshold.points or others > threshold.of - threshold.points or last
        passed += 1
    assert passed > 5


@pytest.mark.parametrize("page", ["", "print/"])
def test_what_is_wrong_stands_after_where_it_is(
    client: Client, several: dict[str, ShownDeal], page: str
) -> None:
    """As the audit and the command line say it: no number of an event, and the trick but once."""
    said = {
        "illegal": r"Trick 4, second card: Bořek plays",
        "incomplete": r"Trick 11, fourth card: \w+ plays [^:]+, and there the record ends",
    }
    for verdict, words in said.items():
        text = Page(client.get(f"/deals/{several[verdict].pk}/{page}").content.decode()).text
        assert re.search(words, text)
        assert "Event 2" not in text
        assert "Trick 4:" not in text


def test_newest_first(client: Client, several: dict[str, ShownDeal]) -> None:
    assert listed(client, "?order=stored") == sorted((d.pk for d in several.values()), reverse=True)


@pytest.mark.parametrize("verdict", ["verified", "disputed", "illegal", "incomplete"])
def test_filter_by_verdict(client: Client, several: dict[str, ShownDeal], verdict: str) -> None:
    assert listed(client, f"?verdict={verdict}") == [several[verdict].pk]


def test_filter_by_game(client: Client, several: dict[str, ShownDeal]) -> None:
    assert listed(client, "?game=troggu") == [several["verified"].pk]


def test_filter_by_date(client: Client, several: dict[str, ShownDeal]) -> None:
    dated = {several[v].pk for v in ("disputed", "illegal", "incomplete")}
    assert set(listed(client, "?date_from=2026-11-20&date_to=2026-11-20&game=taroky")) == dated
    assert listed(client, "?date_from=2026-11-21&game=taroky") == []


def test_filter_by_player_in_any_case_and_by_part_of_a_name(
    client: Client, several: dict[str, ShownDeal]
) -> None:
    taroky = {several[v].pk for v in ("disputed", "illegal", "incomplete")}
    assert set(listed(client, "?player=bořek&game=taroky")) == taroky
    assert set(listed(client, "?player=BOŘEK&game=taroky")) == taroky
    assert set(listed(client, "?player=oře&game=taroky")) == taroky
    assert set(listed(client, "?player=OŘE&game=taroky")) == taroky


def test_a_name_that_fits_several_players_offers_them(client: Client, store: Store) -> None:
    store(samples.ANNOTATED.replace('"Cyril"', '"Alena Nová"'))
    html = client.get("/deals/?player=len").content.decode()
    assert "Did you mean" in html
    assert "?player=Alena+Nov%C3%A1" in html


@pytest.mark.parametrize(
    "query",
    ["?date_from=2026-12-01&date_to=2026-11-01", "?date_from=yesterday", "?game=bridge", "?verdict=good"],
)
def test_a_filter_that_makes_no_sense_says_so(client: Client, taroky: ShownDeal, query: str) -> None:
    answer = client.get(f"/deals/{query}")
    assert answer.status_code == 200
    assert 'class="error' in answer.content.decode()
    assert listed(client, query) == []


def test_a_nul_in_a_name_is_no_fault_of_ours(client: Client, taroky: ShownDeal) -> None:
    assert client.get("/deals/?player=%00").status_code == 200
    assert client.get("/players/?q=%00").status_code == 200


def test_empty_lists_say_what_to_do(client: Client) -> None:
    assert "There are no deals yet." in client.get("/deals/").content.decode()
    assert "No deal matches these filters." in client.get("/deals/?game=troggu").content.decode()
    assert "The archive is empty." in client.get("/").content.decode()
    assert "There are no players yet." in client.get("/players/").content.decode()
    assert "There are no sessions yet." in client.get("/sessions/").content.decode()


def test_pages_of_the_list_keep_the_filter(client: Client, store: Store) -> None:
    store(samples.as_text(samples.simulated("strohmann", 2, 30)))
    first, second = listed(client, "?game=strohmann"), listed(client, "?game=strohmann&page=2")
    assert (len(first), len(second)) == (25, 5)
    assert not set(first) & set(second)
    assert "?game=strohmann&page=2" in Page(client.get("/deals/?game=strohmann").content.decode()).attributes(
        "href"
    )
    assert listed(client, "?page=99") == second


def test_a_deals_page_has_its_tags_players_score_and_links(client: Client, store: Store) -> None:
    eva = User.objects.create_user("eva")
    client.force_login(eva)
    (taroky,) = store(samples.ANNOTATED, user=eva)
    page = Page(client.get(f"/deals/{taroky.pk}/").content.decode())
    for text in (
        "Czech Taroky",
        "Hlučín club evening",
        "20 November 2026",
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
        "an uncontested First Duty is settled without play",
        taroky.hex_digest[:16],
    ):
        assert text in page.text
    links = set(page.attributes("href"))
    here = f"/deals/{taroky.pk}/"
    assert {here + p for p in ("replay/", "audit/", "deal.tgn", "deal.json", "original")} <= links
    assert f"/sessions/{taroky.contribution.session_id}/" in links


def test_a_disputed_score_stands_beside_the_right_one(client: Client, several: dict[str, ShownDeal]) -> None:
    html = client.get(f"/deals/{several['disputed'].pk}/").content.decode()
    assert "<del>+100</del>" in html
    assert "+105" in html


def test_the_history_of_a_disputed_deal_calls_it_disputed(
    client: Client, several: dict[str, ShownDeal]
) -> None:
    for page in ("", "audit/"):
        html = client.get(f"/deals/{several['disputed'].pk}/{page}").content.decode()
        assert "≠ Disputed" in Page(html).text.partition("Verification history")[2]
        assert "badge-verified" not in html


def test_the_history_shows_a_change_of_verdict(client: Client, taroky: ShownDeal) -> None:
    Deal.objects.filter(pk=taroky.pk).update(verdict="illegal", engine_version="0.9")
    campaigns.verify_now([Deal.objects.get(pk=taroky.pk)])
    page = Page(client.get(f"/deals/{taroky.pk}/").content.decode())
    assert "engine 0.9" in page.text
    assert "changed from ✕ Illegal" in page.text


def test_downloads(client: Client, store: Store) -> None:
    eva = User.objects.create_user("eva")
    client.force_login(eva)
    (taroky,) = store(samples.ANNOTATED, user=eva)
    text = client.get(f"/deals/{taroky.pk}/deal.tgn")
    assert text.content.decode() == samples.ANNOTATED
    assert text["Content-Type"] == "application/vnd.tgn; charset=utf-8"
    form = client.get(f"/deals/{taroky.pk}/deal.json")
    assert json.loads(form.content)["players"]["B"] == "Bořek"
    original = client.get(f"/deals/{taroky.pk}/original")
    assert original.content.decode().strip() == samples.ANNOTATED.strip()
    for answer in (text, form, original):
        assert answer["Content-Disposition"].startswith("attachment")
        assert answer["X-Content-Type-Options"] == "nosniff"


def test_a_record_that_text_cannot_hold_has_no_text_to_download(client: Client, store: Store) -> None:
    record = json.loads(dump_json(store(samples.ANNOTATED)[0].record))
    record["events"][samples.FIRST_CARD] = ["B", "play", "T5"]
    (deal,) = store(json.dumps(record))
    assert deal.canonical is None
    assert client.get(f"/deals/{deal.pk}/deal.tgn").status_code == 404
    links = Page(client.get(f"/deals/{deal.pk}/").content.decode()).attributes("href")
    assert f"/deals/{deal.pk}/deal.tgn" not in links
    assert f"/deals/{deal.pk}/deal.json" in links


# --- what others said of it -----------------------------------------------------------------------------


def test_what_others_said_of_the_same_deal_stands_below(
    client: Client, store: Store, taroky: ShownDeal
) -> None:
    assert "Also sent as" not in client.get(f"/deals/{taroky.pk}/").content.decode()
    other = samples.WRONG_CLAIM.replace('"Cyril"', '"Cyrus"').replace("2026-11-20", "2026-11-21")
    (same,) = store(other, user=User.objects.create_user("eva"))
    assert same.pk == taroky.pk
    page = Page(client.get(f"/deals/{taroky.pk}/").content.decode())
    assert "Also sent as" in page.text
    assert "Cyrus" in page.text.partition("Also sent as")[2]
    below = page.text.partition("Also sent as")[2]
    assert "21 November 2026 +100 −100 −100 +100 ≠ Disputed" in below
    assert "eva" not in page.text
    # The page shows the first contribution.
    assert "Verified" in page.text.partition("Also sent as")[0]
    # A search that matches another contribution shows that one.
    said = Contribution.objects.get(seats__player__name="Cyrus")
    answer = client.get("/deals/?player=cyrus").content.decode()
    assert f"/deals/{taroky.pk}-{said.pk}/" in Page(answer).attributes("href")
    assert "Cyrus" in Page(client.get(f"/deals/{taroky.pk}-{said.pk}/replay/").content.decode()).text


def test_only_some_of_many_contributions_are_listed(
    client: Client, store: Store, taroky: ShownDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(views, "MOST_OTHERS", 2)
    for number in range(3):
        user = User.objects.create_user(f"user {number}")
        store(samples.ANNOTATED.replace('"Cyril"', f'"Cyrus {number}"'), user=user)
    below = Page(client.get(f"/deals/{taroky.pk}/").content.decode()).text.partition("Also sent as")[2]
    assert "Cyrus 1" in below
    assert "Cyrus 2" not in below
    assert "and others" in below


def test_what_was_sent_is_no_longer_offered_once_its_bytes_are_gone(
    client: Client, store: Store, settings: Any
) -> None:
    eva = User.objects.create_user("eva")
    client.force_login(eva)
    (taroky,) = store(samples.ANNOTATED, user=eva)
    settings.ARCHIVE_RETENTION_DAYS = 30
    address = f"/deals/{taroky.pk}/original"
    assert address in Page(client.get(f"/deals/{taroky.pk}/").content.decode()).attributes("href")
    Deal.objects.update(stored_at=timezone.now() - timedelta(days=31))
    Part.objects.update(data=b"")
    assert address not in Page(client.get(f"/deals/{taroky.pk}/").content.decode()).attributes("href")
    assert client.get(address).status_code == 404
