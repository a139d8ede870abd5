"""The engine against 944 deals whose answers were found without it, in text and in JSON form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tarock.analysis.verify import check_entry
from tarock.notation import NotWritable, dump_json, read, read_one, write_json, write_text
from tests.conformance import PARTS, some
from tests.engine.builder import comparable


@PARTS
def test_a_deal_has_its_answer_in_both_forms(file: str, part: int) -> None:
    for name, row in some(file, part).items():
        for form, data in (("text", row["text"]), ("json", json.dumps(row["record"]))):
            if data is not None:
                _answered(f"{name} {form}", row, form, data)


def _answered(name: str, row: dict[str, Any], form: str, data: str) -> None:
    expect, (entry,) = row["expect"], read(data)
    found = check_entry(entry)
    assert found.verdict == expect["verdict"], (name, found.error)
    assert found.digest == expect.get("digest"), name
    if expect["verdict"] in ("verified", "disputed"):
        assert (found.error, found.score) == (None, expect["score"]), name
        if "lines" in expect:
            lines = [(line.clause, line.points) for line in found.lines]
            assert comparable(lines) == comparable(expect["lines"]), name
        assert (found.claim != found.score) == (found.verdict == "disputed") or found.claim is None, name
        for fact, value in expect.get("facts", {}).items():
            assert found.facts[fact] == value, (name, fact)
        return
    assert (found.score, [*found.lines]) == (None, []), name
    error = found.error
    assert error is not None, name
    if expect["verdict"] == "illegal":
        seat = row["record"]["events"][expect["index"]][0]
        assert (error.event, error.seat) == (expect["index"], seat), name
        assert error.clause in expect["slugs"], name
        assert error.pointer == f"/events/{expect['index']}", name
        assert form == "json" or None not in (error.line, error.column), name
    elif expect["verdict"] == "incomplete":
        assert error.event == expect["index"] == len(row["record"]["events"]), name
        assert error.clause is None, name
    else:
        where = expect["where"]
        assert error.pointer == where or (error.pointer or "").startswith(where + "/"), name
        assert form == "json" or error.line == (expect.get("line") or error.line), name


@PARTS
def test_both_forms_are_written_as_they_were_read(file: str, part: int) -> None:
    for name, row in some(file, part).items():
        if row["expect"]["verdict"] == "malformed":
            continue
        from_json = read_one(json.dumps(row["record"]))
        # A stock is read and not kept.
        deal = {where: cards for where, cards in row["record"]["deal"].items() if where != "stock"}
        written = row["record"] | {"deal": deal}
        assert write_json(from_json) == written, name
        assert json.loads(dump_json(from_json)) == written, name
        if row["text"] is None:
            with pytest.raises(NotWritable):
                write_text(from_json)
            continue
        from_text = read_one(row["text"])
        assert (from_text, from_text.digest) == (from_json, from_json.digest), name
        assert write_text(from_text) == write_text(from_json) == row["text"], name
        assert write_json(from_text) == written, name
