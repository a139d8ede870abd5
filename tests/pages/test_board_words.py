"""The board says of an illegal event what the page of the deal says of it."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from replays.deal.faults import fault
from replays.names import Names
from tarock.clauses import LANGUAGES
from tarock.notation import read_one, write_json
from tarock.questions import answer
from tarock.verify import check
from tests.conformance.test_conformance import ROWS

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
