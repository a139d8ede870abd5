"""Claims on work: parts of uploads and chunks of campaigns. A claim is one conditional update that increments
`claims`. It is valid for a short lease, which the worker renews while it works. If a worker is killed, its
lease ends, and the sweeper sends another message for the work. If a lease ends while its worker is still
running, two workers may do the same work. The first to finish commits; the other finds the work done and
writes nothing."""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

from django.conf import settings
from django.db import connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from archive import conf, database
from archive.models import Work

logger = logging.getLogger(__name__)

Unit = TypeVar("Unit", bound=Work)

_CLOCK_SKEW = timedelta(seconds=5)
"""Assumed maximum difference between the clocks of two machines."""


def claim(model: type[Unit], pk: int) -> Unit | None:
    """Claim work that is waiting or whose lease has ended, and return it; None if it can't be claimed."""
    now = timezone.now()
    row = model.objects.filter(pk=pk)
    # A worker can claim waiting work a little early, because the clock of the machine that sent the message
    # may be ahead of ours. Work that was never claimed can always be claimed.
    condition = Q(claims=0) | Q(due_at__lte=now + _CLOCK_SKEW)
    free = row.due(now) | row.filter(condition, state="waiting")
    if not free.update(state="working", claims=F("claims") + 1, due_at=now + conf.lease()):
        return None
    # The row may have been deleted since, with its space.
    return row.first()


def undone(unit: Unit) -> QuerySet[Unit]:
    """Return a query for this work's row, which matches nothing once the work is done."""
    return type(unit).objects.filter(pk=unit.pk).exclude(state="done")


def held(unit: Unit) -> QuerySet[Unit]:
    """Return a query for this work's row, which matches nothing once this claim is no longer valid."""
    return type(unit).objects.filter(pk=unit.pk, state="working", claims=unit.claims)


@contextmanager
def renewed(unit: Work) -> Iterator[None]:
    """Renew a claim from a background thread while the `with` block runs, even if its work is blocked."""
    done = threading.Event()

    def renew() -> None:
        while not done.wait(conf.lease().total_seconds() / 3):
            try:
                held(unit).update(due_at=timezone.now() + conf.lease())
            except database.AWAY as error:
                logger.warning("the claim of %s could not be renewed: %s", unit, error)
            finally:
                connection.close()  # each thread has its own connection

    thread = threading.Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def give_back(unit: Work, error: Exception) -> None:
    """Release a claim after an exception, and store the traceback. The work is retried later or, after the
    last attempt, left to the operator. An insert lock timeout does not count as an attempt."""
    # Released work has no message. The sweeper sends one `GRACE` after `due_at`, so subtract `GRACE` here.
    if isinstance(error, database.LockTimeout):
        soon = timezone.now() + conf.retry_delay(1) - conf.GRACE
        held(unit).update(state="waiting", claims=F("claims") - 1, due_at=soon)
        logger.warning("%s waited too long for others, and is tried again", unit)
        return
    trace = database.storable("".join(traceback.format_exception(error)))
    again = unit.claims < settings.ARCHIVE_MAX_ATTEMPTS
    # The connection may be broken. Wait for the database, but no longer than the claim is valid.
    database.wait_until_available(conf.lease().total_seconds())
    due = timezone.now() + conf.retry_delay(unit.claims)
    if isinstance(error, database.AWAY):
        due -= conf.GRACE
    changes = {"state": "waiting", "due_at": due} if again else {"state": "failed"}
    try:
        database.retry_transient(lambda: held(unit).update(error=trace, **changes))
    except database.AWAY:
        # The lease will end, and then the sweeper will find the work.
        logger.warning("the database could not take a note on %s either", unit)
    logger.error(
        "%s failed at attempt %s, %s\n%s", unit, unit.claims, "again" if again else "given up", trace
    )
