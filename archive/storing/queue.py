"""Messages for the workers. Each message names a piece of work, but the row in the database is the truth. The
sweeper sends lost messages again. A message that arrives twice finds nothing to claim."""

from __future__ import annotations

import logging
from collections.abc import Iterable

from celery import current_app

logger = logging.getLogger(__name__)

STORE_PART = "archive.tasks.store_part"
VERIFY_CHUNK = "archive.tasks.verify_chunk"
HINDSIGHT_SPAN = "archive.tasks.hindsight_span"
WEEKLY_MAIL = "replays.tasks.weekly_mail"
"""Names of the tasks. The last one belongs to the pages, which have the texts of the mail."""

INTERACTIVE, BULK, HINDSIGHT = "interactive", "bulk", "hindsight"


def send(task: str, numbers: Iterable[int], queue: str) -> None:
    """Send a message for each id, last id first. If the broker fails, the sweeper sends the rest later."""
    waiting = list(numbers)
    try:
        with current_app.producer_or_acquire() as producer:
            while waiting:
                current_app.send_task(task, (waiting[-1],), queue=queue, producer=producer, retry=False)
                waiting.pop()
    except Exception as error:
        logger.warning("the broker cannot be reached, %d pieces of work wait: %s", len(waiting), error)


def length(queue: str) -> int | None:
    """Return the number of messages in a queue, or None if the broker doesn't respond."""
    try:
        with current_app.connection_for_write() as connection:
            return int(connection.default_channel.client.llen(queue))
    except Exception:
        return None
