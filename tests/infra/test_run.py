"""`make run`: the supervisor starts everything, looks after it, and leaves nothing behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy import paths, run

PROJECT = Path(__file__).resolve().parent.parent.parent
ADDRESS = re.compile(r"The tarock archive is at\s+(http://localhost:(\d+)/)")

# The environment of somebody who has set nothing.
UNSET = {
    *("DATABASE_URL", "REDIS_URL", "CACHE_URL", "SECRET_KEY", "HTTPS", "DEBUG", "VAR_DIR", "NUM_PROXIES"),
    *("HOST", "DJANGO_SETTINGS_MODULE", "LOG_FORMAT", "STATIC_ROOT"),
}
CLEAN = {name: value for name, value in os.environ.items() if name not in UNSET}


def eventually(true: Callable[[], object], seconds: float = 30) -> bool:
    """Whether it becomes true within the time."""
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.1)
    return True


def groups() -> set[int]:
    """Every process group that has a living member."""
    listed = subprocess.run(
        ["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True
    ).stdout
    rows = (line.split() for line in listed.splitlines())
    return {int(group) for group, state in rows if not state.startswith("Z")}


class Site:
    """A supervisor with a `var` of its own."""

    def __init__(self, var: Path, port: int) -> None:
        self.var, self.port = var, port
        self.environment = {
            **CLEAN,
            "VAR_DIR": str(var),
            "PORT": str(port),
            "WORKER_PROCESSES": "1",
            # Nobody wants to wait as long as on a real site for what is lost with a killed worker.
            "ARCHIVE_SWEEP_EVERY": "1",
            "ARCHIVE_LEASE_SECONDS": "3",
        }
        self.output = var.with_name("output")

    def start(self) -> str:
        """Start it; what it says up to its address."""
        with self.output.open("wb") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "deploy.run"],
                cwd=PROJECT,
                env=self.environment,
                stdout=output,
                stderr=output,
            )
        eventually(lambda: ADDRESS.search(self.said) or self.process.poll() is not None, 120)
        found = ADDRESS.search(self.said)
        assert found, self.said
        self.address = found[1]
        return self.said

    @property
    def said(self) -> str:
        """All it has said since it was started."""
        return self.output.read_text(encoding="utf-8")

    def children(self) -> dict[str, int]:
        """Name and process number of each child."""
        notes = json.loads((self.var / "children.json").read_text())
        return {note["name"]: note["group"] for note in notes}

    def get(self, path: str) -> tuple[int, dict[str, str], bytes]:
        """One request: status, headers, body."""
        with urllib.request.urlopen(self.address + path, timeout=20) as answer:
            return answer.status, dict(answer.headers), answer.read()

    def deals(self, query: str) -> list[dict[str, Any]]:
        """The first page of a list of deals."""
        found: list[dict[str, Any]] = json.loads(self.get(f"api/v1/deals{query}")[2])["results"]
        return found

    def end(self) -> None:
        """After a failed test, too, nothing may stay."""
        if self.process.poll() is None:
            self.process.terminate()
            self.process.wait(timeout=60)


def store_deals(site: Site) -> dict[str, str]:
    """Store deals of every game, whose verdicts are known; these, by digest."""
    rows = []
    for file in sorted((PROJECT / "tests" / "conformance").glob("*.jsonl")):
        with file.open(encoding="utf-8") as lines:
            rows += [json.loads(line) for line, _ in zip(lines, range(15), strict=False)]
    rows = [row for row in rows if row["expect"].get("digest")]
    folder = site.var.with_name("deals")
    folder.mkdir()
    (folder / "deals.tgn").write_text("\n".join(json.dumps(row["record"]) for row in rows), encoding="utf-8")
    command = [sys.executable, "manage.py", "load_samples", "--from", str(folder)]
    subprocess.run(command, cwd=PROJECT, env=site.environment, check=True, capture_output=True)
    return {row["expect"]["digest"]: row["expect"]["verdict"] for row in rows}


def run_to_end(environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """A supervisor that is expected to give up by itself."""
    return subprocess.run(
        [sys.executable, "-m", "deploy.run"],
        cwd=PROJECT,
        env={**CLEAN, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site not yet started."""
    site = Site(tmp_path / "var", free_port())
    yield site
    if hasattr(site, "process"):
        site.end()


