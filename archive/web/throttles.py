"""How often a client may send a request, counted in the cache.

The API counts reading under `api-read`, writing under `api-write`, and expensive answers under
`api-scores` besides (settings, `DEFAULT_THROTTLE_RATES`). A signed-in user is counted as such, anyone
else by address. Answers of 401 are counted by address, under `api-refused`: after too many of them no token
from there is looked up.
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

RATE_LIMITS = ("RateLimit-Policy", "RateLimit")
"""The headers that give the limit, and how many requests are left."""


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
        for _attempt in range(2):
            with suppress(ValueError):  # there is no counter
                return int(self.cache.incr(self.key, number))
            self.cache.add(self.key, 0, 2 * self.duration)
        return number  # the cache has dropped the counter already, or could not store it

    def get_rate(self) -> str | None:
        """The rate of this scope in the settings now; None means no limit."""
        return api_settings.DEFAULT_THROTTLE_RATES.get(self.scope)

    def get_cache_key(self, request: Any, view: Any) -> str | None:
        """The counter of this client."""
        return self.cache_format % {"scope": self.scope, "ident": self.client(request)}

    def client(self, request: Any) -> str:
        """A signed-in user, or an address."""
        user = request.user
        return f"user-{user.pk}" if user and user.is_authenticated else client_address(request)


class AddressThrottle(Throttle):
    """Counts each address by itself."""

    def client(self, request: Any) -> str:
        """The address."""
        return client_address(request)


def ip_address(request: HttpRequest) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address of the client; None if the request comes over a Unix socket.

    With `NUM_PROXIES` of 2 the second address from the right in `X-Forwarded-For`; anything further left
    was written by the client. If the header has fewer entries, or anything but an address there, that of the
    peer.
    """
    proxies = api_settings.NUM_PROXIES
    entries = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    forwarded = entries[-proxies] if 0 < proxies <= len(entries) else ""
    for entry in (forwarded, request.META.get("REMOTE_ADDR", "")):
        with suppress(ValueError):
            ip = ipaddress.ip_address(entry.strip())
            return getattr(ip, "ipv4_mapped", None) or ip
    return None


def client_address(request: HttpRequest) -> str:
    """Return the IP address that identifies a client for rate limits; for IPv6 the first of its /64, because
    a client owns all of it."""
    ip = ip_address(request)
    if isinstance(ip, ipaddress.IPv6Address):
        ip = ipaddress.IPv6Address(int(ip) >> 64 << 64)
    return str(ip or request.META.get("REMOTE_ADDR", ""))


def seconds_to_wait(request: HttpRequest, *throttles: Throttle) -> int:
    """Count a request; 0 if it may be answered, else the seconds until it may."""
    for throttle in throttles:
        if not throttle.allow_request(request, None):
            return math.ceil(throttle.wait())
    return 0


# --- pages ------------------------------------------------------------------------------------------------


class Downloads(Throttle):
    """`DOWNLOADS_PER_HOUR`: downloads of searches for one user, or one address."""

    scope = "downloads"

    def get_rate(self) -> str:
        """The rate in the settings now."""
        return f"{settings.DOWNLOADS_PER_HOUR}/hour"


class Pictures(Throttle):
    """`PICTURES_PER_MINUTE`: pictures that the whole site draws (one takes a fifth of a second)."""

    scope = "pictures"

    def get_rate(self) -> str:
        """The rate in the settings now."""
        return f"{settings.PICTURES_PER_MINUTE}/min"

    def client(self, request: Any) -> str:
        """One counter for all."""
        return "all"


class PicturesOfAddress(AddressThrottle):
    """A third of them for one address."""

    scope = Pictures.scope

    def get_rate(self) -> str:
        """A third of the rate in the settings now."""
        return f"{max(1, settings.PICTURES_PER_MINUTE // 3)}/min"


class Checks(AddressThrottle):
    """Checks of a text in the editor: as fast as one types, and a little more."""

    scope = "checks"
    rate = "240/min"


class Questions(AddressThrottle):
    """Questions to the engine by the page of an evening: as fast as a table of phones taps."""

    scope = "questions"
    rate = "1200/min"


class NewEvenings(Throttle):
    """Evenings that are started: each is a session, and a visitor's a space besides."""

    scope = "new-evenings"
    rate = "60/hour"


class Entries(Throttle):
    """Requests of phones at an evening: fast enough for deals that were entered offline."""

    scope = "evenings"
    rate = "240/min"


# --- the API ----------------------------------------------------------------------------------------------


class MethodThrottle(Throttle):
    """Counts the requests of some methods under one scope."""

    methods: frozenset[str]

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """The counter of this client; None (not counted) for methods of another throttle."""
        method = "GET" if view.only_looks and request.method == "POST" else request.method
        return super().get_cache_key(request, view) if method in self.methods else None

    @property
    def headers(self) -> dict[str, str]:
        """How many requests are left, and in how many seconds all of them are there again, as the IETF's
        draft (draft-ietf-httpapi-ratelimit-headers-10) writes it."""
        left = max(0, self.num_requests - self.count)
        policy = f'"{self.scope}";q={self.num_requests};w={self.duration}'
        limit = f'"{self.scope}";r={left};t={math.ceil(self.wait())}'
        return dict(zip(RATE_LIMITS, (policy, limit), strict=True))


class ReadThrottle(MethodThrottle):
    """GET and HEAD."""

    scope = "api-read"
    methods = frozenset({"GET", "HEAD"})


class ScoresThrottle(ReadThrottle):
    """Requests for sums over all deals, which the database adds up each time."""

    scope = "api-scores"


class WriteThrottle(MethodThrottle):
    """Whatever writes."""

    scope = "api-write"
    methods = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class RefusedThrottle(AddressThrottle):
    """Answers of 401: tokens that are not valid, and none where one is needed."""

    scope = "api-refused"
