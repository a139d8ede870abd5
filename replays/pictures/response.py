"""Responses with a picture: cached, with an ETag, and limited in number."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _

from archive.web import throttles

SECONDS = 120
"""How long a drawn picture stays in the cache: for the readers who come at once when a link is shared. It is
short, so that pictures never take more than a few dozen MB of the cache; browsers cache them for a day."""


def language(request: HttpRequest) -> str:
    """The language that the address names; empty without one, and for one that the site does not have."""
    language = request.GET.get("language", "")
    return language if language in dict(settings.LANGUAGES) else ""


def answer(
    request: HttpRequest, mark: str, draw: Callable[[], bytes], form: str = "image/png", pictures: int = 1
) -> HttpResponse:
    """The response with a picture. `mark`: all that it is made of; `pictures`: as how many it counts."""
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
        _("Too many pictures at once."), status=429, content_type="text/plain; charset=utf-8"
    )
    answer["Retry-After"] = str(wait)
    answer["Cache-Control"] = "no-store"
    return answer
