"""The only writers of the archive: storing uploads, and verifying what is stored.

The row in the database is the truth, not the message: every deal is stored together with a queued
``VerificationRun``, a message only tells a worker to look, and ``sweep`` finds what no worker is looking at.
A record that breaks the rules gets a verdict; an exception in our own code makes a failed run, which is tried
again and in the end left to the operator, and is never a verdict.
"""

from __future__ import annotations

import json
import logging
import random
import re
import sqlite3
import time
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import InterfaceError, OperationalError, transaction
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce
from django.utils import timezone

import tarock
from archive import conf
from archive.models import (
    NAME_LENGTH,
    Deal,
    Player,
    ScoreLine,
    Seat,
    Session,
    Upload,
    UploadItem,
    VerificationRun,
)
from tarock import sentences
from tarock.findings import NotationError, NotWritable
from tarock.notation import Entry, dump_json, read, read_each, write_text
from tarock.record import Record
from tarock.verify import Check, check_entry

if TYPE_CHECKING:
    from celery import Task
    from django.contrib.auth.models import AbstractBaseUser

logger = logging.getLogger(__name__)

T = TypeVar("T")

EXCERPT_LENGTH = 2000
"""How much of a record's own text an upload item repeats; all of it is in the upload's bytes."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""What PostgreSQL refuses: NUL, and halves of surrogate pairs (as which bytes that are no UTF-8 are read)."""

_BATCH = 200
"""Deals stored by one statement: few round trips, and far below the parameters that a statement may have."""

_SWEEP_LIMIT = 5000
"""Rows of each kind that one sweep takes on; the next sweep goes on from there."""


_DATABASE = (OperationalError, InterfaceError)
"""What is raised when the database itself cannot go on, whatever was asked of it."""

_PASSING_STATES = frozenset({"40001", "40P01", "55P03"})
"""SQLSTATE of a serialization failure, a deadlock, a lock that is not available."""

_PAUSES = (0.05, 0.1, 0.2, 0.4)
"""Seconds to wait, more or less, before the second and every further try."""

_PATIENCE = 10.0
"""Seconds from the first try after which there is no other."""


class UploadTooLarge(ValueError):
    """An upload is larger than the archive reads: ``size`` bytes, not ``limit``. Nothing was stored."""

    def __init__(self, limit: int, size: int) -> None:
        super().__init__(f"The upload has {size} bytes; the archive takes at most {limit}.")
        self.limit = limit
        self.size = size


class ArchiveBusy(Exception):
    """The database takes nothing at the moment, not even the bytes of an upload: nothing was kept."""

    def __init__(self) -> None:
        super().__init__("The archive is too busy to keep the upload. Send it again in a minute.")


class _NotKept(Exception):
    """A well-formed record that the archive cannot hold; the message says why, in words for its sender."""


# --- storing ------------------------------------------------------------------------------------------------


def store_upload(
    *,
    raw: bytes,
    user: AbstractBaseUser | None = None,
    source: str = "page",
    filename: str = "",
    media_type: str = "",
    queue: bool = True,
) -> Upload:
    """Keep an upload, store the good records in it, and queue their verification once that is committed.

    The bytes are kept whatever is in them. Each record becomes one ``UploadItem``: ``stored``, ``known`` (the
    same deal is there already, from before or from earlier in this upload), ``malformed`` with its place, or
    ``refused`` with a reason; none of them keeps the others from being stored. With ``queue=False`` the runs
    are made but no message is sent: for callers that verify by themselves.

    If the database refuses to store the records for now, they are stored later by a worker: the upload
    ``is_waiting`` then and has no items yet.

    :raises UploadTooLarge: before anything is read or stored.
    :raises ArchiveBusy: if the database takes nothing at all for now.
    """
    limit = conf.max_upload_bytes()
    if len(raw) > limit:
        raise UploadTooLarge(limit, len(raw))
    if user is not None and not getattr(user, "is_authenticated", True):
        user = None
    now = timezone.now()
    upload = Upload(
        raw=raw,
        size=len(raw),
        user=user,
        source=source,
        filename=_storable(filename)[:255],
        media_type=_storable(media_type)[:100],
        received_at=now,
        # It is read here and now. Should this process not live to see the end of it, the sweeper finds it.
        attempts=1,
        next_try_at=now + conf.lease(),
    )
    try:
        _patiently(upload.save)
    except _DATABASE as error:
        raise ArchiveBusy from error
    _read_and_store(upload, queue=queue)
    return upload


