"""How often a picture is drawn, counted in the cache by the address that asks for it; and what that address
is."""

from __future__ import annotations

import time

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

MINUTE = 60


def client_address(request: HttpRequest) -> str:
    """The address a request comes from, seen through as many reverse proxies as the settings name.

    Whatever stands further left in ``X-Forwarded-For`` was written by the client and counts for nothing.
    """
    proxies = settings.REST_FRAMEWORK.get("NUM_PROXIES") or 0
    forwarded = [a.strip() for a in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if a.strip()]
    if proxies and forwarded:
        return forwarded[-min(proxies, len(forwarded))]
    return request.META.get("REMOTE_ADDR", "")


def wait_before_picture(request: HttpRequest) -> int:
    """Count a picture that has to be drawn; 0 if it may be, else the seconds until the next minute begins.

    ``PICTURES_PER_MINUTE`` is what the whole site draws (a picture takes a fifth of a second), and one
    address may have a third of it. What is still in the cache is not counted.
    """
    all_in_all = getattr(settings, "PICTURES_PER_MINUTE", 60)
    return _wait(f"pictures:{client_address(request)}", max(1, all_in_all // 3), MINUTE) or _wait(
        "pictures", all_in_all, MINUTE
    )


def _wait(what: str, limit: int, period: int) -> int:
    """Count one of something in the current period; the seconds until the next one if it is too much."""
    now = time.time()
    current = int(now // period)
    key = f"{what}:{current}"
    try:
        cache.add(key, 0, timeout=period)
        counted = cache.incr(key)
    except ValueError:  # the count was thrown out of a full cache in between
        return 0
    if counted <= limit:
        return 0
    return max(1, int((current + 1) * period - now))
