"""Spaces, their members, and invitations to clubs."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from archive.fields import GameField, SearchNameField, WordField, user_or_null
from archive.models.constants import CHOSEN, NAME_LENGTH, ROLES, RULES_LENGTH, SEARCH_LENGTH


class Space(models.Model):
    """An owner of players and sessions. Kinds: `club`; `own`, a user's own space; `guest`, the space of a
    browser without a signed-in user; `house`, the space for deals that the operator loads with commands. Only
    users with a role in a space can add to it."""

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
    hides_hindsight = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ["name"]
        constraints = [
            models.UniqueConstraint(fields=["kind"], condition=Q(kind="house"), name="one_house"),
            models.UniqueConstraint(fields=["search_name"], condition=Q(kind="club"), name="club_name_once"),
        ]

    def __str__(self) -> str:
        return self.name or f"{self.kind} {self.pk}"

    @property
    def choices(self) -> tuple[str, ...]:
        """Visibilities that an evening in this space can have. A guest space has no members to show it to."""
        return CHOSEN[:2] if self.kind == "guest" else CHOSEN

    @property
    def evening_visibility(self) -> str:
        """Default visibility of a new evening."""
        return self.visibility if self.kind == "club" else "unlisted"

    @property
    def club(self) -> int | None:
        """The club's id in the API; None for other spaces."""
        return self.pk if self.kind == "club" else None

    @property
    def club_name(self) -> str | None:
        """The club's name; None for other spaces."""
        return self.name if self.kind == "club" else None


class Member(models.Model):
    """A user's role in a space. Users are owners of their own space. `player`: the player that represents the
    user, perhaps an alias by now (see `Player.head`); `invitation`: the link that the user joined with."""

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = WordField(words=ROLES, default="member")
    player = models.ForeignKey("Player", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    joined_at = models.DateTimeField(default=timezone.now)
    # No constraint, because the previous release deletes invitations and may still be running.
    invitation = models.ForeignKey(
        "Invitation",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="members",
        db_index=False,
        db_constraint=False,
    )

    class Meta:
        ordering = ["-role", "joined_at"]
        constraints = [models.UniqueConstraint(fields=["space", "user"], name="member_once")]

    def __str__(self) -> str:
        return f"{self.user} in {self.space}: {self.role}"


class HouseRules(models.Model):
    """A version of a club's rules of a game. The latest applies to new evenings; it is never
    changed, because evenings name it.

    `name`: name of a published rule set, or of the club's own, such as `hlucin-club@4`; `options`: its
    options in canonical form.
    """

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="house_rules")
    game = GameField()
    name = models.CharField(max_length=RULES_LENGTH)
    options = models.JSONField(default=list)
    made_by = user_or_null()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


class RemovedMember(models.Model):
    """A user whom an owner removed from a club. No invitation lets them join again while this row exists."""

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="removed", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    removed_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["space", "user"], name="removed_once")]

    def __str__(self) -> str:
        return f"{self.user}, removed from {self.space}"


class Invitation(models.Model):
    """A link for joining a club, which any number of people can use until `ends_at`."""

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="invitations")
    key = models.CharField(max_length=40, unique=True)
    made_by = user_or_null()
    made_at = models.DateTimeField(default=timezone.now)
    ends_at = models.DateTimeField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"invitation to {self.space}"