def read_again(upload_id: int) -> Upload:
    """Read a kept upload once more, after a fault of ours was mended; what became of its records is written
    anew.

    The deals that it stored the first time stay its own, those it did not are stored and queued now.
    """
    _take(Upload.objects.filter(pk=upload_id))
    upload = Upload.objects.get(pk=upload_id)
    _read_and_store(upload, queue=True)
    return upload


def read_waiting(upload_id: int) -> Upload | None:
    """Read an upload that could not be stored when it came, if its time has come and nobody else has it.

    Returns it as it stands then, or None when there was nothing to take.
    """
    if not _take(Upload.objects.filter(pk=upload_id, next_try_at__lte=timezone.now())):
        return None
    upload = Upload.objects.get(pk=upload_id)
    _read_and_store(upload, queue=True)
    return upload


def _take(uploads: QuerySet[Upload]) -> bool:
    """Claim an upload for reading, as long as a lease holds."""
    until = timezone.now() + conf.lease()
    return uploads.update(attempts=F("attempts") + 1, next_try_at=until) == 1


def _read_and_store(upload: Upload, *, queue: bool) -> None:
    """Read the bytes of a claimed upload and store its records.

    What the database refuses for now is tried again later by a worker, a fault of ours is kept with the
    upload for the operator: the bytes are in, so that nothing has to be sent again.
    """
    try:
        # One more than is taken tells that there are more; how many, nobody has to read them for.
        entries = list(islice(read_each(bytes(upload.raw)), conf.max_records() + 1))
        if not _patiently(lambda: _store_entries(upload, entries, queue=queue)):
            logger.warning("upload %s was taken over by another process", upload.pk)
            upload.refresh_from_db(fields=["error", "attempts", "next_try_at"])
    except _DATABASE:
        logger.warning("the database could not store upload %s", upload.pk, exc_info=True)
        _not_stored(upload, traceback.format_exc(), again=upload.attempts < conf.max_attempts())
    except Exception:
        logger.exception("upload %s could not be stored", upload.pk)
        _not_stored(upload, traceback.format_exc(), again=False)


def _store_entries(upload: Upload, entries: Sequence[Entry], *, queue: bool) -> bool:
    """Store what was read in one transaction; nothing, and False, without the claim."""
    with transaction.atomic():
        held = Upload.objects.filter(pk=upload.pk, attempts=upload.attempts)
        if held.update(error="", next_try_at=None) != 1:
            return False
        upload.items.all().delete()
        _Storing(upload).store(entries, queue=queue)
    upload.error, upload.next_try_at = "", None
    return True


def _not_stored(upload: Upload, trace: str, *, again: bool) -> None:
    """Write down what kept an upload from being stored: it is to be tried again, or left to the operator."""
    upload.error = _storable(trace)
    upload.next_try_at = timezone.now() + conf.retry_delay(upload.attempts) if again else None
    try:
        _patiently(lambda: _write_not_stored(upload))
    except _DATABASE:
        # The claim stands and runs out: the sweeper will come upon it.
        logger.warning("the database could not take a note on upload %s either", upload.pk, exc_info=True)


def _write_not_stored(upload: Upload) -> None:
    with transaction.atomic():
        held = Upload.objects.filter(pk=upload.pk, attempts=upload.attempts)
        changed = held.update(error=upload.error, next_try_at=upload.next_try_at)
        if changed == 1 and not upload.is_waiting and not upload.items.exists():
            item = UploadItem(upload=upload, n=0)
            _refuse(
                item,
                "The upload could not be stored because of a fault in the archive. "
                "It has been kept, and the operator can see it.",
            )
            item.save()


def _patiently(action: Callable[[], T]) -> T:
    """Do something in the database, again if it was refused only because of what others were doing just then.

    That is: a deadlock, two transactions that cannot both be, a lock that is not to be had (SQLite: “database
    is locked”). Between the tries there is a pause, each time twice as long and never the same for two that
    are in each other's way. Where a try takes long by itself it is the last one. Raises what the last try
    raised.
    """
    began = time.monotonic()
    for pause in _PAUSES:
        try:
            return action()
        except OperationalError as error:
            if not _is_passing(error) or time.monotonic() - began > _PATIENCE:
                raise
            logger.info("the database is busy, trying again: %s", error)
        time.sleep(pause * random.uniform(0.5, 1.5))
    return action()


