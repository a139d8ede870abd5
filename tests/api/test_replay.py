"""The table at every step of a stored deal, or after the last event of a sent record, and who sees what."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from archive.models import Deal
from tarock.analysis import replay
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check
from tarock.core.cards import BIT
from tarock.core.cards import CARDS as ALL_CARDS
from tarock.core.record import Record
from tarock.games import games
from tarock.notation import dump_json, read_one, write_text
from tests.support import samples
from tests.support.effort import spread

from .conftest import JSON, TGN, ApiClient
from .shape import assert_error


def test_outline_and_positions_are_those_of_the_engine(reader, taroky) -> None:
    address, record = f"deals/{taroky.pk}/replay", read_one(samples.TAROKY)
    shown = reader.ask(address).json()
    assert (shown["deal"], shown["view"], shown["steps"]) == (str(taroky.contribution.key), None, 64)
    assert shown["events"] == [row.as_json() for row in replay.outline(record)]
    names = ("event", "seat", "verb", "args")
    assert [shown["events"][0][name] for name in names] == [0, "A", "bid", ["first"]]
    assert [shown["events"][-1][name] for name in (*names, "trick")] == [63, "D", "play", ["SQ"], 12]
    assert len(shown["events"]) == 64
    first, lead, last = (reader.ask(f"{address}/positions/{step}").json() for step in (0, 16, 64))
    assert first["talon"] == {"count": 6, "cards": ["CK", "S8", "HK", "H1", "S7", "DJ"]}
    assert (first["last"], first["over"]) == (None, False)
    assert (lead["step"], lead["steps"], lead["phase"], lead["turn"]) == (16, 64, "play", "A")
    assert lead["hands"]["A"]["count"] == len(lead["hands"]["A"]["cards"]) == 12
    assert lead["discards"]["B"]["cards"] == ["CQ"]
    assert lead == replay.position(record, 16).as_json()
    assert (last["over"], last["won"]) == (True, {"A": 9, "B": 0, "C": 2, "D": 1})
    assert {seat: hand["count"] for seat, hand in last["hands"].items()} == dict.fromkeys("ABCD", 0)
    for step in ("-1", "65", "9" * 20, "first", "1.5", "1/2"):
        assert_error(reader.ask(f"{address}/positions/{step}"), 404, "not_found")


def _codes(value: Any) -> set[str]:
    """Every string in a JSON value that is a card's code."""
    if isinstance(value, str):
        return set(value.replace("(", " ").split()) & CARDS
    if isinstance(value, dict):
        return set().union(*map(_codes, value.values()), *map(_codes, value))
    return set().union(*map(_codes, value)) if isinstance(value, list) else set()


CARDS = {card for cards in samples.taroky_json()["deal"].values() for card in cards}


def test_a_seat_s_view_holds_no_card_it_may_not_know_and_has_steps_of_its_own(reader, taroky) -> None:
    """Before the bidding a seat knows its own twelve cards, whatever the answer is searched for."""
    address = f"deals/{taroky.pk}/replay"
    for seat, dealt in list(samples.taroky_json()["deal"].items())[:4]:
        query = {"view": seat}
        assert _codes(reader.ask(f"{address}/positions/0", query).json()) == set(dealt)
        steps = samples.FIRST_SEEN[seat] + 48
        shown = reader.ask(address, query).json()
        assert (shown["view"], shown["steps"], len(shown["events"])) == (seat, steps, steps)
        assert [row["event"] for row in shown["events"]] == list(range(steps))
        last = reader.ask(f"{address}/positions/{steps}", query).json()
        assert (last["step"], last["steps"], last["over"]) == (steps, steps, True)
        beyond = reader.ask(f"{address}/positions/{steps + 1}", query)
        assert str(steps) in assert_error(beyond, 404, "not_found")["detail"]
    rows = reader.ask(address, {"view": "B"}).json()["events"]
    assert rows[5]["args"] == []  # four cards of A's that B does not see
    assert "C9" not in json.dumps(rows[:16])


def test_an_illegal_deal_is_shown_up_to_the_event(reader, store) -> None:
    address = f"deals/{store(samples.NOT_HELD).pk}/replay"
    outline = reader.ask(address).json()
    assert (outline["steps"], len(outline["events"])) == (33, 33)
    error = reader.ask(f"{address}/positions/33").json()["error"]
    assert (error["clause"], error["legal"]) == ("common.not-held", ["HQ", "HJ", "H4"])
    assert_error(reader.ask(f"{address}/positions/34"), 404, "not_found")


def test_the_stock_is_in_no_answer(reader, store) -> None:
    """Grosstarock for two: 25 cards lie face down to the end, and after it."""
    record = next(simulate("grosstarock", players=2, deals=1, seed=3))
    deal = store(write_text(record))
    stock = set(ALL_CARDS) - {card for cards in record.deal.values() for card in cards}
    assert len(stock) == 25
    views: tuple[dict[str, str], ...] = ({}, {"view": "A"}, {"view": "B"})
    for path in ("replay", "replay/positions", f"replay/positions/{len(record.events)}", "score"):
        for query in views[: 1 if path == "score" else 3]:
            answer = reader.ask(f"deals/{deal.pk}/{path}", query).content.decode()
            assert not set(re.findall(r"\b[SHDCT](?:[KQCJ]|\d+)\b", answer)) & stock, (path, query)


