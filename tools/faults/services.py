"""Faults of what the site stands on: Redis, PostgreSQL, the disk."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress

import psycopg
import redis

from tools.faults import fault
from tools.faults.load import Load
from tools.servers import end, unprivileged
from tools.site import Refused, Site
from tools.waiting import eventually


@fault
def redis_lost(site: Site, load: Load) -> None:
    """Redis is killed, and comes back empty."""
    end(site.redis, signal.SIGKILL)
    time.sleep(5)
    site.redis.start()


@fault
def redis_emptied(site: Site, load: Load) -> None:
    """FLUSHALL, three times."""

    for _ in range(3):
        with redis.Redis.from_url(site.redis.url) as client:
            client.flushall()
        time.sleep(1)


@fault
def redis_hangs(site: Site, load: Load) -> None:
    """Redis does not answer for ten seconds; the site has to."""
    site.redis.signal(signal.SIGSTOP)
    try:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            began = time.monotonic()
            with suppress(Refused):
                site.api("GET", "/api/v1/deals?limit=1", timeout=20)
            load.seen[f"read in {time.monotonic() - began:.0f} s"] += 1
            time.sleep(0.5)
    finally:
        site.redis.signal(signal.SIGCONT)


@fault
def full_redis(site: Site, load: Load) -> None:
    """Redis has no memory left for ten seconds: it refuses whatever writes, acknowledgements, too."""

    worker = site.worker.process
    assert worker is not None
    with redis.Redis.from_url(site.redis.url) as client:
        worker.send_signal(signal.SIGSTOP)  # until there are messages that it will fetch
        eventually(lambda: client.llen("interactive"), 20)
        client.config_set("maxmemory", 1)
        worker.send_signal(signal.SIGCONT)
        time.sleep(10)
        client.config_set("maxmemory", 0)
    if worker.poll() is not None:
        load.errors.append("the worker ended")
        site.worker.start()


@fault
def database_stopped(site: Site, load: Load) -> None:
    """PostgreSQL stops as in a crash, and comes back after five seconds."""
    end(site.postgres, signal.SIGQUIT)
    time.sleep(5)
    site.postgres.start()


@fault
def connections_ended(site: Site, load: Load) -> None:
    """PostgreSQL ends every connection, twenty times."""

    for _ in range(20):
        with psycopg.connect(site.postgres.url) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        time.sleep(0.2)


@fault
def disk_full(site: Site, load: Load) -> None:
    """The disk of the database is full for five seconds, where that can be had: a tablespace of 48 MB."""

    folder = site.folder / "small"
    folder.mkdir()
    if os.system(f"mount -t tmpfs -o size=48m tmpfs {folder} 2>/dev/null"):
        load.seen["cannot be had on this machine"] += 1
        return
    owner = unprivileged()
    if owner:
        os.chown(folder, *owner)
        for parent in (site.folder,):
            parent.chmod(0o755)
    try:
        with psycopg.connect(site.postgres.url, autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
            connection.execute("ALTER TABLE archive_part SET TABLESPACE small")
            (folder / "filler").write_bytes(b"")
            with suppress(OSError), (folder / "filler").open("wb") as filler:
                while True:
                    filler.write(bytes(65536))
                    filler.flush()
            time.sleep(5)
            (folder / "filler").unlink()
            time.sleep(2)
            connection.execute("ALTER TABLE archive_part SET TABLESPACE pg_default")
            connection.execute("DROP TABLESPACE small")
    finally:
        os.system(f"umount {folder}")


@fault
def sweeper_killed(site: Site, load: Load) -> None:
    """The sweeper is killed, messages are lost, and it comes back."""
    end(site.sweeper, signal.SIGKILL)
    redis_emptied(site, load)
    site.sweeper.start()
