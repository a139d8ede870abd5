"""`GET /deals/{id}/score`: verdict and score, line by line; `GET /scores`: points per player."""

import csv
import io
from dataclasses import replace
from typing import Any

import pytest

from archive import packed_sheets
from archive.models import Contribution, Deal, Player
from archive.shown import ShownDeal
from archive.storing import spaces
from tarock.words.clauses import clause
from tests.support import samples
from tests.support.seasons import season

from .conftest import ApiClient

pytestmark = pytest.mark.usefixtures("sweeper")


def test_a_verified_deal(reader, taroky) -> None:
    sheet = reader.ask(f"deals/{taroky.pk}/score").json()
    assert (sheet["deal"], sheet["verdict"]) == (str(taroky.contribution.key), "verified")
    assert sheet["score"] == sheet["claim"] == samples.TAROKY_SCORE
    assert sheet["finding"] is None
    # 60 − 35 for the game, 20 × 4 for the Pagat, 5 for tarocky, and 5 to the others for barvicky.
    assert {line["clause"]: line["points"] for line in sheet["lines"]} == {
        "taroky.game": {"A": 25, "B": -25, "C": -25, "D": 25},
        "taroky.pagat-announced": {"A": 80, "B": -80, "C": -80, "D": 80},
        "taroky.hand-tarocky": {"A": 5, "B": -5, "C": -5, "D": 5},
        "taroky.hand-barvicky": {"A": -5, "B": 5, "C": 5, "D": -5},
    }
    for line in sheet["lines"]:
        assert line["title"] == clause(line["clause"]).title
        assert reader.get(line["url"]).json()["slug"] == line["clause"]
        parts = "clause title url points to from quantity sentences calculation events"
        assert set(line) == set(parts.split())
    played = "First Duty, bidder A, called T19, partner D, flek:pagat by B, re:pagat by A"
    assert ", ".join(sheet["played"]) == played
    game = sheet["lines"][0]
    assert (game["sentences"], game["calculation"]) == (["over"], "bidder’s side: 60 − 35 = 25")
    assert (game["to"], game["from"]) == (["A", "D"], ["B", "C"])
    counts = [
        tuple(count[name] for name in ("side", "cards", "value", "points")) for count in sheet["counts"]
    ]
    assert counts == [("bidder", 45, 90, 60), ("opponents", 9, 16, 10)]
    assert sheet["facts"]["partner"] == "D"


def test_deals_that_are_not_verified(reader, store) -> None:
    disputed, illegal, incomplete = (
        reader.ask(f"deals/{store(text).pk}/score").json()
        for text in (samples.DISPUTED_TROGGU, samples.NOT_HELD, samples.BROKEN_OFF)
    )
    assert (disputed["verdict"], disputed["claim"]) == ("disputed", {"A": 2, "B": -1, "C": -1})
    assert disputed["score"] == samples.TROGGU_SCORE
    none = (illegal["verdict"], illegal["score"], illegal["lines"], illegal["counts"])
    assert none == ("illegal", None, [], [])
    assert (illegal["finding"]["clause"], illegal["finding"]["event"]) == ("common.not-held", 33)
    assert (incomplete["verdict"], incomplete["score"]) == ("incomplete", None)
    assert incomplete["finding"]["event"] == 32


def _stored_otherwise(deal: ShownDeal, **changes: object) -> None:
    """The line of the game as an older engine might have stored it."""
    lines = tuple(
        line._replace(**changes) if line.clause == "taroky.game" else line  # type: ignore[arg-type]
        for line in deal.lines
    )
    clauses, sheet = packed_sheets.pack(replace(deal.checked, lines=lines))
    Deal.objects.filter(pk=deal.pk).update(clauses=clauses, sheet=sheet)


def test_the_lines_shown_are_those_stored(reader, taroky) -> None:
    # An older engine may have computed another score: the API shows the stored one, and computes nothing.
    def stored(**changes: object) -> tuple[Any, ...]:
        _stored_otherwise(taroky, **changes)
        line = reader.ask(f"deals/{taroky.pk}/score").json()["lines"][0]
        return tuple(line[name] for name in ("points", "to", "from", "calculation"))

    points, quantity = {"A": 1, "B": -1}, {**taroky.lines[0].quantity, "points": 77}
    sums = "bidder’s side: 77 − 35 = 25"
    assert stored(points=points, quantity=quantity) == (points, ["A"], ["B"], sums)
    assert stored(points=points, sentences=("said no more",)) == (points, ["A"], ["B"], "")
    Contribution.objects.update(verdict="disputed")
    assert reader.ask(f"deals/{taroky.pk}/score").json()["verdict"] == "disputed"
    _stored_otherwise(taroky, clause="taroky.of-old")
    titles = [line["title"] for line in reader.ask(f"deals/{taroky.pk}/score").json()["lines"]]
    assert "taroky.of-old" in titles


# --- points per player --------------------------------------------------------------------------------------

SOME = samples.TAROKY, samples.DISPUTED_TROGGU, samples.NOT_HELD, samples.BROKEN_OFF
"""Two scored deals in which Alena played, and two without a score."""


