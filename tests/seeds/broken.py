"""Broken copies of the project, which show that the tests find such defects: `make seeds ARGS=--broken`."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]

_SEEDS = "tests/seeds/test_histories.py"
_PHONES = "tests/seeds/test_phones.py"

Change = tuple[str, str, str]
"""A file, a text in it, and the text that replaces it."""

COPIES: dict[str, tuple[str, str, list[Change]]] = {
    "the insert lock is not taken": (
        _SEEDS,
        "",
        [
            (
                "archive/database.py",
                'cursor.execute("SELECT pg_advisory_xact_lock(%s)", [INSERT_LOCK])',
                'cursor.execute("SELECT 1")',
            )
        ],
    ),
    "the version of an evening's deal is not compared": (
        _SEEDS,
        "",
        [("archive/storing/evenings.py", 'if base != ("" if new else version(there)):', "if False:")],
    ),
    "the version of an evening is not compared": (
        _SEEDS,
        "",
        [("archive/storing/evenings.py", "if evening.version != (version or 1):", "if False:")],
    ),
    "feed numbers are taken outside the lock": (
        _SEEDS,
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
    "files are not synchronized": (
        "tests/archive/test_files.py",
        "",
        [("archive/files.py", "    sync(new)\n    os.replace(new, path)\n", "    os.replace(new, path)\n")],
    ),
    "phones: the version of a deal is not compared": (
        _PHONES,
        "change-a change-b serve",
        [("archive/storing/evenings.py", 'if base != ("" if new else version(there)):', "if False:")],
    ),
    "phones: the version of an evening is not compared": (
        _PHONES,
        "stake-a stake-b serve",
        [("archive/storing/evenings.py", "if evening.version != (version or 1):", "if False:")],
    ),
    "a phone forgets an unsent deal": (
        _PHONES,
        "enter-a cut-a serve",
        [("replays/static/replays/evening/sending.js", 'if (own.state !== "sent" || own', "if (own")],
    ),
}
"""The tests that find each defect, the steps with which their histories begin, and its changes."""


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
    tests, start, changes = COPIES[name]
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=PROJECT, stdout=subprocess.PIPE, check=True)
    subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
    for path, old, new in changes:
        text = (folder / path).read_text()
        assert text.count(old) == 1, f"{path} has changed: {old}"
        (folder / path).write_text(text.replace(old, new))
    environment = os.environ | {
        "SECONDS": "3600", "HISTORIES": "500", "BROKEN": "1", "PYTHONPATH": str(folder),
        "START": start,
    }  # fmt: skip
    command = [
        sys.executable,
        "-m",
        "pytest",
        tests,
        "-k",
        "fresh" if "seeds" in tests else "",
        "-n",
        "0",
        "-x",
        "-q",
        "-s",
        "-p",
        "no:cacheprovider",
    ]
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    report = re.search(r"\d+ histories in .*? s", run.stdout)
    seed = re.search(r"make seeds .*SEED=.*", run.stdout)
    failed = re.search(r"\d+ failed", run.stdout)
    details = [one[0] for one in (report, seed) if one] or run.stdout.splitlines()[-1:]
    print(f"{name}: {'found' if failed else 'NOT FOUND'}", *details, sep="\n  ", flush=True)
    return failed is not None


if __name__ == "__main__":
    sys.exit(main())
