"""`make mutants`: change the code in small ways, and list the changes that no test notices.

    python -m tools.mutants [--again] [--fresh] [FOLDER …]

cosmic-ray changes numbers by one, `<` to `<=`, `and` to `or`, `+` to `−` and the like, and removes `not`. For
each mutant, the tests of its folder (`AREAS`) that reach the changed line run until one fails. Every process
works in its own copy of the project. `var/mutants/` keeps the results, so that an interrupted run can
continue. `tools/mutants.txt` lists equivalent mutants, each with the reason.
"""

from __future__ import annotations

import argparse
import difflib
import logging
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import redirect_stderr, redirect_stdout
from multiprocessing import Queue
from pathlib import Path

import pytest
from cosmic_ray.commands.init import init
from cosmic_ray.mutating import use_mutation
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkItem, WorkResult
from coverage import Coverage

from tools.site import PROJECT

FOLDER = PROJECT / "var" / "mutants"
EQUIVALENT = PROJECT / "tools" / "mutants.txt"

_ENGINE = (
    "tests/engine/test_answers.py tests/engine/clauses tests/engine/test_worked.py "
    "tests/engine/test_sheet_taroky.py tests/engine/test_sheet_grosstarock.py "
    "tests/engine/test_sheet_strohmann_troggu.py "
    "tests/engine/test_plays.py tests/engine/test_findings.py tests/engine/test_comparison.py "
    "tests/engine/test_happenings.py tests/engine/test_unknown_cards.py tests/engine/test_board.py "
    "tests/engine/test_entry_form.py tests/engine/test_suggestions.py tests/engine/test_views.py"
)
AREAS = {
    "tarock/games": _ENGINE,
    "tarock/core": _ENGINE,
    "tarock/analysis": f"{_ENGINE} tests/engine/test_replay.py tests/engine/test_explain.py",
}
"""The tests of each folder. The first file's tests notice most changes, so they run before the others."""

_COMPARISONS = ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Eq_NotEq", "NotEq_Eq")
_OTHERS = "NumberReplacer ReplaceAndWithOr ReplaceOrWithAnd ReplaceUnaryOperator_Delete_Not"
_OTHERS += " ReplaceBinaryOperator_Add_Sub ReplaceBinaryOperator_Sub_Add"
OPERATORS = {f"core/ReplaceComparisonOperator_{pair}" for pair in _COMPARISONS}
OPERATORS |= {f"core/{name}" for name in _OTHERS.split()}
LEFT_OUT = ("bots.py",)
"""Files that are not mutated. Bots only choose among legal cards, so a change there can't break a rule."""
OWN = ("tarock", "tests", "archive", "api", "replays", "deploy", "tools")
"""The project's packages, which every test run imports again."""
TIMEOUT = 60
"""CPU seconds after which the tests count as failed."""


def copy(number: int) -> Path:
    """Copy the project's files into a new folder, in which one process can change them."""
    target = FOLDER / f"copy-{number}"
    shutil.rmtree(target, ignore_errors=True)
    left_out = shutil.ignore_patterns(".*", "node_modules", "var", "__pycache__")
    return Path(shutil.copytree(PROJECT, target, ignore=left_out))


class Contexts:
    """A pytest plugin that records which tests reach each line. Lines reached during collection have an empty
    context."""

    def __init__(self, coverage: Coverage) -> None:
        self.coverage = coverage

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Use the test's id as the coverage context while the test runs."""
        self.coverage.switch_context(item.nodeid)
        result = yield
        self.coverage.switch_context("")
        return result


class Chosen:
    """A pytest plugin that runs only the given tests."""

    def __init__(self, tests: set[str]) -> None:
        self.tests = tests

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the other tests."""
        items[:] = [item for item in items if item.nodeid in self.tests]


REACHED: dict[str, dict[int, list[str]]] = {}
"""The tests that reach each line, by file and line number."""


def work_in(copies: Queue[str], folder: str, tests: str) -> None:
    """Prepare this process: take one of the copies, find the tests that reach each line, and unload the
    project's packages, but keep the others."""
    os.chdir(copies.get())
    sys.path.insert(0, os.getcwd())
    sys.dont_write_bytecode = False
    logging.disable()
    coverage = Coverage(data_file=None, config_file=False, include=[folder, f"{folder}/**"])
    coverage.start()
    status = run_tests(tests.split(), Contexts(coverage))
    coverage.stop()
    if status:
        raise RuntimeError(f"the tests fail without a mutant (status {status}): {tests}")
    data = coverage.get_data()
    if not data.measured_files():
        raise RuntimeError(f"no test reaches {folder}")
    for name in data.measured_files():
        REACHED[os.path.relpath(name)] = data.contexts_by_lineno(name)
    # Don't write the bytecode of mutants, because Python would also use it for another mutant that has the
    # same size and is written in the same second.
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.split(".")[0] in OWN]:
        del sys.modules[name]


