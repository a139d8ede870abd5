"""Mails on their way to the mail server."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Mail(models.Model):
    """A mail that the mail server has not accepted yet; the row is deleted once it has.

    `message`: the whole mail (RFC 5322). `due_at`: when the next attempt is due; during an attempt, the
    end of its lease. `failures`: the number of failed attempts.
    """

    sender = models.TextField()
    recipients = models.JSONField()
    message = models.BinaryField()
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now, db_index=True)
    failures = models.PositiveSmallIntegerField(default=0)

    def __str__(self) -> str:
        return f"mail {self.pk}"
