"""`make faults`: hurt a running site in every way we know, and look whether a deal is lost, doubled or wrong.

    python -m tests.faults [--short] [FAULT …]

A site of its own (PostgreSQL that keeps what it commits, Redis, web server, two worker processes, sweeper) is
sent some files of deals for each fault, four games mixed, some of them altered. While they come in, the fault
is done. A client that is refused sends again, as clients do. Afterwards every deal that was accepted is
compared with what the engine says when it is called directly: it has to be there once, with the same verdict,
score, finding and points at its seats.

Printed are, for each fault: deals lost, doubled, wrong; seconds from the end of the fault until everything
was stored; what the client saw. The exit status is 0 if nothing was lost, doubled or wrong.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import signal
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tarock.games import games
from tarock.notation import read, write_text
from tarock.simulate import simulate
from tarock.verify import Check, check
from tests import services
from tests.site import USER, Refused, Site, kill

SHORT = (
    "worker-child-killed",
    "all-workers-dead",
    "redis-lost",
    "redis-hangs",
    "full-redis",
    "database-stopped",
    "body-broken-off",
    "worker-frozen",
)
"""The faults that CI does."""

PAUSE = 0.8
"""Seconds between two files of a client, so that they come in as long as the fault lasts."""

PATIENCE = 120
"""Seconds after which a file that is still refused, or not stored, is an error."""


# --- what is sent -------------------------------------------------------------------------------------------


def deals(number: int, seed: int) -> list[str]:
    """Texts of deals of all games, every sixteenth altered: another claim, a card exchanged, an end cut
    off."""
    texts = []
    each = number // len(games()) + 1
    for info in games():
        for record in simulate(info.id, players=info.seats[0], deals=each, seed=seed):
            texts.append(write_text(record))
    chance = random.Random(seed)
    chance.shuffle(texts)
    for at in range(0, len(texts), 16):
        texts[at] = _altered(texts[at], chance)
    return texts[:number]


def _altered(text: str, chance: random.Random) -> str:
    lines = text.rstrip("\n").split("\n")
    how = chance.randrange(3)
    if how == 0:
        return "\n".join(lines[: -chance.randrange(1, 4)]) + "\n"
    if how == 1:
        words = lines[-2].split()
        words[-1], words[-2] = words[-2], words[-1]
        return "\n".join([*lines[:-2], " ".join(words), lines[-1]]) + "\n"
    seats = [line[1] for line in lines if line[:1] == "[" and line[2:4] == ' "']
    score = " ".join(f"{seat}={n}" for n, seat in enumerate(seats))
    head = next(n for n, line in enumerate(lines) if line.startswith("[Dealer"))
    kept = [line for line in lines if not line.startswith("[Score")]
    return "\n".join([*kept[: head + 1], f'[Score "{score}"]', *kept[head + 1 :]]) + "\n"


@dataclass
class Load:
    """Files that are sent while a fault is done, and what became of them."""

    site: Site
    files: list[bytes]
    accepted: dict[int, list[str]] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    stop: threading.Event = field(default_factory=threading.Event)
    errors: list[str] = field(default_factory=list)

    def run(self, clients: int = 2) -> list[threading.Thread]:
        """Clients that send the files, each those that are its own."""
        threads = [threading.Thread(target=self._client, args=(n, clients)) for n in range(clients)]
        for thread in threads:
            thread.start()
        return threads

    def _client(self, first: int, step: int) -> None:
        for number in range(first, len(self.files), step):
            self.send(number)
            time.sleep(PAUSE)

    def send(self, number: int) -> None:
        """Send a file until it is accepted."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                report = self.site.send(self.files[number], timeout=20)
            except Refused as refused:
                self.seen[str(refused.status or "no answer")] += 1
                time.sleep(0.5)
            else:
                self.seen[str(report["status"])] += 1
                self.accepted.setdefault(number, []).append(report["url"])
                return
        self.errors.append(f"file {number} was never accepted")


# --- what has to be there -----------------------------------------------------------------------------------


def compare(load: Load) -> dict[str, int]:
    """Deals that are lost, doubled or wrong, of all in the files that were accepted."""
    from django.db import connection

    from archive.models import Contribution, Deal

    connection.close()  # it may be one that a fault has cut
    found: Counter[str] = Counter(lost=0, doubled=0, wrong=0)
    for number in load.accepted:
        for entry in read(load.files[number]):
            if entry.record is None:
                continue
            expected = check(entry.record)
            stored = list(Deal.objects.filter(digest=bytes.fromhex(entry.record.digest)))
            if not stored:
                found["lost"] += 1
                continue
            said = Contribution.objects.filter(deal__in=stored)
            found["doubled"] += len(stored) > 1 or said.count() != 1
            found["wrong"] += not _same(stored[0], expected)
    return dict(found)


