"""What the archive stores: deals with their verdicts, who sat where, uploads, and every run of the engine.

The tables hold what was sent and what the engine answered; nothing here knows a rule. Writing is done by
``archive.services`` and reading by ``archive.selectors``; the query sets below name what both ask for.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime
from typing import Any
from unicodedata import normalize

from django.conf import settings
from django.db import models
from django.db.models import Exists, OuterRef, Prefetch, Q
from django.utils import timezone

from tarock import scoring, sentences

NAME_LENGTH = 200
"""Longest name of a player or a session that is kept: they are looked up by an index of bounded width."""

_SEARCH_LENGTH = 3 * NAME_LENGTH
"""One letter becomes three at most (“ﬃ”)."""

SEATS = [(letter, letter) for letter in "ABCDEFGH"]


class Verdict(models.TextChoices):
    """What the check of a stored deal said; the empty string while it has not been checked."""

    VERIFIED = "verified", "verified"
    DISPUTED = "disputed", "disputed"
    ILLEGAL = "illegal", "illegal"
    INCOMPLETE = "incomplete", "incomplete"


SCORED = (Verdict.VERIFIED, Verdict.DISPUTED)
"""The verdicts of deals that were played to the end by the rules and so have a score."""


def caseless(text: str) -> str:
    """A text by which it is found in any case: the same for two that differ only in capitals and small
    letters of whatever alphabet, or in how an accented letter is encoded.

    This is the canonical caseless match of the Unicode standard (3.13, D145). The databases are not asked:
    SQLite knows of no letters but the 26, PostgreSQL of those of its locale.
    """
    return normalize("NFC", normalize("NFD", text).casefold())


class SearchNameField(models.CharField):
    """The `caseless` form of the row's ``name``, filled in whenever the row is saved, in bulk too."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        value = caseless(model_instance.name)
        setattr(model_instance, self.attname, value)
        return value


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
    created_at = models.DateTimeField(default=timezone.now)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        ordering = ["name"]
        indexes = [models.Index(fields=["search_name"], name="player_search_name")]

    def __str__(self) -> str:
        return self.name


class Session(models.Model):
    """A row of deals at one table, known by the name that its records carry in the tag ``Session``."""

    name = models.CharField(max_length=NAME_LENGTH, unique=True)
    created_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [models.Index(fields=["-created_at", "-id"], name="session_newest")]

    def __str__(self) -> str:
        return self.name


class Upload(models.Model):
    """One thing that was sent: its bytes exactly as they came, and what became of each record in it.

    The bytes are kept whatever they hold, so that a reader's fault can be mended and the upload read again.
    Who reads it takes it first: ``attempts`` counts that and so tells the holder of a claim from one who lost
    it; should he never be heard of again, a worker reads it at ``next_try_at``.
    """

    class Source(models.TextChoices):
        PAGE = "page", "upload page"
        API = "api", "API"
        CLI = "cli", "command line"

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="uploads"
    )
    source = models.CharField(max_length=4, choices=Source.choices, default=Source.PAGE)
    raw = models.BinaryField()
    size = models.PositiveIntegerField(help_text="Bytes in the upload.")
    filename = models.CharField(max_length=255, blank=True, default="")
    media_type = models.CharField(max_length=100, blank=True, default="")
    received_at = models.DateTimeField(default=timezone.now)
    error = models.TextField(
        blank=True,
        default="",
        help_text="For the operator: the traceback of what kept it from being read or stored.",
    )
    attempts = models.PositiveSmallIntegerField(default=0)
    next_try_at = models.DateTimeField(
        null=True, blank=True, help_text="While it is not stored: when a worker reads it (again)."
    )

    class Meta:
        ordering = ["-received_at", "-id"]
        indexes = [
            models.Index(fields=["user", "-received_at"], name="upload_of_user"),
            models.Index(fields=["-received_at", "-id"], name="upload_newest"),
            models.Index(
                fields=["next_try_at"], condition=Q(next_try_at__isnull=False), name="upload_waiting"
            ),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(source__in=["page", "api", "cli"]), name="upload_source_known"
            ),
        ]

    def __str__(self) -> str:
        return f"upload {self.pk} ({self.filename or self.get_source_display()}, {self.size} bytes)"

    @property
    def is_waiting(self) -> bool:
        """Whether it is kept, but not stored yet, and will be without anybody's doing."""
        return self.next_try_at is not None


