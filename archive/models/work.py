"""The base model for work that workers claim: parts of uploads and chunks of campaigns."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from archive import conf
from archive.fields import WordField


class WorkQuerySet(models.QuerySet[Any]):
    def open(self) -> WorkQuerySet:
        """Return pieces of work that are neither done nor failed."""
        return self.filter(state__in=["waiting", "working"])

    def due(self, now: datetime) -> WorkQuerySet:
        """Return open work that can be claimed, because its waiting time or its worker's lease has ended.
        Work whose `due_at` is too far ahead is due, too: the clock must have been turned back. The limit is
        twice the longest delay, because `due_at` may have been set after the caller read the clock."""
        ahead = Q(state="working", due_at__gt=now + 2 * conf.lease())
        ahead |= Q(state="waiting", due_at__gt=now + 2 * conf.LONGEST_DELAY)
        return self.open().filter(Q(due_at__lte=now) | ahead)


class Work(models.Model):
    """A piece of work for one worker, done as a whole or not at all. Each claim increments `claims`, so this
    number identifies the latest claim. `due_at`: earliest time at which the work may be claimed; while it is
    claimed, the end of the lease. State `failed`: the last allowed attempt raised an exception in our own
    code or lost its worker, so the operator must act."""

    STATES = ("waiting", "working", "done", "failed")

    state = WordField(words=STATES, default="waiting")
    claims = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    error = models.TextField(blank=True, default="", help_text="For the operator: the traceback.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        abstract = True
