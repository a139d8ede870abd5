"""`make faults`: cause faults in a running site, and check whether any deal is lost, stored twice or wrong.

    python -m tools.faults [--short] [FAULT …]

While clients send files of deals to a separate site (PostgreSQL that keeps its commits, Redis, web server,
two worker processes, sweeper), the program causes a fault. The clients repeat requests that fail. Afterwards
every accepted deal must be stored exactly once, with the verdict, score and finding that the engine computes.

For each fault, the program prints the numbers of lost, doubled (stored twice) and wrong deals, the seconds
from the end of the fault until everything was stored, and the responses that the clients got. The exit status
is 0 if no deal was lost, doubled or wrong.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable

from tools.faults import clients, programs, services
from tools.faults.load import PATIENCE, Load, compare, deals
from tools.site import Site, measured_site

FAULTS: dict[str, Callable[[Site, Load], None]] = {
    name.replace("_", "-"): function
    for module in (clients, programs, services)
    for name, function in vars(module).items()
    if getattr(function, "__module__", "") == module.__name__ and not name.startswith("_")
}
"""Public functions of these modules, by their names with hyphens instead of underscores."""

SHORT = (
    "all-workers-dead",
    "redis-lost",
    "redis-hangs",
    "full-redis",
    "database-stopped",
    "body-broken-off",
    "worker-frozen",
)
"""The faults that CI runs. Killed processes of a worker are in its test."""


def do(site: Site, name: str, number: int, seed: int) -> bool:
    """Cause one fault under load, and print the result; return whether everything is correct."""
    texts = deals(number, seed)
    size = max(1, len(texts) // 10)
    load = Load(site, ["\n".join(texts[at : at + size]).encode() for at in range(0, len(texts), size)])
    threads = load.run()
    time.sleep(0.3)
    FAULTS[name](site, load)
    ended = time.monotonic()
    for thread in threads:
        thread.join()
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


def main() -> int:
    """Run the faults. Return exit status 0 if no deal was lost, stored twice or wrong, else 1."""
    parser = argparse.ArgumentParser(prog="python -m tools.faults", description=__doc__.split("\n\n")[0])
    parser.add_argument("faults", nargs="*", choices=[[], *FAULTS], metavar="FAULT")
    parser.add_argument("--short", action="store_true", help="few deals and few faults, as CI does it")
    parser.add_argument("--deals", type=int, default=20_000, help="in all (default: 20,000)")
    arguments = parser.parse_args()
    names = arguments.faults or (SHORT if arguments.short else list(FAULTS))
    number = 400 if arguments.short else arguments.deals // len(names)
    print(f"{'fault':24s} {'lost':>5s} {'doubled':>8s} {'wrong':>6s} {'seconds':>8s}   the client saw")
    with measured_site(durable=True) as site:
        # Wait until the worker is ready, because a worker exits if one of its processes is killed during its
        # start.
        site.finished(site.send(deals(1, len(names))[0].encode())["url"], PATIENCE)
        well = [do(site, name, number, seed) for seed, name in enumerate(names)]
    return 0 if all(well) else 1


if __name__ == "__main__":
    sys.exit(main())
