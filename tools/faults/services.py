"""Faults in services that the site depends on: Redis, PostgreSQL, the disk, the mail server."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections import Counter
from contextlib import suppress

import httpx
import psycopg
import redis
from django.contrib.auth import get_user_model
from django.db import connection

from tools import outside
from tools.faults.load import PATIENCE, Load
from tools.servers import end, restart, unprivileged
from tools.site import Refused, Site
from tools.waiting import eventually


def redis_lost(site: Site, load: Load) -> None:
    """Kill Redis and restart it empty."""
    restart(site.redis, 5)


def redis_emptied(site: Site, load: Load) -> None:
    """Empty Redis with FLUSHALL, three times."""
    for _ in range(3):
        with redis.Redis.from_url(site.redis.url) as client:
            client.flushall()
        time.sleep(1)


def redis_hangs(site: Site, load: Load) -> None:
    """Freeze Redis for ten seconds; the site must keep responding."""
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


def full_redis(site: Site, load: Load) -> None:
    """Leave Redis without memory for ten seconds, so that it rejects all writes."""
    worker = site.worker.process
    assert worker is not None
    with redis.Redis.from_url(site.redis.url) as client:
        worker.send_signal(signal.SIGSTOP)  # stop it until there are messages for it
        eventually(lambda: client.llen("interactive"), 20)
        client.config_set("maxmemory", 1)
        worker.send_signal(signal.SIGCONT)
        time.sleep(10)
        client.config_set("maxmemory", 0)
    if worker.poll() is not None:
        load.errors.append("the worker ended")
        site.worker.start()


def database_stopped(site: Site, load: Load) -> None:
    """Stop PostgreSQL as in a crash, and restart it after five seconds."""
    restart(site.postgres, 5, signal.SIGQUIT)


def disk_full(site: Site, load: Load) -> None:
    """Fill the database's disk, a tablespace of 48 MB, for five seconds, if this machine can mount one."""
    folder = site.folder / "small"
    folder.mkdir()
    if os.system(f"mount -t tmpfs -o size=48m tmpfs {folder} 2>/dev/null"):
        load.seen["cannot be had on this machine"] += 1
        return
    owner = unprivileged()
    if owner:
        os.chown(folder, *owner)
        site.folder.chmod(0o755)
    try:
        with psycopg.connect(site.postgres.url, autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{folder}'")
            connection.execute("ALTER TABLE archive_part SET TABLESPACE small")
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


def sweeper_killed(site: Site, load: Load) -> None:
    """Kill the sweeper, empty Redis so that messages are lost, and restart the sweeper."""
    end(site.sweeper, signal.SIGKILL)
    redis_emptied(site, load)
    site.sweeper.start()


def mail_server(site: Site, load: Load) -> None:
    """Make the mail server hang, then refuse connections, then work again, while ten users reset their
    passwords. No request may wait for the mail server, and each mail must arrive exactly once."""
    connection.close()
    users = get_user_model().objects
    addresses = {f"player{number}@example.org" for number in range(10)}
    for address in addresses:
        users.create_user(address.partition("@")[0], address)
    with outside.silent_server(site.mail_port):
        forgetting = [threading.Thread(target=_forget_password, args=(site, load, one)) for one in addresses]
        for thread in forgetting:
            thread.start()
        began = time.monotonic()
        site.request("GET", "/healthz", timeout=10)
        site.request("GET", "/", timeout=10)
        load.seen[f"read in {time.monotonic() - began:.0f} s"] += 1
        for thread in forgetting:
            thread.join()
        time.sleep(8)
    time.sleep(5)
    with outside.mail_server(site.mail_port) as server:
        eventually(lambda: len(server.mails) >= len(addresses), PATIENCE)
        time.sleep(5)
        sent = Counter(re.findall(rb"^To: (\S+)", mail, re.MULTILINE)[0].decode() for mail in server.mails)
    load.seen["mails"] += sum(sent.values())
    if sent != Counter(addresses):
        load.errors.append(f"of {len(addresses)} mails these arrived: {sorted(sent.items())}")
    users.filter(email__in=addresses).delete()


def _forget_password(site: Site, load: Load, address: str) -> None:
    with httpx.Client(base_url=site.address, timeout=10, headers={"Referer": site.address}) as browser:
        path = "/accounts/password/reset/"
        browser.get(path)
        form = {"email": address, "csrfmiddlewaretoken": browser.cookies["csrftoken"]}
        try:
            result = str(browser.post(path, data=form).status_code)
        except httpx.TransportError as error:
            result = repr(error)
        if result != "302":
            load.errors.append(f"a password could not be reset: {result}")
