"""Collections of deals, with notes at their steps."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from archive.models.constants import NAME_LENGTH, SHARING
from archive.models.deals import Deal


class Collection(models.Model):
    """Deals that a user chose, in an order of their own. `key`: UUID in the link; `visibility`: who may see
    it. Of its deals, a viewer sees only those that they may see anyway."""

    key = models.UUIDField(unique=True, default=uuid.uuid4)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="collections")
    title = models.CharField(max_length=NAME_LENGTH)
    about = models.TextField(blank=True)
    visibility = models.CharField(max_length=8, choices=[(word, word) for word in SHARING], default="private")
    made_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-changed_at", "-id"]

    def __str__(self) -> str:
        return f"collection {self.key}"

    @property
    def by(self) -> str:
        """The owner's username."""
        return self.user.get_username()


class Collected(models.Model):
    """A deal in a collection. `deal`: null after the deal was deleted; `place`: its place in the order;
    `notes`: texts by step."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="entries")
    deal = models.ForeignKey(Deal, null=True, on_delete=models.SET_NULL, related_name="collected")
    place = models.PositiveSmallIntegerField()
    notes = models.JSONField(default=dict)

    class Meta:
        ordering: ClassVar = ["place", "id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["collection", "deal"], name="collected_once"),
        ]

    def __str__(self) -> str:
        return f"deal {self.deal_id} in collection {self.collection_id}"

    @property
    def by_step(self) -> list[tuple[int, str]]:
        """The notes in order of their steps."""
        return sorted((int(step), text) for step, text in self.notes.items())


class Opened(models.Model):
    """A deal of a collection that a user has opened, to show how far they are."""

    entry = models.ForeignKey(Collected, on_delete=models.CASCADE, related_name="opened")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="opened")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", "entry"], name="opened_once"),
        ]

    def __str__(self) -> str:
        return f"entry {self.entry_id} opened by {self.user_id}"
