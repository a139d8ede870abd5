"""`make test`: all tests on PostgreSQL and Redis and, at the same time, those of the archive on SQLite.

With arguments, there is only the run on PostgreSQL, and it gets them: `make test ARGS="tests/api -x"`.

`make quick` (`--quick`): engine, notation and storing only, on SQLite, with few deals in the properties. Of
the tests with a database these are the ones of `STORING` marked `storage`. Arguments go to its one run:
`make quick ARGS="-x --lf"`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support import services
from tools.servers import Stopper

PROJECT = Path(__file__).resolve().parent.parent
STORING = ("contributions", "corrections", "evenings", "feed", "intake", "scores", "uploads")
QUICK = ("engine", "conformance", "texts", *(f"archive/test_{name}.py" for name in STORING))
#: The tests of storing. Collecting all others only to deselect them took half a minute.
STORAGE = ("tests/archive", "tests/infra")
#: How many deals of each game and number of players the properties are held to in a quick run.
FEW_DEALS = "8"


def processes(more: int = 1) -> list[str]:
    """xdist's arguments: four workers at most, and one more than the machine has processors, since tests wait
    for browsers and servers. `more`: 0 for tests that wait for nothing."""
    number = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return ["-n", str(min(4, number + more)), "--dist", "worksteal"]


def main() -> int:
    """Exit status 0 when both runs are green."""
    arguments = sys.argv[1:]
    stopper = Stopper()
    broker = services.broker(stopper)
    if arguments[:1] == ["--quick"]:
        folders = [f"tests/{name}" for name in QUICK]
        os.environ.setdefault("TAROCK_DEALS", FEW_DEALS)
        marks = "not browser and not slow and (storage or not django_db)"
        return run_on_sqlite([*folders, "-m", marks, *processes(0), *arguments[1:]])
    database = services.database(stopper)
    print(f"==> all tests, on {database.words}, and {broker.words}", flush=True)
    with ThreadPoolExecutor() as pool:
        chosen = [*STORAGE, "-m", "storage and not browser", "-q"]
        beside = None if arguments else pool.submit(run_on_sqlite, chosen, late=True)
        on_postgres = run([*processes(), *arguments])
    on_sqlite = beside.result() if beside else 0
    if on_sqlite:
        print(f"the run on SQLite failed (status {on_sqlite}): see above", flush=True)
    return on_postgres or on_sqlite


def run_on_sqlite(arguments: list[str], *, late: bool = False) -> int:
    """One run of pytest on an SQLite file that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="tarock-test-") as folder:
        return run(arguments, {"TEST_DATABASE_URL": f"sqlite:///{folder}/archive.sqlite3"}, late=late)


def run(arguments: list[str], environment: dict[str, str] | None = None, *, late: bool = False) -> int:
    """One run of pytest in a process of its own. `late`: print its output only when it has ended."""
    environment = {**os.environ, **(environment or {})}
    # tests/conftest.py says when the settings are read: after it knows what they shall say.
    environment.pop("DJANGO_SETTINGS_MODULE", None)
    pipe = subprocess.PIPE if late else None
    command = [sys.executable, "-m", "pytest", *arguments]
    process = subprocess.Popen(command, cwd=PROJECT, env=environment, stdout=pipe, text=True)
    try:
        output, _ = process.communicate()
        if late:
            print(f"\n==> the tests of the archive, on SQLite\n{output}", flush=True)
        return process.returncode
    except KeyboardInterrupt:
        process.wait()
        return 130


if __name__ == "__main__":
    sys.exit(main())
