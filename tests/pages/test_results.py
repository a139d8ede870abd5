"""Results, records of points alone, on the pages: their own page, lists, corrections."""

from __future__ import annotations

import csv
import io

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Session, Space
from archive.storing import spaces, sums
from tests.archive.test_results import TOTAL, result
from tests.archive.test_sheets import sheet
from tests.support.storing import deal_of, stored

from .conftest import missing, page_of, text_of
from .test_corrections import fields_of

pytestmark = pytest.mark.django_db

UNCHECKED = {
    "en": "These points were written down. Nobody has checked them.",
    "de": "Diese Punkte wurden so aufgeschrieben. Niemand hat sie nachgeprüft.",
    "cs": "Tyto body si hráči zapsali. Nikdo je neověřil.",
    "ja": "書き留められた得点です。だれも確認していません。",
}


def test_the_page_of_a_result_says_that_nobody_has_checked_it(client: Client) -> None:
    deal = deal_of(result("{ From the book. }\n" + TOTAL))
    for language, sentence in UNCHECKED.items():
        client.cookies["django_language"] = language
        assert missing(text_of(client, f"/deals/{deal.key}/"), sentence, "Alena +45", "Emil −45") == []
    client.cookies["django_language"] = "en"
    assert missing(text_of(client, f"/deals/{deal.key}/"), "From the book.", "deal 7", "Taroky") == []
    for page in ("audit/", "replay/", "frames.json", "embed/", "print/"):
        for number, there in ((deal.pk, True), (deal.pk + 1, False)):
            text = page_of(client.get(f"/deals/{number}/{page}"), 404).text
            assert ("Only the points of this deal are known" in text) == there, page


def test_a_total_of_sixty_players_is_listed_and_shown(client: Client) -> None:
    lines = "".join(f'result {n} "Player {n}"\n' for n in range(1, 61))
    deal = deal_of(result(lines, None, "?", Played="24"))
    text = text_of(client, f"/deals/{deal.key}/")
    assert missing(text, "Total of an evening", "Player 60", "Played 24", "Unknown game") == []
    assert missing(text_of(client, "/deals/?verdict=stated"), "Player 8", "52 more players", "Stated") == []
    session = deal.contribution.session_id
    for page in ("", "print/", "session.csv"):
        assert client.get(f"/sessions/{session}/{page}").status_code == 200, page


def test_a_better_record_is_linked_from_the_result(client: Client) -> None:
    space = Space.objects.create(kind="club", name="Kotva", visibility="public")
    stored(result(), sheet(60), space=space)
    row = Contribution.objects.get(deal__kind="result")
    text = text_of(client, f"/deals/{row.key}/")
    assert missing(text, "This deal was recorded better. These points don’t count.") == []
    audit = text_of(client, f"/deals/{row.replaced_by.key}/audit/")
    assert "The score sheet" not in audit


def test_names_and_points_of_a_result_are_corrected_in_a_form(client: Client, alena: User) -> None:
    club = spaces.found_club("Tarok", by=alena)
    deal = deal_of(result(), space=club, user=alena)
    client.force_login(alena)
    form = fields_of(client, f"/deals/{deal.key}/correct/")
    assert (form["name_1"], form["claim_1"]) == ("Alena", "20")
    sent = form | {"name_2": "Bohumil", "claim_2": "-19"}
    assert client.post(f"/deals/{deal.key}/correct/", sent).status_code == 302
    text = text_of(client, f"/deals/{deal.key}/")
    assert (
        missing(text, "Bohumil −19", "Score sheet or points Czech Taroky: +20, −20 Czech Taroky: +20, −19")
        == []
    )
    assert client.post(f"/deals/{deal.key}/correct/", sent | {"claim_1": ""}).status_code == 400


