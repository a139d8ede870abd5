"""Pieces of an input: read one by one they give what the whole gives, whatever the input."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest

from tarock.notation import (
    Entry,
    Piece,
    pieces,
    read_each,
    read_one,
    read_piece,
    text,
    write_json,
    write_text,
)
from tarock.notation.limits import MAX_TEXT
from tests.engine.driver import examples, random_record
from tests.engine.sheet_sample import FORM as SHEET_FORM
from tests.engine.sheet_sample import SHEET
from tests.engine.test_limits import LONG as LONG_INPUTS
from tests.engine.test_limits import calls
from tests.support.samples import TAROKY

RECORDS = [random_record(*of) for of in (("taroky", 4, 0), ("strohmann", 2, 0), ("troggu", 3, 0))]
TEXTS = [TAROKY, *map(write_text, RECORDS), SHEET]
VALUES = [*(write_json(record) for record in RECORDS), SHEET_FORM]


TEXT_IN_COMMENT = "\n\n".join(TEXTS).replace("{", "").replace("}", "")[:1900]


FORMS: dict[str, Callable[[list[int]], str]] = {
    "text": lambda some: "\n".join(TEXTS[n % 5] for n in some),
    "text with CRLF": lambda some: FORMS["text"](some).replace("\n", "\r\n"),
    "text with BOM": lambda some: "\ufeff" + FORMS["text"](some),
    "joined texts": lambda some: "".join(f"\ufeff{TEXTS[n % 5]}\x1a\n" for n in some),
    "texts in comments": lambda some: "\n".join(f"{TEXTS[n % 5]}{{ {TEXT_IN_COMMENT} }}\n" for n in some),
    "joined lines of JSON": lambda some: "".join(f"\ufeff{json.dumps(VALUES[n % 4])}\x1a\n" for n in some),
    "lines of JSON": lambda some: "\n".join(json.dumps(VALUES[n % 4]) for n in some),
    "lines of JSON with CRLF": lambda some: FORMS["lines of JSON"](some).replace("\n", "\r\n"),
    "array": lambda some: json.dumps([VALUES[n % 4] for n in some]),
    "array with BOM": lambda some: "\ufeff" + FORMS["array"](some),
    "pretty array": lambda some: json.dumps([VALUES[n % 4] for n in some], indent=1),
    "pretty objects": lambda some: "\n\n".join(json.dumps(VALUES[n % 4], indent=2) for n in some),
    "objects in one line": lambda some: "".join(json.dumps(VALUES[n % 4]) for n in some),
}

SNIPPETS = [
    *(b"{", b"}", b"[", b"]", b'"', b"\n", b"\n\n", b";", b"\\", b",", b" ", b"\r", b"\r\n", b"\0"),
    *(b"\xff", b"\xc3", "ř\u2028".encode(), b'[TGN "1"]\n', b'\n[TGN "1"]', b"[A", b'[Game "taroky"]\n'),
    *(b'{"tgn": 1', b"} {", b'},\n{"tgn":1,'),
    *("\ufeff".encode(), b"\x1a", b"\n\x0c", "\n\ufeff[TGN ".encode(), b'{\n[TGN "1"]\n', b'\n[TGN "1"]\n}'),
]


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece ends after 300 bytes; no record is torn."""
    monkeypatch.setattr(pieces, "PIECE", 300)
    monkeypatch.setattr(pieces, "_LONGEST", 1 << 30)


def damaged(data: bytes, rng: random.Random) -> bytes:
    """The input with something cut out, put in, overwritten or doubled in a few places."""
    for _ in range(rng.choice([1, 1, 1, 2, 3, 6])):
        at, other = rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)
        data = rng.choice(
            [
                data[:at] + data[at + rng.choice([1, 1, 2, 30, 400]) :],
                data[:at] + rng.choice(SNIPPETS) + data[at:],
                data[:at] + rng.choice(SNIPPETS) + data[at + 1 :],
                data[:at] + data[other : other + rng.choice([5, 50, 500])] + data[at:],
            ]
        )
    return data


def chunks(data: bytes, size: int) -> Iterator[bytes]:
    return (data[at : at + size] for at in range(0, len(data), size))


