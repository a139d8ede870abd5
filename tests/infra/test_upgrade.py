"""An upgrade as docs/operations.md describes it: on the right database, without a failed request."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import socket
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import urllib3

from deploy import metrics_folder, probes
from tests.infra.programs import python, run
from tools.site import PROJECT, clean_environment
from tools.waiting import eventually

UPGRADE = "deploy/systemd/upgrade"


COMMANDS = """
import sys
from django.core.management import execute_from_command_line
statuses = []
for command in sys.argv[1:]:
    try:
        statuses.append(execute_from_command_line(["manage.py", *command.split()]) or 0)
    except SystemExit as ended:
        statuses.append(ended.code)
print(*statuses)
"""
"""A program that runs several commands, one after the other, and prints their exit statuses at the end."""


def run_all(folder: Path, *commands: str) -> tuple[str, str]:
    """Run commands on the archive in a folder; return their exit statuses and what they say of errors."""
    own = {"VAR_DIR": str(folder), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    done = python("-c", COMMANDS, *commands, **own)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1], done.stderr


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of an embedded database, which `make run` creates and commands fill."""
    file = tmp_path_factory.mktemp("archive") / "archive.sqlite3"
    file.touch()
    statuses, errors = run_all(file.parent, "migrate --noinput", "sweep")
    assert statuses == "0 0", errors
    return file


def test_commands_need_an_embedded_database_or_none_and_make_none(tmp_path: Path, archive: Path) -> None:
    without = ["makemigrations --check", "check"]
    user = "createsuperuser --noinput --username=anna --email=anna@example.org"
    need = ["migrate --noinput", "sweep", "statistics --check", "load_samples", user]
    statuses, errors = run_all(tmp_path, *without, *need)
    assert statuses == "0 0 1 1 1 1 1"
    refused = [line for line in errors.splitlines() if line.startswith("NoDatabase: ")]
    assert len(refused) == len(need)
    for line in refused:
        assert "There is no database: DATABASE_URL is not set" in line
        assert "start `make run` once" in line
    assert "Traceback" not in errors
    assert not list(tmp_path.glob("*.sqlite3*"))


