"""Reading TGN: any input at all, and records one by one."""

from __future__ import annotations

import json
import time
from itertools import islice
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tarock.analysis.verify import check_entry
from tarock.games import GAMES, games
from tarock.notation import (
    Entry,
    NotationError,
    NotWritable,
    dump_json,
    read,
    read_each,
    read_one,
    write_text,
)
from tarock.notation.keys import KEYS
from tarock.words import sentences
from tests.engine.driver import examples
from tests.engine.notation_sample import FORM, TEXT
from tests.engine.sheet_sample import FORM as SHEET_FORM
from tests.engine.sheet_sample import SHEET, sheet_of_game
from tests.engine.worked import WORKED

FUZZ = settings(max_examples=examples(300), deadline=None, suppress_health_check=list(HealthCheck))
GOOD = [
    *(TEXT, json.dumps(FORM), WORKED["GROSS_PLAIN"].text, f"[{json.dumps(FORM)}]"),
    *(SHEET, json.dumps(SHEET_FORM), f"[{json.dumps(SHEET_FORM)}]"),
]
PIECES = [*'{}[];"\\\n\r\x00A),é', "TGN", '[TGN "1"]', "deal", "sheet", "1.", "T0("]


def sound(data: str | bytes) -> list[Entry]:
    """Reading never raises, and says of every piece of the input a record or a fault with its place."""
    entries = read(data)
    assert entries
    assert [e.n for e in entries] == list(range(len(entries)))
    for entry in entries:
        assert (entry.record is None) != (entry.error is None)
        assert entry.line >= 1
        found = check_entry(entry)
        json.dumps(found.as_json())
        if entry.error is not None:
            assert entry.error.line is not None
            assert entry.error.line >= 1
            assert sentences.message(entry.error)
        if entry.record is not None:
            again = read_one(dump_json(entry.record))
            assert again == entry.record
            assert again.digest == entry.record.digest
            try:
                text = write_text(entry.record)
            except NotWritable:
                continue
            assert read_one(text) == entry.record
            assert write_text(read_one(text)) == text
    return entries


SCRAPS = [
    *["hello", "{}", "[]", "[{}]", "[[]]", "null", "[TGN]", "[", "{", "]", "}", '{"tgn":'],
    *("", " \n\t\n", "\ufeff", b"", "; only a remark", "{ only a comment }", '[TGN "1"]', '{"tgn": 1}'),
    *('[{"tgn": 1}', "\x00", b"\xff\xfe", b"\x80abc", "\ud800", "[" * 5000, '{"tgn":' * 3000, "{" * 100_000),
    *('[{"tgn": 1e999}]', '{"tgn": ' + "9" * 5000 + "}", '{"tgn": NaN}', '{"tgn": 1, "tgn": 1}'),
    *("[TGN " * 1000, "1. A T1\n" * 10),
]


@pytest.mark.parametrize("data", SCRAPS, ids=range(len(SCRAPS)))
def test_what_is_no_record(data: str | bytes) -> None:
    assert {check_entry(entry).verdict for entry in sound(data)} == {"malformed"}
    with pytest.raises(NotationError):
        read_one(data)


@FUZZ
@given(st.text() | st.binary())
def test_any_text_or_bytes(data: str | bytes) -> None:
    sound(data)


@FUZZ
@given(
    st.lists(st.sampled_from([*PIECES, " ", "SK", "T1", "pass", "taroky", '"tgn"', ":", "1"]), max_size=60)
)
def test_any_pieces(pieces: list[str]) -> None:
    sound("".join(pieces))
    sound(" ".join(pieces))


@FUZZ
@given(
    st.sampled_from(GOOD),
    st.lists(
        st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from([*PIECES, ""])), min_size=1, max_size=4
    ),
)
def test_any_damage(good: str, damage: list[tuple[float, int, str]]) -> None:
    data = good
    for where, length, piece in damage:
        at = int(where * len(data))
        data = data[:at] + piece + data[at + length :]
    sound(data)
    entries = sound(f"{good}\n{data}\n\n{good}")
    assert entries[-1].record is not None or "{" in data or '"' in data or entries[-1].form == "json"


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


