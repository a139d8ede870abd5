"""How many searches one may download in an hour, from pages and by the API together, and how many come at a
time."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.throttling import SimpleRateThrottle

_THREADS: int = settings.WAITRESS["threads"]
DOWNLOAD_PLACES = BoundedSemaphore(max(1, _THREADS // 4))
"""So many threads of a process may be kept by downloads."""
WAIT_PLACES = BoundedSemaphore(max(1, _THREADS // 2))
"""So many by those who wait for an upload; pages have the rest."""

AT_A_TIME = 2
"""Downloads that one user, or one address, may fetch at a time."""
_HELD = 120
"""Seconds after which a download of which no piece was fetched counts no more: its process was killed."""

_SLOWEST, _OVER = 16 * 1024, 60
"""Bytes a second that a reader must fetch, on average over so many seconds in which he was waited for."""

_PAUSE = 10
"""Seconds after which to ask again where all places are taken."""


class Throttle(SimpleRateThrottle):
    """Django REST framework's, but counting in the cache itself, so that requests that come at the same time
    are all counted. A window begins with the first request in it.

    While the cache is away nobody is counted (`deploy.cache`).
    """

    key: str | None = None
    """The counter of this window; None where the request is not counted."""
    count = 0
    began = now = 0.0

    def allow_request(self, request: Any, view: Any) -> bool:
        """Count a request; False if it is one too many, which then does not count."""
        if not self._look(request, view):
            return True
        self.count = self._add(1)
        if self.count <= self.num_requests:
            return True
        self.give_back()
        return False

    def is_used_up(self, request: Any, view: Any = None) -> bool:
        """Whether the next request would be one too many; nothing is counted."""
        if not self._look(request, view):
            return False
        self.count = self.cache.get(self.key, 0)
        return bool(self.count >= self.num_requests)

    def give_back(self) -> None:
        """Do not count the request after all."""
        if self.key:
            self.count = max(0, self._add(-1))

    def wait(self) -> float:
        """Seconds until the next window."""
        return float(max(0.1, self.began + self.duration - self.now))

    def _look(self, request: Any, view: Any) -> bool:
        """Find the window of a request; False if it is not counted."""
        key = self.get_cache_key(request, view) if self.rate else None
        if key is None:
            return False
        self.now = self.timer()
        self.began = self.cache.get_or_set(key, self.now, self.duration)
        self.key = f"{key}-{self.began}"
        return True

    def _add(self, number: int) -> int:
        try:
            return int(self.cache.incr(self.key, number))
        except ValueError:  # there is no counter yet
            self.cache.add(self.key, 0, 2 * self.duration)
            return int(self.cache.incr(self.key, number))


class Downloads(Throttle):
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
    """A download may not be now, but again in so many ``seconds``. ``running``: since as many as the asker
    may have at a time are being fetched."""

    def __init__(self, seconds: int, *, running: bool = False) -> None:
        super().__init__(seconds)
        self.seconds, self.running = seconds, running


class TooSlow(Exception):
    """The reader of a download fetches it more slowly than `_SLOWEST`; its connection ends."""


class Download:
    """The pieces of a download that is counted. Who reads it slowly keeps a thread: it has one of the
    `DOWNLOAD_PLACES`, and counts as one of its reader's, until it is closed.

    :raises Wait: if the asker had as many as he may, or has, or there is no place.
    """

    _places: BoundedSemaphore | None = None
    _own: str | None = None
    """In the cache: that it is one of its reader's."""
    _held_since = 0.0

    def __init__(self, request: Any, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        throttle = Downloads()
        key = throttle.get_cache_key(request, None)
        own = (f"{key}-now-{number}" for number in range(AT_A_TIME))
        self._own = next((name for name in own if cache.add(name, 1, _HELD)), None)
        if self._own is None:
            raise Wait(_PAUSE, running=True)
        self._held_since = time.monotonic()
        if not DOWNLOAD_PLACES.acquire(blocking=False):
            self.close()
            raise Wait(_PAUSE)
        self._places = DOWNLOAD_PLACES
        if not throttle.allow_request(request, None):
            self.close()
            raise Wait(math.ceil(throttle.wait()))

    def __iter__(self) -> Iterator[bytes]:
        waited, size = 0.0, 0
        for piece in self._pieces:
            began = time.monotonic()
            yield piece
            waited, size = waited + time.monotonic() - began, size + len(piece)
            if waited > _OVER:
                if size < _SLOWEST * waited:
                    raise TooSlow(f"{size} bytes in {waited:.0f} s")
                waited, size = 0.0, 0
            if self._own and time.monotonic() - self._held_since > _HELD / 4:
                self._held_since = time.monotonic()
                cache.touch(self._own, _HELD)

    def close(self) -> None:
        """Give the place back; Django does when it was sent, or its reader is gone."""
        if self._places is not None:
            self._places.release()
            self._places = None
        if self._own is not None:
            cache.delete(self._own)
            self._own = None

    __del__ = close
