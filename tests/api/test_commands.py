"""Run every command in the documents, or give a reason here why not. `test_guide` runs those of `docs/api.md`
and compares the responses."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests import samples
from tools.site import PROJECT, Site

PAGES = ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in PROJECT.glob("docs/*.md"))]

NOT_RUN = {
    "make run": "it is what the site of these tests was started by",
    "make test": "it runs this test",
    "make quick": "it makes an environment and runs half of the tests",
    "make lint": "it makes an environment",
    "make format": "it changes files of the project",
    "make hooks": "test_commit_message calls it",
    ".venv/bin/python -m pytest": "it runs tests; those named are looked for",
    "TEST_DATABASE_URL=": "it runs tests; those named are looked for",
    "make bench": "it measures for minutes, a million deals",
    "systemctl": "there is no such service here",
    "sh /srv/tarock/deploy/systemd/upgrade": "test_upgrade runs it",
    "systemd-run": "there is no such service here",
}
"""How commands begin that no test can run, and why."""

NO_COMMANDS = {
    "CONTRIBUTING.md": "subjects of commits",
    "docs/adding-a-game.md": "a line of Python",
    "docs/notation.md": "a digest",
}
"""Pages whose indented lines are none."""

ELSEWHERE = {"docs/api.md": "test_guide"}


def commands(page: str) -> list[str]:
    """The commands of a page: lines of its shell blocks, and indented ones, with the remarks behind them."""
    text = (PROJECT / page).read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    bare = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    if page not in NO_COMMANDS:
        blocks += ["".join(f"{line}\n" for line in re.findall(r"(?<=\n\n)(?: {4}.*\n)+", bare))]
    found = "".join(blocks).replace("\\\n", " ")
    return [line.strip() for line in found.splitlines() if line.strip()]


@pytest.fixture
def folder(product: Site, tmp_path: Path) -> Path:
    """A folder with what the commands name: the project, a record, its certificate, the archive's keys."""
    for entry in PROJECT.iterdir():
        if not entry.name.startswith(".") and entry.name != "var":
            (tmp_path / entry.name).symlink_to(entry)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    (tmp_path / "deal.tgn").write_text(samples.TAROKY, encoding="utf-8")
    _, _, page = product.request("GET", "/api/v1/deals?verdict=verified&limit=1")
    (verified,) = json.loads(page)["results"]
    for name, path in {
        "certificate.json": f"/api/v1/deals/{verified['deal']}/certificate",
        "keys.json": "/.well-known/tarock-archive-keys.json",
    }.items():
        (tmp_path / name).write_bytes(product.request("GET", path)[2])
    return tmp_path


@pytest.mark.skipif(shutil.which("curl") is None, reason="the commands are for curl, which is not here")
def test_every_command_of_the_documents(product: Site, folder: Path) -> None:
    of_site = {"TOKEN": product.token, "LC_ALL": "C.UTF-8", "PYTHONPATH": str(PROJECT)}
    of_site["PATH"] = f"{Path(sys.executable).parent}:/usr/bin:/bin:/usr/local/bin"
    # Restore into an archive of its own, empty at first.
    fresh = folder / "fresh"
    fresh.mkdir()
    run, left_out = [], set()
    for page in PAGES:
        if page in ELSEWHERE:
            continue
        for command in commands(page):
            reasons = [begins for begins in NOT_RUN if command.startswith(begins)]
            if reasons:
                left_out |= set(reasons)
                for path in re.findall(r"tests/\S+\.py", command):
                    assert (PROJECT / path).exists(), f"{page}: {command}"
                continue
            into_fresh = re.search(r"\b(restore|migrate)\b", command)
            archive = {"VAR_DIR": str(fresh)} if into_fresh else {}
            if "manage.py restore" in command:  # after the backup was restored there
                shutil.rmtree(fresh)
                fresh.mkdir()
                (fresh / "archive.sqlite3").touch()
                migrate = [sys.executable, "manage.py", "migrate", "--noinput"]
                environment = {**product.environment, **of_site, **archive}
                subprocess.run(migrate, cwd=folder, env=environment, check=True, capture_output=True)
            here = command.replace("http://localhost:8000/", product.address).replace("…", product.token)
            done = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", here.replace("curl ", "curl -fsS ")],
                cwd=folder,
                env={**product.environment, **of_site, **archive},
                capture_output=True,
                text=True,
                timeout=90,
                check=False,
            )
            assert done.returncode == 0, f"{page}: {command}\n{done.stdout}{done.stderr}"
            run.append(command)
    assert left_out == set(NOT_RUN)
    assert len(run) >= 15
