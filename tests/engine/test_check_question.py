"""The question `check`: what a page needs of records is what the engine finds, in parts as in one."""

from __future__ import annotations

import base64
import io
import json
import random
import zipfile
from typing import Any

import pytest

from tarock.analysis.verify import check_entry
from tarock.notation import dump_json, read, read_one
from tarock.view.answers.check import MOST
from tarock.view.answers.questions import answer
from tarock.words.clauses import LANGUAGES, clause
from tests.support import samples

ALL = [
    samples.TAROKY,
    samples.DISPUTED,
    samples.NOT_HELD,
    samples.INCOMPLETE,
    samples.MALFORMED,
    samples.DISPUTED_SHEET,
    samples.SHEET_THAT_CANNOT_BE,
]
TEXT = "\n".join(ALL)


def ask(**question: Any) -> dict[str, Any]:
    written = answer(json.dumps({"ask": "check", **question}))
    written.encode()
    found: dict[str, Any] = json.loads(written)
    return found


def only(text: str, language: str = "en") -> dict[str, Any]:
    found = ask(text=text, language=language)
    (record,) = found["records"]
    assert found["left"] == 0
    return dict(record)


def in_parts(data: bytes, length: int) -> list[dict[str, Any]]:
    """The records of an input that is sent in parts of about this length."""
    records: list[dict[str, Any]] = []
    at, begin, size = 0, None, length
    while True:
        is_last = at + size >= len(data)
        question = {"base64": base64.b64encode(data[at : at + size]).decode(), "is_last": is_last}
        skip = 0
        while True:
            found = ask(**question, begin=begin, skip=skip)
            records += found["records"]
            skip += len(found["records"])
            if not found["left"]:
                break
        if is_last:
            return records
        # While no record is whole, more is sent.
        size = length if found["used"] else 2 * size
        at, begin = at + found["used"], found["next"]


