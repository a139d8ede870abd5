"""A site in separate processes, as an operator runs it, for tests, benchmarks and faults."""

from __future__ import annotations

import http.client
import json
import os
import re
import secrets
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django

from deploy import run
from tools import servers
from tools.waiting import eventually

PROJECT = Path(__file__).resolve().parent.parent
USER = "bench"

_ADDRESS = re.compile(r"The tarock archive is at\s+(http://localhost:\d+/)")


class Refused(Exception):
    """Error: the site responded with an error, or did not respond (`status` 0)."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(f"{status} {words}")
        self.status = status


class Site:
    """A site in a separate folder, made up of the given programs: `supervisor` (the whole `make run`), or
    `web`, `worker` and `sweeper`.

    `settings`: the only settings in the environment of the programs. Without DATABASE_URL and REDIS_URL, the
    site is embedded; with them, it runs on the given services.
    """

    token = ""
    """API token of the user that `make_user` has created."""
    postgres: servers.Server
    redis: servers.Server
    """The site's own PostgreSQL and Redis; unset if it has none."""
    mail_port = 0
    """Port of the site's mail server; nothing listens there unless a fault starts a mail server."""

    def __init__(self, folder: Path, *programs: str, root: Path = PROJECT, **settings: str) -> None:
        self.folder, self.root, self.port = folder, root, free_port()
        self.address = f"http://localhost:{self.port}/"
        (folder / "log").mkdir(parents=True, exist_ok=True)
        self.environment = {**clean_environment(), "VAR_DIR": str(folder), "PORT": str(self.port), **settings}
        self.supervisor, self.web, self.worker, self.sweeper = (
            make(folder, self.environment) for make in (_supervisor, run.web, run.worker, run.sweeper)
        )
        self.programs: list[run.Child] = [getattr(self, name) for name in programs]
        self._forgotten = 0

    # --- its programs

    def start(self) -> None:
        """Start the programs and wait until they are ready, or raise RuntimeError with their output."""
        self.forget()
        for child in self.programs:
            child.start()
        if not eventually(lambda: self._is_ready() or not self._is_alive(), 240) or not self._is_alive():
            self.kill()
            raise RuntimeError(f"the site did not start:\n{self.output[-4000:]}")
        if self.supervisor in self.programs:
            self.address = _ADDRESS.findall(self.output)[-1]

    def _is_alive(self) -> bool:
        return all(child.process is not None and child.process.poll() is None for child in self.programs)

    def _is_ready(self) -> bool:
        if self.supervisor in self.programs:
            return _ADDRESS.search(self.output) is not None
        # Don't wait for a worker that logs only warnings, because it doesn't log that it is ready.
        loud = self.programs == [self.worker] and "LOG_LEVEL" not in self.environment
        return (not loud or " ready." in self.output) and (self.web not in self.programs or self.answers())

    def stop(self) -> None:
        """Stop the programs gracefully: they finish their current work."""
        for child in reversed(self.programs):
            servers.end(child)

    def kill(self) -> None:
        """Kill the programs and their processes with SIGKILL, as a crash would."""
        for child in self.programs:
            servers.end(child, signal.SIGKILL)

    @property
    def output(self) -> str:
        """Output of the site's first program since its start, or since the last `forget`."""
        return _text(self.programs[0])[self._forgotten :]

    def forget(self) -> None:
        """Discard the output so far, so that `output` starts from here."""
        self._forgotten = len(_text(self.programs[0]))

    def processes(self, child: run.Child) -> list[int]:
        """Return the ids of the running processes of one of the site's programs, the parent first."""
        assert child.process is not None
        group = child.process.pid
        listed = subprocess.run(
            ["ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True
        ).stdout
        rows = [line.split() for line in listed.splitlines()]
        members = [int(pid) for pid, own, state in rows if int(own) == group and state[0] != "Z"]
        # Not in the order of their numbers, because a child gets a lower one when the numbers start again.
        return sorted(members, key=lambda pid: (pid != group, pid))

    def supervised(self) -> dict[str, int]:
        """Return the process group id of each child of the supervisor, by the child's name."""
        notes = json.loads((self.folder / "children.json").read_text())
        return {note["name"]: note["group"] for note in notes}

    def manage(self, *arguments: str) -> str:
        """Run a management command; return its output."""
        if arguments[0] == "migrate" and "DATABASE_URL" not in self.environment:
            (self.folder / "archive.sqlite3").touch()
        command = [sys.executable, "manage.py", *arguments]
        ended = subprocess.run(
            command, cwd=self.root, env=self.environment, capture_output=True, text=True, check=False
        )
        if ended.returncode:
            raise RuntimeError(f"{' '.join(arguments)}: {ended.stderr[-3000:]}")
        return ended.stdout

    def make_user(self) -> None:
        """Create a user of the operator's staff, and set `token` to their API token."""
        self.token = self.manage("shell", "--no-imports", "-c", _MAKE_USER).split()[-1]

    # --- requests

    def request(
        self, method: str, path: str, body: Any = None, timeout: float = 60, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Send a request; return status, headers and body. Raise Refused if the request fails."""
        parts = urlsplit(path)
        address = parts.path + (f"?{parts.query}" if parts.query else "")
        port = urlsplit(self.address).port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(method, address, body, named, encode_chunked=False)
            answer = connection.getresponse()
            content = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Refused(0, repr(error)) from error
        finally:
            connection.close()
        if answer.status >= 400:
            raise Refused(answer.status, content[:300].decode(errors="replace"))
        return answer.status, dict(answer.headers), content

    def answers(self) -> bool:
        with suppress(Refused):
            return self.request("GET", "/api/v1/games")[0] == 200
        return False

    def api(
        self, method: str, path: str, body: Any = None, timeout: float = 60, **headers: str
    ) -> dict[str, Any]:
        """Send a request, with the token if there is one. Return the JSON response and its status."""
        named = {**({"Authorization": f"Token {self.token}"} if self.token else {}), **headers}
        status, _, content = self.request(method, path, body, timeout, **named)
        return json.loads(content) | {"status": status}

    def send(self, data: Any, timeout: float = 60, **headers: str) -> dict[str, Any]:
        """Send an upload; return the report on it."""
        named = {"Content_Type": "text/plain"} | headers
        return self.api("POST", "/api/v1/uploads", data, timeout, **named)

    def finished(self, upload: str, seconds: float = 600) -> dict[str, Any]:
        """Wait until an upload is finished; return the report on it."""

        def report() -> dict[str, Any] | None:
            with suppress(Refused):
                found = self.api("GET", f"{upload}?limit=1")
                return found if found["finished"] else None
            return None

        if found := eventually(report, seconds):
            return found
        raise RuntimeError(f"{upload} was not finished")


@contextmanager
def measured_site(*, embedded: bool = False, durable: bool = False) -> Iterator[Site]:
    """Run a site without limits (web server, two worker processes and sweeper) on a separate PostgreSQL
    (`embedded`: SQLite) and Redis. Django in this process uses the same database."""
    with servers.Stopper() as stopper:
        folder = servers.scratch(stopper)
        postgres = servers.postgres(stopper, durable=durable)
        redis = servers.redis_server(stopper)
        mail_port = free_port()
        site = Site(
            folder,
            *("web", "worker", "sweeper"),
            EMAIL_URL=f"smtp://127.0.0.1:{mail_port}?timeout=2",
            DATABASE_URL=f"sqlite:///{folder / 'archive.sqlite3'}" if embedded else postgres.url,
            REDIS_URL=redis.url,
            **WITHOUT_LIMITS,
        )
        site.postgres, site.redis, site.mail_port = postgres, redis, mail_port
        os.environ.update(site.environment)
        django.setup()
        site.manage("migrate", "--noinput")
        site.manage("collectstatic", "--noinput")
        site.make_user()
        stopper.callback(site.kill)
        site.start()
        yield site


IMPATIENT = {
    "WORKER_PROCESSES": "1",
    "WORKER_QUEUES": "interactive,bulk",
    "ARCHIVE_SWEEP_EVERY": "1",
    "ARCHIVE_LEASE_SECONDS": "3",
}
"""Settings for a small site that quickly requeues the work of a killed worker, and computes no hindsight."""

WITHOUT_LIMITS = {
    "SECRET_KEY": "for a site that is gone in the end",
    "HTTPS": "false",
    "NUM_PROXIES": "0",
    "LOG_FORMAT": "plain",
    "LOG_LEVEL": "WARNING",
    "API_RATE_WRITE": "1000000/min",
    "API_RATE_READ": "1000000/min",
    "API_RATE_SCORES": "1000000/min",
    "ARCHIVE_QUOTA_BYTES": "1000000000000",
    "ARCHIVE_QUOTA_DEALS": "1000000000",
    "ARCHIVE_MAX_UPLOAD_BYTES": "2000000000",
    "WEBHOOKS_TO_PRIVATE_ADDRESSES": "true",
    "WORKER_PROCESSES": "2",
    "DJANGO_SETTINGS_MODULE": "deploy.settings",
}

_MAKE_USER = f"""
from django.contrib.auth import get_user_model
from archive import tokens
user = get_user_model().objects.create_user("{USER}", is_staff=True)
print(tokens.make(user, "bench", scopes=tokens.allowed(user))[1])
"""


def _supervisor(folder: Path, environment: dict[str, str]) -> run.Child:
    command = [sys.executable, "-m", "deploy.run"]
    return run.Child("supervisor", command, "deploy.run", folder / "log" / "supervisor.log", environment)


def _text(child: run.Child) -> str:
    return child.log.read_text(encoding="utf-8", errors="replace") if child.log.exists() else ""


def clean_environment() -> dict[str, str]:
    """Return this process's environment without the settings of the user's own site. `docs/operations.md`
    lists the settings; a test keeps the list complete."""
    page = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    tables = page.partition("## Every variable\n")[2].partition("### Only for tests\n")[0]
    settings = {"DJANGO_SETTINGS_MODULE", *re.findall(r"^\| `([A-Z_]+)` \|", tables, flags=re.MULTILINE)}
    return {name: value for name, value in os.environ.items() if name not in settings}


def free_port() -> int:
    """Return a port that was free a moment ago, below those that the system gives to outgoing connections:
    one of these could take it before the site does."""
    return run.free_port("127.0.0.1", 15_000 + secrets.randbelow(15_000))
