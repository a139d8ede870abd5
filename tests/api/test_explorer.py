"""`GET /explorer`: what was played with a hand, and how it ended."""

from dataclasses import replace
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution
from archive.storing import spaces
from tests.support import samples
from tests.support.storing import secret_of, stored

from .conftest import ApiClient

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]

HAND = "?game=taroky&tarocks=5"


def test_each_role_sees_its_own_deals(alena: Any) -> None:
    club = spaces.found_club("Tarok", by=alena, visibility="members")
    invitation = spaces.invite(club, by=alena)
    member, other = (User.objects.create_user(name) for name in ("member", "other"))
    spaces.join(invitation, member)
    dealt = enumerate(samples.simulated("taroky", 4, 150))
    dated = [replace(one, tags={"Date": f"2026-0{1 + n % 2}-01"}) for n, one in dealt]
    stored(samples.as_text(dated), user=alena, space=club, visibility="members")
    assert set(Contribution.objects.values_list("visibility", flat=True)) == {"members"}
    for user, sees in ((None, False), (other, False), (member, True), (alena, True)):
        client = ApiClient(secret_of(user)) if user else ApiClient()
        answer = client.get(f"/api/v1/explorer{HAND}").json()
        assert [one["whose"] for one in answer] == (["club", "public"] if sees else ["public"])
        assert answer[-1]["deals"] == 0
        assert not answer[-1]["contracts"]
        browser = Client()
        if user:
            browser.force_login(user)
        for page in (f"/explorer/{HAND}", f"/clubs/{club.pk}/statistics/?game=taroky"):
            assert ('contract">' in browser.get(page).content.decode()) == sees, (user, page)
        of_club = browser.get(f"/clubs/{club.pk}/statistics/?game=taroky").content.decode()
        assert ('"double">' in of_club, '"month">' in of_club, "curve-1" in of_club) == (sees, sees, sees)
        of_all = browser.get("/statistics/?game=taroky").content.decode()
        assert not any(topic in of_all for topic in ('contract">', '"double">', '"month">'))
        if sees:
            (of_club, _public) = answer
            assert of_club["name"] == "Tarok"
            assert of_club["contracts"]
            for line in of_club["contracts"]:
                assert len(client.get(f"{line['url']}&limit=500").json()["results"]) == line["deals"] >= 20
            assert len(client.get(f"{of_club['url']}&limit=500").json()["results"]) == of_club["deals"]


BAD_HANDS = {
    "?tarocks=5": "game",
    "?game=taroky": "tarocks",
    "?game=whist&tarocks=5": "game",
    "?game=taroky&tarocks=23": "tarocks",
    "?game=taroky&tarocks=5&honours=4": "honours",
    "?game=taroky&tarocks=5&kings=x": "kings",
    "?game=taroky&tarocks=5&position=0": "position",
    "?game=taroky&tarocks=5&rules=whist": "rules",
    "?game=taroky&tarocks=5&player=Ada": "player",
}
"""Queries, and the parameter that is wrong in each."""


def test_a_bad_hand_says_where_and_what_was_expected(reader: ApiClient) -> None:
    for query, field in BAD_HANDS.items():
        answer = reader.get(f"/api/v1/explorer{query}")
        assert answer.status_code == 400, query
        assert field in answer.content.decode(), query
        page = Client().get(f"/explorer/{query}")
        assert page.status_code == 200, query
        assert field == "player" or 'class="error"' in page.content.decode(), query
