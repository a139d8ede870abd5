"""A cache that tolerates failures: while Redis is down, the site works without a cache and without rate
limits."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient
from redis.exceptions import RedisError

from deploy import instruments

logger = logging.getLogger(__name__)

PAUSE = 2.0
"""Seconds to wait after a failure before using Redis again, so that a page waits for Redis only once."""


class Client:
    """Wrapper around Django's Redis client. While Redis is down, every lookup misses and every `add`
    succeeds, so locks are acquired, counts restart, and no rate limit is reached."""

    broken_until = 0.0  # shared by all threads of a process

    def __init__(self, servers: list[str], **options: Any) -> None:
        self._redis = RedisCacheClient(servers, **options)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        def call(*given: Any) -> Any:
            if time.monotonic() >= Client.broken_until:
                try:
                    return getattr(self._redis, name)(*given)
                except (RedisError, OSError) as reason:
                    Client.broken_until = time.monotonic() + PAUSE
                    instruments.CACHE_ERRORS.inc()
                    logger.warning("The cache does not answer; doing without for %s s: %s", PAUSE, reason)
            # Respond like an empty cache. The second argument is the default of `get` or the step of `incr`.
            return given[1] if name in ("get", "incr") else {} if name == "get_many" else name == "add"

        return call


class Cache(RedisCache):  # type: ignore[misc]
    """Django's Redis cache with a client that tolerates failures of Redis."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self._class = Client
