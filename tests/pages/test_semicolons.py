"""CSV files with semicolons, for spreadsheets set to Czech or German."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Space
from archive.storing import spaces
from tests import samples
from tests.storing import stored

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(client: Client) -> Space:
    """A club with an evening of three deals, whose owner looks."""
    owner = User.objects.create_user("ann")
    found = spaces.found_club("Three; and more", by=owner)
    records = samples.simulated("taroky", 4, 3, seed=3)
    for record in records:
        record.tags.update(Session="an evening", Date="2026-02-01")
    stored(samples.as_text(records), user=owner, space=found)
    client.force_login(owner)
    return found


@pytest.fixture
def files(client: Client, club: Space) -> list[str]:
    """Every address of a CSV file, with a query."""
    session = club.sessions.get()
    return [
        "/deals/deals.csv?game=taroky",
        f"/sessions/{session.pk}/session.csv?stake=0.25",
        "/leaderboard/leaderboard.csv?game=taroky&least=1",
        f"/clubs/{club.pk}/season/season.csv?game=taroky",
        "/accounts/season/season.csv?game=taroky",
        "/api/v1/deals?format=csv",
    ]


def text(client: Client, address: str, status: int = 200) -> Any:
    answer = client.get(address)
    assert answer.status_code == status, address
    return answer.getvalue().decode()


def rows(content: str, delimiter: str) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.removeprefix("\ufeff")), delimiter=delimiter))


def test_the_columns_are_the_same(client: Client, files: list[str]) -> None:
    for address in files:
        commas = rows(text(client, address), ",")
        semicolons = rows(text(client, f"{address}&delimiter=%3B"), ";")
        assert text(client, f"{address}&delimiter=,") == text(client, address)
        assert len(commas[0]) > 5
        assert [len(row) for row in semicolons] == [len(row) for row in commas]
        assert [[cell.replace(",", ".") for cell in row] for row in semicolons] == [
            [cell.replace(",", ".") for cell in row] for row in commas
        ]


def test_fractions_have_a_comma(client: Client, files: list[str]) -> None:
    money, ranking = (rows(text(client, f"{address}&delimiter=%3B"), ";") for address in files[1:3])
    assert "," in money[1][money[0].index(next(name for name in money[0] if name.endswith("(money)")))]
    assert "." not in "".join(ranking[1][-2:])


def test_another_delimiter(client: Client, files: list[str]) -> None:
    for wrong in ("%7C", "", "%3B%3B", "%00"):
        for address in files[:-1]:
            assert text(client, f"{address}&delimiter={wrong}") == text(client, address)
        answer = client.get(f"{files[-1]}&delimiter={wrong}")
        assert answer.status_code == 400
        assert (answer.json()["code"], answer.json()["where"]["field"]) == ("invalid_parameter", "delimiter")


@pytest.mark.parametrize(("language", "offered"), [("cs", True), ("de", True), ("en", False), ("ja", False)])
def test_pages_offer_it(client: Client, club: Space, language: str, offered: bool) -> None:
    session = club.sessions.get()
    for address, file in [
        ("/deals/?game=taroky", "/deals/deals.csv?game=taroky&amp;delimiter=%3B"),
        (f"/sessions/{session.pk}/", f"/sessions/{session.pk}/session.csv?delimiter=%3B"),
        ("/leaderboard/?game=taroky&least=1", "leaderboard.csv?game=taroky&amp;least=1&amp;delimiter=%3B"),
        (
            f"/clubs/{club.pk}/season/?game=taroky&least=1",
            "season.csv?game=taroky&amp;least=1&amp;delimiter=%3B",
        ),
    ]:
        page = client.get(address, headers={"Accept-Language": language}).content.decode()
        assert (file in page) == offered, address
