"""Pages and API on sessions with one name, unknown players, shared names, and conflicts."""

from __future__ import annotations

import csv
import io

import pytest
from django.test import Client

from archive.models import Contribution, Deal, Player, Session, Space
from tests import samples
from tests.pages.conftest import Page
from tests.samples import SHEET
from tests.storing import shown, stored

pytestmark = pytest.mark.django_db


def page_at(client: Client, address: str) -> Page:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return Page(answer.content.decode())


def on(date: str, text: str = SHEET) -> str:
    return text.replace("2026-06-05", date)


def upload(client: Client, *texts: str, club: Space | None = None) -> Page:
    form = {"text": "\n".join(texts)} | ({"space": club.pk} if club else {})
    return page_at(client, client.post("/upload/", form)["Location"])


def test_sessions_of_one_name_show_their_dates_and_link_to_one_another(client: Client) -> None:
    stored(on("2026-06-05"), on("2026-06-12"), on("2026-06-??"), SHEET.replace("June", "Alone"))
    first, second, month = (
        Session.objects.get(name="June", date=f"2026-06-{day}") for day in ("05", "12", "??")
    )
    page = page_at(client, f"/sessions/{first.pk}/")
    assert page.text.startswith("June, 5 June 2026")
    assert "Other dates of this name: 12 June 2026, June 2026" in page.text
    assert {f"/sessions/{second.pk}/", f"/sessions/{month.pk}/"} <= set(page.attributes("href"))
    alone = page_at(client, f"/sessions/{Session.objects.get(name='Alone').pk}/")
    assert alone.text.startswith("Alone ·")
    assert "Other dates" not in alone.text


def test_other_dates_are_those_that_the_reader_may_see(client: Client, club: Space, other: Client) -> None:
    stored(on("2026-06-05"), space=club)
    stored(on("2026-06-12"), space=club, visibility="members")
    address = f"/sessions/{Session.objects.get(date='2026-06-05').pk}/"
    assert "Other dates of this name: 12 June 2026" in page_at(client, address).text
    assert "Other dates" not in page_at(other, address).text


def test_programs_get_the_id_and_the_date_of_a_session(client: Client) -> None:
    stored(on("2026-06-05"), on("2026-06-??", samples.TAROKY))
    rows = client.get("/api/v1/deals?session=june").json()["results"]
    session = Session.objects.get(name="June")
    assert [(row["session"], row["session_id"], row["session_date"]) for row in rows] == [
        ("June", session.pk, "2026-06-05")
    ]
    table = b"".join(client.get("/deals/deals.csv").streaming_content).decode("utf-8-sig")  # type: ignore[attr-defined]
    assert {(row["session"], row["session_date"]) for row in csv.DictReader(io.StringIO(table))} == {
        ("June", "2026-06-05"),
        ("2026-11-20 table 2", "2026-11-20"),
    }


def test_an_unknown_player_has_no_page_and_no_link(client: Client) -> None:
    stored(samples.TAROKY.replace('"Alena"', '"?"').replace('"Bořek"', '""'))
    deal = shown(Deal.objects.get())
    for address in (f"/deals/{deal.pk}/", "/deals/", f"/deals/{deal.pk}/audit/", f"/deals/{deal.pk}/print/"):
        assert "unknown player" in page_at(client, address).text.lower()
    linked = {
        href for href in page_at(client, f"/deals/{deal.pk}/").attributes("href") if "/players/" in href
    }
    assert linked - {"/players/"} == {f"/players/{player.pk}/" for player in Player.objects.all()}
    assert Player.objects.count() == 2
    answer = client.get(f"/deals/{deal.pk}/", headers={"accept-language": "cs"})
    assert "neznámý hráč" in answer.content.decode()
    session = Session.objects.get()
    for address in (f"/sessions/{session.pk}/", f"/sessions/{session.pk}/print/"):
        text = page_at(client, address).text
        assert "do not add up" not in text
        assert "unknown player" in text.lower()
    row = client.get(f"/api/v1/deals/{deal.pk}").json()["players"][0]
    assert (row["player"], row["player_id"]) == ("?", None)


def test_one_name_at_two_seats_is_said_and_can_be_corrected(signed_in: Client) -> None:
    page = upload(signed_in, samples.TAROKY.replace('"Dana"', '"Alena"'))
    sentence = "Two players are called Alena. Tell them apart, for example as Alena sen."
    assert "✓ Verified" in page.text
    assert sentence in page.text
    deal = shown(Deal.objects.get())
    assert any(href.endswith("/correct/") for href in page.attributes("href"))
    assert sentence in page_at(signed_in, f"/deals/{deal.pk}/").text


def test_names_that_look_alike_are_proposed_to_those_who_may_merge(signed_in: Client, club: Space) -> None:
    upload(signed_in, samples.TAROKY, club=club)
    page = upload(signed_in, samples.dealt(1, players=("ALENA", "Eva", "Max", "Uwe")), club=club)
    assert "These may be the same person: Alena, ALENA" in page.text
    alena = Player.objects.get(name="Alena")
    assert f"/players/{alena.pk}/" in page.attributes("href")
    assert "ALENA looks like the same person." in page_at(signed_in, f"/players/{alena.pk}/").text
    assert "looks like" not in page_at(Client(), f"/players/{alena.pk}/").text
    other = Player.objects.get(name="ALENA")
    signed_in.post(f"/players/{alena.pk}/manage/", {"action": "merge", "into": other.pk})
    alena.refresh_from_db()
    assert alena.same_as == other


def test_a_conflict_is_never_a_plain_success(signed_in: Client) -> None:
    upload(signed_in, on("2026-11-20").replace('"June"', '"2026-11-20 table 2"').replace("Bob", "Bořek"))
    page = upload(signed_in, samples.TAROKY)
    assert "The score sheet and the cards of this deal give different scores. The cards count." in page.text
    upload(signed_in, on("2026-11-20").replace('"June"', '"Other"'))
    page = upload(signed_in, samples.TAROKY.replace("2026-11-20 table 2", "Other").replace("A=105", "A=105"))
    assert "with other details" in page.text
    assert Contribution.objects.filter(visibility="covered").count() == 1


@pytest.mark.parametrize("name", ["?", "N.N.", "Unknown"])
def test_no_player_is_renamed_to_nobody(signed_in: Client, club: Space, name: str) -> None:
    stored(samples.TAROKY, space=club)
    alena = Player.objects.get(name="Alena")
    for action in ("rename", "pseudonym"):
        signed_in.post(f"/players/{alena.pk}/manage/", {"action": action, "text": name})
    alena.refresh_from_db()
    assert (alena.name, alena.pseudonym) == ("Alena", "")
