"""Removed contributions in the feed of changes, and the webhooks that read it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from archive.models.spaces import Space


class Removed(models.Model):
    """The feed's entry for a contribution that was deleted for good, at number ``id``: for everybody if it
    ``was_public``, else for the members of its space. This table's sequence gives the numbers of all changes.

    ``space``: the id of its space, which may be deleted, too.
    """

    deal_id = models.BigIntegerField()
    contribution_id = models.BigIntegerField()
    space = models.BigIntegerField()
    was_public = models.BooleanField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"contribution {self.contribution_id} to deal {self.deal_id}, removed"


class Webhook(models.Model):
    """An address that is sent the changes in a space.

    ``after``: the number of the last change that was sent; ``due_at``: from when more may be sent;
    ``failures``: consecutive failures; ``stopped_at``: when it was given up. Its secret is derived from
    ``key`` (`archive.publishing.webhooks`).
    """

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    key = models.CharField(max_length=40)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    after = models.BigIntegerField()
    due_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveSmallIntegerField(default=0)
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.space}"


class Delivery(models.Model):
    """An attempt to send a webhook the changes after ``after`` up to ``last``, and the response.

    ``status``: of HTTP, null without a response; ``response``: the beginning of its body, or the error;
    ``took``: milliseconds.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    at = models.DateTimeField(default=timezone.now)
    after = models.BigIntegerField()
    last = models.BigIntegerField()
    number = models.PositiveIntegerField(help_text="Of changes.")
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    response = models.CharField(max_length=500, blank=True, default="")
    took = models.PositiveIntegerField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"delivery to {self.webhook} at {self.at:%Y-%m-%d %H:%M}"

    @property
    def is_taken(self) -> bool:
        """Whether the receiver accepted it."""
        return self.status is not None and 200 <= self.status < 300
