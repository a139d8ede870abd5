"""Run programs of the project as an operator does: in a process with an environment of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tools.site import PROJECT

Done = subprocess.CompletedProcess[str]


def run(*command: str, folder: Path = PROJECT, **environment: str) -> Done:
    """Run a program in a folder, with nothing but these variables and PATH."""
    environment = {"PATH": os.environ["PATH"]} | environment
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def python(*arguments: str, **environment: str) -> Done:
    return run(sys.executable, *arguments, **environment)
