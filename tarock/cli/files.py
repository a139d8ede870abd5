"""What all commands share: their files, their exit status, and how they report faults."""

from __future__ import annotations

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import Any, BinaryIO, NoReturn, TextIO

from tarock.notation import Entry, read_file
from tarock.terminal import Progress
from tarock.verify import Check, try_check

OK, NOT_VERIFIED, USAGE = 0, 1, 2
JSON = json.JSONEncoder(ensure_ascii=False, check_circular=False).encode


class UsageError(Exception):
    """The command line cannot be carried out."""


def print_error(message: str) -> None:
    print(f"tarock: {message}", file=sys.stderr)


def stop(message: str) -> NoReturn:
    raise UsageError(message)


class Inputs:
    """The records of all files, in order, read one by one and numbered through. `unreadable`: whether a file
    could not be read; such files are reported and left out."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = list(names)
        self.unreadable = False
        self.records = 0

    def entries(self) -> Iterator[tuple[str, Entry, Callable[[], None]]]:
        """Yield the source, the entry, and a function that clears the progress bar for a message."""
        for name in self.names:
            try:
                with opened(name) as (file, size), Progress(size, sys.stderr) as bar:
                    for entry in read_file(file):
                        number = self.records
                        self.records += 1
                        yield "stdin" if name == "-" else name, entry._replace(n=number), bar.clear
                        bar.advance(len(entry.source))
            except BrokenPipeError:
                raise
            except OSError as fault:
                self.unreadable = True
                print_error(f"{name} cannot be read: {fault.strerror or fault}")

    def checks(self) -> Iterator[tuple[str, Entry, Check]]:
        """Yield the source, the entry and the check of every record."""
        to_screen = sys.stdout.isatty()
        for source, entry, clear in self.entries():
            result = try_check(entry)
            if to_screen or not result.good:
                clear()
            yield source, entry, result


@contextlib.contextmanager
def opened(name: str) -> Iterator[tuple[BinaryIO, int]]:
    """An input and its length in bytes, 0 if it is not known."""
    if name == "-":
        yield sys.stdin.buffer, 0
    else:
        with open(name, "rb") as file:
            yield file, os.fstat(file.fileno()).st_size


def exit_status(inputs: Inputs, good: bool) -> int:
    return USAGE if inputs.unreadable else OK if good else NOT_VERIFIED


def print_json(value: Any) -> None:
    sys.stdout.write(JSON(value) + "\n")


@contextlib.contextmanager
def output(name: str | None) -> Iterator[TextIO]:
    """Standard output, or a file."""
    if name is None or name == "-":
        yield sys.stdout
        return
    try:
        with open(name, "w", encoding="utf-8", newline="\n") as file:
            yield file
    except OSError as fault:
        stop(f"{name} cannot be written: {fault.strerror or fault}")


def read_bytes(name: str) -> bytes:
    try:
        with opened(name) as (file, _):
            return file.read()
    except OSError as fault:
        stop(f"{name} cannot be read: {fault.strerror or fault}")
