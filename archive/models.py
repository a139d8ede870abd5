"""What the archive keeps.

A *deal* is the cards and what was done with them, there once, with the engine's verdict. A *contribution* is
what a club (or one person) says of it: names, session, date, claim, comments, and who may see it. A *space*
is whose its players and sessions are: a club's, or one person's own. An *upload* is the bytes that were sent,
in *parts* that workers read, check and store. The tables hold what was sent and what the engine answered;
nothing here knows a rule. `docs/architecture.md` says what each column costs.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import cached_property
from itertools import islice
from typing import Any, NamedTuple
from zlib import decompress

import orjson
from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Prefetch, Q, Value
from django.db.models.functions import Coalesce, NullIf
from django.utils import timezone

from archive import conf, packed_sheets
from archive.addresses import Key
from archive.fields import GameField, PackedTextField, SearchNameField, WordField, searchable
from tarock.findings import Finding
from tarock.game import SEATS
from tarock.games import game
from tarock.notation import (
    Entry,
    NotWritable,
    Piece,
    dump_json,
    read_one,
    read_piece,
    read_stored,
    write_text,
)
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


BATCH = 1000
"""Deals with their contributions that are in memory at a time, where many are read one after the other."""


# --- who and where ------------------------------------------------------------------------------------------

VISIBILITIES = ("public", "unlisted", "members", "withdrawn", "replaced")
"""Who sees a contribution: everybody; who has its link; the members of its space; nobody but those who may
change it (it counts nowhere): it was withdrawn, or a corrected record stands in its place."""

CHOSEN = VISIBILITIES[:3]
"""Those in which a contribution stands in lists and counts, for all or for members."""

FEED_KINDS = ("stored", "verdict", "corrected", "shown")
"""What can happen to a contribution, as the feed of changes says it: it was stored; the engine's answer is
another; something else is said of the deal, names included; others see it than before."""

ROLES = ("member", "secretary", "owner")
"""What one is in a space; each may do what those before it may. Members see all and add deals, secretaries
also correct them and invite members, owners also say who is what."""


class Space(models.Model):
    """Whose players and sessions these are.

    A ``club``; a person's ``own``; a ``guest``'s: one browser's, in which nobody signed in; the ``house``:
    what the operator loads by commands. Only who has a role in a space adds to it.
    """

    KINDS = ("club", "own", "guest", "house")

    kind = WordField(words=KINDS)
    name = models.CharField(max_length=NAME_LENGTH, blank=True, default="", help_text="A club's.")
    search_name = SearchNameField(max_length=_SEARCH_LENGTH, editable=False, default="")
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


SCOPES = ("deals:write", "deals:delete", "club:admin", "campaigns:write")
"""What a token may be used for beside reading: to send deals and change one's own; to withdraw them; in
addition, for what takes a secretary or an owner of a club; for the operator's campaigns. A token never may
more than its owner."""


class Token(models.Model):
    """By what a program shows whose requests it makes. The secret itself is nowhere kept: ``digest`` is its
    SHA-256 (`archive.tokens`).

    ``expires_at``: null if it never does. ``last_used_at`` is right to some minutes.
    """

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
        """Whether its time is over."""
        return self.expires_at is not None and self.expires_at <= timezone.now()


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
    search_name = SearchNameField(max_length=_SEARCH_LENGTH, editable=False, default="")
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
    search_name = SearchNameField(max_length=_SEARCH_LENGTH, editable=False, default="")

    class Meta:
        ordering = ["-id"]
        constraints = [models.UniqueConstraint(fields=["space", "name"], name="session_once_in_space")]

    def __str__(self) -> str:
        return self.name

    @property
    def found_by(self) -> str:
        """The name by which it is found."""
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
    """One thing that was sent to a space; its bytes, as they came, are in its parts.

    ``accepted_at`` is null while bytes still come in; ``finished_at`` while a part is still to be stored.
    ``replaces``: the contribution in whose place the one record that it holds is to stand. ``mends``: the
    upload of which it is record ``mends_record`` (from 0), which could not be read, sent again. ``key``: by
    which its sender's program knows it again for a day; ``digest``: of what was sent with it
    (`archive.storing.uploads`).
    """

    SOURCES = ("page", "api", "cli")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="uploads"
    )
    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="uploads")
    visibility = WordField(words=CHOSEN, default="public", help_text="Of the contributions that it makes.")
    replaces = models.ForeignKey(
        "Contribution", null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    mends = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="mended_by", db_index=False
    )
    mends_record = models.PositiveIntegerField(null=True, blank=True)
    sender = models.CharField(
        max_length=40, blank=True, default="", help_text="Whose quota it counts for: a user or an address."
    )
    source = WordField(words=SOURCES, default="page")
    filename = models.CharField(max_length=255, blank=True, default="")
    media_type = models.CharField(max_length=100, blank=True, default="")
    key = models.CharField(max_length=255, blank=True, default="")
    digest = models.BinaryField(max_length=32, default=b"")
    size = models.PositiveBigIntegerField(default=0, help_text="Bytes that were sent.")
    received_at = models.DateTimeField(default=timezone.now)
    accepted_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["user", "id"], name="upload_of_user"),
            models.Index(fields=["sender", "received_at"], name="upload_of_sender"),
            models.Index(fields=["received_at"], name="upload_received"),
            models.Index(fields=["mends"], condition=Q(mends__isnull=False), name="upload_mends"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "key"], condition=~Q(key=""), name="upload_once_by_key")
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

    about = models.PositiveIntegerField(
        default=0, help_text="About how many records, which count for the quota until the part is read."
    )
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

    def entry(self, n: int) -> Entry | None:
        """The ``n``-th record of the part, read anew; None if the bytes are not kept any more."""
        return next(islice(read_piece(self.piece), n, None), None) if self.data else None


class UploadItem(models.Model):
    """What became of records of a part.

    Records that were ``stored``, as deals that their sender did not see before, or were ``known`` share a row
    where their deals follow one another: ``n`` to ``last`` are the deals from ``deal_id`` on. So do bad ones
    with the same faults that follow one another, ``line`` and the places of the findings being those of the
    first: ``malformed``, with what is wrong; ``refused``, which was read but could not be kept. By itself
    stands what ``failed`` through a fault of ours, with the traceback for the operator.
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
    finding = models.TextField(blank=True, default="", help_text="All that is wrong, as JSON.")
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
    def found(self) -> tuple[Finding, ...]:
        """All that is wrong, as the engine or the archive says it."""
        return packed_sheets.read_findings(self.finding)


