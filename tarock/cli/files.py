"""Helpers that all commands share: input and output files, exit status and error messages."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, TextIO

from tarock.analysis.verify import Check, try_check
from tarock.cli.terminal import Progress
from tarock.notation import Entry, read_file

OK, NOT_VERIFIED, USAGE = 0, 1, 2
JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class UsageError(Exception):
    """Error that ends a command: wrong usage, or a file that cannot be read or written."""


def print_error(message: str) -> None:
    print(f"tarock: {message}", file=sys.stderr)


def print_findings(lines: Sequence[str]) -> None:
    """Print lines about a record to standard error. Flush standard output first, to keep both in order."""
    if lines:
        sys.stdout.flush()
        print(*lines, sep="\n", file=sys.stderr)


class Inputs:
    """Records of all input files, read one at a time and numbered consecutively."""

    def __init__(self, names: Sequence[str], encoding: str = "") -> None:
        self.names, self.encoding = list(names), encoding
        self.unreadable = False  # whether some file could not be read; it is reported and skipped
        self.records = self.bad = 0  # number of records read, and of records that the command rejected

    def entries(self) -> Iterator[tuple[str, Entry, Callable[[], None]]]:
        """For each record, yield its source, its entry, and a function that clears the progress bar."""
        for name in self.names:
            try:
                with opened(name) as (file, size), Progress(size, sys.stderr) as bar:
                    for entry in read_file(file, encoding=self.encoding):
                        number = self.records
                        self.records += 1
                        numbered = entry if entry.n == number else entry._replace(n=number)
                        yield "stdin" if name == "-" else name, numbered, bar.clear
                        bar.advance(len(entry.source))
            except BrokenPipeError:
                raise
            except OSError as fault:
                self.unreadable = True
                print_error(f"{name} cannot be read: {fault.strerror or fault}")

    def checks(self) -> Iterator[tuple[str, Entry, Check]]:
        """For each record, yield its source, its entry and its check."""
        to_screen = sys.stdout.isatty()
        for source, entry, clear in self.entries():
            result = try_check(entry)
            if to_screen or not result.good or result.warnings:
                clear()
            yield source, entry, result

    def include(self, file: os.stat_result) -> bool:
        """Return whether a file is one of the inputs, even under another name."""
        for name in self.names:
            with contextlib.suppress(OSError, ValueError):
                found = os.fstat(sys.stdin.fileno()) if name == "-" else os.stat(name)
                if os.path.samestat(found, file):
                    return True
        return False


@contextlib.contextmanager
def opened(name: str) -> Iterator[tuple[BinaryIO, int]]:
    """Open an input; yield the file and its length in bytes, 0 if unknown."""
    if name == "-":
        yield sys.stdin.buffer, 0
    else:
        with open(name, "rb") as file:
            yield file, os.fstat(file.fileno()).st_size


def exit_status(inputs: Inputs) -> int:
    return USAGE if inputs.unreadable else NOT_VERIFIED if inputs.bad else OK


def print_json(value: Any) -> None:
    sys.stdout.write(JSON(value) + "\n")


@contextlib.contextmanager
def output(name: str | None, inputs: Inputs | None = None) -> Iterator[TextIO]:
    """Open standard output or a file for output. The new file is written next to the old file and replaces it
    at the end. The old file stays if an exception is raised, if some of the `inputs` could not be read, if
    all records are bad, or if some records are bad and the file is one of the inputs."""
    if name is None or name == "-":
        yield sys.stdout
        return
    try:
        before = os.stat(name) if os.path.exists(name) else None
        if before is not None and (not stat.S_ISREG(before.st_mode) or _is_open_file(name)):
            with open(name, "w", encoding="utf-8", newline="\n") as file:
                yield file
            return
        if before is not None:
            # Replacing a file works even if it is write-protected, so check first that it is writable.
            open(name, "r+b").close()
        target = os.path.realpath(name)
        beside = os.path.join(os.path.dirname(target), f".tarock-{os.urandom(8).hex()}")
        try:
            with open(beside, "x", encoding="utf-8", newline="\n") as file:
                yield file
            if inputs is not None and (why := _why_not(inputs, before)):
                print_error(f"{name} was not written: {why}")
                return
            if before is not None:
                shutil.copymode(target, beside)
            os.replace(beside, target)
        finally:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(beside)
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise UsageError(f"{name} cannot be written: {fault.strerror or fault}") from fault


def _is_open_file(name: str) -> bool:
    """Return whether a name refers to a file that the process has open, such as `/dev/stdout`."""
    while os.path.islink(name):
        folder = os.path.dirname(name)
        if os.path.realpath(folder).startswith("/proc/"):
            return True
        name = os.path.join(folder, os.readlink(name))
    return False


def _why_not(inputs: Inputs, target: os.stat_result | None) -> str:
    if inputs.unreadable:
        return "not all of the input could be read"
    if inputs.bad and inputs.bad == inputs.records:
        return "there is no good record"
    if inputs.bad and target is not None and inputs.include(target):
        return "it is an input, and its bad records would be lost"
    return ""


def read_bytes(name: str) -> bytes:
    try:
        with opened(name) as (file, _):
            return file.read()
    except OSError as fault:
        raise UsageError(f"{name} cannot be read: {fault.strerror or fault}") from fault
