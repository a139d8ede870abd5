"""Every clause that the product knows has a test named after it."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

import tarock
from tarock.words.clauses import book_names, clauses

FOLDER = Path(__file__).resolve().parent


def slugs() -> list[str]:
    return [clause.slug for game in book_names() for clause in clauses(game)]


@pytest.mark.parametrize("slug", slugs())
def test_the_clause_has_its_test(slug: str) -> None:
    name = "test_" + re.sub(r"[.-]", "_", slug)
    files = FOLDER.glob(f"test_{slug.partition('.')[0]}*.py")
    modules = [importlib.import_module(f"tests.engine.clauses.{file.stem}") for file in files]
    found = [module for module in modules if callable(getattr(module, name, None))]
    assert len(found) == 1, f"no test {name} of the clause {slug}, or several"


def test_data_files_are_read_whole() -> None:
    """`clauses` returns all clauses in the data files."""
    files = list(Path(tarock.__file__).resolve().parent.rglob("texts/en.json"))
    assert len(files) == len(book_names())
    entries = [(key, entry) for file in files for key, entry in json.loads(file.read_text("utf-8")).items()]
    entries = [(key, entry) for key, entry in entries if key[0] != "_"]
    # A game's own sentence for a common clause is not another clause.
    assert sorted(key for key, entry in entries if set(entry) != {"findings"}) == sorted(slugs())
    assert all(key.startswith("common.") for key, entry in entries if set(entry) == {"findings"})
