"""The command `tarock`, with files, pipes and a terminal."""

from __future__ import annotations

import json
import os
import pty
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tarock import __version__
from tarock.analysis.simulate import simulate
from tarock.core.record import Record
from tarock.notation import dump_json, read, write_text
from tarock.words.clauses import clause, clauses
from tests.cli.command import PROGRAM, ROOT, process, tarock
from tests.engine.sheets import sheet


@pytest.mark.parametrize(
    "arguments",
    [
        "", "verify", "frobnicate", "verify --colour -", "convert --to xml -", "rules taroky.nonsense",
        "simulate bridge --deals 1 --seed 1", "simulate taroky --seed 1", "simulate taroky --deals 1",
        "simulate taroky --players 5 --deals 1 --seed 1", "simulate taroky --deals -1 --seed 1",
        "simulate troggu --deals 1 --seed 1 --option settle-uncontested", "show --record 9 -",
    ],
)  # fmt: skip
def test_wrong_usage_is_status_2(arguments: str, taroky: str) -> None:
    done = tarock(*arguments.split(), given=taroky)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr


def test_an_unreadable_file_is_status_2_and_the_others_are_read(taroky: str, tmp_path: Path) -> None:
    file = tmp_path / "deal.tgn"
    file.write_text(taroky, encoding="utf-8")
    done = tarock("verify", str(tmp_path / "no.tgn"), str(tmp_path), str(file))
    assert done.returncode == 2
    assert "no.tgn cannot be read: No such file" in done.stderr
    assert "Is a directory" in done.stderr
    assert "verified" in done.stdout


