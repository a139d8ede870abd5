"""The `live_worker` fixture itself: it is a real worker, on the test's own database and broker."""

import os

import pytest

from deploy.celery import app
from tools.site import Site
from tools.waiting import eventually


@pytest.mark.storage
def test_worker_answers_and_stops(live_worker: Site) -> None:
    def answers() -> bool:
        names = [name for reply in app.control.ping(timeout=1.0) for name in reply]
        return any(f"test-{os.getpid()}@" in name for name in names)

    assert eventually(answers, 20), live_worker.output
    (pid, *_) = live_worker.processes(live_worker.worker)
    live_worker.stop()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
    live_worker.start()
    assert live_worker.processes(live_worker.worker)[0] != pid