def cut_up(data: bytes, size: int = 100) -> list[Piece]:
    """The pieces of an input that comes in chunks of this size; together they are its bytes."""
    found = list(pieces.cut(chunks(data, size)))
    assert b"".join(piece.data for piece in found) == data  # type: ignore[misc]
    assert [piece.last for piece in found] == [False] * (len(found) - 1) + [True]
    return found


def told(entries: Iterable[Entry]) -> list[tuple[Any, ...]]:
    """Return the answers on each record except its number; an empty list for an input without records."""
    found = [(entry.record, entry.error, entry.source, entry.line, entry.form) for entry in entries]
    return [one for one in found if one[1] is None or one[1].reason != "nothing"]


def of_whole(data: bytes) -> list[tuple[Any, ...]]:
    return told(read_each(data.decode("utf-8", "surrogateescape")))


def of_pieces(found: list[Piece]) -> list[tuple[Any, ...]]:
    return told(entry for piece in found for entry in read_piece(piece))


@pytest.mark.parametrize("name", FORMS)
def test_pieces_give_what_the_whole_gives(name: str) -> None:
    data = FORMS[name]([0, 1, 2, 3, 4, 5, 1]).encode()
    whole = of_whole(data)
    assert [entry[1] for entry in whole] == [None] * 7
    for size in (1, 97, 5000):
        found = cut_up(data, size)
        assert len(found) > 1
        assert of_pieces(found) == whole


@pytest.mark.parametrize("name", FORMS)
def test_pieces_of_what_was_damaged(name: str) -> None:
    """The answer equals that of the whole. Only if a JSON record is cut off just before a boundary, an error
    may appear earlier, or cost fewer records; a good record is never lost."""
    different = 0
    for seed in range(examples(150)):
        rng = random.Random(f"{name} {seed}")
        data = damaged(FORMS[name](rng.choices(range(6), k=rng.randrange(2, 6))).encode(), rng)
        whole, parts = of_whole(data), of_pieces(cut_up(data, rng.choice([7, 50, 400, 5000])))
        if whole != parts:
            different += 1
            assert {entry[4] for entry in whole} == {"json"}, seed
            good = [entry for entry in whole if entry[0] is not None]
            assert [entry for entry in parts if entry in good] == good, seed
    assert different <= 3


@pytest.mark.parametrize("data", [
    b"",
    b" \n\n ",
    b"\xef\xbb\xbf",
    b"no record at all\n" * 100,
    b"\xff\xfe" * 500,
    b"{}" * 500,
    b"[]",
    b"[" + b"1, " * 500,
    b"[{}]\n" * 200,
    TAROKY.encode() * 3 + b"[TGN",
    (TAROKY + "{ [A never closed\n" * 40 + TAROKY).encode(),
    (TAROKY + "; a remark\n" * 100 + TAROKY).encode(),
    json.dumps(VALUES).encode()[:-1],
])  # fmt: skip
def test_pieces_of_anything(data: bytes) -> None:
    assert of_pieces(cut_up(data)) == of_whole(data)


def test_a_piece_says_where_it_begins() -> None:
    text = "řeka\n".join(TEXTS)
    for piece in cut_up(text.encode()):
        before = text[: text.index(piece.data.decode())]  # type: ignore[union-attr]
        assert (piece.line, piece.column) == (before.count("\n") + 1, len(before) - before.rfind("\n"))


LONG = {
    "text": TAROKY + "A pass\n" * 700,
    "text in one line": TAROKY + "A" + " x" * 2000 + "\n",
    "a comment never closed": TAROKY + "{ he said ř\n" * 400,
    "lines of JSON": json.dumps(VALUES[0] | {"events": [["A", "pass"]] * 400}) + "\n",
    "a string in JSON": json.dumps(VALUES[0] | {"comments": {"0": ["x" * 4500]}}) + "\n",
}


