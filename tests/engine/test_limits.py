"""The limits of a record, and how much work an input can make."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from io import BytesIO
from typing import Any, TypeVar

import pytest

from tarock.analysis.verify import check_entry
from tarock.core.findings import Finding
from tarock.notation import (
    boundaries,
    dump_json,
    limits,
    read,
    read_file,
    read_one,
    read_stored,
    source,
    text,
)
from tests.engine.notation_sample import FORM, TEXT, altered, sure
from tests.support.samples import with_tag
from tests.texts.schema_forms import VALIDATOR

T = TypeVar("T")


def only(data: str) -> Finding:
    (entry,) = read(data)
    assert entry.error is not None
    assert check_entry(entry).verdict == "malformed"
    return entry.error


def long_text(size: int) -> str:
    """Return a record whose text has exactly this number of bytes: comments of two-byte letters fill it
    up."""
    text = TEXT
    while (missing := size - len(text.encode())) > 5:
        letters = min((missing - 5) // 2, limits.MAX_COMMENT)
        text += "{ " + "ř" * letters + " }\n"
    return text + " " * missing


def test_bytes_of_a_record() -> None:
    text = long_text(limits.MAX_TEXT - 1)
    assert len(text.encode()) == limits.MAX_TEXT - 1
    assert read(text)[0].error is None
    assert read(text + "\n")[0].error is None
    found = only(text + "\n ")
    assert (found.reason, found.line, found.column) == ("text-too-long", 1, 1)
    assert found.values == {"found": limits.MAX_TEXT + 1, "limit": limits.MAX_TEXT}
    # In JSON the object's own text counts, not the text around it.
    form = json.dumps(FORM)
    for size, good in ((limits.MAX_TEXT, True), (limits.MAX_TEXT + 1, False)):
        padded = form[:-1] + " " * (size - len(form)) + "}"
        (entry,) = read(f"[\n {padded}  ]  ")
        assert (entry.error is None) == good
        if entry.error is not None:
            assert (entry.error.reason, entry.error.line, entry.error.column) == ("text-too-long", 2, 2)
            assert (entry.error.pointer, entry.error.values["found"]) == ("", limits.MAX_TEXT + 1)


def test_what_is_kept_may_be_longer_than_what_is_sent() -> None:
    """The other form of a record may be, and one in which names were changed."""
    sent = long_text(limits.MAX_TEXT)
    as_text = sent.replace("Alena", "Aléna" * 40)
    for kept in (as_text, dump_json(read_one(as_text))):
        assert only(kept).reason == "text-too-long"
        entry = read_stored(kept)
        assert entry.record == read_one(kept)
        assert entry.record.digest == read_one(sent).digest
        assert [one.record for one in read_file(BytesIO(kept.encode()), any_length=True)] == [entry.record]
    assert read_stored(as_text).place(0) == read(sent)[0].place(0)


def passes(number: int) -> tuple[str, str]:
    """Pass after pass: wrong, but not malformed."""
    events, more = FORM["events"], number - len(FORM["events"])
    form = altered(events=[*events[:14], *[["A", "pass"]] * more, *events[14:]])
    return form, sure("A pass\n1. ", "A pass\n" * (more + 1) + "1. ")


def announcing(number: int) -> tuple[str, str]:
    """An announcement of something again and again: wrong, but not malformed."""
    events, items = FORM["events"], ["pagat"] * (number - 2)
    form = altered(events=[*events[:4], ["A", "announce", *items], *events[4:]])
    return form, sure("D pass\n", f"D pass\nA announce {' '.join(items)}\n")


def comments(number: int) -> tuple[str, str]:
    text = sure("C pass\n", "C pass\n" + "{y}\n" * (number - 10))
    form = altered(comments={"0": ["x"] * 10, "3": ["y"] * (number - 10)})
    return form, sure("A bid first", "{x}\n" * 10 + "A bid first", text)


def tags(number: int) -> tuple[str, str]:
    more = {f"X{n:03}": "x" for n in range(number - 1)}
    lines = "".join(f'[{name} "x"]\n' for name in more)
    return altered(tags={"Date": "2026-11-20"} | more), sure("[Score", lines + "[Score")


def comment(length: int) -> tuple[str, str]:
    words = "ž" * length  # letters count, not bytes
    return altered(comments={"1": [words]}), sure("first", f"first {{ {words} }}")


def name(length: int) -> tuple[str, str]:
    return altered(players=FORM["players"] | {"B": "🂡" * length}), sure("Bořek", "🂡" * length)


def event_tag(length: int) -> tuple[str, str]:
    value = {"Date": "2026-11-20", "Event": "ž" * length}
    return altered(tags=value), with_tag(TEXT, f'[Event "{value["Event"]}"]', before="Score")


#: Limit, function that makes a record in both forms, reason, event, pointer, and place in the text.
LIMITS = [
    # The last card is one event too many: the text has 31 lines and 20 events, and a line for each pass.
    (limits.MAX_EVENTS, passes, "too-many-events", limits.MAX_EVENTS, f"/events/{limits.MAX_EVENTS}",
     (31 + limits.MAX_EVENTS + 1 - 20, len("2. A T12 ") + 1)),
    (limits.MAX_WORDS, announcing, "event-too-long", 4, "/events/4", (20, 1)),
    (limits.MAX_COMMENTS, comments, "too-many-comments", None, f"/comments/3/{limits.MAX_COMMENTS - 10}",
     (15 + 10 + 3 + limits.MAX_COMMENTS + 1 - 10, 1)),
    (limits.MAX_TAGS, tags, "too-many-tags", None, f"/tags/X{limits.MAX_TAGS - 1:03}",
     (8 + limits.MAX_TAGS, 8)),
    (limits.MAX_COMMENT, comment, "comment-too-long", None, "/comments/1/0", (16, 13)),
    (limits.MAX_TAG, name, "tag-too-long", None, "/players/B", (4, 5)),
    (limits.MAX_TAG, event_tag, "tag-too-long", None, "/tags/Event", (9, 9)),
]  # fmt: skip


@pytest.mark.parametrize(("limit", "made", "reason", "event", "pointer", "place"), LIMITS)
def test_one_more_than_a_limit(
    limit: int, made: Callable[[int], tuple[str, str]], reason: str, event: Any, pointer: str, place: Any
) -> None:
    """The allowed number is read, from JSON and from text; one more is the same fault in both. The schema has
    the same limits, but does not add up the comments."""
    form, text = made(limit)
    assert read_one(form) == read_one(text)
    more = json.loads(made(limit + 1)[0])
    assert [VALIDATOR.is_valid(data) for data in (json.loads(form), more)] == [True, made is comments]
    values = {"limit": limit} | ({} if made is comments else {"found": limit + 1})
    in_json, in_text = map(only, made(limit + 1))
    for found in (in_json, in_text):
        assert (found.reason, found.event, found.pointer, found.values) == (reason, event, pointer, values)
    assert (in_text.line, in_text.column) == place


#: Repeated texts for long inputs: name → the beginning of a number of characters.
LONG: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: "[" * n,
    "braces": lambda n: "{" * n,
    "closing braces": lambda n: "}" * n,
    "brackets that close": lambda n: "[" * (n // 2) + "]" * (n // 2),
    "nested lists": lambda n: "[" + "[" * (n // 2) + "1" + "]" * (n // 2),
    "nested objects": lambda n: '{"tgn":' * (n // 7),
    "lists in a record": lambda n: '{"tgn": 1, "events": ' + "[" * n,
    "a number of tricks": lambda n: '[Deal "' + "9" * n + '"]',
    "a deal number": lambda n: with_tag(TEXT, f'[Deal "{"9" * n}"]', before="Score"),
    "a number in JSON": lambda n: '{"tgn": ' + "9" * n + "}",
    "a score": lambda n: sure("A=1", "A=" + "1" * n),
    "events": lambda n: TEXT + "A pass\n" * (n // 7),
    "events alone": lambda n: "A pass\n" * (n // 7),
    "tricks": lambda n: sure("1. A", "1. A T20\n" * (n // 9) + "1. A"),
    "tags": lambda n: '[X "y"]\n' * (n // 8),
    "tags without an end": lambda n: '[X "' * (n // 4),
    "beginnings": lambda n: '[TGN "1"\n' * (n // 9),
    "beginnings after blank lines": lambda n: '\n\n[TGN "1"]' * (n // 11),
    "a string without an end": lambda n: '{"tgn": "' + "x" * n,
    "strings without an end": lambda n: '{"tgn": "x\n' * (n // 11),
    "a value without an end": lambda n: '[TGN "' + "\\\\" * (n // 2),
    "a comment without an end": lambda n: TEXT + "{" + "x\n" * (n // 2),
    "comments": lambda n: TEXT + "{}" * (n // 2),
    "comments that hold brackets": lambda n: TEXT + "{\n[x\n}" * (n // 6),
    "remarks": lambda n: "; [TGN\n" * (n // 7),
    "blanks": lambda n: " " * n,
    "blank lines": lambda n: TEXT + " \n" * (n // 2),
    "one word": lambda n: TEXT + "x" * n,
    "words": lambda n: TEXT + "A announce" + " x" * (n // 2),
    "commas": lambda n: "[" + "," * n,
    "objects": lambda n: '{"tgn": 1}\n' * (n // 11),
    "records cut off": lambda n: '{"tgn": 1, "game": \n' * (n // 20),
    "keys": lambda n: "{" + ",".join(f'"k{i}":1' for i in range(n // 10)) + "}",
    "comments in JSON": lambda n: altered(comments={"0": [" "] * (n // 5)}),
}


def calls(function: Callable[[], T]) -> tuple[int, T]:
    """How many functions are called in a call of this one, and its result."""
    number = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        result = function()
    finally:
        sys.setprofile(None)
    return number, result


def work(data: str) -> tuple[int, int]:
    """How many functions are called in reading an input, and how many of its records are good."""
    number, entries = calls(lambda: read(data))
    return number, sum(entry.record is not None for entry in entries)


@pytest.mark.slow
@pytest.mark.parametrize("name", LONG)
def test_a_long_input_of_anything_is_refused_and_work_grows_no_faster_than_it(name: str) -> None:
    """Twice the input makes at most twice the calls (and a few: caches are full or empty)."""
    entries = read(LONG[name](80_000))
    assert entries
    assert all(entry.record is None for entry in entries)
    assert {check_entry(entry).verdict for entry in entries[:100]} == {"malformed"}
    small, _ = work(LONG[name](12_000))
    large, good = work(LONG[name](24_000))
    assert good <= 1
    assert large <= 2.01 * small + 200, (small, large)


def test_many_records_are_as_much_work_each_as_one() -> None:
    for data in (TEXT + "\n", json.dumps(FORM) + "\n"):
        work(data)
        small, _ = work(data * 20)
        large, good = work(data * 40)
        assert good == 40
        assert large <= 2 * small + 200


@pytest.mark.parametrize("blank", ["\n", " \n"])
def test_a_search_for_words_reads_each_line_once(blank: str) -> None:
    """A match at the beginning of a line ends with that line, and none begins within a line, so the
    time for blank lines before a remark is linear."""
    lines = blank * 1_000 + "; a remark\n" + blank * 1_000 + " A pass\n"
    found = [at for at in range(len(lines)) if boundaries._WORD_LINE.match(lines, at)]
    assert found == [lines.index(" A pass")]


def test_where_lines_begin_is_found_once_for_all_remarks(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are computed once, not for every line with a remark, which took time by the square of the
    lines."""
    found: list[int] = []
    real = source.accumulate

    def counted(lengths: Any) -> Any:
        found.append(1)
        return real(lengths)

    monkeypatch.setattr(source, "accumulate", counted)
    head = '[TGN "1"]\n[Game "strohmann"]\n[A "a"]\n[B "b"]\n[Dealer "A"]\n'
    text.read_record(head + " ; a remark\n" * 2000, 1)
    assert found == [1]