def run_tests(tests: Sequence[str], *plugins: object) -> int:
    """Run the tests without output, until one fails; return pytest's exit status. The engine needs neither
    Django nor services, and without them a mutant takes 0.4 s instead of 1.4."""
    options = ["-x", "-q", "-c", os.devnull, "--rootdir", ".", "--noconftest"]
    for plugin in ("cacheprovider", "django", "xdist", "unraisableexception"):
        options += ["-p", f"no:{plugin}"]
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return int(pytest.main([*options, *tests], plugins))


def is_noticed(file: str, line: int, tests: str) -> bool:
    """Return whether any test that reaches a line fails. For a line inside an expression, the expression's
    first line counts. If collecting the tests reaches the line, run all tests that reach the file."""
    lines = REACHED.get(file, {})
    found = set(lines.get(max((number for number in lines if number <= line), default=0), []))
    if "" in found:
        found = {test for reaching in lines.values() for test in reaching if test}
    first = tests.split()[0]
    files = {test.partition("::")[0] for test in found}
    stages = sorted(files & {first}), sorted(files - {first})
    return any(run_tests(stage, Chosen(found)) != 0 for stage in stages if stage)


def run(item: WorkItem, tests: str) -> tuple[str, WorkResult]:
    """Run the tests on a mutant in a fork of this process, which saves most of the imports; return the
    mutant's id and the result."""
    (mutation,) = item.mutations
    operator = get_operator(mutation.operator_name)(**mutation.operator_args)
    with use_mutation(mutation.module_path, operator, mutation.occurrence) as (before, after):
        child = os.fork()
        if not child:
            signal.setitimer(signal.ITIMER_PROF, TIMEOUT)
            os._exit(is_noticed(str(mutation.module_path), mutation.start_pos[0], tests))
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    diff = "\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))
    outcome = TestOutcome.KILLED if status else TestOutcome.SURVIVED
    return item.job_id, WorkResult(WorkerOutcome.NORMAL, test_outcome=outcome, diff=diff)


def work(database: WorkDB, pending: list[WorkItem], folder: str, copies: list[Path]) -> None:
    """Run the pending mutants of a folder, one process per copy, and store the results."""
    tests = next(tests for area, tests in AREAS.items() if folder.startswith(area))
    queue: Queue[str] = Queue()
    for target in copies:
        queue.put(str(target))
    with ProcessPoolExecutor(len(copies), initializer=work_in, initargs=(queue, folder, tests)) as pool:
        futures = [pool.submit(run, item, tests) for item in pending]
        for number, future in enumerate(as_completed(futures), 1):
            database.set_result(*future.result())
            print(f"\r{number} of {len(pending)}", end="", file=sys.stderr, flush=True)


def equivalent() -> dict[str, str]:
    """Map the changed line of each equivalent mutant to the reason why it is equivalent."""
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    rows = [line.split(" # ", 1) for line in lines if line and not line.startswith("#")]
    return {change.strip(): reason for change, reason in rows}


def survivors(database: WorkDB) -> Iterator[tuple[WorkItem, str]]:
    """Yield each mutant that no test noticed, with its change."""
    items = {item.job_id: item for item in database.work_items}
    for job, result in database.results:
        if result.test_outcome == TestOutcome.SURVIVED:
            changed = [line for line in (result.diff or "").splitlines() if line[:1] in "+-"][2:]
            yield items[job], " ⇒ ".join(line[1:].strip() for line in changed)


def main() -> int:
    """Run the mutants of the folders. Return exit status 1 if a mutant without a reason survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help=f"one of {', '.join(AREAS)}, or below")
    parser.add_argument("--again", action="store_true", help="run the survivors again")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    options = parser.parse_args()
    reasons, left = equivalent(), 0
    copies = [copy(number) for number in range(len(os.sched_getaffinity(0)))]
    for folder in options.folders or AREAS:
        path = FOLDER / f"{folder.replace('/', '-')}.sqlite"
        if options.fresh:
            path.unlink(missing_ok=True)
        with use_db(str(path), WorkDB.Mode.create) as database:
            if not database.num_work_items:
                modules = sorted(Path(folder).rglob("*.py")) if Path(folder).is_dir() else [Path(folder)]
                init(modules, database, {})
                items = database.work_items
                database.clear()
                database.add_work_items(
                    item
                    for item in items
                    if item.mutations[0].operator_name in OPERATORS
                    and item.mutations[0].module_path.name not in LEFT_OUT
                )
            pending = list(database.pending_work_items)
            if options.again:
                pending += [item for item, change in survivors(database) if change not in reasons]
            work(database, pending, folder, copies)
            rows = list(survivors(database))
            unexplained = sorted(
                (str(item.mutations[0].module_path), item.mutations[0].start_pos[0], change)
                for item, change in rows
                if change not in reasons
            )
            outcomes = Counter(str(result.test_outcome.value) for _, result in database.results)
        left += len(unexplained)
        print(f"\n{folder}: {dict(outcomes)}, {len(rows) - len(unexplained)} equivalent")
        for file, line, change in unexplained:
            print(f"  {file}:{line}: {change}")
    return 1 if left else 0


if __name__ == "__main__":
    os.chdir(PROJECT)
    sys.exit(main())
