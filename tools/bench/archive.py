"""Benchmark of storing deals and checking them again. A separate site receives deals of all games through its
API. For comparison, plain COPY writes the same rows into copies of the tables, with their indexes and
constraints."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import repeat
from pathlib import Path
from typing import Any

from django.db import connection

from tools.bench import Options, cpu_seconds, files, p95, row, texts
from tools.bench.database import sizes
from tools.site import Site, measured_site

SINGLE = 80
SEED = 20261122


def stored(site: Site, inputs: Sequence[bytes]) -> float:
    """Send some files; return the seconds from the first byte to the last verdict."""
    began = time.perf_counter()
    urls = [site.send(data, timeout=600)["url"] for data in inputs]
    for url in urls:
        site.finished(url)
    return time.perf_counter() - began


def single(site: Site, number: int, seed: int) -> list[float]:
    """Send deals one by one; return the milliseconds until each verdict."""
    took = []
    for text in texts(number, seed):
        began = time.perf_counter()
        report = site.api(
            "POST", "/api/v1/deals", text.encode(), 60, Content_Type="text/plain", Prefer="wait=30"
        )
        took.append((time.perf_counter() - began) * 1e3)
        assert report["results"][0]["verdict"], report
    return took


# --- plain COPY ---------------------------------------------------------------------------------------------

TABLES = ("space", "upload", "part", "player", "session", "contribution", "deal", "seat", "uploaditem")


def copied() -> float:
    """Return the seconds that plain COPY takes to write all stored rows, in one transaction."""
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
    return cursor.fetchall()


# --- memory -------------------------------------------------------------------------------------------------


@contextmanager
def memory_of(site: Site) -> Iterator[dict[str, float]]:
    """Sample the memory usage of web server and worker while the `with` block runs. Yield for both the
    highest usage of any single process so far, in MiB."""
    most, over = {"web": 0.0, "worker": 0.0}, threading.Event()

    def sample() -> None:
        while not over.wait(0.2):
            for name in most:
                for pid in site.processes(getattr(site, name)):
                    most[name] = max(most[name], _memory(pid))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    yield most
    over.set()
    thread.join()


def _memory(pid: int) -> float:
    with suppress(OSError, IndexError):  # an ended process has no memory
        status = Path(f"/proc/{pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0]) / 1024
    return 0.0


def large(site: Site, size: int) -> None:
    """Measure the memory of web server and worker while they receive and store an upload of `size` bytes."""
    text = "\n".join(texts(400, 5)).encode() + b"\n"
    times = size // len(text)
    size, body = times * len(text), repeat(text, times)
    began = time.perf_counter()
    with memory_of(site) as memory:
        report = site.send(body, 3600, Content_Length=str(size))
        received = time.perf_counter() - began
        site.finished(report["url"], 3600)
    for name, most in memory.items():
        row(f"memory of {name} at {size / 1e6:.0f} MB, MiB", f"{most:.0f}", "250", most <= 250)
    row("  kept after, stored after", f"{received:.0f} s, {time.perf_counter() - began:.0f} s")


# --- all of it ----------------------------------------------------------------------------------------------


def report(options: Options) -> None:
    """Measure storing and checking on PostgreSQL, and print the figures."""
    number = options.deals
    with measured_site() as site:
        first = _loaded(site, number, 3000)
        plain = copied()
        row("  plain COPY of the same rows, deals a second", f"{number / plain:.0f}")
        row("  as a share of plain COPY", f"{plain / first * 100:.0f} %", "30 %", plain / first >= 0.3)
        sizes(2000)
        _again(site, number, first)
        more = files(max(20_000, number // 2), SEED + 1)
        loading = threading.Thread(target=stored, args=(site, more))
        loading.start()
        loaded = p95(single(site, SINGLE // 2, 2))
        loading.join()
        row("one deal until its verdict, loaded: p95", f"{loaded:.0f} ms", "1000 ms", loaded <= 1000)
        large(site, 10_000 * number)


def embedded(options: Options) -> None:
    """Measure storing and checking on SQLite, and print the figures."""
    with measured_site(embedded=True) as site:
        _again(site, options.deals, _loaded(site, options.deals, 1000))


def _loaded(site: Site, number: int, least: int) -> float:
    """Measure storing on the idle site, and print the figures. Return the seconds for storing the deals."""
    quiet = p95(single(site, SINGLE, 1))
    row("one deal until its verdict, quiet: p95", f"{quiet:.0f} ms", "150 ms", quiet <= 150)
    worker = site.processes(site.worker)[0]
    before = cpu_seconds(worker)
    took = stored(site, files(number, SEED))
    cpu = cpu_seconds(worker) - before
    row("deals a second", f"{number / took:.0f}", str(least), number / took >= least)
    row("  CPU of the workers, µs a deal", f"{cpu / number * 1e6:.0f}")
    return took


def _again(site: Site, number: int, first: float) -> None:
    """Send the same deals again, then verify all deals again, and print both speeds."""
    second = stored(site, files(number, SEED))
    row("the same files again, deals a second", f"{number / second:.0f}", "2×", first / second >= 2)
    began = time.perf_counter()
    site.manage("reverify", "--wait")
    took = time.perf_counter() - began
    row("verified again, deals a second", f"{number / took:.0f}", "4000", number / took >= 4000)
