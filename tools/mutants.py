"""`make mutants`: change the code in small ways, and list the changes that no test notices.

    python -m tools.mutants [--again] [--fresh] [--limit N] [--seconds N] [FOLDER or FILE …]

cosmic-ray changes numbers by one, `<` to `<=`, `and` to `or`, `+` to `−` and the like, and removes `not`. For
each mutant, the tests of its area (`AREAS`) that reach the changed line run until one fails. The tests are
collected once; each mutant runs in a fork, in which the changed functions get new code. `var/mutants/` keeps
the results, so that an interrupted run can continue. `tools/mutants.txt` lists equivalent mutants, each with
the reason.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import gc
import logging
import os
import random
import shlex
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from importlib.machinery import SourceFileLoader
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest
from cosmic_ray.commands.init import init
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import TestOutcome, WorkerOutcome, WorkItem, WorkResult
from coverage import Coverage

from tools.site import PROJECT

FOLDER = PROJECT / "var" / "mutants"
EQUIVALENT = PROJECT / "tools" / "mutants.txt"

ENGINE = (
    "tests/engine/test_answers.py tests/engine/clauses tests/engine/test_worked.py "
    "tests/engine/test_sheet_taroky.py tests/engine/test_sheet_grosstarock.py "
    "tests/engine/test_sheet_strohmann_troggu.py tests/engine/test_sheet_notation.py "
    "tests/engine/test_plays.py tests/engine/test_findings.py tests/engine/test_comparison.py "
    "tests/engine/test_happenings.py tests/engine/test_unknown_cards.py tests/engine/test_board.py "
    "tests/engine/test_entry_form.py tests/engine/test_suggestions.py tests/engine/test_views.py "
    "tests/engine/test_options.py tests/engine/test_values.py tests/engine/test_endings.py "
    "tests/engine/test_results.py tests/engine/test_notation.py"
)
ANALYSIS = (
    f"{ENGINE} tests/engine/test_replay.py tests/engine/test_explain.py tests/engine/test_settlements.py "
    "tests/engine/test_account.py tests/engine/test_hindsight.py tests/engine/test_variations.py "
    "tests/engine/test_puzzles.py"
)
READING = (
    "tests/archive/test_access.py tests/archive/test_search.py tests/archive/test_reading.py "
    "tests/archive/test_reading_uploads.py tests/api/test_list_deals.py tests/pages/test_search.py"
)
STORING = (
    "tests/archive/test_corrections.py tests/archive/test_contributions.py tests/archive/test_removal.py "
    "tests/archive/test_identity.py tests/archive/test_sheets.py tests/archive/test_results.py"
)
SUMS = (
    "tests/archive/test_sums.py tests/archive/test_scores.py tests/archive/test_sheets.py "
    "tests/archive/test_results.py"
)
FIGURES = (
    f"{SUMS} tests/archive/test_statistics.py tests/archive/test_figures.py tests/archive/test_players.py "
    "tests/archive/test_rules.py tests/pages/test_years.py"
)
EVENINGS = (
    "tests/archive/test_evenings.py tests/pages/test_evening_visibility.py tests/pages/test_evenings.py "
    "tests/pages/test_evening_deals.py tests/pages/test_evening_links.py tests/pages/test_club_rules.py"
)
_OF_API = (
    "deal corrections uploads tokens list_deals changes imports variations strangers store_deals "
    "conventions idempotency scores puzzles streams error_shape settle verify replay root campaigns"
)
API = " ".join(f"tests/api/test_{name}.py" for name in _OF_API.split())
AREAS = {
    "tarock/games": ENGINE,
    "tarock/games/grosstarock/bga.py": "tests/engine/test_bga.py",
    "tarock/core": ENGINE,
    "tarock/core/payments.py": "tests/engine/test_payments.py",
    "tarock/core/dates.py": "tests/engine/test_warnings.py",
    "tarock/core/persons.py": "tests/engine/test_warnings.py",
    "tarock/core/seating.py": "tests/engine/test_evening.py",
    "tarock/analysis": ANALYSIS,
    "archive/access.py": f"{READING} {STORING} {EVENINGS} tests/pages/test_share.py",
    "archive/shown.py": f"{READING} {STORING} tests/archive/test_intake.py",
    "archive/reading/filters.py": f"{READING} tests/archive/test_figures.py",
    "archive/reading/statistics.py": FIGURES,
    "archive/reading/scores.py": FIGURES,
    "archive/reading/years.py": FIGURES,
    "archive/storing/corrections.py": f"{STORING} {EVENINGS}",
    "archive/storing/intake.py": f"tests/archive/test_intake.py {STORING}",
    "archive/storing/sums.py": FIGURES,
    "archive/storing/evenings.py": EVENINGS,
    "api/views": API,
}
"""The tests of each folder or file. A file with an entry of its own is not part of its folder's. Tests
outside the engine need the services, like `make test`, and respect `TEST_DATABASE_URL`."""

_COMPARISONS = ("Lt_LtE", "LtE_Lt", "Gt_GtE", "GtE_Gt", "Eq_NotEq", "NotEq_Eq")
_OTHERS = "NumberReplacer ReplaceAndWithOr ReplaceOrWithAnd ReplaceUnaryOperator_Delete_Not"
_OTHERS += " ReplaceBinaryOperator_Add_Sub ReplaceBinaryOperator_Sub_Add"
OPERATORS = {f"core/ReplaceComparisonOperator_{pair}" for pair in _COMPARISONS}
OPERATORS |= {f"core/{name}" for name in _OTHERS.split()}
LEFT_OUT = ("bots.py",)
"""Files that are not mutated. Bots only choose among legal cards, so a change there can't break a rule."""
OWN = ("tarock", "tests", "archive", "api", "replays", "deploy", "tools")
"""The project's packages, which a mutant of code that runs at import imports again."""
TIMEOUT = 20
"""CPU seconds after which a single test counts as failed. If it waits, it gets ten times as long."""
LEFT = 3
"""Exit status for a mutant that needs a new import of Django's models."""


