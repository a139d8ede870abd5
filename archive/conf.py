"""The archive's settings (see docs/operations.md), read at each use so that tests can change them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

LONGEST_DELAY = timedelta(hours=1)
"""The longest pause before failed work is tried again."""


def max_upload_bytes(anonymous: bool = False) -> int:
    """The largest upload: `ARCHIVE_MAX_UPLOAD_BYTES`, or for anonymous senders
    `ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES`."""
    most = settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES if anonymous else settings.ARCHIVE_MAX_UPLOAD_BYTES
    return int(most)


def quota_bytes(anonymous: bool) -> int:
    """Return the bytes that one sender may send per hour: `ARCHIVE_QUOTA_BYTES`,
    `ARCHIVE_ANONYMOUS_QUOTA_BYTES`."""
    return int(settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES if anonymous else settings.ARCHIVE_QUOTA_BYTES)


def quota_deals(anonymous: bool) -> int:
    """Return the records that one sender may send per hour: `ARCHIVE_QUOTA_DEALS`,
    `ARCHIVE_ANONYMOUS_QUOTA_DEALS`."""
    return int(settings.ARCHIVE_ANONYMOUS_QUOTA_DEALS if anonymous else settings.ARCHIVE_QUOTA_DEALS)


def max_attempts() -> int:
    """`ARCHIVE_MAX_ATTEMPTS`: attempts before work is left to the operator."""
    return int(settings.ARCHIVE_MAX_ATTEMPTS)


GRACE = timedelta(seconds=5)
"""Time after which the message for due work counts as lost."""


def retry_delay(attempt: int) -> timedelta:
    """Return the pause after failed attempt number `attempt` (from 1): `ARCHIVE_RETRY_SECONDS` after the
    first, twice as long after each further one, at most `LONGEST_DELAY`.
    """
    first = timedelta(seconds=int(settings.ARCHIVE_RETRY_SECONDS))
    return min(first * 2 ** (attempt - 1), LONGEST_DELAY)


def lease() -> timedelta:
    """`ARCHIVE_LEASE_SECONDS`: how long a claim holds without renewal."""
    return timedelta(seconds=int(settings.ARCHIVE_LEASE_SECONDS))


def retention_days() -> int:
    """`ARCHIVE_RETENTION_DAYS`: how long the bytes of an upload are stored; 0 means forever."""
    return int(settings.ARCHIVE_RETENTION_DAYS)


class License(NamedTuple):
    """A licence of data: its SPDX identifier and its URL."""

    id: str
    url: str


def data_license() -> License:
    """`DATA_LICENSE`: the licence under which deals are sent and published."""
    return License(settings.DATA_LICENSE, settings.DATA_LICENSES[settings.DATA_LICENSE])


def dump_dir() -> Path | None:
    """`DUMP_DIR`: the folder of the archive's dumps; None if it writes none."""
    return Path(settings.DUMP_DIR) if settings.DUMP_DIR else None