def _is_passing(error: OperationalError) -> bool:
    """Whether the database refused something only because of what others were doing at the moment."""
    cause = error.__cause__
    sqlite = getattr(cause, "sqlite_errorcode", None)
    if sqlite is not None:
        return sqlite & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return getattr(cause, "sqlstate", None) in _PASSING_STATES


@dataclass(slots=True)
class _Prepared:
    """A good record on its way into the database: the row it will be, and the names it refers to."""

    n: int
    digest: str
    deal: Deal
    players: dict[str, str]
    session: str


class _Storing:
    """The storing of one upload's records: its items, and which deal each digest turned out to be.

    Whatever two uploads may both insert is inserted in one order (players by name, then sessions by name,
    then deals by digest), so that two that overlap wait for each other and never deadlock.
    """

    def __init__(self, upload: Upload) -> None:
        self.upload = upload
        self.items: dict[int, UploadItem] = {}
        self.deal_ids: dict[str, int] = {}
        self.own: set[int] = set()
        self.players: dict[str, int] = {}
        self.sessions: dict[str, int] = {}

    def store(self, entries: Sequence[Entry], *, queue: bool) -> None:
        """Store what was read, and an item for each record; to be called within a transaction."""
        limit = conf.max_records()
        good = self._sift(entries[:limit])
        if len(entries) > limit:
            self.items[limit] = _tell_left_out(self.upload, entries, limit)
        first: dict[str, _Prepared] = {}
        for prepared in good:
            first.setdefault(prepared.digest, prepared)
        for chunk in _chunks(first, _BATCH):
            self._find(chunk)
        new = [first[digest] for digest in sorted(first.keys() - self.deal_ids.keys())]
        before = set(self.own)
        self.players = _ensure(Player, {name for prepared in new for name in prepared.players.values()})
        self.sessions = _ensure(Session, {prepared.session for prepared in new if prepared.session})
        for batch in _chunks(new, _BATCH):
            self._store_batch(batch)
        for prepared in good:
            self._tell(prepared, first[prepared.digest])
        UploadItem.objects.bulk_create(self.items.values(), batch_size=_BATCH)
        if queue:
            _send_on_commit(self.own - before)

    def _sift(self, entries: Sequence[Entry]) -> list[_Prepared]:
        """An item for each entry, and the rows-to-be of the good ones."""
        good = []
        for entry in entries:
            item = UploadItem(
                upload=self.upload,
                n=entry.n,
                line=entry.line,
                source=_storable(entry.source[:EXCERPT_LENGTH]),
            )
            self.items[entry.n] = item
            if entry.record is None:
                _tell_malformed(item, entry)
                continue
            try:
                good.append(_prepare(self.upload, entry, entry.record))
            except _NotKept as reason:
                _refuse(item, str(reason))
            except Exception:
                logger.exception("record %s of upload %s could not be prepared", entry.n, self.upload.pk)
                _refuse(item, _OUR_FAULT)
        return good

    def _find(self, digests: Sequence[str]) -> None:
        """Note those of these deals that are stored, and whether it was this upload that brought them."""
        rows = Deal.objects.filter(digest__in=digests).values_list("digest", "id", "upload_id")
        for digest, deal_id, upload_id in rows:
            self.deal_ids[digest] = deal_id
            if upload_id == self.upload.pk:
                self.own.add(deal_id)

    def _store_batch(self, batch: Sequence[_Prepared]) -> None:
        """Store these records in a savepoint; if that fails, each in one of its own: only the bad is lost."""
        try:
            with transaction.atomic():
                self._insert(batch)
        except _DATABASE:
            raise  # the database, not a record
        except Exception:
            for prepared in batch:  # what was rolled back is not there
                self.own.discard(self.deal_ids.pop(prepared.digest, 0))
            if len(batch) > 1:
                for prepared in batch:
                    self._store_batch([prepared])
                return
            logger.exception("record %s of upload %s could not be stored", batch[0].n, self.upload.pk)

    def _insert(self, batch: Sequence[_Prepared]) -> None:
        """Insert deals, seats and queued runs.

        A deal that another upload stores at this moment is waited for and then found, not stored again.
        """
        for prepared in batch:
            prepared.deal.session_id = self.sessions.get(prepared.session)
        Deal.objects.bulk_create([prepared.deal for prepared in batch], ignore_conflicts=True)
        self._find([prepared.digest for prepared in batch])
        if any(prepared.digest not in self.deal_ids for prepared in batch):
            raise RuntimeError("the database ignored a deal that it does not have")
        mine = [(self.deal_ids[prepared.digest], prepared) for prepared in batch]
        mine = [(deal_id, prepared) for deal_id, prepared in mine if deal_id in self.own]
        Seat.objects.bulk_create(
            Seat(deal_id=deal_id, seat=seat, player_id=self.players[name])
            for deal_id, prepared in mine
            for seat, name in prepared.players.items()
        )
        VerificationRun.objects.bulk_create(VerificationRun(deal_id=deal_id) for deal_id, _ in mine)

    def _tell(self, prepared: _Prepared, first: _Prepared) -> None:
        """Say what became of a good record, ``first`` being the first one of the same deal in the upload."""
        item = self.items[prepared.n]
        deal_id = self.deal_ids.get(prepared.digest)
        if deal_id is None:
            _refuse(item, _OUR_FAULT)
        elif first is not prepared:
            _set(item, UploadItem.Outcome.KNOWN, deal_id=deal_id)
            item.message = f"The same deal as record {first.n + 1} of this upload."
        elif deal_id in self.own:
            _set(item, UploadItem.Outcome.STORED, deal_id=deal_id)
        else:
            _set(item, UploadItem.Outcome.KNOWN, deal_id=deal_id)