def run_tests(tests: Sequence[str], plugin: object, is_engine: bool) -> int:
    """Run the tests without output; return pytest's exit status. The engine needs neither Django nor
    services."""
    options = ["-q", "-s", "--rootdir", ".", "-p", "no:cacheprovider", "-p", "no:xdist"]
    if is_engine:
        options += ["-c", os.devnull, "--noconftest", "-p", "no:django", "-p", "no:unraisableexception"]
    else:
        options += ["-m", "not slow"]
        # `tools.site` sets it, but the tests choose their own settings.
        os.environ.pop("DJANGO_SETTINGS_MODULE", None)
    with open(os.devnull, "w") as nowhere, redirect_stdout(nowhere), redirect_stderr(nowhere):
        return int(pytest.main([*options, *tests], [plugin]))


@dataclass
class Batch:
    """A folder or file with the mutants that have no result yet."""

    folder: str
    database: WorkDB
    pending: list[WorkItem]


class Log:
    """The names of the tests that a mutant's process starts, sent to its parent, and the limit of their
    time."""

    def __init__(self, writer: int, seconds: float) -> None:
        self.writer, self.end = writer, time.process_time() + seconds

    def start(self, test: str) -> bool:
        """Send a test's name. Return False instead if the time is over."""
        if time.process_time() > self.end:
            return False
        signal.setitimer(signal.ITIMER_PROF, TIMEOUT)
        signal.alarm(10 * TIMEOUT)
        os.write(self.writer, f"{test}\n".encode())
        return True


