"""The cache, which may be lost: without its Redis the site forgets and counts nothing, but it answers."""

from __future__ import annotations

import functools
import logging
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PAUSE = 2.0
"""Seconds for which a Redis that failed is left alone: nobody shall wait for it at every step of a page."""


class Breaker:
    """Whether one Redis is worth asking; shared by the threads of a process."""

    def __init__(self) -> None:
        self._broken_until: float | None = None

    def closed(self) -> bool:
        """True while all is well, and once after each pause."""
        if self._broken_until is None:
            return True
        now = time.monotonic()
        if now < self._broken_until:
            return False
        self._broken_until = now + PAUSE  # the others go on without while this one tries
        return True

    def failed(self, reason: Exception) -> None:
        """Begin a pause; the first is logged."""
        if self._broken_until is None:
            logger.warning("The cache does not answer; doing without: %s", reason)
        self._broken_until = time.monotonic() + PAUSE

    def worked(self) -> None:
        """End the pauses."""
        if self._broken_until is not None:
            logger.warning("The cache answers again.")
            self._broken_until = None


_BREAKERS: defaultdict[tuple[str, ...], Breaker] = defaultdict(Breaker)


class Client(RedisCacheClient):  # type: ignore[misc]
    """Django's, whose methods never raise what Redis or the network does (see below)."""

    def __init__(self, servers: list[str], **options: Any) -> None:
        super().__init__(servers, **options)
        self.breaker = _BREAKERS[tuple(servers)]


def _open(method: Callable[..., Any], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """`method`, or `otherwise` of the same arguments where Redis is not to be had."""

    @functools.wraps(method)
    def guarded(self: Client, *given: Any) -> Any:
        if self.breaker.closed():
            try:
                found = method(self, *given)
            except (RedisError, OSError) as reason:
                self.breaker.failed(reason)
            else:
                self.breaker.worked()
                return found
        return otherwise(*given)

    return guarded


# Nothing is found, everything can be added: a lock is got, a count begins anew, no rate limit is reached.
_WITHOUT: dict[str, Callable[..., Any]] = {
    "add": lambda key, value, timeout: True,
    "get": lambda key, default: default,
    "set": lambda key, value, timeout: None,
    "touch": lambda key, timeout: False,
    "delete": lambda key: False,
    "get_many": lambda keys: {},
    "has_key": lambda key: False,
    "incr": lambda key, delta: delta,
    "set_many": lambda data, timeout: None,
    "delete_many": lambda keys: None,
    "clear": lambda: False,
}
for _name, _otherwise in _WITHOUT.items():
    setattr(Client, _name, _open(getattr(RedisCacheClient, _name), _otherwise))


class Cache(RedisCache):  # type: ignore[misc]
    """Django's Redis cache with that client."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client