@pytest.mark.parametrize("name", LONG)
def test_a_record_too_long_costs_nothing_to_those_after_it(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pieces, "_LONGEST", 4000)
    good = [json.dumps(value) + "\n" for value in VALUES] if LONG[name][0] == "{" else TEXTS[1:]
    good = [text for text in good if len(text) < 3500]
    data = "\n".join([good[0], LONG[name], *good]).encode()
    whole = [entry for entry in of_whole(data) if entry[1] is None]
    first, *later = [entry[3] for entry in whole if entry[2].strip() in {text.strip() for text in good}]
    for size in (1, 64, 3000):
        found = cut_up(data, size)
        assert max(len(piece.data) for piece in found) <= 4000 + pieces.PIECE + size
        parts = of_pieces(found)
        lines = [entry[3] for entry in parts if entry[1] is None]
        assert (lines[0], lines[-len(later) :]) == (first, later)
        assert len(parts) <= len(good) + 3


LONG_LINES = {
    "an event": "A announce" + " pagat" * 2000,
    "a comment": "{" + "y " * 6000,
    "a remark": ";" + "z" * 12_000,
}


@pytest.mark.parametrize("name", LONG_LINES)
def test_a_record_with_a_line_too_long_is_refused_whole(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """For any ends of the pieces, its front part is never taken for a deal, and its neighbours are read."""
    monkeypatch.setattr(text, "MAX_TEXT", 5000)
    monkeypatch.setattr(pieces, "_LONGEST", 6000)
    head, tail = TAROKY.rstrip("\n"), "\n".join(TAROKY.split("\n")[-5:])
    long = f"{head}\n{LONG_LINES[name]}\n{tail}"
    for size in (37, 100, 299, 1000, 5003):
        for ahead in range(0, 300, 23):
            data = f"{TEXTS[1]}\n; {'-' * ahead}\n{long}\n\n{TEXTS[2]}".encode()
            entries = [entry for piece in cut_up(data, size) for entry in read_piece(piece)]
            good = [entry.record for entry in entries if entry.record is not None]
            assert [record.digest for record in good] == [read_one(TEXTS[n]).digest for n in (1, 2)]
            assert [entry.errors[0].reason for entry in entries if entry.errors] == ["text-too-long"]


@pytest.mark.parametrize(("before", "column"), [
    *((before, 1) for before in ("\n", "   \n\n", "; a remark\n", "A pass\n", "} }\n")),
    ('[TGN "1"] x\n\n', 900),
])  # fmt: skip
def test_a_record_behind_the_end_of_a_torn_one(before: str, column: int) -> None:
    """A piece that begins within a line too long for any record: none begins in the middle of a line."""
    (entry,) = read_piece(Piece(before + TAROKY, line=7, column=column, form="tgn", torn=True))
    assert (entry.error, entry.source) == (None, TAROKY)
    assert entry.line == 7 + before.count("\n")


#: Some of the long inputs of `test_limits`, and bytes that no text has.
ANYTHING = {
    name: lambda n, name=name: LONG_INPUTS[name](n).encode()
    for name in (
        *("brackets", "braces", "closing braces", "blanks", "blank lines", "a deal number", "beginnings"),
        *("beginnings after blank lines", "a string without an end", "objects"),
        "comments that hold brackets",
    )
} | {"braces both ways": lambda n: b"}{" * (n // 2), "no UTF-8": lambda n: b"\xff" * n}


@pytest.mark.parametrize("name", ANYTHING)
def test_work_grows_no_faster_than_the_input(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Twice the input makes at most twice the calls (and a few), and each byte is looked at a few times."""
    monkeypatch.setattr(pieces, "PIECE", 3000)
    monkeypatch.setattr(pieces, "_LONGEST", 9000)
    looked_at: list[int] = []
    real = pieces._border

    def border(waiting: bytearray, form: str) -> int:
        looked_at.append(len(waiting))
        return real(waiting, form)

    monkeypatch.setattr(pieces, "_border", border)
    once, _ = calls(lambda: [*pieces.cut(chunks(ANYTHING[name](50_000), 1000))])
    looked_at.clear()
    twice, _ = calls(lambda: [*pieces.cut(chunks(ANYTHING[name](100_000), 1000))])
    assert twice <= 2.2 * once + 200
    assert sum(looked_at) <= 3 * 100_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ANYTHING)
def test_no_piece_of_anything_is_too_long(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    data = ANYTHING[name](2_000_000)
    longest = pieces._LONGEST + MAX_TEXT
    assert all(len(piece.data) <= longest for piece in cut_up(data, 1 << 20))
