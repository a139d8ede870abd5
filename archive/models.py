"""What the archive keeps.

A *deal* is the cards and what was done with them, there once, with the engine's verdict. A *contribution* is
what one sender said of it: names, session, date, claim, comments. An *upload* is the bytes that were sent, in
*parts* that workers read, check and store. The tables hold what was sent and what the engine answered;
nothing here knows a rule. `docs/architecture.md` says what each column costs.
"""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime
from functools import cached_property
from typing import Any
from zlib import decompress

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Prefetch, Q
from django.utils import timezone

from archive import conf, sheets
from archive.fields import GameField, PackedTextField, SearchNameField, WordField, caseless
from tarock.findings import Finding
from tarock.game import SEATS
from tarock.notation import Entry, NotWritable, Piece, dump_json, read, read_one, write_text
from tarock.record import Record
from tarock.scoring import ScoreLine
from tarock.verify import Check, check_entry

NAME_LENGTH = 200
"""Longest name of a player or a session that is kept: they are looked up by an index of bounded width."""

_SEARCH_LENGTH = 3 * NAME_LENGTH
"""One letter becomes three at most (“ﬃ”)."""

DEAL_VERDICTS = ("verified", "illegal", "incomplete")
"""What the check of a deal can say."""

VERDICTS = ("verified", "disputed", "illegal", "incomplete")
"""What can be said of a contribution: the verdict on its deal, or that the score it claims is another."""

SCORED = ("verified", "disputed")
"""The verdicts of deals that were played to the end by the rules and so have a score."""


# --- who and where ------------------------------------------------------------------------------------------


class PlayerQuerySet(models.QuerySet["Player"]):
    """Players by name, in any case."""

    def named(self, name: str) -> PlayerQuerySet:
        """Those of exactly this name in any case: mostly one, more if it was written in several."""
        return self.filter(search_name=caseless(name))

    def holding(self, part: str) -> PlayerQuerySet:
        """Those whose name holds this."""
        return self.filter(search_name__contains=caseless(part))


class Player(models.Model):
    """Somebody who sat at a table, known by the name written in the records."""

    name = models.CharField(max_length=NAME_LENGTH, unique=True)
    search_name = SearchNameField(max_length=_SEARCH_LENGTH, editable=False, default="")

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["search_name"], name="player_search_name")]

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """A row of deals at one table, known by the name that its records carry in the tag ``Session``."""

    name = models.CharField(max_length=NAME_LENGTH, unique=True)

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return self.name


# --- work for the workers -----------------------------------------------------------------------------------


class WorkQuerySet(models.QuerySet[Any]):
    """Pieces of work by what is to happen with them."""

    def open(self) -> WorkQuerySet:
        """Those that are not at their end."""
        return self.filter(state__in=["waiting", "working"])

    def due(self, now: datetime) -> WorkQuerySet:
        """Those whose time has come: nobody has them, or who had them was not heard of within the lease.

        A time much further ahead than any that is set was set before the clock was put back: it has come,
        too. (A little further ahead it is if it was set just now, after whoever asks looked at the clock.)
        """
        ahead = Q(state="working", due_at__gt=now + 2 * conf.lease())
        ahead |= Q(state="waiting", due_at__gt=now + 2 * conf.LONGEST_DELAY)
        return self.open().filter(Q(due_at__lte=now) | ahead)


class Work(models.Model):
    """A piece of work for one worker, done as a whole or not at all.

    Who takes it counts up ``claims``, by which he is told from who had it before. ``due_at``: from when it
    may be taken; while somebody has it, when his lease ends. ``failed`` means that our own code raised for
    the last time: the operator's.
    """

    STATES = ("waiting", "working", "done", "failed")

    state = WordField(words=STATES, default="waiting")
    claims = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(default=timezone.now)
    error = models.TextField(blank=True, default="", help_text="For the operator: the traceback.")

    objects = WorkQuerySet.as_manager()

    class Meta:
        abstract = True


# --- uploads ------------------------------------------------------------------------------------------------


class Upload(models.Model):
    """One thing that was sent; its bytes, as they came, are in its parts.

    ``kept_at`` is null while bytes still come in; ``finished_at`` while a part is still to be stored.
    """

    SOURCES = ("page", "api", "cli")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="uploads"
    )
    sender = models.CharField(
        max_length=40, blank=True, default="", help_text="Whose quota it counts for: a user or an address."
    )
    source = WordField(words=SOURCES, default="page")
    filename = models.CharField(max_length=255, blank=True, default="")
    media_type = models.CharField(max_length=100, blank=True, default="")
    size = models.PositiveBigIntegerField(default=0, help_text="Bytes that were sent.")
    received_at = models.DateTimeField(default=timezone.now)
    kept_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["user", "id"], name="upload_of_user"),
            models.Index(fields=["sender", "received_at"], name="upload_of_sender"),
            models.Index(fields=["received_at"], name="upload_received"),
        ]

    def __str__(self) -> str:
        return f"upload {self.pk} ({self.filename or self.source}, {self.size} bytes)"

    @property
    def is_finished(self) -> bool:
        """Whether every part of it is stored, or given up."""
        return self.finished_at is not None