def test_everything_starts_is_looked_after_and_ends(site: Site) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", site.port))
        taken.listen()
        said = site.start()
    assert f"Port {site.port} is taken" in said
    assert site.address != f"http://localhost:{site.port}/"

    # It is the embedded default: a database, a key nobody else can read, a socket nobody else can open.
    assert (site.var / "archive.sqlite3").exists()
    assert (site.var / "secret_key").stat().st_mode & 0o777 == 0o600
    assert paths.socket_path(site.var).stat().st_mode & 0o077 == 0
    status, headers, _ = site.get("")
    assert status == 200
    assert "'unsafe-inline'" not in headers["Content-Security-Policy"]
    # Static files are there, under names with their hash in them.
    _, _, page = site.get("accounts/login/")
    styles = re.findall(rb'"/(static/[^"]+\.[0-9a-f]{12}\.(?:css|js))"', page)
    assert styles, page
    assert site.get(styles[0].decode())[0] == 200

    # A second one with the same folder is told so, and harms nothing.
    second = run_to_end({"VAR_DIR": str(site.var)})
    assert second.returncode == 1
    assert f"already running at {site.address}" in second.stdout

    # A worker killed with all its might comes back, and so does the broker; what they had in hand is done.
    before = site.children()
    expected = store_deals(site)
    assert set(before) == {"broker", "worker", "web server", "sweeper"}
    os.killpg(before["worker"], signal.SIGKILL)
    os.kill(before["broker"], signal.SIGKILL)
    assert eventually(lambda: all(site.children()[name] != before[name] for name in ("worker", "broker")))
    assert eventually(lambda: run.broker_answers(paths.socket_path(site.var)))
    assert "The worker was ended by SIGKILL; starting it again" in site.said
    assert before["worker"] not in groups()

    def found() -> dict[str, str]:
        return {deal["digest"]: deal["verdict"] for deal in site.deals("?limit=100")}

    assert eventually(lambda: found().items() >= expected.items(), 60)

    every = {*before.values(), *site.children().values()}
    site.process.send_signal(signal.SIGINT)
    assert site.process.wait(timeout=60) == 0
    assert site.said.rstrip().endswith("Stopped.")
    assert not every & groups()
    assert not paths.socket_path(site.var).exists()


def test_a_killed_supervisor_leaves_nothing_that_hinders_the_next(site: Site) -> None:
    site.start()
    first = set(site.children().values())
    site.process.kill()
    site.process.wait()
    # As where children are not told that their parent is gone: a stale socket, and a child that stayed.
    assert eventually(lambda: not first & groups()) or not sys.platform.startswith("linux")
    paths.socket_path(site.var).touch()
    stayed = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(300)", "celery --app deploy"], start_new_session=True
    )
    stranger = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(300)"], start_new_session=True
    )
    notes = [
        {"name": "worker", "group": stayed.pid, "mark": "celery --app deploy"},
        {"name": "worker", "group": stranger.pid, "mark": "celery --app deploy"},
    ]
    (site.var / "children.json").write_text(json.dumps(notes))
    try:
        said = site.start()
        assert f"Ending what an earlier run left behind: worker ({stayed.pid})" in said
        assert stayed.wait(timeout=10) == -signal.SIGTERM
        assert stranger.poll() is None  # its number was another's once; it is not ours to end
        assert site.get("")[0] == 200
    finally:
        for process in (stayed, stranger):
            process.kill()
            process.wait()


def test_what_hinders_the_start_is_said(tmp_path: Path) -> None:
    ended = run_to_end({"VAR_DIR": str(tmp_path / "var"), "PORT": "many"})
    assert ended.returncode == 1
    assert "PORT must be a number, not 'many'" in ended.stdout
