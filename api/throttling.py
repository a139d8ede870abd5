"""How often one client may ask: readers by ``api-read``, writers by ``api-write`` (settings,
``DEFAULT_THROTTLE_RATES``).

Who is signed in is counted by user, anyone else by address. While the cache is away nobody is
counted (`deploy.cache`).
"""

from rest_framework.request import Request
from rest_framework.settings import api_settings
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView


class MethodThrottle(SimpleRateThrottle):
    """Counts the requests of some methods under one scope; a rate of None (or none set) means no limit."""

    methods: frozenset[str]

    def get_rate(self) -> str | None:
        """The rate of this scope as the settings have it now."""
        return api_settings.DEFAULT_THROTTLE_RATES.get(self.scope)

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        """The counter of this client; None (not counted) for methods that are another throttle's."""
        if request.method not in self.methods:
            return None
        user = request.user
        ident = f"user-{user.pk}" if user and user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


class ReadThrottle(MethodThrottle):
    """GET and HEAD."""

    scope = "api-read"
    methods = frozenset({"GET", "HEAD"})


class WriteThrottle(MethodThrottle):
    """Whatever writes."""

    scope = "api-write"
    methods = frozenset({"POST", "PUT", "PATCH", "DELETE"})
