"""Players and sessions of spaces."""

from __future__ import annotations

import datetime
from functools import reduce
from itertools import permutations
from typing import Any

from django.db import models
from django.db.models import F, Q, Value
from django.db.models.functions import Coalesce, NullIf

from archive.fields import SearchNameField, SortNameField
from archive.lookups import Folded, folded, holding, spellings, words
from archive.models.constants import NAME_LENGTH, SEARCH_LENGTH
from archive.models.spaces import Space

UNDATED = datetime.date.min
"""Placeholder for an unknown date, because no index that both databases support sorts NULL last."""


class PlayerQuerySet(models.QuerySet["Player"]):
    """Queries for players by name in any spelling (`archive.lookups`)."""

    def named(self, name: str) -> PlayerQuerySet:
        """Return players with this name, in any spelling and word order. There can be several: each club can
        have one, and a club can have both Dvořák and Dvorak. If the name has a digraph, also compare it with
        the stored names: only these show that Mueller is Müller but Michael is not Michal."""
        parts = name.split()
        orders = [" ".join(order) for order in permutations(parts)] if len(parts) < 4 else [name]
        keys = [folded(order) for order in orders]
        candidates = self.filter(reduce(Q.__or__, (Q(search_name__folded=key) for key in keys)))
        if spellings(name) == [{word} for word in folded(name).split()]:
            return candidates.filter(search_name__bare__in=keys)
        wanted = [spellings(order) for order in orders]
        players = [
            player.pk
            for player in candidates.select_related("same_as")
            if any(all(map(set.intersection, one, spellings(player.searchable_name))) for one in wanted)
        ]
        return self.filter(pk__in=players)

    def holding(self, text: str) -> PlayerQuerySet:
        """Return players whose name contains every word of this text."""
        return self.filter(holding(Player, ["search_name"], words(text)))

    def meant_by(self, player: Player | int | str) -> PlayerQuerySet:
        """Return one player by object or id, or all players with this name."""
        if isinstance(player, str):
            return self.named(player)
        return self.filter(pk=player.pk if isinstance(player, Player) else player)

    def with_aliases(self) -> PlayerQuerySet:
        """Return these players, their main players, and all aliases of these main players."""
        heads = self.order_by().values(head=Coalesce("same_as", "pk"))
        return Player.objects.filter(Q(pk__in=heads) | Q(same_as__in=heads))


_LISTED = Q(same_as=None)
"""Condition for players who are not aliases."""


def display_name(prefix: str = "") -> Any:
    """Return a query expression for a main player's display name. `prefix`: lookup path to the player."""
    return Coalesce(NullIf(F(f"{prefix}pseudonym"), Value("")), F(f"{prefix}name"))


def person_seated() -> Any:
    """Return a query expression for the id of the person at a seat (for an alias, the main player)."""
    return Coalesce("player__same_as", "player")


def name_seated() -> Any:
    """Return a query expression for the display name of the person at a seat."""
    return Coalesce(display_name("player__same_as__"), display_name("player__"))


class WithFigures(models.Model):
    """A model with precomputed figures (the columns `FIGURES`). Only `archive.storing.sums` writes them;
    `save` leaves them unchanged."""

    FIGURES: tuple[str, ...] = ()

    class Meta:
        abstract = True

    def save(self, *args: Any, **options: Any) -> None:
        """Save all columns except the figures. A new row gets their default values."""
        if not self._state.adding and options.get("update_fields") is None:
            names = [field.name for field in self._meta.concrete_fields if not field.primary_key]
            options["update_fields"] = [name for name in names if name not in self.FIGURES]
        super().save(*args, **options)


