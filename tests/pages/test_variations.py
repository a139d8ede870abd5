"""Variations saved with a deal: by whom, for whom, and where they never stand."""

from __future__ import annotations

import json
import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from archive.models import Contribution, Deal, GuestVariations, Upload, UploadItem, Variations
from archive.shown import ShownDeal
from archive.storing import removal, spaces, sweeper, variations
from archive.web.throttles import GuestVariations as Limit
from replays.apps.answers import BODY
from replays.site.device import GUEST_COOKIE
from tarock.analysis.variations import MOST, read_variations
from tarock.notation import read_one, write_text
from tests.engine.test_variations import REVOKE, SKYZ, TEN
from tests.support import samples
from tests.support.storing import deal_of

from .conftest import Page, Store, missing, page_at

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def deal(stored_once: None) -> ShownDeal:
    """The hand-worked Taroky deal, stored once for all tests of this module."""
    return deal_of(samples.TAROKY)


def send(client: Client, deal: ShownDeal, lines: Any, visibility: str = "private", version: int = 0) -> Any:
    body = {"variations": lines, "visibility": visibility, "version": version}
    return client.put(f"/deals/{deal.pk}/variations.json", json.dumps(body), content_type="application/json")


def trial_of(answer: Any) -> dict[str, Any]:
    (found,) = re.findall(r'<script id="trial" type="application/json">(.*?)</script>', answer.text)
    trial: dict[str, Any] = json.loads(found)
    return trial


def test_they_are_saved_changed_and_removed(signed_in: Client, deal: ShownDeal) -> None:
    answer = send(signed_in, deal, [SKYZ, TEN])
    assert answer.status_code == 200
    saved = answer.json()["saved"]
    assert (saved["mine"], saved["visibility"], saved["version"]) == (True, "private", 1)
    assert answer.json()["variations"] == [SKYZ, TEN]
    trial = trial_of(signed_in.get(f"/deals/{deal.pk}/try/?step=30"))
    assert (trial["step"], trial["variations"], trial["confirm"]) == (30, [SKYZ, TEN], False)
    # Names and comments lose only blanks that nobody sees.
    lines = send(signed_in, deal, [SKYZ | {"name": "  a   b ", "comment": "ž\n“x”"}], "public", 1).json()
    assert lines["saved"]["version"] == 2
    kept = lines["variations"]
    assert (kept[0]["name"], kept[0]["comment"]) == ("a b", "ž “x”")
    assert [one.as_json() for one in read_variations(kept, deal.record)] == kept
    stale = send(signed_in, deal, [TEN | {"from": 0, "step": 53}], "link", 1)
    assert (stale.status_code, stale.json()["variations"]) == (409, kept)
    assert stale.json()["saved"]["version"] == 2
    assert send(signed_in, deal, [SKYZ]).status_code == 409
    assert signed_in.delete(f"/deals/{deal.pk}/variations.json").json() == {"saved": None}
    assert not Variations.objects.exists()


def test_who_may_see_them(signed_in: Client, other: Client, deal: ShownDeal) -> None:
    for visibility, version, status in (("private", 0, 404), ("link", 1, 200), ("public", 2, 200)):
        saved = send(signed_in, deal, [SKYZ], visibility, version).json()["saved"]
        address = saved["address"]
        for browser in (Client(), other):
            for page in (address, saved["embed"], f"{address}1.tgn"):
                assert browser.get(page).status_code == status
            listed = address in browser.get(f"/deals/{deal.pk}/").text
            assert listed == (visibility == "public")
        assert signed_in.get(address).status_code == 200
        assert address in signed_in.get(f"/deals/{deal.pk}/").text
    trial = trial_of(Client().get(address))
    assert (trial["saved"]["mine"], trial["saved"]["by"], trial["guest"]) == (False, "alena", True)
    assert (trial["line"], trial["step"]) == (1, 47)
    assert Client().get(f"/variations/{uuid.uuid4()}/").status_code == 404


def test_who_may_not_see_the_deal_sees_no_variations(
    signed_in: Client, other: Client, alena: User, deal: ShownDeal
) -> None:
    """A deal of a club for its members: public variations are as public as the deal."""
    saved = send(signed_in, deal, [SKYZ], "public").json()["saved"]
    club = spaces.found_club("The club", by=alena)
    Contribution.objects.update(space=club, visibility="members")
    assert signed_in.get(saved["address"]).status_code == 200
    for address in (saved["address"], saved["embed"], f"/deals/{deal.pk}/try/"):
        assert other.get(address).status_code == 404
    assert signed_in.get(saved["embed"]).status_code == 404
    refused = send(other, deal, [SKYZ])
    assert (refused.status_code, refused.json()["code"]) == (404, "not_found")


def test_what_is_not_saved(signed_in: Client, deal: ShownDeal, monkeypatch: pytest.MonkeyPatch) -> None:
    for lines, field in (
        ([SKYZ | {"step": 99}], "/variations/0/step"),
        ([SKYZ, SKYZ | {"id": 2, "events": []}], "/variations/1/events"),
        ([SKYZ | {"id": n} for n in range(1, MOST + 2)], "/variations"),
    ):
        answer = send(signed_in, deal, lines)
        assert (answer.status_code, answer.json()["where"]["pointer"]) == (422, field)
        assert answer.json()["detail"]
    assert send(signed_in, deal, "x").status_code == 400
    assert send(signed_in, deal, [], "secret").status_code == 400
    assert send(signed_in, deal, [SKYZ | {"comment": "x" * BODY}]).status_code == 413
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(User.objects.get())
    assert send(forged, deal, [SKYZ]).status_code == 403
    with monkeypatch.context() as patched:
        patched.setattr(variations, "MOST", 0)  # a user saves them with a limited number of deals
        answer = send(signed_in, deal, [SKYZ])
    assert (answer.status_code, answer.json()["code"]) == (422, "refused")
    assert not Variations.objects.exists()
    # Guests have a limit per hour.
    monkeypatch.setattr(Limit, "rate", "1/hour")
    assert [send(Client(), deal, [SKYZ]).status_code for _ in range(2)] == [200, 429]


