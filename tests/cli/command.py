"""The command `tarock`, in this process or in one of its own, and a record with a fault for it."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from subprocess import CompletedProcess
from tempfile import TemporaryFile
from typing import Any
from unittest.mock import patch

from tarock.cli import main

ROOT = Path(__file__).resolve().parents[2]
KEYS = "n game digest verdict score lines facts counts happenings claim error errors warnings"
PROGRAM = [sys.executable, "-m", "tarock"]


def tarock(*arguments: str, given: str | bytes = b"") -> CompletedProcess[str]:
    """Run the command in this process, with files as its three streams: its status and output."""
    with ExitStack() as stack:
        raw = [stack.enter_context(TemporaryFile()) for _ in range(3)]
        raw[0].write(given.encode() if isinstance(given, str) else given)
        raw[0].seek(0)
        streams = [
            stack.enter_context(open(file.fileno(), mode, closefd=False))
            for file, mode in zip(raw, "rww", strict=True)
        ]
        named = dict(zip(("stdin", "stdout", "stderr"), streams, strict=True))
        with patch.multiple(sys, **named), patch.dict(os.environ, COLUMNS="100"):
            status = main(arguments)
        for stream in streams[1:]:
            stream.flush()
        return CompletedProcess(arguments, status, *map(_content, raw[1:]))


def _content(file: Any) -> str:
    file.seek(0)
    return file.read().decode("utf-8")  # type: ignore[no-any-return]


def process(*arguments: str, given: str = "", **how: Any) -> CompletedProcess[str]:
    """Run the command in a process of its own; its output is decoded as UTF-8 whatever the locale."""
    done = subprocess.run(
        [*PROGRAM, *arguments],
        **{"input": given.encode(), "capture_output": True, "cwd": ROOT, "timeout": 60, "check": False} | how,
    )
    return CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def illegal(text: str) -> str:
    """The same deal, but the last card but one of the first trick is played a second time."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("2. "))
    words = lines[at].split()
    words[2] = next(line for line in lines if line.startswith("1. ")).split()[3]
    lines[at] = " ".join(words)
    return "\n".join(lines) + "\n"