class Player(WithFigures):
    """A player of a space, known by the name written in the records.

    `same_as`: for an alias, the main player, for whom the alias's deals count. `under`: the player that this
    one was merged into, which may itself be an alias; needed to undo the merge (`archive.storing.players`).
    `can_be_followed`: whether others may follow them, and everybody read the feed of their deals.
    `pseudonym`: replaces the name on pages and in exports; may be empty. `sort_name` and `sort_name_cs`: sort
    keys of the display name, null until the sweeper has filled them in. `public_deals`: number of public
    deals in which the person sat, under any name; `whole_deals`: the same for all deals that members of the
    space can see.
    """

    FIGURES = ("public_deals", "whole_deals")

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="players", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    search_name = SearchNameField(max_length=SEARCH_LENGTH, editable=False, default="")
    pseudonym = models.CharField(max_length=NAME_LENGTH, blank=True, default="")
    same_as = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="aliases"
    )
    can_be_followed = models.BooleanField(db_default=True, default=True)
    under = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    sort_name = SortNameField("en", null=True, editable=False)
    sort_name_cs = SortNameField("cs", null=True, editable=False)
    public_deals = models.IntegerField(db_default=0, editable=False)
    whole_deals = models.IntegerField(db_default=0, editable=False)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        indexes = [
            models.Index(fields=["search_name"], name="player_search_name"),
            models.Index(Folded("search_name"), name="player_search_name_folded"),
            models.Index(fields=["sort_name", "id"], condition=_LISTED, name="player_sort_name"),
            models.Index(fields=["sort_name_cs", "id"], condition=_LISTED, name="player_sort_name_cs"),
            models.Index(fields=["id"], condition=Q(sort_name=None), name="player_unsorted"),
        ]
        constraints = [models.UniqueConstraint(fields=["space", "name"], name="player_once_in_space")]

    def __str__(self) -> str:
        return self.display_name

    @property
    def head(self) -> Player:
        """The player for whom the deals count: for an alias the main player, otherwise this player."""
        return self if self.same_as_id is None else self.same_as

    def all_names(self) -> list[int]:
        """Return the ids of the person's main player and all aliases. One query."""
        head = self.same_as_id or self.pk
        persons = Player.objects.filter(Q(pk=head) | Q(same_as=head)).order_by()
        return list(persons.values_list("pk", flat=True))

    @property
    def display_name(self) -> str:
        """The name to display: the person's pseudonym if there is one."""
        head = self.head
        return head.pseudonym or head.name

    @property
    def searchable_name(self) -> str:
        """The name for searching: the pseudonym if there is one, because a pseudonym hides the name."""
        return self.head.pseudonym or self.name


class Session(WithFigures):
    """Consecutive deals of a space, identified by the tags `Session` and `Date` of the records. `date`: as
    written, with `??` for unknown parts; empty if there is no date. Sessions with the same name but different
    dates are different sessions. An evening that continues after midnight keeps the date on which it began.
    `public_deals`, `public_first`, `public_last`: number, first day and last day of the public deals;
    `whole_…`: the same for all deals that members of the space can see."""

    FIGURES = (
        "public_deals", "public_first", "public_last", "whole_deals", "whole_first", "whole_last",
    )  # fmt: skip

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="sessions", db_index=False)
    name = models.CharField(max_length=NAME_LENGTH)
    date = models.CharField(max_length=10, blank=True, default="", db_default="")
    search_name = SearchNameField(max_length=SEARCH_LENGTH, editable=False, default="")
    public_deals = models.IntegerField(db_default=0, editable=False)
    public_first = models.DateField(null=True, editable=False)
    public_last = models.DateField(null=True, editable=False)
    whole_deals = models.IntegerField(db_default=0, editable=False)
    whole_first = models.DateField(null=True, editable=False)
    whole_last = models.DateField(null=True, editable=False)

    deal_count: int
    """Number of deals that the viewer can see. Set by `find_sessions`, like `first_day` and `last_day`."""
    first_day: datetime.date | None
    last_day: datetime.date | None

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(
                Coalesce("public_last", Value(UNDATED)).desc(),
                F("id").desc(),
                condition=Q(public_deals__gt=0),
                name="session_by_day",
            ),
            models.Index(
                "space",
                Coalesce("whole_last", Value(UNDATED)).desc(),
                F("id").desc(),
                name="session_of_space",
            ),
        ]
        constraints = [models.UniqueConstraint(fields=["space", "name", "date"], name="session_once_on_date")]

    def __str__(self) -> str:
        return self.name
