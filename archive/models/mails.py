"""Mails waiting to be sent."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Mail(models.Model):
    """A mail waiting to be sent; the row is deleted once the mail server has accepted the mail. `message`:
    the complete mail (RFC 5322); `due_at`: time of the next attempt or, during an attempt, time until which
    no other process may try; `failures`: number of failed attempts."""

    sender = models.TextField()
    recipients = models.JSONField()
    message = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    failures = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"mail {self.pk}"
