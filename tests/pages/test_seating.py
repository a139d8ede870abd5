"""The seating of the next evening, by the places of a session or a season."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Player, Session, Space
from archive.storing import spaces
from tests.pages.conftest import Page, text_of
from tests.seasons import season

pytestmark = pytest.mark.django_db


def tables(client: Client, address: str) -> list[list[str]]:
    answer = client.get(address)
    assert answer.status_code == 200
    assert not Page(answer.content.decode()).unsafe
    return [[player.name for player in table] for table, _remark in answer.context["tables"]]


def test_by_the_places_of_a_session(client: Client, of_club: Space) -> None:
    first = Session.objects.get(name="First night")
    address = f"/sessions/{first.pk}/seating/"
    # Ada 6, Cleo 5, Dov −5, Ben −6.
    assert tables(client, address) == [["Ada", "Cleo", "Dov", "Ben"]]
    assert tables(client, f"{address}?{'&'.join(coming())}&tables=2&seats=2&order=places") == [
        ["Ada", "Cleo"],
        ["Dov", "Ben"],
    ]
    assert tables(client, f"{address}?{'&'.join(coming())}&tables=2&seats=2&order=snake") == [
        ["Ada", "Ben"],
        ["Cleo", "Dov"],
    ]


def coming(*absent: str) -> list[str]:
    """The ticked boxes of all players of the first night but these."""
    names = {"Ada", "Ben", "Cleo", "Dov"} - set(absent)
    return [f"player={pk}" for pk in Player.objects.filter(name__in=names).values_list("pk", flat=True)]


def test_by_the_places_of_a_season(client: Client, of_club: Space) -> None:
    address = f"/clubs/{of_club.pk}/season/seating/?game=taroky"
    # Cleo 14, Ben 5, Ada −5, Eva −6, Dov −8: one more than there are seats.
    assert tables(client, address) == [["Cleo", "Ben", "Ada", "Eva"]]
    assert "Without a seat: Dov" in text_of(client, address)
    # By the best evening: Ben 20, Ada 9, Cleo 6, Dov −3, Eva −6.
    assert tables(client, f"{address}&best=1") == [["Ben", "Ada", "Cleo", "Dov"]]
    page = Page(client.get(f"{address}&best=1").content.decode())
    # The form keeps the choice of the ranking, and leads back to it.
    assert ("input", {"type": "hidden", "name": "best", "value": "1"}) in page.tags
    assert f"/clubs/{of_club.pk}/season/?game=taroky&best=1" in page.attributes("href")
    links = Page(client.get(f"/clubs/{of_club.pk}/season/?game=taroky&best=1").content.decode())
    assert f"/clubs/{of_club.pk}/season/seating/?game=taroky&best=1" in links.attributes("href")


def test_who_does_not_come_is_left_out(client: Client, of_club: Space) -> None:
    first = Session.objects.get(name="First night")
    address = f"/sessions/{first.pk}/seating/?tables=1&seats=4&order=places"
    assert tables(client, f"{address}&{'&'.join(coming('Cleo'))}") == [["Ada", "Dov", "Ben"]]
    text = text_of(client, f"{address}&{'&'.join(coming('Cleo'))}")
    assert "Too few. This game needs 4." in text
    assert tables(client, address) == []
    assert "Nobody is coming." in text_of(client, address)


@pytest.mark.parametrize(
    "query",
    ["tables=0&seats=4&order=places", "tables=51&seats=4&order=places", "tables=1&seats=9&order=snake",
     "tables=x&seats=4&order=places", "tables=1&seats=4&order=luck", "tables=1",
     "tables=1&seats=4&order=places&player=999999", "tables=1&seats=4&order=places&player=x"],
)  # fmt: skip
def test_what_makes_no_sense_is_said(client: Client, of_club: Space, query: str) -> None:
    first = Session.objects.get(name="First night")
    address = f"/sessions/{first.pk}/seating/?{query}"
    assert 'class="error"' in client.get(address).content.decode()
    assert tables(client, address) == [["Ada", "Cleo", "Dov", "Ben"]]


def test_without_a_game_the_season_is_shown(client: Client, of_club: Space) -> None:
    answer = client.get(f"/clubs/{of_club.pk}/season/seating/?period=2026&tables=2")
    assert answer["Location"] == f"/clubs/{of_club.pk}/season/?period=2026"


def test_strangers_find_no_seating_of_what_they_do_not_see(
    client: Client, of_club: Space, owner: User
) -> None:
    Contribution.objects.update(visibility="members")
    first = Session.objects.get(name="First night")
    for who in (None, User.objects.create_user("stranger")):
        if who:
            client.force_login(who)
        assert client.get(f"/sessions/{first.pk}/seating/").status_code == 404
        assert tables(client, f"/clubs/{of_club.pk}/season/seating/?game=taroky") == []
    client.force_login(owner)
    assert len(tables(client, f"/sessions/{first.pk}/seating/")) == 1


def test_after_ones_own_season(client: Client, owner: User) -> None:
    season(spaces.own(owner), owner)
    address = "/accounts/season/seating/?game=taroky"
    assert client.get(address).status_code == 302
    client.force_login(owner)
    assert tables(client, address) == [["Cleo", "Ben", "Ada", "Eva"]]