def test_a_guest_shares_them_by_link_for_90_days(other: Client, deal: ShownDeal) -> None:
    """Whatever visibility the guest asks for. Only the guest's device can change and delete them."""
    guest = Client()
    answer = send(guest, deal, [SKYZ | {"comment": "Look!"}], "public")
    cookie = answer.cookies[GUEST_COOKIE]
    assert (cookie["httponly"], cookie["samesite"], cookie["max-age"]) == (True, "Lax", 90 * 24 * 3600)
    saved = answer.json()["saved"]
    assert (saved["mine"], saved["by"], saved["visibility"], saved["version"]) == (True, "", "link", 1)
    assert cookie.value.encode() not in bytes(GuestVariations.objects.get().device)
    for stranger in (Client(), other):
        trial = trial_of(stranger.get(saved["address"]))
        assert (trial["saved"]["mine"], trial["variations"][0]["comment"]) == (False, "Look!")
        assert "by a guest" in stranger.get(saved["embed"]).text
        assert stranger.get(f"{saved['address']}1.tgn").status_code == 200
        assert saved["address"] not in stranger.get(f"/deals/{deal.pk}/").text
        stranger.delete(f"/deals/{deal.pk}/variations.json")
        assert trial_of(stranger.get(f"/deals/{deal.pk}/try/"))["saved"] is None
    assert send(Client(), deal, [TEN | {"from": 0}], "link", 1).status_code == 409
    assert trial_of(guest.get(f"/deals/{deal.pk}/try/"))["variations"][0]["comment"] == "Look!"
    assert send(guest, deal, [SKYZ], "link", 1).json()["saved"]["address"] == saved["address"]
    assert send(guest, deal, [SKYZ], "link", 1).json()["saved"]["version"] == 2
    sweeper.clean(timezone.now() + timedelta(days=89))
    assert Client().get(saved["address"]).status_code == 200
    sweeper.clean(timezone.now() + timedelta(days=91))
    assert Client().get(saved["address"]).status_code == 404
    address = send(guest, deal, [SKYZ]).json()["saved"]["address"]
    assert guest.delete(f"/deals/{deal.pk}/variations.json").json() == {"saved": None}
    assert guest.get(address).status_code == 404


def test_the_page_to_embed_needs_no_script(signed_in: Client, deal: ShownDeal) -> None:
    """61 − 35 = 26 for the game instead of 25: one point more for Alena and Dana."""
    lines = [SKYZ, TEN, REVOKE | {"name": "<b>no</b>"}]
    answer = Client().get(send(signed_in, deal, lines, "link").json()["saved"]["embed"])
    assert "frame-ancestors *" in answer["Content-Security-Policy"]
    scores = ("As it was played +105 −105 −105 +105", "Škýz +106 −106 −106 +106")
    more = ("8. D Dana Škýz 9. D Dana ♦2", "but must follow suit", "<b>no</b>")
    assert missing(Page(answer.text).text, *scores, *more) == []
    assert "<script" not in answer.text


def test_a_line_is_a_record_that_is_not_stored_as_played(signed_in: Client, deal: ShownDeal) -> None:
    address = send(signed_in, deal, [SKYZ]).json()["saved"]["address"]
    answer = signed_in.get(f"{address}1.tgn")
    assert 'filename="deal-' in answer["Content-Disposition"]
    record = read_one(answer.text)
    played = read_one(samples.TAROKY)
    assert record.tags["From"] == f"{played.digest} 47"
    assert signed_in.get(f"{address}2.tgn").status_code == 404

    before = Contribution.objects.count()
    signed_in.post("/upload/", {"text": write_text(record) + "\n" + samples.ILLEGAL_BID})
    items = UploadItem.objects.filter(part__upload=Upload.objects.latest("pk"))
    assert [item.outcome for item in items] == ["refused", "stored"]
    assert Contribution.objects.count() == before + 1
    assert Deal.objects.filter(digest=bytes.fromhex(record.digest)).count() == 0


def test_the_replay_leads_there(client: Client, deal: ShownDeal, store: Store) -> None:
    links = page_at(client, f"/deals/{deal.pk}/replay/?view=B&step=20").attributes("href")
    (address,) = [link for link in links if "/try/" in link]
    assert address == f"/deals/{deal.pk}/try/?view=B&step=20"
    # A viewer who looked through one seat is asked. The step is the same moment: C's pass of the refused card
    # is counted by all.
    trial = trial_of(client.get(address))
    assert trial["confirm"]
    assert trial["step"] >= 20
    assert trial_of(client.get(f"/deals/{deal.pk}/try/?hands=none&step=5"))["confirm"]
    assert client.get(f"/deals/{store(samples.SHEET)[0].pk}/try/").status_code == 404, "a sheet has no cards"


def test_with_the_account_they_go(signed_in: Client, alena: User, deal: ShownDeal) -> None:
    send(signed_in, deal, [SKYZ], "public")
    removal.delete_account(alena, with_contributions=False)
    assert not Variations.objects.exists()
