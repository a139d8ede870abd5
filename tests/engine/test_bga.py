"""Logs of Grosstarock at Board Game Arena become records. `bga.ndjson.gz` has three deals, as the program of
the site sends them; nobody here has seen a log of the live site."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from tarock.analysis.verify import try_check
from tarock.notation import Entry, read, read_one, write_text

LOG = gzip.decompress(Path(__file__).with_name("bga.ndjson.gz").read_bytes())
ROWS = [json.loads(line) for line in LOG.splitlines()]
FIRST = [row for row in ROWS if row["table"] == "11-1"]


def text(rows: list[dict[str, Any]]) -> str:
    return "\n".join(map(json.dumps, rows))


def only(rows: list[dict[str, Any]]) -> Entry:
    (entry,) = read(text(rows))
    return entry


def test_the_deals_of_a_log_are_verified() -> None:
    entries = read(text(ROWS))
    assert [try_check(entry).verdict for entry in entries] == ["verified"] * 3
    three, pots, four = (read_one(write_text(entry.record)) for entry in entries if entry.record)
    assert dict(three.players) == {"A": "A", "B": "B", "C": "C"}
    assert (three.tags["Session"], three.tags["Deal"], three.dealer) == ("Board Game Arena 11-1", "12", "C")
    assert list(three.events[:4]) == [
        ("C", "discard", "D2", "CC", "C6"), ("C", "pass"), ("A", "announce", "cavallery:D"),
        ("B", "announce", "tarocks:19", "matadors:7"),
    ]  # fmt: skip
    assert ("B", "play", "T0(C)") in three.events
    # The site says "Full Kings"; a record counts Sküs, Mond and Pagat as well.
    assert pots.events[1] == ("B", "announce", "kings:4", "cavallery:C")
    # At a table of four, the player two after the dealer sits out.
    assert (four.dealer, dict(four.players)) == ("D", {"A": "A", "B": "B", "C": "C", "D": "D"})
    assert {seat for seat, *_ in four.events} == {"A", "C", "D"}


def test_a_log_in_packets_is_read_as_well() -> None:
    """Its numbers may be texts, one viewer's private notifications are missing, and the site adds its own."""
    packets: list[dict[str, Any]] = []
    for row in json.loads(json.dumps(FIRST)):
        if row["to"] == "all":
            data = {"uid": "1", "type": row["type"], "log": "", "args": row["args"]}
            packets.append({"channel": "/table/t77", "move_id": "3", "time": "1764345600", "data": [data]})
    packets[3]["data"].insert(0, {"type": "gameStateChange", "args": {"id": 9}})
    packets[0]["data"][0]["args"]["dealer_id"] = "1003"
    (entry,) = read(json.dumps({"status": 1, "data": {"logs": packets}}))
    assert entry.record is not None
    assert (entry.record.tags["Session"], entry.record.tags["Date"]) == ("Board Game Arena 77", "2025-11-28")
    assert try_check(entry).verdict == "verified"


@pytest.mark.parametrize(("kind", "wrong"), [
    ("newDeal", {"dealer_id": None}),
    ("newHand", {"cards": [1]}),
    ("playCard", {"card": {"id": "1", "type": "6", "type_arg": "1"}}),
    ("playCard", {"card": {"id": "1", "type": "5", "type_arg": "23"}}),
    ("declare", {"declarations": [{"bonus_name": "Two left feet"}]}),
    ("returnToHand", {"player": 1001}),
    ("nameSuit", {"display_suit": "<b>♠</b>"}),
])  # fmt: skip
def test_a_log_that_cannot_be_read_names_the_place(kind: str, wrong: dict[str, Any]) -> None:
    rows = json.loads(json.dumps(FIRST))
    at = next(at for at, row in enumerate(rows) if row["type"] == kind)
    rows[at]["args"].update(wrong)
    error = only(rows).error
    assert error is not None
    assert (error.reason, error.line, error.values) == ("log-event", at + 1, {"event": at + 1, "found": kind})


def test_a_log_that_is_cut_off_within_a_notification_keeps_its_deals() -> None:
    good, cut_off = read(text(FIRST) + "\n" + text(ROWS)[:90])
    assert good.record is not None
    assert (cut_off.error and cut_off.error.reason, cut_off.line) == ("no-json", len(FIRST) + 1)


def test_a_log_without_what_a_deal_needs_is_named() -> None:
    """An unfinished deal needs all hands; a table of two is refused."""
    half = FIRST[:100]
    assert try_check(only(half)).verdict == "incomplete"
    error = only([row for row in half if row["type"] != "newHand"]).error
    assert error is not None
    assert (error.reason, error.values["found"]) == ("log-incomplete", 33)
    two = [row for row in FIRST if "1003" not in json.dumps(row["args"]) or row["type"] == "newDeal"]
    two[0] = {**two[0], "args": {**two[0]["args"], "dealer_id": 1001}}
    for rows, reason in ((FIRST[1:], "log-without-deals"), (two, "log-of-two")):
        assert [error.reason for error in only(rows).errors] == [reason]


def test_a_spoiled_log_has_an_answer() -> None:
    chance, sound = random.Random(7), text(FIRST)
    places = list(re.finditer(r'"[^"]*"|\d+|null|\[\]', sound))
    for _ in range(40):
        place = chance.choice(places)
        words = ["null", "-1", "1e400", '"x"', "[]", "{}", "1003", chance.choice(places)[0], ""]
        other = chance.choice(words)
        entries = read(sound[: place.start()] + other + sound[place.end() :])
        assert entries, other
        outcomes = {try_check(entry).outcome for entry in entries}
        assert outcomes <= {"malformed", "illegal", "incomplete", "verified"}
