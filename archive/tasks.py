"""Celery tasks: each carries the id of a piece of work and is one call to a service."""

from __future__ import annotations

import logging
from collections.abc import Callable

from celery import shared_task

from archive import database
from archive.storing import campaigns, intake, queue

logger = logging.getLogger(__name__)

_WAIT = 60
"""Seconds that a worker waits for a database that is away."""


def _do(action: Callable[[int], object], number: int) -> None:
    """Run an action once the database is available.

    While it is away no worker empties the queue: each waits with its message. The sweeper finds what is not
    done in the end.
    """
    if not database.wait_until_available(_WAIT):
        logger.warning("the database is away: number %s is left to the sweeper", number)
        return
    try:
        action(number)
    except database.AWAY as error:
        logger.warning("the database went away: number %s is left to the sweeper: %s", number, error)


@shared_task(name=queue.STORE_PART)
def store_part(part_id: int) -> None:
    """Read, check and store a part of an upload, if it still waits; safe to run twice."""
    _do(intake.store, part_id)


@shared_task(name=queue.VERIFY_CHUNK)
def verify_chunk(chunk_id: int) -> None:
    """Verify a chunk of a campaign, if it still waits; safe to run twice."""
    _do(campaigns.verify_chunk, chunk_id)
