"""The scripts of the pages: modules that import one another."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from archive.shown import ShownDeal
from tests import samples
from tests.storing import deal_of

pytestmark = pytest.mark.django_db

SCRIPTS = Path(__file__).parents[2] / "replays" / "static" / "replays"
IMPORTED = re.compile(r"""\bimport\b\s*(?:[^"';]*?\bfrom\s*)?["']([./][^"']*)["']""")


def imports(script: Path) -> set[Path]:
    """The files that a script imports."""
    found = IMPORTED.findall(script.read_text(encoding="utf-8"))
    return {(script.parent / path).resolve() for path in found}


def all_imports(script: Path) -> set[Path]:
    """The files that a script imports, and those that they import."""
    found: set[Path] = set()
    new = {script}
    while new:
        new = {path for one in new for path in imports(one)} - found
        found |= new
    return found


def files(names: list[str]) -> set[Path]:
    """The sources of scripts, by their addresses."""
    return {SCRIPTS / name.partition("/replays/")[2] for name in names if name.endswith(".js")}


@pytest.fixture
def taroky() -> ShownDeal:
    return deal_of(samples.TAROKY)


def test_every_import_of_the_built_scripts_exists(tmp_path: Path, settings: Any) -> None:
    """A browser keeps a script for ever: what it imports has the hash of its content in its name, too."""
    settings.STATIC_ROOT = str(tmp_path)
    settings.STORAGES = {
        **settings.STORAGES,
        "staticfiles": {"BACKEND": "replays.site.storage.StaticFilesStorage"},
    }
    call_command("collectstatic", verbosity=0, interactive=False)
    built = json.loads((tmp_path / "staticfiles.json").read_text())["paths"]
    scripts = [tmp_path / path for name, path in built.items() if "/pyodide" not in name]
    imported = {path for one in scripts if one.match("replays/**/*.js") for path in imports(one)}
    assert len(imported) > 10
    assert {path for path in imported if not path.is_file()} == set()
    assert {path for path in imported if not re.search(r"\.[0-9a-f]{12}\.js$", path.name)} == set()


def test_no_script_imports_itself() -> None:
    """A hash in a name depends on the names of what is imported: in a circle none could be made."""
    scripts = [path for path in SCRIPTS.rglob("*.js") if "pyodide" not in str(path)]
    assert [script for script in scripts if script in all_imports(script)] == []


@pytest.mark.parametrize("path", ["/", "/board/", "/evenings/", "/check/own/", "replay/", "try/"])
def test_a_page_names_all_modules_of_its_script(path: str, client: Client, taroky: ShownDeal) -> None:
    """So a browser fetches them at once, and not one after the other."""
    html = client.get(path if path.startswith("/") else f"/deals/{taroky.pk}/{path}").text
    named = re.findall(r'<link rel="modulepreload" href="([^"]+)"', html)
    started = files(re.findall(r'<script type="module" src="([^"]+)"', html))
    wanted = {path for script in started for path in all_imports(script)}
    assert started
    assert files(named) | started == wanted | started


def test_the_service_worker_keeps_all_modules_of_an_evening(client: Client) -> None:
    kept = json.loads(client.get("/evenings/sw.js").text.split("FILES = ")[1].split(";")[0])
    assert all_imports(SCRIPTS / "evening/pages.js") | {SCRIPTS / "evening/pages.js"} <= files(kept)
