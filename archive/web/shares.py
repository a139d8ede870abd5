"""Shares: limits for the places for slow requests that one client may hold at a time, counted in the
cache."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache

from archive.web.throttles import Throttle

AT_A_TIME = 2
"""Limit for the places of one kind that one user or IP address may hold at a time."""


def take(kind: str, request: Any, seconds: int) -> str | None:
    """Take a share; return its cache key, or None if the client holds `AT_A_TIME`. Delete the key to return
    the share. `seconds`: time after which the share expires, in case its process is killed."""
    names = (f"{kind}-{Throttle().client(request)}-now-{number}" for number in range(AT_A_TIME))
    return next((name for name in names if cache.add(name, 1, seconds)), None)