class DealQuerySet(models.QuerySet["Deal"]):
    """The questions asked about deals, each under its own name."""

    def newest_first(self) -> DealQuerySet:
        """The latest stored deal first; the deals of one upload count as stored in the order of its text."""
        return self.order_by("-created_at", "-id")

    def pending(self) -> DealQuerySet:
        """Deals that no verdict has been found for yet: what is still to be done."""
        return self.filter(verdict="")

    def scored(self) -> DealQuerySet:
        """Deals played to the end by the rules, whatever their players claimed."""
        return self.filter(verdict__in=SCORED)

    def with_player(self, player: Player | int | str) -> DealQuerySet:
        """Deals at which this player (object, number, or name in any case) sat, each once."""
        seats = Seat.objects.filter(deal=OuterRef("pk"))
        if isinstance(player, str):
            seats = seats.filter(player__in=Player.objects.named(player))
        else:
            seats = seats.filter(player=player)
        return self.filter(Exists(seats))

    def in_session(self, session: Session | int | str) -> DealQuerySet:
        """Deals of this session (object, number or exact name)."""
        if isinstance(session, str):
            return self.filter(session__name=session)
        return self.filter(session=session)

    def played_between(self, first: date | None, last: date | None) -> DealQuerySet:
        """Deals dated within these days, both included; a partly known date counts as its first possible day.

        Undated deals are left out as soon as either end is given.
        """
        query = self
        if first is not None:
            query = query.filter(played_on__gte=first)
        if last is not None:
            query = query.filter(played_on__lte=last)
        return query

    def without_texts(self) -> DealQuerySet:
        """Leave the long texts in the database: for lists, which show none of them."""
        return self.defer(*Deal.TEXTS)

    def with_seating(self) -> DealQuerySet:
        """Fetch players and points with the deals, in seat order."""
        seats = Seat.objects.select_related("player").order_by("seat")
        return self.prefetch_related(Prefetch("seating", queryset=seats))


class Deal(models.Model):
    """One stored record: a deal as it was played, and the current verdict on it.

    ``digest`` says whether two records are the same deal; ``record`` is the canonical JSON form of the
    whole record and what the engine is given; ``text`` the canonical TGN (null where text cannot hold the
    record); ``original`` what was sent for it. Everything from ``verdict`` down to ``verified_at`` is the
    engine's last answer.
    """

    TEXTS = ("record", "text", "original", "countings")
    """The long ones among the fields."""

    digest = models.CharField(max_length=64, unique=True)
    game = models.CharField(max_length=20)
    players_count = models.PositiveSmallIntegerField()
    dealer = models.CharField(max_length=1, choices=SEATS)
    date_text = models.CharField(max_length=40, blank=True, default="", help_text="As written: 2026-11-??")
    played_on = models.DateField(
        null=True, blank=True, help_text="For sorting and filtering: the first day that the date allows."
    )
    event = models.TextField(blank=True, default="")
    site = models.TextField(blank=True, default="")
    session = models.ForeignKey(
        Session, null=True, blank=True, on_delete=models.SET_NULL, related_name="deals", db_index=False
    )
    deal_number = models.PositiveIntegerField(null=True, blank=True)
    options = models.JSONField(default=list, blank=True)
    claim = models.JSONField(null=True, blank=True)
    record = models.TextField()
    text = models.TextField(null=True, blank=True)  # noqa: DJ001 - null is not an empty text
    original = models.TextField()
    original_form = models.CharField(max_length=4, choices=[("tgn", "TGN"), ("json", "JSON")])

    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True, default="")
    score = models.JSONField(null=True, blank=True)
    facts = models.JSONField(default=dict, blank=True)
    countings = models.JSONField(default=list, blank=True)
    finding = models.JSONField(null=True, blank=True)
    declarer = models.CharField(max_length=1, choices=SEATS, blank=True, default="")
    contract = models.CharField(max_length=100, blank=True, default="")
    engine_version = models.CharField(max_length=40, blank=True, default="")
    verified_at = models.DateTimeField(null=True, blank=True)

    created_at = models.DateTimeField(default=timezone.now)
    uploaded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="deals"
    )
    upload = models.ForeignKey(Upload, null=True, blank=True, on_delete=models.SET_NULL, related_name="deals")

    objects = DealQuerySet.as_manager()

    class Meta:
        ordering = ["-created_at", "-id"]
        indexes = [
            models.Index(fields=["-created_at", "-id"], name="deal_newest"),
            models.Index(fields=["game", "-created_at", "-id"], name="deal_of_game"),
            models.Index(fields=["verdict", "-created_at", "-id"], name="deal_of_verdict"),
            models.Index(fields=["played_on"], name="deal_played_on"),
            models.Index(fields=["session", "deal_number", "created_at"], name="deal_of_session"),
            models.Index(fields=["contract", "-created_at"], name="deal_of_contract"),
            models.Index(fields=["id"], condition=Q(verdict=""), name="deal_pending"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(verdict__in=["", *Verdict.values]), name="deal_verdict_known"),
            models.CheckConstraint(
                condition=Q(verdict="", verified_at__isnull=True)
                | (~Q(verdict="") & Q(verified_at__isnull=False)),
                name="deal_verdict_has_time",
            ),
            models.CheckConstraint(
                condition=Q(verdict__in=SCORED) | Q(score__isnull=True), name="deal_score_only_if_scored"
            ),
        ]

    def __str__(self) -> str:
        return f"deal {self.pk} ({self.game}, {self.verdict or 'pending'})"

    @property
    def is_pending(self) -> bool:
        """Whether no verdict has been found yet."""
        return not self.verdict


