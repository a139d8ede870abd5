"""Taking a piece of work, and giving it back when it fails: the same for parts of uploads and for chunks of
campaigns.

A claim is one conditional update that counts up ``claims``. It holds for a short lease, which is renewed as
long as somebody works: who is killed loses it, and the sweeper tells of the work again. Two may have the same
work for a while, when one was given up too early: who is done first commits, and the other, who finds it
done, writes nothing.
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

_APART = timedelta(seconds=5)
"""So far the clocks of two machines may be apart."""


def claim(model: type[Unit], pk: int) -> Unit | None:
    """Take a piece of work that waits, or whose holder's lease is over; None if there is nothing to take."""
    now = timezone.now()
    found = model.objects.filter(pk=pk)
    # What waits and was told of is free a little before its time: the clock that the sender of its message
    # goes by may be ahead of ours. What was never taken is always free.
    condition = Q(claims=0) | Q(due_at__lte=now + _APART)
    free = found.due(now) | found.filter(condition, state="waiting")
    if not free.update(state="working", claims=F("claims") + 1, due_at=now + conf.lease()):
        return None
    return found.get()


def undone(unit: Unit) -> QuerySet[Unit]:
    """The row of a piece of work as long as nobody has done it."""
    return type(unit).objects.filter(pk=unit.pk).exclude(state="done")


def held(unit: Unit) -> QuerySet[Unit]:
    """The row of a piece of work as long as it still belongs to the claim that it was taken by."""
    return type(unit).objects.filter(pk=unit.pk, state="working", claims=unit.claims)


@contextmanager
def renewed(unit: Work) -> Iterator[None]:
    """Within, a claim is renewed before its lease ends, by a thread: whatever the work waits for, it is in
    somebody's hands. A process that is killed, or stands still, renews nothing."""
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
    """After an exception: write down its traceback. The work is tried again later or, after the last attempt,
    left to the operator. To have waited for others in vain counts as no attempt."""
    # Nobody is on his way to it: where others were at fault, it waits for no message that might come.
    if isinstance(error, database.NoTurn):
        soon = timezone.now() + conf.retry_delay(1) - conf.GRACE
        held(unit).update(state="waiting", claims=F("claims") - 1, due_at=soon)
        logger.warning("%s waited too long for others, and is tried again", unit)
        return
    trace = database.storable("".join(traceback.format_exception(error)))
    again = unit.claims < conf.max_attempts()
    # If its connection was ended, that is given up, and another is made; and as long as the claim stands
    # there is nothing else to do than to wait for a database that is away.
    database.wait_until_there(conf.lease().total_seconds())
    due = timezone.now() + conf.retry_delay(unit.claims)
    if isinstance(error, database.AWAY):
        due -= conf.GRACE
    changes = {"state": "waiting", "due_at": due}
    try:
        database.retry_transient(
            lambda: held(unit).update(error=trace, **(changes if again else {"state": "failed"}))
        )
    except database.AWAY:
        # The claim stands and runs out: the sweeper will come upon it.
        logger.warning("the database could not take a note on %s either", unit)
    logger.error(
        "%s failed at attempt %s, %s\n%s", unit, unit.claims, "again" if again else "given up", trace
    )
