"""Positions: the table at every step of a stored deal, or after the last event of a sent record."""

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from archive.models import Deal
from archive.shown import ShownDeal
from tarock.analysis import replay
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.cards import BIT
from tarock.core.record import Record
from tarock.games import games
from tarock.notation import dump_json, read_one, write_json
from tests import samples

from .conftest import JSON, ApiClient, Store
from .shape import assert_error


def standing(client: ApiClient, body: str, view: str = "") -> dict[str, Any]:
    """Return the position of a record, for a seat or with all hands open."""
    path = f"positions?view={view}" if view else "positions"
    answer = client.send(body, JSON if body.startswith("{") else "application/vnd.tgn", path)
    assert answer.status_code == 200, answer.content
    return answer.json()


# --- stored deals -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [samples.TAROKY, samples.TROGGU, samples.NOT_HELD, samples.BROKEN_OFF])
def test_all_steps_are_those_of_the_replay(body: str, reader: ApiClient, store: Store) -> None:
    address = f"deals/{store(body).pk}/replay"
    for eyes in ({}, {"view": "B"}):
        whole = reader.ask(f"{address}/positions", eyes).json()
        steps = [reader.ask(f"{address}/positions/{n}", eyes).json() for n in range(whole["steps"] + 1)]
        assert whole.pop("positions") == steps
        assert whole == reader.ask(address, eyes).json()


def test_no_such_seat(reader: ApiClient, troggu: ShownDeal) -> None:
    assert_error(reader.ask(f"deals/{troggu.pk}/replay/positions", {"view": "D"}), 400, field="view")
    assert_error(reader.ask(f"deals/{troggu.pk}/replay/positions", {"step": 1}), 400, field="step")
    assert_error(reader.ask("deals/0/replay/positions"), 404)


# --- what is sent -------------------------------------------------------------------------------------------


def bare(record: Record) -> dict[str, Any]:
    """A deal as it lies before the first event, in the JSON form."""
    return write_json(replace(record, events=[], comments={}, score=None))


def chosen(choices: dict[str, Any], rng: random.Random) -> list[str]:
    """One of the events that are offered."""
    events = [move["event"] for move in choices["moves"]]
    if found := choices["discard"]:
        way = rng.choice(found["ways"])
        rest = rng.sample(way["rest_of"], found["number"] - len(way["all_of"]))
        events.append([choices["turn"], "discard", *way["all_of"], *rest])
    return rng.choice(events)


@pytest.mark.parametrize("info", games(), ids=lambda info: info.id)
def test_a_whole_deal_can_be_played_by_what_is_offered(info: Any, reader: ApiClient, db: None) -> None:
    rng = random.Random(7)
    (record,) = simulate(info.id, players=info.seats[0], deals=1, seed=11)
    form = bare(record)
    while (told := standing(reader, json.dumps(form)))["choices"]:
        assert told["verdict"] == "incomplete"
        assert told["position"]["step"] == len(form["events"])
        assert told["position"]["turn"] == told["choices"]["turn"]
        assert told["sheet"] is None
        form["events"].append(chosen(told["choices"], rng))
    checked = check(read_one(json.dumps(form)))
    assert (told["verdict"], told["errors"]) == ("verified", [])
    assert told["position"]["over"]
    assert told["score"] == told["sheet"]["score"] == checked.score
    assert [line["points"] for line in told["sheet"]["lines"]] == [line.points for line in checked.lines]


def _unfinished(record: Record) -> Iterator[Record]:
    for number in range(0, len(record.events), 5):
        yield replace(record, events=record.events[:number], comments={}, score=None)


@pytest.mark.parametrize("info", games(), ids=lambda info: info.id)
def test_what_was_played_was_offered_and_nothing_else(info: Any, reader: ApiClient, db: None) -> None:
    for record in simulate(info.id, players=info.seats[-1], deals=2, seed=5):
        for begun in _unfinished(record):
            choices = standing(reader, dump_json(begun))["choices"]
            event = list(record.events[len(begun.events)])
            if event[1] == "discard":
                found, cards = choices["discard"], set(event[2:])
                assert len(cards) == found["number"]
                assert any(
                    set(way["all_of"]) <= cards <= {*way["all_of"], *way["rest_of"]} for way in found["ways"]
                )
            else:
                assert event in [move["event"] for move in choices["moves"]]
            for move in choices["moves"]:
                after = replace(begun, events=[*begun.events, tuple(move["event"])])
                assert check(after).verdict in ("verified", "incomplete")


