"""Broken copies of the project, which show that the tests find such defects: `make seeds ARGS=--broken`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

_DEAL = 'if base != ("" if new else version(there)):'
_EVENING = "if evening.version != (version or 1):"
_EVENINGS = "archive/storing/evenings.py"

COPIES: dict[str, tuple[str, list[tuple[str, str, str]]]] = {
    "the insert lock is not taken": (
        "work change-a follow",
        [("archive/database.py", '"SELECT pg_advisory_xact_lock(%s)", [INSERT_LOCK]', '"SELECT 1"')],
    ),
    "the version of an evening's deal is not compared": (
        "change-a change-b", [(_EVENINGS, _DEAL, "if False:")],
    ),
    "the version of an evening is not compared": ("set-stake set-name", [(_EVENINGS, _EVENING, "if False:")]),
    "feed numbers are taken outside the lock": (
        "work change-a follow",
        [
            ("archive/storing/intake.py", "import claims, corrections", "import claims, corrections, feed"),
            (
                "archive/storing/intake.py",
                "    database.insert_lock()\n    part = part_read.part\n",
                "    numbers = feed.reserve_numbers(len(part_read.incoming))\n    database.insert_lock()\n"
                "    part = part_read.part\n    part.numbers = numbers\n",
            ),
            (
                "archive/storing/insertion.py",
                "numbers = feed.reserve_numbers(len(new))",
                "numbers = part.numbers[: len(new)]",
            ),
        ],
    ),
    "files are not synchronized": ("dump", [("archive/files.py", "    sync(new)\n", "")]),
    "phones: the version of a deal is not compared": (
        "change-a change-b serve", [(_EVENINGS, _DEAL, "if False:")],
    ),
    "phones: the version of an evening is not compared": (
        "stake-a stake-b serve", [(_EVENINGS, _EVENING, "if False:")],
    ),
    "phones: an unsent deal is forgotten": (
        "enter-a cut-a serve",
        [("replays/static/replays/evening/sending.js", 'if (own.state !== "sent" || own', "if (own")],
    ),
}  # fmt: skip
"""The steps with which the histories begin, and the changes that break the copy: a file, a text in it, and
the text that replaces it."""


def main() -> int:
    """Return exit status 0 if the tests have found each defect within 500 histories."""
    chosen = sys.argv[1:] or list(COPIES)
    missed = 0
    for name in chosen:
        with tempfile.TemporaryDirectory(prefix="tarock-broken-") as folder:
            missed += not _is_found(name, Path(folder))
    return min(missed, 1)


def _is_found(name: str, folder: Path) -> bool:
    """Break a copy of the committed project, and run the tests that find the defect. Print the result."""
    start, changes = COPIES[name]
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
    for path, old, new in changes:
        text = (folder / path).read_text()
        assert text.count(old) == 1, f"{path} has changed: {old}"
        (folder / path).write_text(text.replace(old, new))
    environment = os.environ | {
        "SECONDS": "3600", "HISTORIES": "500", "BROKEN": "1", "PYTHONPATH": str(folder), "START": start,
    }  # fmt: skip
    tests = f"tests/seeds/test_{'phones' if name.startswith('phones') else 'histories'}.py"
    how = ("-k", "fresh", "-n", "0", "-x", "-q", "-s", "-p", "no:cacheprovider")
    command = [sys.executable, "-m", "pytest", tests, *how]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    report = re.search(r"\d+ histories in .*? s", run.stdout)
    seed = re.search(r"make seeds .*SEED=.*", run.stdout)
    failed = re.search(r"\d+ failed", run.stdout)
    details = [one[0] for one in (report, seed) if one] or run.stdout.splitlines()[-1:]
    print(f"{name}: {'found' if failed else 'NOT FOUND'}", *details, sep="\n  ", flush=True)
    return failed is not None


if __name__ == "__main__":
    sys.exit(main())
