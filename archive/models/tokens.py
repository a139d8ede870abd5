"""API tokens."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class Token(models.Model):
    """A secret that authenticates a program's requests. `digest`: SHA-256 of the secret, which itself is not
    stored (`archive.tokens`). `expires_at`: null if the token never expires; `last_used_at`: accurate to a
    few minutes."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="tokens")
    name = models.CharField(max_length=100)
    digest = models.BinaryField(max_length=32, unique=True, editable=False)
    scopes = models.JSONField(default=list, blank=True)
    ends_with_password = models.BooleanField(
        default=True, help_text="It ends when its owner's password is changed."
    )
    made_at = models.DateTimeField(default=timezone.now)
    expires_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"token {self.pk} of {self.user}: {self.name}"

    @property
    def has_expired(self) -> bool:
        return self.expires_at is not None and self.expires_at <= timezone.now()
