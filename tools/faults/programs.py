"""Faults in the archive's own programs: worker, web server, sweeper."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg

from tools import steady
from tools.faults.load import PATIENCE, Load
from tools.servers import restart
from tools.site import Site
from tools.waiting import eventually


def nothing_at_all(site: Site, load: Load) -> None:
    """Cause no fault, as a baseline for the other faults."""


def _kill(processes: list[int]) -> None:
    for pid in processes:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def worker_child_killed(site: Site, load: Load) -> None:
    """Kill a random process of the worker, eight times."""
    for _ in range(8):
        if children := site.processes(site.worker)[1:]:
            _kill([random.choice(children)])
        time.sleep(0.4)


def worker_killed(site: Site, load: Load) -> None:
    """Kill and restart the whole worker, three times."""
    for _ in range(3):
        restart(site.worker, 0)
        time.sleep(4)


def all_workers_dead(site: Site, load: Load) -> None:
    """Leave the site without a worker for ten seconds."""
    restart(site.worker, 10)


def worker_frozen(site: Site, load: Load) -> None:
    """Freeze a worker process while it holds the insert lock. The other process must store new uploads."""
    with psycopg.connect(site.postgres.url, autocommit=True) as connection, _slow(connection):
        frozen = _freeze(site, load, connection)
        if not frozen:
            load.errors.append("no worker could be frozen in its transaction")
            return
        began = time.monotonic()
        try:
            load.send(0)
            site.finished(load.accepted[0][-1], PATIENCE)
            load.seen[f"stored {time.monotonic() - began:.0f} s after a process froze"] += 1
        finally:
            with suppress(ProcessLookupError):
                os.kill(frozen, signal.SIGCONT)


def _freeze(site: Site, load: Load, connection: Any) -> int:
    """Freeze the worker process that has an open transaction and return its pid; 0 if there is none within a
    minute. Stop all worker processes while PostgreSQL sleeps in a transaction of one of them, then resume all
    but one. If the transaction stays open, it belongs to the stopped process."""
    held = (
        "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
        "WHERE locktype = 'advisory' AND granted AND state = 'idle in transaction'"
    )
    until = time.monotonic() + 60
    while time.monotonic() < until:
        load.send(0)
        if not _comes(connection, _SLEEPING):
            continue
        children = site.processes(site.worker)[1:]
        random.shuffle(children)
        for child in children:
            os.kill(child, signal.SIGSTOP)
        last = children.pop()
        stays = _comes(connection, held)
        for child in children:
            os.kill(child, signal.SIGCONT)
        time.sleep(1.5)
        if stays and _comes(connection, f"{held} AND state_change < clock_timestamp() - interval '1.5 s'"):
            return last
        os.kill(last, signal.SIGCONT)
    return 0


_SLEEPING = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"


def _comes(connection: Any, query: str) -> bool:
    """Return whether the query's count becomes positive within two seconds."""
    return bool(eventually(lambda: connection.execute(query).fetchone()[0], 2, pause=0.02))


@contextmanager
def _slow(connection: Any) -> Iterator[None]:
    """Delay the commit of every transaction that stores deals by 0.3 seconds."""
    connection.execute(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS "
        "'BEGIN PERFORM pg_sleep(0.3); RETURN NULL; END'"
    )
    connection.execute("CREATE TRIGGER slow AFTER INSERT ON archive_uploaditem EXECUTE FUNCTION slow()")
    try:
        yield
    finally:
        connection.execute("DROP TRIGGER slow ON archive_uploaditem")
        connection.execute("DROP FUNCTION slow()")


def a_hundred_kills(site: Site, load: Load) -> None:
    """Kill a random process of worker, web server or sweeper, a hundred times in half a minute."""
    for _ in range(100):
        child = random.choice((site.worker, site.worker, site.web, site.sweeper))
        processes = site.processes(child)
        if len(processes) > 1:
            _kill([random.choice(processes[1:])])
        elif child is site.sweeper:
            restart(child, 0)
        time.sleep(0.3)


def web_children_killed(site: Site, load: Load) -> None:
    """Kill the processes of the web server while uploads arrive."""
    for _ in range(4):
        _kill(site.processes(site.web)[1:])
        time.sleep(1.5)


def web_reloaded(site: Site, load: Load) -> None:
    """Reload the web server three times, at a load of fifty requests a second. No request may fail."""
    with steady.reading(site.port) as readers:
        for _ in range(3):
            time.sleep(1)
            master, *before = site.processes(site.web)
            os.kill(master, signal.SIGHUP)
            if not eventually(lambda: not set(before) & set(site.processes(site.web)), 60):  # noqa: B023
                load.errors.append("a process was not replaced")
        time.sleep(1)
    if readers.failed or "no answer" in load.seen:
        load.errors.append(f"requests failed: {dict(readers.seen)}")
    load.seen[f"reads of 50 a second, the slowest {readers.slowest:.1f} s"] += readers.seen["200"]


def web_killed(site: Site, load: Load) -> None:
    """Kill and restart the whole web server."""
    restart(site.web, 1)
    eventually(site.answers, 60)
