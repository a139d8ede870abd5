"""The viewer of a request, and the data that a browser's session stores for a guest."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.utils.functional import SimpleLazyObject

from archive import access
from archive.access import Viewer
from archive.web import GetResponse

GUEST = "space"
"""Session key for the id of the browser's guest space."""

LINKS = "links"
"""Session key for `Viewer.links`: the unlisted deals and sessions whose links this browser opened."""

JOINED = "joined"
"""Session key for the evenings that this browser joined. Maps the key of an evening to the key of the link
and the name that the friend chose."""


def viewer_middleware(get_response: GetResponse) -> GetResponse:
    """Middleware that sets `request.viewer`, the `Viewer` of a page. The viewer is looked up on first use."""

    def viewer_of(request: HttpRequest) -> Viewer:
        session = request.session
        joined = dict(session.get(JOINED, {}).values())
        return access.viewer(
            request.user, guest=session.get(GUEST), links=session.get(LINKS, ()), joined=joined
        )

    def middleware(request: HttpRequest) -> HttpResponseBase:
        request.viewer = SimpleLazyObject(lambda: viewer_of(request))
        return get_response(request)

    return middleware
