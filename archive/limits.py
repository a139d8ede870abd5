"""How many searches one may download in an hour, from pages and by the API together."""

from __future__ import annotations

import math
from typing import Any

from django.conf import settings
from rest_framework.throttling import SimpleRateThrottle


class Downloads(SimpleRateThrottle):
    """``DOWNLOADS_PER_HOUR`` are the downloads of searches that one user, or one address, may have."""

    scope = "downloads"

    def get_rate(self) -> str:
        """The rate as the settings have it now."""
        return f"{settings.DOWNLOADS_PER_HOUR}/hour"

    def get_cache_key(self, request: Any, view: None) -> str:
        """A counter for each of them."""
        ident = f"user-{request.user.pk}" if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": ident}


def wait_before_download(request: Any) -> int:
    """Count a download; 0 if it may be, else for how many seconds not."""
    throttle = Downloads()
    return 0 if throttle.allow_request(request, None) else math.ceil(throttle.wait() or 60)