_OUR_FAULT = (
    "This record could not be stored because of a fault in the archive. "
    "The upload has been kept, and the operator can see it."
)


def _set(item: UploadItem, outcome: str, **values: object) -> None:
    item.outcome = outcome
    for name, value in values.items():
        setattr(item, name, value)


def _refuse(item: UploadItem, message: str) -> None:
    _set(item, UploadItem.Outcome.REFUSED, message=message, deal_id=None)


def _tell_malformed(item: UploadItem, entry: Entry) -> None:
    finding = entry.error
    _set(
        item,
        UploadItem.Outcome.MALFORMED,
        message=_storable(sentences.message(finding)),
        line=finding.line,
        column=finding.column,
        pointer=_storable(finding.pointer or ""),
    )


def _tell_left_out(upload: Upload, entries: Sequence[Entry], limit: int) -> UploadItem:
    """The item that stands for all records beyond the limit."""
    line = entries[limit].line
    item = UploadItem(upload=upload, n=limit, line=line)
    _refuse(
        item,
        f"The records from number {limit + 1} on were not stored: the archive takes at most {limit} records "
        f"in one upload. Send the rest, from line {line} on, as an upload of its own.",
    )
    return item


def _prepare(upload: Upload, entry: Entry, record: Record) -> _Prepared:
    """The row for a good record.

    :raises _NotKept: when it holds what the archive's database cannot.
    """
    payload = dump_json(record)
    if _has_unstorable(payload):
        raise _NotKept(
            "The record holds a character that the archive cannot keep (NUL or half a surrogate pair)."
        )
    session = record.tags.get("Session", "")
    for what, name in [("name of a player", name) for name in record.players.values()] + [
        ("name of the session", session)
    ]:
        if len(name) > NAME_LENGTH:
            raise _NotKept(f"The {what} has {len(name)} characters; the archive keeps at most {NAME_LENGTH}.")
    try:
        text = write_text(record)
    except NotWritable:
        text = None
    date_text = record.tags.get("Date", "")
    deal = Deal(
        digest=record.digest,
        game=record.game,
        players_count=len(record.players),
        dealer=record.dealer,
        date_text=date_text[:40],
        played_on=first_day(date_text),
        event=record.tags.get("Event", ""),
        site=record.tags.get("Site", ""),
        deal_number=_deal_number(record.tags.get("Deal", "")),
        options=list(record.options),
        claim=record.score,
        record=payload,
        text=text,
        original=_storable(entry.source),
        original_form=entry.form,
        upload=upload,
        uploaded_by=upload.user,
        # The deals of one upload are as old as each other; a microsecond apart they keep the order they were
        # sent in.
        created_at=upload.received_at + timedelta(microseconds=entry.n),
    )
    return _Prepared(n=entry.n, digest=deal.digest, deal=deal, players=dict(record.players), session=session)


