"""Deals by house rules on pages: amounts with their unit, and a table for each of the rules."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client

from archive.models import Contribution, HouseRules, Player, Session, Space
from tests.archive.test_rules import OWN, ruled
from tests.archive.test_sheets import sheet
from tests.support.storing import deal_of, stored

from .conftest import missing, text_of

pytestmark = pytest.mark.django_db


def at(client: Client, address: str, language: str = "en") -> str:
    return text_of(client, address, headers={"accept-language": language}).replace("\u00a0", " ")


@pytest.fixture
def evening(club: Space) -> Session:
    stored(sheet(60, 1), ruled(60, 2), ruled(60, 3, f'[Options "{OWN}"]'), space=club)
    return Session.objects.get()


def test_a_deal_shows_amounts_in_its_unit_and_its_options(client: Client) -> None:
    deal = deal_of(ruled())
    page = at(client, f"/deals/{deal.pk}/audit/")
    told = "+130 h (+1.30 Kč)", "−130 h (−1.30 Kč)", "vysocina@1", "amounts in haléře"
    assert missing(page, *told) == []
    assert "+130 h (+1,30 Kč)" in at(client, f"/deals/{deal.pk}/audit/", "cs")
    assert missing(at(client, "/deals/?rules=vysocina%401"), "+130 h (+1.30 Kč)") == []
    assert "+130" not in at(client, "/deals/?rules=seed")


def test_a_session_has_a_table_for_each_of_its_rules(client: Client, evening: Session) -> None:
    page = at(client, f"/sessions/{evening.pk}/")
    told = "Czech Taroky · vysocina@1", f"Czech Taroky · {OWN}", "+130 h (+1.30 Kč)", "+75 chips", "+25"
    assert missing(page, *told) == []
    # On paper, the money is in a row of its own.
    paper = at(client, f"/sessions/{evening.pk}/print/")
    assert missing(paper, *told[:2], "+130 h", "1.30 Kč", "+75 chips") == []
    assert "+130 h (" not in paper
    text = client.get(f"/sessions/{evening.pk}/session.csv").text
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    assert [(row["rules"], row["unit"], row["Alena"], row["Alena (total)"]) for row in rows] == [
        ("seed", "point", "25", "25"), ("vysocina@1", "h", "130", "130"), (OWN, "chip", "75", "75"),
    ]  # fmt: skip


def test_a_season_has_a_table_for_each_of_its_rules_and_the_leaderboard_has_the_source_rules(
    client: Client, evening: Session, club: Space
) -> None:
    everything = "Czech Taroky · vysocina@1", "+130 h (+1.30 Kč)", "+75 chips"
    for address in (f"/clubs/{club.pk}/", f"/clubs/{club.pk}/season/?game=taroky"):
        assert missing(at(client, address), *everything, "+25", f"Czech Taroky · {OWN}") == []
        named = HouseRules.objects.create(space=club, game="taroky", name="u-lva@1", options=OWN.split())
        assert missing(at(client, address), "Czech Taroky · u-lva@1") == []
        named.delete()
    assert missing(at(client, f"/clubs/{club.pk}/season/?game=taroky&rules=seed"), *everything) == [
        *everything
    ]
    board = at(client, "/leaderboard/?game=taroky&least=1")
    assert missing(board, *everything[1:], "+25") == [*everything[1:]]
    board = at(client, "/leaderboard/?game=taroky&least=1&rules=vysocina%401")
    assert missing(board, *everything, "+25") == ["+75 chips", "+25"]


def test_a_players_sums_are_by_one_set_of_rules(client: Client, evening: Session) -> None:
    alena = Player.objects.get(name="Alena")
    page = at(client, f"/players/{alena.pk}/")
    assert missing(page, "+130 h (+1.30 Kč)", "+75 chips", "vysocina@1", OWN, "Best deal +25") == []
    assert "Best deal +130 h (+1.30 Kč)" in at(client, f"/players/{alena.pk}/?rules=vysocina%401")
    for odd in ("nobody%401", "price%3D", "%00"):
        assert "Best deal +25" in at(client, f"/players/{alena.pk}/?rules={odd}")


def test_a_table_is_imported_with_its_unit(signed_in: Client) -> None:
    table: dict[str, Any] = {"text": "Date;Alena;Bob\n2019-01-11;5;-5\n", "action": "store"}
    wrong = signed_in.post("/import/", table | {"rules": "vysocina@1"})
    assert (wrong.status_code, "not rules of this game" in wrong.text) == (400, True)
    assert signed_in.post("/import/", table | {"unit": "h"}).status_code == 302
    assert Contribution.objects.get().deal.rule_set.unit == "h"
