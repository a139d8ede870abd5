"""The page on which a browser checks records by itself, and the one on which the archive does it."""

from __future__ import annotations

import json
import re

import pytest
from django.core.cache import cache
from django.test import Client

from archive.models import Deal, Upload
from replays.language.verdicts import VERDICTS
from tests import samples

from .conftest import Page
from .languages import LANGUAGES

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uncounted() -> None:
    cache.clear()


def content(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_page_can_send_nothing_that_is_put_in(client: Client) -> None:
    """Its field and its files are in no form, and have no names."""
    text = content(client, "/check/own/")
    (main,) = re.findall(r"<main.*?</main>", text, re.DOTALL)
    assert "<form" not in main
    fields = re.findall(r"<(?:textarea|input)\b[^>]*>", main)
    assert len(fields) == 3
    assert not any(" name=" in field for field in fields)
    assert "Nothing is sent" in main


def test_the_page_has_every_verdict_in_words(client: Client) -> None:
    (texts,) = re.findall(
        r'<script id="texts" type="application/json">(.*?)</script>', content(client, "/check/own/")
    )
    assert list(json.loads(texts)["verdicts"]) == list(VERDICTS)


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_says_what_is_missing_and_where_else_to_go(client: Client, language: str) -> None:
    text = client.get("/check/own/", headers={"accept-language": language}).content.decode()
    (noscript,) = re.findall(r"<noscript>(.*?)</noscript>", text, re.DOTALL)
    assert 'href="/check/"' in noscript
    assert "JavaScript" in noscript
    assert "WebAssembly" in text


def test_only_the_worker_may_compile(client: Client) -> None:
    """The page is as strict as all others."""
    policy = client.get("/check/own/")["Content-Security-Policy"]
    assert policy == client.get("/deals/")["Content-Security-Policy"]
    assert "wasm" not in policy


@pytest.mark.parametrize("path", ["/upload/", "/check/"])
def test_other_pages_lead_there(client: Client, path: str) -> None:
    assert "/check/own/" in Page(content(client, path)).attributes("href")


# --- the archive's own check --------------------------------------------------------------------------------


def test_a_record_is_checked_and_not_stored(client: Client) -> None:
    answer = client.post("/check/", {"page": "1", "text": samples.WRONG_CLAIM})
    text = answer.content.decode()
    assert "<main" in text
    assert "Disputed" in text
    # The text is there for corrections.
    assert "[TGN " in text
    assert not Deal.objects.exists()
    assert not Upload.objects.exists()


def test_the_page_escapes_what_was_sent(client: Client) -> None:
    text = client.post("/check/", {"page": "1", "text": samples.NASTY + "</textarea>"}).content.decode()
    assert samples.SCRIPT not in text
    assert text.count("</textarea>") == 1


def test_the_page_refuses_what_is_too_long_and_what_another_site_sends() -> None:
    client = Client(enforce_csrf_checks=True)
    assert client.post("/check/", {"page": "1", "text": samples.TAROKY}).status_code == 403
    answer = Client().post("/check/", {"page": "1", "text": "x" * 70_000})
    assert answer.status_code == 413
    assert "too long for a record" in answer.content.decode()
