"""Receive uploads and store their bytes in parts, without parsing them. Workers see an upload only when it is
complete. An interrupted upload leaves nothing behind."""

from __future__ import annotations

import hashlib
import hmac
import math
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from zlib import compress

from django.conf import settings
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Case, Count, QuerySet, Sum, When
from django.utils import timezone

from archive import conf, database
from archive.errors import ArchiveError, Unavailable
from archive.models import Contribution, ImportedTable, Part, Space, Upload
from archive.storing import queue, spaces
from tarock.notation import Piece, pieces_of

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

_COMPRESSION = 3
"""zlib level. Level 3 takes 34 µs and leaves 200 bytes per deal; level 6 takes 85 µs and leaves 172 bytes."""

_LEAST_BYTES = 16_384
"""Minimum number of bytes that an upload counts for in the quota, on average, because it also adds rows."""

KEY_LIFETIME = timedelta(hours=24)
"""Time during which an idempotency key identifies an upload."""

_FIRST_LOOK, _LONGEST_LOOK = 0.01, 0.2
"""First and longest pause of `wait` between two queries, in seconds. Each pause is a fifth longer than the
last."""


class TooLarge(ArchiveError):
    """The upload is larger than `limit` bytes. Nothing was stored."""

    code = "too_large"

    def __init__(self, limit: int) -> None:
        super().__init__(f"The upload is larger than the limit of {limit} bytes.")
        self.limit = limit


class OverQuota(ArchiveError):
    """The upload exceeds the sender's hourly quota. Retry after `seconds`. Nothing was stored."""

    code = "throttled"
    message = "You have sent as much as is taken in an hour."
    seconds: int

    def __init__(self, seconds: int) -> None:
        super().__init__()
        self.seconds = seconds


class KeyInUse(ArchiveError):
    """Another upload with the same key is still being received. Nothing was stored."""

    code = "key_in_use"
    message = "Another request with this Idempotency-Key is still coming in. Try it again."
    seconds = 1


class KeyReused(ArchiveError):
    """An earlier, different request used the same key. Nothing was stored."""

    code = "key_reused"
    message = "With this Idempotency-Key another body, or other parameters, were sent before."


class AlreadyImported(ArchiveError):
    """The table was already imported. Nothing was stored."""

    code = "changed_meanwhile"
    message = "These results were already brought in."


class BrokenOff(ArchiveError):
    """The bytes ended before the announced length. Nothing was stored."""

    code = "bad_request"


def sender(user: AbstractBaseUser | AnonymousUser | None, address: str = "") -> str:
    """Return the key of a sender's quota: the user, or a keyed hash of an IP address; “” for commands."""
    if user is not None and user.is_authenticated:
        return f"user-{user.pk}"
    if not address:
        return ""
    digest = hmac.new(settings.SECRET_KEY.encode(), address.encode(), hashlib.sha256).hexdigest()
    return f"address-{digest[:24]}"


def used_quota(name: str) -> dict[str, int]:
    """Return the number of `bytes` and `deals` that a sender has sent in the last hour. The deals in parts
    that are not parsed yet are estimated. Two queries."""
    recent = Upload.objects.filter(sender=name, received_at__gt=timezone.now() - timedelta(hours=1))
    sent = recent.aggregate(size=Sum("size"), number=Count("pk"))
    records = Case(When(state="done", then="records"), default="about")
    deals = Part.objects.filter(upload__in=recent).aggregate(deals=Sum(records))
    least = _LEAST_BYTES * sent["number"]
    return {"bytes": max(sent["size"] or 0, least), "deals": deals["deals"] or 0}


def wait_for_quota(name: str) -> int:
    """Return the number of seconds until a sender may send again; 0 for commands, which have no sender."""
    return _seconds_until_less(name) if min(_remaining(name).values()) <= 0 else 0


def _remaining(name: str) -> dict[str, float]:
    """Return the number of bytes and deals that a sender may still send now; unlimited for commands."""
    if not name:
        return {"bytes": math.inf, "deals": math.inf}
    so_far = used_quota(name)
    return {unit: most - so_far[unit] for unit, most in conf.quota(not name.startswith("user-")).items()}


def _seconds_until_less(name: str) -> int:
    """Return the seconds until the oldest upload in a sender's quota is an hour old and stops counting."""
    hour = timezone.now() - timedelta(hours=1)
    oldest = Upload.objects.filter(sender=name, received_at__gt=hour).order_by("received_at").first()
    return 1 if oldest is None else max(1, int((oldest.received_at - hour).total_seconds()) + 1)


