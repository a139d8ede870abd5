"""`make run`: the supervisor starts everything, looks after it, and leaves nothing behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from deploy import paths, run
from tests.conformance import FILES, FOLDER
from tests.infra.programs import Done, python
from tools.site import IMPATIENT, Site, clean_environment
from tools.waiting import eventually


def groups() -> set[int]:
    """Every process group that has a living member."""
    command = ["ps", "-A", "-o", "pgid=,stat="]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    rows = (line.split() for line in listed.splitlines())
    return {int(group) for group, state in rows if not state.startswith("Z")}


def store_deals(site: Site) -> dict[str, str]:
    """Store deals of every game, whose verdicts are known; these, by digest."""
    rows = []
    for file in FILES:
        with (FOLDER / f"{file}.jsonl").open(encoding="utf-8") as lines:
            rows += [json.loads(line) for line, _ in zip(lines, range(15), strict=False)]
    rows = [row for row in rows if row["expect"].get("digest")]
    folder = site.folder.with_name("deals")
    folder.mkdir()
    (folder / "deals.tgn").write_text("\n".join(json.dumps(row["record"]) for row in rows), encoding="utf-8")
    site.manage("load_samples", "--from", str(folder))
    return {row["expect"]["digest"]: row["expect"]["verdict"] for row in rows}


def run_to_end(**environment: str) -> Done:
    """A supervisor that is expected to give up by itself."""
    return python("-m", "deploy.run", **clean_environment() | environment)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site not yet started."""
    site = Site(tmp_path / "var", "supervisor", **IMPATIENT)
    yield site
    site.stop()


@contextmanager
def left_behind(site: Site) -> Iterator[tuple[subprocess.Popen[bytes], subprocess.Popen[bytes]]]:
    """Kill the supervisor, and leave what it leaves where children are not told that their parent is gone: a
    stale socket, and a child that stayed. Give this child, and a process that has the number of another."""
    first = set(site.supervised().values())
    site.kill()
    assert eventually(lambda: not first & groups()) or not sys.platform.startswith("linux")
    paths.socket_path(site.folder).touch()
    command = [sys.executable, "-c", "import time; time.sleep(600)"]
    stayed = subprocess.Popen([*command, "celery --app deploy"], start_new_session=True)
    stranger = subprocess.Popen(command, start_new_session=True)
    note = {"name": "worker", "mark": "celery --app deploy"}
    notes = [note | {"group": process.pid} for process in (stayed, stranger)]
    (site.folder / "children.json").write_text(json.dumps(notes))
    try:
        yield stayed, stranger
    finally:
        for process in (stayed, stranger):
            process.kill()
            process.wait()


def test_everything_starts_is_looked_after_and_ends_also_after_a_kill(site: Site) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", site.port))
        taken.listen()
        site.start()
    assert f"Port {site.port} is taken" in site.output
    assert site.address != f"http://localhost:{site.port}/"
    # It is the embedded default: a database, a key nobody else can read, a socket nobody else can open.
    assert (site.folder / "archive.sqlite3").exists()
    assert (site.folder / "secret_key").stat().st_mode & 0o777 == 0o600
    assert paths.socket_path(site.folder).stat().st_mode & 0o077 == 0
    status, headers, _ = site.request("GET", "/")
    assert status == 200
    assert "'unsafe-inline'" not in headers["Content-Security-Policy"]
    # Static files are there, under names with their hash in them.
    _, _, page = site.request("GET", "/accounts/login/")
    styles = re.findall(rb'"(/static/[^"]+\.[0-9a-f]{12}\.(?:css|js))"', page)
    assert styles, page
    _, hashed, _ = site.request("GET", styles[0].decode())
    assert "immutable" in hashed["Cache-Control"]
    assert "immutable" not in site.request("GET", "/static/replays/site.css")[1]["Cache-Control"]
    # Python for the browser, by its own names: compressed, with its type, and cacheable.
    python = "/static/replays/pyodide-314.0.7/pyodide.asm.wasm"
    status, headers, body = site.request("GET", python, Accept_Encoding="gzip")
    assert (status, headers["Content-Type"], headers["Content-Encoding"]) == (200, "application/wasm", "gzip")
    assert "immutable" in headers["Cache-Control"]
    assert len(body) < 4_000_000
    # A second one in the same folder reports the first, and harms nothing.
    second = run_to_end(VAR_DIR=str(site.folder))
    assert second.returncode == 1
    assert f"already running at {site.address}" in second.stdout
    # A worker killed with all its might comes back, and so does the broker; what they had in hand is done.
    before = site.supervised()
    expected = store_deals(site)
    assert set(before) == {"broker", "worker", "web server", "sweeper"}
    os.killpg(before["worker"], signal.SIGKILL)
    os.kill(before["broker"], signal.SIGKILL)
    assert eventually(lambda: all(site.supervised()[name] != before[name] for name in ("worker", "broker")))
    assert eventually(lambda: run.broker_answers(paths.socket_path(site.folder)))
    assert "The worker was ended by SIGKILL; starting it again" in site.output
    assert before["worker"] not in groups()

    def found() -> dict[str, str]:
        listed = site.api("GET", "/api/v1/deals?limit=100")["results"]
        return {deal["digest"]: deal["verdict"] for deal in listed}

    assert eventually(lambda: found().items() >= expected.items(), 60)
    with left_behind(site) as (stayed, stranger):
        site.start()
        assert f"Ending what an earlier run left behind: worker ({stayed.pid})" in site.output
        assert stayed.wait(timeout=10) == -signal.SIGTERM
        assert stranger.poll() is None  # its number was another's once; it is not ours to end
        assert site.request("GET", "/")[0] == 200
    every = {*before.values(), *site.supervised().values()}
    process = site.supervisor.process
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=300) == 0
    assert site.output.rstrip().endswith("Stopped.")
    assert not every & groups()
    assert not paths.socket_path(site.folder).exists()


def test_what_hinders_the_start_is_said(tmp_path: Path) -> None:
    ended = run_to_end(VAR_DIR=str(tmp_path / "var"), PORT="many")
    assert ended.returncode == 1
    assert "PORT must be a number, not 'many'" in ended.stdout
