"""Waiting with an answer until an upload is stored: how long a client wants to (RFC 7240), and how many may
wait at a time, since each of them holds a thread.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from archive.web import shares

LONGEST = 60
"""The most seconds to wait."""

WAIT_PLACES = BoundedSemaphore(max(1, settings.WAITRESS["threads"] // 2))
"""Threads of a process that may wait for uploads; other requests have the rest."""


def preferred(request: HttpRequest) -> int | None:
    """The seconds of `Prefer: wait=…`, `LONGEST` at most; None without it."""
    for preference in request.headers.get("Prefer", "").split(","):
        name, _, value = preference.partition(";")[0].partition("=")
        value = value.strip().strip('"')
        if name.strip().lower() == "wait" and value.isascii() and value.isdigit():
            return min(int(value[:9]), LONGEST)
    return None


@contextmanager
def place(request: Any) -> Iterator[bool]:
    """Hold one of the `WAIT_PLACES`; False if all are taken, or if the client holds its share of them."""
    share = shares.take("waits", request, 2 * LONGEST)
    free = share is not None and WAIT_PLACES.acquire(blocking=False)
    try:
        yield free
    finally:
        if free:
            WAIT_PLACES.release()
        if share is not None:
            cache.delete(share)
