"""Celery tasks. Each task gets the id of a piece of work, and calls one function of `archive.storing`."""

from __future__ import annotations

import logging
from collections.abc import Callable

from celery import shared_task

from archive import database
from archive.storing import campaigns, hindsight, intake, queue

logger = logging.getLogger(__name__)

_WAIT = 60
"""Maximum number of seconds that a worker waits for an unavailable database."""


def run(action: Callable[[int], object], number: int) -> None:
    """Run an action once the database is available. Until then the worker keeps its message, and takes no
    others from the queue. If the database stays unavailable, the sweeper picks up the work later."""
    if not database.wait_until_available(_WAIT):
        logger.warning("the database is away: number %s is left to the sweeper", number)
        return
    try:
        action(number)
    except database.AWAY as error:
        logger.warning("the database went away: number %s is left to the sweeper: %s", number, error)


@shared_task(name=queue.STORE_PART)
def store_part(part_id: int) -> None:
    """Parse, check and store a part of an upload if it is still waiting. Safe to run twice."""
    run(intake.store, part_id)


@shared_task(name=queue.VERIFY_CHUNK)
def verify_chunk(chunk_id: int) -> None:
    """Check a chunk of a campaign if it is still waiting. Safe to run twice."""
    run(campaigns.verify_chunk, chunk_id)


@shared_task(name=queue.HINDSIGHT_SPAN)
def hindsight_span(span_id: int) -> None:
    """Analyse the deals of a span if some are still waiting. Safe to run twice."""
    run(hindsight.compute, span_id)
