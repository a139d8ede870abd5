"""Clients that send requests to a site at a steady rate, over persistent and new connections."""

from __future__ import annotations

import http.client
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

READERS = 20
"""Number of clients. Every second client keeps its connection open between requests."""

PATH, RATE = "/api/v1/games", 50
"""URL path that the clients request, and requests per second of all clients together."""


@dataclass
class Steady:
    """Running clients, and their results so far."""

    port: int
    seen: Counter[str] = field(default_factory=Counter)
    """Number of responses by status, and of failures by description."""
    slowest: float = 0.0
    """Seconds until the slowest response was complete."""
    stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def failed(self) -> int:
        """Number of requests without a 200 response."""
        return self.seen.total() - self.seen["200"]

    def _read(self, number: int) -> None:
        keeps = number % 2 == 0
        pause = READERS / RATE
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        due = time.monotonic() + pause * number / READERS
        while not self.stop.wait(max(0.0, due - time.monotonic())):
            due += pause
            began = time.monotonic()
            try:
                connection.request("GET", PATH, headers={} if keeps else {"Connection": "close"})
                answer = connection.getresponse()
                answer.read()
                saw = str(answer.status)
            except (OSError, http.client.HTTPException) as error:
                saw = f"{type(error).__name__}, {'kept' if keeps else 'new'} connection"
                connection.close()
            with self._lock:
                self.seen[saw] += 1
                self.slowest = max(self.slowest, time.monotonic() - began)
        connection.close()


@contextmanager
def reading(port: int) -> Iterator[Steady]:
    """Send requests from `READERS` threads while the `with` block runs; yield the results so far."""
    steady = Steady(port)
    threads = [threading.Thread(target=steady._read, args=(number,)) for number in range(READERS)]
    for thread in threads:
        thread.start()
    try:
        yield steady
    finally:
        steady.stop.set()
        for thread in threads:
            thread.join()
