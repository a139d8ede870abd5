"""Removed contributions in the feed of changes, and the webhooks that send the feed."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.db import models
from django.db.models import Exists, OuterRef
from django.utils import timezone

from archive.fields import WordField, user_or_null
from archive.models.spaces import Member, Space


class Removed(models.Model):
    """The feed's entry for a contribution that was permanently deleted, or that moved to a copy of its deal.
    If the contribution `was_public`, everybody can see the entry, otherwise only members of its space. `id`:
    the feed number; this table's sequence also numbers all other changes. `space`: id of the space."""

    deal_id = models.BigIntegerField()
    contribution_id = models.BigIntegerField()
    space = models.BigIntegerField()
    was_public = models.BooleanField()

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["deal_id"], name="removed_deal")]

    def __str__(self) -> str:
        return f"contribution {self.contribution_id} to deal {self.deal_id}, removed"


class WebhookQuerySet(models.QuerySet["Webhook"]):
    def without_owner(self) -> WebhookQuerySet:
        """Return webhooks whose owner no longer has an active account, or no longer owns the space."""
        owners = Member.objects.filter(space=OuterRef("space"), user=OuterRef("made_by"), role="owner")
        return self.filter(~Exists(owners.filter(user__is_active=True)))

    def stop(self, reason: str) -> int:
        """Stop these webhooks for one of the `Webhook.REASONS`. Return how many were still running."""
        return self.filter(stopped_at=None).update(stopped_at=timezone.now(), stopped=reason)


class Webhook(models.Model):
    """A URL that receives the changes in a space. `made_by`: the owner of the webhook; `after`: number of the
    last change that was sent; `due_at`: earliest time of the next delivery; `failures`: number of consecutive
    failures; `stopped_at`, `stopped`: when and why sending stopped (see `reason`). The webhook's secret is
    derived from `key` (`archive.publishing.webhooks`)."""

    REASONS = ("given_up", "gone", "owner_left")

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    key = models.CharField(max_length=40)
    made_by = user_or_null()
    made_at = models.DateTimeField(default=timezone.now)
    after = models.BigIntegerField()
    due_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveSmallIntegerField(default=0)
    stopped_at = models.DateTimeField(null=True, blank=True)
    stopped = WordField(words=REASONS, null=True, blank=True)

    objects = WebhookQuerySet.as_manager()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.space}"

    @property
    def reason(self) -> str | None:
        """The reason why sending stopped; None while the webhook is running."""
        return (self.stopped or "given_up") if self.stopped_at else None

    def url_for(self, user: int | None) -> str:
        """Return the URL as this user may see it: only the owner sees the path, which may be secret."""
        parts = urlsplit(self.url)
        return self.url if user == self.made_by_id else f"{parts.scheme}://{parts.netloc}/…"

    def log_for(self, user: int | None) -> models.QuerySet[Delivery]:
        """Return the deliveries if this user is the webhook's owner. Other users get none, because responses
        may contain secrets."""
        return self.deliveries.all() if user == self.made_by_id else self.deliveries.none()


class Delivery(models.Model):
    """An attempt to send a webhook the changes numbered after `after` and up to `last`, and the response.
    `status`: HTTP status, null without a response; `response`: beginning of the body, or the error; `took`:
    duration in milliseconds."""

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
        """Whether the receiver accepted the delivery."""
        return self.status is not None and 200 <= self.status < 300
