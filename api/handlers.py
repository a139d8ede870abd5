"""The site's last resorts, where a request fails before or beside every view: below `/api/` in the shape of
the API's errors, elsewhere as the pages have it.
"""

import errno
import sys
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template import TemplateDoesNotExist
from django.views import defaults

from archive.database import AWAY
from archive.errors import Unavailable

from .errors import FULL, answer, is_full

BELOW = "/api/"
NO_ROOM = "HTTP_ARCHIVE_NO_ROOM"
"""In the environment of a request: that the web server had no room for its body (`deploy.webserver`)."""


def _answer(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse | None:
    return answer(code, detail) if request.path_info.startswith(BELOW) else None


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """400: a host that is not ours, a head that cannot be understood."""
    below = _answer(request, 400, "bad_request", "The request cannot be understood.")
    return below or defaults.bad_request(request, exception)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """403."""
    below = _answer(request, 403, "permission_denied", "This is not allowed.")
    return below or defaults.permission_denied(request, exception)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """404: below `/api/`, but of no version that there is."""
    below = _answer(request, 404, "not_found", "There is nothing here; the API begins at /api/v1/.")
    return below or defaults.page_not_found(request, exception)


def refuse_without_room(get_response: Callable[[HttpRequest], HttpResponseBase]) -> Any:
    """Middleware: a request whose body is lost, since the folder for temporary files is full, goes no
    further."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if NO_ROOM in request.META:
            raise OSError(errno.ENOSPC, "the folder for temporary files takes no more")
        return get_response(request)

    return middleware


def server_error(request: HttpRequest, *_: Any) -> HttpResponse:
    """500: a fault outside of every view; 503 where it is the database that does not answer, 507 where a
    folder is full."""
    error = sys.exc_info()[1]
    if isinstance(error, AWAY):
        busy = _answer(request, 503, "busy", Unavailable.message) or _page(request, 503)
        busy["Retry-After"] = str(Unavailable.seconds)
        return busy
    if is_full(error):
        return _answer(request, 507, "no_room", FULL) or _page(request, 507)
    below = _answer(request, 500, "server_error", "An error in the archive itself. It was logged.")
    return below or defaults.server_error(request)


def _page(request: HttpRequest, status: int) -> HttpResponse:
    """The page of a status; without one that of any fault, which asks the database for nothing either."""
    try:
        page = defaults.server_error(request, f"{status}.html")
    except TemplateDoesNotExist:
        page = defaults.server_error(request)
    page.status_code = status
    return page