class Part(Work):
    """Some whole records of an upload, which one worker stores in one transaction.

    The bytes are kept compressed; empty once the operator's time for them is over.
    """

    QUEUES = ("interactive", "bulk")
    COUNTS = ("stored", "known", "malformed", "refused", "failed")
    """The outcomes of records, each counted in a column."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField(help_text="Position in the upload, from 0.")
    queue = WordField(words=QUEUES, default="interactive")
    data = models.BinaryField(help_text="The bytes, compressed by zlib.")
    line = models.PositiveIntegerField(default=1)
    column = models.PositiveIntegerField(default=1)
    form = WordField(words=("tgn", "json"), default="tgn")
    array = models.BooleanField(default=False)
    torn = models.BooleanField(default=False)
    last = models.BooleanField(default=True)

    records = models.PositiveIntegerField(default=0)
    stored = models.PositiveIntegerField(default=0)
    known = models.PositiveIntegerField(default=0)
    malformed = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    failed = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["number"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state__in=["waiting", "working"]), name="part_open")
        ]
        constraints = [models.UniqueConstraint(fields=["upload", "number"], name="part_once_in_upload")]

    def __str__(self) -> str:
        return f"part {self.number} of upload {self.upload_id}: {self.state}"

    @property
    def bytes(self) -> bytes:
        """The bytes as they were sent; empty if they are not kept any more."""
        return decompress(self.data) if self.data else b""

    @property
    def piece(self) -> Piece:
        """The part as the engine reads it."""
        place = self.line, self.column
        return Piece(self.bytes, *place, self.form, self.array, self.torn, self.last)


class UploadItem(models.Model):
    """What became of records of a part.

    Records that were ``stored`` as new deals or were ``known`` share a row where their deals follow one
    another: ``n`` to ``last`` are the deals from ``deal_id`` on. Every other one has a row of its own:
    ``malformed``, with what is wrong and where; ``refused``, which was read but could not be kept; ``failed``
    through a fault of ours, with the traceback for the operator.
    """

    OUTCOMES = Part.COUNTS

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="items", db_index=False)
    n = models.PositiveIntegerField(help_text="Position in the part, from 0.")
    last = models.PositiveIntegerField(help_text="Position of the last record that the row is about.")
    outcome = WordField(words=OUTCOMES)
    deal_id = models.BigIntegerField(null=True, blank=True, help_text="The deal of the first record.")
    line = models.PositiveIntegerField(null=True, blank=True, help_text="Where the first record begins.")
    differs = models.CharField(
        max_length=200, blank=True, default="", help_text="What he said otherwise before, if anything."
    )
    finding = models.TextField(blank=True, default="", help_text="What is wrong, as JSON.")
    error = models.TextField(blank=True, default="", help_text="For the operator: the traceback.")

    class Meta:
        ordering = ["part", "n"]
        constraints = [
            models.UniqueConstraint(fields=["part", "n"], name="item_once_in_part"),
            models.CheckConstraint(
                condition=Q(outcome__in=["stored", "known"], deal_id__isnull=False)
                | (~Q(outcome__in=["stored", "known"]) & Q(deal_id__isnull=True)),
                name="item_deal_if_kept",
            ),
        ]

    def __str__(self) -> str:
        return f"records {self.n} to {self.last} of part {self.part_id}: {self.outcome}"

    @property
    def found(self) -> Finding | None:
        """What is wrong, as the engine or the archive says it."""
        return sheets.read_finding(json.loads(self.finding)) if self.finding else None


# --- deals --------------------------------------------------------------------------------------------------


class DealQuerySet(models.QuerySet["Deal"]):
    """The questions asked about deals, each under its own name."""

    def scored(self) -> DealQuerySet:
        """Deals played to the end by the rules, whatever their players claimed."""
        return self.filter(verdict="verified")

    def with_player(self, player: Player | int | str) -> DealQuerySet:
        """Deals at which this player (object, number, or name in any case) sat, each once, whoever said
        so."""
        seats = Seat.objects.filter(contribution__deal=OuterRef("pk"))
        if isinstance(player, str):
            seats = seats.filter(player__in=Player.objects.named(player))
        else:
            seats = seats.filter(player=player)
        return self.filter(Exists(seats))

    def played_between(self, first: date | None, last: date | None) -> DealQuerySet:
        """Deals dated within these days, both included; a partly known date counts as its first possible day.

        Undated deals are left out as soon as either end is given.
        """
        query = self
        if first is not None:
            query = query.filter(lead__played_on__gte=first)
        if last is not None:
            query = query.filter(lead__played_on__lte=last)
        return query

    def without_texts(self) -> DealQuerySet:
        """Leave the long texts in the database: for lists, which show none of them."""
        return self.defer("text", "sheet", "lead__comments", "lead__tags")

    def with_lead(self) -> DealQuerySet:
        """Fetch with the deals what their first senders said: session, players in seat order, points."""
        seats = Seat.objects.select_related("player").order_by("seat")
        return self.select_related("lead__session").prefetch_related(Prefetch("lead__seats", queryset=seats))


class Judged(models.Model):
    """The engine's answer on a deal.

    ``clauses``: slugs of the clauses that the lines of the sheet cite, or of the one that was broken;
    ``sheet``: the lines, or the finding, as `archive.sheets` packs them.
    """

    verdict = WordField(words=DEAL_VERDICTS)
    engine_version = models.CharField(max_length=20)
    verified_at = models.DateTimeField()
    clauses = models.TextField(blank=True, default="")
    sheet = PackedTextField()

    class Meta:
        abstract = True


class Deal(Judged):
    """The cards of a deal, all that was done with them, and the engine's verdict on it.

    ``digest`` tells it from every other; ``text`` is its canonical text with letters for names and nothing
    that a sender added (JSON where text cannot write it). Numbers grow in the order in which deals become
    visible. ``lead`` is the first contribution: what lists and pages show of who played and when.
    """

    digest = models.BinaryField(max_length=32, unique=True)
    game = GameField()
    players_count = models.PositiveSmallIntegerField()
    dealer = WordField(words=SEATS)
    declarer = WordField(words=SEATS, null=True, blank=True)
    contract = models.CharField(max_length=100, blank=True, default="")
    text = PackedTextField()
    stored_at = models.DateTimeField()
    # Checked at the end of the transaction, since the two point at each other. Without the index SQLite looks
    # through all deals at each contribution that comes in before its deal is complete.
    lead = models.ForeignKey("Contribution", on_delete=models.PROTECT, related_name="+")

    objects = DealQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["game", "id"], name="deal_of_game"),
            models.Index(fields=["contract", "id"], name="deal_of_contract"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(verdict__in=DEAL_VERDICTS), name="deal_verdict_known"),
            models.CheckConstraint(condition=Q(game__gte=0), name="deal_game_known"),
        ]

    def __str__(self) -> str:
        return f"deal {self.pk} ({self.game}, {self.verdict})"

    @property
    def hex_digest(self) -> str:
        """The digest as it is written."""
        return bytes(self.digest).hex()

    @property
    def seats(self) -> list[Seat]:
        """Who sat where, in seat order, as the first sender said."""
        return list(self.lead.seats.all())

    @property
    def players(self) -> dict[str, str]:
        """The players' names by seat."""
        return {seat.seat: seat.player.name for seat in self.seats}

    @property
    def score(self) -> dict[str, int] | None:
        """Points by seat, the sums of the lines; None for a deal that has no score."""
        if self.verdict != "verified":
            return None
        return {seat.seat: seat.points or 0 for seat in self.seats}

    @cached_property
    def record(self) -> Record:
        """The deal with what its first sender said of it."""
        return self.lead.told(read_one(self.text))

    @cached_property
    def canonical(self) -> str | None:
        """That record in canonical text; None where text cannot write it."""
        try:
            return write_text(self.record)
        except NotWritable:
            return None

    @cached_property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The score sheet as it was reckoned when the verdict was found."""
        return sheets.lines(self.clauses, self.sheet) if self.verdict == "verified" else ()

    @cached_property
    def checked(self) -> Check:
        """What the engine says of the deal now: countings, facts, happenings, and the place of a finding in
        the canonical text."""
        return check_entry(self._entry)

    @cached_property
    def _entry(self) -> Entry:
        return read(self.canonical or dump_json(self.record))[0]

    @cached_property
    def finding(self) -> Finding | None:
        """What broke a rule or is missing, as it was found, with its place in the canonical text."""
        if self.verdict == "verified":
            return None
        found = sheets.finding(self.clauses, self.sheet)
        if found.event is not None:
            line, column, pointer = self._entry.place(found.event)
            found = replace(found, line=line, column=column, pointer=pointer)
        return found


class FormerVerdict(Judged):
    """What the engine answered before, kept when the answer or the version of the engine changed."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="former")

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"deal {self.deal_id} before: {self.verdict} by {self.engine_version}"


