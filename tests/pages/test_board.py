"""The board's questions at the page's address, and the words that its answers share with other pages."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import translation

from replays.language.names import Names
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import read_one, write_json
from tarock.view.answers.questions import answer
from tarock.view.finding import FindingView
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES, clause
from tarock.words.names import PlayerNames
from tests.conformance.test_conformance import ROWS
from tests.engine.boarding import Json, board, offers
from tests.engine.test_board import DEALS, moves_of, text_of

ILLEGAL = [row for row in ROWS if row.values[0]["expect"]["verdict"] == "illegal"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("row", [row.values[0] for row in ILLEGAL[:: len(ILLEGAL) // 10]])
def test_the_board_has_the_words_of_the_page(row: dict[str, object], language: str) -> None:
    record = read_one(json.dumps(row["record"]))
    question = {"ask": "board", "record": write_json(record), "language": language}
    found = json.loads(answer(json.dumps(question)))["finding"]
    with translation.override(language):
        error = check(record).error
        assert error is not None
        of_page = FindingView(error, Names(record.game, record.players), record)
        assert of_page.clause
        assert (found["event"], found["text"]) == (error.event, of_page.text)
        assert (found["clause"], found["title"]) == (of_page.clause, of_page.title)
    assert found["place"].lower() == of_page.place.lower()
    assert {*of_page.legal_words} <= {*found["legal"]}


def ask(client: Client, question: Json) -> Json:
    found: Json = client.post("/evenings/ask", question, content_type="application/json").json()
    return found


@pytest.mark.django_db
@pytest.mark.parametrize(("record", "language"), DEALS)
def test_a_deal_is_entered_by_what_is_offered(client: Client, record: Record, language: str) -> None:
    """Every conformance deal, through the page's address; it comes out as it was."""

    def at(events: int) -> Json:
        return board(record, events, language, ask=lambda question: ask(client, question))

    checked = check(record)
    wrong = checked.error.event if checked.error and checked.verdict == "illegal" else None
    legal = len(record.events) if wrong is None else wrong
    found = at(0)
    for number in range(legal):
        assert found["finding"] is None
        assert not found["over"]
        event = record.events[number]
        assert offers(found, list(event)), (number, event)
        found = at(number + 1)
        assert len(moves_of(found)) == number + 1
        assert moves_of(found)[-1]["seat"] == event[0]
    if wrong is None:
        assert found["record"] == write_json(record)
        assert found["text"] == text_of(record)
        assert found["finding"] is None
    else:
        assert not offers(found, list(record.events[wrong]))
        before, found = found, at(wrong + 1)
        assert found["turn"] == before["turn"]
        _has_the_fault(found, record, language)
        found = at(len(record.events))
        assert found["record"] == write_json(record)
        assert found["text"] == text_of(record)
    assert found["verdict"] == checked.verdict
    assert found["score"] == checked.score
    assert [(line["clause"], line["points"]) for line in found["sheet"]] == [
        (line.clause, dict(line.points)) for line in checked.lines
    ]
    assert found["over"] == (checked.score is not None)
    if found["over"]:
        assert found["turn"] is None
        assert not any(found[key] for key in ("choices", "many", "more"))


def _has_the_fault(found: Json, record: Record, language: str) -> None:
    """The finding has the words of the page of the deal, and the table shows the event."""
    error = check(record).error
    assert error is not None
    assert error.event is not None
    called = PlayerNames(record.game, record.players, language)
    finding = found["finding"]
    assert finding["text"] == called.sentence(sentences.finding, replace(error, trick=None)) != ""
    assert finding["place"].lower() == sentences.place(record, error.event, called).lower()
    assert (finding["clause"], finding["event"]) == (error.clause, error.event)
    assert finding["title"] == clause(finding["clause"], language).title
    assert len(finding["legal"]) == len(error.legal or ())
    wrong = record.events[error.event]
    if wrong[1] == "play":
        assert [wrong[0], wrong[2].partition("(")[0]] == found["frame"]["trick"]["plays"][-1][:2]
    assert not any(found[key] for key in ("choices", "many", "more", "over"))
    assert [move["judged"] for move in moves_of(found)] == [True] * error.event + [False]
