"""A club's season, and the user's own: its options, its file, its permissions."""

from __future__ import annotations

import csv
import io

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Contribution, Player, Session, Space
from archive.storing import players, spaces
from tests.pages.conftest import Page, text_of
from tests.seasons import season

pytestmark = pytest.mark.django_db


def rows(client: Client, address: str) -> list[tuple[int, str, int]]:
    answer = client.get(address)
    assert answer.status_code == 200
    assert not Page(answer.content.decode()).unsafe
    return [(row.place, row.name, row.total) for row in answer.context["rows"]]


def test_the_table_of_a_season(client: Client, of_club: Space) -> None:
    address = f"/clubs/{of_club.pk}/season/?game=taroky"
    assert rows(client, address) == [
        (1, "Cleo", 14),
        (2, "Ben", 5),
        (3, "Ada", -5),
        (4, "Eva", -6),
        (5, "Dov", -8),
    ]
    text = text_of(client, address)
    # In all, evenings, deals, a deal, an evening.
    assert "1 Cleo +14 3 5 +2.80 +4.67" in text
    assert "5 Dov −8 2 3 −2.67 −4.00" in text
    assert rows(client, address + "&period=2026") == rows(client, address)
    assert [row[2] for row in rows(client, address + "&date_from=2026-01-01&date_to=2026-02-28")] == [
        14,
        8,
        -8,
        -14,
    ]
    assert rows(client, address + "&date_to=2025-12-31") == []


def test_best_evenings_say_how_many_are_left_out(client: Client, of_club: Space) -> None:
    text = text_of(client, f"/clubs/{of_club.pk}/season/?game=taroky&best=1&evenings=2")
    assert "1 Ben +20 1 of 3 1 +20.00 +20.00" in text
    assert "4 Dov −3 1 of 2 1 −3.00 −3.00" in text
    assert "Eva" not in text
    assert "Only players with at least 2 evenings. Only each player’s best 1 evening counts" in text


def test_its_order_is_chosen(client: Client, of_club: Space) -> None:
    address = f"/clubs/{of_club.pk}/season/?game=taroky&by="
    assert [row[1] for row in rows(client, address + "mean")][-2:] == ["Dov", "Eva"]
    assert [row[1] for row in rows(client, address + "total")][-2:] == ["Eva", "Dov"]
    assert [row[1] for row in rows(client, address + "evening_mean&least=3")] == ["Cleo", "Ben", "Ada", "Dov"]


@pytest.mark.parametrize(
    "query",
    [
        "period=2025", "period=soon", "by=luck", "best=0", "evenings=x", "period=2026&date_from=2026-01-01",
        "date_from=2026-02-01&date_to=2026-01-01", "date_from=31.12.",
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_said(client: Client, of_club: Space, query: str) -> None:
    address = f"/clubs/{of_club.pk}/season/?game=taroky&{query}"
    assert 'class="error"' in client.get(address).content.decode()
    assert rows(client, address) == []
    assert client.get(address.replace("?", "season.csv?")).status_code == 404


def test_the_club_page_has_the_same_table_and_leads_to_it(client: Client, of_club: Space) -> None:
    page = Page(client.get(f"/clubs/{of_club.pk}/").content.decode())
    assert "1 Cleo +14 3 5 2 Ben +5 3 5 3 Ada −5 3 5 4 Eva −6 1 2 5 Dov −8 2 3" in page.text
    assert f"/clubs/{of_club.pk}/season/?game=taroky&period=2026" in page.attributes("href")


def test_its_file(client: Client, of_club: Space) -> None:
    players.rename(Player.objects.get(name="Ben"), "=Ben")
    answer = client.get(f"/clubs/{of_club.pk}/season/season.csv?game=taroky&best=1&least=3")
    assert answer["Content-Disposition"] == f'attachment; filename="season-{of_club.pk}.csv"'
    assert list(csv.reader(io.StringIO(answer.content.decode()))) == [
        ["game", "place", "player", "club", "evenings", "evenings_left_out", "deals", "total",
         "points_per_deal", "points_per_evening"],
        ["taroky", "1", "'=Ben", "Tarok", "1", "2", "1", "20", "20.0", "20.0"],
        ["taroky", "2", "Ada", "Tarok", "1", "2", "2", "9", "4.5", "9.0"],
        ["taroky", "3", "Cleo", "Tarok", "1", "2", "2", "6", "3.0", "6.0"],
        ["taroky", "4", "Dov", "Tarok", "1", "1", "1", "-3", "-3.0", "-3.0"],
    ]  # fmt: skip
    whole = client.get("/leaderboard/leaderboard.csv?least=1").content.decode()
    assert whole.count("\r\n") == 6


def test_strangers_see_what_is_public(client: Client, of_club: Space, owner: User) -> None:
    second = Session.objects.get(name="Second night")
    Contribution.objects.filter(session=second).update(visibility="members")
    address = f"/clubs/{of_club.pk}/season/?game=taroky"
    # Without the second evening Ben has −6 − 9.
    assert (4, "Ben", -15) not in rows(client, address)
    assert ("Ben", -15) in [row[1:] for row in rows(client, address)]
    client.force_login(User.objects.create_user("stranger"))
    assert ("Ben", -15) in [row[1:] for row in rows(client, address)]
    client.force_login(owner)
    assert ("Ben", 5) in [row[1:] for row in rows(client, address)]


def test_ones_own_season(client: Client, owner: User) -> None:
    season(spaces.own(owner), owner)
    assert client.get("/accounts/season/?game=taroky").status_code == 302
    client.force_login(owner)
    assert rows(client, "/accounts/season/?game=taroky")[0] == (1, "Cleo", 14)
    assert "/accounts/season/" in Page(client.get("/sessions/").content.decode()).attributes("href")
    client.force_login(User.objects.create_user("other"))
    assert rows(client, "/accounts/season/?game=taroky") == []
    assert "Cleo" not in client.get("/accounts/season/season.csv?game=taroky").content.decode()


def test_no_club(client: Client) -> None:
    assert client.get("/clubs/999/season/").status_code == 404
    assert client.get("/clubs/999/season/season.csv").status_code == 404
