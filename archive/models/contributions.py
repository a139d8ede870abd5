"""Contributions (the details that a space provides about a deal), their seats, and their change history."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date, timedelta
from functools import cached_property
from itertools import count
from typing import Any, NamedTuple

import orjson
from django.db import models
from django.db.models import Exists, F, OuterRef, Prefetch, Q, Value
from django.db.models.functions import Coalesce
from django.utils import timezone

from archive.addresses import Key
from archive.fields import WordField, user_or_null
from archive.models.constants import (
    CHOSEN,
    FEED_KINDS,
    NAME_LENGTH,
    PLACES,
    SCORED,
    VERDICTS,
    VISIBILITIES,
)
from archive.models.deals import Deal
from archive.models.players import UNDATED, Player, Session
from archive.models.rules import RuleSet
from archive.models.spaces import Space
from archive.models.uploads import Part
from tarock.core.persons import is_nobody
from tarock.core.record import Record
from tarock.notation.keys import RULES_TAG

PLAYED = Coalesce("played_on", Value(UNDATED))
"""Query expression for the date on which a deal was played; `UNDATED` if it is unknown."""


class ContributionQuerySet(models.QuerySet["Contribution"]):
    def scored(self) -> ContributionQuerySet:
        """Return the contributions to deals with a score by the rules, including those that claim a different
        score."""
        return self.filter(verdict__in=SCORED)

    def counted(self, count: str) -> ContributionQuerySet:
        """Return the contributions that count in a ranking (`COUNTS`): those to deals with a score that comes
        from cards, also those whose score comes from a score sheet, or also results."""
        if count == "all":
            return self.filter(verdict__in=(*SCORED, "stated"))
        return self.scored() if count == "computed" else self.scored().filter(deal__kind="played")

    @staticmethod
    def is_evening_total(prefix: str = "") -> Q:
        """Return the condition that a contribution states the total of an evening. `prefix`: path to the
        contribution."""
        return Q(**{f"{prefix}deal__kind": "result", f"{prefix}number__isnull": True})

    def evening_totals(self) -> ContributionQuerySet:
        """Return the contributions to totals of an evening that count."""
        return self.filter(self.is_evening_total(), session__isnull=False, visibility__in=CHOSEN)

    def without_guests(self, but: Collection[int] = ()) -> ContributionQuerySet:
        """Exclude contributions from guests, except those in the guest spaces with the ids `but`."""
        return self.filter(~Q(space__kind="guest") | Q(space__in=but))

    def prefetched(self, spaces: Collection[int] = ()) -> ContributionQuerySet:
        """Prefetch session, space and seats for display, and add `is_alone`. Order by id."""
        seats = Seat.objects.select_related("player__same_as").order_by("seat")
        query = self.select_related("session", "space").order_by("id").with_is_alone(spaces)
        return query.prefetch_related(Prefetch("seats", queryset=seats))

    def fetch_all(self, spaces: Collection[int] = ()) -> list[Contribution]:
        """Return these contributions in order, with the same data as from `prefetched`. Faster for hundreds
        of rows, because each player, session, space and rule set is fetched only once. At most five queries,
        and one for rule sets if there are any."""
        contributions = list(self.with_is_alone(spaces))
        seats = Seat.objects.filter(contribution__in=[one.pk for one in contributions])
        seats = seats.order_by("contribution_id", "seat")
        rows = list(seats.values_list("contribution_id", "seat", "player_id", "points", "name"))
        players = Player.objects.select_related("same_as").in_bulk({row[2] for row in rows} - {None})
        sessions = Session.objects.in_bulk({one.session_id for one in contributions} - {None})
        spaces_of = {one.space_id for one in contributions}
        by_space = Space.objects.in_bulk(spaces_of)
        if len(by_space) < len(spaces_of):
            # Everything in a space has moved to another since the first query (see `spaces.adopt`), with
            # players and sessions.
            return self.all().fetch_all(spaces)
        seated: dict[int, list[Seated]] = {one.pk: [] for one in contributions}
        for pk, seat, player, points, name in rows:
            seated[pk].append(Seated(seat, players.get(player), points, name))
        space, session = Contribution.space.field, Contribution.session.field
        deals = [one.deal for one in contributions if Contribution.deal.is_cached(one)]
        ruled = [deal for deal in deals if deal.rules_id]
        rule_sets = RuleSet.objects.in_bulk({deal.rules_id for deal in ruled}) if ruled else {}
        for deal in ruled:
            deal.rules = rule_sets[deal.rules_id]
        for one in contributions:
            one.seated = seated[one.pk]
            space.set_cached_value(one, by_space[one.space_id])
            session.set_cached_value(one, sessions.get(one.session_id))
        return contributions

    def with_sender(self) -> ContributionQuerySet:
        """Also fetch each sender's account, but not the original bytes."""
        return self.select_related("part__upload__user").defer("part__data", "part__error")

    def with_is_alone(self, spaces: Collection[int] = ()) -> ContributionQuerySet:
        """Add `is_alone`: whether the deal has no other contribution. If this one was ever public, ignore
        contributions that never were, except in the viewer's `spaces`: the URL must not reveal them."""
        others = Contribution.objects.filter(deal=OuterRef("deal")).exclude(pk=OuterRef("pk"))
        others = others.filter(Q(was_public__gte=OuterRef("was_public")) | Q(space__in=list(spaces)))
        return self.annotate(is_alone=~Exists(others))

    def with_has_sheet(self) -> ContributionQuerySet:
        """Add `has_sheet`: whether the contribution covers a score sheet of the same deal."""
        sheets = Contribution.objects.filter(
            replaced_by=OuterRef("pk"), visibility="covered", deal__kind="sheet"
        )
        return self.annotate(has_sheet=Exists(sheets.order_by()))

    def with_player(self, player: Player | int | str, seat: Q | None = None) -> ContributionQuerySet:
        """Return contributions with this player at a seat, under any of the player's names. `player`: a
        `Player`, an id, or a name in any spelling; `seat`: condition on the player's seat."""
        # Query the player ids separately, because no database finds a good plan for a single query.
        persons = Player.objects.meant_by(player).with_aliases().order_by()
        numbers = list(persons.values_list("pk", flat=True))
        seats = Seat.objects.filter(player__in=numbers)
        return self.filter(pk__in=(seats.filter(seat) if seat else seats).order_by().values("contribution"))

    def played_between(self, first: date | None, last: date | None) -> ContributionQuerySet:
        """Return contributions dated from `first` to `last`, inclusive. A partly known date matches if every
        day that it could be is in this range. Undated contributions match only if both bounds are None."""
        query = self if first is None and last is None else self.alias(played=PLAYED)
        if first is not None:
            query = query.filter(played__gte=first)
        if last is not None:
            query = query.filter(played__range=(UNDATED + timedelta(days=1), last))
            after = min(last, date.max - timedelta(days=1)) + timedelta(days=1)
            whole_month, whole_year = after.replace(day=1), after.replace(month=1, day=1)
            query = query.exclude(date__endswith="-??", played_on__gte=whole_month)
            query = query.exclude(date__contains="-??-", played_on__gte=whole_year)
        return query


