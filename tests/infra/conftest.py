"""A Redis that a test may ill-treat."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import services


class Redis:
    """A server of the test's own, which can be made to hang and to die."""

    def __init__(self, address: str, pid: int) -> None:
        self.address, self.pid = address, pid

    def signal(self, number: int) -> None:
        """To the server."""
        os.kill(self.pid, number)


@pytest.fixture
def redis_server() -> Iterator[Redis]:
    """It is running."""
    stopper = services.Stopper()
    service = services._first("Redis", services._redis_programs(), services._start_redis, stopper)
    path = Path(service.url.removeprefix("unix://").partition("?")[0])
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,args="], capture_output=True, text=True, check=True
    )
    (pid,) = [int(row.split()[0]) for row in listed.stdout.splitlines() if str(path.parent) in row]
    server = Redis(service.url, pid)
    yield server
    with contextlib.suppress(ProcessLookupError):
        server.signal(signal.SIGCONT)
    stopper.stop()
