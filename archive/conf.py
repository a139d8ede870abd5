"""The archive's settings (see docs/operations.md). Each call reads them again, so tests can override them."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import NamedTuple

from django.conf import settings

LONGEST_DELAY = timedelta(hours=1)
"""Maximum delay before a retry of failed work."""


def max_upload_bytes(anonymous: bool = False) -> int:
    """Return the maximum size of an upload in bytes."""
    return settings.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES if anonymous else settings.ARCHIVE_MAX_UPLOAD_BYTES


def quota(anonymous: bool) -> dict[str, int]:
    """Return the number of `bytes` and `deals` that a sender may send per hour."""
    prefix = "ARCHIVE_ANONYMOUS_QUOTA_" if anonymous else "ARCHIVE_QUOTA_"
    return {name: getattr(settings, prefix + name.upper()) for name in ("bytes", "deals")}


GRACE = timedelta(seconds=5)
"""Time that work may be overdue before the sweeper treats its queue message as lost."""


def retry_delay(attempt: int) -> timedelta:
    """Return the delay after failed attempt number `attempt`, counted from 1: `ARCHIVE_RETRY_SECONDS` after
    the first attempt, doubled after each further attempt, but at most `LONGEST_DELAY`."""
    first = timedelta(seconds=int(settings.ARCHIVE_RETRY_SECONDS))
    return min(first * 2 ** (attempt - 1), LONGEST_DELAY)


def lease() -> timedelta:
    """Return how long a worker's claim is valid unless renewed (`ARCHIVE_LEASE_SECONDS`)."""
    return timedelta(seconds=int(settings.ARCHIVE_LEASE_SECONDS))


def retention_days() -> int:
    """Return the number of days for which the bytes of an upload are stored; 0 means forever."""
    return int(settings.ARCHIVE_RETENTION_DAYS)


class License(NamedTuple):
    """A licence for data. `id`: the SPDX identifier; `url`: URL of the licence."""

    id: str
    url: str


def data_license() -> License:
    """Return the licence under which deals are sent and published (`DATA_LICENSE`)."""
    return License(settings.DATA_LICENSE, settings.DATA_LICENSES[settings.DATA_LICENSE])


def dump_dir() -> Path | None:
    """Return the folder for the archive's dumps; None if the archive writes no dumps (`DUMP_DIR`)."""
    return Path(settings.DUMP_DIR) if settings.DUMP_DIR else None
