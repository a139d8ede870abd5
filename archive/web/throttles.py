"""Rate limits for clients. Requests are counted in the cache.

The API counts reads under `api-read`, writes under `api-write`, and expensive requests also under
`api-scores` (settings, `DEFAULT_THROTTLE_RATES`). Requests of signed-in users are counted by account, all
others by IP address. Responses with 401 are counted by IP address under `api-refused`. After too many of
them, the site no longer looks up tokens from that address.
"""

from __future__ import annotations

import ipaddress
import math
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle

from archive import counters

RATE_LIMITS = ("RateLimit-Policy", "RateLimit")
"""Names of the rate limit headers."""


class Throttle(SimpleRateThrottle):
    """Django REST framework's throttle with an atomic counter in the cache, so that simultaneous requests are
    all counted. A window begins with its first request. Nothing is counted while the cache is unavailable
    (`deploy.cache`)."""

    key = ""
    """Cache key of the counter for the current window; empty if the request is not counted."""
    count = 0
    began = now = 0.0

    def allow_request(self, request: Any, view: Any) -> bool:
        """Count a request and return True, or return False without counting it if it exceeds the limit."""
        if not self._look(request, view):
            return True
        self.count = counters.increase(self.key, 1, 2 * self.duration)
        if self.count <= self.num_requests:
            return True
        self.give_back()
        return False

    def is_used_up(self, request: Any, view: Any = None) -> bool:
        """Return whether the next request would exceed the limit, without counting it."""
        if not self._look(request, view):
            return False
        self.count = self.cache.get(self.key, 0)
        return bool(self.count >= self.num_requests)

    def give_back(self) -> None:
        """Subtract this request from the counter."""
        if self.key:
            self.count = max(0, counters.increase(self.key, -1, 2 * self.duration))

    def wait(self) -> float:
        """Return the number of seconds until the next window."""
        return float(max(0.1, self.began + self.duration - self.now))

    def _look(self, request: Any, view: Any) -> bool:
        """Set `key`, `began` and `now` for a request. Return False if the request is not counted."""
        key = self.get_cache_key(request, view) if self.rate else None
        if key is None:
            return False
        self.now = self.timer()
        self.began = self.cache.get_or_set(key, self.now, self.duration)
        self.key = f"{key}-{self.began}"
        return True

    def get_rate(self) -> str | None:
        """Return the current rate for this scope; None means no limit."""
        return api_settings.DEFAULT_THROTTLE_RATES.get(self.scope)

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        return self.cache_format % {"scope": self.scope, "ident": self.client(request)}

    def client(self, request: Any) -> str:
        """Return the identifier of the client: the id of a signed-in user, otherwise the IP address."""
        user = request.user
        return f"user-{user.pk}" if user and user.is_authenticated else client_address(request)


class AddressThrottle(Throttle):
    """A throttle that counts each IP address separately."""

    def client(self, request: Any) -> str:
        return client_address(request)


def ip_address(request: HttpRequest) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """Return the client's IP address; None for a request over a Unix socket. With two proxies
    (`NUM_PROXIES`), for example, it is the second entry from the right in `X-Forwarded-For`, because the
    client can forge entries further left. If that entry is not an IP address, return the peer's address."""
    proxies = api_settings.NUM_PROXIES
    entries = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    forwarded = entries[-proxies] if 0 < proxies <= len(entries) else ""
    for entry in (forwarded, request.META.get("REMOTE_ADDR", "")):
        with suppress(ValueError):
            ip = ipaddress.ip_address(entry.strip())
            return getattr(ip, "ipv4_mapped", None) or ip
    return None


def client_address(request: HttpRequest) -> str:
    """Return the IP address that identifies a client for rate limits. For IPv6 it is the first address of the
    client's /64, because a client usually owns the whole /64."""
    ip = ip_address(request)
    if isinstance(ip, ipaddress.IPv6Address):
        ip = ipaddress.IPv6Address(int(ip) >> 64 << 64)
    return str(ip or request.META.get("REMOTE_ADDR", ""))


def seconds_to_wait(request: HttpRequest, *throttles: Throttle) -> int:
    """Count a request against these throttles. Return the seconds until it is allowed, 0 if it is allowed
    now."""
    for throttle in throttles:
        if not throttle.allow_request(request, None):
            return math.ceil(throttle.wait())
    return 0


# --- pages ------------------------------------------------------------------------------------------------


class Downloads(Throttle):
    """Limit for downloads of search results per user or IP address (`DOWNLOADS_PER_HOUR`)."""

    scope = "downloads"

    def get_rate(self) -> str:
        return f"{settings.DOWNLOADS_PER_HOUR}/hour"


class Pictures(Throttle):
    """Limit for pictures drawn by the whole site (`PICTURES_PER_MINUTE`). Drawing one takes 0.2 seconds."""

    scope = "pictures"

    def get_rate(self) -> str:
        return f"{settings.PICTURES_PER_MINUTE}/min"

    def client(self, request: Any) -> str:
        """Return the same identifier for all clients, so that they share a counter."""
        return "all"


class PicturesOfAddress(AddressThrottle):
    """Limit for pictures per IP address: a third of the limit for the whole site."""

    scope = Pictures.scope

    def get_rate(self) -> str:
        return f"{max(1, settings.PICTURES_PER_MINUTE // 3)}/min"


class Checks(AddressThrottle):
    """Limit for checks of a text in the editor: somewhat more than a fast typist needs."""

    scope = "checks"
    rate = "240/min"


class Questions(AddressThrottle):
    """Limit for requests to the engine from an evening's page: enough for all phones at a table."""

    scope = "questions"
    rate = "1200/min"


class NewEvenings(Throttle):
    """Limit for new evenings. Each creates a session, and a guest's evening also creates a space."""

    scope = "new-evenings"
    rate = "60/hour"


class GuestVariations(Throttle):
    """Limit for variations that guests share."""

    scope = "guest-variations"
    rate = "60/hour"


class Entries(Throttle):
    """Limit for requests from phones at an evening: enough to send deals that were entered offline."""

    scope = "evenings"
    rate = "240/min"


# --- the API ----------------------------------------------------------------------------------------------


class MethodThrottle(Throttle):
    """A throttle that counts only requests with certain HTTP methods."""

    methods: frozenset[str]

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """Return the key of this client's counter, or None for methods that another throttle counts."""
        method = "GET" if view.only_looks else request.method
        return super().get_cache_key(request, view) if method in self.methods else None

    @property
    def headers(self) -> dict[str, str]:
        """Headers with the number of requests left and the seconds until the limit resets, as specified in
        draft-ietf-httpapi-ratelimit-headers-10."""
        left = max(0, self.num_requests - self.count)
        policy = f'"{self.scope}";q={self.num_requests};w={self.duration}'
        limit = f'"{self.scope}";r={left};t={math.ceil(self.wait())}'
        return dict(zip(RATE_LIMITS, (policy, limit), strict=True))


class ReadThrottle(MethodThrottle):
    """Limit for GET and HEAD requests."""

    scope = "api-read"
    methods = frozenset({"GET", "HEAD"})


class ScoresThrottle(ReadThrottle):
    """Limit for requests for which the database must add up many deals."""

    scope = "api-scores"


class WriteThrottle(MethodThrottle):
    """Limit for requests with methods that write."""

    scope = "api-write"
    methods = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class RefusedThrottle(AddressThrottle):
    """Limit for responses with 401: the token is invalid, or it is missing and required."""

    scope = "api-refused"
