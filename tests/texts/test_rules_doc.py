"""docs/rules.md is what the clause texts make it."""

from __future__ import annotations

import re
import subprocess
import sys

from tarock.words.clauses import clauses
from tarock.words.rulebook import anchor, overview
from tests.texts.blocks import DOCS

PAGE = (DOCS / "rules.md").read_text(encoding="utf-8")


def test_page_is_up_to_date() -> None:
    assert overview() == PAGE, "stale: run python -m tarock.words.rulebook > docs/rules.md"


def test_command_prints_the_page() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "tarock.words.rulebook"],
        cwd=DOCS.parent,
        env={"PYTHONUTF8": "1"},
        capture_output=True,
        check=True,
    )
    assert done.stdout.decode() == PAGE


def test_page_lists_every_clause_and_gives_the_reason_of_every_ruling() -> None:
    for clause in clauses():
        assert f"- `{clause.slug}` {clause.title}" in PAGE
        ruling = f"#### {clause.slug}\n\n**{clause.title}.** {clause.reason}\n"
        assert (ruling in PAGE) == clause.is_ruling
    assert PAGE.count("\n#### ") == sum(clause.is_ruling for clause in clauses()) > 30


def test_links_lead_to_headings() -> None:
    headings = {anchor(h.lower().replace(" ", "-")) for h in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([^)]*)\)", PAGE)) <= headings
