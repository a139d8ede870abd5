"""HTTP responses with a picture, with caching, ETags and a rate limit."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _

from archive.web import throttles

SECONDS = 120
"""Number of seconds for which a picture is cached: long enough for the readers of a link that was just
shared, and short enough to need only a few dozen MB. Browsers keep pictures for a day."""


def language(request: HttpRequest) -> str:
    """Return the language in the URL, or an empty string if there is none or the site does not support it."""
    language = request.GET.get("language", "")
    return language if language in dict(settings.LANGUAGES) else ""


def answer(
    request: HttpRequest, mark: str, draw: Callable[[], bytes], form: str = "image/png", pictures: int = 1
) -> HttpResponse:
    """Return the picture from the cache or, within the rate limit, from `draw`. `mark`: the cache key and
    ETag; `pictures`: how many pictures a call of `draw` counts as in the rate limit."""
    headers = {"ETag": f'"{mark}"', "Cache-Control": "public, max-age=86400", "X-Robots-Tag": "noindex"}
    unchanged = get_conditional_response(request, etag=headers["ETag"])
    if isinstance(unchanged, HttpResponseNotModified):
        for name, value in headers.items():
            unchanged[name] = value
        return unchanged
    drawn: bytes | None = cache.get(f"picture:{mark}")
    if drawn is None:
        limits = [(throttles.PicturesOfAddress(), throttles.Pictures()) for _number in range(pictures)]
        for limit in limits:
            if wait := throttles.seconds_to_wait(request, *limit):
                return too_many(wait)
        drawn = draw()
        cache.set(f"picture:{mark}", drawn, timeout=SECONDS)
    return HttpResponse(drawn, content_type=form, headers=headers)


def too_many(wait: int) -> HttpResponse:
    answer = HttpResponse(
        _("Too many pictures at once. Try again later."), status=429, content_type="text/plain; charset=utf-8"
    )
    answer["Retry-After"] = str(wait)
    answer["Cache-Control"] = "no-store"
    return answer