def _same(deal: Any, expected: Check) -> bool:
    finding = None if deal.verdict == "verified" else (deal.finding.clause, deal.finding.event)
    wanted = None if expected.error is None else (expected.error.clause, expected.error.event)
    return bool(
        deal.representative.verdict == expected.verdict
        and deal.score == expected.score
        and deal.lines == expected.lines
        and finding == wanted
        and sum(seat.points or 0 for seat in deal.seats) == sum((expected.score or {}).values())
    )


# --- the faults ---------------------------------------------------------------------------------------------

FAULTS: dict[str, Callable[[Site, Load], None]] = {}


def fault(action: Callable[[Site, Load], None]) -> Callable[[Site, Load], None]:
    """Put a fault into the list, under its name."""
    FAULTS[action.__name__.replace("_", "-")] = action
    return action


def _child(service: services.Service) -> services.Child:
    """The process of a server that the site was started with."""
    assert service.child is not None
    return service.child


@fault
def nothing_at_all(site: Site, load: Load) -> None:
    """Only the load."""


@fault
def worker_child_killed(site: Site, load: Load) -> None:
    """A process of the worker is killed, again and again."""
    for _ in range(8):
        children = site.processes(site.worker)[1:]
        if children:
            with suppress(ProcessLookupError):
                os.kill(random.choice(children), signal.SIGKILL)
        time.sleep(0.4)


@fault
def worker_killed(site: Site, load: Load) -> None:
    """The whole worker is killed and started again, three times."""
    for _ in range(3):
        kill(site.worker)
        site.worker.start()
        time.sleep(4)


@fault
def all_workers_dead(site: Site, load: Load) -> None:
    """No worker for ten seconds."""
    kill(site.worker)
    time.sleep(10)
    site.worker.start()


@fault
def worker_frozen(site: Site, load: Load) -> None:
    """A process of the worker stops in its transaction, with the lock that all who store wait for. While it
    is frozen what is sent has to be stored by the other."""
    import psycopg

    with psycopg.connect(**_server(site), autocommit=True) as connection, _slow(connection):
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
    """Stop the process of the worker that is in its transaction; 0 if none comes into one in a minute.

    All are stopped while PostgreSQL sleeps for one of them, and go on one by one: the last one, if the
    transaction has not gone on by then, is the one that has it.
    """
    sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
    held = (
        "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid) "
        "WHERE locktype = 'advisory' AND granted AND state = 'idle in transaction'"
    )
    until = time.monotonic() + 60
    while time.monotonic() < until:
        load.send(0)
        if not _comes(connection, sleeping):
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


def _comes(connection: Any, question: str) -> bool:
    """Whether a count is more than 0 within two seconds."""
    until = time.monotonic() + 2
    while time.monotonic() < until:
        if connection.execute(question).fetchone()[0]:
            return True
        time.sleep(0.02)
    return False


@contextmanager
def _slow(connection: Any) -> Iterator[None]:
    """Have every transaction that stores take longer, between its inserts and its end."""
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


@fault
def killed_before_the_commit(site: Site, load: Load) -> None:
    """Processes of the worker are killed between their inserts and the commit, twelve times."""
    import psycopg

    with psycopg.connect(**_server(site), autocommit=True) as connection, _slow(connection):
        sleeping = "SELECT count(*) FROM pg_stat_activity WHERE wait_event = 'PgSleep'"
        killed, until = 0, time.monotonic() + 60
        while killed < 12 and time.monotonic() < until:
            row = connection.execute(sleeping).fetchone()
            if row and row[0]:
                for child in site.processes(site.worker)[1:]:
                    with suppress(ProcessLookupError):
                        os.kill(child, signal.SIGKILL)
                killed += 1
            time.sleep(0.1)
        load.seen["kills before the commit"] += killed


@fault
def a_hundred_kills(site: Site, load: Load) -> None:
    """A process of worker, web server or sweeper is killed at random, a hundred times in half a minute."""
    for _ in range(100):
        child = random.choice((site.worker, site.worker, site.web, site.sweeper))
        processes = site.processes(child)
        if len(processes) > 1:
            with suppress(ProcessLookupError):
                os.kill(random.choice(processes[1:]), signal.SIGKILL)
        elif child is site.sweeper:
            kill(child)
            child.start()
        time.sleep(0.3)


