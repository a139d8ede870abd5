"""Users' saved variations of deals."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from archive.models.constants import SHARING
from archive.models.deals import Deal


class Variations(models.Model):
    """The variations that one user saved for a deal (`analysis.variations`). Variations never count as played
    deals. `visibility`: who may see them, among the people who may see the deal: only the owner, anyone with
    the link, which contains `key`, or everybody. `version` increases with every change."""

    key = models.UUIDField(unique=True, default=uuid.uuid4)
    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="variations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="variations")
    visibility = models.CharField(max_length=8, choices=[(word, word) for word in SHARING], default="private")
    lines = models.JSONField(default=list)
    version = models.PositiveIntegerField(default=1)
    made_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-changed_at", "-id"]
        verbose_name_plural = "variations"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["deal", "user"], name="variations_of_deal_by_user")
        ]

    def __str__(self) -> str:
        return f"variations {self.key}"
