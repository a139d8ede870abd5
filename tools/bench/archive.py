"""How fast the archive takes in, gives verdicts and verifies anew, on real processes.

    python -m tools.bench.archive [--deals 100000] [--embedded]

A site of its own (`tools.site`: web server, two worker processes, sweeper, PostgreSQL, Redis) is sent deals
of all games by its API. Beside it, in the same run, the same rows go by plain COPY into the same tables, with
their indexes and constraints; take the ratio.
"""

from __future__ import annotations

import argparse
import cProfile
import os
import pstats
import statistics
import tempfile
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.db import connection

from deploy import run
from tarock.games import games
from tarock.notation import write_text
from tarock.simulate import simulate
from tools.bench import row
from tools.site import Site, measured_site

FILE = 20_000
SINGLE = 80
SEED = 20261122


def texts(number: int, seed: int = SEED) -> list[str]:
    """Deals of all games in equal parts, as text."""
    each = -(-number // len(games()))
    made = [
        [write_text(r) for r in simulate(info.id, players=info.seats[0], deals=each, seed=seed)]
        for info in games()
    ]
    return [text for four in zip(*made, strict=True) for text in four][:number]


def files(number: int, seed: int = SEED) -> list[bytes]:
    """Deals of all games in files of `FILE`."""
    deals = texts(number, seed)
    return ["\n".join(deals[at : at + FILE]).encode() for at in range(0, number, FILE)]


def stored(site: Site, inputs: Sequence[bytes]) -> float:
    """Seconds from the first byte of some files to the last verdict."""
    began = time.perf_counter()
    urls = [site.send(data, timeout=600)["url"] for data in inputs]
    for url in urls:
        site.finished(url)
    return time.perf_counter() - began


def single(site: Site, number: int, seed: int) -> list[float]:
    """Seconds that deals sent one by one took to their verdicts."""
    took = []
    for text in texts(number, seed):
        began = time.perf_counter()
        report = site.api(
            "POST", "/api/v1/deals", text.encode(), 60, Content_Type="text/plain", Prefer="wait=30"
        )
        took.append(time.perf_counter() - began)
        assert report["results"][0]["verdict"], report
    return took


def p95(values: list[float]) -> float:
    """The time that 95 of 100 stay within, in ms."""
    return statistics.quantiles(values, n=20)[-1] * 1000


# --- plain COPY ---------------------------------------------------------------------------------------------

TABLES = ("space", "upload", "part", "player", "session", "contribution", "deal", "seat", "uploaditem")


def copied() -> float:
    """Seconds that plain COPY takes for the rows that are there, into tables of the same form, indexes and
    constraints included: one connection, one transaction."""
    with tempfile.TemporaryDirectory() as folder, connection.cursor() as cursor:
        for table in TABLES:
            with (
                (Path(folder) / table).open("wb") as file,
                cursor.copy(f"COPY archive_{table} TO STDOUT") as out,
            ):
                for data in out:
                    file.write(data)
        cursor.execute("DROP SCHEMA IF EXISTS beside CASCADE; CREATE SCHEMA beside")
        for table in TABLES:
            cursor.execute(f"CREATE TABLE beside.archive_{table} (LIKE public.archive_{table} INCLUDING ALL)")
        for name, table, definition in _foreign_keys(cursor):
            there = definition.replace("REFERENCES archive_", "REFERENCES beside.archive_")
            cursor.execute(f'ALTER TABLE beside.{table} ADD CONSTRAINT "{name}" {there}')
        began = time.perf_counter()
        cursor.execute("BEGIN")
        for table in TABLES:
            with (
                (Path(folder) / table).open("rb") as file,
                cursor.copy(f"COPY beside.archive_{table} FROM STDIN") as copy,
            ):
                while data := file.read(65536):
                    copy.write(data)
        cursor.execute("COMMIT")
        took = time.perf_counter() - began
        cursor.execute("DROP SCHEMA beside CASCADE")
    return took


def _foreign_keys(cursor: Any) -> list[tuple[str, str, str]]:
    cursor.execute(
        "SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE contype = 'f' AND conrelid::regclass::text = ANY(%s)",
        [[f"archive_{table}" for table in TABLES]],
    )
    found: list[tuple[str, str, str]] = cursor.fetchall()
    return found


def sizes() -> None:
    """Bytes a deal takes, table by table."""
    from archive.models import Deal

    number, total = Deal.objects.count(), 0.0
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", [f"archive_{table}"] * 2)
            heap, indexes = cursor.fetchone()
            total += heap + indexes
            row(f"bytes a deal: {table}, table / indexes", f"{heap / number:.0f} / {indexes / number:.0f}")
    row("bytes a deal in all", f"{total / number:.0f}", "2000", total / number <= 2000)


# --- memory -------------------------------------------------------------------------------------------------


class Memory(threading.Thread):
    """The most memory that any process of some programs takes, in MiB, sampled while it runs."""

    def __init__(self, site: Site) -> None:
        super().__init__(daemon=True)
        self.site, self.over = site, threading.Event()
        self.most = {"web": 0.0, "worker": 0.0}

    def run(self) -> None:
        """Samples until it is over."""
        while not self.over.wait(0.2):
            for name in self.most:
                for pid in self.site.processes(getattr(self.site, name)):
                    self.most[name] = max(self.most[name], _memory(pid))


def _memory(pid: int) -> float:
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS")), 0.0)


class Repeated:
    """A file of many bytes: the same deals again and again; read by who sends it."""

    def __init__(self, text: bytes, size: int) -> None:
        self.text, self.left = text, size // len(text)
        self.size = self.left * len(text)
        self.rest = b""

    def __len__(self) -> int:
        return self.size

    def read(self, number: int = -1) -> bytes:
        """The next bytes."""
        while len(self.rest) < number and self.left:
            self.rest += self.text
            self.left -= 1
        data, self.rest = self.rest[:number], self.rest[number:]
        return data


def large(site: Site, size: int) -> None:
    """The memory of web server and worker while an upload of `size` bytes comes in and is stored."""
    memory = Memory(site)
    memory.start()
    body = Repeated("\n".join(texts(400, 5)).encode() + b"\n", size)
    began = time.perf_counter()
    report = site.api(
        "POST", "/api/v1/uploads", body, 3600, Content_Type="text/plain", Content_Length=str(len(body))
    )
    received = time.perf_counter() - began
    site.finished(report["url"], 3600)
    memory.over.set()
    memory.join()
    for name, most in memory.most.items():
        row(f"memory of {name} at {len(body) / 1e6:.0f} MB, MiB", f"{most:.0f}", "250", most <= 250)
    row("  kept after, stored after", f"{received:.0f} s, {time.perf_counter() - began:.0f} s")


# --- where the time goes ------------------------------------------------------------------------------------

SHARES = {
    "engine: reading": ("tarock/notation/reader.py", "read_piece"),
    "engine: checking": ("tarock/verify.py", "check"),
    "bare text": ("archive/storing/verdicts.py", "deal_json"),
    "sheet": ("archive/packed_sheets.py", "pack"),
    "packing": ("archive/fields.py", "packed"),
    "psycopg": ("psycopg/", ""),
    "Django's ORM": ("django/db/models/query.py", "_fetch_all"),
}


def profile(number: int = 2000) -> None:
    """Where a worker's time goes while it stores parts: shares of the whole, in this process."""
    from archive.storing import intake, uploads

    upload = uploads.receive(["\n".join(texts(number, 77)).encode()], limit=10**9, send=False)
    parts = list(upload.parts.values_list("pk", flat=True))
    profiler = cProfile.Profile()
    began = time.process_time()
    profiler.enable()
    for pk in parts:
        intake.store(pk)
    profiler.disable()
    whole = time.process_time() - began
    stats = pstats.Stats(profiler)
    total = stats.total_tt  # type: ignore[attr-defined]
    row("a worker's profile, µs a deal (slowed by the profiler)", f"{whole / number * 1e6:.0f}")
    functions: dict[tuple[str, int, str], Any] = stats.stats  # type: ignore[attr-defined]
    for name, (file, function) in SHARES.items():
        if function:
            share = sum(row[3] for at, row in functions.items() if file in at[0] and at[2] == function)
        else:
            share = sum(row[2] for at, row in functions.items() if file in at[0])
        row(f"  {name}", f"{share / total * 100:.0f} %")


def cpu_seconds(site: Site, child: run.Child) -> float:
    """CPU seconds that the processes of a program have taken so far."""
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0.0
    for pid in site.processes(child):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        total += (int(fields[11]) + int(fields[12])) / ticks
    return total


# --- all of it ----------------------------------------------------------------------------------------------


def report(number: int = 100_000, embedded: bool = False, large_bytes: int = 1_000_000_000) -> None:
    """Prints all the figures."""
    with measured_site(embedded=embedded) as site:
        _report(site, number, embedded, large_bytes)


def _report(site: Site, number: int, embedded: bool, large_bytes: int) -> None:
    kind = "SQLite" if embedded else "PostgreSQL"
    quiet = single(site, SINGLE, 1)
    row("one deal until its verdict, quiet: p95", f"{p95(quiet):.0f} ms", "150 ms", p95(quiet) <= 150)
    inputs = files(number)
    before = cpu_seconds(site, site.worker)
    first = stored(site, inputs)
    cpu = cpu_seconds(site, site.worker) - before
    least = 1000 if embedded else 3000
    row(f"{kind}: deals a second", f"{number / first:.0f}", str(least), number / first >= least)
    row("  CPU of the workers, µs a deal", f"{cpu / number * 1e6:.0f}")
    if not embedded:
        plain = copied()
        row("  plain COPY of the same rows, deals a second", f"{number / plain:.0f}")
        row("  so much of plain COPY", f"{plain / first * 100:.0f} %", "30 %", plain / first >= 0.3)
        sizes()
    second = stored(site, inputs)
    row("the same files again, deals a second", f"{number / second:.0f}", "2×", first / second >= 2)
    began = time.perf_counter()
    site.manage("reverify", "--wait")
    took = time.perf_counter() - began
    row("verified anew, deals a second", f"{number / took:.0f}", "4000", number / took >= 4000)
    if embedded:
        return
    more = files(max(FILE, number // 2), SEED + 1)
    loading = threading.Thread(target=stored, args=(site, more))
    loading.start()
    loaded = single(site, SINGLE // 2, 2)
    loading.join()
    row("one deal until its verdict, loaded: p95", f"{p95(loaded):.0f} ms", "1000 ms", p95(loaded) <= 1000)
    profile()
    large(site, large_bytes)


def main() -> None:
    """Prints all the figures of one back end."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.archive")
    parser.add_argument("--deals", type=int, default=100_000)
    parser.add_argument("--embedded", action="store_true", help="on SQLite")
    parser.add_argument("--large", type=int, default=1_000_000_000, help="bytes of the large upload")
    arguments = parser.parse_args()
    report(arguments.deals, arguments.embedded, arguments.large)


if __name__ == "__main__":
    main()