def test_help_and_version_are_status_0() -> None:
    assert tarock("--version").stdout == f"tarock {__version__}\n"
    for arguments in (("--help",), ("verify", "--help"), ("simulate", "-h")):
        done = tarock(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith("usage: tarock")


def test_output_is_utf_8_in_any_locale() -> None:
    options = ("simulate", "taroky", "--deals", "3", "--seed", "1")
    ascii_only = {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii", "PYTHONCOERCECLOCALE": "0"}
    done = process(*options, env=os.environ | {"LC_ALL": "C", "LANG": "C"} | ascii_only)
    assert (done.returncode, done.stdout) == (0, tarock(*options).stdout)
    assert not done.stdout.isascii()


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = [*PROGRAM, "simulate", "taroky", "--deals", "5000", "--seed", "1"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as running:
        assert running.stdout.readline() == b'[TGN "1"]\n'
        running.stdout.close()
        assert running.stderr.read() == b""
        assert running.wait(timeout=300) == 141


def on_a_terminal(*arguments: str) -> tuple[int, str]:
    """Runs the command with standard error on a terminal; what appears there."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        [*PROGRAM, *arguments], stdout=subprocess.DEVNULL, stderr=follower, cwd=ROOT
    ) as running:
        os.close(follower)
        seen = b""
        while True:
            try:
                part = os.read(leader, 4096)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            seen += part
        running.wait(timeout=300)
    os.close(leader)
    return running.returncode, seen.decode("utf-8")


def test_only_long_work_shows_a_bar_on_a_terminal_and_takes_it_away() -> None:
    assert on_a_terminal("simulate", "taroky", "--deals", "5", "--seed", "1") == (0, "")
    status, seen = on_a_terminal("simulate", "grosstarock", "--deals", "1000", "--seed", "1")
    assert status == 0
    assert "of 1,000 deals" in seen
    assert seen.endswith("\r\x1b[K")


def test_it_stands_alone_without_any_installed_package(taroky: str, tmp_path: Path) -> None:
    shutil.copytree(ROOT / "tarock", tmp_path / "tarock", ignore=shutil.ignore_patterns("__pycache__"))
    alone = [PROGRAM[0], "-S", *PROGRAM[1:]]
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    for arguments, status, said, wrong in (
        (["verify", "-"], 0, "verified", ""),
        (["check-certificate", "certificate.json"], 2, "",
         "tarock: certificates need the package cryptography: pip install cryptography\n"),
    ):  # fmt: skip
        command = [*alone, *arguments]
        done = subprocess.run(
            command, input=taroky.encode(), capture_output=True, cwd=tmp_path, env=env, check=False
        )
        assert (done.returncode, done.stderr.decode()) == (status, wrong)
        assert said in done.stdout.decode()


def test_convert_there_and_back_is_lossless(good: list[Record], tmp_path: Path) -> None:
    """Without `--to` into the other form."""
    text = "\n".join(write_text(r) for r in good)
    source, target = tmp_path / "deals.tgn", tmp_path / "deals.json"
    source.write_text(text, encoding="utf-8")
    assert tarock("convert", "--to", "json", "-o", str(target), str(source)).returncode == 0
    assert [e.record for e in read(target.read_bytes())] == good
    assert isinstance(json.loads(target.read_text(encoding="utf-8")), list)
    rows = tarock("convert", "--to", "ndjson", str(target)).stdout
    assert [json.loads(row)["game"] for row in rows.splitlines()] == [r.game for r in good]
    assert tarock("convert", "--to", "tgn", "-", given=rows).stdout == text
    row = rows.splitlines(keepends=True)[0]
    assert tarock("convert", "-", given=write_text(good[0])).stdout == row
    assert tarock("convert", "-", given=row).stdout == write_text(good[0])
    assert tarock("convert", "--json", "-", given=row).stdout == row


def test_convert_leaves_out_what_cannot_be_written(taroky: str) -> None:
    form = json.loads(tarock("convert", "-", given=taroky).stdout)
    first = next(i for i, e in enumerate(form["events"]) if e[1] == "play")
    form["events"][first + 1][0] = form["events"][first][0]
    done = tarock("convert", "--to", "tgn", "-", given=json.dumps(form) + "\n" + json.dumps({"tgn": 1}))
    assert done.returncode == 1
    assert done.stdout == ""
    first_fault, second_fault = done.stderr.splitlines()
    assert f"event {first + 1}" in first_fault
    assert "record 1: malformed" in second_fault


def test_convert_puts_the_signs_of_a_phone_right_on_request(taroky: str) -> None:
    typed = taroky.replace('"', "”").replace("deal ", "deal\u00a0") + "\n" + taroky
    done = tarock("convert", "--to", "tgn", "-", given=typed)
    assert (done.returncode, done.stdout) == (1, taroky)
    done = tarock("convert", "--fix", "--to", "tgn", "-", given=typed)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{taroky}\n{taroky}", "")
    done = tarock("convert", "--fix", "--to", "tgn", "-", given=typed.replace("deal\u00a0", "dealt "))
    assert (done.returncode, done.stdout) == (1, taroky)
    assert "record 0: malformed" in done.stderr


@pytest.mark.parametrize(("game", "table", "arguments"), [
    ("taroky", {"options": ["settle-uncontested"]}, "--option settle-uncontested"),
    ("troggu", {"players": 7}, "--players 7"),
])  # fmt: skip
def test_simulate_prints_records_that_verify(
    game: str, table: dict[str, Any], arguments: str, tmp_path: Path
) -> None:
    command = ["simulate", game, "--deals", "8", "--seed", "6", *arguments.split()]
    text, rows = tarock(*command).stdout, tarock(*command, "--json").stdout
    records = list(simulate(game, deals=8, seed=6, **table))
    assert text == "\n".join(map(write_text, records))
    assert rows == "".join(dump_json(r) + "\n" for r in records)
    assert text.count('[Options "settle-uncontested"]') == 8 * (game == "taroky")
    assert tarock("verify", "-q", "-", given=text).stdout == "8 records: 8 verified\n"
    file = tmp_path / "deals.tgn"
    for number, written in (("8", text), ("0", "")):
        done = tarock(*command, "--deals", number, "-o", str(file))
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert file.read_text(encoding="utf-8") == written


def test_rules_by_slug_by_game_and_all() -> None:
    wrong = tarock("rules", "taroky.folow")
    assert (wrong.returncode, "did you mean taroky.follow" in wrong.stderr) == (2, True)
    one = tarock("rules", "taroky.follow")
    assert one.returncode == 0
    assert one.stdout.startswith("taroky.follow  ")
    assert "Source: " in one.stdout
    game = tarock("rules", "troggu").stdout
    assert ("troggu.bettler-last" in game, "taroky.flek" in game) == (True, False)
    everything = tarock("rules").stdout
    assert [clause.slug for clause in clauses() if f"  {clause.slug} " not in everything] == []
    row, german = (
        json.loads(tarock("rules", "--json", "--language", code, "taroky.varsava-play").stdout)
        for code in ("en", "de")
    )
    assert list(row) == ["slug", "game", "title", "text", "kind", "reason", "source"]
    assert row["reason"]
    assert german["title"] == clause("taroky.varsava-play", "de").title != row["title"]


def test_a_deal_is_settled_by_a_published_rule_set(tmp_path: Path) -> None:
    """17 points short at 5 h are 85, up to 90; by the source rules they are 17."""
    file = tmp_path / "sheet.tgn"
    lines = "contract first\nbidder A\npartner D\npoints bidder 18"
    file.write_text(sheet("taroky", lines, 4, score="A=-17 B=17 C=17 D=-17"), encoding="utf-8")
    score = tarock("score", "--json", "--rules", "vysocina@1", str(file))
    assert json.loads(score.stdout)["score"] == {"A": -90, "B": 90, "C": 90, "D": -90}
    assert json.loads(score.stdout)["verdict"] == "computed"
    assert "cap=2000" in tarock("rules", "taroky", "--profile", "vysocina@1").stdout
    for wrong in (
        ("score", "--rules", "nobody@1", str(file)),
        ("rules", "troggu", "--profile", "vysocina@1"),
    ):
        assert tarock(*wrong).returncode == 2
