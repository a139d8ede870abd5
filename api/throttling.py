"""How often one client may ask: readers by ``api-read``, writers by ``api-write`` (settings,
``DEFAULT_THROTTLE_RATES``).

Who is signed in is counted by user, anyone else by address. Answers of 401 are counted by address, under
``api-refused``: of who has had too many of them no token is looked at any more. While the cache is away
nobody is counted (`deploy.cache`).
"""

from math import ceil
from typing import Any

from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle


class MethodThrottle(SimpleRateThrottle):
    """Counts the requests of some methods under one scope; a rate of None (or none set) means no limit."""

    methods: frozenset[str]
    key: str | None = None
    """Of the counter; None where the request is not counted."""

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

    def give_back(self) -> None:
        """Do not count the request after all."""
        if self.key:
            counted = self.cache.get(self.key, [])  # others have come meanwhile
            self.history = [moment for moment in counted if moment != self.now]
            self.cache.set(self.key, self.history, self.duration)

    @property
    def headers(self) -> dict[str, str]:
        """How many requests are left, and in how many seconds there is one more, as the IETF's draft
        (draft-ietf-httpapi-ratelimit-headers-10) writes it; none where nothing is counted."""
        if not self.key:
            return {}
        left = max(0, self.num_requests - len(self.history))
        until = ceil(self.history[-1] + self.duration - self.now) if self.history else 0
        return {
            "RateLimit-Policy": f'"{self.scope}";q={self.num_requests};w={self.duration}',
            "RateLimit": f'"{self.scope}";r={left};t={until}',
        }


class ReadThrottle(MethodThrottle):
    """GET and HEAD."""

    scope = "api-read"
    methods = frozenset({"GET", "HEAD"})


class WriteThrottle(MethodThrottle):
    """Whatever writes."""

    scope = "api-write"
    methods = frozenset({"POST", "PUT", "PATCH", "DELETE"})


class RefusedThrottle(SimpleRateThrottle):
    """Answers of 401: tokens that are not valid, and none where one is needed."""

    scope = "api-refused"

    def __init__(self, *, counts: bool) -> None:
        """``counts``: whether this is another one; else it is only asked whether there were too many."""
        self.counts = counts
        super().__init__()

    def get_rate(self) -> str | None:
        """The rate as the settings have it now."""
        return api_settings.DEFAULT_THROTTLE_RATES.get(self.scope)

    def get_cache_key(self, request: Request, view: Any) -> str:
        """The counter of this address."""
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}

    def throttle_success(self) -> bool:
        """Count it, if it is one."""
        return bool(super().throttle_success()) if self.counts else True
