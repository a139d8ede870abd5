"""Benchmark of storing deals in a large archive, and of a campaign that changes nothing.

This process stores deals part by part, as a worker does. The archive grows with each round, so the figures
are medians. Nothing else may write to the server, because the benchmark counts the bytes of the server's WAL.
"""

from __future__ import annotations

import statistics
import time
from unittest import mock

from django.db import connection
from django.utils import timezone

from tools.bench import Options, cpu_seconds, row, texts
from tools.bench.database import large, site_here

ROUNDS, DEALS = 5, 3000
WRITTEN = 50.0
"""Limit in megabytes for the WAL of a campaign over a million deals that changes nothing."""


def store(deals: int, seed: int) -> tuple[float, float, float]:
    """Store deals. Return the microseconds per deal: elapsed time, CPU time of this process, CPU time of the
    database."""
    from django.contrib.auth.models import User

    from archive.storing import intake, spaces, uploads

    now = f"{timezone.now():%Y%m%d%H%M%S%f}"
    space = spaces.found_club(f"Bench {now}", by=User.objects.create_user(f"bench{now}"))
    upload = uploads.receive(["\n".join(texts(deals, seed)).encode()], limit=10**9, space=space, send=False)
    parts = list(upload.parts.values_list("pk", flat=True))
    database = connection.connection.info.backend_pid
    began, cpu, beside = time.perf_counter(), time.process_time(), cpu_seconds(database)
    for pk in parts:
        intake.store(pk)
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    return took / deals * 1e6, cpu / deals * 1e6, (cpu_seconds(database) - beside) / deals * 1e6


def campaign(ids: int) -> tuple[int, int, float]:
    """Check about `ids` deals again; return the exact number, the bytes of WAL, and the seconds."""
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


def report(options: Options) -> None:
    """Measure storing and a campaign in the larger of the two large databases, and print the figures."""
    with site_here(large(options.server, 10 * options.deals)):
        from archive.models import Deal

        there, seed = Deal.objects.count(), int(time.time())
        rounds = [store(DEALS, seed + number) for number in range(ROUNDS)]
        middle = [statistics.median(column) for column in zip(*rounds, strict=True)]
        row(f"a deal stored, with {there} there", "{:.0f} µs, CPU {:.0f} + {:.0f}".format(*middle))
        checked, logged, took = campaign(options.deals)
        of_million = logged / checked  # bytes per deal are megabytes per million
        name = f"{checked} deals verified again in {took:.0f} s; of a million it logs"
        row(name, f"{of_million:.1f} MB", f"{WRITTEN:.0f} MB", of_million <= WRITTEN)
