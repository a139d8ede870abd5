"""What storing costs in an archive of many deals, and what a campaign writes that finds the same answers.

    python -m tools.bench.writes --database URL [--rounds 5] [--deals 3000] [--campaign 100000]

Deals are stored in this process, part by part, as a worker stores them; more each round, so take the middle
one. Of the campaign so many ids of deals are verified, and the bytes counted that the server logs: nothing
else may write there meanwhile.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path
from unittest import mock

from django.db import connection
from django.utils import timezone

from tools.bench import pages, row
from tools.bench.archive import texts

WRITTEN = 50.0
"""Megabytes that a campaign over a million deals may log where nothing has changed."""


def store(deals: int, seed: int) -> tuple[float, float, float]:
    """Microseconds that a deal takes to be stored: in all; of processor in this process; of processor in the
    database's."""
    from django.contrib.auth.models import User

    from archive.storing import intake, spaces, uploads

    now = f"{timezone.now():%Y%m%d%H%M%S%f}"
    space = spaces.found_club(f"Bench {now}", by=User.objects.create_user(f"bench{now}"))
    upload = uploads.receive(["\n".join(texts(deals, seed)).encode()], limit=10**9, space=space, send=False)
    parts = list(upload.parts.values_list("pk", flat=True))
    began, cpu, beside = time.perf_counter(), time.process_time(), _cpu_of_database()
    for pk in parts:
        intake.store(pk)
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    return took / deals * 1e6, cpu / deals * 1e6, (_cpu_of_database() - beside) / deals * 1e6


def _cpu_of_database() -> float:
    """Seconds that the process behind this connection has used, where it is on this machine; else 0."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        (pid,) = cursor.fetchone()
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def campaign(ids: int) -> tuple[int, int, float]:
    """Verify about so many deals anew: how many it were, the bytes that were logged, seconds."""
    from archive.models import Chunk
    from archive.storing import campaigns

    with mock.patch("archive.storing.queue.send"):
        started = campaigns.start()
        chunks = list(started.chunks.order_by("first").values_list("pk", flat=True)[: ids // Chunk.MOST_IDS])
        before, began = _logged(), time.perf_counter()
        done = [campaigns.verify_chunk(pk) for pk in chunks]
        logged, took = _logged() - before, time.perf_counter() - began
        campaigns.stop(started)
    checked = sum(chunk.checked for chunk in Chunk.objects.filter(pk__in=[one.pk for one in done if one]))
    return checked, logged, took


def _logged() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_current_wal_lsn() - '0/0'")
        return int(cursor.fetchone()[0])


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.writes")
    parser.add_argument("--database", required=True)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--campaign", type=int, default=0)
    arguments = parser.parse_args()
    with pages.site_here(arguments.database):
        from archive.models import Deal

        there = Deal.objects.count()
        seed = int(time.time())
        rounds = [store(arguments.deals, seed + number) for number in range(arguments.rounds)]
        if rounds:
            middle = [statistics.median(column) for column in zip(*rounds, strict=True)]
            row(f"a deal stored, with {there} there", "{:.0f} µs, CPU {:.0f} + {:.0f}".format(*middle))
        if arguments.campaign:
            checked, logged, took = campaign(arguments.campaign)
            of_million = logged / checked  # bytes a deal are megabytes of a million
            row(
                f"{checked} deals verified anew in {took:.0f} s; of a million it logs",
                f"{of_million:.1f} MB",
                f"{WRITTEN:.0f} MB",
                of_million <= WRITTEN,
            )


if __name__ == "__main__":
    main()
