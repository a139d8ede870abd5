"""Shares limit how many slow requests of one kind a client may have at a time. The cache counts them."""

from __future__ import annotations

from typing import Any

from django.core.cache import cache

from archive.web.throttles import Throttle

AT_A_TIME = 2
"""Maximum number of shares of one kind that a user or IP address may hold at a time."""


def take(kind: str, request: Any, seconds: int) -> str | None:
    """Take a share and return its cache key, or None if the client already holds `AT_A_TIME` shares. Delete
    the key to return the share. `seconds`: time until the share expires, in case its process is killed."""
    names = (f"{kind}-{Throttle().client(request)}-now-{number}" for number in range(AT_A_TIME))
    return next((name for name in names if cache.add(name, 1, seconds)), None)
