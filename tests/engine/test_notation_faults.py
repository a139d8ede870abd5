"""Reading TGN: each fault with its place, and several records at once."""

from __future__ import annotations

import json

import pytest

from tarock.analysis.verify import check, check_entry
from tarock.notation import NotWritable, dump_json, read, read_one, write_json, write_text
from tarock.words import sentences
from tests.engine.builder import Deal
from tests.engine.notation_sample import FORM, TEXT, sure
from tests.support.effort import THOROUGH


def test_forms_of_json() -> None:
    one = json.dumps(FORM)
    two = dump_json(Deal("strohmann").record())
    array = f"  [\n{one}\n,\n{two}\n]\n"
    for data in (f"[{one},{two}]", f"{one}\n{two}\n", f"{one}{two}", array, f"{one}\r\n{two}"):
        entries = read(data)
        assert [e.record.game for e in entries if e.record] == ["taroky", "strohmann"], data[:20]
        assert [e.form for e in entries] == ["json", "json"]
        assert json.loads(entries[0].source) == FORM
    assert read_one(json.dumps(FORM, indent=2)) == read_one(one)
    assert read_one(b"\xef\xbb\xbf" + one.encode()) == read_one(one)


@pytest.mark.parametrize("first", ["tgn", "comments", "players", "events"])
def test_a_json_record_cut_off_anywhere_costs_only_itself(first: str) -> None:
    one = json.dumps({first: FORM[first]} | FORM)
    for end in range(1, len(one), 1 if THOROUGH else 3):
        entries = read(f"{one}\n{one[:end]}\n{one}\n{one}")
        assert sum(e.error is None for e in entries) == 3, one[:end]
        assert [e.error is None for e in entries[-2:]] == [True, True], one[:end]
        assert [e.line for e in entries[-2:]] == [3, 4]
    (whole,) = read(json.dumps([FORM], indent=1))
    assert whole.error is None


def test_a_fault_in_a_laid_out_array_costs_only_its_record() -> None:
    rows = json.dumps([dict(sorted(FORM.items()))] * 3, indent=2, sort_keys=True).split("\n")
    places = [n for n, line in enumerate(rows) if line.startswith('    "dealer"')]
    rows[places[1]] = "    dealer: D,"
    entries = read("\n".join(rows))
    assert [e.error is None for e in entries] == [True, False, True]
    assert (entries[1].error.line, entries[1].error.column) == (places[1] + 1, 5)


def test_constants_and_doubles_in_json() -> None:
    one = json.dumps(FORM)
    for word in ("NaN", "Infinity", "-Infinity"):
        (entry,) = read(sure('"A": 1', f'"A": {word}', one))
        assert word in sentences.message(entry.error)
    (entry,) = read(sure('"game": "taroky"', '"game": "taroky", "game": "taroky"', one))
    assert "game" in sentences.message(entry.error)
    (entry,) = read(sure('"A": "Alena"', '"A": "Alena", "A": "Alena"', one))
    assert entry.error is not None


def test_bytes_that_are_no_utf_8() -> None:
    data = TEXT.encode().replace("ř".encode(), b"\xff")
    (entry,) = read(data)
    assert (entry.error.line, entry.error.column) == (4, 7)
    good = TEXT.encode()
    entries = read(good + b"\n" + data + b"\n" + good)
    assert [e.error is None for e in entries] == [True, False, True]
    (entry,) = read(json.dumps(FORM, ensure_ascii=False).encode().replace("ř".encode(), b"\xf8"))
    assert entry.error is not None


def test_what_text_cannot_write() -> None:
    for events in ("C play T5", "B play", "B play T5 T3", "B announce valat", "B pass, B play T5"):
        more = [event.split() for event in events.split(", ")]
        form = FORM | {"events": FORM["events"][:15] + more + FORM["events"][16:]}
        record = read_one(json.dumps(form))
        with pytest.raises(NotWritable) as fault:
            write_text(record)
        assert fault.value.event == 15
        assert write_json(record) == form
        assert check(record).verdict == "illegal"


def test_the_place_of_an_illegal_event() -> None:
    for old, new, line, column, event in (
        ("A bid first", "A pass", 16, 1, 0),
        ("C pass", "C bid first", 18, 1, 2),
        ("B discard CQ", "B discard SK", 22, 1, 6),
        ("T20 T5 T7", "T20 T5 C7", 30, 13, 16),
        ("T20 T5", "T20 T4", 30, 10, 15),
    ):
        entries = read(TEXT + "\n" + sure(old, new))
        found = check_entry(entries[1])
        assert (found.error.line, found.error.column) == (TEXT.count("\n") + 1 + line, column)
        assert (found.error.event, found.error.pointer) == (event, f"/events/{event}")
