"""Deals under options and profiles, whose answers were found without the engine, in text and in JSON form."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tarock.analysis.verify import check_entry
from tarock.notation import Entry, dump_json, read, read_one, write_json, write_text
from tarock.words import sentences
from tarock.words.clauses import LANGUAGES
from tarock.words.sentences import Names
from tests.conformance import FOLDER
from tests.engine.builder import comparable

ROWS = [json.loads(line) for line in (FOLDER / "profiles.jsonl").read_text("utf-8").splitlines()]


def entries(row: dict[str, Any]) -> list[Entry]:
    """The deal in JSON form and, if it can be written so, in text."""
    given = [json.dumps(row["record"]), *([row["text"]] if row["text"] else [])]
    return [read(data)[0] for data in given]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["expect"]["why"][:50])
def test_the_answer_under_options(row: dict[str, Any]) -> None:
    """Both forms are one record, written as the canonical text."""
    expect = row["expect"]
    both = entries(row)
    for entry in both:
        found = check_entry(entry)
        assert found.verdict == expect["verdict"], found.error
        assert found.digest == expect.get("digest")
        assert found.score == expect.get("score")
        if found.score is not None:
            lines = [(line.clause, line.points) for line in found.lines]
            assert comparable(lines) == comparable(expect["lines"])
        if expect["verdict"] in ("illegal", "incomplete"):
            assert found.error is not None
            assert found.error.event == expect["index"]
            assert found.error.clause in expect.get("slugs", [None])
        if expect["verdict"] == "malformed":
            wanted = [(one["what"], one["clause"], expect["where"]) for one in expect["findings"]]
            assert [(one.reason, one.clause, one.pointer) for one in found.errors] == wanted
            assert entry.form == "json" or found.errors[0].line == expect["line"]
        for error in found.errors:
            texts = {sentences.finding(error, Names(expect["game"], code)) for code in LANGUAGES}
            assert len(texts) == len(LANGUAGES)
    if expect["verdict"] != "malformed" and row["text"]:
        one, other = (entry.record for entry in both)
        assert one == other
        assert one is not None
        assert other is not None
        assert one.rules == other.rules
        assert write_text(one) == row["text"]
        assert write_json(read_one(dump_json(one))) == write_json(one)
        if "given" not in expect:
            assert list(one.options) == row["record"]["options"] or "Rules" in row["record"]["tags"]
