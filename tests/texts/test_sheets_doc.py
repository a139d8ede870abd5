"""docs/sheets.md has the fields of every game as the rules describe them."""

from __future__ import annotations

import re
import runpy
import sys
from pathlib import Path

import pytest

from tarock.games import GAMES
from tarock.words.clauses import clause
from tarock.words.rulebook import anchor
from tarock.words.sheetbook import filled, table
from tests.texts.blocks import DOCS

PAGE = (DOCS / "sheets.md").read_text(encoding="utf-8")


def test_page_is_up_to_date() -> None:
    assert filled(PAGE) == PAGE, "stale: run python -m tarock.words.sheetbook docs/sheets.md"


def test_command_brings_a_page_up_to_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "sheets.md"
    page.write_text(PAGE.replace("sheet contract", "sheet stale"), encoding="utf-8")
    monkeypatch.setattr(sys, "argv", ["sheetbook", str(page)])
    monkeypatch.delitem(sys.modules, "tarock.words.sheetbook")
    runpy.run_module("tarock.words.sheetbook", run_name="__main__")
    assert page.read_text(encoding="utf-8") == PAGE


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_its_fields_what_is_checked_and_what_is_not(game: str) -> None:
    assert table(game) in PAGE
    for one in GAMES[game].table.OUTCOME.fields().values():
        assert f"`sheet {one.name}" in table(game)
        assert clause(one.clause)
    _, _, rest = PAGE.partition(f"<!-- fields of {game} -->")
    section = rest.partition("\n## ")[0]
    assert section.count("**Checked**") == section.count("**Not checked**") == 1


def test_links_lead_to_headings() -> None:
    headings = {anchor(h.lower().replace(" ", "-")) for h in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]*)\)", PAGE)) <= headings
    for name in set(re.findall(r"\]\(([a-z]+\.md)", PAGE)):
        assert (DOCS / name).exists()
