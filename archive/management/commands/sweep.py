"""``manage.py sweep``: find what nobody works on; with ``--every`` the sweeper's process."""

from __future__ import annotations

import logging
import signal
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand
from django.db import connection

from archive import database, sweeper, webhooks

logger = logging.getLogger(__name__)

_CLEAN_EVERY = 3600


class Command(BaseCommand):
    help = "Send again the messages of work that is in nobody's hands, once or every so many seconds."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--every", type=float, metavar="SECONDS", help="go on until told to stop")

    def handle(self, *, every: float | None, **options: Any) -> None:
        if every is None:
            found = sweeper.sweep()
            gone = sweeper.clean()
            self.stdout.write(
                f"{found.lost} claims of lost workers taken back, {found.given_up} given up, "
                f"{found.sent} messages sent again, {gone} uploads removed."
            )
            return
        self._run(every)

    def _run(self, every: float) -> None:
        """Sweep until SIGTERM or SIGINT, and beside it, where a slow receiver delays nothing else, tell the
        webhooks; the pauses go by a clock that nobody sets."""
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        telling = threading.Thread(target=_repeat, args=(stopped, every, webhooks.deliver_due), daemon=True)
        telling.start()
        _repeat(stopped, every, _Sweeping())


class _Sweeping:
    """A sweep, and once an hour the cleaning."""

    def __init__(self) -> None:
        self._cleaned = -float(_CLEAN_EVERY)

    def __call__(self) -> None:
        found = sweeper.sweep()
        if found.lost or found.given_up or found.sent:
            logger.info("sweep: %s", found)
        if time.monotonic() - self._cleaned >= _CLEAN_EVERY:
            sweeper.clean()
            self._cleaned = time.monotonic()


def _repeat(stopped: threading.Event, every: float, action: Callable[[], object]) -> None:
    """Do something again and again, whatever goes wrong."""
    while not stopped.wait(every):
        try:
            action()
        except database.AWAY:
            logger.warning("the database is away: %s must wait", action)
            connection.close()
        except Exception:
            logger.exception("%s failed", action)
