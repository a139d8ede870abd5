"""Variations saved with a deal: by whom, for whom, and where they never stand."""

from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Deal, Upload, UploadItem, Variations
from archive.shown import ShownDeal
from archive.storing import removal, spaces, variations
from replays.apps.answers import BODY
from tarock.analysis.variations import MOST, read_variations
from tarock.notation import read_one, write_text
from tests import samples
from tests.engine.test_variations import REVOKE, SKYZ, TEN

from .conftest import Page, Store

pytestmark = pytest.mark.django_db


@pytest.fixture
def alena(client: Client) -> User:
    """Somebody who is signed in."""
    user = User.objects.create_user("alena", password="-")
    client.force_login(user)
    return user


@pytest.fixture
def deal(store: Store) -> ShownDeal:
    """The Taroky deal that the variations are of."""
    return store(samples.TAROKY)[0]


def send(client: Client, deal: ShownDeal, lines: Any, visibility: str = "private", version: int = 0) -> Any:
    body = {"variations": lines, "visibility": visibility, "version": version}
    return client.put(f"/deals/{deal.pk}/variations.json", json.dumps(body), content_type="application/json")


def signed_in(name: str) -> Client:
    other = Client()
    other.force_login(User.objects.create_user(name, password="-"))
    return other


def trial_of(answer: Any) -> dict[str, Any]:
    """Return the data of the deal and its variations that a page gives its script."""
    (found,) = re.findall(
        r'<script id="trial" type="application/json">(.*?)</script>', answer.content.decode()
    )
    trial: dict[str, Any] = json.loads(found)
    return trial


def test_they_are_saved_changed_and_removed(client: Client, alena: User, deal: ShownDeal) -> None:
    answer = send(client, deal, [SKYZ, TEN])
    assert answer.status_code == 200
    saved = answer.json()["saved"]
    assert (saved["mine"], saved["visibility"], saved["version"]) == (True, "private", 1)
    assert answer.json()["variations"] == [SKYZ, TEN]
    trial = trial_of(client.get(f"/deals/{deal.pk}/try/?step=30"))
    assert trial["step"] == 30
    assert trial["variations"] == [SKYZ, TEN]
    assert not trial["confirm"]

    assert send(client, deal, [SKYZ], "public", 1).json()["saved"]["version"] == 2
    stale = send(client, deal, [TEN | {"from": 0, "step": 53}], "link", 1)
    assert stale.status_code == 409
    assert stale.json()["variations"] == [SKYZ]
    assert stale.json()["saved"]["version"] == 2
    assert send(client, deal, [SKYZ]).status_code == 409

    assert client.delete(f"/deals/{deal.pk}/variations.json").json() == {"saved": None}
    assert not Variations.objects.exists()


def test_who_may_see_them(client: Client, alena: User, deal: ShownDeal) -> None:
    """Alone, by link, everybody; and a guest as another user."""
    others = [Client(), signed_in("bořek")]
    for visibility, version, status in (("private", 0, 404), ("link", 1, 200), ("public", 2, 200)):
        saved = send(client, deal, [SKYZ], visibility, version).json()["saved"]
        for other in others:
            assert other.get(saved["address"]).status_code == status
            assert other.get(saved["embed"]).status_code == status
            assert other.get(f"{saved['address']}1.tgn").status_code == status
            listed = saved["address"] in other.get(f"/deals/{deal.pk}/").content.decode()
            assert listed == (visibility == "public")
        assert client.get(saved["address"]).status_code == 200
        assert saved["address"] in client.get(f"/deals/{deal.pk}/").content.decode()
    trial = trial_of(others[0].get(saved["address"]))
    assert (trial["saved"]["mine"], trial["saved"]["by"], trial["may_save"]) == (False, "alena", False)
    assert others[0].get(f"/variations/{uuid.uuid4()}/").status_code == 404