class Chosen:
    """A pytest plugin that collects the tests again and runs the given ones, in their order, until one
    fails."""

    def __init__(self, tests: list[str], log: Log) -> None:
        self.order = {test: number for number, test in enumerate(tests)}
        self.log = log

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Drop the other tests."""
        chosen = [item for item in items if item.nodeid in self.order]
        items[:] = sorted(chosen, key=lambda item: self.order[item.nodeid])

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """Log the test; end the process if its time is over."""
        if not self.log.start(nodeid):
            os._exit(0)


class Runner:
    """A pytest plugin that runs each test once to see which lines it reaches, and then the mutants' tests."""

    def __init__(self, batches: list[Batch], options: argparse.Namespace, is_engine: bool) -> None:
        self.batches, self.options, self.is_engine = batches, options, is_engine
        self.failed, self.problem = False, ""
        self.items: dict[str, pytest.Item] = {}
        self.seconds: dict[str, float] = {}
        self.kills: Counter[str] = Counter()
        self.reached: dict[str, dict[int, list[str]]] = {}
        self.functions: list[FunctionType] = []
        self.caches: list[_lru_cache_wrapper[Any]] = []
        include = [name for batch in batches for name in (batch.folder, f"{batch.folder}/**")]
        self.coverage = Coverage(data_file=None, config_file=False, include=include)
        self.coverage.start()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a failure."""
        self.failed |= report.failed

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests as they are, then the mutants in worker processes."""
        if session.testsfailed:
            return True
        after = [*session.items[1:], session]
        for item, following in zip(session.items, after, strict=True):
            self.items[item.nodeid] = item
            began = time.process_time()
            self.coverage.switch_context(item.nodeid)
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            self.coverage.switch_context("")
            self.seconds[item.nodeid] = time.process_time() - began
            if self.failed:
                self.problem = item.nodeid
                session.testsfailed += 1
                return True
        self.coverage.stop()
        data = self.coverage.get_data()
        for name in data.measured_files():
            self.reached[os.path.relpath(name)] = data.contexts_by_lineno(name)
        if not self.is_engine:
            from django.db import connections

            connections.close_all()
        own = tuple(str(PROJECT / name) for name in OWN)
        gc.unfreeze()  # what the run for an earlier area froze
        for thing in gc.get_objects():
            # Not `isinstance`, which sets up Django's lazy objects.
            if type(thing) is FunctionType and thing.__code__.co_filename.startswith(own):
                self.functions.append(thing)
            elif type(thing) is _lru_cache_wrapper and thing.__module__.split(".")[0] in OWN:
                self.caches.append(thing)
        # A fork lacks the threads that compile the kernel, and would wait for them forever.
        self.caches = [cached for cached in self.caches if cached.__module__ != "archive.kernel.solver"]
        gc.freeze()
        self.run_batches()
        return True

    def run_batches(self) -> None:
        """Run the pending mutants and store the results."""
        processes = self.options.processes if self.is_engine else 1  # The tests share one database.
        for batch in self.batches:
            with ProcessPoolExecutor(processes, mp_context=get_context("fork")) as pool:
                futures = [pool.submit(_run, item) for item in batch.pending]
                for number, future in enumerate(as_completed(futures), 1):
                    batch.database.set_result(*future.result())
                    print(f"\r{batch.folder}: {number} of {len(futures)}", end="", file=sys.__stderr__)

    def run(self, item: WorkItem) -> tuple[str, WorkResult]:
        """Run the tests on a mutant in a fork; return the mutant's id and the result. The result's output is
        the test that failed."""
        (mutation,) = item.mutations
        operator = get_operator(mutation.operator_name)(**mutation.operator_args)
        path = Path(mutation.module_path)
        before = path.read_text(encoding="utf-8")
        after = mutate_code(before, operator, mutation.occurrence)
        at_import, tests = self.tests_of(str(path), before, mutation.start_pos[0])
        reader, writer = os.pipe()
        child = os.fork()
        if not child:
            try:
                log = Log(writer, self.options.seconds)
                os._exit(self.check(path, before, after, tests, at_import, log))
            finally:
                os._exit(1)
        os.close(writer)
        with open(reader, encoding="utf-8") as pipe:
            ran = pipe.read().split("\n")[:-1]
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status and ran:
            self.kills[ran[-1]] += 1
        diff = "\n".join(difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""))
        if status == LEFT:
            return item.job_id, WorkResult(WorkerOutcome.SKIPPED, diff=diff)
        outcome = TestOutcome.KILLED if status else TestOutcome.SURVIVED
        output = ran[-1] if status and ran else f"{len(ran)} of {len(tests)} tests"
        return item.job_id, WorkResult(WorkerOutcome.NORMAL, output, outcome, diff)

    def tests_of(self, file: str, source: str, line: int) -> tuple[bool, list[str]]:
        """Return whether a line runs at import, and the tests that reach it, first those that are quick or
        have found many mutants. For a line inside a statement, an earlier line of the statement may count. If
        the line runs at import, all tests count, first those that reach the file."""
        lines, first = self.reached.get(file, {}), _first_line(source, line)
        found = set(lines.get(max((number for number in lines if first <= number <= line), default=0), []))
        at_import = "" in found or not _in_function(source, line)
        if at_import:
            found = {test for reaching in lines.values() for test in reaching}
        tests = self.items if at_import else found
        cost = {test: self.seconds[test] / (1 + self.kills[test]) for test in tests}
        return at_import, sorted(tests, key=lambda test: (test not in found, cost[test]))

    def check(self, path: Path, before: str, after: str, tests: list[str], at_import: bool, log: Log) -> int:
        """Run the tests on the mutant until one fails; return this process's exit status."""
        logging.disable()
        if not at_import and self.change(path, before, after):
            for test in tests:
                if not log.start(test):
                    break
                item = self.items[test]
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=item.session)
                if self.failed:
                    return 1
            return 0
        if not self.is_engine:
            return LEFT
        signal.setitimer(signal.ITIMER_PROF, TIMEOUT)
        _load_as(PROJECT / path, after)
        # Collect one file after the other, because most mutants fail in the first.
        files = dict.fromkeys(test.partition("::")[0] for test in tests)
        chosen = Chosen(tests, log)
        return int(any(run_tests(["-x", file], chosen, self.is_engine) not in (0, 5) for file in files))

    def change(self, path: Path, before: str, after: str) -> bool:
        """Give the functions that the mutation changes their new code, and clear the caches. Return whether
        there are such functions."""
        codes = dict(_changed(*(compile(code, "", "exec", dont_inherit=True) for code in (before, after))))
        count = 0
        for function in self.functions:
            if function.__code__.co_filename == str(PROJECT / path) and (new := codes.get(function.__code__)):
                function.__code__ = new
                count += 1
        for cached in self.caches:
            cached.cache_clear()
        return bool(count)