@pytest.fixture
def evening(alena: User) -> Space:
    """A club with a sheet (Alena 25), a result (Alena 1) and the total of another evening (Alena 45)."""
    club = spaces.found_club("Tarok", by=alena)
    stored(sheet(60, 1), result('result 1 "Alena"\nresult -1 "Emil"\n', 2), space=club, user=alena)
    stored(result(TOTAL, None, Played="24").replace("June", "May"), space=club, user=alena)
    sums.settle()
    return club


def test_tables_of_a_club_count_everything_and_the_leaderboard_does_not(
    client: Client, evening: Space
) -> None:
    """Alena: 25 + 1 + 45 = 71 in 1 + 1 + 24 deals, of which 46 points in 25 deals are only stated."""
    stated = "Alena only stated: +46 (25 deals) +71"
    season = f"/clubs/{evening.pk}/season/"
    for page in (f"/clubs/{evening.pk}/?season=all", f"{season}?game=taroky"):
        assert missing(text_of(client, page), stated, "Only cards", "Cards and score sheets") == [], page
        text = text_of(client, f"{page}&count=computed")
        assert missing(text, "Alena +25") == [], page
        assert "only stated:" not in text
    assert missing(text_of(client, "/leaderboard/?game=taroky&least=1"), "Alena", "+25") == []
    assert "only stated:" not in text_of(client, "/leaderboard/?game=taroky&least=1")
    assert missing(text_of(client, "/leaderboard/?game=taroky&least=1&count=all"), stated) == []
    for query, points in (("", "71"), ("&count=computed", "25")):
        lines = client.get(f"{season}season.csv?game=taroky{query}").getvalue().decode("utf-8-sig")
        (row,) = [row for row in csv.DictReader(io.StringIO(lines)) if row["player"] == "Alena"]
        assert (row["total"], row["stated_points"]) == (points, "46" if points == "71" else "0")


def test_a_session_has_one_switch_and_shows_its_totals(client: Client, evening: Space, alena: User) -> None:
    may, june = (Session.objects.get(name=name).pk for name in ("May", "June"))
    text = text_of(client, f"/sessions/{may}/")
    assert missing(text, "Alena only stated: +45 (24 deals) +45", "Nobody has checked them.") == []
    text = text_of(client, f"/sessions/{june}/")
    assert missing(text, "Everything Cards and score sheets Only cards", "only stated: +1 (1 deal)") == []
    assert "only stated" not in text_of(client, f"/sessions/{june}/?count=computed")
    assert "count=computed" in client.get(f"/sessions/{june}/?count=computed").text
    nothing = result('result 0 "Alena"\n', 2)
    stored(sheet(60, 1).replace("June", "May"), nothing.replace("June", "May"), space=evening)
    text = text_of(client, f"/sessions/{may}/")
    assert "Running totals" not in text, "they lead to other points than those that count"
    assert missing(text, "until the deals add up to it", "Alena +45 +25 +20", "Emil −45 0 −45") == []
    lines = client.get(f"/sessions/{may}/session.csv").getvalue().decode("utf-8-sig")
    assert [row["kind"] for row in csv.DictReader(io.StringIO(lines))] == ["sheet", "result", "result"]
    for page in ("print/", "session.png"):
        assert client.get(f"/sessions/{may}/{page}").status_code == 200
    # Only people who may change the total can let the deals count instead.
    total = Contribution.objects.get(deal__kind="result", number=None)
    page, button = f"/deals/{total.deal_id}/", "Count the deals of the evening instead"
    assert button not in text_of(client, page)
    assert client.post(f"{page}count/", {"deals": "1"}).status_code == 404
    client.force_login(alena)
    assert button in text_of(client, page)
    assert client.post(f"{page}count/", fields_of(client, page) | {"deals": "1"}).status_code == 302
    assert (
        missing(text_of(client, page), "The deals count instead of this total.", "Count this total again")
        == []
    )
    text = text_of(client, f"/sessions/{may}/")
    assert missing(text, "The deals count instead of this total.", "Alena +45 +25 +20") == []
    assert client.post(f"{page}count/", fields_of(client, page) | {"deals": "0"}).status_code == 302
    assert button in text_of(client, page)
