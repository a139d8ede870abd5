"""The sweeper finds incomplete uploads, and parts and chunks whose message or worker was lost. It runs in its
own process, so that it never waits behind a backlog of tasks. It uses only conditional updates, so two
simultaneous sweeps, or a sweep while workers are running, at worst send a message twice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef
from django.utils import timezone

from archive import conf
from archive.models import Campaign, Chunk, HindsightSpan, ImportedTable, Part, Upload, WorkQuerySet
from archive.storing import campaigns, imports, intake, queue, uploads, variations

_MOST = 5000
"""Maximum number of messages of each kind that one sweep sends. The next sweep sends the rest."""

_FEW = 100
"""Length of a queue below which waiting work gets another message, even if one may be in the queue."""

_BROKEN_OFF = timedelta(minutes=10)
"""Time without a new part after which an incomplete upload is deleted as interrupted."""

_UNREADABLE_RETENTION = timedelta(days=1)
"""Retention time of an upload without any readable record."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """The results of one sweep."""

    lost: int
    """Number of pieces of work that were released because their lease had ended."""
    given_up: int
    """Number of pieces of work left to the operator because they were lost too often."""
    sent: int
    """Number of messages sent again."""


def sweep(now: datetime | None = None) -> Sweep:
    """Release lost work, and send messages again for waiting work whose messages may have been lost."""
    now = now or timezone.now()
    parts = Part.objects.filter(upload__accepted_at__isnull=False)
    chunks = Chunk.objects.filter(campaign__state="running")
    lost = given_up = sent = 0
    for work in (parts, chunks, HindsightSpan.objects.open()):
        over = _numbers(work.due(now).filter(state="working"))
        held = work.model.objects.filter(pk__in=over, state="working").due(now)
        error = "The worker of this task was lost, as were all earlier ones."
        given_up += held.filter(claims__gte=settings.ARCHIVE_MAX_ATTEMPTS).update(state="failed", error=error)
        lost += held.update(state="waiting", due_at=now - conf.GRACE)
    for name in Part.QUEUES:
        sent += _send_again(queue.STORE_PART, parts.filter(queue=name), name, now)
    if not queue.length(queue.BULK):
        # Each finished chunk sends the next message, so send only one, and only into an empty queue.
        sent += _send_again(queue.VERIFY_CHUNK, chunks.order_by("first"), queue.BULK, now, most=1)
    # The last worker may have been killed before it marked the upload or campaign as finished.
    intake.finish(Upload.objects.filter(accepted_at__lt=now - conf.GRACE))
    campaigns.finish(Campaign.objects.filter(started_at__lt=now - conf.GRACE))
    return Sweep(lost, given_up, sent)


def _numbers(work: WorkQuerySet) -> list[int]:
    return list(work.values_list("pk", flat=True)[:_MOST])


def _send_again(task: str, work: WorkQuerySet, name: str, now: datetime, most: int = _MOST) -> int:
    """Send messages again for work that has waited too long, unless the queue may still contain them."""
    due = work.filter(state="waiting").due(now - conf.GRACE)
    number = due.count()
    if not number or (queue.length(name) or 0) >= max(number, _FEW):
        return 0
    again = _numbers(due)[:most]
    work.model.objects.filter(pk__in=again, state="waiting").update(due_at=now)
    queue.send(task, reversed(again), name)
    return len(again)


def clean(now: datetime | None = None) -> int:
    """Delete incomplete uploads and unreadable uploads, and return their number. Also delete bytes and
    guests' variations past their retention time, and expired idempotency keys and tables."""
    now = now or timezone.now()
    uploads.expire_keys(Upload.objects.all())
    variations.expire(now)
    imports.expire(now)
    late = Part.objects.filter(upload=OuterRef("pk"), due_at__gt=now - _BROKEN_OFF)
    torn = Upload.objects.filter(~Exists(late), accepted_at=None, received_at__lt=now - _BROKEN_OFF)
    nothing = {"state": "done", "stored": 0, "known": 0, "refused": 0, "failed": 0}
    something = Part.objects.filter(upload=OuterRef("pk")).exclude(**nothing)
    old = Upload.objects.filter(finished_at__isnull=False, received_at__lt=now - _UNREADABLE_RETENTION)
    unreadable = old.filter(received_at__gt=now - 3 * _UNREADABLE_RETENTION).filter(~Exists(something))
    deleted = [*torn.values_list("pk", flat=True)[:_MOST], *unreadable.values_list("pk", flat=True)[:_MOST]]
    for pk in deleted:
        Upload.objects.filter(pk=pk).delete()
    if days := conf.retention_days():
        past = Upload.objects.filter(finished_at__isnull=False, received_at__lt=now - timedelta(days=days))
        Part.objects.filter(upload__in=past).exclude(data=b"").update(data=b"")
        ImportedTable.objects.filter(upload__in=past).exclude(data=b"").update(data=b"", report=b"")
    return len(deleted)
