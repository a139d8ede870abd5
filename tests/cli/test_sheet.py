"""`tarock sheet`, and what the other commands make of score sheets."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tarock.analysis.sheets import sheet_of
from tarock.analysis.verify import check
from tarock.core.record import Record
from tarock.notation import dump_json, read, read_one, write_text
from tests.cli.command import KEYS, illegal, tarock
from tests.engine.sheet_sample import SHEET
from tests.support.samples import TAROKY

DISPUTED = SHEET.replace("A=105 B=-105 C=-105 D=105", "A=106 B=-106 C=-106 D=106")
IMPOSSIBLE = SHEET.replace("bidder 60", "bidder 71")
INCOMPLETE = SHEET.replace("sheet bidder A\n", "")


def test_it_writes_the_sheets_of_played_deals(good: list[Record]) -> None:
    done = tarock("sheet", "-", given="\n".join(write_text(record) for record in good))
    assert (done.returncode, done.stderr) == (0, "")
    found = [entry.record for entry in read(done.stdout)]
    assert found == [sheet_of(record) for record in good]
    assert done.stdout == "\n".join(write_text(record) for record in found if record)
    assert tarock("sheet", "-", given=SHEET).stdout == SHEET, "a sheet is written as it is"
    done = tarock("sheet", "--json", "-", given="\n".join(dump_json(record) for record in good))
    assert [read_one(line) for line in done.stdout.splitlines()] == found
    command = ("simulate", "troggu", "--deals", "3", "--seed", "5")
    sheets = tarock("sheet", "-", given=tarock(*command).stdout).stdout
    assert tarock(*command, "--sheets").stdout == sheets, "simulated deals can be sheets alone"


def test_a_deal_without_a_score_has_no_sheet_and_the_others_have(taroky: str) -> None:
    given = "\n".join([taroky, illegal(taroky), taroky.replace("deal B ", "deal B T22 "), taroky])
    done = tarock("sheet", "-", given=given)
    assert done.returncode == 1
    assert len(read(done.stdout)) == 2
    first, second = done.stderr.splitlines()
    assert ": record 1: illegal (common.not-held): " in first
    assert ": record 2: malformed (taroky.deal): " in second


UNTAGGED = re.sub(r"(?m)^\[(Session|Deal) .*\n", "", TAROKY)


def test_a_deal_without_session_and_number_needs_them() -> None:
    done = tarock("sheet", "-", given=f"{UNTAGGED}\n{SHEET}")
    assert (done.returncode, done.stdout) == (1, SHEET)
    assert done.stderr.splitlines() == [
        f"stdin:1: record 0: a sheet needs the tag {name} (see --session)" for name in ("Session", "Deal")
    ]


def test_a_session_can_be_given_with_numbers_from_1() -> None:
    third, other = (UNTAGGED.replace("\n\n", f"\n{tag}\n\n", 1) for tag in ('[Deal "3"]', '[Session "May"]'))
    given = "\n".join([UNTAGGED, UNTAGGED, third, UNTAGGED, UNTAGGED, other])
    done = tarock("sheet", "--session", "June", "-", given=given)
    assert (done.returncode, done.stderr) == (0, "")
    tags = [entry.record.tags for entry in read(done.stdout) if entry.record]
    numbered = [*(("June", number) for number in "12345"), ("May", "1")]
    assert [(each["Session"], each["Deal"]) for each in tags] == numbered
    # Tags are in canonical order.
    records = [entry.record for entry in read(done.stdout)]
    assert done.stdout == "\n".join(write_text(record) for record in records if record)


@pytest.mark.parametrize("name", ["", "  ", "a\tb", "\u202e"])
def test_the_name_of_a_session_is_one(name: str) -> None:
    done = tarock("sheet", "--session", name, "-", given=TAROKY)
    assert (done.returncode, done.stdout) == (2, "")
    assert "--session" in done.stderr


def test_verify_takes_sheets_among_deals(taroky: str) -> None:
    done = tarock("verify", "-", given="\n".join([taroky, SHEET]))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "2 records: 1 verified, 1 computed"
    assert "computed    taroky · June · deal 7  [A 105  B −105  C −105  D 105]" in done.stdout
    done = tarock("verify", "-q", "-", given="\n".join([SHEET, DISPUTED, IMPOSSIBLE, INCOMPLETE]))
    assert done.returncode == 1
    assert done.stdout == "4 records: 1 computed, 1 disputed, 1 illegal, 1 incomplete\n"
    disputed, impossible, incomplete = done.stderr.splitlines()
    claimed, given = "A=106 B=-106 C=-106 D=106", "A=105 B=-105 C=-105 D=105"
    assert disputed == f"stdin: record 1: disputed: claimed {claimed}, the rules give {given}"
    assert impossible.startswith("stdin:59:7: record 2: illegal (taroky.card-points): ")
    assert incomplete.startswith("stdin:86:29: record 3: incomplete (taroky.bid): ")
    row = json.loads(tarock("verify", "--json", "-", given=IMPOSSIBLE).stdout)
    assert " ".join(row) == KEYS
    error = row["error"]
    assert (error["field"], error["clause"], error["pointer"]) == ("points", "taroky.card-points", "/sheet/3")


def test_score_prints_the_lines_of_a_sheet() -> None:
    done = tarock("score", "-", given=DISPUTED)
    assert done.returncode == 1
    for line in check(read_one(SHEET)).lines:
        assert line.clause in done.stdout
    rows = [row.split() for row in done.stdout.splitlines()]
    assert ["total", "105", "−105", "−105", "105"] in rows
    assert ["claimed", "106", "−106", "−106", "106"] in rows


def test_show_prints_the_sheet_and_its_score() -> None:
    done = tarock("show", "-", given=SHEET.replace("first\n", "first { a comment }\n"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "  points bidder 60\n" in done.stdout
    assert "  { a comment }\n" in done.stdout
    assert "taroky.game " in done.stdout
    row = json.loads(tarock("show", "--json", "-", given=SHEET).stdout)
    assert (row["verdict"], row["sheet"][3]) == ("computed", ["points", "bidder", 60])


@pytest.mark.parametrize("option", [["--steps"], ["--step", "0"], ["--view", "A"], ["-i"]])
def test_the_play_of_a_sheet_cannot_be_shown(option: list[str], taroky: str, tmp_path: Path) -> None:
    """If its file also has played deals, these are shown."""
    file = tmp_path / "sheet.tgn"
    for text, is_shown in ((SHEET, False), (f"{SHEET}\n{taroky}", True)):
        file.write_text(text, encoding="utf-8")
        done = tarock("show", *option, str(file))
        fault = f"{file}:1: record 0: a sheet has no steps and no views: the play was not recorded\n"
        assert (done.returncode, done.stderr, bool(done.stdout)) == (1, fault, is_shown)


RESULT = """[TGN "1"]
[Game "?"]
[Session "June"]
[Played "24"]

result 12 "Alena Nová"
result -12 "Bořek"
"""


def test_a_result_is_verified_scored_shown_and_converted() -> None:
    done = tarock("verify", "-", given=RESULT)
    assert (done.returncode, done.stderr) == (0, "")
    assert "stated" in done.stdout
    assert "[Alena Nová 12  Bořek −12]" in done.stdout
    for command in ("score", "show"):
        done = tarock(command, "-", given=RESULT)
        assert done.returncode == 0
        assert "  Alena Nová   12\n  Bořek       −12\n" in done.stdout
    written = tarock("convert", "-", given=RESULT).stdout
    assert json.loads(written)["result"] == [["Alena Nová", 12], ["Bořek", -12]]
    assert tarock("convert", "-", given=written).stdout == RESULT
    odd = RESULT.replace("?", "taroky").replace("-12", "-10")
    done = tarock("sheet", "-", given=odd)
    assert (done.returncode, done.stderr) == (1, "stdin:1: record 0: a result has no score sheet\n")
    done = tarock("verify", "-", given=odd)
    warning = "stdin: record 0: warning: the points add up to 2 instead of 0\n"
    assert (done.returncode, done.stderr) == (0, warning)
