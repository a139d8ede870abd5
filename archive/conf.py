"""The archive's settings that have a default of their own, read at each use so that tests can change them."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings


def max_upload_bytes() -> int:
    """``ARCHIVE_MAX_UPLOAD_BYTES``: the largest upload that is read at all."""
    return getattr(settings, "ARCHIVE_MAX_UPLOAD_BYTES", 5 * 1024 * 1024)


def max_records() -> int:
    """``ARCHIVE_MAX_RECORDS``: the most records of one upload that are stored."""
    return getattr(settings, "ARCHIVE_MAX_RECORDS", 2000)


def max_attempts() -> int:
    """``ARCHIVE_MAX_ATTEMPTS``: how often a run is tried before it is left to the operator."""
    return getattr(settings, "ARCHIVE_MAX_ATTEMPTS", 5)


def retry_delay(attempt: int) -> timedelta:
    """How long after failed attempt number ``attempt`` (from 1) the next one waits.

    ``ARCHIVE_RETRY_SECONDS`` after the first, twice as long after each further one, an hour at most.
    """
    first = getattr(settings, "ARCHIVE_RETRY_SECONDS", 30)
    return timedelta(seconds=min(first * 2 ** (attempt - 1), 3600))


def lease() -> timedelta:
    """``ARCHIVE_LEASE_SECONDS``: how long a claim holds; by default a little above a task's hard limit."""
    limit = getattr(settings, "CELERY_TASK_TIME_LIMIT", None) or 300
    return timedelta(seconds=getattr(settings, "ARCHIVE_LEASE_SECONDS", limit + 30))


def sweep_after() -> timedelta:
    """``ARCHIVE_SWEEP_AFTER``: how long a queued run may wait before its message is taken for lost."""
    return timedelta(seconds=getattr(settings, "ARCHIVE_SWEEP_AFTER", 60))


def sweep_every() -> int:
    """``ARCHIVE_SWEEP_EVERY``: seconds between two sweeps."""
    return getattr(settings, "ARCHIVE_SWEEP_EVERY", 30)
