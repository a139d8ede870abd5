"""Claims on work: parts of uploads and chunks of campaigns. A claim is one conditional update that increments
`claims`. It holds for a short lease, which is renewed during the work: a killed worker loses it, and the
sweeper sends the work's message again. If a worker was given up too early, two workers may have the same work
for a while. The first to finish commits; the other one finds it done and writes nothing.
"""

from __future__ import annotations

import logging
import threading
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import TypeVar

from django.db import connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone

from archive import conf, database
from archive.models import Work

logger = logging.getLogger(__name__)

Unit = TypeVar("Unit", bound=Work)

_CLOCK_SKEW = timedelta(seconds=5)
"""The largest difference between the clocks of two machines."""


def claim(model: type[Unit], pk: int) -> Unit | None:
    """Claim work that waits or whose lease has ended; return None if it can't be claimed."""
    now = timezone.now()
    row = model.objects.filter(pk=pk)
    # Waiting work with a message can be claimed a little early, because the sender's clock may be ahead of
    # ours. Work that was never claimed can always be claimed.
    condition = Q(claims=0) | Q(due_at__lte=now + _CLOCK_SKEW)
    free = row.due(now) | row.filter(condition, state="waiting")
    if not free.update(state="working", claims=F("claims") + 1, due_at=now + conf.lease()):
        return None
    return row.get()


def undone(unit: Unit) -> QuerySet[Unit]:
    """Return the row of the work unless it is done."""
    return type(unit).objects.filter(pk=unit.pk).exclude(state="done")


def held(unit: Unit) -> QuerySet[Unit]:
    """Return the row of the work while this claim holds."""
    return type(unit).objects.filter(pk=unit.pk, state="working", claims=unit.claims)


@contextmanager
def renewed(unit: Work) -> Iterator[None]:
    """Renew a claim from a thread before its lease ends, even while the work waits for something. A killed or
    frozen process renews nothing."""
    done = threading.Event()

    def renew() -> None:
        while not done.wait(conf.lease().total_seconds() / 3):
            try:
                held(unit).update(due_at=timezone.now() + conf.lease())
            except database.AWAY as error:
                logger.warning("the claim of %s could not be renewed: %s", unit, error)
            finally:
                connection.close()  # this thread's own

    thread = threading.Thread(target=renew, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def give_back(unit: Work, error: Exception) -> None:
    """Release a claim after an exception, and store the traceback. The work is tried again later or, after
    the last attempt, left to the operator. A timeout of the insert lock does not count as an attempt."""
    # It has no message, so the sweeper sends the next one right after the pause.
    if isinstance(error, database.LockTimeout):
        soon = timezone.now() + conf.retry_delay(1) - conf.GRACE
        held(unit).update(state="waiting", claims=F("claims") - 1, due_at=soon)
        logger.warning("%s waited too long for others, and is tried again", unit)
        return
    trace = database.storable("".join(traceback.format_exception(error)))
    again = unit.claims < conf.max_attempts()
    # Replace a broken connection. While the claim holds, the worker can only wait for the database.
    database.wait_until_available(conf.lease().total_seconds())
    due = timezone.now() + conf.retry_delay(unit.claims)
    if isinstance(error, database.AWAY):
        due -= conf.GRACE
    changes = {"state": "waiting", "due_at": due} if again else {"state": "failed"}
    try:
        database.retry_transient(lambda: held(unit).update(error=trace, **changes))
    except database.AWAY:
        # The claim's lease ends, and the sweeper finds it.
        logger.warning("the database could not take a note on %s either", unit)
    logger.error(
        "%s failed at attempt %s, %s\n%s", unit, unit.claims, "again" if again else "given up", trace
    )