# --- deals --------------------------------------------------------------------------------------------------


class DealQuerySet(models.QuerySet["Deal"]):
    """The questions asked about deals, each under its own name."""

    def represented_by(self, contributions: ContributionQuerySet) -> DealQuerySet:
        """Fetch with each deal the first of these contributions to it, by which it is then shown, with
        session, space and players in seat order."""
        first = Prefetch("contributions", queryset=contributions.whole()[:1], to_attr="fitting")
        return self.prefetch_related(first)


class Judged(models.Model):
    """The engine's answer on a deal.

    ``clauses``: the clauses that the lines of the sheet cite and for whom each was a gain or a loss, or the
    one that was broken; ``sheet``: the lines, or the finding; both as `archive.packed_sheets` packs them.
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

    ``digest`` tells it from every other; ``text`` is its JSON form with letters for names and nothing that
    a sender added. Numbers grow in the order in which deals become visible.
    """

    digest = models.BinaryField(max_length=32, unique=True)
    game = GameField()
    players_count = models.PositiveSmallIntegerField()
    dealer = WordField(words=SEATS)
    declarer = WordField(words=SEATS, null=True, blank=True)
    partner = WordField(words=SEATS, null=True, blank=True)
    card_points = models.SmallIntegerField(null=True, blank=True, help_text="Of the declarer’s side.")
    highest = models.IntegerField(null=True, blank=True, help_text="The most points that a seat has.")
    contract = models.CharField(max_length=100, blank=True, default="")
    result = models.CharField(max_length=20, blank=True, default="", help_text="How it ended: won, lost …")
    text = PackedTextField()
    stored_at = models.DateTimeField()

    fitting: list[Contribution]
    """The first of the contributions that were asked for, see `DealQuerySet.represented_by`."""

    objects = DealQuerySet.as_manager()

    class Meta:
        ordering = ["-id"]
        indexes = [
            models.Index(fields=["game", "id"], name="deal_of_game"),
            models.Index(fields=["contract", "id"], name="deal_of_contract"),
            models.Index(fields=["highest", "id"], name="deal_by_score"),
        ]
        constraints = [
            models.CheckConstraint(condition=Q(verdict__in=DEAL_VERDICTS), name="deal_verdict_known"),
            models.CheckConstraint(condition=Q(game__gte=0), name="deal_game_known"),
        ]

    def __str__(self) -> str:
        return f"deal {self.pk} ({self.game}, {self.verdict})"

    @property
    def active(self) -> tuple[str, ...]:
        """The seats that had a part in it: all but the one that sat out."""
        return game(self.game).seating(self.players_count, self.dealer).active

    @property
    def hex_digest(self) -> str:
        """The digest as it is written."""
        return bytes(self.digest).hex()

    @cached_property
    def representative(self) -> Contribution:
        """The contribution by which the deal is shown: who played, when, what was claimed. It is the first of
        those that were asked for, else the first of all."""
        return self.fitting[0] if "fitting" in self.__dict__ else self.contributions.whole()[0]

    @property
    def key(self) -> Key:
        """By what its pages are addressed: its number, and that of the contribution by which it is shown,
        if there are others."""
        return Key(self.pk, None if self.representative.is_alone else self.representative.pk)

    @property
    def seats(self) -> list[Seated]:
        """Who sat where, in seat order, as the contribution says that is shown."""
        return self.representative.seated

    @property
    def players(self) -> dict[str, str]:
        """The players' names by seat."""
        return {seat.seat: seat.player.display_name for seat in self.seats}

    @property
    def score(self) -> dict[str, int] | None:
        """Points by seat, the sums of the lines; None for a deal that has no score."""
        if self.verdict != "verified":
            return None
        return {seat.seat: seat.points or 0 for seat in self.seats}

    @cached_property
    def record(self) -> Record:
        """The deal with what is said of it by the contribution that is shown."""
        return self.representative.record(read_one(self.text))

    @property
    def form(self) -> dict[str, Any]:
        """The JSON form of that record, as values for `json.dumps`."""
        return self.representative.json_form(orjson.loads(self.text))

    @property
    def record_to_correct(self) -> Record:
        """The same with the players' names as they were written: for who may correct them."""
        return self.representative.record(read_one(self.text), as_written=True)

    @cached_property
    def canonical(self) -> str | None:
        """That record in canonical text; None where text cannot write it."""
        try:
            return write_text(self.record)
        except NotWritable:
            return None

    @property
    def slugs(self) -> list[str]:
        """The clauses that its score cites, in the order of the sheet, or the one that was broken."""
        return [one.partition("=")[0] for one in self.clauses.split()]

    @cached_property
    def lines(self) -> tuple[ScoreLine, ...]:
        """The score sheet as it was reckoned when the verdict was found."""
        return packed_sheets.lines(self.clauses, self.sheet) if self.verdict == "verified" else ()

    @cached_property
    def checked(self) -> Check:
        """What the engine says of the deal now: countings, facts, happenings, and the place of a finding in
        the canonical text."""
        return check_entry(self._entry)

    @cached_property
    def _entry(self) -> Entry:
        return read_stored(self.canonical or dump_json(self.record))

    @property
    def found(self) -> Finding | None:
        """What broke a rule or is missing, as it was found; None if nothing did."""
        return None if self.verdict == "verified" else packed_sheets.finding(self.clauses, self.sheet)

    @cached_property
    def finding(self) -> Finding | None:
        """What broke a rule or is missing, as it was found, with its place in the canonical text."""
        found = self.found
        if found is not None and found.event is not None:
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


