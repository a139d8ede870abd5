"""Responses to requests that fail outside any view: problem documents under `/api/`, pages elsewhere."""

import errno
import sys
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.views import defaults

from archive.database import AWAY
from archive.errors import Unavailable
from archive.web import GetResponse
from archive.web.problems import FULL, answer, is_full

BELOW = "/api/"
NO_ROOM = "HTTP_ARCHIVE_NO_ROOM"
"""Key in the WSGI environment of a request whose body did not fit on the disk (`deploy.webserver`)."""


def _handler(code: str, detail: str, page: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Return an error handler for Django: a problem document under `/api/`, a page elsewhere."""

    def handler(request: HttpRequest, exception: Exception) -> HttpResponse:
        below = request.path_info.startswith(BELOW)
        return answer(code, detail) if below else page(request, exception)

    return handler


bad_request = _handler("bad_request", "The request cannot be understood.", defaults.bad_request)
"""Handler for 400: an unknown host or a malformed request."""

permission_denied = _handler("permission_denied", "This is not allowed.", defaults.permission_denied)

page_not_found = _handler(
    "not_found", "There is nothing here; the API begins at /api/v1/.", defaults.page_not_found
)
"""Handler for 404: an unknown page, or a URL under `/api/` that belongs to no existing version."""


def refuse_plain_http(get_response: GetResponse) -> GetResponse:
    """Middleware that rejects plain HTTP requests with a token, and those that write to the API, if the site
    requires HTTPS. A redirect would hide that the token was sent unencrypted, and would turn a POST into a
    GET."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if settings.SECURE_SSL_REDIRECT and not request.is_secure():
            if "Authorization" in request.headers:
                detail = "Send tokens over HTTPS only. Others may have read this one: revoke it."
                return answer("https_required", detail)
            if request.path_info.startswith(BELOW) and request.method not in ("GET", "HEAD", "OPTIONS"):
                return answer("https_required", "Send this request over HTTPS.")
        return get_response(request)

    return middleware


def refuse_without_room(get_response: GetResponse) -> GetResponse:
    """Middleware that rejects a request whose body was dropped because the temporary folder is full."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if NO_ROOM in request.META:
            raise OSError(errno.ENOSPC, "the folder for temporary files takes no more")
        return get_response(request)

    return middleware


def server_error(request: HttpRequest, *_: Any) -> HttpResponse:
    """Handler for 500: an error outside all views. The response is a 503 while the database does not respond,
    and a 507 if a disk is full. These pages don't use the database."""
    error, template = sys.exc_info()[1], "500.html"
    code, status, detail = "server_error", 500, "An error in the archive itself. It was logged."
    if isinstance(error, AWAY):
        code, status, detail = "busy", 503, Unavailable.message
    elif is_full(error):
        code, status, detail, template = "no_room", 507, FULL, "507.html"
    below = request.path_info.startswith(BELOW)
    response = answer(code, detail) if below else defaults.server_error(request, template)
    response.status_code = status
    if code == "busy":
        response["Retry-After"] = str(Unavailable.seconds)
    return response
