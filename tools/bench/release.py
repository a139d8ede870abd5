"""Benchmark of the CPU time of this revision relative to the last release.

The release is checked out into a temporary worktree and runs with the packages of this environment. Both
revisions alternately read, check and score the same files (`tarock verify --json`), and store them on a site.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tarock.games import games
from tools import servers
from tools.bench import Options, command_seconds, cpu_seconds, row
from tools.bench.archive import stored
from tools.site import PROJECT, WITHOUT_LIMITS, Site, clean_environment

LAST_RELEASE = "90e1169dfec38c975e90e5eee5808a4b20abecf1"
"""Commit of the last release."""
MOST_ENGINE, MOST_STORING = 1.00, 1.15
"""Limits for the CPU time per deal, in the engine and for storing, as multiples of the release's times."""


@contextmanager
def worktree(commit: str) -> Iterator[Path]:
    """Check out a commit into a new folder, yield the folder, and remove it at the end."""
    git = ["git", "-C", str(PROJECT), "worktree"]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder, "release")
        subprocess.run([*git, "add", "--quiet", "--detach", str(root), commit], check=True)
        try:
            yield root
        finally:
            subprocess.run([*git, "remove", "--force", str(root)], check=True)


def imports_from(root: Path) -> dict[str, str]:
    """Return environment variables that make Python import the project's modules from this folder."""
    return {"PYTHONPATH": str(root), "PYTHONSAFEPATH": "1"}


def simulated(root: Path, folder: Path, deals: int) -> list[Path]:
    """Simulate deals with the revision in `root`; return the files, one for each game."""
    written = []
    for info in games():
        written.append(folder / f"{info.id}.tgn")
        players = info.seats[len(info.seats) // 2]
        command = [sys.executable, "-m", "tarock", "simulate", info.id, "--players", str(players)]
        command += ["--deals", str(deals), "--seed", "9"]
        with written[-1].open("w") as file:
            subprocess.run(command, env=clean_environment() | imports_from(root), stdout=file, check=True)
    return written


def engine(roots: tuple[Path, Path], file: Path, rounds: int) -> list[float]:
    """Return the CPU seconds that each revision needs to check and score a file: the minimum of several
    rounds."""
    best = [float("inf")] * len(roots)
    for _ in range(rounds):
        for i, root in enumerate(roots):
            environment = clean_environment() | imports_from(root)
            seconds = command_seconds(environment, "tarock", "verify", "--json", str(file))
            best[i] = min(best[i], seconds)
    return best


def storing(root: Path, files: list[Path]) -> float:
    """Return the CPU seconds that a site and its PostgreSQL take to store some files."""
    with servers.Stopper() as stopper:
        postgres, redis = servers.postgres(stopper), servers.redis_server(stopper)
        urls = {"DATABASE_URL": postgres.url, "REDIS_URL": redis.url, "LOAD_SAMPLES": "false"}
        settings = WITHOUT_LIMITS | urls | imports_from(root)
        site = Site(servers.scratch(stopper), "supervisor", root=root, **settings)
        stopper.callback(site.stop)
        site.start()
        site.make_user()
        measured = [child.process.pid for child in (site.supervisor, postgres) if child.process]
        before = sum(map(cpu_seconds, measured))
        stored(site, [file.read_bytes() for file in files])
        return sum(map(cpu_seconds, measured)) - before


def report(options: Options, deals: int = 3000, rounds: int = 5) -> bool:
    """Print the ratios of our CPU times to the release's; return whether all are within their limits."""
    good = True
    with worktree(LAST_RELEASE) as there, tempfile.TemporaryDirectory() as folder:
        roots = there, PROJECT
        files = simulated(there, Path(folder), deals)
        for file in files:
            good &= compare(file.stem, engine(roots, file, rounds), deals, MOST_ENGINE)
        turns = [[storing(root, files) for root in roots] for _ in range(2)]
        seconds = [sum(column) / len(turns) for column in zip(*turns, strict=True)]
        good &= compare("storing", seconds, deals * len(files), MOST_STORING)
    return good


def compare(name: str, seconds: list[float], deals: int, most: float) -> bool:
    """Print the ratio of our CPU time to the release's; return whether the ratio is within its limit."""
    release, ours = (each / deals * 1e6 for each in seconds)
    ratio = ours / release
    figure = f"{ours:.0f} / {release:.0f} µs = {ratio:.2f}"
    row(f"{name}: CPU of a deal, here / last release", figure, f"≤ {most:.2f}", ratio <= most)
    return ratio <= most
