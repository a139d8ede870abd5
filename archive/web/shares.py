"""Shares: how many of the places for slow requests one client may hold at a time, counted in the cache."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache

from archive.web.throttles import Throttle

AT_A_TIME = 2
"""Places of one kind that one user, or one address, may hold at a time."""


def take(kind: str, request: Any, seconds: int) -> str | None:
    """Take a share; return its cache key, or None if the client holds `AT_A_TIME`. To return it, delete the
    key. `seconds`: time after which the share is free in any case, since its process may be killed."""
    names = (f"{kind}-{Throttle().client(request)}-now-{number}" for number in range(AT_A_TIME))
    return next((name for name in names if cache.add(name, 1, seconds)), None)