UNDATED = date.min
PLAYED = Coalesce("played_on", Value(UNDATED))
"""When it was played, `UNDATED` if nobody knows: no database has an index by which both sort NULL last."""


class ContributionQuerySet(models.QuerySet["Contribution"]):
    """What is said of deals, by what is asked."""

    def scored(self) -> ContributionQuerySet:
        """Those to deals played to the end by the rules, whatever was claimed."""
        return self.filter(verdict__in=SCORED)

    def without_guests(self, but: Collection[int] = ()) -> ContributionQuerySet:
        """Those that a club, a user or the operator sent; of what was sent without signing in only that of
        the spaces ``but``."""
        return self.filter(~Q(space__kind="guest") | Q(space__in=but))

    def whole(self) -> ContributionQuerySet:
        """With session, space and seats, as pages show them, the first one first; ``is_alone`` tells whether
        nothing else is said of the deal."""
        seats = Seat.objects.select_related("player__same_as").order_by("seat")
        query = self.select_related("session", "space").order_by("id").with_alone()
        return query.prefetch_related(Prefetch("seats", queryset=seats))

    def together(self) -> list[Contribution]:
        """The same as `whole`, in the order that was asked for, for who wants hundreds: every player,
        session and space is fetched once. Five queries."""
        found = list(self.with_alone())
        seats = Seat.objects.filter(contribution__in=[one.pk for one in found])
        seats = seats.order_by("contribution_id", "seat")
        rows = list(seats.values_list("contribution_id", "seat", "player_id", "points"))
        players = Player.objects.select_related("same_as").in_bulk({player for _, _, player, _ in rows})
        sessions = Session.objects.in_bulk({one.session_id for one in found} - {None})
        spaces = Space.objects.in_bulk({one.space_id for one in found})
        seated: dict[int, list[Seated]] = {one.pk: [] for one in found}
        for pk, seat, player, points in rows:
            seated[pk].append(Seated(seat, players[player], points))
        space, session = Contribution.space.field, Contribution.session.field
        for one in found:
            one.seated = seated[one.pk]
            space.set_cached_value(one, spaces[one.space_id])
            session.set_cached_value(one, sessions.get(one.session_id))
        return found

    def with_sender(self) -> ContributionQuerySet:
        """With who sent them, but not with the bytes that he sent."""
        return self.select_related("part__upload__user").defer("part__data", "part__error")

    def with_alone(self) -> ContributionQuerySet:
        """With ``is_alone``: whether nothing else is said of the deal."""
        others = Contribution.objects.filter(deal=OuterRef("deal")).exclude(pk=OuterRef("pk"))
        return self.annotate(is_alone=~Exists(others))

    def with_player(self, player: Player | int | str, seat: Q | None = None) -> ContributionQuerySet:
        """Those with this player (object, number, or name in any case) at a seat, under whatever name; with
        ``seat`` only where that holds for his seat too."""
        if isinstance(player, str):
            persons = Player.objects.named(player)
        else:
            persons = Player.objects.filter(pk=player.pk if isinstance(player, Player) else player)
        # Asked for beforehand: no database finds a good way through all of it at once.
        numbers = list(persons.with_aliases().order_by().values_list("pk", flat=True))
        seats = Seat.objects.filter(player__in=numbers)
        return self.filter(pk__in=(seats.filter(seat) if seat else seats).order_by().values("contribution"))

    def played_between(self, first: date | None, last: date | None) -> ContributionQuerySet:
        """Those dated within these days, both included; of partly known dates those of which every possible
        day is. What is undated is left out as soon as either end is given."""
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
    """Who sat at a seat, and what the rules give it (None without a score)."""

    seat: str
    player: Player
    points: int | None


