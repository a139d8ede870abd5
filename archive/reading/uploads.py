"""Uploads: their progress, their results and their original bytes."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from math import inf
from typing import TYPE_CHECKING

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from archive.access import Viewer
from archive.models import Contribution, Deal, ImportedTable, Part, Upload, UploadItem
from tarock.core.findings import Finding
from tarock.notation import read_piece

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of an upload: its size in bytes, and its numbers of records (by outcome) and parts. `failed`:
    number of records and parts that failed because of an error in the archive."""

    size: int
    finished: bool = False
    records: int = 0
    stored: int = 0
    known: int = 0
    malformed: int = 0
    refused: int = 0
    failed: int = 0
    parts: int = 0
    parts_done: int = 0

    @property
    def expected(self) -> int:
        """Estimated total number of records, from the parts processed so far; 0 if unknown."""
        done = self.size * self.parts_done // self.parts if self.parts else 0
        return self.records * self.size // done if done else 0

    @property
    def outcomes(self) -> str:
        """Numbers of records by outcome, as text for the operator: `3 stored, 1 known`."""
        counts = ((getattr(self, name), name) for name in Part.COUNTS)
        return ", ".join(f"{number} {name}" for number, name in counts if number)


def progress_of(upload: Upload) -> Progress:
    """Return the progress of an upload. One query."""
    return progress_by_id([upload])[upload.pk]


def progress_by_id(uploads: Sequence[Upload]) -> dict[int, Progress]:
    """Return the progress of each of these uploads, by upload id. One query."""
    sums = {name: Sum(name) for name in ("records", *Part.COUNTS)}
    sums["failed"] += Count("pk", filter=Q(state="failed"))
    done = Count("pk", filter=Q(state__in=["done", "failed"]))
    rows = Part.objects.filter(upload__in=uploads).order_by().values("upload")
    counts = {row.pop("upload"): row for row in rows.annotate(**sums, parts=Count("pk"), parts_done=done)}
    return {
        upload.pk: Progress(upload.size, upload.is_finished, **counts.get(upload.pk, {}))
        for upload in uploads
    }


def _with_counts(query: QuerySet[Upload]) -> QuerySet[Upload]:
    """Return uploads, latest first, with numbers of records, in total and by outcome (`stored_count`, …)."""
    sums = {f"{name}_count": Coalesce(Sum(f"parts__{name}"), 0) for name in ("records", *Part.COUNTS)}
    return query.annotate(**sums).order_by("-id")


def uploads_of(user: AbstractBaseUser) -> QuerySet[Upload]:
    """Return a user's uploads, latest first, with numbers of records as in `_with_counts`."""
    return _with_counts(Upload.objects.filter(user=user))


def accepted_uploads(user: AbstractBaseUser, before: int | None = None) -> QuerySet[Upload]:
    """Return a user's completely received uploads, latest first. `before`: only those with a smaller id."""
    uploads = Upload.objects.filter(user=user, accepted_at__isnull=False).order_by("-id")
    return uploads if before is None else uploads.filter(pk__lt=before)


def uploads_to(space: int) -> QuerySet[Upload]:
    """Return the uploads to a space, latest first, with numbers of records as in `_with_counts`."""
    return _with_counts(Upload.objects.filter(space=space))


def get_upload(pk: int, viewer: Viewer) -> Upload:
    """Return a completely received upload that the viewer may see.

    :raises Upload.DoesNotExist: if there is no such upload, or the viewer may not see it.
    """
    uploads = Upload.objects.select_related("user", "space", "table").defer("table__data")
    upload = uploads.get(pk=pk, accepted_at__isnull=False)
    if not viewer.may_see_upload(upload):
        raise Upload.DoesNotExist
    return upload


def verdicts_of(upload: Upload) -> dict[str, int]:
    """Count the deals of an upload by verdict, including deals that the archive already knew. One query, plus
    one for every hundred ranges of consecutive deal ids."""
    items = UploadItem.objects.filter(part__upload=upload, outcome__in=("stored", "known")).order_by(
        "deal_id"
    )
    runs: list[list[int]] = []
    for first, n, last in items.values_list("deal_id", "n", "last"):
        if runs and first <= runs[-1][1] + 1:
            runs[-1][1] = max(runs[-1][1], first + last - n)
        else:
            runs.append([first, first + last - n])
    numbers: Counter[str] = Counter()
    for at in range(0, len(runs), 100):
        wanted = Q()
        for first, last in runs[at : at + 100]:
            wanted |= Q(deal__gte=first, deal__lte=last)
        contributions = Contribution.objects.filter(wanted, space=upload.space_id).order_by()
        numbers.update(dict(contributions.values_list("verdict").annotate(Count("pk"))))
    return numbers