def receive(
    chunks: Iterable[bytes],
    *,
    limit: int,
    user: AbstractBaseUser | AnonymousUser | None = None,
    space: Space | None = None,
    visibility: str = "",
    replaces: Contribution | None = None,
    mends: tuple[Upload, int] | None = None,
    address: str = "",
    source: str = "page",
    filename: str = "",
    media_type: str = "",
    key: str = "",
    about: str = "",
    friend: str = "",
    encoding: str = "",
    table: ImportedTable | None = None,
    send: bool = True,
) -> Upload:
    """Store an upload that arrives in chunks of bytes, and notify the workers.

    A small upload takes one transaction. Each part of a large upload is stored as it arrives, and the
    messages are sent at the end. If the upload is interrupted (also by an exception from `chunks`), nothing
    remains. With `send=False` no messages are sent, because the caller stores the parts.

    `space`: a space in which the user has a role; by default the user's own space, or the house if there is
    no user. `visibility`: by default the space's visibility. `replaces`: the contribution that the single
    record corrects. `mends`: an upload, and the position in it of the unreadable record that is corrected.
    `key`: the idempotency key. `about`: a text that identifies the rest of the request (see `find_earlier`).
    `friend`: see `Upload`. `encoding`: for texts that fit several (`tarock.notation.packed.ENCODINGS`).
    `table`: the table whose rows the chunks are; it is stored with the upload, and `key` identifies it.

    :raises TooLarge: if more than `limit` bytes arrive, or a packed file has more than twice as many.
    :raises OverQuota: if the sender's quota is used up, or the upload exceeds what is left of it.
    :raises KeyInUse: if the user is sending another upload with the same key.
    :raises AlreadyImported: if the table already belongs to an upload.
    :raises Unavailable: if the database is not available, or the space was deleted during the request.
    """
    signed_in = user if user is not None and user.is_authenticated else None
    if space is None:
        try:
            space = spaces.own(signed_in) if signed_in else spaces.house()
        except database.AWAY as error:
            raise Unavailable from error
    upload = Upload(
        user=signed_in,
        space=space,
        visibility=visibility or space.visibility,
        replaces=replaces,
        mends=mends[0] if mends else None,
        mends_record=mends[1] if mends else None,
        sender=sender(user, address),
        source=source,
        filename=database.storable(filename)[:255],
        media_type=database.storable(media_type)[:100],
        key=key,
        friend=friend,
    )
    digest = hashlib.sha256(about.encode())
    if table is not None:
        digest.update(table.bytes)
    hashed = digest if table is None else hashlib.sha256()
    try:
        left = _remaining(upload.sender)
        if min(left.values()) <= 0:
            raise OverQuota(_seconds_until_less(upload.sender))
        for number, piece in enumerate(pieces_of(_hashed(chunks, limit, hashed), encoding)):
            assert isinstance(piece.data, bytes)
            is_end = piece.last and not piece.more
            upload.size += len(piece.data)
            if upload.size > 2 * limit:  # a text in an old encoding may grow to twice its size in UTF-8
                raise TooLarge(limit)
            upload.encoding = piece.encoding or upload.encoding
            if key and is_end:
                upload.digest = digest.digest()
            part = _part(number, piece)
            left = {"bytes": left["bytes"] - len(piece.data), "deals": left["deals"] - part.about}
            if min(left.values()) < 0:
                raise OverQuota(_seconds_until_less(upload.sender))
            database.retry_transient(partial(_receive_part, upload, part, is_end, table, send))
    except BaseException as error:
        if upload.pk is not None:
            with suppress(*database.AWAY):  # otherwise the sweeper deletes the incomplete upload
                Upload.objects.filter(pk=upload.pk).delete()
        if isinstance(error, database.AWAY):
            raise Unavailable from error
        if isinstance(error, IntegrityError) or type(error) is DatabaseError:
            if key and _with_key(user, key).exists():
                raise KeyInUse from error
            # The space, the user or the corrected contribution was deleted during the request, or with the
            # user's account the upload itself.
            raise Unavailable from error
        raise
    return upload


