"""The entrance, and the page about the API."""

import html
import re

from api.schema import ERRORS
from archive.web.problems import CODES
from tarock.notation.schema import schema

from .conftest import ApiClient


def test_the_entrance_leads_everywhere(reader: ApiClient) -> None:
    entrances = reader.ask().json()
    expected = ["deals", "uploads", "scores", "changes", "games", "clauses", "dumps", "me"]
    assert list(entrances) == [*expected, "schema", "tgn_schema", "docs", "license"]
    licence = "https://creativecommons.org/publicdomain/zero/1.0/"
    assert entrances.pop("license") == licence
    assert f'<{licence}>; rel="license"' in reader.ask("deals")["Link"]
    assert reader.ask("dumps").json()["license"] == licence
    assert reader.ask("schema").json()["info"]["license"]["url"] == licence
    for name, address in entrances.items():
        assert reader.get(address).status_code == (401 if name in ("uploads", "me") else 200)


def test_the_page_tells_of_everything(reader: ApiClient) -> None:
    """Every operation, every part of an answer, every error; and each link on it leads somewhere."""
    response = reader.ask("docs")
    assert response["Content-Type"].startswith("text/html")
    page = response.content.decode()
    document = reader.ask("schema").json()
    ids = set(re.findall(r'\bid="([^"]+)"', page))
    for operations in document["paths"].values():
        for operation in operations.values():
            assert operation["operationId"] in ids
            assert html.escape(operation["summary"], quote=False).replace("'", "&#39;") in page
    assert {f"schema-{name}" for name in document["components"]["schemas"]} <= ids
    for code in (*CODES, *ERRORS):
        assert code in page
    assert set(re.findall(r'href="#([^"]+)"', page)) <= ids
    assert "{'" not in page


def test_what_an_error_leads_to_is_on_the_page(reader: ApiClient) -> None:
    address, _, place = reader.ask("deals/0").json()["type"].partition("#")
    assert f'id="{place}"' in reader.get(address).content.decode()


def test_the_notation_s_json_schema(reader: ApiClient) -> None:
    address = reader.ask().json()["tgn_schema"]
    assert reader.get(address)["Content-Type"] == "application/schema+json"
    assert reader.get(address, headers={"Accept": "application/json"}).json() == schema()


def test_the_page_needs_nothing_beyond_the_policy(reader: ApiClient) -> None:
    response = reader.ask("docs")
    assert response["Content-Security-Policy"] == reader.ask()["Content-Security-Policy"]
    assert not re.search(r"<script|<style|\bstyle=|\bon\w+=", response.content.decode())
