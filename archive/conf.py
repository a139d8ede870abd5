"""The archive's settings (see docs/operations.md), read at each use so that tests can change them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

LONGEST_DELAY = timedelta(hours=1)
"""The longest pause before a failed piece of work is tried again."""


def max_upload_bytes(anonymous: bool = False) -> int:
    """The largest upload: `ARCHIVE_MAX_UPLOAD_BYTES`, or for anonymous senders
    `ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES`."""
    most = settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES if anonymous else settings.ARCHIVE_MAX_UPLOAD_BYTES
    return int(most)


def quota_bytes(anonymous: bool) -> int:
    """Bytes that one sender may send in an hour: `ARCHIVE_QUOTA_BYTES`,
    `ARCHIVE_ANONYMOUS_QUOTA_BYTES`."""
    return int(settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES if anonymous else settings.ARCHIVE_QUOTA_BYTES)


def quota_deals(anonymous: bool) -> int:
    """Records that one sender may have read in an hour: `ARCHIVE_QUOTA_DEALS`,
    `ARCHIVE_ANONYMOUS_QUOTA_DEALS`."""
    return int(settings.ARCHIVE_ANONYMOUS_QUOTA_DEALS if anonymous else settings.ARCHIVE_QUOTA_DEALS)


def max_attempts() -> int:
    """`ARCHIVE_MAX_ATTEMPTS`: attempts before a piece of work is left to the operator."""
    return int(settings.ARCHIVE_MAX_ATTEMPTS)


GRACE = timedelta(seconds=5)
"""Time after which work that is due is no longer taken to be on its way to a worker."""


def retry_delay(attempt: int) -> timedelta:
    """The pause after failed attempt number `attempt` (from 1).

    `ARCHIVE_RETRY_SECONDS` after the first, twice as long after each further one, `LONGEST_DELAY` at most.
    """
    first = timedelta(seconds=int(settings.ARCHIVE_RETRY_SECONDS))
    return min(first * 2 ** (attempt - 1), LONGEST_DELAY)


def lease() -> timedelta:
    """`ARCHIVE_LEASE_SECONDS`: how long a claim holds without renewal."""
    return timedelta(seconds=int(settings.ARCHIVE_LEASE_SECONDS))


def retention_days() -> int:
    """`ARCHIVE_RETENTION_DAYS`: how long the bytes of an upload are stored; 0 is for ever."""
    return int(settings.ARCHIVE_RETENTION_DAYS)


class License(NamedTuple):
    """A licence of data: its SPDX identifier, and its address."""

    id: str
    url: str


def data_license() -> License:
    """`DATA_LICENSE`: the licence under which deals are sent and published."""
    return License(settings.DATA_LICENSE, settings.DATA_LICENSES[settings.DATA_LICENSE])


def dump_dir() -> Path | None:
    """`DUMP_DIR`: the folder of the archive's dumps; None if it writes none."""
    return Path(settings.DUMP_DIR) if settings.DUMP_DIR else None
