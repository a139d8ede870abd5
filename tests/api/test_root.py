"""The entrance, the page about the API, and what the engine says of its games and clauses."""

import html
import re

from api.schema import ERRORS
from archive.web.problems import CODES
from tarock.notation.schema import schema
from tarock.words import clauses
from tests.support.effort import spread


def test_the_entrance_leads_everywhere(reader) -> None:
    entrances = reader.ask().json()
    expected = ["deals", "uploads", "scores", "changes", "games", "clauses", "rules", "dumps", "me"]
    assert list(entrances) == [*expected, "schema", "tgn_schema", "docs", "license"]
    licence = "https://creativecommons.org/publicdomain/zero/1.0/"
    assert entrances.pop("license") == licence
    assert f'<{licence}>; rel="license"' in reader.ask("deals")["Link"]
    assert reader.ask("dumps").json()["license"] == licence
    assert reader.ask("schema").json()["info"]["license"]["url"] == licence
    for name, address in entrances.items():
        assert reader.get(address).status_code == (401 if name in ("uploads", "me") else 200)


def test_the_page_tells_of_everything(reader) -> None:
    """Every operation, every part of an answer, every error; and each link on it leads somewhere. It needs
    nothing beyond the policy of all answers."""
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
    assert reader.ask("deals/0").json()["type"].partition("#")[2] in ids
    assert response["Content-Security-Policy"] == reader.ask()["Content-Security-Policy"]
    assert not re.search(r"<script|<style|\bstyle=|\bon\w+=", page)


def test_the_notation_s_json_schema(reader) -> None:
    address = reader.ask().json()["tgn_schema"]
    assert reader.get(address)["Content-Type"] == "application/schema+json"
    assert reader.get(address, headers={"Accept": "application/json"}).json() == schema()


# --- games and clauses --------------------------------------------------------------------------------------


def test_games(reader) -> None:
    games = reader.ask("games").json()
    assert [(game["id"], game["seats"], game["pack"], game["points"]) for game in games] == [
        ("strohmann", [2], 54, 70),
        ("taroky", [4], 54, 70),
        ("troggu", [3, 4, 5, 6, 7, 8], 62, 114),
        ("grosstarock", [2, 3, 4], 78, 78),
    ]
    for game in games:
        assert reader.get(game["url"]).json() == game
        for found in reader.get(game["clauses"]).json():
            assert found["game"] == game["id"]
        (rules,) = reader.get(game["rules"]).json()
        assert [option["slug"] for option in rules["options"]] == game["options"]
    game = reader.ask("games/taroky").json()
    assert game["direction"] == "anticlockwise"
    assert "settle-uncontested" in game["options"]
    assert {"bid", "call", "announce", "play"} <= set(game["verbs"])


def test_clauses(reader) -> None:
    listed = reader.ask("clauses").json()
    assert listed
    assert [row["slug"] for row in listed] == [found.slug for found in clauses.clauses()]
    for row in listed:
        assert all(row[name].strip() for name in ("title", "text", "source"))
        assert row["kind"] == "seed" or row["reason"].strip()
    for row in spread(listed, 20):
        assert reader.get(row["url"]).json() == row
    for game in ("common", "strohmann", "taroky", "troggu", "grosstarock"):
        listed = reader.ask("clauses", {"game": game}).json()
        assert [row["slug"] for row in listed] == [found.slug for found in clauses.clauses(game)]
        assert {row["game"] for row in listed} == {game}