def test_the_words_of_a_choice(reader: ApiClient, db: None) -> None:
    record = read_one(samples.TAROKY)
    first = standing(reader, dump_json(replace(record, events=[], score=None)))["choices"]
    assert first["turn"] == "A"
    assert {"event": ["A", "bid", "first"], "written": "A bid first", "words": "A bids first"} in first[
        "moves"
    ]
    lead = standing(reader, dump_json(replace(record, events=record.events[:16], score=None)))["choices"]
    assert {"event": ["A", "play", "T20"], "written": "T20", "words": "A plays T20"} in lead["moves"]
    assert lead["discard"] is None


@pytest.mark.parametrize("info", games(), ids=lambda info: info.id)
def test_a_seat_is_told_what_it_may_know(info: Any, reader: ApiClient, db: None) -> None:
    (record,) = simulate(info.id, players=info.seats[0], deals=1, seed=3)
    for begun in _unfinished(record):
        turn = standing(reader, dump_json(begun))["choices"]["turn"]
        for view in record.seats:
            told = standing(reader, dump_json(begun), view)
            at = replay.position(begun, len(begun.events), view)
            assert told["position"] == json.loads(json.dumps(at.as_json()))
            assert (told["digest"], told["claim"], told["score"]) == (None, None, None)
            assert told["error"] == told["position"]["error"]
            if view != turn:
                assert told["choices"] is None
                continue
            moves = told["choices"]["moves"]
            offered = [move["written"] for move in moves if move["event"][1] == "play"]
            for way in (told["choices"]["discard"] or {"ways": []})["ways"]:
                offered += way["all_of"] + way["rest_of"]
            assert set(offered) == {word for word in at.legal or () if word.partition("(")[0] in BIT}
            assert {move["event"][0] for move in moves} <= {view}


def test_a_finished_deal_has_its_sheet_for_every_seat(reader: ApiClient, taroky: ShownDeal) -> None:
    told = standing(reader, samples.TAROKY, "B")
    stored = reader.ask(f"deals/{taroky.pk}/score").json()
    assert told["sheet"] == {name: stored[name] for name in told["sheet"]}
    assert told["choices"] is None
    assert Deal.objects.count() == 1


def test_what_is_illegal_or_unreadable_is_told_as_by_verify(reader: ApiClient, db: None) -> None:
    for body in (samples.NOT_HELD, samples.MALFORMED, samples.BROKEN_OFF, samples.DISPUTED_TROGGU):
        told = standing(reader, body)
        (expected,) = reader.send(body, path="verify").json()["results"]
        assert {name: told[name] for name in expected} == expected
        assert (told["position"] is None) == (body == samples.MALFORMED)
        assert (told["choices"] is None) == (body != samples.BROKEN_OFF)


@pytest.mark.parametrize("view", "ACD")
def test_another_s_fault_is_told_without_its_clause(view: str, reader: ApiClient, db: None) -> None:
    """Which rule B breaks would tell the others what B holds."""
    told = standing(reader, samples.NOT_HELD, view)
    own = standing(reader, samples.NOT_HELD, "B")
    assert told["verdict"] == own["verdict"] == "illegal"
    assert own["error"]["clause"] == standing(reader, samples.NOT_HELD)["error"]["clause"]
    error = told["error"]
    assert (error["clause"], error["legal"], error["values"]) == (None, None, {})
    assert own["error"]["clause"] not in json.dumps(told)


def test_what_is_refused(reader: ApiClient, db: None) -> None:
    two = f"{samples.TAROKY}\n{samples.TROGGU}"
    assert "2 records" in assert_error(reader.send(two, path="positions"), 400, "bad_request")["detail"]
    assert_error(reader.send(samples.TROGGU, path="positions?view=E"), 400, field="view")
    assert_error(reader.send(samples.TROGGU, path="positions?step=3"), 400, field="step")
    assert_error(reader.send("x" * 300_000, path="positions"), 413, "too_large")