class SeatQuerySet(models.QuerySet["Seat"]):
    def with_points(self) -> SeatQuerySet:
        """Seats of deals that have a score."""
        return self.filter(points__isnull=False)


class Seat(models.Model):
    """Who sat where in one deal, and what the engine gives that seat (null where there is no score)."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="seating", db_index=False)
    seat = models.CharField(max_length=1, choices=SEATS)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats", db_index=False)
    points = models.IntegerField(null=True, blank=True)

    objects = SeatQuerySet.as_manager()

    class Meta:
        ordering = ["seat"]
        indexes = [models.Index(fields=["player", "deal"], name="seat_of_player")]
        constraints = [models.UniqueConstraint(fields=["deal", "seat"], name="seat_once_in_deal")]

    def __str__(self) -> str:
        return f"{self.seat} {self.player}"


OPEN_RUN = Q(state__in=["queued", "running"]) | Q(state="failed", next_try_at__isnull=False)
"""A run that still has something before it: waiting, being worked on, or to be tried again."""


class RunQuerySet(models.QuerySet["VerificationRun"]):
    """Runs by what is to happen with them."""

    def open(self) -> RunQuerySet:
        """Runs that still have something before them: waiting, being worked on, or to be tried again."""
        return self.filter(OPEN_RUN)

    def claimable(self, now: datetime) -> RunQuerySet:
        """Runs that a worker may take now."""
        return self.filter(Q(state="queued") | Q(state="failed", next_try_at__lte=now))

    def lost(self, claimed_before: datetime) -> RunQuerySet:
        """Runs whose worker took them and was not heard of again within the lease."""
        return self.filter(state="running", claimed_at__lt=claimed_before)

    def given_up(self) -> RunQuerySet:
        """Runs that failed for the last time: for the operator to look at."""
        return self.filter(state="failed", next_try_at__isnull=True)


class VerificationRun(models.Model):
    """One check of a deal by one version of the engine, from being queued to its end.

    ``done`` means that the engine answered, whatever the answer; ``failed`` that our own code raised, which
    says nothing about the deal. A failed run with ``next_try_at`` is taken again from then on; without, it
    was the last attempt. ``attempts`` counts the claims and so tells the holder of a claim from one who lost
    it.
    """

    class State(models.TextChoices):
        QUEUED = "queued", "queued"
        RUNNING = "running", "running"
        DONE = "done", "done"
        FAILED = "failed", "failed"

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="runs", db_index=False)
    state = models.CharField(max_length=7, choices=State.choices, default=State.QUEUED)
    engine_version = models.CharField(max_length=40, blank=True, default="")
    verdict = models.CharField(max_length=10, choices=Verdict.choices, blank=True, default="")
    finding = models.JSONField(null=True, blank=True)
    score = models.JSONField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    traceback = models.TextField(blank=True, default="")
    queued_at = models.DateTimeField(default=timezone.now)
    claimed_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    next_try_at = models.DateTimeField(null=True, blank=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["deal", "-id"], name="run_of_deal"),
            models.Index(fields=["state", "queued_at"], condition=~Q(state="done"), name="run_not_done"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["queued", "running", "done", "failed"]), name="run_state_known"
            ),
            models.CheckConstraint(
                condition=(Q(state="done") & ~Q(verdict="")) | (~Q(state="done") & Q(verdict="")),
                name="run_verdict_when_done",
            ),
            # One deal is never worked on twice at a time: who queues it second finds the run that is there.
            models.UniqueConstraint(
                fields=["deal"],
                condition=OPEN_RUN,
                name="run_one_open_per_deal",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} of deal {self.deal_id}: {self.verdict or self.state}"


class ScoreLine(models.Model):
    """One line of the score sheet of a deal's current verdict, as the engine wrote it."""

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="score_lines", db_index=False)
    run = models.ForeignKey(VerificationRun, on_delete=models.CASCADE, related_name="score_lines")
    position = models.PositiveSmallIntegerField()
    clause = models.CharField(max_length=80)
    points = models.JSONField()
    quantity = models.JSONField(default=dict, blank=True)
    sentences = models.JSONField(default=list, blank=True)
    events = models.JSONField(default=list, blank=True)

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint(fields=["deal", "position"], name="score_line_once_in_deal")]

    def __str__(self) -> str:
        return f"{self.clause}: {self.reckoning or self.points}"

    @property
    def scored(self) -> scoring.ScoreLine:
        """The line as the engine made it."""
        said, events = tuple(self.sentences), tuple(self.events)
        return scoring.ScoreLine(self.clause, self.points, self.quantity, said, events)

    def as_json(self) -> dict[str, Any]:
        """The line as the engine gives it, with its reckoning in English."""
        try:
            return sentences.line_json(self.scored)
        except KeyError:  # a line of an older engine, some sentence of which is no more
            return sentences.line_json(replace(self.scored, sentences=()))

    @property
    def reckoning(self) -> str:
        """How it was reckoned, in English."""
        return str(self.as_json()["reckoning"])


