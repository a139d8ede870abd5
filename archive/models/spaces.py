"""Spaces, their members, and invitations to them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from archive.fields import SearchNameField, WordField
from archive.models.constants import CHOSEN, NAME_LENGTH, ROLES, SEARCH_LENGTH


class Space(models.Model):
    """Whose players and sessions these are.

    A ``club``; a person's ``own``; a ``guest``'s: one browser's, in which nobody signed in; the ``house``:
    what the operator loads by commands. Only who has a role in a space adds to it.
    """

    KINDS = ("club", "own", "guest", "house")

    kind = WordField(words=KINDS)
    name = models.CharField(max_length=NAME_LENGTH, blank=True, default="", help_text="A club's.")
    search_name = SearchNameField(max_length=SEARCH_LENGTH, editable=False, default="")
    place = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="own_space",
        help_text="Whose own it is.",
    )
    visibility = WordField(words=CHOSEN, default="public", help_text="Of what is sent to it.")
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["kind"], condition=Q(kind="house"), name="one_house"),
            models.UniqueConstraint(fields=["search_name"], condition=Q(kind="club"), name="club_name_once"),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.kind} {self.pk}"

    @property
    def found_by(self) -> str:
        """The name by which it is found."""
        return self.name

    @property
    def club(self) -> int | None:
        """The number of the club that it is, as programs are told; None if it is none."""
        return self.pk if self.kind == "club" else None

    @property
    def club_name(self) -> str | None:
        """The name of that club."""
        return self.name if self.kind == "club" else None


class Member(models.Model):
    """What a user is in a space; in his own he is its owner. ``player``: which of the players is himself,
    under whatever name (`Player.head`)."""

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = WordField(words=ROLES, default="member")
    player = models.ForeignKey("Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    joined_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-role", "joined_at"]
        constraints = [models.UniqueConstraint(fields=["space", "user"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.space}: {self.role}"


class Invitation(models.Model):
    """A link by which one becomes a member of a club, as often as it is used until it ends."""

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=40, unique=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"invitation to {self.space}"
