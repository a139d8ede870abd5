"""Pages of `docs/` that are made of the texts, and the examples of the page about questions."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from tarock.games import GAMES
from tarock.view.answers.questions import answer
from tarock.words.clauses import clause, clauses
from tarock.words.rulebook import anchor, overview
from tarock.words.sheetbook import filled, table
from tests.texts.blocks import DOCS, blocks

RULES, SHEETS, QUESTIONS = (
    (DOCS / f"{name}.md").read_text(encoding="utf-8") for name in ("rules", "sheets", "page-questions")
)
BLOCKS = {flag: block.body for block in blocks("page-questions.md") for flag in block.flags}


def test_the_page_of_rules_is_what_its_command_prints() -> None:
    assert overview() == RULES, "stale: run python -m tarock.words.rulebook > docs/rules.md"
    done = subprocess.run(
        [sys.executable, "-m", "tarock.words.rulebook"],
        cwd=DOCS.parent,
        env={"PYTHONUTF8": "1"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == RULES
    assert [one.slug for one in clauses() if f"- `{one.slug}` {one.title}" not in RULES] == []
    assert RULES.count("\n#### ") == sum(one.is_ruling for one in clauses())


def test_the_page_of_sheets_is_brought_up_to_date_by_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert filled(SHEETS) == SHEETS, "stale: run python -m tarock.words.sheetbook docs/sheets.md"
    page = tmp_path / "sheets.md"
    page.write_text(SHEETS.replace("sheet contract", "sheet stale"), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["sheetbook", str(page)])
    monkeypatch.delitem(sys.modules, "tarock.words.sheetbook")
    runpy.run_module("tarock.words.sheetbook", run_name="__main__")
    assert page.read_text(encoding="utf-8") == SHEETS


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_fields_what_is_checked_and_what_is_not(game: str) -> None:
    assert table(game) in SHEETS
    for one in GAMES[game].table.OUTCOME.fields().values():
        assert f"`sheet {one.name}" in table(game)
        assert clause(one.clause)
    section = SHEETS.partition(f"<!-- fields of {game} -->")[2].partition("\n## ")[0]
    assert section.count("**Checked**") == section.count("**Not checked**") == 1


@pytest.mark.parametrize("page", [RULES, SHEETS], ids=["rules", "sheets"])
def test_links_lead_to_headings(page: str) -> None:
    headings = {anchor(h.lower().replace(" ", "-")) for h in re.findall(r"^#+ (.*)$", page, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]*)\)", page)) <= headings
    assert [name for name in re.findall(r"\]\(([a-z]+\.md)", page) if not (DOCS / name).exists()] == []


def test_the_question_is_answered_as_the_page_says() -> None:
    found = json.loads(answer(BLOCKS["question"]))
    shown = json.loads(BLOCKS["answer"])
    assert {key: found[key] for key in shown} == shown
    field = json.loads(BLOCKS["field"])
    assert [one for one in found["fields"] if one["name"] == field["name"]] == [field]


def test_the_page_has_every_question_that_is_answered() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \|", QUESTIONS.partition("\n## ")[0], re.MULTILINE)
    known = json.loads(answer("{}"))["error"]["message"]
    assert rows[1:] == re.findall(r"[\w-]+", known.partition(":")[2])
