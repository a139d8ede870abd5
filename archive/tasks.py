"""Celery tasks: each carries the number of a piece of work and is one call to a service."""

from __future__ import annotations

from celery import Task, shared_task
from celery.exceptions import Reject

from archive import campaigns, database, intake, queue

_WAIT = 60
"""Seconds that a worker waits for a database that is away, before its message goes back."""


def _ready(task: Task) -> bool:
    """Wait for the database; then whether the message came back from a worker that was lost.

    While the database is away nobody empties the queue: each worker waits with the message that it has.
    """
    if not database.wait_until_there(_WAIT):
        raise Reject("the database is away", requeue=True)
    return bool((task.request.delivery_info or {}).get("redelivered"))


@shared_task(bind=True, name=queue.STORE_PART)
def store_part(task: Task, part_id: int) -> None:
    """Read, check and store a part of an upload, if it still waits; safe to run twice."""
    intake.store(part_id, again=_ready(task))


@shared_task(bind=True, name=queue.VERIFY_CHUNK)
def verify_chunk(task: Task, chunk_id: int) -> None:
    """Verify a chunk of a campaign anew, if it still waits; safe to run twice."""
    campaigns.verify_chunk(chunk_id, again=_ready(task))
