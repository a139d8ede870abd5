"""Limits on downloads from pages and API: how many at a time, how many per hour, and a minimum speed."""

from __future__ import annotations

import math
import time
from collections.abc import Iterable, Iterator
from threading import BoundedSemaphore
from typing import Any

from django.conf import settings
from django.core.cache import cache

from archive.errors import ArchiveError
from archive.web import shares
from archive.web.throttles import Downloads

DOWNLOAD_PLACES = BoundedSemaphore(max(1, settings.WAITRESS["threads"] // 4))
"""Semaphore that limits downloads to a quarter of the process's threads."""

_HELD = 120
"""Seconds without progress after which a download no longer counts: its process was probably killed."""

_SLOWEST, _OVER = 16 * 1024, 60
"""Minimum average speed of a client in bytes per second, and the number of seconds of waiting for the client
over which the average is taken."""

_PAUSE = 10
"""Seconds after which the client should try again if too many downloads are running."""


class Wait(ArchiveError):
    """The download is rejected, and the client should try again in `seconds`. `running`: whether it is
    rejected because the client already has the maximum number of running downloads."""

    code = "throttled"
    seconds: int

    def __init__(self, seconds: int, *, running: bool = False) -> None:
        taken = f"You are fetching {shares.AT_A_TIME} downloads already; wait until one has come."
        super().__init__(taken if running else "")
        self.seconds, self.running = seconds, running


class TooSlow(Exception):
    """The client fetches a download more slowly than `_SLOWEST`, so the connection is closed."""


class Download:
    """A download that counts toward the limits, as an iterable of pieces. Because a slow client occupies a
    thread, the download holds one of the `DOWNLOAD_PLACES` and one of the client's shares until it is closed.

    :raises Wait: if the client has reached a limit, or if none of the `DOWNLOAD_PLACES` is free.
    """

    _places: BoundedSemaphore | None = None
    _own: str | None = None
    """Cache key of the client's share that this download holds."""
    _held_since = 0.0

    def __init__(self, request: Any, pieces: Iterable[bytes]) -> None:
        self._pieces = pieces
        throttle = Downloads()
        self._own = shares.take("downloads", request, _HELD)
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
        """Release the place and the share. Django calls this after the last piece or a disconnect."""
        if self._places is not None:
            self._places.release()
            self._places = None
        if self._own is not None:
            cache.delete(self._own)
            self._own = None

    __del__ = close