@pytest.mark.parametrize("body", [samples.TROGGU, samples.NOT_HELD, samples.BROKEN_OFF])
def test_all_steps_are_those_of_the_replay(body, reader, store) -> None:
    address = f"deals/{store(body).pk}/replay"
    for eyes in ({}, {"view": "B"}):
        whole = reader.ask(f"{address}/positions", eyes).json()
        positions = whole.pop("positions")
        assert len(positions) == whole["steps"] + 1
        for step in {*spread(range(whole["steps"]), 9), whole["steps"]}:
            assert reader.ask(f"{address}/positions/{step}", eyes).json() == positions[step]
        assert whole == reader.ask(address, eyes).json()


# --- what is sent -------------------------------------------------------------------------------------------


def standing(client: ApiClient, body: str, view: str = "") -> dict[str, Any]:
    """Return the position of a record, for a seat or with all hands open."""
    path = f"positions?view={view}" if view else "positions"
    answer = client.send(body, JSON if body.startswith("{") else TGN, path)
    assert answer.status_code == 200, answer.content
    return answer.json()


def _unfinished(record: Record) -> Iterator[Record]:
    for number in spread(range(len(record.events)), 6):
        yield replace(record, events=record.events[:number], comments={}, score=None)


@pytest.mark.parametrize("info", games(), ids=lambda info: info.id)
def test_what_was_played_was_offered_until_the_deal_is_over(info, reader, db) -> None:
    (record,) = simulate(info.id, players=info.seats[-1], deals=1, seed=5)
    for begun in _unfinished(record):
        told = standing(reader, dump_json(begun))
        choices, event = told["choices"], list(record.events[len(begun.events)])
        assert (told["verdict"], told["sheet"]) == ("incomplete", None)
        assert told["position"]["step"] == len(begun.events)
        assert told["position"]["turn"] == choices["turn"]
        if event[1] == "discard":
            found, cards = choices["discard"], set(event[2:])
            assert len(cards) == found["number"]
            assert any(
                set(way["all_of"]) <= cards <= {*way["all_of"], *way["rest_of"]} for way in found["ways"]
            )
        else:
            assert event in [move["event"] for move in choices["moves"]]
    told, checked = standing(reader, dump_json(record)), check(record)
    assert (told["verdict"], told["errors"], told["choices"]) == ("verified", [], None)
    assert told["position"]["over"]
    assert told["score"] == told["sheet"]["score"] == checked.score
    assert [line["points"] for line in told["sheet"]["lines"]] == [line.points for line in checked.lines]


def test_the_words_of_a_choice(reader, db) -> None:
    record = read_one(samples.TAROKY)
    for step, event, written, words in (
        (0, ["A", "bid", "first"], "A bid first", "A bids first"),
        (16, ["A", "play", "T20"], "T20", "A plays T20"),
    ):
        begun = replace(record, events=record.events[:step], score=None)
        choices = standing(reader, dump_json(begun))["choices"]
        assert (choices["turn"], choices["discard"]) == ("A", None)
        assert {"event": event, "written": written, "words": words} in choices["moves"]


@pytest.mark.parametrize("info", games(), ids=lambda info: info.id)
def test_a_seat_is_told_what_it_may_know(info, reader, db) -> None:
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


def test_a_finished_deal_has_its_sheet_for_every_seat(reader, taroky) -> None:
    assert_error(reader.ask("deals/0/replay/positions"), 404)
    told = standing(reader, samples.TAROKY, "B")
    stored = reader.ask(f"deals/{taroky.pk}/score").json()
    assert told["sheet"] == {name: stored[name] for name in told["sheet"]}
    assert told["choices"] is None
    assert Deal.objects.count() == 1


def test_what_is_illegal_or_unreadable_is_told_as_by_verify(reader, db) -> None:
    for body in (samples.NOT_HELD, samples.MALFORMED, samples.BROKEN_OFF, samples.DISPUTED_TROGGU):
        told = standing(reader, body)
        (expected,) = reader.send(body, path="verify").json()["results"]
        assert {name: told[name] for name in expected} == expected
        assert (told["position"] is None) == (body == samples.MALFORMED)
        assert (told["choices"] is None) == (body != samples.BROKEN_OFF)


@pytest.mark.parametrize("view", "ACD")
def test_another_s_fault_is_told_without_its_clause(view, reader, db) -> None:
    """Which rule B breaks would tell the others what B holds."""
    told = standing(reader, samples.NOT_HELD, view)
    own = standing(reader, samples.NOT_HELD, "B")
    assert told["verdict"] == own["verdict"] == "illegal"
    assert own["error"]["clause"] == standing(reader, samples.NOT_HELD)["error"]["clause"]
    error = told["error"]
    assert (error["clause"], error["legal"], error["values"]) == (None, None, {})
    assert own["error"]["clause"] not in json.dumps(told)


def test_what_is_refused(reader, troggu) -> None:
    assert_error(reader.ask(f"deals/{troggu.pk}/replay/positions", {"view": "D"}), 400, field="view")
    two = f"{samples.TAROKY}\n{samples.TROGGU}"
    assert "2 records" in assert_error(reader.send(two, path="positions"), 400, "bad_request")["detail"]
    assert_error(reader.send(samples.TROGGU, path="positions?view=D"), 400, field="view")
    assert_error(reader.send(samples.TROGGU, path="positions?step=3"), 400, field="step")
    assert_error(reader.send("x" * 300_000, path="positions"), 413, "too_large")
