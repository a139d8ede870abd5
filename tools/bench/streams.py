"""Benchmark of streaming deals through the API. A client requests all deals from a separate site as NDJSON,
TGN and CSV. For comparison, plain COPY reads the same rows from PostgreSQL, and the lines of the stream are
parsed as JSON."""

from __future__ import annotations

import http.client
import json
import time
from collections.abc import Callable
from urllib.parse import quote

from django.db import connection

from tools.bench import Options, cpu_seconds, row
from tools.bench.archive import memory_of
from tools.bench.database import fill
from tools.site import Site, measured_site

LEAST = 5000
"""Minimum number of deals per second as NDJSON."""
MORE = 60
"""How many MiB more memory a stream of all deals may use than a stream of 1,000 deals."""


def streamed(site: Site, query: str, each: Callable[[bytes], object] = len) -> float:
    """Request a list of deals, and return the seconds until its last byte. Call `each` with every piece
    received."""
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=600)
    began = time.perf_counter()
    connection.request("GET", f"/api/v1/deals?{query}", headers={"Authorization": f"Token {site.token}"})
    answer = connection.getresponse()
    assert answer.status == 200, answer.read()
    while piece := answer.read1(1 << 16):
        each(piece)
    took = time.perf_counter() - began
    connection.close()
    return took


def copied() -> float:
    """Return the seconds that plain COPY needs to read the rows of a stream."""
    rows = (
        "SELECT d.*, c.*, s.seat, s.points, p.name FROM archive_deal d"
        " JOIN archive_contribution c ON c.deal_id = d.id JOIN archive_seat s ON s.contribution_id = c.id"
        " JOIN archive_player p ON p.id = s.player_id ORDER BY d.id, c.id, s.seat"
    )
    began = time.perf_counter()
    with connection.cursor() as cursor, cursor.copy(f"COPY ({rows}) TO STDOUT") as out:
        for data in out:
            len(data)
    return time.perf_counter() - began


def measure(site: Site, number: int) -> None:
    """Measure the streams, and print the figures."""
    for _ in range(8):  # warm up: this most likely reaches each process of the web server
        streamed(site, "format=ndjson&limit=1000")
    web = site.processes(site.web)[0]
    pieces: list[bytes] = []
    with memory_of(site) as memory:
        time.sleep(1)
        before, used = memory["web"], cpu_seconds(web)
        took = streamed(site, "format=ndjson", lambda one: pieces.append(one) if len(pieces) < 400 else None)
        used = cpu_seconds(web) - used
    rate = number / took
    row("NDJSON, deals a second", f"{rate:.0f}", str(LEAST), rate >= LEAST)
    row("  CPU of the web server, µs a deal", f"{used / number * 1e6:.0f}")
    plain = copied()
    row("  plain COPY of the same rows, deals a second", f"{number / plain:.0f}")
    row("  as a share of plain COPY", f"{plain / took * 100:.0f} %")
    *lines, _rest = b"".join(pieces).split(b"\n")
    began = time.perf_counter()
    for line in lines:
        json.loads(line)
    read = (time.perf_counter() - began) / len(lines) * number
    row("  time as a multiple of reading it with json", f"{took / read:.1f}")
    more = memory["web"] - before
    row("  MiB more than for a stream of 1,000", f"{more:.0f}", str(MORE), more <= MORE)
    from archive.models import Player

    player = Player.objects.order_by("pk").values_list("name", flat=True)[0]
    for name, query in {
        "NDJSON, record and score alone": "format=ndjson&fields=id,record,score",
        "NDJSON, without records": "format=ndjson&fields=id,digest,verdict,players,score",
        "CSV": "format=csv",
        "TGN": "format=tgn",
        "NDJSON of a game": "format=ndjson&game=taroky",
        "NDJSON of a player": f"format=ndjson&player={quote(player)}",
    }.items():
        ends: list[int] = []
        took = streamed(site, query, lambda piece, ends=ends: ends.append(piece.count(b"\n")))
        found = number if name == "TGN" else sum(ends)
        row(f"{name}, deals a second", f"{found / took:.0f}")


def report(options: Options) -> None:
    """Fill a site with deals, measure its streams, and print the figures."""
    with measured_site() as site:
        from archive.models import Deal

        fill(options.deals)
        measure(site, Deal.objects.count())