def first_day(date_text: str) -> date | None:
    """The first day that a date with unknown parts (``2026-11-??``) allows; None if there is no such day."""
    found = re.fullmatch(r"(\d{4})-(\d\d|\?\?)-(\d\d|\?\?)", date_text)
    if found is None:
        return None
    year, month, day = (1 if part == "??" else int(part) for part in found.groups())
    try:
        return date(year, month, day)
    except ValueError:
        return None


def _deal_number(text: str) -> int | None:
    """The tag ``Deal`` as a number, where it is one that the database holds."""
    return int(text) if re.fullmatch(r"[0-9]{1,9}", text) else None


def _has_unstorable(payload: str) -> bool:
    """Whether a JSON text holds, written out or escaped, a character that the database refuses."""
    if _UNSTORABLE.search(payload):
        return True
    return "\\u" in payload and any(_UNSTORABLE.search(text) for text in _strings(json.loads(payload)))


def _strings(value: object) -> Iterator[str]:
    """All strings inside a JSON value, keys included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield key
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


def _storable(text: str) -> str:
    """A text as near as the database can hold it."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _ensure(model: type[Player] | type[Session], names: set[str]) -> dict[str, int]:
    """The ids of the rows with these names, by name; those that are missing are made.

    Two that make the same name at one time both end up with the one row that there is then.
    """
    found: dict[str, int] = {}
    for chunk in _chunks(sorted(names), _BATCH):
        present = dict(model.objects.filter(name__in=chunk).values_list("name", "id"))
        missing = [name for name in chunk if name not in present]
        if missing:
            model.objects.bulk_create([model(name=name) for name in missing], ignore_conflicts=True)
            present.update(model.objects.filter(name__in=missing).values_list("name", "id"))
        found.update(present)
    return found


# --- queueing -----------------------------------------------------------------------------------------------


def queue_verification(deal_ids: Iterable[int]) -> int:
    """See to it that each of these deals has a run waiting and that a worker hears of it on commit.

    A deal that has an open run keeps that one: a run that waits for its next try is brought forward, one that
    a worker holds is left alone. Ids without a deal are passed over. Returns how many runs are waiting.
    """
    waiting = 0
    for chunk in _chunks(sorted(set(deal_ids)), _BATCH):
        with transaction.atomic():
            now = timezone.now()
            there = Deal.objects.filter(pk__in=chunk).values_list("pk", flat=True)
            VerificationRun.objects.bulk_create(
                [VerificationRun(deal_id=pk, queued_at=now) for pk in there], ignore_conflicts=True
            )
            runs = VerificationRun.objects.filter(deal_id__in=chunk)
            runs.filter(state="failed", next_try_at__isnull=False).update(
                state="queued", queued_at=now, next_try_at=None
            )
            queued = list(runs.filter(state="queued").values_list("deal_id", flat=True))
            waiting += len(queued)
            _send_on_commit(queued)
    return waiting


def _send_on_commit(deal_ids: Iterable[int]) -> None:
    ids = sorted(deal_ids)
    if ids:
        transaction.on_commit(lambda: _send(ids))


def _send(deal_ids: Sequence[int]) -> None:
    """Tell the workers of deals to be verified."""
    from archive.tasks import verify_deal  # the tasks call this module

    _publish(verify_deal, deal_ids)


def _publish(task: Task, ids: Sequence[int], **options: Any) -> None:
    """A message for each id; if the broker is away, the rows stay as they are and the sweeper tells of them
    later."""
    try:
        with task.app.producer_or_acquire() as producer:
            for pk in ids:
                task.apply_async((pk,), producer=producer, **options)
    except Exception as error:
        logger.warning("the broker cannot be reached, %d rows wait for the sweeper: %s", len(ids), error)


# --- verifying ----------------------------------------------------------------------------------------------