@dataclass(frozen=True, slots=True)
class Result:
    """The result of one record of an upload.

    `n`: position of the record in the upload, from 0; `outcome`: one of `UploadItem.OUTCOMES`; `line`: line
    where the record or its first error begins; `deal`: id of the deal; `contribution`: id of the space's
    contribution to the deal; `digest`: digest of the deal in hex; `verdict`: verdict on the contribution;
    `differs`: fields in which the record differs from the archive (`conflict`); `findings`: errors of a
    record that was not stored, or warnings about a stored one.
    """

    n: int
    outcome: str
    line: int | None
    deal: int | None = None
    contribution: int | None = None
    digest: str | None = None
    verdict: str | None = None
    differs: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def conflict(self) -> str:
        """Kind of difference in `differs`. `details`: the archive keeps different details that it stored
        earlier; `score`: the sheet and the cards of the deal give different scores; `players`: a sheet and
        cards with the same session, game and number have different players. Empty if nothing differs."""
        if self.outcome == "stored" and self.differs:
            return "players" if self.differs == ("players",) else "score"
        return "details" if self.differs else ""

    @property
    def finding(self) -> Finding | None:
        """The first finding, or None."""
        return self.findings[0] if self.findings else None


def results_of(upload: Upload, after: int = -1, most: int = 1000, wrong_only: bool = False) -> list[Result]:
    """Return the results of at most `most` records of an upload after position `after`, in order, up to the
    first part that has not been processed yet. With `wrong_only`, leave out records that were stored or known
    without a difference or finding. Four queries."""
    parts: dict[int, int] = {}
    offset = 0
    for pk, state, records in upload.parts.order_by("number").values_list("pk", "state", "records"):
        if state not in ("done", "failed"):
            break
        if offset + records > after:
            parts[pk] = offset
        offset += records
        if offset > after + 1 + most and not wrong_only:
            break
    # Skip the rows of the first part that end at or before `after`.
    before = [Q(part=pk, last__lte=after - offset) for pk, offset in list(parts.items())[:1]]
    items = UploadItem.objects.filter(part__in=list(parts)).exclude(*before).order_by("part__number", "n")
    if wrong_only:
        items = items.exclude(outcome__in=["stored", "known"], differs="", finding="")
    results: list[Result] = []
    for item in items[:most]:
        offset = parts[item.part_id]
        first = max(item.n, after + 1 - offset)
        for n in range(first, min(item.last + 1, first + most - len(results))):
            deal = None if item.deal_id is None else item.deal_id + n - item.n
            differs, findings, line = tuple(item.differs.split()), item.findings, item.line
            if n > item.n:  # the row has positions only for its first record
                findings, line = tuple(finding.anywhere for finding in findings), None
            results.append(Result(offset + n, item.outcome, line, deal, differs=differs, findings=findings))
        if len(results) == most:
            break
    return _with_deals(results, upload.space_id)


def _with_deals(results: list[Result], space: int) -> list[Result]:
    """Fill in the digests of the deals, and the ids and verdicts of the space's contributions."""
    numbers = {result.deal for result in results if result.deal is not None}
    if not numbers:
        return results
    first, last = min(numbers), max(numbers)
    near = Q(pk__in=numbers) if last - first >= 2 * len(numbers) else Q(pk__gte=first, pk__lte=last)
    rows = Deal.objects.filter(near).order_by().values_list("pk", "digest", "verdict")
    deals = {pk: (bytes(digest).hex(), verdict) for pk, digest, verdict in rows}
    own = Contribution.objects.filter(deal__in=numbers, space=space).order_by()
    own_contributions = {
        deal: (pk, verdict) for deal, pk, verdict in own.values_list("deal_id", "pk", "verdict")
    }
    for at, result in enumerate(results):
        if result.deal is not None and result.deal in deals:
            digest, verdict = deals[result.deal]
            pk, own_verdict = own_contributions.get(result.deal, (None, verdict))
            results[at] = replace(result, contribution=pk, digest=digest, verdict=own_verdict)
    return results


def mended(upload: Upload, records: Iterable[int]) -> dict[int, tuple[int, int | None]]:
    """Map these records of an upload (numbered from 0) to their corrections: the id of the upload with the
    correction, and the id of the deal if the correction was stored. One query."""
    item = UploadItem.objects.filter(part__upload=OuterRef("pk"), part__number=0, n=0)
    sent = Upload.objects.filter(mends=upload, mends_record__in=set(records), accepted_at__isnull=False)
    rows = sent.annotate(deal=Subquery(item.values("deal_id")[:1])).order_by("pk")
    by_record: dict[int, tuple[int, int | None]] = {}
    for record, pk, deal in rows.values_list("mends_record", "pk", "deal"):
        if deal is not None or not by_record.get(record, (0, None))[1]:
            by_record[record] = pk, deal
    return by_record


