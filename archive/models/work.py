"""Work for the workers."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import models
from django.db.models import Q
from django.utils import timezone

from archive import conf
from archive.fields import WordField


class WorkQuerySet(models.QuerySet[Any]):
    """Pieces of work by what is to happen with them."""

    def open(self) -> WorkQuerySet:
        """Those that are not at their end."""
        return self.filter(state__in=["waiting", "working"])

    def due(self, now: datetime) -> WorkQuerySet:
        """Those whose time has come: nobody has them, or who had them was not heard of within the lease.

        A time much further ahead than any that is set was set before the clock was put back: it has come,
        too. (A little further ahead it is if it was set just now, after whoever asks looked at the clock.)
        """
        ahead = Q(state="working", due_at__gt=now + 2 * conf.lease())
        ahead |= Q(state="waiting", due_at__gt=now + 2 * conf.LONGEST_DELAY)
        return self.open().filter(Q(due_at__lte=now) | ahead)


class Work(models.Model):
    """A piece of work for one worker, done as a whole or not at all.

    Who takes it counts up ``claims``, by which he is told from who had it before. ``due_at``: from when it
    may be taken; while somebody has it, when his lease ends. ``failed`` means that our own code raised for
    the last time: the operator's.
    """

    STATES = ("waiting", "working", "done", "failed")

    state = WordField(words=STATES, default="waiting")
    claims = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    error = models.TextField(blank=True, default="", help_text="For the operator: the traceback.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        abstract = True