class Contribution(models.Model):
    """What one sender said of a deal: names at the seats, session, number, date, claim, comments.

    One of a deal and sender, and what he says changes nothing that another said. ``verdict`` is that on the
    deal, or ``disputed`` where the claim is not its score. ``tags`` and ``comments`` are JSON, empty if there
    are none; tags that have a column of their own are not repeated. ``said`` is a number made of all of it,
    by which the same is known again. The original is record ``n`` of ``part``.
    """

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="contributions", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="contributions",
        db_index=False,
    )
    # Neither index nor constraint: no part is deleted from which a deal was stored.
    part = models.ForeignKey(
        Part, on_delete=models.DO_NOTHING, related_name="contributions", db_index=False, db_constraint=False
    )
    n = models.PositiveIntegerField()
    verdict = WordField(words=VERDICTS)
    session = models.ForeignKey(
        Session, null=True, blank=True, on_delete=models.PROTECT, related_name="contributions", db_index=False
    )
    number = models.PositiveIntegerField(null=True, blank=True)
    date = models.CharField(max_length=10, blank=True, default="", help_text="As written: 2026-11-??")
    played_on = models.DateField(
        null=True, blank=True, help_text="For sorting and filtering: the first day that the date allows."
    )
    event = models.TextField(blank=True, default="")
    site = models.TextField(blank=True, default="")
    claim = models.TextField(blank=True, default="", help_text="As written: A=3 B=-1")
    tags = models.TextField(blank=True, default="")
    comments = models.TextField(blank=True, default="")
    said = models.BigIntegerField()

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["session", "number", "deal"], condition=Q(session__isnull=False), name="of_session"
            ),
            models.Index(
                fields=["played_on", "deal"], condition=Q(played_on__isnull=False), name="played_on"
            ),
            models.Index(fields=["verdict", "deal"], condition=~Q(verdict="verified"), name="of_verdict"),
            models.Index(fields=["user", "deal"], condition=Q(user__isnull=False), name="of_user"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["deal", "user"], name="contribution_once_of_sender"),
            models.CheckConstraint(condition=Q(verdict__in=VERDICTS), name="contribution_verdict_known"),
        ]

    def __str__(self) -> str:
        return f"contribution {self.pk} to deal {self.deal_id}"

    @property
    def claimed(self) -> dict[str, int] | None:
        """The score that its sender wrote down."""
        if not self.claim:
            return None
        return {seat: int(points) for seat, _, points in (part.partition("=") for part in self.claim.split())}

    def told(self, bare: Record) -> Record:
        """The record of a deal with what this sender said of it."""
        own = {
            "Date": self.date,
            "Event": self.event,
            "Site": self.site,
            "Session": self.session.name if self.session else "",
            "Deal": str(self.number or ""),
        }
        return replace(
            bare,
            players={seat.seat: seat.player.name for seat in self.seats.all()},
            tags={name: value for name, value in own.items() if value} | json.loads(self.tags or "{}"),
            comments={int(at): texts for at, texts in json.loads(self.comments or "{}").items()},
            score=self.claimed,
        )


