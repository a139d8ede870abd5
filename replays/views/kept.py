"""Pages kept for a short while: what one visitor without a session was answered, the next one is, too."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.translation import get_language

from replays import frames
from tarock import __version__

SECONDS = 30
"""How long a page is kept: for a link that many follow at once. It is short, so that what a session adds up
to is never long behind, and so that pages never take more than a few MB of the cache."""

_HEADERS = ("Cache-Control", "X-Robots-Tag")


def kept(request: HttpRequest, stamp: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    """The page that `make` makes, or as it was made lately for another: pages are kept by address, language
    and the deal's ``stamp``, which changes with its verdict and its lead.

    Only for visitors without a session or a message waiting: what is kept is the same for all of them.
    """
    if settings.DEBUG or request.method != "GET" or frames.is_somebody(request):
        return make()
    parts = (request.build_absolute_uri(), get_language(), __version__, stamp)
    key = "page:" + hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()
    found: tuple[bytes, dict[str, str]] | None = cache.get(key)
    if found is not None:
        body, headers = found
        return HttpResponse(zlib.decompress(body), headers=headers)
    response = make()
    if response.status_code == 200 and not response.cookies:
        headers = {name: response[name] for name in _HEADERS if name in response}
        cache.set(key, (zlib.compress(response.content, 1), headers), timeout=SECONDS)
    return response
