"""Pieces of work for the workers."""

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
        """Return open work without a valid claim: its waiting time or its worker's lease has ended. Work
        whose `due_at` is too far ahead to be valid is due, too: it was set before the clock was turned back.
        (A valid one can be slightly ahead of `now`, if it was set after the caller read the clock.)"""
        ahead = Q(state="working", due_at__gt=now + 2 * conf.lease())
        ahead |= Q(state="waiting", due_at__gt=now + 2 * conf.LONGEST_DELAY)
        return self.open().filter(Q(due_at__lte=now) | ahead)


class Work(models.Model):
    """A piece of work for one worker, done as a whole or not at all. Each claim increments `claims`, which
    tells it apart from earlier claims. `due_at`: earliest time at which the work may be claimed; while it is
    claimed, the end of the lease. State `failed`: our own code raised an exception at the last attempt, so
    the operator must act."""

    STATES = ("waiting", "working", "done", "failed")

    state = WordField(words=STATES, default="waiting")
    claims = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    error = models.TextField(blank=True, default="", help_text="For the operator: the traceback.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        abstract = True
