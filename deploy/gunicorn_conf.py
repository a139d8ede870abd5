"""gunicorn settings for the site: `gunicorn --config python:deploy.gunicorn_conf deploy.wsgi`."""

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
# gunicorn manages the processes; in each process, waitress serves the requests.
worker_class = "deploy.webserver.Worker"
workers = int(os.environ.get("WEB_PROCESSES", "2"))
timeout = 60
graceful_timeout = 15
control_socket_disable = True
# gunicorn needs no access log, because django-structlog logs requests with user and request id.
accesslog = None
errorlog = "-"


class Lines(logging.Formatter):
    """Formatter for gunicorn's log lines in the format of `deploy.logs`. gunicorn's master process must not
    import that module, because a reload would not load the module's new version."""

    def format(self, record: logging.LogRecord) -> str:
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


def on_starting(_server: object) -> None:
    """Delete the previous server's metrics. gunicorn doesn't call this on a reload, so they survive it."""
    for file in metrics_folder.make().glob("*.db"):
        file.unlink()


RELOAD = mmap.mmap(-1, 2)
"""State shared by all processes of the server: the number of reloads (modulo 256), and whether a process
started by the latest reload is already serving."""


def on_reload(_server: object) -> None:
    """Count a reload, and note that none of its processes is serving yet."""
    RELOAD[0], RELOAD[1] = (RELOAD[0] + 1) % 256, 0


def collect_less() -> None:
    """Collect garbage less often and skip existing objects, which saves a sixth of a long export's time."""
    gc.freeze()
    gc.set_threshold(10_000)


def post_worker_init(worker: Any) -> None:
    """Prepare a new process: load all views, so that the first request doesn't wait, and check the
    migrations. If this code can't use the database, the process responds with 503."""
    from django.urls import get_resolver

    from deploy import probes

    assert get_resolver().url_patterns
    probes.MIGRATIONS()
    if probes.MIGRATIONS.problem:
        worker.log.error(probes.MIGRATIONS.problem)
    collect_less()
    RELOAD[1] = 1


STANDS_STILL = 30
"""Seconds after which the operating system closes a connection if the client reads nothing; waitress itself
would wait forever."""


def when_ready(server: Any) -> None:
    """Make the operating system close connections if the client stops reading (Linux only). Connections
    inherit this option from the listening socket."""
    for listener in server.LISTENERS:
        if hasattr(socket, "TCP_USER_TIMEOUT") and listener.sock.family != socket.AF_UNIX:
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STANDS_STILL * 1000)
