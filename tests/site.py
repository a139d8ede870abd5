"""A whole site in processes of its own, as an operator runs it: for measuring it and for hurting it."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from deploy import run
from tests import services

PROJECT = Path(__file__).resolve().parent.parent
USER = "bench"


class Refused(Exception):
    """The site answered with an error, or not at all: the status (0 without an answer) and what it said."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(f"{status} {said}")
        self.status = status


class Site:
    """Web server, worker and sweeper on a PostgreSQL (or, `embedded`, SQLite) and a Redis of their own."""

    def __init__(self, stopper: services.Stopper, *, embedded: bool = False, durable: bool = False) -> None:
        self.folder = services.scratch(stopper)
        self.postgres, self.redis = services.own(stopper, durable=durable)
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        (self.folder / "log").mkdir()
        database = f"sqlite:///{self.folder / 'archive.sqlite3'}" if embedded else self.postgres.url
        self.environment = {
            **os.environ,
            "DATABASE_URL": database,
            "REDIS_URL": self.redis.url,
            "SECRET_KEY": "for a site that is gone in the end",
            "HTTPS": "false",
            "NUM_PROXIES": "0",
            "VAR_DIR": str(self.folder),
            "STATIC_ROOT": str(self.folder / "static"),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
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
        os.environ.update(self.environment)
        self.manage("migrate", "--noinput")
        self.manage("collectstatic", "--noinput")
        self.token = self.manage("shell", "--no-imports", "-c", MAKE_USER).split()[-1]
        children = (run.web, run.worker, run.sweeper)
        self.web, self.worker, self.sweeper = (make(self.folder, self.environment) for make in children)
        for child in (self.web, self.worker, self.sweeper):
            stopper.add(lambda child=child: kill(child))
            child.start()
        self.wait_until_up()

    def manage(self, *arguments: str) -> str:
        """Run a management command; what it printed."""
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=PROJECT, env=self.environment, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stderr[-3000:]}")
        return done.stdout

    def wait_until_up(self, seconds: float = 60) -> None:
        """Until the web server answers and the worker takes messages."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with suppress(Refused):
                self.ask("GET", "/api/v1/")
                return
            time.sleep(0.1)
        raise RuntimeError(f"the site did not start:\n{self.web.last_words()}\n{self.worker.last_words()}")

    def ask(
        self, method: str, path: str, body: Any = None, timeout: float = 60, **headers: str
    ) -> dict[str, Any]:
        """A request with the user's token and its JSON answer; Refused for what is no success."""
        parts = urlsplit(path)
        address = parts.path + (f"?{parts.query}" if parts.query else "")
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        try:
            connection.request(
                method, address, body, {"Authorization": f"Token {self.token}", **named}, encode_chunked=False
            )
            answer = connection.getresponse()
            said = answer.read()
        except (OSError, http.client.HTTPException) as error:
            raise Refused(0, repr(error)) from error
        finally:
            connection.close()
        if answer.status >= 400:
            raise Refused(answer.status, said[:300].decode(errors="replace"))
        found: dict[str, Any] = json.loads(said) | {"status": answer.status}
        return found

    def send(self, data: bytes, timeout: float = 60, **headers: str) -> dict[str, Any]:
        """Send an upload."""
        named = {"Content_Type": "text/plain"} | headers
        return self.ask("POST", "/api/v1/uploads", data, timeout, **named)

    def finished(self, upload: str, seconds: float = 600) -> dict[str, Any]:
        """Wait until an upload is finished; the report on it."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            with suppress(Refused):
                report = self.ask("GET", f"{upload}?limit=1")
                if report["finished"]:
                    return report
            time.sleep(0.05)
        raise RuntimeError(f"{upload} was not finished")

    def processes(self, child: run.Child) -> list[int]:
        """The processes of one of its programs, its parent first."""
        assert child.process is not None
        group = child.process.pid
        listed = subprocess.run(["ps", "-eo", "pid,pgid"], capture_output=True, text=True, check=True).stdout
        rows = [line.split() for line in listed.splitlines()[1:]]
        return sorted(int(pid) for pid, own in rows if int(own) == group)


def kill(child: run.Child) -> None:
    """End a program and all its processes by SIGKILL, as a crash would."""
    child.signal(signal.SIGKILL)
    if child.process is not None:
        child.process.wait()


MAKE_USER = f"""
from django.contrib.auth import get_user_model
from archive import tokens
user = get_user_model().objects.create_user("{USER}", is_staff=True)
print(tokens.make(user, "bench", scopes=tokens.allowed(user))[1])
"""