def put(form: Any, path: str, content: Any) -> Any:
    changed = json.loads(json.dumps(form))
    *above, last = path.split("/")
    place = changed
    for key in above:
        place = place[int(key) if isinstance(place, list) else key]
    place[int(last) if isinstance(place, list) else last] = content
    return changed


PLACES = [
    *((FORM, path) for path in FORM),
    *((FORM, path) for path in ("deal/A", "players/A", "events/0", "events/0/1", "comments/0", "tags/Date")),
    *((SHEET_FORM, path) for path in [*SHEET_FORM, "sheet/0", "sheet/3/2", "sheet/5/1", "tags/Session"]),
]


@FUZZ
@given(st.sampled_from(PLACES), JSON, st.dictionaries(st.sampled_from(KEYS), JSON, max_size=2))
def test_any_json_in_any_place(place: tuple[Any, str], content: Any, others: dict[str, Any]) -> None:
    """In one place, and for other keys of the record, too."""
    sound(json.dumps(put(*place, content)))
    sound(json.dumps(put(*place, content) | others))


#: The words of all sheets, and some that none has.
SHEET_WORDS = sorted(
    {
        word
        for info in games()
        for one in GAMES[info.id].table.OUTCOME.fields().values()
        for word in (one.name, *(word for part in one.parts for word in part.words))
    }
    | {*"ABCDx", *map(str, (0, 1, 26, 35, 60, 70, 71)), "kings:3", "ladons:16", "cavallery:S", "{", ";"}
)
SHEET_LINES = st.lists(st.lists(st.sampled_from(SHEET_WORDS), max_size=5), max_size=8)


@FUZZ
@given(st.sampled_from([("taroky", 4), ("strohmann", 2), ("troggu", 3), ("grosstarock", 3)]), SHEET_LINES)
def test_any_lines_of_a_sheet(table: tuple[str, int], lines: list[list[str]]) -> None:
    game, number = table
    text = sheet_of_game(game, "ABCD"[:number], *(" ".join(line) for line in lines))
    sound(text)
    (*_, last) = sound(f"{text}\n{SHEET}")
    assert last.record is not None or "{" in text


@pytest.mark.parametrize("data", [
    TEXT,
    f"{TEXT}\n{TEXT}\nnonsense\n{TEXT}",
    f"{TEXT}\n{{ remark }}\n{TEXT}",
    json.dumps(FORM),
    json.dumps([FORM, {}, FORM]),
    json.dumps(FORM) + "\n{\n" + json.dumps(FORM),
    "",
    "{}\n[]\n{}",
])  # fmt: skip
def test_one_by_one_they_are_the_same(data: str) -> None:
    entries = read(data)
    assert list(read_each(data)) == list(read_each(data.encode())) == entries
    for number in range(len(entries)):
        assert list(islice(read_each(data), number)) == entries[:number]


@pytest.mark.parametrize("record", ["{}\n", '[TGN "1"]\n\n', TEXT + "\n", '[TGN "1"]\n{\n'])
def test_what_is_not_asked_for_is_not_read(record: str) -> None:
    """The first three of many records take a small part of the time of all."""
    data = record * min(4_000, 200_000 // len(record) + 1)
    began = time.process_time()
    first = list(islice(read_each(data), 3))
    between = time.process_time()
    entries = read(data)
    assert (between - began) * 3 < time.process_time() - between
    assert entries[:3] == first
    assert len(entries) > 100


def test_a_second_record_is_enough_to_refuse_several() -> None:
    for data, line in (("{}\n" * 1_000_000, 2), (TEXT + "\n" + TEXT, TEXT.count("\n") + 2)):
        with pytest.raises(NotationError, match=f"line {line}, column 1: second-record"):
            read_one(data)
