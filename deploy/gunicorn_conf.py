"""gunicorn's settings for the site: `gunicorn --config python:deploy.gunicorn_conf deploy.wsgi`."""

import gc
import os
import shutil
import socket
from typing import Any

from deploy import paths

bind = f"{os.environ.get('HOST', '127.0.0.1')}:{os.environ.get('PORT', '8000')}"
# gunicorn starts and ends the processes; inside each of them waitress serves.
worker_class = "deploy.webserver.Worker"
workers = int(os.environ.get("WEB_PROCESSES", "2"))
timeout = 60
graceful_timeout = 15
control_socket_disable = True
# Requests are logged by django-structlog, with the user and a number of their own.
accesslog = None
errorlog = "-"
if os.path.isdir("/dev/shm"):  # noqa: S108  (heartbeats must not wait for a disk)
    worker_tmp_dir = "/dev/shm"  # noqa: S108


# Where the processes of this server add up their figures (`deploy.instruments`), each in files of its own.
METRICS = os.environ.setdefault(
    "PROMETHEUS_MULTIPROC_DIR", str(paths.var_dir() / f"metrics-{os.environ.get('PORT', '8000')}")
)


def begin_counting(_server: object) -> None:
    """At the start, not at a reload: drop the figures of the server that was here before."""
    shutil.rmtree(METRICS, ignore_errors=True)
    os.makedirs(METRICS)


on_starting = begin_counting


def collect_less(_worker: object = None) -> None:
    """Freeze what is loaded: looking through it for garbage takes a sixth of a long export."""
    gc.freeze()
    gc.set_threshold(10_000)


post_worker_init = collect_less

STANDS_STILL = 30
"""Seconds after which a connection ends if its client reads nothing of an answer: waitress would wait."""


def end_standing_readers(server: Any) -> None:
    """Let the system end such connections; they inherit this from the listening socket. Linux only."""
    for listener in server.LISTENERS:
        if hasattr(socket, "TCP_USER_TIMEOUT") and listener.sock.family != socket.AF_UNIX:
            listener.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, STANDS_STILL * 1000)


when_ready = end_standing_readers
