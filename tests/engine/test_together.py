"""Records read one after the other: each comes out as it does alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tarock import sentences
from tarock.games import games
from tarock.notation import Entry, read, read_each, read_one, write_text
from tarock.simulate import simulate
from tarock.verify import Check, check, check_entry

from .worked import TAROKY_VALAT_FAILED, WORKED


@cache
def texts() -> tuple[str, ...]:
    """Deals of every game and table, and hand-worked ones."""
    made = [
        write_text(record)
        for info in games()
        for players in info.seats
        for record in simulate(info.id, players=players, deals=6, seed=11)
    ]
    return (*made, *(worked.text for worked in WORKED.values()))


def spoiled(text: str, how: int) -> str:
    """A record with something wrong in it, or merely not as the writer would have it; or as it is."""
    lines = text.split("\n")
    deal = next(n for n, line in enumerate(lines) if line.startswith("deal "))
    last = max(n for n, line in enumerate(lines) if line)
    words = lines[last].split(" ")
    if how == 1:  # a card that was dealt to somebody else, or played before
        lines[last] = " ".join([*words[:-1], lines[deal].split(" ")[2]])
    elif how == 2:  # as many characters, but no card
        lines[deal] = lines[deal][:-1] + "X"
    elif how == 3:  # broken off
        del lines[last]
    elif how == 4:  # not canonical
        lines[deal] = lines[deal].lower()
    elif how == 5:  # the last two words the other way round
        lines[last] = " ".join([*words[:-2], words[-1], words[-2]])
    elif how == 7:  # a card that no pack but the largest has
        lines[last] = " ".join([*words[:-1], "H9"])
    elif how == 6:  # a card twice, another not at all
        first, second = lines[deal].split(" ")[2:4]
        lines[deal] = lines[deal].replace(second, first, 1)
    return "\n".join(lines)


def seen(result: Check) -> str:
    """All that a check says, but for places in the input."""
    found = result.as_json() | {"n": 0}
    if found["error"] is not None:
        found["error"] = {k: v for k, v in found["error"].items() if k not in ("line", "message")}
    return json.dumps(found, ensure_ascii=False)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_records_are_read_and_checked_as_each_alone(data: st.DataObject) -> None:
    one = st.tuples(st.sampled_from(texts()), st.integers(0, 20))
    records = [spoiled(*chosen) for chosen in data.draw(st.lists(one, min_size=1, max_size=12))]
    entries = read("\n".join(records))
    assert len(entries) == len(records)
    line = 1
    for n, (text, entry, result) in enumerate(zip(records, entries, map(check_entry, entries), strict=True)):
        (alone,) = read(text)
        assert entry.record == alone.record
        assert entry.source.rstrip("\n") == text.rstrip("\n")
        assert (entry.line, entry.n, result.n) == (line, n, n)
        assert seen(result) == seen(check_entry(alone))
        if result.error is not None:
            where = check_entry(alone).error
            assert where is not None
            assert result.error.line == (where.line or 1) + line - 1
        line += text.count("\n") + 1


@pytest.mark.parametrize("text", texts(), ids=lambda text: text.split('"')[3])
def test_a_card_played_must_be_in_the_pack(text: str) -> None:
    found = read(spoiled(text, 7))[0]
    if "H9" in text.split():
        assert found.record is not None
        return
    assert found.record is None, text
    assert found.error is not None
    last = len(text.rstrip("\n").split("\n"))
    assert (found.error.line, "H9" in sentences.message(found.error)) == (last, True)


def test_tags_of_its_own_make_a_record_none_the_worse() -> None:
    text = texts()[0]
    program = text.replace("\n\n", '\n[Program "tapp"]\n\n', 1)
    for _ in range(3):
        entry = read(program)[0]
        assert entry.record is not None
        assert entry.record.tags["Program"] == "tapp"


@pytest.mark.parametrize("wanted", [1, 64, 130])
def test_no_more_is_read_than_the_checks_asked_for_need(wanted: int) -> None:
    text = "\n".join([texts()[6]] * 200)
    read_so_far: list[Entry] = []

    def entries() -> Iterator[Entry]:
        for entry in read_each(text):
            read_so_far.append(entry)
            yield entry

    results = list(islice(map(check_entry, entries()), wanted))
    assert [result.n for result in results] == list(range(wanted))
    assert len(read_so_far) == wanted


def test_names_with_quotation_marks() -> None:
    (entry,) = read(next(text for text in texts() if 'Game "taroky"' in text))
    assert entry.record is not None
    entry.record.players.update({"A": 'Jan "Honza" Novák', "B": "back\\slash", "C": '\\"'})
    text = write_text(entry.record)
    assert read_one(text) == entry.record
    assert read(text.replace("back\\\\slash", "back\\slash"))[0].error is not None


def test_the_line_of_an_announced_pagat_leads_to_where_it_fell() -> None:
    records = list(simulate("taroky", deals=150, seed=21))
    early = 0
    for record in records:
        for line in check(record).lines:
            if line.clause == "taroky.pagat-announced":
                (number,) = line.events
                assert record.events[number][1:] == ("play", "T1")
                early += number < len(record.events) - 4
    assert early


def test_the_line_of_an_announced_valat_leads_to_where_it_was_said() -> None:
    record = read_one(TAROKY_VALAT_FAILED.text)
    (line,) = [line for line in check(record).lines if line.clause == "taroky.valat-announced"]
    (number,) = line.events
    assert record.events[number][:2] == ("A", "announce")
    assert "valat" in record.events[number]