class Seated(NamedTuple):
    """The player at a seat, and the seat's points as scored by the rules (None without a score). The seat
    counts for no player if the name means an unknown player (`?`), or if another seat has the same name
    (`tarock.core.persons`). Then `player` is None, and `name` is the name to display."""

    seat: str
    player: Player | None
    points: int | None
    name: str = ""

    @property
    def written(self) -> str:
        """The name as written in the record, or `name` if the seat counts for no player."""
        return self.player.name if self.player else self.name

    @property
    def display_name(self) -> str:
        """The name to display: the player's pseudonym if there is one."""
        return self.player.display_name if self.player else self.name

    @property
    def person(self) -> int | None:
        """Id of the person whose results include the seat; None if the seat counts for no player."""
        return self.player.head.pk if self.player else None


class Contribution(models.Model):
    """The details that a space provides about a deal: names at the seats, session, number, date, claim,
    comments.

    A space has at most one contribution to a deal. Contributions of different spaces don't affect each other.
    `verdict` is the verdict on the deal, or `disputed` if the claim differs from the deal's score. `tags` and
    `comments` are JSON, or empty if there are none; `tags` omits tags that have their own column.
    `fingerprint` is a hash of all details. `event_search`, `site_search` and `text_search` (tags and
    comments) contain `searchable` forms. The original is the record at position `n` (from 0) in `part`, whose
    upload names the sender. `replaced_by` is the contribution that replaced this one or, for a covered sheet,
    the contribution to the deal with the cards. `covered_visibility` is the visibility that a replaced or
    covered contribution had before, null if unknown. `feed_number` and `feed_kind` describe the latest change
    (`archive.storing.feed`). `was_public` says whether the contribution was ever public: if so, the feed
    tells everybody when it no longer is.
    """

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="contributions", db_index=False)
    space = models.ForeignKey(Space, on_delete=models.PROTECT, related_name="contributions", db_index=False)
    visibility = WordField(words=VISIBILITIES, default="public")
    covered_visibility = WordField(words=CHOSEN, null=True, blank=True)
    replaced_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaces", db_index=False
    )
    # No index and no constraint, because a part with a contribution is never deleted.
    part = models.ForeignKey(
        Part, on_delete=models.DO_NOTHING, related_name="contributions", db_index=False, db_constraint=False
    )
    n = models.PositiveIntegerField()
    verdict = WordField(words=VERDICTS)
    session = models.ForeignKey(
        Session, null=True, blank=True, on_delete=models.PROTECT, related_name="contributions", db_index=False
    )
    number = models.PositiveIntegerField(null=True, blank=True)
    deals_played = models.PositiveIntegerField(
        null=True, blank=True, help_text="Of the total of an evening: number of deals, if stated."
    )
    deals_count = models.BooleanField(
        null=True, help_text="Of the total of an evening: whether the deals count instead."
    )
    date = models.CharField(max_length=10, blank=True, default="", help_text="As written: 2026-11-??")
    played_on = models.DateField(
        null=True, blank=True, help_text="For sorting and filtering: the first day that the date allows."
    )
    event = models.TextField(blank=True, default="")
    site = models.TextField(blank=True, default="")
    claim = models.TextField(blank=True, default="", help_text="As written: A=3 B=-1")
    tags = models.TextField(blank=True, default="")
    comments = models.TextField(blank=True, default="")
    fingerprint = models.BigIntegerField()
    feed_number = models.BigIntegerField(unique=True)
    feed_kind = WordField(words=FEED_KINDS, default="stored")
    was_public = models.BooleanField()
    event_search = models.TextField(blank=True, default="", editable=False)
    site_search = models.TextField(blank=True, default="", editable=False)
    text_search = models.TextField(blank=True, default="", editable=False)

    objects = ContributionQuerySet.as_manager()

    is_readable: bool
    """Whether the viewer may read the contribution. Set by the queries of `archive.access`."""
    is_alone: bool
    """See `ContributionQuerySet.with_is_alone`."""
    has_sheet: bool
    """See `ContributionQuerySet.with_has_sheet`."""

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["session", "visibility"], condition=Q(session__isnull=False), name="of_session"
            ),
            models.Index(PLAYED, F("deal"), name="played_on"),
            models.Index(fields=["verdict", "deal"], condition=~Q(verdict="verified"), name="of_verdict"),
            models.Index(fields=["space", "deal"], name="of_space"),
            models.Index(F("space"), PLAYED, name="of_space_by_day"),
            models.Index(
                fields=["space", "played_on"], condition=Q(session__isnull=True), name="without_session"
            ),
            models.Index(fields=["replaced_by"], condition=Q(replaced_by__isnull=False), name="replaced_by"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["deal", "space"], name="contribution_once_of_space"),
            models.CheckConstraint(condition=Q(verdict__in=VERDICTS), name="contribution_verdict_known"),
        ]

    def __str__(self) -> str:
        return f"contribution {self.pk} to deal {self.deal_id}"

    @property
    def key(self) -> Key:
        """Key for the URL that shows the deal as this contribution describes it."""
        return Key(self.deal_id, self.pk)

    @property
    def chosen_visibility(self) -> str:
        """The visibility of the contribution, or the one that it had before it was replaced, covered or
        withdrawn; an empty string if that is unknown."""
        return self.visibility if self.visibility in CHOSEN else self.covered_visibility or ""

    @property
    def rules_label(self) -> str:
        """The name of the rules in the record, or an empty string."""
        return _unpacked(self.tags).get(RULES_TAG, "") if RULES_TAG in self.tags else ""

    @property
    def sender(self) -> Any:
        """The user who sent the contribution; None if nobody was signed in, or if the account was deleted."""
        return self.part.upload.user

    @cached_property
    def seated(self) -> list[Seated]:
        """The players at the seats, with their points, in seat order."""
        return [Seated(seat.seat, seat.player, seat.points, seat.name) for seat in self.seats.all()]

    @property
    def claimed(self) -> dict[str, int] | None:
        """The score that the sender claims, as points by seat; None if there is no claim."""
        if not self.claim:
            return None
        return {seat: int(points) for seat, _, points in (part.partition("=") for part in self.claim.split())}

    def record(self, bare: Record, *, as_written: bool = False) -> Record:
        """Return the deal's record `bare` with this contribution's details added. The names are display names
        or, with `as_written`, the names as written."""
        beside = self._beside()
        beside["comments"] = {int(at): texts for at, texts in beside["comments"].items()}
        if as_written:
            beside["players"] = self._players("written")
        return replace(bare, **beside)

    def json_form(self, bare: dict[str, Any]) -> dict[str, Any]:
        """Return the deal's JSON form `bare` with the details of this contribution."""
        form = bare | self._beside()
        if form["score"] is None:
            del form["score"]
        if "result" in form:
            players = form.pop("players")
            form["result"] = [[players[place], points] for place, points in bare["result"]]
        return form

    def _beside(self) -> dict[str, Any]:
        """Return the details of the contribution, keyed as in the JSON form."""
        own = {
            "Date": self.date,
            "Event": self.event,
            "Site": self.site,
            "Session": self.session.name if self.session else "",
            "Deal": str(self.number or ""),
        }
        return {
            "players": self._players("display_name"),
            "tags": {name: value for name, value in own.items() if value} | _unpacked(self.tags),
            "comments": _unpacked(self.comments),
            "score": self.claimed,
        }

    def _players(self, name: str) -> dict[str, str]:
        """Return the players by seat, under this name of a `Seated`. A result must name each player once, but
        two of its players may have become one person since; these get numbers."""
        players = {seat.seat: getattr(seat, name) for seat in self.seated}
        return _told_apart(players) if "1" in players else players