def test_a_site_without_its_static_files_is_not_ready(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from whitenoise.storage import CompressedManifestStaticFilesStorage as Storage

    storage = Storage(location=tmp_path, base_url="/static/")
    monkeypatch.setattr(probes, "staticfiles_storage", storage)
    answer = probes._StaticFiles()
    assert answer().startswith("not collected: ")
    own = [path for finder in probes.finders.get_finders() for path, _ in finder.list(["CVS", ".*", "*~"])]
    storage.hashed_files = dict.fromkeys(own[1:], "")
    assert answer() == f"not collected: {own[0]} (of 1); run collectstatic, then restart"
    storage.hashed_files[own[0]] = ""
    assert answer() == "ok"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository in `origin`, a clone of it in `srv`, and programs that only note how they are called."""
    origin, programs = tmp_path / "origin", tmp_path / "bin"
    for name in (UPGRADE, "deploy/gunicorn_conf.py", "deploy/requirements/run.txt", "deploy/urls.py"):
        (origin / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(PROJECT / name, origin / name)
    programs.mkdir()
    for name in ("make", "systemctl"):
        (programs / name).write_text(
            f'#!/bin/sh\necho {name} "$@" >>{tmp_path}/calls\n'
            f'[ "$*" != "start tarock-migrate" ] || exit $(cat {tmp_path}/status)\n'
        )
        (programs / name).chmod(0o755)
    (tmp_path / "status").write_text("0")
    for command in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "one"]):
        git(origin, *command)
    git(tmp_path, "clone", "-q", "origin", "srv")
    return tmp_path


def git(folder: Path, *arguments: str) -> None:
    who = ["-c", "user.name=test", "-c", "user.email=test@example.org"]
    done = run("git", *who, *arguments, folder=folder, HOME=str(folder))
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("changed", "status", "expected"),
    [
        ("deploy/urls.py", "0", "reload"), ("deploy/gunicorn_conf.py", "0", "restart"),
        ("deploy/requirements/run.txt", "0", "restart"), ("deploy/urls.py", "1", ""),
    ],
)  # fmt: skip
def test_the_upgrade_restarts_what_a_reload_would_not_replace(
    checkout: Path, changed: str, status: str, expected: str
) -> None:
    (checkout / "status").write_text(status)
    file = checkout / "origin" / changed
    file.write_text(file.read_text() + "# a change\n")
    git(checkout / "origin", "commit", "-qam", "two")
    path = f"{checkout / 'bin'}:{os.environ['PATH']}"
    done = run("sh", str(checkout / "srv" / UPGRADE), str(checkout / "srv"), folder=checkout, PATH=path)
    assert (done.returncode == 0) == (status == "0"), done.stderr
    words = ["daemon-reload", "start tarock-migrate"]
    if expected:
        words += [f"{expected} tarock-web", "restart tarock-worker tarock-sweeper"]
    calls = (checkout / "calls").read_text().splitlines()
    assert calls == ["make .venv", *(f"systemctl {word}" for word in words)]
    assert (checkout / "srv" / changed).read_text().endswith("# a change\n")


def test_every_unit_has_the_same_environment() -> None:
    for unit in (PROJECT / "deploy" / "systemd").glob("*.service"):
        text = unit.read_text()
        shared = text.index("EnvironmentFile=/srv/tarock/deploy/systemd/paths.env")
        assert shared < text.index("EnvironmentFile=/etc/tarock/env"), unit.name
        assert "VAR_DIR=" not in text, unit.name


def test_a_unit_that_failed_is_reported(tmp_path: Path, archive: Path) -> None:
    unit = (PROJECT / "deploy" / "systemd" / "tarock-failed@.service").read_text()
    (line,) = re.findall(r"^ExecStart=\S+ (.*)$", unit, re.MULTILINE)
    command = shlex.split(line.replace("%i", "tarock-backup.service"))
    own = {"VAR_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "deploy.settings"}
    shutil.copy(archive, tmp_path)
    done = python(*command, ADMIN_EMAILS="otto@example.org", **own)
    assert done.returncode == 0, done.stderr
    with sqlite3.connect(tmp_path / "archive.sqlite3") as database:
        ((mail,),) = database.execute("SELECT message FROM archive_mail").fetchall()
    assert b"tarock-backup.service failed" in mail
    for name in ("tarock-backup", "tarock-rehearsal"):
        text = (PROJECT / "deploy" / "systemd" / f"{name}.service").read_text()
        assert "OnFailure=tarock-failed@%n.service" in text


@pytest.fixture
def activated(tmp_path: Path, archive: Path) -> Iterator[tuple[int, Callable[[], Any]]]:
    """The port of a socket that stays open, and a function that starts a web server on it, like systemd."""
    shutil.copy(archive, tmp_path)
    environment = clean_environment() | {"VAR_DIR": str(tmp_path), "DEBUG": "true", "WEB_PROCESSES": "1"}
    environment["PYTHONPATH"] = str(PROJECT)
    started: list[subprocess.Popen[bytes]] = []
    with socket.create_server(("127.0.0.1", 0)) as listener, (tmp_path / "log").open("wb") as log:

        def start() -> subprocess.Popen[bytes]:
            gunicorn = f"{sys.executable} -m gunicorn --config python:deploy.gunicorn_conf deploy.wsgi"
            script = f"LISTEN_FDS=1 LISTEN_PID=$$ exec {gunicorn} 3<&{listener.fileno()}"
            command, places = ["bash", "-c", script], {"cwd": PROJECT, "stdout": log, "stderr": log}
            process = subprocess.Popen(command, env=environment, pass_fds=[listener.fileno()], **places)
            started.append(process)
            return started[-1]

        yield listener.getsockname()[1], start
        for process in started:
            process.terminate()
            process.wait(30)


def test_requests_wait_while_the_web_server_restarts(activated: tuple[int, Callable[[], Any]]) -> None:
    port, start = activated
    server, http = start(), urllib3.PoolManager(retries=False, timeout=60)
    address = f"http://127.0.0.1:{port}/api/v1/games"
    assert http.request("GET", address).status == 200
    statuses: list[int] = []
    stopped = threading.Event()

    def ask() -> None:
        while not stopped.is_set():
            statuses.append(http.request("GET", address, headers={"Connection": "close"}).status)

    asking = [threading.Thread(target=ask) for _ in range(3)]
    for thread in asking:
        thread.start()
    server.terminate()
    server.wait(30)
    start()
    answered = len(statuses)
    assert eventually(lambda: len(statuses) > answered + 10, 60)
    stopped.set()
    for thread in asking:
        thread.join()
    assert set(statuses) == {200}


def test_the_folder_of_figures_is_there_after_a_reload_of_an_older_server(
    tmp_path: Path, monkeypatch: Any
) -> None:
    """Its own process had no such folder, so a process that it starts makes it."""
    monkeypatch.setenv("VAR_DIR", str(tmp_path))
    monkeypatch.setenv("PORT", "8765")
    # Set first, so that what `make` puts there is taken away after the test.
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR")
    code = "import deploy.wsgi; from deploy import instruments; instruments.CACHE_ERRORS.inc()"
    done = python("-c", code, VAR_DIR=str(tmp_path), PORT="8765")
    assert done.returncode == 0, done.stderr
    assert metrics_folder.make() == tmp_path / "metrics-8765"
    assert list((tmp_path / "metrics-8765").glob("*.db"))
