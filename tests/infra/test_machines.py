"""Several machines: web server, worker and sweeper from checkouts of their own, as users of their own, with
nothing in common but PostgreSQL and Redis; between them and PostgreSQL a pooler, where there is one."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from deploy import run
from tests.support import samples
from tools import servers
from tools.site import PROJECT, Site
from tools.waiting import eventually

pytestmark = pytest.mark.slow

USERS = {"web": 20_001, "worker": 20_002, "sweeper": 20_003}
"""Users without a name, of no group, so that each can open only what is open to all."""
CODE = ("tarock", "archive", "replays", "api", "deploy", "templates", "manage.py")


def python_for_others(place: Path) -> tuple[str, dict[str, str]] | None:
    """A Python with all packages that every user can run, and its environment; None if there is none. If ours
    lies in somebody's home, that is its files in another folder."""
    packages = sysconfig.get_path("purelib")
    if not servers.open_to_all(Path(packages)):
        return None
    base = Path(sys.base_prefix)
    if servers.open_to_all(base):
        return sys.executable, {}
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    leave = shutil.ignore_patterns("test", "site-packages", "__pycache__", "config-*")
    try:
        for inside in (f"bin/{name}", f"lib/{sysconfig.get_config_var('INSTSONAME')}"):
            if (base / inside).is_file():
                (place / inside).parent.mkdir(parents=True, exist_ok=True)
                os.link(base / inside, place / inside)
        shutil.copytree(base / "lib" / name, place / "lib" / name, ignore=leave, copy_function=os.link)
    except OSError:  # on another disk
        return None
    return str(place / "bin" / name), {"LD_LIBRARY_PATH": str(place / "lib"), "PYTHONPATH": packages}


class Machine(Site):
    """One program of a site from a checkout of its own; with a Python for others as a user of its own."""

    def __init__(
        self, folder: Path, program: str, python: tuple[str, dict[str, str]] | None, **settings: str
    ) -> None:
        super().__init__(folder / "var", program, **settings)
        self.checkout, self.user = folder / "checkout", None if python is None else USERS[program]
        if python is not None:
            self.programs[0].command[0] = python[0]
            self.environment |= python[1]
        for name in CODE:
            source = PROJECT / name
            if source.is_dir():
                leave = shutil.ignore_patterns("__pycache__", "pyodide-*")
                shutil.copytree(source, self.checkout / name, ignore=leave)
            else:
                shutil.copy2(source, self.checkout / name)
        self.programs[0].log.touch()
        if self.user is not None:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, self.user, self.user)
        folder.chmod(0o700)

    def start(self) -> None:
        (child,) = self.programs
        as_user = {} if self.user is None else {"user": self.user, "group": self.user, "extra_groups": []}
        environment = {**self.environment, "HOME": str(self.folder), "TMPDIR": str(self.folder)}
        with child.log.open("ab") as output:
            child.process = run.spawn(child.command, environment, output, self.checkout, **as_user)


def open_for_others(address: str) -> None:
    """Let other users come to the socket of a service, if it listens on one."""
    path = Path(address)
    if path.is_absolute() and path.exists():
        for folder in (path, *(parent for parent in path.parents if parent.name.startswith("tarock-test-"))):
            folder.chmod(0o711 if folder.is_dir() else 0o777)
        for socket in path.glob(".s.PGSQL.*") if path.is_dir() else ():
            socket.chmod(0o777)


@pytest.fixture
def stopper() -> Iterator[servers.Stopper]:
    stopper = servers.Stopper()
    yield stopper
    stopper.stop()


@pytest.fixture
def database(database_url: str, stopper: servers.Stopper) -> tuple[str, str | None]:
    """The database URL of the machines, and the URL of the pooler's own figures."""
    from django.db import connection

    if connection.vendor != "postgresql":
        pytest.skip("several machines need a database server")
    open_for_others(str(connection.settings_dict["HOST"]))
    pooler = servers.pooler(stopper, database_url)
    return (
        (database_url, None) if pooler is None else (pooler.url, f"{pooler.url.rpartition('/')[0]}/pgbouncer")
    )


@pytest.fixture
def machines(database: tuple[str, str | None], stopper: servers.Stopper) -> dict[str, Machine]:
    """Web server, worker and sweeper; they are running."""
    open_for_others(os.environ["REDIS_URL"].removeprefix("unix://").partition("?")[0])
    given = {name: os.environ[name] for name in ("REDIS_URL", "SECRET_KEY", "HTTPS", "NUM_PROXIES")}
    given |= {"DATABASE_URL": database[0], "DEBUG": "true", "LOG_FORMAT": "plain", "WEB_PROCESSES": "1"}
    given |= {"WORKER_PROCESSES": "1", "ARCHIVE_SWEEP_EVERY": "1", "METRICS_TOKEN": "secret"}
    found = {}
    folder = Path(tempfile.mkdtemp(prefix="tarock-machines-"))
    folder.chmod(0o711)
    python = python_for_others(folder / "python") if os.geteuid() == 0 else None
    stopper.callback(shutil.rmtree, folder, ignore_errors=True)
    for program in USERS:
        found[program] = Machine(folder / program, program, python, **given)
        stopper.callback(found[program].kill)
        found[program].start()
    assert eventually(found["web"].answers, 30), found["web"].output[-3000:]
    return found


def test_three_machines_share_nothing_but_the_services(machines: dict[str, Machine], database: Any) -> None:
    from django.contrib.auth.models import User

    from archive import tokens
    from archive.models import Part

    web = machines["web"]
    user = User.objects.create_user("anna")
    web.token = tokens.make(user, "a program", scopes=tokens.allowed(user))[1]
    # More than is held in memory, in several parts: the web server puts it into a file, the worker gets it by
    # the database.
    texts = [samples.TAROKY.replace("Alena", f"Alena {number}") for number in range(700)]
    report = web.finished(web.send("\n".join([*texts, samples.ILLEGAL_BID]).encode())["url"], 60)
    assert report["records"] == 701, report
    assert {deal["verdict"] for deal in web.api("GET", "/api/v1/deals")["results"]} == {"verified", "illegal"}
    assert Part.objects.count() > 1
    # The sweeper sends messages again that the broker loses.
    figures = web.request("GET", "/metrics", authorization="Bearer secret")[2].decode()
    assert "tarock_sweep_timestamp_seconds" in figures
    assert 'tarock_records_total{outcome="known"} 699.0' in figures
    # A list that is streamed, over several statements.
    lines = web.request("GET", "/api/v1/deals", Accept="application/x-ndjson")[2].splitlines()
    assert len(lines) == 2
    for machine in machines.values():
        owners = {path.stat().st_uid for path in machine.folder.parent.rglob("*")}
        assert owners == {os.geteuid() if machine.user is None else machine.user}
        assert "Traceback" not in machine.output, machine.output[-3000:]
    if database[1] is not None:
        with psycopg.connect(database[1], autocommit=True) as admin:
            pools = admin.execute("SHOW POOLS").fetchall()
        assert any("transaction" in row for row in pools), pools
