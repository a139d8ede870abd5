"""The one shape of every error of the API: `application/problem+json` (RFC 9457).

``type`` is the address at which the error is explained, ``title`` its name, ``status`` the status of the
response, ``detail`` a sentence for people. Our own members: ``code``, a stable word for programs, and
``where``, the place of the fault as an object of five keys (``record``, ``line``, ``column``, ``pointer``,
``field``, each null where it does not apply) or null where a fault has no place. An error of one record among
others has ``code``, ``detail`` and ``where`` (`fault`). Views raise; :func:`exception_handler` is the only
place that turns an exception into a response.
"""

import errno
import json
import logging
import re
from math import ceil
from typing import Any, NamedTuple

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpResponse, UnreadablePostError
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import set_rollback

from archive.database import AWAY
from archive.errors import ArchiveError, Unavailable

log = logging.getLogger(__name__)

PROBLEM = "application/problem+json"
"""The media type of every error."""


class Code(NamedTuple):
    """The reason of an error."""

    status: int
    """Of the answer."""
    meaning: str
    """What it means; up to a semicolon also the title of the error."""


#: Every code that an error of this API can carry. The guide and the schema are held to this table.
CODES = {
    "bad_request": Code(
        400, "The request itself is broken: it cannot be understood, or its body ended too early."
    ),
    "invalid_parameter": Code(
        400, "A query parameter is unknown, given twice, or its value is not one that it takes."
    ),
    "invalid_cursor": Code(400, "The cursor of a page was not one that this API gave out."),
    "not_authenticated": Code(401, "Writing, and looking at one's own uploads, needs a token."),
    "authentication_failed": Code(401, "The token sent is not valid, or its user was switched off."),
    "permission_denied": Code(403, "The user may not do this."),
    "scope_needed": Code(
        403, "The user may do this, but not with this token; WWW-Authenticate names the scope."
    ),
    "not_found": Code(404, "There is nothing at this address, or nothing that this user may see."),
    "method_not_allowed": Code(
        405, "This address does not know the method; the Allow header lists those it knows."
    ),
    "not_acceptable": Code(
        406, "None of the forms asked for by Accept or ?format= is one that this address can give."
    ),
    "no_text_form": Code(406, "The record holds what TGN text cannot write; its JSON form can be had."),
    "not_verified": Code(409, "The deal has another verdict than verified, and so no certificate."),
    "no_certificates": Code(404, "The archive has no key to sign certificates with."),
    "no_such_range": Code(416, "The file does not have the bytes that Range asks for."),
    "length_required": Code(411, "The size of the body must be said in advance (Content-Length)."),
    "too_large": Code(413, "The body is larger than what this address takes in one request."),
    "unsupported_media_type": Code(
        415, "The body is of a media type, character set or coding that is not read."
    ),
    "refused": Code(422, "A record that was read but could not be kept; the message says why."),
    "malformed": Code(
        422, "There is no record, or what should be one cannot be read; message and place say why."
    ),
    "key_in_use": Code(
        409, "Another request with the same Idempotency-Key is still coming in; try it again."
    ),
    "key_reused": Code(422, "With the same Idempotency-Key something else was sent within a day."),
    "already_there": Code(
        409, "The club has the deal already with other details, or withdrew it; nothing was moved."
    ),
    "throttled": Code(
        429, "Too many requests, or too much sent in an hour; Retry-After says how many seconds to wait."
    ),
    "busy": Code(
        503, "The archive cannot answer now, and kept nothing; Retry-After says how many seconds to wait."
    ),
    "no_room": Code(507, "The archive has no room for what is sent, and kept nothing of it."),
    "server_error": Code(500, "An error in the archive itself; it was logged."),
}

#: The keys of ``where``, in the order they are written.
WHERE = ("record", "line", "column", "pointer", "field")


def place(**known: Any) -> dict[str, Any] | None:
    """Build the ``where`` object; None if nothing is known. Unknown names are a TypeError."""
    strange = set(known) - set(WHERE)
    if strange:
        raise TypeError(f"not a part of a place: {sorted(strange)}")
    if all(value is None for value in known.values()):
        return None
    return {key: known.get(key) for key in WHERE}


def fault(code: str, detail: str, where: dict[str, Any] | None = None) -> dict[str, Any]:
    """Build the part that faults of records and errors share. A code that is not in :data:`CODES` is a
    KeyError: it would be undocumented."""
    if code not in CODES:
        raise KeyError(code)
    return {"code": code, "detail": detail, "where": where}


def problem(code: str, detail: str, where: dict[str, Any] | None = None) -> dict[str, Any]:
    """Build the body of an error (RFC 9457)."""
    status, meaning = CODES[code]
    title = meaning.partition(";")[0].rstrip(".")
    named = {"type": f"/api/v1/docs#error-{code}", "title": title, "status": status, "detail": detail}
    return named | fault(code, detail, where)


def answer(code: str, detail: str) -> HttpResponse:
    """An error as a response, for where no view stands behind it."""
    body = problem(code, detail)
    return HttpResponse(json.dumps(body, ensure_ascii=False), status=body["status"], content_type=PROBLEM)


class ApiError(exceptions.APIException):
    """An error of :data:`CODES`, with its place; ``more`` are further members of its body (the report on a
    refused upload), ``headers`` further headers of the answer."""

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


def nothing_stored(first: dict[str, Any], report: dict[str, Any]) -> ApiError:
    """The error of a body of which not one record was stored: that of its first record, with the report on
    all of them."""
    return ApiError(first["code"], first["detail"], more=report, **(first["where"] or {}))


def is_full(error: BaseException | None) -> bool:
    """Whether something could not be written since there is no room for it."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


FULL = "The archive has no room for this just now, and kept nothing of it. Try it again later."


class Unchanged(Exception):
    """The client has this response already: it need not be made."""


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """Turn whatever a view raised into an answer of the one shape.

    An exception that nobody foresaw is logged with its traceback, sent to the listeners for failed requests,
    and answered as ``server_error`` without its details.
    """
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
            return exceptions.Throttled(exc.seconds, str(exc))
        case ArchiveError():
            headers = {"Retry-After": str(exc.seconds)} if exc.seconds else {}
            return ApiError(exc.code, str(exc), headers=headers, field=exc.field)
        case _ if isinstance(exc, AWAY):
            log.warning("api: the database cannot be asked: %s", exc)
            return _as_api_error(Unavailable(), request)
        case _ if is_full(exc):
            log.error("api: no room: %s", exc)
            return ApiError("no_room", FULL)
    # The request this signal is for is Django's own, which test client and error reporters know.
    got_request_exception.send(sender=None, request=getattr(request, "_request", request))
    log.exception("api: unforeseen error", exc_info=exc)
    return ApiError(
        "server_error", "An error in the archive itself. It was logged; trying again later may help."
    )


def _first_fault(detail: Any, path: tuple[str, ...] = ()) -> tuple[str | None, str]:
    """The first fault in the nested detail of a validation error: the name of its field and its message."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        return _first_fault(inner, path if name == "non_field_errors" else (*path, str(name)))
    if isinstance(detail, list):
        return _first_fault(detail[0], path)
    return ".".join(path) or None, str(detail)


def validated(form: Serializer) -> dict[str, Any]:
    """Return the validated data of a form; raises :class:`ApiError` with the values that its first wrong
    field takes."""
    for name, given in form.initial_data.items():
        field = form.fields.get(name)
        # The framework takes digits of any script, with underscores or a point between.
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
