"""Players and sessions of a space."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce, NullIf

from archive.fields import SearchNameField, searchable
from archive.models.constants import NAME_LENGTH, SEARCH_LENGTH
from archive.models.spaces import Space


class PlayerQuerySet(models.QuerySet["Player"]):
    """Queries for players by name, ignoring case and marks."""

    def named(self, name: str) -> PlayerQuerySet:
        """Players of this name: there may be one in each club, and a Dvořák beside a Dvorak."""
        return self.filter(search_name=searchable(name))

    def holding(self, part: str) -> PlayerQuerySet:
        """Players whose name contains this text."""
        return self.filter(search_name__contains=searchable(part))

    def meant_by(self, player: Player | int | str) -> PlayerQuerySet:
        """This player (object, id), or those of this name."""
        if isinstance(player, str):
            return self.named(player)
        return self.filter(pk=player.pk if isinstance(player, Player) else player)

    def with_aliases(self) -> PlayerQuerySet:
        """These players, and the other names of the same persons."""
        heads = self.order_by().values(head=Coalesce("same_as", "pk"))
        return Player.objects.filter(Q(pk__in=heads) | Q(same_as__in=heads))


def display_name(prefix: str = "") -> Any:
    """The display name of a player who is no alias, as a column. ``prefix``: lookup prefix of the
    relation."""
    return Coalesce(NullIf(F(f"{prefix}pseudonym"), Value("")), F(f"{prefix}name"))


def person_seated() -> Any:
    """The person at a seat, as a column: the player's id, or that of the player whose alias he is."""
    return Coalesce("player__same_as", "player")


def name_seated() -> Any:
    """The person's display name, as a column."""
    return Coalesce(display_name("player__same_as__"), display_name("player__"))


class Player(models.Model):
    """A player of a space, known by the name written in the records.

    ``same_as``: the player whose alias this one is; its deals count for that one. ``under``: the player with
    whom it was merged, which may itself be an alias; needed to undo the merge (`archive.storing.players`).
    ``pseudonym`` replaces the name on pages and in exports, if there is one.
    """

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="players", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    search_name = SearchNameField(max_length=SEARCH_LENGTH, editable=False, default="")
    pseudonym = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    same_as = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="aliases"
    )
    under = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["search_name"], name="player_search_name")]
        constraints = [models.UniqueConstraint(fields=["space", "name"], name="player_once_in_space")]

    def __str__(self) -> str:
        return self.display_name

    @property
    def head(self) -> Player:
        """The player for whom the deals of this one count: itself, or the one whose alias it is."""
        return self if self.same_as_id is None else self.same_as

    @property
    def display_name(self) -> str:
        """The name for display: the person's pseudonym, if there is one."""
        head = self.head
        return head.pseudonym or head.name

    @property
    def searchable_name(self) -> str:
        """The name for searching: only the pseudonym, where there is one."""
        return self.head.pseudonym or self.name


class Session(models.Model):
    """Consecutive deals at one table of a space, known by the tag ``Session`` of its records."""

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="sessions", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    search_name = SearchNameField(max_length=SEARCH_LENGTH, editable=False, default="")

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["space", "name"], name="session_once_in_space")]

    def __str__(self) -> str:
        return self.name
