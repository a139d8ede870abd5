"""Base class and helpers for views that return JSON to the apps' scripts. Errors have the same format as in
the API (`archive.web.problems`), with a JSON pointer to the invalid field of the request body."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.authentication import SessionAuthentication
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from archive.database import AWAY
from archive.errors import ArchiveError, Unavailable
from archive.storing.uploads import KeyInUse
from archive.web import throttles
from archive.web.errors import ApiError, ProblemView
from replays.apps.evening_form import first_error
from replays.site.common import over_quota

BODY = 64 * 1024
"""Maximum size of a request body, in bytes."""


class PageAuthentication(SessionAuthentication):
    """Session authentication that also checks the CSRF token of guests."""

    def authenticate(self, request: Any) -> tuple[Any, None] | None:
        """Return the user; None for a guest."""
        self.enforce_csrf(request)
        user = request._request.user
        return (user, None) if user.is_authenticated else None

    def enforce_csrf(self, request: Any) -> None:
        """Raise `ApiError` if the CSRF token is missing, wrong or out of date."""
        try:
            super().enforce_csrf(request)
        except PermissionDenied:
            message = _("The page is out of date. Reload it; nothing is lost.")
            raise ApiError("permission_denied", message) from None


class JsonView(ProblemView):
    """Base view for the apps' JSON requests. Limits the size of request bodies and the rate of writes."""

    authentication_classes = [PageAuthentication]
    permission_classes = ()
    parser_classes = ()
    renderer_classes = (JSONRenderer,)
    http_method_names = ["get", "head", "put", "delete"]
    sentences = {
        "busy": gettext_lazy("The archive is busy. Try again in a minute."),
        "server_error": gettext_lazy(
            "Something went wrong on our side, so the deal was not stored. The error has been logged."
        ),
    }
    """Messages for users by error code. Errors that only a buggy client can cause keep the API's message."""

    def initial(self, request: Any, *args: Any, **kwargs: Any) -> None:
        """Check the body size, CSRF token and write rate, in this order, before the body is read."""
        if int(request.META.get("CONTENT_LENGTH") or 0) > BODY:
            raise ApiError("too_large", _("This is too large for one deal."))
        super().initial(request, *args, **kwargs)
        if request.method not in SAFE_METHODS:
            count(request, throttles.Entries())

    def handle_exception(self, exc: Exception) -> Response:
        """Render an error, in the user's language if the user can do something about it."""
        if isinstance(exc, (*AWAY, KeyInUse)):  # Let the script try again later.
            exc = Unavailable()
        if isinstance(exc, ArchiveError):
            seconds = exc.seconds or 0
            sentence = self.sentences.get(exc.code, str(exc))
            detail = over_quota(seconds) if exc.code == "throttled" else sentence
            pointer = f"/{exc.field}" if exc.field else None
            headers = {"Retry-After": str(seconds)} if seconds else {}
            exc = ApiError(exc.code, str(detail), headers=headers, pointer=pointer)
        return super().handle_exception(exc)


def count(request: HttpRequest, throttle: throttles.Throttle) -> None:
    """Count a request against a throttle; raise `ApiError` if the user must wait."""
    if seconds := throttles.seconds_to_wait(request, throttle):
        message = _("Too many attempts. Wait a minute.")
        raise ApiError("throttled", message, headers={"Retry-After": str(seconds)})


def read_body(request: HttpRequest, form: type[Any]) -> Any:
    """Parse a request's JSON body with the serializer class `form`; raise `ApiError` if it is invalid."""
    try:
        given = json.loads(request.body)
    except (ValueError, RecursionError):
        raise ApiError("bad_request", "The body is not JSON.") from None
    serializer = form(data=given)
    if not serializer.is_valid():
        field, message = first_error(serializer.errors)
        raise ApiError("invalid_parameter", message, pointer=field)
    return serializer
