"""The audit beyond its lines: what nearly scored, what explains a claim, the session so far, the history."""

from __future__ import annotations

import pytest
from django.test import Client

from archive.models import Contribution, Deal
from archive.shown import ShownDeal
from archive.storing import campaigns
from replays.language.names import Names
from tarock.core.scoring import Note
from tarock.view import remark
from tests import samples

from .conftest import Page, Store

pytestmark = pytest.mark.django_db

CLAIM = "A=105 B=-105 C=-105 D=105"


def text_of(client: Client, deal: ShownDeal) -> str:
    """The words of a deal's audit."""
    answer = client.get(f"/deals/{deal.pk}/audit/")
    assert answer.status_code == 200
    page = Page(answer.content.decode())
    assert page.unsafe == []
    return page.text


def claim(deal: ShownDeal, points: dict[str, int]) -> None:
    """Give the deal another claim."""
    said = " ".join(f"{seat}={number}" for seat, number in points.items())
    Contribution.objects.filter(pk=deal.contribution.pk).update(claim=said, verdict="disputed")


def test_which_line_explains_a_disputed_claim(client: Client, taroky: ShownDeal) -> None:
    """Each line of the deal in turn is left out of the claim; the audit names it."""
    score = taroky.score
    assert score
    line = taroky.lines[-1]
    claim(taroky, {seat: points - line.points.get(seat, 0) for seat, points in score.items()})
    text = text_of(client, taroky)
    assert "What would explain the difference" in text
    assert "was left out. " + line.clause in text


def test_a_claim_that_no_slip_explains(client: Client, taroky: ShownDeal) -> None:
    claim(taroky, {"A": 71, "B": -71, "C": 3, "D": -3})
    assert "No single slip explains the difference." in text_of(client, taroky)


def test_the_session_so_far(client: Client, store: Store, taroky: ShownDeal) -> None:
    assert taroky.contribution.session_id is not None
    second = samples.ANNOTATED.replace('[Deal "7"]', '[Deal "8"]').replace(
        "B announce barvicky flek:pagat", "B pass"
    )
    second = second.replace("A announce re:pagat { a brave word }\nB pass\nC pass\n", "").replace(CLAIM, "")
    second = second.replace('[Score ""]\n', "")
    (later,) = store(second)
    assert later.score
    total = (taroky.score or {})["A"] + later.score["A"]
    text = text_of(client, later)
    assert f"In the session so far +{total}" in text
    assert f"In the session so far +{(taroky.score or {})['A']}" in text_of(client, taroky)


def test_an_illegal_deal_shows_the_hand_and_the_choices(client: Client, store: Store) -> None:
    (deal,) = store(samples.ILLEGAL)
    text = text_of(client, deal)
    assert "The hand" in text
    assert "Verification history" in text


def test_a_change_of_verdict_is_shown(client: Client, taroky: ShownDeal) -> None:
    Deal.objects.filter(pk=taroky.pk).update(verdict="illegal", engine_version="9.9.9")
    campaigns.verify_now([Deal.objects.get(pk=taroky.pk)])
    page = client.get(f"/deals/{taroky.pk}/audit/").content.decode()
    assert 'class="has-changed"' in page
    assert "engine 9.9.9" in Page(page).text
    assert "changed from" in Page(page).text


def test_a_note_of_another_engine_still_names_its_clause() -> None:
    (found,) = remark.notes([Note("taroky.game", "unheard-of", {}, (3,))], Names("taroky", {}))
    assert (found.text, found.slug, found.steps) == ("", "taroky.game", [4])