@fault
def flood_of_faults(site: Site, load: Load) -> None:
    """Uploads of 240 kB with 80,000 faulty records each; they take few rows, and nobody waits for them."""
    from django.db import connection

    from archive.models import UploadItem

    flood = b"[" + b",".join([b"{}"] * 80_000) + b"]"
    connection.close()
    reports = [site.send(flood, Content_Type="application/json") for _ in range(5)]
    began = time.monotonic()
    load.send(0)
    site.finished(load.accepted[0][-1], PATIENCE)
    load.seen[f"stored in {time.monotonic() - began:.0f} s beside the flood"] += 1
    for report in reports:
        site.finished(report["url"], PATIENCE)
    uploads = [int(report["upload"]) for report in reports]
    rows = UploadItem.objects.filter(part__upload__in=uploads).count()
    load.seen["rows for 400,000 faulty records"] += rows
    if rows > 2000:
        load.errors.append(f"a flood of faulty records took {rows} rows")


@fault
def redis_lost(site: Site, load: Load) -> None:
    """Redis is killed, and comes back empty."""
    child = _child(site.redis)
    child.stop(signal.SIGKILL)
    time.sleep(5)
    child.start()


@fault
def redis_emptied(site: Site, load: Load) -> None:
    """FLUSHALL, three times."""
    import redis

    for _ in range(3):
        with redis.Redis.from_url(site.redis.url) as client:
            client.flushall()
        time.sleep(1)


@fault
def redis_hangs(site: Site, load: Load) -> None:
    """Redis does not answer for ten seconds; the site has to."""
    child = _child(site.redis)
    child.signal(signal.SIGSTOP)
    try:
        until = time.monotonic() + 10
        while time.monotonic() < until:
            began = time.monotonic()
            with suppress(Refused):
                site.ask("GET", "/api/v1/deals?limit=1", timeout=20)
            load.seen[f"read in {time.monotonic() - began:.0f} s"] += 1
            time.sleep(0.5)
    finally:
        child.signal(signal.SIGCONT)


@fault
def full_redis(site: Site, load: Load) -> None:
    """Redis has no memory left for ten seconds: it refuses whatever writes, acknowledgements, too."""
    import redis

    worker = site.worker.process
    assert worker is not None
    with redis.Redis.from_url(site.redis.url) as client:
        worker.send_signal(signal.SIGSTOP)  # until there are messages that it will fetch
        until = time.monotonic() + 20
        while not client.llen("interactive") and time.monotonic() < until:
            time.sleep(0.05)
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
    child = _child(site.postgres)
    child.stop(signal.SIGQUIT)
    time.sleep(5)
    child.start()


@fault
def connections_ended(site: Site, load: Load) -> None:
    """PostgreSQL ends every connection, twenty times."""
    import psycopg

    for _ in range(20):
        with psycopg.connect(**_server(site)) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        time.sleep(0.2)


def _server(site: Site) -> dict[str, Any]:
    import dj_database_url

    at = dj_database_url.parse(site.postgres.url)
    return {"host": at["HOST"], "user": at["USER"], "dbname": at["NAME"]}


@fault
def web_children_killed(site: Site, load: Load) -> None:
    """The processes of the web server are killed while uploads come in."""
    for _ in range(4):
        for pid in site.processes(site.web)[1:]:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(1.5)


@fault
def web_killed(site: Site, load: Load) -> None:
    """The whole web server is killed and started again."""
    kill(site.web)
    time.sleep(1)
    site.web.start()
    site.wait_until_up()


@fault
def sweeper_killed(site: Site, load: Load) -> None:
    """The sweeper is killed, messages are lost, and it comes back."""
    kill(site.sweeper)
    redis_emptied(site, load)
    site.sweeper.start()


