"""The engine against 944 deals whose answers were found without it, in text and in JSON form."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

import pytest

from tarock.analysis.verify import Check, check_entry
from tarock.notation import NotWritable, dump_json, read, read_one, write_json, write_text
from tests.conformance import FILES, FOLDER
from tests.engine.builder import comparable


def rows() -> list[Any]:
    found = []
    for file in FILES:
        with (FOLDER / f"{file}.jsonl").open(encoding="utf-8") as lines:
            found += [pytest.param(json.loads(line), id=f"{file}-{n}") for n, line in enumerate(lines)]
    return found


ROWS = rows()
BOTH = [
    pytest.param(*row.values, form, id=f"{row.id}-{form}")
    for row in ROWS
    for form in ("text", "json")
    if form == "json" or row.values[0]["text"] is not None
]


def checked(row: dict[str, Any], form: str) -> Check:
    data = row["text"] if form == "text" else json.dumps(row["record"])
    entries = read(data)
    assert len(entries) == 1
    return check_entry(entries[0])


def test_all_deals_are_there() -> None:
    games = Counter(row.values[0]["record"]["game"] for row in ROWS)
    assert games == {"strohmann": 100, "taroky": 200, "troggu": 360, "grosstarock": 200 + 84}


@pytest.mark.parametrize(("row", "form"), BOTH)
def test_the_answer(row: dict[str, Any], form: str) -> None:
    expect, found = row["expect"], checked(row, form)
    assert found.verdict == expect["verdict"], found.error
    assert found.digest == expect.get("digest")
    if expect["verdict"] in ("verified", "disputed"):
        assert found.error is None
        assert found.score == expect["score"]
        if "lines" in expect:
            lines = [(line.clause, line.points) for line in found.lines]
            assert comparable(lines) == comparable(expect["lines"])
        assert (found.claim != found.score) == (found.verdict == "disputed") or found.claim is None
        for name, value in expect.get("facts", {}).items():
            assert found.facts[name] == value, name
        return
    assert found.score is None
    assert not found.lines
    assert found.error is not None
    if expect["verdict"] == "illegal":
        assert found.error.event == expect["index"]
        assert found.error.seat == row["record"]["events"][expect["index"]][0]
        assert found.error.clause in expect["slugs"]
        assert found.error.pointer == f"/events/{expect['index']}"
        if form == "text":
            assert found.error.line is not None
            assert found.error.column is not None
    elif expect["verdict"] == "incomplete":
        assert found.error.event == expect["index"] == len(row["record"]["events"])
        assert found.error.clause is None
    else:
        where = expect["where"]
        assert found.error.pointer == where or (found.error.pointer or "").startswith(where + "/")
        if form == "text" and expect.get("line"):
            assert found.error.line == expect["line"]


@pytest.mark.parametrize("row", [row for row in ROWS if row.values[0]["expect"]["verdict"] != "malformed"])
def test_both_forms_are_written_as_they_were_read(row: dict[str, Any]) -> None:
    from_json = read_one(json.dumps(row["record"]))
    # A stock is read and not kept.
    written = row["record"] | {
        "deal": {where: cards for where, cards in row["record"]["deal"].items() if where != "stock"}
    }
    assert write_json(from_json) == written
    assert json.loads(dump_json(from_json)) == written
    if row["text"] is None:
        with pytest.raises(NotWritable):
            write_text(from_json)
        return
    from_text = read_one(row["text"])
    assert from_text == from_json
    assert from_text.digest == from_json.digest
    assert write_text(from_text) == row["text"]
    assert write_text(from_json) == row["text"]
    assert write_json(from_text) == written


@pytest.mark.parametrize("file", FILES)
def test_all_texts_of_a_game_in_one_file(file: str) -> None:
    """A file with every record in it, good and bad, gives the same answers in the same order."""
    texts = [row.values[0] for row in ROWS if row.id.startswith(f"{file}-") and row.values[0]["text"]]
    entries = read("\n".join(row["text"] for row in texts))
    assert [check_entry(e).verdict for e in entries] == [row["expect"]["verdict"] for row in texts]
    assert [check_entry(e).digest for e in entries] == [row["expect"].get("digest") for row in texts]
