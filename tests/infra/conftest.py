"""A Redis that a test may ill-treat; sums are as the site that runs has left them."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest

from tests.support import settling
from tools import servers


@pytest.fixture
def redis_server() -> Iterator[servers.Server]:
    """It is running, and can be made to hang and to die."""
    stopper = servers.Stopper()
    server = servers.redis_server(stopper)
    yield server
    server.signal(signal.SIGCONT)
    stopper.stop()


@pytest.fixture
def no_settling() -> Iterator[None]:
    """A request asks for nothing but what the site itself asks for."""
    with settling.switched_off():
        yield