def _first_line(source: str, line: int) -> int:
    """Return the first line of the innermost statement that contains a line."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.stmt)]
    return max(node.lineno for node in nodes if node.lineno <= line <= (node.end_lineno or 0))


def _in_function(source: str, line: int) -> bool:
    """Return whether a line is in the body of a function, and not only in a module or a class."""
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)]
    return any(node.body[0].lineno <= line <= (node.end_lineno or 0) for node in nodes)


def _changed(before: CodeType, after: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Yield each code object that differs, with the new one."""
    if before != after:
        yield before, after
        old, new = (
            [each for each in code.co_consts if isinstance(each, CodeType)] for code in (before, after)
        )
        for pair in zip(old, new, strict=True):
            yield from _changed(*pair)


def _load_as(path: Path, source: str) -> None:
    """Unload the project's packages, so that they are imported again, one module with another source."""
    original = SourceFileLoader.get_code

    def get_code(loader: SourceFileLoader, name: str) -> Any:
        if loader.path == str(path):
            return compile(source, loader.path, "exec", dont_inherit=True)
        return original(loader, name)

    SourceFileLoader.get_code = get_code  # type: ignore[assignment, method-assign]
    sys.dont_write_bytecode = True
    for name in [name for name in sys.modules if name.split(".")[0] in OWN]:
        del sys.modules[name]


_RUNNER: Runner | None = None


def _run(item: WorkItem) -> tuple[str, WorkResult]:
    """Call the runner's method in a worker process, which has inherited the collected tests."""
    assert _RUNNER is not None
    return _RUNNER.run(item)


def tests_of(folder: str) -> str:
    """Return the tests of a folder or file."""
    found = [tests for area, tests in AREAS.items() if Path(folder).is_relative_to(area)]
    if not found:
        raise SystemExit(f"AREAS has no tests of {folder}")
    return found[-1]


def work(batches: list[Batch], tests: str, options: argparse.Namespace) -> None:
    """Run the pending mutants of folders that have the same tests."""
    global _RUNNER
    is_engine = batches[0].folder.startswith("tarock/")
    _RUNNER = Runner(batches, options, is_engine)
    status = run_tests(shlex.split(tests), _RUNNER, is_engine)
    if status or not _RUNNER.reached:
        raise SystemExit(f"the tests fail without a mutant (status {status}): {_RUNNER.problem or tests}")