def test_who_may_not_see_the_deal_sees_no_variations(client: Client, alena: User, deal: ShownDeal) -> None:
    """A deal of a club for its members: public variations are as public as the deal."""
    saved = send(client, deal, [SKYZ], "public").json()["saved"]
    club = spaces.found_club("The club", by=alena)
    Contribution.objects.update(space=club, visibility="members")
    stranger = signed_in("bořek")
    assert client.get(saved["address"]).status_code == 200
    for address in (saved["address"], saved["embed"], f"/deals/{deal.pk}/try/"):
        assert stranger.get(address).status_code == 404
    assert client.get(saved["embed"]).status_code == 404
    refused = send(stranger, deal, [SKYZ])
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def test_what_is_not_saved(client: Client, deal: ShownDeal) -> None:
    assert send(client, deal, [SKYZ]).json()["code"] == "not_authenticated"
    client = signed_in("alena")
    for lines, field in (
        ([SKYZ | {"step": 99}], "/variations/0/step"),
        ([SKYZ, SKYZ | {"id": 2, "events": []}], "/variations/1/events"),
        ([SKYZ | {"id": n} for n in range(1, MOST + 2)], "/variations"),
    ):
        answer = send(client, deal, lines)
        assert (answer.status_code, answer.json()["where"]["pointer"]) == (422, field)
        assert answer.json()["detail"]
    assert send(client, deal, "x").status_code == 400
    assert send(client, deal, [], "secret").status_code == 400
    assert send(client, deal, [SKYZ | {"comment": "x" * BODY}]).status_code == 413
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(User.objects.get(username="alena"))
    assert send(forged, deal, [SKYZ]).status_code == 403
    assert not Variations.objects.exists()


def test_a_user_saves_them_with_so_many_deals(
    client: Client, alena: User, deal: ShownDeal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(variations, "MOST", 0)
    answer = send(client, deal, [SKYZ])
    assert (answer.status_code, answer.json()["code"]) == (422, "refused")


def test_the_page_to_embed_needs_no_script(client: Client, alena: User, deal: ShownDeal) -> None:
    """61 − 35 = 26 for the game instead of 25: one point more for Alena and Dana."""
    embed = send(client, deal, [SKYZ, TEN, REVOKE | {"name": "<b>no</b>"}], "link").json()["saved"]["embed"]
    answer = Client().get(embed)
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    page = Page(answer.content.decode())
    assert "As it was played +105 −105 −105 +105" in page.text
    assert "Škýz +106 −106 −106 +106" in page.text
    assert "8. D Škýz 9. D ♦2" in page.text
    assert "but must follow suit" in page.text
    assert "<b>no</b>" in page.text
    assert "<script" not in answer.content.decode()


def test_a_line_is_a_record_that_is_not_stored_as_played(
    client: Client, alena: User, deal: ShownDeal
) -> None:
    address = send(client, deal, [SKYZ]).json()["saved"]["address"]
    answer = client.get(f"{address}1.tgn")
    assert 'filename="deal-' in answer["Content-Disposition"]
    record = read_one(answer.content.decode())
    played = read_one(samples.TAROKY)
    assert record.tags["From"] == f"{played.digest} 47"
    assert client.get(f"{address}2.tgn").status_code == 404

    before = Contribution.objects.count()
    client.post("/upload/", {"text": write_text(record) + "\n" + samples.ILLEGAL_BID})
    items = UploadItem.objects.filter(part__upload=Upload.objects.latest("pk"))
    assert [item.outcome for item in items] == ["refused", "stored"]
    assert Contribution.objects.count() == before + 1
    assert Deal.objects.filter(digest=bytes.fromhex(record.digest)).count() == 0


def test_who_looked_through_one_seat_is_asked(client: Client, deal: ShownDeal) -> None:
    """The step is the same moment: C's pass of the refused card is counted by all."""
    trial = trial_of(client.get(f"/deals/{deal.pk}/try/?view=B&step=20"))
    assert trial["confirm"]
    assert trial["step"] >= 20
    assert trial_of(client.get(f"/deals/{deal.pk}/try/?hands=none&step=5"))["confirm"]


def test_the_replay_leads_there(client: Client, deal: ShownDeal) -> None:
    page = Page(client.get(f"/deals/{deal.pk}/replay/?view=B&step=20").content.decode())
    (address,) = [link for link in page.attributes("href") if "/try/" in link]
    assert address == f"/deals/{deal.pk}/try/?view=B&step=20"
    assert client.get(address).status_code == 200


def test_a_score_sheet_has_no_cards_to_try(client: Client, store: Store) -> None:
    sheet = store(samples.SHEET)[0]
    assert client.get(f"/deals/{sheet.pk}/try/").status_code == 404


def test_with_the_account_they_go(client: Client, alena: User, deal: ShownDeal) -> None:
    send(client, deal, [SKYZ], "public")
    removal.delete_account(alena, with_contributions=False)
    assert not Variations.objects.exists()


def test_they_are_read_as_they_were_saved(client: Client, alena: User, deal: ShownDeal) -> None:
    """Names and comments lose only blanks that nobody sees."""
    lines = send(client, deal, [SKYZ | {"name": "  a   b ", "comment": "ž\n“x”"}]).json()["variations"]
    assert (lines[0]["name"], lines[0]["comment"]) == ("a b", "ž “x”")
    assert [one.as_json() for one in read_variations(lines, deal.record)] == lines
