"""Store a part of an upload: parse and check its records, and write deals with their verdicts in one
transaction. A deal is never stored without its verdict. A part is stored as a whole or not at all, and
storing it twice changes nothing. A record that breaks the rules gets a verdict. An exception in our own code
never becomes a verdict; it marks only the record that caused it as failed.
"""

from __future__ import annotations

import logging
import time
import traceback
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from archive import counters, database, packed_sheets
from archive.fields import PackedTextField
from archive.models import CHOSEN, Evening, Part, Upload, UploadItem
from archive.storing import claims, corrections
from archive.storing.contribution_data import ContributionData, NotStorable, from_record
from archive.storing.insertion import Incoming, StoredDeal, identify, insert, stored_deals
from archive.storing.verdicts import contribution_verdict, deal_columns
from tarock.analysis.verify import check, warnings
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.notation import Entry, read_piece

logger = logging.getLogger(__name__)

_MOST_PLACES = 100
"""Maximum number of invalid records in a part that get a row each. After that, consecutive records with the
same errors share a row."""

_MOST_FAULTY = 1000
"""Number of invalid and failed records after which the rest of a part is skipped. A normal part has at most
300 deals."""


@dataclass(slots=True)
class _PartRead:
    """The records of a part, and the results of storing the records."""

    part: Part
    now: datetime
    incoming: list[Incoming] = field(default_factory=list)
    items: list[dict[str, Any]] = field(default_factory=list)
    """`UploadItem` rows for records that can't be stored."""
    records: int = 0
    upload: Upload = field(init=False)
    outcomes: dict[str, int] = field(default_factory=dict)
    """Number of records by outcome; empty if another worker has stored the part."""
    deals: dict[bytes, StoredDeal] = field(default_factory=dict)
    """Stored deals that the upload may contribute to, by digest."""
    taken: set[bytes] = field(default_factory=set)
    """Digests in this part that belong to any stored deal, even a hidden one."""
    faulty: int = 0
    """Number of invalid and failed records so far."""
    alike: tuple[str, tuple[Finding, ...]] | None = None
    """Outcome and findings of the last row for invalid records, without the places of the findings."""

    def refuse(self, entry: Entry, outcome: str, findings: tuple[Finding, ...]) -> None:
        """Add the outcome of a record that can't be stored, with its errors."""
        self.faulty += 1
        alike = outcome, tuple([finding.anywhere for finding in findings])
        follows = alike == self.alike and self.items[-1]["last"] == entry.n - 1
        if follows and self.faulty > _MOST_PLACES:
            self.items[-1]["last"] = entry.n
            return
        self.items.append(_item(entry, outcome, findings=findings))
        self.alike = alike

    def fail(self, entry: Entry, failure: Exception) -> None:
        """Log an exception in our own code, and add the record that caused it as failed."""
        logger.error("record %s of %s could not be read", entry.n, self.part, exc_info=failure)
        self.faulty += 1
        self.items.append(_item(entry, "failed", error="".join(traceback.format_exception(failure))))
        self.alike = None


def store(part_id: int) -> Part | None:
    """Claim a waiting part and store it. Return the part, or None if it can't be claimed."""
    part = claims.claim(Part, part_id)
    if part is None:
        return None
    began, outcome, records = time.monotonic(), "failed", 0
    try:
        with claims.renewed(part):
            part_read = _read(part)
            records = part_read.records
            while not database.retry_transient(lambda: _write(part_read)):
                # Check the remaining records without the insert lock, because all other writers wait for it.
                _check_all(part_read.incoming)
    except Exception as error:
        claims.give_back(part, error)
    else:
        outcome = "stored" if part_read.outcomes else "stored by another worker"
        counters.add(_counts(part_read))
    details = {"part": part.pk, "upload": part.upload_id, "records": records, "outcome": outcome}
    logger.info("part finished", extra={**details, "seconds": round(time.monotonic() - began, 3)})
    finish(Upload.objects.filter(pk=part.upload_id))
    return part


def finish(uploads: QuerySet[Upload]) -> None:
    """Mark uploads as finished if they have no parts left to store."""
    open_parts = Part.objects.open().filter(upload=OuterRef("pk"))
    received = uploads.filter(accepted_at__isnull=False, finished_at__isnull=True)
    received.filter(~Exists(open_parts)).update(finished_at=timezone.now())


