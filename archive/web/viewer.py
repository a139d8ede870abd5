"""The viewer of a request, and what a browser's session remembers for a guest."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject

from archive import access
from archive.access import Viewer

GUEST = "space"
"""Session key for the space of uploads that were sent without signing in."""

LINKS = "links"
"""Session key for the unlisted things whose links were opened in this browser."""


def viewer_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: set `request.viewer`, the `Viewer` of a page, which is looked up at its first use."""

    def viewer_of(request: HttpRequest) -> Viewer:
        session = request.session
        return access.viewer(request.user, guest=session.get(GUEST), links=session.get(LINKS, ()))

    def middleware(request: HttpRequest) -> HttpResponseBase:
        request.viewer = SimpleLazyObject(lambda: viewer_of(request))
        return get_response(request)

    return middleware
