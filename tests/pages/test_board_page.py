"""The page of the board: what it hands to its script, and the form that sends what was entered."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Session
from archive.storing import spaces
from tests import samples
from tests.storing import stored

pytestmark = pytest.mark.django_db


def data(html: str, name: str) -> Any:
    """Return the data that the page gives its script under this name."""
    found = re.search(rf'<script id="{name}" type="application/json">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_everybody_has_the_board(client: Client) -> None:
    html = client.get("/board/").text
    assert data(html, "addresses")["cards"].endswith("cards.svg")
    assert data(html, "catalog") == {}  # the scripts are in English
    assert 'action="/upload/"' in html
    # A visitor has no club to choose, and no members.
    assert 'name="space"' not in html
    choices = re.search(r'<select name="visibility".*?</select>', html, re.DOTALL)
    assert choices is not None
    assert re.findall(r'value="(\w*)"', choices[0]) == ["public", "unlisted"]
    assert 'rel="license"' in html


@pytest.mark.parametrize(("language", "words"), [("de", "Mischen und geben"), ("cs", "Zamíchat a rozdat")])
def test_in_the_language_of_the_reader(client: Client, language: str, words: str) -> None:
    html = client.get("/board/", headers={"Accept-Language": language}).text
    assert data(html, "catalog")["cards\u0004Shuffle and deal"] == words
    assert data(html, "addresses")["cards"].endswith(f"cards-{language}.svg")


def test_a_member_chooses_among_his_own_clubs(client: Client) -> None:
    user, other = (User.objects.create_user(name) for name in ("member", "stranger"))
    spaces.found_club("Tarok Hlučín", by=user)
    spaces.found_club("Elsewhere", by=other)
    client.force_login(user)
    html = client.get("/board/").text
    assert 'name="space"' in html
    assert "Tarok Hlučín" in html
    assert "Elsewhere" not in html


def test_players_of_the_club_are_offered(client: Client) -> None:
    """To its members, who come from the club or from one of its sessions; to nobody else."""
    user = User.objects.create_user("member")
    club = spaces.found_club("Tarok Hlučín", by=user)
    stored(samples.ANNOTATED, user=user, space=club)
    session = Session.objects.get(space=club)
    addresses = (f"/board/?club={club.pk}", f"/board/?session={session.pk}")
    for address in addresses:
        assert data(client.get(address).text, "offered") == {"players": []}
    client.force_login(user)
    by_club, by_session = (data(client.get(address).text, "offered") for address in addresses)
    assert sorted(by_club["players"]) == ["Alena", "Bořek", "Cyril", "Dana"]
    assert by_session == by_club | {"tags": {"Session": session.name, "Date": session.date}}
    assert data(client.get("/board/?club=x&session=99999").text, "offered") == {"players": []}
    link = f'href="/board/?session={session.pk}#new"'
    assert link in client.get(f"/sessions/{session.pk}/").text
    assert link not in Client().get(f"/sessions/{session.pk}/").text


def test_it_is_linked(client: Client) -> None:
    assert client.get("/upload/").text.count('href="/board/') == 2  # the page, and its footer
    assert 'href="/board/' in client.get("/").text