class UploadItem(models.Model):
    """What became of one record of an upload.

    ``stored`` and ``known`` name the deal; ``malformed`` tells what is wrong and where; ``refused`` is a
    record that may well be sound but that the archive could not keep, with the reason.
    """

    class Outcome(models.TextChoices):
        STORED = "stored", "stored"
        KNOWN = "known", "already there"
        MALFORMED = "malformed", "malformed"
        REFUSED = "refused", "not stored"

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="items", db_index=False)
    n = models.PositiveIntegerField(help_text="Position in the upload, from 0.")
    outcome = models.CharField(max_length=9, choices=Outcome.choices)
    deal = models.ForeignKey(
        Deal, null=True, blank=True, on_delete=models.SET_NULL, related_name="upload_items"
    )
    line = models.PositiveIntegerField(null=True, blank=True)
    column = models.PositiveIntegerField(null=True, blank=True)
    pointer = models.TextField(blank=True, default="")
    message = models.TextField(blank=True, default="")
    source = models.TextField(
        blank=True, default="", help_text="The beginning of what was sent for this record."
    )

    class Meta:
        ordering = ["n"]
        constraints = [
            models.UniqueConstraint(fields=["upload", "n"], name="item_once_in_upload"),
            models.CheckConstraint(
                condition=Q(outcome__in=["stored", "known", "malformed", "refused"]),
                name="item_outcome_known",
            ),
            models.CheckConstraint(
                condition=Q(outcome__in=["stored", "known"]) | Q(deal__isnull=True),
                name="item_deal_only_if_kept",
            ),
        ]

    def __str__(self) -> str:
        return f"record {self.n + 1} of upload {self.upload_id}: {self.get_outcome_display()}"
