"""The result of an upload: what it comes to, why a deal is not verified, and what was not kept to mend."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from archive.models import Session
from tests.pages import samples
from tests.pages.conftest import Page

pytestmark = pytest.mark.django_db

TEXTS = [samples.TAROKY, samples.ILLEGAL, samples.INCOMPLETE, samples.MALFORMED]


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
    page = Page(eva.get(sent(eva, samples.DISPUTED)).content.decode())
    assert "Written down: Alena +100, Bořek −100, Cyril −100, Dana +100" in page.text
    assert "By the rules: Alena +105, Bořek −105, Cyril −105, Dana +105" in page.text


def test_the_verdicts_of_deals_that_were_there_count_too(eva: Client) -> None:
    sent(eva, samples.TAROKY)
    page = Page(eva.get(sent(eva, samples.TAROKY, samples.ILLEGAL)).content.decode())
    head = page.text.partition("Sessions:")[0]
    assert "1 already in the archive" in head
    assert "✓ Verified 1" in head
    assert "✕ Illegal 1" in head


def test_the_failures_alone(eva: Client, client: Client) -> None:
    second = samples.MALFORMED.replace('"Alena"', '"Adéla"')
    address = sent(eva, *TEXTS, second)
    link = f"{address}failures"
    assert link in Page(eva.get(address).content.decode()).attributes("href")
    answer = eva.get(link)
    assert b"".join(answer.streaming_content).decode() == samples.MALFORMED + second
    assert answer["Content-Disposition"].startswith("attachment")
    assert Client().get(link).status_code == 404


def test_where_all_is_well_there_is_nothing_to_mend(eva: Client) -> None:
    address = sent(eva, samples.TAROKY)
    assert f"{address}failures" not in Page(eva.get(address).content.decode()).attributes("href")
    assert b"".join(eva.get(f"{address}failures").streaming_content) == b""
