"""`GET /deals/{id}/replay`: what the engine shows of each step, and to whom."""

import json
import re
from typing import Any

import pytest

from archive.shown import ShownDeal
from tarock.analysis import replay
from tarock.analysis.simulate import simulate
from tarock.core.cards import CARDS as ALL_CARDS
from tarock.notation import read_one, write_text
from tests import samples

from .conftest import ApiClient, Store
from .shape import assert_error


def test_the_outline(reader: ApiClient, taroky: ShownDeal) -> None:
    shown = reader.ask(f"deals/{taroky.pk}/replay").json()
    assert (shown["deal"], shown["view"], shown["steps"]) == (str(taroky.contribution.key), None, 64)
    assert len(shown["events"]) == 64
    first, last = shown["events"][0], shown["events"][-1]
    assert (first["event"], first["seat"], first["verb"], first["args"]) == (0, "A", "bid", ["first"])
    assert (last["event"], last["seat"], last["verb"], last["args"], last["trick"]) == (
        63,
        "D",
        "play",
        ["SQ"],
        12,
    )
    assert shown["events"] == [row.as_json() for row in replay.outline(read_one(samples.TAROKY))]


def test_one_position(reader: ApiClient, taroky: ShownDeal) -> None:
    shown = reader.ask(f"deals/{taroky.pk}/replay/positions/16").json()
    assert (shown["step"], shown["steps"], shown["phase"], shown["turn"]) == (16, 64, "play", "A")
    hand = shown["hands"]["A"]
    assert hand["count"] == len(hand["cards"]) == 12
    assert shown["discards"]["B"]["cards"] == ["CQ"]
    assert shown == replay.position(read_one(samples.TAROKY), 16).as_json()


def test_the_first_and_the_last_step(reader: ApiClient, taroky: ShownDeal) -> None:
    first = reader.ask(f"deals/{taroky.pk}/replay/positions/0").json()
    assert first["talon"] == {"count": 6, "cards": ["CK", "S8", "HK", "H1", "S7", "DJ"]}
    assert (first["last"], first["over"]) == (None, False)
    last = reader.ask(f"deals/{taroky.pk}/replay/positions/64").json()
    assert last["over"] is True
    assert last["won"] == {"A": 9, "B": 0, "C": 2, "D": 1}
    assert {seat: hand["count"] for seat, hand in last["hands"].items()} == dict.fromkeys("ABCD", 0)


def _codes(value: Any) -> set[str]:
    """Every string in a JSON value that is a card's code."""
    if isinstance(value, str):
        return set(value.replace("(", " ").split()) & CARDS
    if isinstance(value, dict):
        return set().union(*map(_codes, value.values()), *map(_codes, value))
    return set().union(*map(_codes, value)) if isinstance(value, list) else set()


CARDS = {card for cards in samples.taroky_json()["deal"].values() for card in cards}


@pytest.mark.parametrize("seat", "ABCD")
def test_a_seat_s_view_holds_no_card_it_may_not_know(seat: str, reader: ApiClient, taroky: ShownDeal) -> None:
    dealt = samples.taroky_json()["deal"]
    # Before the bidding a seat knows its own twelve, whatever the answer is searched for.
    shown = reader.ask(f"deals/{taroky.pk}/replay/positions/0", {"view": seat}).json()
    assert _codes(shown) == set(dealt[seat])
    # After the first lead it also may know what it took from the talon, the card called, and what is on
    # the table.
    step = {"A": 15, "B": 16, "C": 16, "D": 15}[seat]
    shown = reader.ask(f"deals/{taroky.pk}/replay/positions/{step}", {"view": seat}).json()
    own = (
        set(shown["hands"][seat]["cards"])
        | set(dealt[seat])
        | set(shown["discards"].get(seat, {}).get("cards") or [])
    )
    assert _codes(shown) <= own | {"T19", "T20", "CQ", "H2"}
    assert not _codes(shown) & {"HK", "CK"} or seat == "A"  # the talon's kings went to A
    assert shown["partner"] == ("D" if seat == "D" else None)
    assert shown["side_points"] is None


def test_a_view_has_steps_of_its_own(reader: ApiClient, taroky: ShownDeal) -> None:
    """Nobody hears B and C pass up the sub (events 14 and 15), but each himself."""
    for seat, steps in {"A": 62, "B": 63, "C": 63, "D": 62}.items():
        shown = reader.ask(f"deals/{taroky.pk}/replay", {"view": seat}).json()
        assert (shown["steps"], len(shown["events"])) == (steps, steps)
        assert [row["event"] for row in shown["events"]] == list(range(steps))
        last = reader.ask(f"deals/{taroky.pk}/replay/positions/{steps}", {"view": seat}).json()
        assert (last["step"], last["steps"], last["over"]) == (steps, steps, True)
        beyond = reader.ask(f"deals/{taroky.pk}/replay/positions/{steps + 1}", {"view": seat})
        assert str(steps) in assert_error(beyond, 404, "not_found")["detail"]