def test_a_verified_deal() -> None:
    """25 for the game, 80 for the pagat, 5 for tarocky, less B's 5: 105 for A and D."""
    record = only(samples.TAROKY)
    assert (record["verdict"], record["is_sheet"]) == ("verified", False)
    assert (record["number"], record["line"], record["game"]) == (1, 1, "Czech Taroky")
    assert record["findings"] == record["slips"] == record["warnings"] == []
    assert [(one["seat"], one["name"], one["points"], one["claim"]) for one in record["players"]] == [
        ("A", "Alena", 105, 105), ("B", "Bořek", -105, -105), ("C", "Cyril", -105, -105),
        ("D", "Dana", 105, 105),
    ]  # fmt: skip
    assert [line["points"]["A"] for line in record["lines"]] == [25, 80, 5, -5]
    assert record["lines"][0]["clause"] == "taroky.game"
    assert record["lines"][0]["title"] == clause("taroky.game").title
    assert record["lines"][0]["text"].endswith("60 − 35 = 25")
    assert record["heading"].startswith("First Duty; bidder Alena; ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_warnings_leave_the_verdict_as_it_is(language: str) -> None:
    odd = samples.TAROKY.replace('"Alena"', '"Cyril "').replace('"2026-11-20"', '"2206-11-20"')
    record = only(odd, language)
    assert record["verdict"] == "verified"
    same_name, date = (warning["text"] for warning in record["warnings"])
    assert "Cyril" in same_name
    assert "2026-11-20" in date


def test_a_disputed_record_has_its_claim_and_the_slips_that_explain_it() -> None:
    """100 in place of 105: without A's tarocky (5), or with B's barvicky (−5) twice."""
    record = only(samples.DISPUTED)
    assert record["verdict"] == "disputed"
    assert [(one["points"], one["claim"]) for one in record["players"]][:2] == [(105, 100), (-105, -100)]
    assert [slip["clause"] for slip in record["slips"]] == ["taroky.hand-tarocky", "taroky.hand-barvicky"]
    title = clause("taroky.hand-tarocky").title
    assert record["slips"][0]["text"] == f"The line “{title}” was left out."
    sheet = only(samples.DISPUTED_SHEET)
    assert (sheet["verdict"], sheet["is_sheet"], sheet["notes"]) == ("disputed", True, [])
    assert [one["points"] - one["claim"] for one in sheet["players"]] == [5, -5, -5, 5]
    assert sheet["slips"]


def test_an_illegal_event_has_its_place_and_what_would_have_been_legal() -> None:
    """B's fifth card is T2, with hearts in hand; the line counts from the beginning of the text."""
    (finding,) = ask(text="\n".join([samples.TAROKY, samples.NOT_HELD]))["records"][1]["findings"]
    line = (
        samples.TAROKY.count("\n") + 1 + samples.NOT_HELD[: samples.NOT_HELD.index("T2 H3")].count("\n") + 1
    )
    assert (finding["line"], finding["column"]) == (line, len("5. A HK ") + 1)
    assert finding["event"] == "Trick 5, second card"
    assert finding["text"] == "Bořek plays II, but does not hold it"
    assert finding["clause"] == "common.not-held"
    assert finding["legal"] == ["Queen of hearts", "Jack of hearts", "4 of hearts"]
    (excerpt,) = finding["excerpt"]
    assert (excerpt["number"], excerpt["before"], excerpt["at"]) == (line, "5. A HK ", "T2")


def test_a_malformed_record_has_every_fault() -> None:
    record = only(samples.MALFORMED.replace("deal C SC", "deal C SX"))
    assert record["verdict"] == "malformed"
    assert [(one["line"], one["column"]) for one in record["findings"]] == [
        (samples.MALFORMED_LINE, samples.MALFORMED_COLUMN),
        (samples.MALFORMED_LINE + 1, samples.MALFORMED_COLUMN),
    ]
    assert (record["game"], record["players"], record["lines"]) == ("", [], [])
    form = samples.taroky_json()
    form["events"][1][0] = "Z"
    (finding,) = only(json.dumps(form))["findings"]
    assert (finding["pointer"], finding["excerpt"]) == ("/events/1", [])
    (finding,) = only(samples.SHEET_THAT_CANNOT_BE)["findings"]
    assert (finding["field"], finding["clause"]) == ("points", "taroky.card-points")


def test_what_nearly_scored_is_noted() -> None:
    found = [
        note
        for seed in range(10)
        for note in only(samples.as_text(samples.simulated("taroky", 4, seed=seed)))["notes"]
    ]
    assert found
    assert all(note["text"] and clause(note["clause"]).title == note["title"] for note in found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_everything_is_in_the_language(language: str) -> None:
    records = ask(text=TEXT, language=language)["records"]
    english = ask(text=TEXT)["records"]
    for one, other in zip(records, english, strict=True):
        for group in ("findings", "lines", "slips"):
            for found, plain in zip(one[group], other[group], strict=True):
                assert found["text"]
                assert (found["text"] == plain["text"]) == (language == "en"), found
                if found["clause"]:
                    assert found["title"] == clause(found["clause"], language).title


def test_no_more_are_answered_than_were_wanted_or_than_the_limit() -> None:
    for skip in (0, 4):
        found = ask(text=TEXT, most=2, skip=skip)
        assert [one["number"] for one in found["records"]] == [skip + 1, skip + 2]
        assert (found["left"], found["next"]["number"]) == (len(ALL) - skip - 2, len(ALL) + 1)
    text = samples.SHEET_THAT_CANNOT_BE * (MOST + 5)
    found = ask(text=text, most=10**6)
    assert (len(found["records"]), found["left"]) == (MOST, 5)


FORMS = {
    "text": "\n".join(ALL * 3),
    "without an end of line": ("\n".join(ALL * 3)).strip(),
    "lines of JSON": "\n".join(dump_json(read_one(one)) for one in ALL[:4] * 4),
    "array": "[" + ", ".join(dump_json(read_one(one)) for one in ALL[:4] * 4) + "]",
    "array that is not closed": "[" + ", ".join(dump_json(read_one(one)) for one in ALL[:4] * 4),
    "CRLF": "\n".join(ALL * 2).replace("\n", "\r\n"),
    "nothing": "",
    "blanks": "\n" * 5000,
}


@pytest.mark.parametrize("form", FORMS)
def test_an_input_in_parts_is_answered_as_in_one(form: str) -> None:
    data = FORMS[form].encode()
    whole = in_parts(data, len(data) + 1)
    for length in (300, 1000, 4000):
        assert in_parts(data, length) == whole
    for record, one in zip(whole, map(check_entry, read(data)), strict=True):
        assert (record["number"], record["verdict"]) == (one.n + 1, one.verdict)
        assert {p["seat"]: p["points"] for p in record["players"] if one.score} == (one.score or {})
        places = [(error.line, error.column) for error in one.errors]
        assert [(found["line"], found["column"]) for found in record["findings"]] == places


def test_any_bytes_in_parts_are_answered_as_in_one() -> None:
    """Bytes that are no UTF-8, or no record, affect no other record: verdicts and numbers equal those of the
    whole."""
    rng = random.Random("parts")
    rubbish = [b"\xff", b"\n", b"[TGN", b"{", b"]", "ř".encode(), b"x" * 500, b"\n\n[A"]
    for _ in range(40):
        data = b"".join(rng.choice([*(one.encode() for one in ALL), *rubbish]) for _ in range(6))
        entries = [check_entry(entry).verdict for entry in read(data)]
        assert [one["verdict"] for one in in_parts(data, 10**6)] == entries
        assert [one["verdict"] for one in in_parts(data, 700)] == entries


def test_a_packed_or_old_file_is_opened_and_another_one_named() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        file.writestr("a.tgn", samples.TAROKY)
        file.writestr("b.tgn", samples.TAROKY.encode("cp1250"))
    for data, verdicts in (
        (out.getvalue(), ["verified", "verified"]),
        (samples.TAROKY.encode("utf-16"), ["verified"]),
        (b"Anna;Bruno\n1;-1\n", ["malformed"]),
    ):
        found = ask(base64=base64.b64encode(data).decode())
        assert [record["verdict"] for record in found["records"]] == verdicts
        assert (found["left"], found["used"]) == (0, len(data))


def test_an_unclear_encoding_is_chosen_by_a_line() -> None:
    data = samples.TAROKY.replace("Bořek", "Søren").replace("Hlučín", "").encode("cp1252")
    asked = base64.b64encode(data).decode()
    (record,) = ask(base64=asked)["records"]
    lines = {row["label"]: row["line"] for row in record["findings"][0]["encodings"]}
    assert lines == {"Windows-1250": '[B "Sřren"]', "Windows-1252": '[B "Søren"]'}
    (record,) = ask(base64=asked, encoding="cp1252")["records"]
    assert [player["name"] for player in record["players"]][1] == "Søren"


def test_a_long_file_of_another_kind_has_one_answer_in_parts() -> None:
    part = base64.b64encode(b"Anna;Bruno\n1;-1\n" * 60_000).decode()
    first = ask(base64=part, is_last=False)
    assert [record["verdict"] for record in first["records"]] == ["malformed"]
    assert first["next"]["form"] == "other"
    last = ask(base64=part, begin=first["next"])
    assert (last["records"], last["left"]) == ([], 0)
