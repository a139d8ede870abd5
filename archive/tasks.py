"""Celery tasks: each carries the number of a piece of work and is one call to a service."""

from __future__ import annotations

import time
from collections.abc import Callable

from celery import Task, shared_task
from celery.exceptions import Reject

from archive import campaigns, database, intake, queue

_WAIT = 60
"""Seconds that a worker waits for a database that is away, before its message goes back."""


_PAUSE = 1
"""Seconds before a message goes back of which nobody knows what became of it."""


def _do(task: Task, action: Callable[..., object], number: int) -> None:
    """Do a piece of work once the database is there; it is told whether the message came back from a worker
    that was lost.

    While the database is away nobody empties the queue: each worker waits with the message that it has. Where
    it goes away just when the work is claimed, the message goes back: else nobody would have the claim.
    """
    if not database.wait_until_there(_WAIT):
        raise Reject("the database is away", requeue=True)
    try:
        action(number, again=bool((task.request.delivery_info or {}).get("redelivered")))
    except database.AWAY as error:
        time.sleep(_PAUSE)
        raise Reject("the database went away", requeue=True) from error


@shared_task(bind=True, name=queue.STORE_PART)
def store_part(task: Task, part_id: int) -> None:
    """Read, check and store a part of an upload, if it still waits; safe to run twice."""
    _do(task, intake.store, part_id)


@shared_task(bind=True, name=queue.VERIFY_CHUNK)
def verify_chunk(task: Task, chunk_id: int) -> None:
    """Verify a chunk of a campaign anew, if it still waits; safe to run twice."""
    _do(task, campaigns.verify_chunk, chunk_id)
