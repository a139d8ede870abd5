"""The board's questions at the page's address, and the words that its answers share with other pages."""

from __future__ import annotations

import json

import pytest
from django.test import Client
from django.utils import translation

from replays.deal.faults import fault
from replays.names import Names
from tarock.clauses import LANGUAGES
from tarock.notation import read_one, write_json
from tarock.questions import answer
from tarock.verify import check
from tests.conformance.test_conformance import ROWS
from tests.engine.boarding import Json, board, offers

ILLEGAL = [row for row in ROWS if row.values[0]["expect"]["verdict"] == "illegal"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("row", [row.values[0] for row in ILLEGAL[:: len(ILLEGAL) // 10]])
def test_the_board_has_the_words_of_the_page(row: dict[str, object], language: str) -> None:
    record = read_one(json.dumps(row["record"]))
    question = {"ask": "board", "record": write_json(record), "language": language}
    found = json.loads(answer(json.dumps(question)))["finding"]
    with translation.override(language):
        of_page = fault(check(record).error, record, Names(record.game, record.players))
    assert of_page is not None
    assert of_page.clause is not None
    assert (found["event"], found["text"]) == (of_page.event, of_page.message)
    assert (found["clause"], found["title"]) == (of_page.slug, of_page.clause.title)
    assert found["place"].lower() == of_page.place.lower()
    assert {*of_page.legal_words} <= {*found["legal"]}


def of_table(game: str, seats: int) -> Json:
    """The first verified deal of a game with so many seats."""
    rows: list[Json] = [row.values[0] for row in ROWS]
    found = (r for r in rows if r["record"]["game"] == game and len(r["record"]["players"]) == seats)
    return next(r for r in found if r["expect"]["verdict"] == "verified")


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("game", "seats"),
    [("strohmann", 2), ("taroky", 4), ("troggu", 8), ("grosstarock", 2), ("grosstarock", 3)],
)
def test_a_whole_deal_is_entered_at_the_page_s_address(client: Client, game: str, seats: int) -> None:
    row = of_table(game, seats)
    record = read_one(json.dumps(row["record"]))

    def ask(question: Json) -> Json:
        found: Json = client.post("/evenings/ask", question, content_type="application/json").json()
        return found

    found = board(record, 0, ask=ask)
    for number, event in enumerate(record.events, start=1):
        assert offers(found, list(event))
        found = board(record, number, ask=ask)
    assert (found["text"], found["score"], found["over"]) == (row["text"], row["expect"]["score"], True)
