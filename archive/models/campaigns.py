"""Campaigns, which check stored deals again with the current engine."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils import timezone

from archive.fields import GameField, WordField, user_or_null
from archive.models.work import Work, WorkQuerySet


class Campaign(models.Model):
    """A run that rechecks stored deals with the current engine, in chunks. It can be stopped and resumed."""

    STATES = ("running", "stopped", "done")

    state = WordField(words=STATES, default="running")
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    started_by = user_or_null()
    engine_version = models.CharField(max_length=20)
    game = GameField(null=True, blank=True)
    outdated_only = models.BooleanField(
        default=False, help_text="Only verdicts of another version of the engine."
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"campaign {self.pk}: {self.state}"


class ChunkQuerySet(WorkQuerySet):
    def done_with(self, first: int, last: int) -> ChunkQuerySet:
        """Return finished chunks that contain any deal id from `first` to `last`, with their campaigns."""
        near = self.filter(done_at__isnull=False, first__gt=first - Chunk.MOST_IDS, first__lte=last)
        return near.filter(last__gte=first).select_related("campaign")


class Chunk(Work):
    """The deals of a campaign with ids from `first` to `last`, which one worker checks. A finished chunk
    confirms that engine version `engine_version` gave the stored answers for these deals at `done_at`. If the
    campaign has a game, only deals of this game are confirmed. `excepted`: ids of deals that are not
    confirmed, because they changed during the check or could not be checked."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="chunks", db_index=False)
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    checked = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    faulty = models.PositiveIntegerField(default=0)
    engine_version = models.CharField(max_length=20, blank=True, db_default="")
    done_at = models.DateTimeField(null=True, blank=True)
    excepted = models.JSONField(null=True, blank=True)

    MOST_IDS = 1000
    """Maximum number of deal ids in a chunk. A worker checks a chunk of this size in about half a second."""

    objects = ChunkQuerySet.as_manager()

    class Meta:
        ordering = ["first"]
        indexes = [
            models.Index(fields=["first"], condition=Q(done_at__isnull=False), name="chunk_done"),
            models.Index(fields=["due_at"], condition=Q(state__in=["waiting", "working"]), name="chunk_open"),
        ]
        constraints = [models.UniqueConstraint(fields=["campaign", "first"], name="chunk_once_in_campaign")]

    def __str__(self) -> str:
        return f"deals {self.first} to {self.last} of campaign {self.campaign_id}: {self.state}"
