"""A Redis that a test may ill-treat."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tools import servers


@pytest.fixture
def redis_server() -> Iterator[servers.Server]:
    """It is running, and can be made to hang and to die."""
    stopper = servers.Stopper()
    server = servers.redis_server(stopper)
    yield server
    server.signal(signal.SIGCONT)
    stopper.stop()
