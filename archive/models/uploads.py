"""Uploads, their parts, and the outcomes of their records."""

from __future__ import annotations

import json
import uuid
from dataclasses import asdict, replace
from itertools import islice
from zlib import compress, decompress

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from archive import packed_sheets
from archive.fields import WordField
from archive.models.constants import CHOSEN, NAME_LENGTH
from archive.models.spaces import Space
from archive.models.work import Work
from tarock.core.findings import Finding
from tarock.notation import Entry, Piece, read_piece
from tarock.tables import Place, Question, Recognised, Sentence


class Upload(models.Model):
    """An upload to a space. Its parts store the bytes, unpacked, and in UTF-8 even if they were sent in
    another `encoding`. `accepted_at`: null while bytes are still being received; `finished_at`: null while a
    part waits to be stored. `replaces`: the contribution that the upload's only record replaces. `mends`,
    `mends_record`: the upload and the position (from 0) of the unreadable record that this upload corrects.
    `key`: idempotency key of the sender's program, valid for a day; `digest`: hash of the request with this
    key (`archive.storing.uploads`); `friend`: the name that a friend chose who joined an evening without
    being a member of its space, otherwise empty."""

    SOURCES = ("page", "api", "cli", "evening")

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
    friend = models.CharField(max_length=NAME_LENGTH, blank=True, default="", db_default="")
    source = WordField(words=SOURCES, default="page")
    filename = models.CharField(max_length=255, blank=True, default="")
    media_type = models.CharField(max_length=100, blank=True, default="")
    key = models.CharField(max_length=255, blank=True, default="")
    digest = models.BinaryField(max_length=32, default=b"")
    size = models.PositiveBigIntegerField(default=0, help_text="Bytes that were sent.")
    encoding = models.CharField(max_length=20, blank=True, default="", db_default="")
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
        """Whether every part is stored or has failed."""
        return self.finished_at is not None

    @property
    def evening_key(self) -> str:
        """Key of the evening whose deal a phone sent; empty for other uploads, and after a day."""
        return self.key.partition(" ")[0] if self.source == "evening" else ""


class ImportedTable(models.Model):
    """A table of old results as it was sent: `data`, compressed. Before its sender confirms what it means, it
    is a draft without an upload, for the user who sent it or, without a user, for anyone who has the `key`.
    Afterwards it belongs to the upload of its rows. `report`: what the archive read in the table; empty
    before, and after the operator's retention time."""

    key = models.UUIDField(unique=True, default=uuid.uuid4)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    upload = models.OneToOneField(
        Upload, null=True, blank=True, on_delete=models.SET_NULL, related_name="table"
    )
    sender = models.CharField(max_length=40, blank=True, default="")
    filename = models.CharField(max_length=255, blank=True, default="")
    data = models.BinaryField(help_text="The bytes, compressed by zlib.")
    report = models.BinaryField(default=b"", help_text="All but the rows, as JSON, compressed by zlib.")
    sent_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-id"]
        indexes = [models.Index(fields=["sender"], condition=Q(upload__isnull=True), name="table_draft")]

    def __str__(self) -> str:
        return f"table {self.pk} ({self.filename})"

    @property
    def bytes(self) -> bytes:
        """The bytes as they were sent; empty once they have been deleted."""
        return decompress(self.data) if self.data else b""

    def keep_report(self, recognised: Recognised) -> None:
        """Set the report."""
        self.report = compress(json.dumps(asdict(replace(recognised, rows=[]))).encode())

    def read_report(self) -> Recognised | None:
        """Return the report: the meaning of the table without its rows. Return None if it was deleted."""
        if not self.report:
            return None
        stored = json.loads(decompress(self.report))
        places, questions = ("left_out", "columns_out", "faults"), ("questions", "assumed")
        for name in (*places, *questions):
            kind = Place if name in places else Question
            stored[name] = [kind(**one | {"what": Sentence(**one["what"])}) for one in stored[name]]
        stored["total_check"] = {name: tuple(sums) for name, sums in stored["total_check"].items()}
        return Recognised(**stored)


class Part(Work):
    """Whole records of an upload, stored by one worker in one transaction. `data` is compressed. It is
    emptied after the operator's retention time, or when the part's contributions are purged."""

    QUEUES = ("interactive", "bulk")
    COUNTS = ("stored", "known", "malformed", "refused", "failed")
    """Possible outcomes of a record. The column named after an outcome counts the records with it."""

    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveIntegerField(help_text="Position in the upload, from 0.")
    queue = WordField(words=QUEUES, default="interactive")
    data = models.BinaryField(help_text="The bytes, compressed by zlib.")
    line = models.PositiveIntegerField(default=1)
    column = models.PositiveIntegerField(default=1)
    form = WordField(words=("tgn", "json", "other"), default="tgn")
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
        """The bytes as they were sent; empty once they have been deleted."""
        return decompress(self.data) if self.data else b""

    @property
    def piece(self) -> Piece:
        """The part as input for the engine's parser."""
        place = self.line, self.column
        return Piece(self.bytes, *place, self.form, self.array, self.torn, self.last)

    def entry(self, n: int) -> Entry | None:
        """Parse record `n` (from 0) of the part. Return None if there is none or the bytes were deleted."""
        return next(islice(read_piece(self.piece), n, None), None) if self.data else None


class UploadItem(models.Model):
    """The outcome of one or more consecutive records of a part. Records share a row if all were `stored` (as
    deals that the sender could not see before) or all were `known`, and their deals have consecutive ids:
    records `n` to `last` are the deals from `deal_id` on. Invalid records with the same errors may also share
    a row; `line` and the places of the findings are those of the first record. Invalid records are
    `malformed`, or `refused` if they are well-formed but can't be stored. A record that `failed` because of
    an error in our own code has its own row, with the traceback for the operator."""

    OUTCOMES = Part.COUNTS

    part = models.ForeignKey(Part, on_delete=models.CASCADE, related_name="items", db_index=False)
    n = models.PositiveIntegerField(help_text="Position in the part, from 0.")
    last = models.PositiveIntegerField(help_text="Position of the last record that the row is about.")
    outcome = WordField(words=OUTCOMES)
    deal_id = models.BigIntegerField(null=True, blank=True, help_text="The deal of the first record.")
    line = models.PositiveIntegerField(
        null=True, blank=True, help_text="Line on which the first record begins."
    )
    differs = models.CharField(
        max_length=200,
        blank=True,
        default="",
        help_text="Details in which an earlier record of the sender differs.",
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
    def findings(self) -> tuple[Finding, ...]:
        """All findings, from the engine or from the archive."""
        return packed_sheets.read_findings(self.finding)
