"""Results of a check belong to the caller, and nothing that a sender wrote stays in memory."""

from __future__ import annotations

import contextlib
import copy
import gc
import hashlib
import json
import random
import string
import tracemalloc
from dataclasses import fields, is_dataclass
from typing import Any

import pytest

from tarock.analysis import audit, public_knowledge
from tarock.analysis.replay import outline, position
from tarock.analysis.simulate import simulate
from tarock.analysis.verify import check, check_entry
from tarock.notation import read, read_one, write_json, write_text
from tarock.words import sentences
from tests.engine.worked import WORKED


def spoil(value: Any) -> None:
    """Alters everything in a value that can be altered."""
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    if is_dataclass(value) and not isinstance(value, type):
        inner = [getattr(value, field.name) for field in fields(value)]
    for one in inner:
        spoil(one)
    if isinstance(value, dict):
        value.clear()
        value["spoiled"] = -1
    elif isinstance(value, list):
        value[:] = ["spoiled"]


@pytest.mark.parametrize("name", WORKED)
def test_who_alters_a_check_alters_no_other(name: str) -> None:
    record = read_one(WORKED[name].text)
    first = check(record)
    before = copy.deepcopy(first.as_json())
    notes = [sentences.note(note, sentences.Names(record.game)) for note in audit.notes(record)]
    for line in first.lines:
        spoil([line.points, line.quantity])
    for counting in first.countings:
        spoil(list(counting.parts))
    for happening in first.happenings:
        spoil(happening.values)
    for note in audit.notes(record):
        spoil(note.values)
    spoil([first.facts, first.score, first.claim, first.as_json])
    assert check(record).as_json() == before
    assert check(read_one(WORKED[name].text)).as_json() == before
    assert [sentences.note(note, sentences.Names(record.game)) for note in audit.notes(record)] == notes
    # Nor does who alters the JSON form.
    spoil(check(record).as_json())
    assert check(record).as_json() == before


def test_who_alters_a_finding_or_a_position_alters_no_other() -> None:
    record = read_one(WORKED["TAROKY_RE"].text)
    form = write_json(record)
    form["events"][16] = ["B", "play", "T21"]
    bad = read_one(json.dumps(form))
    before = copy.deepcopy(check(bad).as_json())
    error = check(bad).error
    spoil([error.values, check(bad).facts])
    assert check(bad).as_json() == before
    for found in (record, bad):
        for view in (None, "A", "B"):
            shown = [copy.deepcopy([position(found, n, view), outline(found, view)]) for n in (0, 10, 99)]
            for n in (0, 10, 99):
                spoil([position(found, n, view), outline(found, view), public_knowledge.position(found, n)])
            assert [[position(found, n, view), outline(found, view)] for n in (0, 10, 99)] == shown
    assert check(record).verdict == "verified"


def strange(rng: random.Random, record: int, text: str) -> str:
    """A record with names, tags, words and comments that no other has."""
    word = "".join(rng.choices(string.ascii_letters, k=300))
    tag, moves = '[TGN "1"]', (f" announce {word} {word.lower()}\n", f" {word}\n")
    tags = (f'{tag}\n[Event "{word}"]', f'{tag}\n[{word} "x"]', f'{tag}\n[Date "{word}"]')
    kind = record % 5
    return text.replace(tag, tags[kind], 1) if kind < 3 else text.replace(" pass\n", moves[kind - 3], 1)


def test_a_record_cannot_be_spoilt_through_another() -> None:
    one, other = (read_one(WORKED["TAROKY_RE"].text) for _ in range(2))
    before = json.dumps([check(other).as_json(), write_text(other)])
    assert one.seating is other.seating  # asked for often, so made once
    for name, value in one.seating._asdict().items():
        assert not isinstance(value, dict | list), name
    for table in (one.seating.next, one.seating.turns):
        with pytest.raises(TypeError):
            table["A"] = "A"  # type: ignore[index]
    assert json.dumps([check(other).as_json(), write_text(other)]) == before


@pytest.mark.parametrize("word", ["x", 'x","y', "x\\", 'x\\"', "é", '"', 4 * '"', 5 * '"'])
def test_the_digest_is_the_hash_of_the_json_form(word: str) -> None:
    form = write_json(read_one(WORKED["TAROKY_RE"].text))
    form["events"] = [["A", "bid", word], ["B", "pass"]]
    record = read_one(json.dumps(form))
    identity = {name: getattr(record, name) for name in ("deal", "dealer", "events", "game", "options")}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert record.digest == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.slow
def test_nothing_that_a_sender_wrote_is_kept() -> None:
    rng = random.Random(17)
    texts = [write_text(record) for record in simulate("taroky", deals=20, seed=3)]
    inputs = [strange(rng, n, texts[n // 5 % 20]) for n in (*range(400), *range(200))]
    for n in range(400, 600):
        # The other half of the last two hundred in JSON, where the words of a text allow it.
        with contextlib.suppress(ValueError):
            inputs[n] = json.dumps(write_json(read_one(inputs[n])))

    def go(rows: list[str]) -> int:
        verdicts = set()
        for row in rows:
            for entry in read(row):
                found = check_entry(entry)
                verdicts.add(found.verdict)
                json.dumps(found.as_json())
                if entry.record is not None:
                    position(entry.record, 30, "A")
                    outline(entry.record)
        assert {"verified", "malformed", "illegal"} <= verdicts
        del rows, row, entry, found
        gc.collect()
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    go(inputs[:100])
    tracemalloc.start()
    try:
        go(inputs[100:200])
        for start in (200, 400):
            before = go(inputs[start : start + 100])
            after = go(inputs[start + 100 : start + 200])
            assert after - before < 64 * 1024
    finally:
        tracemalloc.stop()
