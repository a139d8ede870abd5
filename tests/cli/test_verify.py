"""`tarock verify`: what it prints of good and bad records."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tarock.analysis.verify import check, check_entry
from tarock.core.record import Record
from tarock.notation import dump_json, read, write_text
from tests.cli.command import KEYS, illegal, tarock
from tests.support.samples import json_text, taroky_json

ERROR_KEYS = "event trick seat clause legal message field reason values line column pointer"


def test_verify_prints_one_object_a_record_in_input_order(good: list[Record], tmp_path: Path) -> None:
    text, rows, array = (tmp_path / name for name in ("first.tgn", "second.txt", "third"))
    text.write_text("\n".join(write_text(r) for r in good[:3]), encoding="utf-8")
    rows.write_text("".join(dump_json(r) + "\n" for r in good[3:6]), encoding="utf-8")
    array.write_text("[" + ",".join(dump_json(r) for r in good[6:]) + "]", encoding="utf-8")
    done = tarock("verify", "--json", str(text), str(rows), str(array))
    assert (done.returncode, done.stderr) == (0, "")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert found == [json.loads(json.dumps(check(r, n).as_json())) for n, r in enumerate(good)]
    assert {" ".join(row) for row in found} == {KEYS}
    assert {(row["verdict"], row["error"]) for row in found} == {("verified", None)}


def test_verify_names_every_kind_of_fault(taroky: str) -> None:
    disputed = taroky.replace("[Score ", '[Score "A=1 B=1 C=1 D=-3"]\n[Score2 ', 1)
    incomplete = taroky.rsplit("\n", 3)[0] + "\n"
    malformed = taroky.replace("deal B ", "deal B T22 ", 1)
    given = "\n".join([taroky, disputed, illegal(taroky), incomplete, malformed, taroky])
    done = tarock("verify", "--json", "-", given=given)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    verdicts = "verified disputed illegal incomplete malformed verified"
    assert [row["verdict"] for row in found] == verdicts.split()
    assert (done.returncode, done.stderr) == (1, "")
    assert found[1]["claim"] == {"A": 1, "B": 1, "C": 1, "D": -3}
    assert found[1]["score"] == found[0]["score"]
    for row in found[2:5]:
        assert " ".join(row["error"]) == ERROR_KEYS
        assert row["score"] is None
    lines = given.split("\n")
    error = found[2]["error"]
    assert error["clause"] == "common.not-held"
    card = lines[error["line"] - 1][error["column"] - 1 :].split()[0]
    assert lines[error["line"] - 1].startswith("2. ")
    assert card in error["message"]
    assert error["legal"]
    bad = found[4]["error"]
    assert lines[bad["line"] - 1][bad["column"] - 1 :].startswith("T22")
    assert (found[4]["game"], found[4]["digest"]) == (None, None)


def test_verify_tells_people_the_places_on_standard_error_and_counts(taroky: str, tmp_path: Path) -> None:
    file = tmp_path / "wrong.tgn"
    malformed = taroky.replace("deal B ", "deal B T22 ", 1).replace("1. ", "1. X ", 1)
    file.write_text(f"{taroky}\n{illegal(taroky)}\n{malformed}", encoding="utf-8")
    _, wrong, unread = read(file.read_bytes())
    error, faults = check_entry(wrong).error, unread.errors
    done = tarock("verify", str(file))
    assert done.returncode == 1
    begin = [f"record 1: illegal (common.not-held): trick {error.trick}, ", *["record 2: malformed"] * 2]
    for line, fault, words in zip(done.stderr.splitlines(), [error, *faults], begin, strict=True):
        assert line.startswith(f"{file}:{fault.line}:{fault.column}: {words}")
    found = json.loads(tarock("verify", "--json", str(file)).stdout.splitlines()[2])
    assert [row["reason"] for row in found["errors"]] == ["not-in-pack", "no-leader"]
    rows = done.stdout.splitlines()
    assert [row.split()[1] for row in rows[:3]] == ["verified", "illegal", "malformed"]
    assert rows[3:] == ["3 records: 1 verified, 1 illegal, 1 malformed"]
    assert tarock("verify", "-q", "-", given=f"{taroky}\n{taroky}").stdout == "2 records: 2 verified\n"


def test_what_is_no_record_is_malformed() -> None:
    done = tarock("verify", "-", given="")
    assert (done.returncode, "stdin:1:1: record 0: malformed" in done.stderr) == (1, True)
    for given, pointer in (
        (b'[TGN "1"]\n[Game "taroky"]\n[A "\xff\xfe"]\n', None),
        (json_text(taroky_json(game="whist")), "/game"),
    ):
        done = tarock("verify", "--json", "-", given=given)
        row = json.loads(done.stdout)
        assert (done.returncode, row["verdict"], row["error"]["pointer"]) == (1, "malformed", pointer)


def with_tags(text: str, **tags: str) -> str:
    for name, value in tags.items():
        text = re.sub(rf'(?m)^\[{name} ".*"\]$', f'[{name} "{value}"]', text)
    return text


@pytest.mark.parametrize("command", ["verify", "score", "show"])
def test_warnings_are_printed_and_change_neither_verdict_nor_status(command: str, taroky: str) -> None:
    """Next to what is wrong, if anything is."""
    odd = with_tags(taroky, A="Jan Malý", B="Jan  Malý", Date="1026-11-20")
    done = tarock(command, "-", given=taroky + "\n" + odd)
    assert done.returncode == 0
    expected = [
        "stdin: record 1: warning: two players are called Jan Malý. "
        "Tell them apart, for example as Jan Malý sen.",
        "stdin: record 1: warning: the date 1026-11-20 is before 1700. Did you mean 2026-11-20?",
    ]
    assert done.stderr.splitlines() == expected
    assert "warning" not in done.stdout
    done = tarock(command, "-", given=taroky + "\n" + illegal(odd))
    assert done.returncode == 1
    assert [line for line in done.stderr.splitlines() if ": warning: " in line] == expected
