"""The result of an upload: counts, reasons why a deal is not verified, and records to correct."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Deal, Session
from archive.storing import spaces
from tests import samples
from tests.pages.conftest import Page
from tests.storing import shown

pytestmark = pytest.mark.django_db

TEXTS = [samples.ANNOTATED, samples.ILLEGAL, samples.UNFINISHED, samples.DEALT_TWICE]


@pytest.fixture
def eva(client: Client) -> Client:
    client.force_login(User.objects.create_user("eva"))
    return client


def sent(client: Client, *texts: str) -> str:
    """The address of the result of an upload."""
    return client.post("/upload/", {"text": "\n".join(texts)})["Location"]


def test_counts_of_each_verdict_and_the_reasons(eva: Client) -> None:
    page = Page(eva.get(sent(eva, *TEXTS)).content.decode())
    head, _, items = page.text.partition("Sessions:")
    for words in ("✓ Verified 1", "✕ Illegal 1", "… Incomplete 1", "1 record can’t be read"):
        assert words in head
    assert "trick 4" in items.lower()
    session = Session.objects.get()
    assert f"/sessions/{session.pk}/" in page.attributes("href")


def test_what_was_claimed_and_what_the_rules_give(eva: Client) -> None:
    page = Page(eva.get(sent(eva, samples.WRONG_CLAIM)).content.decode())
    assert "Written down: Alena +100, Bořek −100, Cyril −100, Dana +100" in page.text
    assert "By the rules: Alena +105, Bořek −105, Cyril −105, Dana +105" in page.text


def test_the_verdicts_of_deals_that_were_there_count_too(eva: Client) -> None:
    sent(eva, samples.ANNOTATED)
    page = Page(eva.get(sent(eva, samples.ANNOTATED, samples.ILLEGAL)).content.decode())
    head = page.text.partition("Sessions:")[0]
    assert "1 already in the archive" in head
    assert "✓ Verified 1" in head
    assert "✕ Illegal 1" in head


def test_the_failures_alone(eva: Client, client: Client) -> None:
    second = samples.DEALT_TWICE.replace('"Alena"', '"Adéla"')
    address = sent(eva, *TEXTS, second)
    link = f"{address}failures"
    assert link in Page(eva.get(address).content.decode()).attributes("href")
    answer = eva.get(link)
    assert b"".join(answer.streaming_content).decode() == samples.DEALT_TWICE + second
    assert answer["Content-Disposition"].startswith("attachment")
    assert Client().get(link).status_code == 404


def test_where_all_is_well_there_is_nothing_to_mend(eva: Client) -> None:
    address = sent(eva, samples.ANNOTATED)
    assert f"{address}failures" not in Page(eva.get(address).content.decode()).attributes("href")
    assert b"".join(eva.get(f"{address}failures").streaming_content) == b""


def test_what_was_corrected_says_so(eva: Client) -> None:
    """An illegal deal that a corrected one replaces, and a record that could not be parsed."""
    address = sent(eva, samples.ILLEGAL, samples.DEALT_TWICE)
    bad = shown(Deal.objects.get())
    page = Page(eva.get(address).content.decode())
    edits = [link for link in page.attributes("href") if link and link.endswith("/edit/")]
    assert len(edits) == 2
    for link in edits:
        assert eva.get(link).status_code == 200, link
    assert "Corrected" not in page.text
    eva.post(edits[0], {"text": samples.ANNOTATED, "action": "send"})
    eva.post(edits[1], {"text": samples.as_text(samples.simulated("troggu", 3)), "action": "send"})
    first, second = Deal.objects.exclude(pk=bad.pk).order_by("pk")
    page = Page(eva.get(address).content.decode())
    assert f"Corrected — deal {first.pk}" in page.text
    assert f"Corrected — deal {second.pk}" in page.text
    assert f"/deals/{first.pk}/" in page.attributes("href")
    assert "Edit and send again" not in page.text


def test_nothing_is_to_be_edited_that_somebody_else_sent(eva: Client) -> None:
    club = spaces.found_club("Tarok", by=User.objects.create_user("ota"))
    spaces.join(spaces.invite(club, by=User.objects.get(username="ota")), User.objects.get(username="eva"))
    ota = Client()
    ota.force_login(User.objects.get(username="ota"))
    ota.post("/upload/", {"text": samples.ILLEGAL, "space": club.pk})
    address = eva.post("/upload/", {"text": samples.ILLEGAL, "space": club.pk})["Location"]
    page = Page(eva.get(address).content.decode())
    assert "Already in the archive" in page.text
    assert "Edit and send again" not in page.text
