"""Players, sessions and clubs that users follow, and the weekly mails about them."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.utils import timezone

from archive.models.players import Player, Session
from archive.models.spaces import Space


class Follow(models.Model):
    """A player, session or club whose new deals a user wants to see. Exactly one of the three is set."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="follows")
    player = models.ForeignKey(Player, null=True, on_delete=models.CASCADE, related_name="followers")
    session = models.ForeignKey(Session, null=True, on_delete=models.CASCADE, related_name="followers")
    club = models.ForeignKey(Space, null=True, on_delete=models.CASCADE, related_name="followers")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering: ClassVar = ["-id"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["user", kind], name=f"follow_{kind}_once")
            for kind in ("player", "session", "club")
        ]

    def __str__(self) -> str:
        return f"{self.user_id} follows {self.kind} {getattr(self, f'{self.kind}_id')}"

    @property
    def kind(self) -> str:
        """`player`, `session` or `club`."""
        return "player" if self.player_id else "session" if self.session_id else "club"


class WeeklyMail(models.Model):
    """A user's weekly mail about what they follow. `language`: its language; `since`: time up to which
    earlier mails cover the deals; `due_at`: time of the next mail or, while a worker makes it, of the next
    attempt."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="weekly_mail"
    )
    language = models.CharField(max_length=10)
    since = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"weekly mail of user {self.user_id}"