def was_loaded(raw: bytes, filename: str) -> bool:
    """Return whether a command has already loaded exactly this file without a failure."""
    faulty = Part.objects.filter(Q(state="failed") | Q(failed__gt=0)).values("upload")
    before = Upload.objects.filter(
        source="cli", filename=filename, size=len(raw), finished_at__isnull=False
    ).exclude(pk__in=faulty)
    return any(b"".join(upload_bytes(upload)) == raw for upload in before)


def parts_at(upload: Upload, places: Iterable[tuple[int, int]]) -> dict[tuple[int, int], Part]:
    """Return the part that contains each of these positions (line, column), with its bytes, except for parts
    that are being deleted. Two queries."""
    starts = list(upload.parts.order_by("number").values_list("line", "column", "pk"))
    numbers = {place: starts[max(0, bisect_right(starts, (*place, inf)) - 1)][2] for place in places}
    parts = Part.objects.in_bulk(set(numbers.values()))
    return {place: parts[number] for place, number in numbers.items() if number in parts}


def upload_bytes(upload: Upload) -> Iterator[bytes]:
    """Yield the bytes of an upload as they were sent, except that packed files of records are unpacked. Part
    by part."""
    if table := table_of(upload):
        yield table.bytes
        return
    for pk in list(upload.parts.order_by("number").values_list("pk", flat=True)):
        data = Part.objects.only("data").get(pk=pk).bytes
        with suppress(UnicodeEncodeError):  # another file in a packed one had another encoding
            if upload.encoding:
                data = data.decode(errors="surrogateescape").encode(upload.encoding, "surrogateescape")
        yield data


def table_of(upload: Upload) -> ImportedTable | None:
    """Return the table whose rows are the records of an upload; None if the records themselves were sent."""
    return getattr(upload, "table", None)


def failed_records(upload: Upload) -> Iterator[str]:
    """Yield the original text of each record of an upload that was not stored, with a line feed at the end.
    Reads part by part, and skips parts whose bytes were deleted."""
    lost = UploadItem.objects.filter(part__upload=upload, deal_id__isnull=True)
    rows: dict[int, set[int]] = {}
    for pk, n, last in lost.order_by("part__number", "n").values_list("part_id", "n", "last"):
        rows.setdefault(pk, set()).update(range(n, last + 1))
    for pk, wanted in rows.items():
        part = Part.objects.get(pk=pk)
        for entry in read_piece(part.piece) if part.data else ():
            if entry.n in wanted or entry.n >= part.records:
                yield entry.source.rstrip("\n") + "\n"


@dataclass(frozen=True, slots=True)
class Original:
    """The text of a record as it was sent. `form`: `tgn` or `json`."""

    text: str
    form: str
    received_at: datetime


def original_of(contribution: Contribution) -> Original | None:
    """Return the original record of a contribution, or None if its bytes were deleted."""
    part = Part.objects.select_related("upload").filter(pk=contribution.part_id).first()
    return None if part is None else _original(part, contribution.n)


def original_at(upload: Upload, n: int) -> Original | None:
    """Return the original `n`-th record of an upload (from 0). None if no such record was processed yet, or
    if its bytes were deleted. Two queries."""
    place = _place_of(upload, n)
    if place is None:
        return None
    return _original(Part.objects.select_related("upload").get(pk=place[0]), place[1])


def record_of(upload: Upload, n: int) -> tuple[Part, int, Contribution]:
    """Return the `n`-th record of an upload (from 0): its part, its position in the part, and the current
    contribution of the upload's space to the deal. Five queries.

    :raises LookupError: if there is no such record, or it was not stored.
    """
    place = _place_of(upload, n)
    if place is None:
        raise LookupError(n)
    pk, at = place
    part = Part.objects.get(pk=pk)
    item = part.items.filter(n__lte=at, last__gte=at, deal_id__isnull=False).first()
    if item is None:
        raise LookupError(n)
    contributions = Contribution.objects.with_sender().prefetched().select_related("deal")
    return part, at, contributions.get(deal=item.deal_id + at - item.n, space=upload.space_id)


def _place_of(upload: Upload, n: int) -> tuple[int, int] | None:
    """Return the id of the part that contains the `n`-th record of an upload, and the record's position in
    the part. None if the parts before the first unprocessed part have no such record. One query."""
    for pk, state, records in upload.parts.order_by("number").values_list("pk", "state", "records"):
        if state not in ("done", "failed") or n < 0:
            break
        if n < records:
            return pk, n
        n -= records
    return None


def _original(part: Part, n: int) -> Original | None:
    entry = part.entry(n)
    return None if entry is None else Original(entry.source, entry.form, part.upload.received_at)