def test_the_outline_of_a_view_hides_what_it_must(reader: ApiClient, taroky: ShownDeal) -> None:
    rows = reader.ask(f"deals/{taroky.pk}/replay", {"view": "B"}).json()["events"]
    discards = rows[5]
    assert discards["args"] == []  # four cards of A's that B does not see
    assert "C9" not in json.dumps(rows[:16])


def test_an_illegal_deal_is_shown_up_to_the_event(reader: ApiClient, store: Store) -> None:
    deal = store(samples.NOT_HELD)
    outline = reader.ask(f"deals/{deal.pk}/replay").json()
    assert outline["steps"] == 33
    assert len(outline["events"]) == 33
    last = reader.ask(f"deals/{deal.pk}/replay/positions/33").json()
    assert last["error"]["clause"] == "common.not-held"
    assert last["error"]["legal"] == ["HQ", "HJ", "H4"]
    assert_error(reader.ask(f"deals/{deal.pk}/replay/positions/34"), 404, "not_found")


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"step": "1"}, "step"),
        ({"view": "E"}, "view"),
        ({"view": "a"}, "view"),
        ({"view": "AB"}, "view"),
        ({"view": ""}, "view"),
        ({"seat": "A"}, "seat"),
    ],
)
def test_bad_views(query: dict[str, Any], field: str, reader: ApiClient, taroky: ShownDeal) -> None:
    for path in ("replay", "replay/positions", "replay/positions/1"):
        assert_error(reader.ask(f"deals/{taroky.pk}/{path}", query), 400, "invalid_parameter", field=field)


@pytest.mark.parametrize("step", ["-1", "65", "9" * 20, "first", "1.5", "1/2"])
def test_steps_that_there_are_not(step: str, reader: ApiClient, taroky: ShownDeal) -> None:
    assert_error(reader.ask(f"deals/{taroky.pk}/replay/positions/{step}"), 404, "not_found")


def test_what_the_rules_do_by_themselves(reader: ApiClient, store: Store) -> None:
    """In Strohmann a card turned up from a pile is taken into the hand; from then on all know it there."""
    (record,) = simulate("strohmann", deals=1, seed=5)
    deal = store(write_text(record))
    rows = reader.ask(f"deals/{deal.pk}/replay").json()["events"]
    row = next(row for row in rows if row["happenings"])
    happening = row["happenings"][0]
    seat, card = happening["values"]["seat"], happening["values"]["card"]
    assert happening == {
        "event": row["event"],
        "clause": "strohmann.reveal",
        "kind": "taken-up",
        "values": {"seat": seat, "card": card},
        "text": f"{seat} turns up {card} and adds it to their hand.",
    }
    other = "B" if seat == "A" else "A"
    at, step = f"deals/{deal.pk}/replay/positions", row["event"]
    before, after = (reader.ask(f"{at}/{n}", {"view": other}).json() for n in (step, step + 1))
    assert (before["happenings"], before["hands"][seat]["shown"]) == ([], [])
    assert (after["happenings"], after["hands"][seat]["shown"]) == (row["happenings"], [card])
    assert after["hands"][seat]["cards"] is None


@pytest.mark.parametrize("view", [None, "A", "B"])
def test_the_stock_is_in_no_answer(view: str | None, reader: ApiClient, store: Store) -> None:
    """Grosstarock for two: 25 cards lie face down to the end, and after it."""
    record = next(simulate("grosstarock", players=2, deals=1, seed=3))
    deal = store(write_text(record))
    dealt = {card for cards in record.deal.values() for card in cards}
    stock = set(ALL_CARDS) - dealt
    assert len(stock) == 25
    query = {"view": view} if view else {}
    found = [reader.ask(f"deals/{deal.pk}/replay", query).json(), reader.ask(f"deals/{deal.pk}/score").json()]
    for step in (0, 1, 3, 20, len(record.events)):
        found.append(reader.ask(f"deals/{deal.pk}/replay/positions/{step}", query).json())
    found.append(reader.ask(f"deals/{deal.pk}/replay/positions", query).json())
    for answer in found:
        words = set(re.findall(r"\b[SHDCT](?:[KQCJ]|\d+)\b", json.dumps(answer)))
        assert not words & stock
