"""`python -m tools.bench [CASE …]`: run some cases, or all of them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from tools.bench import (
    Options,
    apart,
    archive,
    endings,
    engine,
    lists,
    loading,
    pages,
    release,
    streams,
    writes,
)
from tools.servers import Stopper, postgres

CASES: dict[str, tuple[str, Callable[[Options], bool | None]]] = {
    "release": (
        "CPU of the engine and of storing compared with the last release; exit status 1 above its",
        release.report,
    ),
    "engine": ("the engine; command line", engine.report),
    "endings": ("endings, by the engine's search and by the kernel", endings.report),
    "simulator": ("the simulator, with its text written", engine.simulator),
    "pages": ("replay, audit and board: server time, bytes, script time", pages.report),
    "loading": ("each type of page in Chromium: largest paint, layout shifts, kilobytes", loading.report),
    "lists": ("lists and standings on SQLite, compared with an empty page", lists.on_sqlite),
    "streams": ("streams of the API, compared with plain COPY", streams.report),
    "archive": ("storing through the API, compared with plain COPY; checking again; memory", archive.report),
    "embedded": ("storing on SQLite", archive.embedded),
    "million": ("pages and API at two sizes, the second ten times the first", lists.at_two_sizes),
    "writes": ("storing into the larger of these databases, and a campaign there", writes.report),
}
ON_SERVER = {"million", "writes"}


def main() -> int:
    """Run the cases. Return the exit status: 0, or 1 if a case exceeded its limit."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.bench",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="\n".join(f"{name:10s} {about}" for name, (about, _) in CASES.items()),
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help="default: all")
    parser.add_argument("--deals", type=int, default=100_000, help="size of the archives (default: 100,000)")
    parser.add_argument("--server", default="", help="URL of a PostgreSQL server; databases stay on it")
    arguments = parser.parse_args()
    chosen = arguments.cases or list(CASES)
    if unknown := set(chosen) - set(CASES):
        parser.error(f"no such case: {', '.join(sorted(unknown))}")
    with Stopper() as stopper:
        server = arguments.server
        if not server and ON_SERVER & set(chosen):
            server = postgres(stopper).url
        options = Options(arguments.deals, server)
        good = True
        for name in chosen:
            print(f"{name}: {CASES[name][0]}", flush=True)
            good &= apart(CASES[name][1], options) is not False
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
