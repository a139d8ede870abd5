"""Celery tasks whose texts belong to the pages."""

from __future__ import annotations

from celery import shared_task

from archive import tasks
from archive.storing import queue
from replays.clubs import weekly_mail as mails


@shared_task(name=queue.WEEKLY_MAIL)
def weekly_mail(user: int) -> None:
    """Send the weekly mail to a user if it is due. Safe to run twice."""
    tasks.run(mails.send, user)