def _told_apart(players: dict[str, str]) -> dict[str, str]:
    """Add a number to the second and each further appearance of a player’s name: `Jan`, `Jan (2)`."""
    taken: set[str] = set()
    for place, name in players.items():
        if not is_nobody(name):
            numbered = (f"{name} ({n})" if n > 1 else name for n in count(1))
            players[place] = next(one for one in numbered if one not in taken)
        taken.add(players[place])
    return players


def _unpacked(text: str) -> dict[str, Any]:
    return orjson.loads(text) if text else {}


class Seat(models.Model):
    """The player at a seat of a contribution, and the seat's points as scored by the rules (null without a
    score). `name`: empty unless the seat counts for no player; see `Seated`."""

    pk = models.CompositePrimaryKey("contribution_id", "seat")
    contribution = models.ForeignKey(
        Contribution, on_delete=models.CASCADE, related_name="seats", db_index=False
    )
    seat = WordField(words=PLACES)
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.PROTECT, related_name="seats", db_index=False
    )
    name = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")
    points = models.IntegerField(null=True, blank=True)

    class Meta:
        ordering = ["seat"]
        # The index leaves out the contribution, so that all seats of a player share one entry.
        indexes = [models.Index(fields=["player"], name="seat_player")]

    def __str__(self) -> str:
        return f"{self.seat} {self.display_name}"

    display_name = Seated.display_name


class Change(models.Model):
    """A change to a contribution: who made it and when, and the values before and after. `what`: JSON
    that maps the name of each changed detail to [before, after] (`archive.storing.corrections`); `key`:
    idempotency key of the request, if it had one; `friend`: see `Upload`."""

    contribution = models.ForeignKey(Contribution, on_delete=models.CASCADE, related_name="changes")
    user = user_or_null()
    at = models.DateTimeField(default=timezone.now)
    what = models.JSONField()
    key = models.CharField(max_length=255, blank=True, default="")
    friend = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"change of {self.contribution}: {', '.join(self.what)}"
