"""The entrance, and the page to try the API on."""

import re
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from .conftest import ApiClient


def test_the_entrance_leads_everywhere(reader: ApiClient) -> None:
    entrances = reader.ask().json()
    assert list(entrances) == ["deals", "uploads", "scores", "games", "clauses", "schema", "docs"]
    for name, address in entrances.items():
        assert reader.get(address).status_code == (405 if name == "uploads" else 200)


def test_the_page_s_files_are_our_own(reader: ApiClient) -> None:
    response = reader.ask("docs")
    assert response["Content-Type"].startswith("text/html")
    page = response.content.decode()
    files = re.findall(r'(?:src|href)="([^"]+)"', page)
    assert len(files) >= 5
    for file in files:
        if file.startswith("/static/"):
            assert finders.find(file.removeprefix("/static/")), file
        else:
            assert file.startswith("/api/v1/schema")
    assert not re.search(r"<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=", page)  # nothing inline


def test_the_policy_of_the_page(reader: ApiClient) -> None:
    policy = reader.ask("docs")["Content-Security-Policy"]
    directives = {part.split()[0]: part.split()[1:] for part in policy.split(";") if part.strip()}
    assert directives["script-src"] == ["'self'"]
    assert directives["style-src"] == ["'self'"]
    assert directives["img-src"] == ["'self'", "data:"]
    assert "data:" not in reader.ask()["Content-Security-Policy"]  # for that page alone
    assert "'unsafe-inline'" not in policy
    assert "'unsafe-eval'" not in policy


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
def test_the_page_in_a_browser(live_server: Any, page: Any) -> None:
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.goto(f"{live_server.url}/api/v1/docs")
    operation = page.locator("#operations-rules-get_game")
    operation.wait_for()
    assert page.locator(".opblock").count() == 18
    # One is tried: the answer on the page is the site's.
    operation.locator(".opblock-summary-control").click()
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("textbox").fill("troggu")
    operation.get_by_role("button", name="Execute").click()
    answer = operation.locator(".live-responses-table .microlight, .live-responses-table pre").first
    answer.wait_for()
    assert "Three to eight players" in operation.inner_text()
    assert not [line for line in said if not line.startswith(("info:", "log:", "debug:"))], said
