"""`tarock endings`: values of cards, for people and as JSON."""

from __future__ import annotations

import json

from tarock.analysis.endings import ending
from tarock.notation import read_one
from tests.cli.command import illegal, tarock

NONE = {"step": None, "seat": None, "values": None, "best": None, "exact": False}


def test_endings_prints_one_object_a_record(taroky: str) -> None:
    done = tarock("endings", "--json", "--step", "-6", "-", given=taroky + "\n" + illegal(taroky))
    whole, stopped = map(json.loads, done.stdout.splitlines())
    assert whole == {"n": 0} | json.loads(json.dumps(ending(read_one(taroky), -6).as_json()))
    assert (whole["exact"], whole["why"]) == (True, None)
    assert stopped["why"] == "illegal"
    assert done.returncode == 1


def test_endings_ranks_the_cards(taroky: str) -> None:
    found = ending(read_one(taroky), tricks=3)
    assert found.values is not None
    done = tarock("endings", "--tricks", "3", "-", given=taroky)
    head, *rows, last = done.stdout.splitlines()
    assert head == f"record 0, step {found.step}: {found.seat} to play"
    assert {card: int(value.replace("−", "-")) for card, value in map(str.split, rows)} == found.values
    assert last.startswith(f"  best: {found.seat} ")


def test_endings_says_why_there_are_no_values(taroky: str) -> None:
    assert tarock("endings", "--tricks", "20", "-", given=taroky).stdout == "record 0: not-in-play\n"
    broken = tarock("endings", "--json", "-", given="[TGN")
    assert json.loads(broken.stdout) == {"n": 0} | NONE | {"why": "not-in-play"}
    assert broken.returncode == 1
    assert broken.stderr
    assert tarock("endings", "--tricks", "3", "--step", "3", "-", given=taroky).returncode == 2
    late = tarock("endings", "--seconds", "0", "--json", "-", given=taroky)
    assert json.loads(late.stdout)["why"] == "limit"
