"""Waiting for an upload to be stored before responding: how long a client wants to wait (RFC 7240), and how
many requests may wait at a time, because each waiting request occupies a thread."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from archive.web import shares

LONGEST = 60
"""Longest wait in seconds."""

WAIT_PLACES = BoundedSemaphore(max(1, settings.WAITRESS["threads"] // 2))
"""Semaphore that limits waiting requests to half of the process's threads; the rest serve other requests."""


def preferred(request: HttpRequest) -> int | None:
    """Return the seconds in `Prefer: wait=…`, at most `LONGEST`; None if the header has no `wait`."""
    for preference in request.headers.get("Prefer", "").split(","):
        name, _, value = preference.partition(";")[0].partition("=")
        value = value.strip().strip('"')
        if name.strip().lower() == "wait" and value.isascii() and value.isdigit():
            return min(int(value[:9]), LONGEST)
    return None


@contextmanager
def place(request: Any) -> Iterator[bool]:
    """Take one of the `WAIT_PLACES` for the `with` block. Yield whether the client got a place."""
    share = shares.take("waits", request, 2 * LONGEST)
    free = share is not None and WAIT_PLACES.acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            WAIT_PLACES.release()
        if share is not None:
            cache.delete(share)
