"""The `live_worker` fixture itself: it is a real worker, on the test's own database and broker."""

import os
import time
from typing import Any

import pytest

from deploy.celery import app


@pytest.mark.storage
def test_worker_answers_and_stops(live_worker: Any) -> None:
    def answers() -> list[str]:
        return [name for reply in app.control.ping(timeout=1.0) for name in reply]

    deadline = time.monotonic() + 20
    while not any(f"test-{os.getpid()}@" in name for name in answers()):
        assert time.monotonic() < deadline, live_worker.log
    pid = live_worker.pid
    live_worker.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    live_worker.start()
    assert live_worker.pid != pid