# --- reading ------------------------------------------------------------------------------------------------


def _read(part: Part) -> _PartRead:
    """Parse all records of a part, and check those whose deals have not been stored yet."""
    part_read = _PartRead(part, timezone.now())
    # Records that the operator restores or loads with a command can have any date. Query the upload here,
    # because below, an error marks a record as failed.
    any_date = part.upload.source == "cli"
    for entry in _entries(part):
        part_read.records += 1
        if part_read.faulty == _MOST_FAULTY:
            rest = Finding("too-many-faults", {"number": part_read.faulty}, line=entry.line)
            part_read.items.append(_item(entry, "malformed", findings=(rest,)))
            break
        if entry.failure is not None:
            part_read.fail(entry, entry.failure)
            continue
        if entry.record is None:
            part_read.refuse(entry, "malformed", entry.errors)
            continue
        try:
            data = from_record(entry.record, any_date=any_date)
            digest = bytes.fromhex(entry.record.digest) if entry.record.is_played else b""
            same_names = _warnings(entry.record, data)
            part_read.incoming.append(Incoming(entry, entry.record, digest, data, data.columns, same_names))
        except NotStorable as reason:
            part_read.refuse(entry, "refused", (Finding(*reason.args),))
        except Exception as failure:
            part_read.fail(entry, failure)
    known, _taken = stored_deals((incoming.digest for incoming in part_read.incoming), part.upload)
    _check_all(incoming for incoming in part_read.incoming if incoming.digest not in known)
    return part_read


def _warnings(record: Record, data: ContributionData) -> tuple[Finding, ...]:
    """Return the warnings to store with a record: that two seats have the same name, or that the points of a
    result don't add up to 0."""
    if record.result is None and len(set(data.players)) == len(data.players):
        return ()
    return tuple(one for one in warnings(record) if one.reason in ("same-name", "result.sum"))


def _entries(part: Part) -> Iterable[Entry]:
    """Yield the records of a part. For an upload without any record, yield one entry with an error."""
    n = -1
    for entry in read_piece(part.piece):
        n = entry.n
        yield entry
    if n < 0 and part.last and not part.number:
        yield Entry(0, None, (Finding("nothing", line=1, column=1, pointer=""),), "", 1, part.form)


def _check_all(batch: Iterable[Incoming]) -> None:
    """Check the records in a batch that have not been checked yet, and compute the columns of their deals. An
    exception is an error in our own code, and marks only the record that caused it."""
    for incoming in batch:
        if incoming.is_checked:
            continue
        began = time.perf_counter()
        try:
            checked = check(incoming.record)
            incoming.check_seconds = time.perf_counter() - began
            columns = deal_columns(incoming.record, checked)
            incoming.deal_columns = columns | {
                name: PackedTextField.pack(columns[name]) for name in ("text", "sheet")
            }
            incoming.score = checked.score
        except Exception:
            logger.exception("a record could not be checked")
            incoming.check_error = traceback.format_exc()


# --- writing ------------------------------------------------------------------------------------------------


def _write(part_read: _PartRead) -> bool:
    """Store the records. Call in a transaction. Do nothing if another worker has already stored them. Return
    whether the records are stored; if some must be checked first, store nothing and return False."""
    database.insert_lock()
    part = part_read.part
    # Look everything up again: since the part was read, deals may have been stored or removed, and the upload
    # may have moved to another space. This may also be a second attempt.
    upload = Upload.objects.select_related("replaces").filter(parts__in=claims.undone(part)).first()
    if upload is None:
        logger.warning("%s was stored by another worker", part)
        return True
    part_read.upload = upload
    replaces = part_read.records == 1 and part.last and not part.number and upload.replaces
    if replaces and replaces.space_id == upload.space_id and replaces.visibility in CHOSEN:
        # A correction must never be visible to more people than the record that it replaces.
        upload.visibility = replaces.visibility
    _follow_evening(part_read)
    identify(part_read.incoming, part, upload)
    digests = [incoming.digest for incoming in part_read.incoming]
    part_read.deals, part_read.taken = stored_deals(digests, upload)
    for incoming in part_read.incoming:
        known = incoming.digest in part_read.deals
        if not known and not incoming.is_checked:
            return False
        incoming.error = "" if known else incoming.check_error
    _insert_by_halves([incoming for incoming in part_read.incoming if not incoming.error], part_read)
    if replaces:
        for incoming in part_read.incoming:
            incoming.deal = corrections.replace(upload, incoming.deal)
    _write_result(part_read)
    return True