class Seat(models.Model):
    """Who sat where in a deal, as one sender said, and what the rules give that seat (null without a
    score)."""

    pk = models.CompositePrimaryKey("contribution_id", "seat")
    contribution = models.ForeignKey(
        Contribution, on_delete=models.CASCADE, related_name="seats", db_index=False
    )
    seat = WordField(words=SEATS)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats", db_index=False)
    points = models.IntegerField(null=True, blank=True)

    class Meta:
        ordering = ["seat"]
        indexes = [models.Index(fields=["player", "contribution"], name="seat_of_player")]

    def __str__(self) -> str:
        return f"{self.seat} {self.player}"


# --- re-verification ----------------------------------------------------------------------------------------


class Campaign(models.Model):
    """The stored deals verified anew, in chunks; may be stopped and taken up again."""

    STATES = ("running", "stopped", "done")

    state = WordField(words=STATES, default="running")
    started_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True, blank=True)
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    engine_version = models.CharField(max_length=20)
    game = GameField(null=True, blank=True)
    outdated_only = models.BooleanField(
        default=False, help_text="Only verdicts of another version of the engine."
    )

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"campaign {self.pk}: {self.state}"


class Chunk(Work):
    """The deals of a campaign from number ``first`` to ``last``, which one worker verifies."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="chunks", db_index=False)
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    checked = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    faulty = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["first"]
        indexes = [
            models.Index(fields=["due_at"], condition=Q(state__in=["waiting", "working"]), name="chunk_open")
        ]
        constraints = [models.UniqueConstraint(fields=["campaign", "first"], name="chunk_once_in_campaign")]

    def __str__(self) -> str:
        return f"deals {self.first} to {self.last} of campaign {self.campaign_id}: {self.state}"
