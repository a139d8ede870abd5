"""gunicorn's settings for the site: `gunicorn --config python:deploy.gunicorn_conf deploy.wsgi`."""

import gc
import json
import logging
import mmap
import os
import socket
import sys
from datetime import UTC, datetime
from typing import Any

from deploy import metrics_folder

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
# gunicorn starts and ends the processes; inside each of them waitress serves.
worker_class = "deploy.webserver.Worker"
workers = int(os.environ.get("WEB_PROCESSES", "2"))
timeout = 60
graceful_timeout = 15
control_socket_disable = True
# django-structlog logs requests, with user and request id.
accesslog = None
errorlog = "-"


class Lines(logging.Formatter):
    """The lines of gunicorn as `deploy.logs` writes all others. Its master must not load that module, which a
    reload could not replace."""

    def format(self, record: logging.LogRecord) -> str:
        """One JSON object."""
        line = {"event": record.getMessage(), "level": record.levelname.lower(), "logger": record.name}
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        line["timestamp"] = datetime.fromtimestamp(record.created, UTC).isoformat()
        return json.dumps(line, ensure_ascii=False)


if os.environ.get("LOG_FORMAT", "plain" if sys.stderr.isatty() else "json") == "json":
    logconfig_dict = {
        "formatters": {"lines": {"()": Lines}},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"handlers": ["stderr"], "level": "INFO"},
        "loggers": {"gunicorn.error": {"handlers": ["stderr"], "level": "INFO", "propagate": False}},
    }
if os.path.isdir("/dev/shm"):  # noqa: S108  (heartbeats must not wait for a disk)
    worker_tmp_dir = "/dev/shm"  # noqa: S108


def begin_counting(_server: object) -> None:
    """Empty the folder of the figures when the server starts, not at a reload."""
    for file in metrics_folder.make().glob("*.db"):
        file.unlink()


on_starting = begin_counting


RELOAD = mmap.mmap(-1, 2)
"""The state that all processes of the server share: the number of reloads (of 256), and whether a process
started by the latest of them serves."""


def begin_reload(_server: object) -> None:
    """Before new processes are started, and the former ones get the signal to end."""
    RELOAD[0], RELOAD[1] = (RELOAD[0] + 1) % 256, 0


on_reload = begin_reload


def collect_less() -> None:
    """Freeze loaded objects, because scanning them for garbage takes a sixth of a long export."""
    gc.freeze()
    gc.set_threshold(10_000)


def serves(_worker: Any) -> None:
    """Load the site in a new process, including all views, so that its first request doesn't wait. It also
    compares the migrations: if they are of another release, it responds with 503."""
    from django.urls import get_resolver

    from deploy import probes

    assert get_resolver().url_patterns
    probes.MIGRATIONS()
    if probes.MIGRATIONS.problem:
        _worker.log.error(probes.MIGRATIONS.problem)
    collect_less()
    RELOAD[1] = 1


post_worker_init = serves

STANDS_STILL = 30
"""Seconds after which a connection ends if its client reads nothing of an answer: waitress would wait."""


def end_standing_readers(server: Any) -> None:
    """Let the system end such connections; they inherit this from the listening socket. Linux only."""
    for listener in server.LISTENERS:
        if hasattr(socket, "TCP_USER_TIMEOUT") and listener.sock.family != socket.AF_UNIX:
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STANDS_STILL * 1000)


when_ready = end_standing_readers