def _follow_evening(part_read: _PartRead) -> None:
    """Give the sheets of an evening its current name, date and place. Otherwise a sheet that a phone sent
    just before the evening was renamed would not be in the evening."""
    key = part_read.upload.evening_key
    if not key or (evening := Evening.objects.filter(key=key).first()) is None:
        return
    for incoming in part_read.incoming:
        record = corrections.of_evening(evening, incoming.record)
        if record != incoming.record:
            incoming.record, incoming.data = record, from_record(record, any_date=True)
            incoming.columns = incoming.data.columns
            incoming.deal_columns = None  # The sheet contains the name, so check it again.


def _insert_by_halves(batch: Sequence[Incoming], part_read: _PartRead) -> None:
    """Insert records in a savepoint. If that fails, insert each half separately, and so on, until only the
    record that causes the error is left out."""
    if not batch:
        return
    try:
        with transaction.atomic():
            added = insert(
                batch, part_read.deals, part_read.taken, part_read.part, part_read.upload, part_read.now
            )
    except database.AWAY:
        raise  # the database failed, not a record
    except Exception:
        if len(batch) == 1:
            logger.exception("record %s of %s could not be stored", batch[0].entry.n, part_read.part)
            batch[0].error = traceback.format_exc()
            return
        middle = len(batch) // 2
        _insert_by_halves(batch[:middle], part_read)
        _insert_by_halves(batch[middle:], part_read)
    else:
        part_read.deals |= added


# --- the result ---------------------------------------------------------------------------------------------


def _item(
    entry: Entry,
    outcome: str,
    *,
    deal: int | None = None,
    differs: str = "",
    findings: tuple[Finding, ...] = (),
    error: str = "",
) -> dict[str, Any]:
    """Return the `UploadItem` row for a record."""
    line = findings[0].line if findings else None
    return {
        "n": entry.n,
        "last": entry.n,
        "outcome": outcome,
        "deal_id": deal,
        "line": line or entry.line,
        "differs": differs,
        "finding": database.storable(packed_sheets.findings_text(findings)) if findings else "",
        "error": database.storable(error),
    }


def _write_result(part_read: _PartRead) -> None:
    """Write the outcomes of all records, and mark the part as stored."""
    part = part_read.part
    rows = [*part_read.items]
    run: dict[str, Any] | None = None
    """Row that the next record may share."""
    for incoming in part_read.incoming:
        entry = incoming.entry
        if incoming.error:
            rows.append(_item(entry, "failed", error=incoming.error))
            continue
        odd = incoming.warnings
        if (
            run is not None
            and run["last"] == entry.n - 1
            and run["outcome"] == incoming.outcome
            and run["deal_id"] + entry.n - run["n"] == incoming.deal
            and not (run["differs"] or incoming.differs or run["finding"] or odd)
        ):
            run["last"] = entry.n
            continue
        differs = incoming.differs
        run = _item(entry, incoming.outcome, deal=incoming.deal, differs=differs, findings=odd)
        rows.append(run)
    counts = dict.fromkeys(UploadItem.OUTCOMES, 0)
    for row in rows:
        counts[row["outcome"]] += row["last"] - row["n"] + 1
    part.items.all().delete()
    rows.sort(key=lambda row: row["n"])
    database.insert(UploadItem, [{"part": part.pk, **row} for row in rows])
    claims.undone(part).update(state="done", error="", records=part_read.records, **counts)
    part_read.outcomes = counts


def _counts(part_read: _PartRead) -> dict[str, int]:
    """Return the numbers that a part adds to the operator's counters."""
    if not part_read.outcomes:
        return {}
    steps = Counter({"parts": 1})
    for name, number in part_read.outcomes.items():
        steps[f"outcome:{name}"] = number
    claims_made = {one.deal: one.record.score for one in reversed(part_read.incoming)}
    for deal in part_read.deals.values():
        if deal.new:
            steps[f"verdict:{contribution_verdict(claims_made[deal.id], deal.verdict, deal.score)}"] += 1
    seconds = [incoming.check_seconds for incoming in part_read.incoming if incoming.check_seconds]
    return {**steps, "checks": len(seconds), "microseconds": round(sum(seconds) * 1_000_000)}
