"""Base view that returns errors as problems (`archive.web.problems`), for the API and for views that scripts
on the pages call. The errors are `ApiError`, `ArchiveError`, or exceptions from the frameworks."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from math import ceil
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions, serializers, status
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView, set_rollback

from archive.database import AWAY
from archive.errors import ArchiveError, Unavailable
from archive.web.problems import CODES, FULL, PROBLEM, is_full, place, problem

log = logging.getLogger(__name__)


class ApiError(exceptions.APIException):
    """An error with a code from `CODES`. `more`: further members of the body, such as the report on a
    rejected upload; `headers`: further headers of the response; `where`: keyword arguments for `place`."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        more: dict[str, Any] | None = None,
        headers: dict[str, str] | None = None,
        **where: Any,
    ) -> None:
        super().__init__(detail, code)
        self.status_code = CODES[code].status
        self.where, self.more, self.headers = place(**where), more or {}, headers or {}


class ProblemRenderer(JSONRenderer):
    media_type = PROBLEM


class ProblemView(APIView):
    """A view that renders errors as problems, even if the client requested another format."""

    schema: Any = None  # leave the view out of the API's description, which contains only the API's views

    def get_exception_handler(self) -> Callable[[Exception, dict[str, Any]], Response | None]:
        return exception_handler

    def handle_exception(self, exc: Exception) -> Response:
        response = super().handle_exception(exc)
        renderer = ProblemRenderer()
        self.request.accepted_renderer = renderer
        self.request.accepted_media_type = renderer.media_type
        return response


class Unchanged(Exception):
    """The client already has this response, so it gets a 304."""


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """Convert an exception from a view to a problem. An unexpected exception is logged with its traceback,
    sent as the signal `got_request_exception`, and reported as `server_error` without details."""
    set_rollback()
    if isinstance(exc, Unchanged):
        return Response(status=status.HTTP_304_NOT_MODIFIED)
    error = _as_api_error(exc, context.get("request"))
    headers = dict(getattr(error, "headers", {}))
    if challenge := getattr(error, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(error, "wait", None):
        headers["Retry-After"] = str(ceil(wait))
    if isinstance(error, exceptions.ValidationError):
        field, detail = _first_fault(error.detail)
        body = problem("invalid_parameter", detail, place(field=field))
    else:
        body = problem(error.detail.code, str(error.detail), getattr(error, "where", None))
    return Response(body | getattr(error, "more", {}), status=body["status"], headers=headers)


def _as_api_error(exc: Exception, request: Any) -> exceptions.APIException:
    match exc:
        case exceptions.APIException():
            return exc
        case Http404():
            return exceptions.NotFound()
        case PermissionDenied():
            return exceptions.PermissionDenied()
        case SuspiciousOperation() | BadRequest() | UnreadablePostError():
            return ApiError("bad_request", "The request cannot be understood.")
        case ArchiveError(code="throttled"):
            return exceptions.Throttled(exc.seconds, str(exc) or None)
        case ArchiveError():
            headers = {"Retry-After": str(exc.seconds)} if exc.seconds else {}
            return ApiError(exc.code, str(exc), headers=headers, field=exc.field)
        case _ if isinstance(exc, AWAY):
            log.warning("api: the database is not available: %s", exc)
            return _as_api_error(Unavailable(), request)
        case _ if is_full(exc):
            log.error("api: no room: %s", exc)
            return ApiError("no_room", FULL)
    # Send Django's own request, which the test client and error reporters expect.
    got_request_exception.send(sender=None, request=getattr(request, "_request", request))
    log.exception("api: unforeseen error", exc_info=exc)
    return ApiError(
        "server_error", "An error in the archive itself. It was logged; trying again later may help."
    )


def _first_fault(detail: Any, path: tuple[str, ...] = ()) -> tuple[str | None, str]:
    """Return the field and the message of the first error in the nested details of a validation error."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        return _first_fault(inner, path if name == "non_field_errors" else (*path, str(name)))
    if isinstance(detail, list):
        return _first_fault(detail[0], path)
    return ".".join(path) or None, str(detail)


def validated(form: Serializer) -> dict[str, Any]:
    """Return a form's validated data. For an invalid field, raise an error that says what is allowed."""
    for name, given in form.initial_data.items():
        field = form.fields.get(name)
        # Check the text first, because the framework also accepts `1_000`, `1.0` and digits of other scripts.
        if isinstance(field, serializers.IntegerField) and isinstance(given, str) and not _WHOLE.match(given):
            raise ApiError(
                "invalid_parameter", f"“{given[:50]}” is not a whole number{_bounds(field)}.", field=name
            )
    if form.is_valid():
        return dict(form.validated_data)
    name, faults = next(iter(form.errors.items()))
    field, given = form.fields.get(name), str(form.initial_data.get(name))[:50]
    match getattr(faults[0], "code", None):
        case "invalid_choice" if len(field.choices) <= 20:
            detail = f"“{given}” is none of: {', '.join(map(str, field.choices))}."
        case "min_value" | "max_value":
            detail = f"“{given}” is not a whole number{_bounds(field)}."
        case "invalid" if isinstance(field, serializers.DateField):
            detail = f"“{given}” is not a day; one is written so: 2026-11-30."
        case "invalid" if isinstance(field, serializers.BooleanField):
            detail = f"“{given}” is neither true nor false (1 and 0 do, too)."
        case _:
            raise serializers.ValidationError(form.errors)
    raise ApiError("invalid_parameter", detail, field=name)


_WHOLE = re.compile(r"-?[0-9]{1,19}\Z")


def _bounds(field: serializers.IntegerField) -> str:
    low, high = field.min_value, field.max_value
    if low is None or high is None or high >= 2**62:
        return "" if low is None else f", {low} or more"
    return f" from {low} to {high}"