def claim(run_id: int, *, attempt: int | None = None) -> bool:
    """Take a run that is waiting (or whose next try is due); True only for the one caller who got it.

    With ``attempt`` it is taken only if nobody claimed it since the caller saw it with ``attempt - 1``
    claims.
    """
    now = timezone.now()
    runs = VerificationRun.objects.claimable(now).filter(pk=run_id)
    if attempt is not None:
        runs = runs.filter(attempts=attempt - 1)
    changed = runs.update(
        state="running",
        attempts=F("attempts") + 1,
        claimed_at=now,
        finished_at=None,
        next_try_at=None,
        engine_version=tarock.__version__,
    )
    return changed == 1


def verify(deal_id: int) -> VerificationRun | None:
    """Claim the open run of a deal, ask the engine, and write down what it says.

    Returns the run as it stands then (``done`` or ``failed``), or None when there was nothing to take or the
    claim was lost meanwhile; then nothing was written. Safe to run twice and by two workers at a time.
    """
    run = VerificationRun.objects.open().filter(deal_id=deal_id).first()
    if run is None or not claim(run.pk, attempt=run.attempts + 1):
        return None
    run.attempts += 1
    try:
        # Text is read faster than JSON; where there is one, the two say the same.
        source = Deal.objects.values_list(Coalesce("text", "record"), flat=True).get(pk=deal_id)
        (entry,) = read(source)
        if entry.error is not None:
            # It was read when it was stored: that it is not now is a fault of ours, no verdict.
            raise NotationError(entry.error)
        written = _write_verdict(run, check_entry(entry))
    except Exception:
        written = _write_failure(run, traceback.format_exc())
    if not written:
        logger.warning("run %s of deal %s was taken over by another worker", run.pk, deal_id)
        return None
    run.refresh_from_db()
    return run


def _held(run: VerificationRun) -> QuerySet[VerificationRun]:
    """The run's row, as long as it still belongs to the claim that ``run.attempts`` counts."""
    return VerificationRun.objects.filter(pk=run.pk, state="running", attempts=run.attempts)


def _write_verdict(run: VerificationRun, result: Check) -> bool:
    """Write verdict, score lines, points, facts in one transaction; nothing, and False, without the claim."""
    now = timezone.now()
    finding = sentences.finding_json(result.error, result.game or "") if result.error is not None else None
    with transaction.atomic():
        changed = _held(run).update(
            state="done",
            verdict=result.verdict,
            finding=finding,
            score=result.score,
            finished_at=now,
        )
        if changed != 1:
            return False
        ScoreLine.objects.filter(deal_id=run.deal_id).delete()
        ScoreLine.objects.bulk_create(
            ScoreLine(
                deal_id=run.deal_id,
                run_id=run.pk,
                position=position,
                clause=line.clause,
                points=line.points,
                quantity=line.quantity,
                sentences=list(line.sentences),
                events=list(line.events),
            )
            for position, line in enumerate(result.lines)
        )
        Seat.objects.filter(deal_id=run.deal_id).update(points=_points_by_seat(result.score))
        Deal.objects.filter(pk=run.deal_id).update(
            verdict=result.verdict,
            score=result.score,
            facts=result.facts,
            countings=[counting.as_json() for counting in result.countings],
            finding=finding,
            declarer=result.facts.get("declarer") or "",
            contract=result.facts.get("contract") or "",
            engine_version=tarock.__version__,
            verified_at=now,
        )
    return True


def _points_by_seat(score: dict[str, int] | None) -> Case | None:
    if not score:
        return None
    return Case(*(When(seat=seat, then=Value(points)) for seat, points in score.items()), default=None)


def _write_failure(run: VerificationRun, trace: str) -> bool:
    """Write down that our own code raised: to be tried again, or in the end left to the operator."""
    now = timezone.now()
    trace = _storable(trace)
    again = run.attempts < conf.max_attempts()
    changed = _held(run).update(
        state="failed",
        traceback=trace,
        finished_at=now,
        next_try_at=now + conf.retry_delay(run.attempts) if again else None,
    )
    logger.error(
        "run %s of deal %s failed at attempt %s, %s\n%s",
        run.pk,
        run.deal_id,
        run.attempts,
        "to be tried again" if again else "given up",
        trace,
    )
    return changed == 1


