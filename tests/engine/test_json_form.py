"""`json_form`: what was written is read again without a check."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tarock.games import games
from tarock.notation import NotationError, NotWritable, dump_json, json_form, read, write_text
from tarock.record import Record
from tarock.simulate import simulate


def _records() -> list[Record]:
    """Of every game and number of players some deals, and the records of the conformance suite."""
    made = [
        record
        for info in games()
        for players in info.seats
        for record in simulate(info.id, players=players, deals=20, seed=3)
    ]
    for path in sorted((Path(__file__).parent.parent / "conformance").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            made += [entry.record for entry in read(json.dumps(json.loads(line)["record"])) if entry.record]
    return made


def test_it_is_what_the_reader_reads() -> None:
    records, texts = _records(), 0
    for record in records:
        record.comments[0] = ["“Ťok”; one", "two"]
        told = dump_json(record)
        assert json.dumps(json_form(told), separators=(",", ":"), ensure_ascii=False) == told
        try:
            text = write_text(record)
        except NotWritable:
            continue
        texts += 1
        assert json.dumps(json_form(text), separators=(",", ":"), ensure_ascii=False) == told
    assert texts > 0.9 * len(records)


@pytest.mark.parametrize("text", ["", '[TGN "1"]\n[Game "taroky"]\ndeal A X9\n1. A\n', "1. A SK }\n"])
def test_what_is_no_record(text: str) -> None:
    with pytest.raises(NotationError):
        json_form(text)
