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
    """Players by name, whatever its case and marks."""

    def named(self, name: str) -> PlayerQuerySet:
        """Those of this name: there may be one in each club, and a Dvořák beside a Dvorak."""
        return self.filter(search_name=searchable(name))

    def holding(self, part: str) -> PlayerQuerySet:
        """Those whose name holds this."""
        return self.filter(search_name__contains=searchable(part))

    def with_aliases(self) -> PlayerQuerySet:
        """These, and all that are the same persons under other names."""
        heads = self.order_by().values(head=Coalesce("same_as", "pk"))
        return Player.objects.filter(Q(pk__in=heads) | Q(same_as__in=heads))


def display_name(prefix: str = "") -> Any:
    """The name by which a player is shown who is no other's second name, as a column; ``way``: how to come
    to him."""
    return Coalesce(NullIf(F(f"{prefix}pseudonym"), Value("")), F(f"{prefix}name"))


def person_seated() -> Any:
    """Who sat at a seat, as a column: the player's number, or his whose other name he is."""
    return Coalesce("player__same_as", "player")


def name_seated() -> Any:
    """The name by which he is shown, as a column."""
    return Coalesce(display_name("player__same_as__"), display_name("player__"))


class Player(models.Model):
    """Somebody who sat at a table of a space, known by the name written in the records.

    ``same_as``: the player that he is under another name; his deals count for that one. ``under``: the one
    that he was put under, who may be another name himself, so that this can be undone
    (`archive.storing.players`).
    ``pseudonym`` is shown and exported in place of the name, if there is one.
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
        """The player for whom his deals count: himself, or whose other name he is."""
        return self if self.same_as_id is None else self.same_as

    @property
    def display_name(self) -> str:
        """The name that is shown: the pseudonym of the person, if he has one."""
        head = self.head
        return head.pseudonym or head.name

    @property
    def found_by(self) -> str:
        """The name by which he is found: no other where he has a pseudonym."""
        return self.head.pseudonym or self.name


class Session(models.Model):
    """A row of deals at one table of a space, known by the name that its records carry in the tag
    ``Session``."""

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="sessions", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    search_name = SearchNameField(max_length=SEARCH_LENGTH, editable=False, default="")

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["space", "name"], name="session_once_in_space")]

    def __str__(self) -> str:
        return self.name

    @property
    def found_by(self) -> str:
        """The name by which it is found."""
        return self.name