class Contribution(models.Model):
    """What a space says of a deal: names at the seats, session, number, date, claim, comments.

    One for each deal and space; they do not affect one another. ``verdict`` is that on the deal, or
    ``disputed`` where the claim is not its score. ``tags`` and ``comments`` are JSON, empty if there are
    none; tags that have a column of their own are not repeated. ``fingerprint`` is a hash of all these
    fields. ``event_search``, ``site_search`` and ``text_search`` (of tags and comments) are the `searchable`
    forms. The original is record ``n`` of ``part``, whose upload says who sent it. ``replaced_by``: the
    contribution that replaced it. ``feed_number`` and ``feed_kind`` are those of its latest change
    (`archive.storing.feed`); ``was_public``: whether everybody could ever see it, so that the feed says when
    nobody does any more.
    """

    deal = models.ForeignKey(Deal, on_delete=models.CASCADE, related_name="contributions", db_index=False)
    space = models.ForeignKey(Space, on_delete=models.PROTECT, related_name="contributions", db_index=False)
    visibility = WordField(words=VISIBILITIES, default="public")
    replaced_by = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="replaces", db_index=False
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
    fingerprint = models.BigIntegerField()
    feed_number = models.BigIntegerField(unique=True)
    feed_kind = WordField(words=FEED_KINDS, default="stored")
    was_public = models.BooleanField()
    event_search = models.TextField(blank=True, default="", editable=False)
    site_search = models.TextField(blank=True, default="", editable=False)
    text_search = models.TextField(blank=True, default="", editable=False)

    objects = ContributionQuerySet.as_manager()

    is_alone: bool
    """See `ContributionQuerySet.whole`."""

    class Meta:
        ordering = ["id"]
        indexes = [
            models.Index(
                fields=["session", "visibility"], condition=Q(session__isnull=False), name="of_session"
            ),
            models.Index(PLAYED, F("deal"), name="played_on"),
            models.Index(fields=["verdict", "deal"], condition=~Q(verdict="verified"), name="of_verdict"),
            models.Index(fields=["space", "deal"], name="of_space"),
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
        """By what the pages of the deal are addressed that show it as it is said here."""
        return Key(self.deal_id, self.pk)

    @property
    def represented_deal(self) -> Deal:
        """The deal, shown as it is said here."""
        self.deal.fitting = [self]
        return self.deal

    @property
    def sender(self) -> Any:
        """The user who sent it; None if nobody was signed in, or he is gone."""
        return self.part.upload.user

    @cached_property
    def seated(self) -> list[Seated]:
        """Who sat where, in seat order."""
        return [Seated(seat.seat, seat.player, seat.points) for seat in self.seats.all()]

    @property
    def claimed(self) -> dict[str, int] | None:
        """The score that its sender wrote down."""
        if not self.claim:
            return None
        return {seat: int(points) for seat, _, points in (part.partition("=") for part in self.claim.split())}

    def record(self, bare: Record, *, as_written: bool = False) -> Record:
        """The record of a deal with what is said of it here; with ``as_written`` players are called as they
        were written, not as they are shown."""
        beside = self._beside()
        beside["comments"] = {int(at): texts for at, texts in beside["comments"].items()}
        if as_written:
            beside["players"] = {seat.seat: seat.player.name for seat in self.seated}
        return replace(bare, **beside)

    def json_form(self, bare: dict[str, Any]) -> dict[str, Any]:
        """The JSON form of a record with what is said of it here."""
        form = bare | self._beside()
        if form["score"] is None:
            del form["score"]
        return form

    def _beside(self) -> dict[str, Any]:
        """What is said beside the deal, by the keys of the JSON form."""
        own = {
            "Date": self.date,
            "Event": self.event,
            "Site": self.site,
            "Session": self.session.name if self.session else "",
            "Deal": str(self.number or ""),
        }
        return {
            "players": {seat.seat: seat.player.display_name for seat in self.seated},
            "tags": {name: value for name, value in own.items() if value} | _unpacked(self.tags),
            "comments": _unpacked(self.comments),
            "score": self.claimed,
        }


def _unpacked(text: str) -> dict[str, Any]:
    found: dict[str, Any] = orjson.loads(text) if text else {}
    return found


class Removed(models.Model):
    """A contribution that is gone for good: the feed's entry for it, at number ``id``, for everybody if it
    ``was_public``, else for the members of its space. The numbers of all changes are given by this table.

    ``space``: the number of its space, which may be gone, too.
    """

    deal_id = models.BigIntegerField()
    contribution_id = models.BigIntegerField()
    space = models.BigIntegerField()
    was_public = models.BooleanField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"contribution {self.contribution_id} to deal {self.deal_id}, removed"


class Seat(models.Model):
    """Who sat where in a deal, as one contribution says, and what the rules give that seat (null without a
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


class Change(models.Model):
    """One change of a contribution: who made it, when, and what was said before and after.

    ``what``: JSON, word of what changed → [before, after]; see `archive.storing.corrections`.
    """

    contribution = models.ForeignKey(Contribution, on_delete=models.CASCADE, related_name="changes")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=timezone.now)
    what = models.JSONField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"change of {self.contribution}: {', '.join(self.what)}"


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


# --- telling others -----------------------------------------------------------------------------------------


class Webhook(models.Model):
    """An address that is told what changes in a space.

    ``after``: the number of the last change that it was told; ``due_at``: from when it may be told more;
    ``failures``: how often in a row that failed; ``stopped_at``: when it was given up. Its secret is made of
    ``key`` (`archive.publishing.webhooks`).
    """

    space = models.ForeignKey(Space, on_delete=models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=500)
    key = models.CharField(max_length=40)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    made_at = models.DateTimeField(default=timezone.now)
    after = models.BigIntegerField()
    due_at = models.DateTimeField(default=timezone.now)
    failures = models.PositiveSmallIntegerField(default=0)
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"webhook {self.pk} of {self.space}"


class Delivery(models.Model):
    """One try to tell a webhook: the changes after ``after`` up to ``last``, and what was answered.

    ``status``: of the HTTP answer, null without one; ``response``: the beginning of its body, or what went
    wrong; ``took``: milliseconds.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    at = models.DateTimeField(default=timezone.now)
    after = models.BigIntegerField()
    last = models.BigIntegerField()
    number = models.PositiveIntegerField(help_text="Of changes.")
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    response = models.CharField(max_length=500, blank=True, default="")
    took = models.PositiveIntegerField()

    class Meta:
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"delivery to {self.webhook} at {self.at:%Y-%m-%d %H:%M}"

    @property
    def is_taken(self) -> bool:
        """Whether the receiver took it."""
        return self.status is not None and 200 <= self.status < 300