def equivalent() -> dict[str, str]:
    """Map the changed line of each equivalent mutant to the reason why it is equivalent."""
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    rows = [line.rsplit(" # ", 1) for line in lines if line and not line.startswith("#")]
    return {change.strip(): reason for change, reason in rows}


def survivors(database: WorkDB) -> Iterator[tuple[WorkItem, str, str]]:
    """Yield each mutant that no test noticed, with its change and the number of its tests."""
    items = {item.job_id: item for item in database.work_items}
    for job, result in database.results:
        if result.test_outcome == TestOutcome.SURVIVED:
            changed = [line for line in (result.diff or "").splitlines() if line[:1] in "+-"][2:]
            yield items[job], " ⇒ ".join(line[1:].strip() for line in changed), result.output or ""


def prepare(database: WorkDB, folder: str) -> None:
    """Store the mutants of a folder, if it is new."""
    if database.num_work_items:
        return
    modules = sorted(Path(folder).rglob("*.py")) if Path(folder).is_dir() else [Path(folder)]
    init([module for module in modules if tests_of(str(module)) == tests_of(folder)], database, {})
    items = database.work_items
    database.clear()
    database.add_work_items(
        item
        for item in items
        if item.mutations[0].operator_name in OPERATORS and item.mutations[0].module_path.name not in LEFT_OUT
    )


def report(batch: Batch, reasons: dict[str, str]) -> int:
    """Print a folder's results. Return the number of survivors without a reason."""
    rows = list(survivors(batch.database))
    unexplained = sorted(
        (str(item.mutations[0].module_path), item.mutations[0].start_pos[0], change, tests)
        for item, change, tests in rows
        if change not in reasons
    )
    results = [result for _, result in batch.database.results]
    outcomes = Counter(str((result.test_outcome or result.worker_outcome).value) for result in results)
    left = batch.database.num_work_items - len(results)
    print(f"\n{batch.folder}: {dict(outcomes)}, {len(rows) - len(unexplained)} equivalent, {left} not run")
    for file, line, change, tests in unexplained:
        print(f"  {file}:{line}: {change} ({tests})")
    return len(unexplained)


def main() -> int:
    """Run the mutants of the folders. Return exit status 1 if a mutant without a reason survived."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__.split("\n")[0])
    parser.add_argument("folders", nargs="*", metavar="FOLDER", help=f"one of {', '.join(AREAS)}, or below")
    parser.add_argument("--again", action="store_true", help="run the survivors again")
    parser.add_argument("--fresh", action="store_true", help="forget earlier results")
    parser.add_argument("--limit", type=int, help="number of mutants per folder, chosen at random")
    parser.add_argument("--seconds", type=float, default=60, help="CPU seconds for the tests of a mutant")
    parser.add_argument("--tests", help="tests, and options of pytest, instead of those in AREAS")
    parser.add_argument("--processes", type=int, default=len(os.sched_getaffinity(0)))
    options = parser.parse_args()
    reasons = equivalent()
    FOLDER.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        batches = []
        for folder in options.folders or AREAS:
            path = FOLDER / f"{folder.replace('/', '-')}.sqlite"
            if options.fresh:
                path.unlink(missing_ok=True)
            database = stack.enter_context(use_db(str(path), WorkDB.Mode.create))
            prepare(database, folder)
            pending = list(database.pending_work_items)
            if options.again:
                pending += [item for item, change, _ in survivors(database) if change not in reasons]
            if options.limit is not None:
                random.Random(1).shuffle(pending)
            batches.append(Batch(folder, database, pending[: options.limit]))
        for tests, same in groupby(batches, lambda batch: options.tests or tests_of(batch.folder)):
            if busy := [batch for batch in same if batch.pending]:
                work(busy, tests, options)
        return 1 if sum(report(batch, reasons) for batch in batches) else 0


if __name__ == "__main__":
    os.chdir(PROJECT)
    sys.exit(main())
