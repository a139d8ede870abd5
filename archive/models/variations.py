"""Saved variations of deals."""

from __future__ import annotations

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from archive.models.constants import SHARING
from archive.models.deals import Deal


class SavedVariations(models.Model):
    """Base of the variations saved for a deal (`analysis.variations`), which never count as played deals.
    `key`: UUID in the link; `version` increases with every change."""

    key = models.UUIDField(unique=True, default=uuid.uuid4)
    lines = models.JSONField(default=list)
    version = models.PositiveIntegerField(default=1)
    made_at = models.DateTimeField(default=timezone.now)
    changed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True
        ordering: ClassVar = ["-changed_at", "-id"]

    def __str__(self) -> str:
        return f"variations {self.key}"


class Variations(SavedVariations):
    """The variations that one user saved for a deal. `visibility`: who may see them, among the people who may
    see the deal: only the owner, anyone with the link, or everybody."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="variations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="variations")
    visibility = models.CharField(max_length=8, choices=[(word, word) for word in SHARING], default="private")

    class Meta(SavedVariations.Meta):
        verbose_name_plural = "variations"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["deal", "user"], name="variations_of_deal_by_user")
        ]

    @property
    def by(self) -> str:
        """The owner's username."""
        return self.user.get_username()

    def is_of(self, user: int | None, device: bytes = b"") -> bool:
        """Return whether the user with this id saved them."""
        return self.user_id == user


class GuestVariations(SavedVariations):
    """The variations of a deal that a guest shared. Anyone with the link who may see the deal may see them.
    `device`: SHA-256 of the key in a cookie of the device, the only one that can change or delete them."""

    visibility = "link"
    by = ""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="guest_variations")
    device = models.BinaryField(max_length=32, editable=False)

    class Meta(SavedVariations.Meta):
        verbose_name_plural = "guest variations"
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["device", "deal"], name="variations_of_deal_by_device")
        ]

    def is_of(self, user: int | None, device: bytes = b"") -> bool:
        """Return whether the guest with this device shared them, and has not signed in since."""
        return user is None and bytes(self.device) == device
