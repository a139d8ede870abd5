"""Every clause that the product knows has a test named after it, and every such test a clause."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path

import pytest

import tarock
from tarock.clauses import clauses

FOLDER = Path(__file__).resolve().parent
GAMES = ("common", "strohmann", "taroky", "troggu", "grosstarock")


def slugs() -> list[str]:
    return [clause.slug for game in GAMES for clause in clauses(game)]


@pytest.mark.parametrize("slug", slugs())
def test_the_clause_has_its_test(slug: str) -> None:
    module = importlib.import_module(f"tests.engine.clauses.test_{slug.partition('.')[0]}")
    name = "test_" + re.sub(r"[.-]", "_", slug)
    assert callable(getattr(module, name, None)), f"no test {name} of the clause {slug}"


def test_data_files_are_read_whole() -> None:
    """`clauses` gives what stands in the data files: none of them is forgotten."""
    folder = Path(tarock.__file__).resolve().parent / "data" / "clauses" / "en"
    written = [
        key for file in folder.glob("*.json") for key in json.loads(file.read_text("utf-8")) if key[0] != "_"
    ]
    assert sorted(written) == sorted(slugs())


@pytest.mark.parametrize("game", GAMES)
def test_no_test_names_a_clause_that_is_not(game: str) -> None:
    known = {re.sub(r"[.-]", "_", slug) for slug in slugs()}
    for name in re.findall(r"(?m)^def test_(\w+)\(", (FOLDER / f"test_{game}.py").read_text("utf-8")):
        assert any(name == slug or name.startswith(slug + "_") for slug in known), name