def _scores(client: ApiClient, **query: Any) -> list[tuple[str, int, int]]:
    response = client.ask("scores", query)
    assert response.status_code == 200, response.content
    assert response.json()["next"] is None
    return [(row["player"], row["deals"], row["points"]) for row in response.json()["results"]]


def test_all_that_have_a_score(reader, store) -> None:
    assert _scores(reader) == []
    for text in SOME:
        store(text)
    # The score by the rules counts (4 and −2), not the claim; equal points of a game are sorted by name.
    taroky = [("Alena", 1, 105), ("Dana", 1, 105), ("Bořek", 1, -105), ("Cyril", 1, -105)]
    assert _scores(reader) == [*taroky, ("Alena", 1, 4), ('Jan "Skus" V.', 1, -2), ("a\\b", 1, -2)]
    for query, rows in (
        ({"game": "troggu", "player": "Alena"}, [("Alena", 1, 4)]),
        ({"player": "alena"}, [("Alena", 1, 105), ("Alena", 1, 4)]),
        ({"verdict": "illegal"}, []),
        ({"date_from": "2026-06-01", "player": "Alena"}, [("Alena", 1, 105)]),
    ):
        assert _scores(reader, **query) == rows, query
    everyone = [row["player"] for row in reader.ask("scores").json()["results"]]
    address, pages = "http://testserver/api/v1/scores?limit=4", []
    while address:
        page = reader.get(address).json()
        pages.append([row["player"] for row in page["results"]])
        address = page["next"]
    assert pages == [everyone[:4], everyone[4:]]
    assert reader.ask("scores?offset=7").json() == {"next": None, "is_partial": False, "results": []}
    store(samples.SHEET)
    for count, deals in (("verified", 1), ("computed", 2)):
        assert _scores(reader, game="taroky", player="Alena", count=count)[0][1] == deals


def test_players_of_one_name_are_told_apart(writer, store, alena) -> None:
    """Each club has its own; so has who is in none."""
    store(samples.TAROKY)
    club = spaces.found_club("Tarok", by=alena)
    assert writer.send(samples.TAROKY, path=f"deals?club={club.pk}").status_code in (200, 201)
    rows = writer.ask("scores", {"player": "Dana"}).json()["results"]
    assert {(row["club"], row["club_name"]) for row in rows} == {(None, None), (club.pk, "Tarok")}
    for row in rows:
        player = Player.objects.get(pk=row["player_id"])
        assert (player.name, player.space.name) == ("Dana", row["club_name"] or "")
        # Its id selects the player, here and in the lists of deals, and so does the club's id.
        assert writer.ask("scores", {"player_id": player.pk}).json()["results"] == [row]
        (deal,) = writer.ask("deals", {"player_id": player.pk, "role": "partner"}).json()["results"]
        assert (deal["club"], deal["players"][3]["player_id"]) == (row["club"], player.pk)
    (row,) = writer.ask("scores", {"player": "Dana", "club": club.pk}).json()["results"]
    assert row["club"] == club.pk
    (row,) = writer.ask("scores", {"player": "Dana", "club_name": "tar"}).json()["results"]
    assert row["club"] == club.pk


#: The first players of a season by the query, with their points. Sums worked out in `tests.support.seasons`.
SEASON: list[tuple[dict[str, Any], str]] = [
    ({}, "Cleo 14, Ben 5, Ada -5, Eva -6, Dov -8"),
    ({"by": "mean"}, "Cleo 14, Ben 5, Ada -5, Dov -8, Eva -6"),
    ({"best_evenings": 1, "least_evenings": 2}, "Ben 20, Ada 9, Cleo 6, Dov -3"),
    ({"by": "evening_mean", "least_deals": 5}, "Cleo 14, Ben 5, Ada -5"),
]


def test_a_season_is_that_of_the_page(reader, alena) -> None:
    club = spaces.found_club("Tarok", by=alena)
    season(club, alena)
    names = {"least_deals": "least", "least_evenings": "evenings", "best_evenings": "best", "by": "by"}
    for query, rows in SEASON:
        found = reader.ask("scores", {"club": club.pk, **query}).json()["results"]
        assert ", ".join(f"{row['player']} {row['points']}" for row in found) == rows
        on_page = {"game": "taroky"} | {names[name]: value for name, value in query.items()}
        page = reader.get(f"/clubs/{club.pk}/season/season.csv", on_page)
        table = csv.DictReader(io.StringIO(page.content.decode()))
        for place, (row, line) in enumerate(zip(found, table, strict=True), start=1):
            assert row["place"] == place == int(line["place"])
            assert row["player"] == line["player"]
            assert row["points"] == int(line["total"])
            for name in ("evenings", "deals", "evenings_left_out"):
                assert row[name] == int(line[name]), name
            assert row["points_per_deal"] == pytest.approx(row["points"] / row["deals"])
            assert row["points_per_evening"] == pytest.approx(row["points"] / row["evenings"])
