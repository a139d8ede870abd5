"""The site's last resorts, where a request fails before or beside every view: below `/api/` in the shape of
the API's errors, elsewhere as the pages have it.
"""

import sys
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.template import TemplateDoesNotExist
from django.views import defaults

from archive.database import AWAY

from .errors import BUSY, Busy, answer

BELOW = "/api/"


def _answer(request: HttpRequest, status: int, code: str, detail: str) -> HttpResponse | None:
    return answer(status, code, detail) if request.path_info.startswith(BELOW) else None


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


def server_error(request: HttpRequest, *_: Any) -> HttpResponse:
    """500: a fault outside of every view; 503 where it is the database that does not answer."""
    if isinstance(sys.exc_info()[1], AWAY):
        busy = _answer(request, 503, "busy", BUSY) or _busy_page(request)
        busy["Retry-After"] = str(Busy.wait)
        return busy
    below = _answer(request, 500, "server_error", "An error in the archive itself. It was logged.")
    return below or defaults.server_error(request)


def _busy_page(request: HttpRequest) -> HttpResponse:
    """The page 503.html; without one that of any fault, which asks the database for nothing either."""
    try:
        page = defaults.server_error(request, "503.html")
    except TemplateDoesNotExist:
        page = defaults.server_error(request)
    page.status_code = 503
    return page