# --- sweeping -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sweep:
    """What one sweep found, in numbers of deals."""

    lost: int
    """Claims of workers that were not heard of again, to be taken anew."""
    given_up: int
    """Claims lost so often that the run is left to the operator."""
    retried: int
    """Failed runs whose next try was due."""
    resent: int
    """Runs that waited so long that their message must be lost."""
    added: int
    """Deals without a verdict and without a run that would lead to one."""
    unread: int = 0
    """Uploads that could not be stored when they came, whose next try was due."""


def sweep(now: datetime | None = None) -> Sweep:
    """Queue again whatever has no verdict (or waits for a new one) and is in nobody's hands, and the uploads
    that still have to be stored.

    Only conditional updates: two sweeps at a time, or a sweep beside working workers, at worst send a message
    twice.
    """
    now = now or timezone.now()
    runs = VerificationRun.objects
    with transaction.atomic():
        expired = runs.lost(now - conf.lease())
        given_up = expired.filter(attempts__gte=conf.max_attempts()).update(
            state="failed",
            finished_at=now,
            next_try_at=None,
            traceback="The worker that held this run was lost, and so were those before it.",
        )
        lost = _requeue(expired, now)
        retried = _requeue(runs.filter(state="failed", next_try_at__lte=now), now)
        resent = _requeue(runs.filter(state="queued", queued_at__lt=now - conf.sweep_after()), now)
        _send_on_commit({*lost, *retried, *resent})
    added = queue_verification(_uncovered()[:_SWEEP_LIMIT])
    return Sweep(
        lost=len(lost),
        given_up=given_up,
        retried=len(retried),
        resent=len(resent),
        added=added,
        unread=_sweep_uploads(now),
    )


def _sweep_uploads(now: datetime) -> int:
    """Have the workers read the uploads whose time has come; what was lost with every worker that read it is
    left to the operator. Returns how many are to be read."""
    from archive.tasks import read_upload  # the tasks call this module

    due = Upload.objects.filter(next_try_at__lte=now).defer("raw").order_by("pk")
    waiting = []
    for upload in due[:_SWEEP_LIMIT]:
        if upload.attempts < conf.max_attempts():
            waiting.append(upload.pk)
        else:
            lost = "Whoever read this upload was lost, and so were those before."
            _not_stored(upload, upload.error or lost, again=False)
    if waiting:
        # Until it is taken it is due at every sweep: a message that no worker fetched by then is superseded.
        _publish(read_upload, waiting, expires=conf.sweep_every())
    return len(waiting)


def _requeue(runs: QuerySet[VerificationRun], now: datetime) -> list[int]:
    """Put these runs back into the queue, as far as they still fit; the ids of their deals."""
    found = list(runs.order_by("pk").values_list("pk", "deal_id")[:_SWEEP_LIMIT])
    deals = []
    for chunk in _chunks(found, _BATCH):
        runs.filter(pk__in=[pk for pk, _ in chunk]).update(state="queued", queued_at=now, next_try_at=None)
        deals += [deal_id for _, deal_id in chunk]
    return deals


def _uncovered() -> QuerySet[Deal, int]:
    """Deals that no run will give a verdict; those given up under this engine are the operator's."""
    runs = VerificationRun.objects.filter(deal=OuterRef("pk"))
    return (
        Deal.objects.pending()
        .filter(
            ~Exists(runs.open()),
            ~Exists(runs.given_up().filter(Q(engine_version=tarock.__version__))),
        )
        .order_by("pk")
        .values_list("pk", flat=True)
    )


def reverify(deals: QuerySet[Deal] | None = None, *, outdated_only: bool = False) -> int:
    """Have deals verified anew, all of them or these: after an engine update, or because the operator says
    so.

    Each gets a new run; the verdict of before stands until the new one is there, and all of them stay in the
    runs. With ``outdated_only`` only deals whose verdict is of another engine version (or that have none).
    Returns how many runs are waiting then.
    """
    query = Deal.objects.all() if deals is None else deals
    if outdated_only:
        query = query.exclude(engine_version=tarock.__version__)
    ids = list(query.order_by("pk").values_list("pk", flat=True))
    return queue_verification(ids)


def _chunks(values: Iterable[T], size: int) -> Iterator[list[T]]:
    """The values in lists of this many."""
    rest = iter(values)
    while chunk := list(islice(rest, size)):
        yield chunk