def find_earlier(
    user: AbstractBaseUser | AnonymousUser | None,
    key: str,
    chunks: Iterable[bytes],
    *,
    limit: int,
    about: str,
) -> Upload | None:
    """Return the upload that the user sent with this key within the last `KEY_LIFETIME`; None if there is
    none, in which case no chunk has been read. The current request must be identical to the earlier one.

    :raises KeyInUse: if the earlier upload is still being received.
    :raises KeyReused: if the current request is a different one.
    :raises TooLarge: if the body has more than `limit` bytes.
    """
    expire_keys(_with_key(user, key))
    upload = _with_key(user, key).first()
    if upload is None:
        return None
    if upload.accepted_at is None:
        raise KeyInUse
    digest = hashlib.sha256(about.encode())
    for _chunk in _hashed(chunks, limit, digest):
        pass
    if digest.digest() != bytes(upload.digest):
        raise KeyReused
    return upload


def expire_keys(uploads: QuerySet[Upload]) -> None:
    """Delete the expired idempotency keys of these uploads."""
    over = uploads.exclude(key="").filter(received_at__lte=timezone.now() - KEY_LIFETIME)
    over.update(key="", digest=b"")


def _with_key(user: AbstractBaseUser | AnonymousUser | None, key: str) -> QuerySet[Upload]:
    return Upload.objects.filter(user=user.pk if user else None, key=key)


def _hashed(chunks: Iterable[bytes], limit: int, digest: Any) -> Iterator[bytes]:
    """Yield the chunks, and add them to the hash `digest`. Raise `TooLarge` if they exceed `limit` bytes."""
    size = 0
    for chunk in chunks:
        size += len(chunk)
        if size > limit:
            raise TooLarge(limit)
        digest.update(chunk)
        yield chunk


def _part(number: int, piece: Piece) -> Part:
    assert isinstance(piece.data, bytes)
    return Part(
        number=number,
        queue=queue.INTERACTIVE if piece.last and not number else queue.BULK,
        data=compress(piece.data, _COMPRESSION),
        **{
            name: getattr(piece, name)
            for name in ("about", "line", "column", "form", "array", "torn", "last")
        },
    )


def _receive_part(upload: Upload, part: Part, is_end: bool, table: ImportedTable | None, send: bool) -> None:
    """Store a part, the first together with the upload and its table. The last part completes the upload and,
    if `send`, notifies workers. Call in a transaction."""
    part.pk = None
    if not part.number:
        upload.pk = None
    now = timezone.now()
    if is_end:
        upload.accepted_at = now
    if is_end or not part.number:
        # Don't write the space and the user: `spaces.adopt` may have changed them during the upload.
        if part.number:
            upload.save(update_fields=["size", "accepted_at", "digest", "encoding"])
        else:
            upload.save(force_insert=True)
    if table is not None and not part.number:
        _attach(table, upload)
    part.upload, part.due_at = upload, now
    part.save(force_insert=True)
    if is_end and send:
        transaction.on_commit(lambda: notify_workers(upload))


def _attach(table: ImportedTable, upload: Upload) -> None:
    """Make a table the original of an upload, unless it already is that of another."""
    draft = ImportedTable.objects.filter(pk=table.pk, upload=None)
    if not draft.update(upload=upload, report=table.report):
        raise AlreadyImported


def notify_workers(upload: Upload) -> None:
    """Send a message for each waiting part of an upload."""
    parts = list(upload.parts.filter(state="waiting").order_by("-number").values_list("pk", "queue"))
    if parts:
        queue.send(queue.STORE_PART, [pk for pk, _ in parts], parts[0][1])


def read_again(upload: Upload) -> None:
    """Queue an upload to be parsed again, for example after a bug fix. The outcomes of its records are
    rewritten, but deals that were already stored remain. Parts whose bytes were deleted don't change."""
    with transaction.atomic():
        ended = upload.parts.exclude(state__in=["waiting", "working"]).exclude(data=b"")
        if not ended.update(state="waiting", claims=0, due_at=timezone.now(), error=""):
            return
        Upload.objects.filter(pk=upload.pk).update(finished_at=None)
        transaction.on_commit(lambda: notify_workers(upload))


def wait(upload: Upload, seconds: float) -> bool:
    """Wait up to `seconds` for an upload to finish. Return whether it is finished."""
    until, pause = time.monotonic() + seconds, _FIRST_LOOK
    while not Upload.objects.filter(pk=upload.pk, finished_at__isnull=False).exists():
        left = until - time.monotonic()
        if left <= 0:
            return False
        time.sleep(min(pause, left))
        pause = min(pause * 1.2, _LONGEST_LOOK)
    upload.refresh_from_db(fields=["finished_at"])
    return True
