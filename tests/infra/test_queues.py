"""The settings of broker and workers, tested on real ones."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from archive.storing import queue
from deploy.celery import app
from tests.conftest import worker_site
from tools.servers import Server
from tools.site import PROJECT, Site
from tools.waiting import eventually

SEND = """
import sys
from deploy.celery import app
for line in sys.stdin:
    try:
        app.send_task("tests.note", ["", "", 0], queue="interactive")
        answer = "sent"
    except Exception as error:
        answer = type(error).__name__
    print(answer, flush=True)
"""


class Sender:
    """A process that sends a message when told, as the web server would."""

    def __init__(self, redis_url: str) -> None:
        environment = {**os.environ, "REDIS_URL": redis_url, "DJANGO_SETTINGS_MODULE": "deploy.settings"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.process = subprocess.Popen([sys.executable, "-c", SEND], cwd=PROJECT, env=environment, **pipes)

    def send(self) -> str:
        """Return what it came to; waits as long as the process does."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print("go", file=self.process.stdin, flush=True)
        return self.process.stdout.readline().strip()


@pytest.fixture
def sender(redis_server: Server) -> Iterator[Sender]:
    sender = Sender(redis_server.url)
    yield sender
    sender.process.kill()
    sender.process.communicate()


def test_a_broker_that_hangs_or_is_away_holds_nobody(redis_server: Server, sender: Sender) -> None:
    for hindrance in (signal.SIGSTOP, signal.SIGKILL):
        assert sender.send() == "sent"
        redis_server.signal(hindrance)
        for _ in range(2):  # over the connection that was there, and over a new one
            assert sender.send() == "OperationalError"
        redis_server.signal(signal.SIGCONT)


class Notes:
    """The lines that `tests.note` has written."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def ask(self, what: str, seconds: float = 0.0, queue: str = "interactive") -> None:
        app.send_task("tests.note", [str(self.file), what, seconds], queue=queue)

    def lines(self) -> list[str]:
        """In the order in which they were written."""
        return self.file.read_text(encoding="utf-8").split() if self.file.exists() else []

    def wait(self, number: int) -> None:
        """Wait until there are this many; fails when they do not come."""
        assert eventually(lambda: len(self.lines()) >= number, 20), self.lines()


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    return Notes(tmp_path / "notes")


@pytest.fixture
def worker(tmp_path: Path) -> Iterator[Site]:
    """A worker of one process, not yet started."""
    site = worker_site(tmp_path, WORKER_PROCESSES="1")
    site.worker.command += ["--include", "tests.infra.noting"]
    yield site
    site.kill()


@pytest.mark.slow
def test_a_worker_takes_no_more_than_it_has_processes_for_and_interactive_messages_first(
    worker: Site, notes: Notes
) -> None:
    """And what it takes is gone: there is nothing to be acknowledged, nor to come back from a lost worker."""
    worker.start()
    notes.ask("held", 60)
    notes.wait(1)
    for name in ("bulk", "interactive"):
        for number in range(3):
            notes.ask(f"{name}-{number}", queue=name)
    with app.connection_for_read() as connection:
        channel = connection.default_channel
        assert not channel.client.hlen(channel.unacked_key)
    assert [queue.length(name) for name in ("bulk", "interactive")] == [3, 3]
    worker.kill()
    worker.start()
    notes.wait(7)
    expected = [f"{name}-{number}" for name in ("interactive", "bulk") for number in range(3)]
    assert notes.lines() == ["held", *expected]


def test_a_worker_for_a_queue_that_does_not_exist_is_refused() -> None:
    """Celery would make the queue, and the worker would wait there for ever."""
    with pytest.raises(KeyError):
        app.amqp.queues.select(["interactiv"])
