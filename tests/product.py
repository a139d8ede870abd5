"""The site as it is started by `make run`: gunicorn, worker, sweeper, broker, and the sample deals."""

import json
import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parent.parent
ADDRESS = re.compile(r"The tarock archive is at\s+(http://localhost:(\d+)/)")

# The environment of somebody who has set nothing.
UNSET = {
    *("DATABASE_URL", "REDIS_URL", "CACHE_URL", "SECRET_KEY", "HTTPS", "DEBUG", "VAR_DIR", "NUM_PROXIES"),
    *("HOST", "DJANGO_SETTINGS_MODULE", "LOG_FORMAT", "STATIC_ROOT"),
}
CLEAN = {name: value for name, value in os.environ.items() if name not in UNSET}


def eventually(true: Callable[[], object], seconds: float = 30) -> bool:
    """Whether it becomes true within the time."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


class Site:
    """A supervisor with a `var` of its own; `more` is set in its environment besides."""

    token: str
    """Of a user whom the test has made."""

    def __init__(self, var: Path, port: int, **more: str) -> None:
        self.var, self.port = var, port
        self.environment = {
            **CLEAN,
            "VAR_DIR": str(var),
            "PORT": str(port),
            "WORKER_PROCESSES": "1",
            # Nobody wants to wait as long as on a real site for what is lost with a killed worker.
            "ARCHIVE_SWEEP_EVERY": "1",
            "ARCHIVE_LEASE_SECONDS": "3",
            **more,
        }
        self.output = var.with_name("output")

    def start(self) -> str:
        """Start it; what it says up to its address."""
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "deploy.run"],
                cwd=PROJECT,
                env=self.environment,
                stdout=output,
                stderr=output,
            )
        eventually(lambda: ADDRESS.search(self.said) or self.process.poll() is not None, 120)
        found = ADDRESS.search(self.said)
        assert found, self.said
        self.address = found[1]
        return self.said

    @property
    def said(self) -> str:
        """All it has said since it was started."""
        return self.output.read_text(encoding="utf-8")

    def children(self) -> dict[str, int]:
        """Name and process number of each child."""
        notes = json.loads((self.var / "children.json").read_text())
        return {note["name"]: note["group"] for note in notes}

    def get(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """One request: status, headers, body."""
        with urllib.request.urlopen(self.address + path, timeout=20) as answer:
            return answer.status, dict(answer.headers), answer.read()

    def deals(self, query: str) -> list[dict[str, Any]]:
        """The first page of a list of deals."""
        found: list[dict[str, Any]] = json.loads(self.get(f"api/v1/deals{query}")[2])["results"]
        return found

    def manage(self, *arguments: str) -> str:
        """What a management command prints."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=PROJECT, env=self.environment, check=True, capture_output=True, text=True
        )
        return done.stdout

    def end(self) -> None:
        """After a failed test, too, nothing may stay."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=60)


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
