"""How many searches one may download in an hour, from pages and by the API together, and how many come at a
time."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from rest_framework.throttling import SimpleRateThrottle

PLACES = BoundedSemaphore(max(1, int(os.environ.get("WEB_THREADS", "16")) // 2))
"""Half the threads of a process may be kept by those who wait for an upload or fetch a download."""

_PAUSE = 10
"""Seconds after which to ask again where all places are taken."""


class Downloads(SimpleRateThrottle):
    """``DOWNLOADS_PER_HOUR`` are the downloads of searches that one user, or one address, may have."""

    scope = "downloads"

    def get_rate(self) -> str:
        """The rate as the settings have it now."""
        return f"{settings.DOWNLOADS_PER_HOUR}/hour"

    def get_cache_key(self, request: Any, view: None) -> str:
        """A counter for each of them."""
        ident = f"user-{request.user.pk}" if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class Wait(Exception):
    """A download may not be now, but again in so many ``seconds``."""

    def __init__(self, seconds: int) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class Download:
    """The pieces of a download that is counted. Who reads it slowly keeps a thread: it has one of the
    `PLACES` until it is closed.

    :raises Wait: if the asker had as many as he may, or there is no place.
    """

    _places: BoundedSemaphore | None = None

    def __init__(self, request: Any, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        if not PLACES.acquire(blocking=False):
            raise Wait(_PAUSE)
        self._places = PLACES
        throttle = Downloads()
        if not throttle.allow_request(request, None):
            self.close()
            raise Wait(math.ceil(throttle.wait() or 60))

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._pieces)

    def close(self) -> None:
        """Give the place back; Django does when it was sent, or its reader is gone."""
        if self._places is not None:
            self._places.release()
            self._places = None

    __del__ = close
