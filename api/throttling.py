"""How often one client may ask: readers by ``api-read``, writers by ``api-write``, and what is dear to answer
by ``api-scores`` besides (settings, ``DEFAULT_THROTTLE_RATES``).

Who is signed in is counted by user, anyone else by address. Answers of 401 are counted by address, under
``api-refused``: of who has had too many of them no token is looked at any more. How is counted says
`archive.limits.Throttle`.
"""

from math import ceil
from typing import Any

from rest_framework.request import Request
from rest_framework.settings import api_settings

from archive.limits import Throttle

RATE_LIMITS = ("RateLimit-Policy", "RateLimit")
"""The headers that say how much may be asked, and how much is left."""


class MethodThrottle(Throttle):
    """Counts the requests of some methods under one scope; a rate of None (or none set) means no limit."""

    methods: frozenset[str]

    def get_rate(self) -> str | None:
        """The rate of this scope as the settings have it now."""
        return api_settings.DEFAULT_THROTTLE_RATES.get(self.scope)

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        """The counter of this client; None (not counted) for methods that are another throttle's."""
        method = "GET" if view.only_looks and request.method == "POST" else request.method
        if method not in self.methods:
            return None
        user = request.user
        ident = f"user-{user.pk}" if user and user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}

    @property
    def headers(self) -> dict[str, str]:
        """How many requests are left, and in how many seconds all of them are there again, as the IETF's
        draft (draft-ietf-httpapi-ratelimit-headers-10) writes it."""
        left = max(0, self.num_requests - self.count)
        policy = f'"{self.scope}";q={self.num_requests};w={self.duration}'
        limit = f'"{self.scope}";r={left};t={ceil(self.wait())}'
        return dict(zip(RATE_LIMITS, (policy, limit), strict=True))


class ReadThrottle(MethodThrottle):
    """GET and HEAD."""

    scope = "api-read"
    methods = frozenset({"GET", "HEAD"})


class ScoresThrottle(ReadThrottle):
    """Sums over all deals, which the database adds up anew each time."""

    scope = "api-scores"


class WriteThrottle(MethodThrottle):
    """Whatever writes."""

    scope = "api-write"
    methods = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class RefusedThrottle(Throttle):
    """Answers of 401: tokens that are not valid, and none where one is needed."""

    scope = "api-refused"

    def get_rate(self) -> str | None:
        """The rate as the settings have it now."""
        return api_settings.DEFAULT_THROTTLE_RATES.get(self.scope)

    def get_cache_key(self, request: Request, view: Any) -> str:
        """The counter of this address."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}