@fault
def body_broken_off(site: Site, load: Load) -> None:
    """Clients announce a body, send half of it, and go away."""
    for number in range(20):
        data = deals(4, 900_000 + number)[0].encode()
        connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
        connection.putrequest("POST", "/api/v1/deals" if number % 2 else "/api/v1/uploads")
        connection.putheader("Authorization", f"Token {site.token}")
        connection.putheader("Content-Type", "text/plain")
        connection.putheader("Content-Length", str(len(data)))
        connection.endheaders()
        connection.send(data[: len(data) // 2])
        if number % 4 < 2 and connection.sock is not None:
            connection.sock.shutdown(1)
            with suppress(OSError, http.client.HTTPException):
                load.seen[f"half: {connection.getresponse().status}"] += 1
        connection.close()


@fault
def same_file_twice(site: Site, load: Load) -> None:
    """Another client sends the same files at the same time."""
    for thread in Load(site, load.files, load.accepted, load.seen).run():
        thread.join()


@fault
def disk_full(site: Site, load: Load) -> None:
    """The disk of the database is full for five seconds, where that can be had: a tablespace of 48 MB."""
    import psycopg

    folder = site.folder / "small"
    folder.mkdir()
    if os.system(f"mount -t tmpfs -o size=48m tmpfs {folder} 2>/dev/null"):
        load.seen["cannot be had on this machine"] += 1
        return
    owner = services._unprivileged()
    if owner:
        os.chown(folder, *owner)
        for parent in (site.folder,):
            parent.chmod(0o755)
    try:
        with psycopg.connect(**_server(site), autocommit=True) as connection:
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
def hanging_webhook(site: Site, load: Load) -> None:
    """Receivers of webhooks take connections and never answer; another beside them is sent its messages."""
    from django.contrib.auth import get_user_model
    from django.db import connection

    from archive.publishing import webhooks
    from archive.storing import spaces

    connection.close()
    user = get_user_model().objects.get(username=USER)
    with socket.create_server(("127.0.0.1", 0), backlog=100) as hanging, _receiver() as (url, received):
        for number in range(webhooks.MOST - 1):
            webhooks.add(spaces.own(user), f"http://127.0.0.1:{hanging.getsockname()[1]}/{number}", by=user)
        webhooks.add(spaces.own(user), url, by=user)
        load.send(0)
        until = time.monotonic() + 15
        while not received and time.monotonic() < until:
            time.sleep(0.1)
        if not received:
            load.errors.append("the webhook that is well was sent nothing in 15 seconds")
        time.sleep(15)
        load.seen["messages to the webhook that is well"] += len(received)
    spaces.own(user).webhooks.all().delete()


@contextmanager
def _receiver() -> Iterator[tuple[str, list[bytes]]]:
    """A receiver of webhooks that takes everything: its address, and what it was sent."""
    received: list[bytes] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            received.append(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(204)
            self.end_headers()

        def log_message(self, *_args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/", received
    finally:
        server.shutdown()
        server.server_close()


# --- all of it ----------------------------------------------------------------------------------------------


def do(site: Site, name: str, number: int, seed: int) -> bool:
    """Do one fault under load, and say what came of it; whether all is well."""
    texts = deals(number, seed)
    size = max(1, len(texts) // 10)
    load = Load(site, ["\n".join(texts[at : at + size]).encode() for at in range(0, len(texts), size)])
    clients = load.run()
    time.sleep(0.3)
    FAULTS[name](site, load)
    ended = time.monotonic()
    for client in clients:
        client.join()
    for urls in load.accepted.values():
        for url in urls:
            try:
                site.finished(url, PATIENCE)
            except RuntimeError as error:
                load.errors.append(str(error))
    seconds = time.monotonic() - ended
    found = compare(load)
    bad = sum(found.values()) or load.errors
    saw = ", ".join(f"{number}× {what}" for what, number in sorted(load.seen.items()))
    figures = f"{found['lost']:5d} {found['doubled']:8d} {found['wrong']:6d} {seconds:8.1f}"
    print(f"{name:24s} {figures}   {saw}", flush=True)
    for error in load.errors:
        print(f"    {error}", flush=True)
    return not bad


@contextmanager
def _site() -> Iterator[Site]:
    stopper = services.Stopper()
    try:
        site = Site(stopper, durable=True)
        import django

        django.setup()
        yield site
    finally:
        stopper.stop()


def main() -> int:
    """Exit status 0 if no deal was lost, doubled or wrong."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__.split("\n\n")[0])
    parser.add_argument("faults", nargs="*", choices=[[], *FAULTS], metavar="FAULT")
    parser.add_argument("--short", action="store_true", help="few deals and few faults, as CI does it")
    parser.add_argument("--deals", type=int, default=20_000, help="in all (default: 20,000)")
    arguments = parser.parse_args()
    names = arguments.faults or (SHORT if arguments.short else list(FAULTS))
    number = 400 if arguments.short else arguments.deals // len(names)
    print(f"{'fault':24s} {'lost':>5s} {'doubled':>8s} {'wrong':>6s} {'seconds':>8s}   the client saw")
    with _site() as site:
        well = [do(site, name, number, seed) for seed, name in enumerate(names)]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
