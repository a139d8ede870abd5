"""Results, records of points alone, on the pages: their own page, lists, corrections."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Space
from archive.storing import spaces
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
