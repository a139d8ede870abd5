"""`manage.py sweep`: release lost work; with `--every`, keep doing so, and send webhooks and mails."""

from __future__ import annotations

import logging
import os
import signal
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable
from functools import partial
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.utils import timezone

from archive import conf, counters, database
from archive.models import Note
from archive.publishing import dumps, mails, webhooks
from archive.storing import following, hindsight, puzzles, sums, sums_check, sweeper

logger = logging.getLogger(__name__)

_CLEAN_EVERY = 3600
_FIGURES_EVERY = 60


class Command(BaseCommand):
    help = "Send the messages of lost work again, once or at intervals."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--every", type=float, metavar="SECONDS", help="repeat until SIGTERM or SIGINT")

    def get_check_kwargs(self, options: Any) -> dict[str, Any]:
        """Also run the database checks, such as `check_migrations`."""
        return {**super().get_check_kwargs(options), "databases": [DEFAULT_DB_ALIAS]}

    def handle(self, *, every: float | None, **options: Any) -> None:
        if every is None:
            result = sweeper.sweep()
            deleted = sweeper.clean()
            puzzles.load_composed()
            hindsight.cover()
            following.queue_mails()
            _settle()
            self.stdout.write(
                f"{result.lost} claims of lost workers taken back, {result.given_up} given up, "
                f"{result.sent} messages sent again, {deleted} uploads removed."
            )
            return
        self._run(every)

    def _run(self, every: float) -> None:
        """Sweep until SIGTERM or SIGINT. Webhooks, mails, sums and the heartbeat run in separate threads, so
        that none delays another. Changes to the system clock don't affect the pauses."""
        stopped = threading.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, lambda *_: stopped.set())
        dispatcher = webhooks.Dispatcher()
        for pause, action in (
            (every, dispatcher.start_due),
            (every / 4, mails.send_due),
            (every / 2, _Settling()),
            # The age of the heartbeat on a replica shows how far the replica is behind.
            *([(1.0, partial(Note.write, "heartbeat"))] if "replica" in connections else []),
        ):
            threading.Thread(target=_repeat, args=(stopped, pause, action), daemon=True).start()
        sweeping = _Sweeping()
        _repeat(stopped, every, sweeping)
        sweeping.dump.stop()


def _settle(*, figures: bool = True) -> None:
    sums.fill_sort_names()
    sums.fill_hands()
    sums.settle(figures=figures)


class _Settling:
    """The recomputation of sums that `_run` repeats. Statistics follow once a minute: each new deal makes the
    sweeper read the 4,096 deals of its block again, which takes 0.3 seconds."""

    def __init__(self) -> None:
        self._figured = -float(_FIGURES_EVERY)

    def __call__(self) -> None:
        figures = time.monotonic() - self._figured >= _FIGURES_EVERY
        _settle(figures=figures)
        if figures:
            self._figured = time.monotonic()


class _Sweeping:
    """The sweep that `_run` repeats. The first one loads the composed puzzles. Every hour it also cleans up,
    queues the weekly mails that are due, and starts a dump if one is due. Every day it checks a slice of the
    sums."""

    def __init__(self) -> None:
        self.dump = _Dump()
        self._has_puzzles = False
        self._cleaned = -float(_CLEAN_EVERY)
        self._checked = timezone.localdate()

    def __call__(self) -> None:
        result = sweeper.sweep()
        if result.lost or result.given_up or result.sent:
            logger.info("sweep: %s", result)
        counters.note_sweep()
        if not self._has_puzzles:
            puzzles.load_composed()
            self._has_puzzles = True
        hindsight.cover()
        if time.monotonic() - self._cleaned >= _CLEAN_EVERY:
            sweeper.clean()
            following.queue_mails()
            self._cleaned = time.monotonic()
            self.dump.start_if_due()
        if timezone.localdate() != self._checked:
            self._checked = timezone.localdate()
            sums_check.check_slice(self._checked)


def _repeat(stopped: threading.Event, every: float, action: Callable[[], object]) -> None:
    """Run an action with pauses of `every` seconds until `stopped` is set. Errors are only logged."""
    while not stopped.wait(every):
        try:
            action()
        except database.AWAY:
            logger.warning("the database is away: %s must wait", action)
            connection.close()
        except Exception:
            logger.exception("%s failed", action)


class _Dump:
    """The nightly dump, which runs in a separate process, because it takes longer than a worker's task may
    take, and must not delay uploads. After a failure, the next hourly clean-up starts it again."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None

    def start_if_due(self) -> None:
        if self.process is not None and self.process.poll() is None:
            return
        if self.process is not None and self.process.returncode:
            logger.error("the dumps could not be written: see what the command said before")
        self.process = None
        if dumps.are_due():
            command = [sys.executable, os.path.join(settings.BASE_DIR, "manage.py"), "dump"]
            self.process = subprocess.Popen([*command, "--nightly", str(conf.dump_dir())])

    def stop(self) -> None:
        """Terminate the process. The next dump rewrites the unfinished files."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
