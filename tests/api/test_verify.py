"""Checking records without storing them."""

import json

from archive.models import Contribution, Upload
from tarock.analysis.verify import check_entry
from tarock.notation import read
from tarock.notation.pieces import PIECE
from tests.support import samples
from tests.support.failing import MIDDLES, failing, input_of

from .conftest import JSON
from .shape import assert_error

FAULTY = samples.MALFORMED.replace("5. A HK", "5. E HK")


def test_a_good_record_is_checked_and_not_stored(reader) -> None:
    answer = reader.send(samples.TROGGU, path="verify")
    assert answer.status_code == 200
    (entry,) = read(samples.TROGGU)
    assert answer.json() == {
        "records": 1,
        "results": [
            {
                "n": 0,
                "game": "troggu",
                "digest": entry.record.digest,
                "verdict": "verified",
                "claim": samples.TROGGU_SCORE,
                "score": samples.TROGGU_SCORE,
                "error": None,
                "errors": [],
                "warnings": [],
            }
        ],
    }
    assert not Upload.objects.exists()
    assert not Contribution.objects.exists()


def test_a_fault_of_the_program_leaves_one_record_without_a_verdict(reader) -> None:
    with failing("json", "json_text:_read_at"):
        answer = reader.send(input_of("json", MIDDLES["json"][0]), path="verify")
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [result["verdict"] for result in results] == ["incomplete", None, "incomplete"]
    assert (results[1]["n"], results[1]["error"]["reason"], results[1]["error"]["line"]) == (1, "failed", 2)


def test_warnings_leave_the_verdict_as_it_is(reader) -> None:
    text = samples.TROGGU.replace("2026-", "2206-").replace(r"a\\b", "Alena")
    (result,) = reader.send(text, path="verify").json()["results"]
    assert (result["verdict"], result["errors"]) == ("verified", [])
    same_name, date = result["warnings"]
    assert (same_name["reason"], same_name["values"]["seats"]) == ("same-name", ["A", "B"])
    assert (date["reason"], date["values"]["suggestion"][:4]) == ("date-too-late", "2026")


def test_all_that_is_wrong_with_each_record(reader) -> None:
    body = "\n".join([FAULTY, samples.DISPUTED_TROGGU, samples.NOT_HELD, samples.BROKEN_OFF])
    results = reader.send(body, path="verify").json()["results"]
    verdicts = ["malformed", "disputed", "illegal", "incomplete"]
    assert [result["verdict"] for result in results] == verdicts
    assert [result["n"] for result in results] == [0, 1, 2, 3]
    faults = results[0]["errors"]
    assert [(fault["line"], fault["reason"]) for fault in faults] == [
        (samples.MALFORMED_LINE, "not-in-pack"),
        (FAULTY[: FAULTY.index("5. E HK")].count("\n") + 1, "no-leader"),
    ]
    assert results[0]["error"] == faults[0]
    assert faults[0]["column"] == samples.MALFORMED_COLUMN
    assert results[1]["errors"] == []
    assert results[1]["claim"] != results[1]["score"] == samples.TROGGU_SCORE
    for result, entry in zip(results[2:], read(body)[2:], strict=True):
        assert result["errors"] == [result["error"]]
        assert result["error"] == json.loads(json.dumps(check_entry(entry).as_json()["error"]))
        assert result["error"]["line"] > 40


def test_json_halves_of_characters_and_nothing_at_all(reader) -> None:
    (result,) = reader.send('[{"tgn": 1}]', JSON, "verify").json()["results"]
    assert [fault["values"]["key"] for fault in result["errors"]] == ["game", "dealer", "players", "events"]
    (nothing,) = reader.send("", path="verify").json()["results"]
    assert (nothing["verdict"], nothing["error"]["reason"]) == ("malformed", "nothing")
    (half,) = reader.send(r'{"\ud800": 1}', JSON, "verify").json()["results"]
    assert half["error"]["values"]["found"] == "“\ufffd”"


def test_what_is_not_taken(reader) -> None:
    assert_error(reader.send("x" * (PIECE + 1), path="verify"), 413)
    assert_error(reader.send("x", "image/png", "verify"), 415)


def test_results_of_an_upload_have_all_errors(writer) -> None:
    answer = writer.send(FAULTY + "\n" + samples.TROGGU, path="uploads", headers={"Prefer": "wait=5"})
    bad, good = answer.json()["results"]
    assert bad["errors"][0]["where"]["line"] == samples.MALFORMED_LINE
    assert [error["code"] for error in bad["errors"]] == ["malformed", "malformed"]
    assert bad["error"] == bad["errors"][0]
    assert (good["error"], good["errors"]) == (None, [])
