"""The command that turns tables of points into results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tarock.analysis.verify import check
from tarock.notation import read
from tests.cli.command import tarock

EVENINGS = """Datum;Alena;Jiří;Cyril;Dana
20.11.2025;105;-105;-105;105
27.11.2025;10;-10;20;-20
Celkem;115;-115;-85;85
"""


def test_evenings_become_results(tmp_path: Path) -> None:
    table, target = tmp_path / "Kniha.csv", tmp_path / "kniha.tgn"
    table.write_text(EVENINGS, encoding="cp1250")
    done = tarock("results", str(table), "-o", str(target))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"{table}: row 4: contains totals\n")
    records = [entry.record for entry in read(target.read_bytes())]
    assert [record and (record.game, record.tags) for record in records] == [
        ("?", {"Date": f"2025-11-{day}", "Session": f"Kniha 2025-11-{day}"}) for day in (20, 27)
    ]
    checked = [record and check(record) for record in records]
    assert [one and (one.verdict, list((one.score or {}).values())) for one in checked] == [
        ("stated", [105, -105, -105, 105]), ("stated", [10, -10, 20, -20]),
    ]  # fmt: skip


def test_a_fault_names_its_cell_and_keeps_the_other_rows() -> None:
    done = tarock("results", "-", given=EVENINGS.replace("27.11.2025;10", "27.11.2025;1O"))
    assert (done.returncode, done.stdout.count("[TGN")) == (1, 1)
    assert "row 3, column B: '1O' is not a number" in done.stderr
    assert "total of Jiří: -115 in the table, -105 from its rows" in done.stderr


def test_deals_need_a_game() -> None:
    table = "Deal,Ann,Bob\n1,10,-10\n2,-7,7\n"
    done = tarock("results", "-", given=table)
    assert (done.returncode, done.stdout) == (1, "")
    assert "--game GAME" in done.stderr
    done = tarock("results", "--game", "strohmann", "-", given=table)
    records = [entry.record for entry in read(done.stdout)]
    assert [record and record.tags["Deal"] for record in records] == ["1", "2"]


@pytest.mark.parametrize(("answers", "kind"), [((), "question"), (("--answer", "unit=100"), "evening")])
def test_a_question_is_answered_by_an_option(answers: tuple[str, ...], kind: str) -> None:
    table = "Datum;Ada;Ben\n1.2.2025;2,50;-2,50\n8.2.2025;1,00;-1,00\n"
    found = json.loads(tarock("results", "--json", *answers, "-", given=table).stdout)
    assert (found["kind"], [row["about"] for row in found["questions"]]) == (kind, ["unit"][len(answers) :])
    done = tarock("results", *answers, "-", given=table)
    assert ("result 250" in done.stdout) == bool(answers)
    assert ("--answer 'unit=" in done.stderr) != bool(answers)


def test_what_is_no_table_or_no_answer() -> None:
    assert "no columns with players' points were found" in tarock("results", "-", given="nothing").stderr
    done = tarock("results", "--answer", "unit", "-", given=EVENINGS)
    assert (done.returncode, "--answer needs KEY=VALUE" in done.stderr) == (2, True)


def test_nothing_that_is_there_is_lost(tmp_path: Path) -> None:
    """An older file of results stays if there is no new one, and a table is never replaced by its results."""
    table, target = tmp_path / "Kniha.csv", tmp_path / "kniha.tgn"
    table.write_text(EVENINGS, encoding="utf-8")
    target.write_text("of last year", encoding="utf-8")
    unclear = tmp_path / "unclear.csv"
    unclear.write_text("Datum;Ada;Ben\n1.2.2025;2,50;-2,50\n", encoding="utf-8")
    done = tarock("results", str(unclear), "-o", str(target))
    assert (done.returncode, target.read_text(encoding="utf-8")) == (1, "of last year")
    assert "was not written" in done.stderr
    done = tarock("results", str(table), "-o", str(table))
    assert (done.returncode, table.read_text(encoding="utf-8")) == (2, EVENINGS)
    assert "need another file" in done.stderr
