"""The command `tarock` as a process, and a record with a fault for it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEYS = "n game digest verdict score lines facts counts happenings claim error errors warnings"


def tarock(*arguments: str, given: str | bytes = b"", **environment: str) -> subprocess.CompletedProcess[str]:
    """Runs the command; its output is decoded as UTF-8 whatever the locale."""
    done = subprocess.run(
        [sys.executable, "-m", "tarock", *arguments],
        input=given.encode() if isinstance(given, str) else given,
        capture_output=True,
        cwd=ROOT,
        env=os.environ | environment,
        timeout=60,
        check=False,
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
    )


def illegal(text: str) -> str:
    """The same deal, but the last card but one of the first trick is played a second time."""
    lines = text.splitlines()
    at = next(i for i, line in enumerate(lines) if line.startswith("2. "))
    words = lines[at].split()
    words[2] = next(line for line in lines if line.startswith("1. ")).split()[3]
    lines[at] = " ".join(words)
    return "\n".join(lines) + "\n"
