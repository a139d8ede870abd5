"""The one shape of every error the API gives: `application/problem+json` (RFC 9457).

``type`` is the address at which the error is explained, ``title`` what it is, ``status`` the status of the
answer, ``detail`` a sentence for people. Our own members: ``code``, a stable word for programs, and
``where``, the place of the fault as an object of five keys (``record``, ``line``, ``column``, ``pointer``,
``field``, each null where it says nothing) or null where a fault has no place. Of a record among others
``code``, ``detail`` and ``where`` are told (`fault`). Views raise; :func:`exception_handler` is the only
place that turns an exception into an answer.
"""

import errno
import json
import logging
import re
from math import ceil
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, SuspiciousOperation
from django.core.signals import got_request_exception
from django.http import Http404, HttpResponse, UnreadablePostError
from rest_framework import exceptions, serializers, status
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import set_rollback

from archive.database import AWAY

log = logging.getLogger(__name__)

PROBLEM = "application/problem+json"
"""The media type of every error."""

#: Every code an error of this API can carry, with what it means. The guide and the schema are held to this
#: table.
CODES: dict[str, str] = {
    "bad_request": "The request itself is broken: it cannot be understood, or its body ended too early.",
    "invalid_parameter": "A query parameter is unknown, given twice, or its value is not one that it takes.",
    "invalid_cursor": "The cursor of a page was not one that this API gave out.",
    "not_authenticated": "Writing, and looking at one's own uploads, needs a token.",
    "authentication_failed": "The token sent is not valid, or its user was switched off.",
    "permission_denied": "The user may not do this.",
    "scope_needed": "The user may do this, but not with this token; WWW-Authenticate names the scope.",
    "not_found": "There is nothing at this address, or nothing that this user may see.",
    "method_not_allowed": "This address does not know the method; the Allow header lists those it knows.",
    "not_acceptable": "None of the forms asked for by Accept or ?format= is one that this address can give.",
    "no_text_form": "The record holds what TGN text cannot write; its JSON form can be had.",
    "not_verified": "The deal has another verdict than verified, and so no certificate.",
    "no_certificates": "The archive has no key to sign certificates with.",
    "no_such_range": "The file does not have the bytes that Range asks for.",
    "length_required": "The size of the body must be said in advance (Content-Length).",
    "too_large": "The body is larger than what this address takes in one request.",
    "unsupported_media_type": "The body is of a media type, character set or coding that is not read.",
    "refused": "A record that was read but could not be kept; the message says why.",
    "malformed": "There is no record, or what should be one cannot be read; message and place say why.",
    "key_in_use": "Another request with the same Idempotency-Key is still coming in; try it again.",
    "key_reused": "With the same Idempotency-Key something else was sent within a day.",
    "already_there": "The club has the deal already with other details, or withdrew it; nothing was moved.",
    "throttled": "Too many requests, or too much sent in an hour; Retry-After says how many seconds to wait.",
    "busy": "The archive cannot answer now, and kept nothing; Retry-After says how many seconds to wait.",
    "no_room": "The archive has no room for what is sent, and kept nothing of it.",
    "server_error": "An error in the archive itself; it was logged.",
}

#: The keys of ``where``, in the order they are written.
WHERE = ("record", "line", "column", "pointer", "field")


def place(**known: Any) -> dict[str, Any] | None:
    """The ``where`` object with what is known of a place; None if nothing is. Unknown names are a
    TypeError."""
    strange = set(known) - set(WHERE)
    if strange:
        raise TypeError(f"not a part of a place: {sorted(strange)}")
    if all(value is None for value in known.values()):
        return None
    return {key: known.get(key) for key in WHERE}


def fault(code: str, detail: str, where: dict[str, Any] | None = None) -> dict[str, Any]:
    """What is wrong, and where. A code that is not in :data:`CODES` is a KeyError: it would be
    undocumented."""
    if code not in CODES:
        raise KeyError(code)
    return {"code": code, "detail": detail, "where": where}


def problem(status: int, code: str, detail: str, where: dict[str, Any] | None = None) -> dict[str, Any]:
    """The error as it is sent (RFC 9457)."""
    body = fault(code, detail, where)
    named = {"type": f"/api/v1/docs#error-{code}", "title": CODES[code].partition(";")[0].rstrip(".")}
    return {**named, "status": status, "detail": body.pop("detail"), **body}


def answer(status: int, code: str, detail: str) -> HttpResponse:
    """The same as an answer, for where no view stands behind it."""
    written = json.dumps(problem(status, code, detail), ensure_ascii=False)
    return HttpResponse(written, status=status, content_type=PROBLEM)


class ApiError(exceptions.APIException):
    """An error of our own, with its place; ``more`` are further members (the report of a refused upload)."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "bad_request"

    def __init__(self, detail: str, *, more: dict[str, Any] | None = None, **where: Any) -> None:
        super().__init__(detail, self.default_code)
        self.where = place(**where)
        self.more = more or {}


class BadParameter(ApiError):
    """A query parameter is unknown, repeated, or has a value that it does not take."""

    default_code = "invalid_parameter"

    def __init__(self, field: str, detail: str) -> None:
        super().__init__(detail, field=field)


class BadCursor(ApiError):
    """A cursor that this API never gave out."""

    default_code = "invalid_cursor"


class ScopeNeeded(ApiError):
    """The token is not for this: which scope it would have to have."""

    status_code = status.HTTP_403_FORBIDDEN
    default_code = "scope_needed"

    def __init__(self, scope: str) -> None:
        super().__init__(f"This takes a token with the scope “{scope}”.")
        self.auth_header = f'Bearer realm="api", error="insufficient_scope", scope="{scope}"'


class NoTextForm(ApiError):
    """The record can be stored and checked, but TGN text cannot write it."""

    status_code = status.HTTP_406_NOT_ACCEPTABLE
    default_code = "no_text_form"


class NotVerified(ApiError):
    """A certificate is asked for of a deal that is not verified."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "not_verified"


class NoCertificates(ApiError):
    """The archive has no key to sign certificates with."""

    status_code = status.HTTP_404_NOT_FOUND
    default_code = "no_certificates"


class NoSuchRange(ApiError):
    """The file does not have the bytes that are asked for."""

    status_code = status.HTTP_416_REQUESTED_RANGE_NOT_SATISFIABLE
    default_code = "no_such_range"

    def __init__(self, size: int) -> None:
        super().__init__(f"The file has {size:,} bytes; Range asks for none of them.")
        self.headers = {"Content-Range": f"bytes */{size}"}


class NotAcceptable(ApiError):
    """No form that the client would take is one that this address can give."""

    status_code = status.HTTP_406_NOT_ACCEPTABLE
    default_code = "not_acceptable"


class LengthRequired(ApiError):
    """A body of unsaid length that the server in front of us does not delimit for us."""

    status_code = status.HTTP_411_LENGTH_REQUIRED
    default_code = "length_required"


class TooLarge(ApiError):
    """The body has more bytes than one request may have."""

    status_code = status.HTTP_413_REQUEST_ENTITY_TOO_LARGE
    default_code = "too_large"

    def __init__(self, limit: int, size: int | None = None) -> None:
        had = f"has {size:,} bytes" if size is not None else "is larger"
        super().__init__(
            f"The body {had}; at most {limit:,} bytes are taken here in one request. "
            "Many records are for POST /api/v1/uploads."
        )


class Unread(ApiError):
    """A body in a media type, character set or content coding that is not read here."""

    status_code = status.HTTP_415_UNSUPPORTED_MEDIA_TYPE
    default_code = "unsupported_media_type"


class NothingTaken(ApiError):
    """Not one record of the body could be taken: the first one's error, and the report on all of them."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "malformed"

    def __init__(self, first: dict[str, Any], report: dict[str, Any]) -> None:
        self.default_code = first["code"]
        super().__init__(first["detail"], more=report, **(first["where"] or {}))


class KeyInUse(ApiError):
    """Another request with the same Idempotency-Key is not at its end."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "key_in_use"
    wait = 1

    def __init__(self) -> None:
        super().__init__("Another request with this Idempotency-Key is still coming in. Try it again.")


class KeyReused(ApiError):
    """Something else was sent with the same Idempotency-Key."""

    status_code = status.HTTP_422_UNPROCESSABLE_ENTITY
    default_code = "key_reused"

    def __init__(self) -> None:
        super().__init__("With this Idempotency-Key another body, or other parameters, were sent before.")


class AlreadyThere(ApiError):
    """A deal that is to be moved to a club is there with other details."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "already_there"

    def __init__(self, club: str, details: list[str]) -> None:
        why = f"with other details: {', '.join(details)}" if details else "but withdrew or corrected it"
        super().__init__(f"“{club}” has this deal already, {why}. Nothing was moved.")


def is_full(error: BaseException | None) -> bool:
    """Whether something could not be written since there is no room for it."""
    return isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT)


FULL = "The archive has no room for this just now, and kept nothing of it. Try it again later."


class NoRoom(ApiError):
    """A folder or a disk is full."""

    status_code = status.HTTP_507_INSUFFICIENT_STORAGE
    default_code = "no_room"

    def __init__(self) -> None:
        super().__init__(FULL)


class Busy(ApiError):
    """The database does not answer, or takes nothing at the moment: nothing was kept."""

    status_code = status.HTTP_503_SERVICE_UNAVAILABLE
    default_code = "busy"
    wait = 60

    def __init__(self) -> None:
        super().__init__(BUSY)


class Broken(ApiError):
    """An exception that nobody foresaw."""

    status_code = status.HTTP_500_INTERNAL_SERVER_ERROR
    default_code = "server_error"

    def __init__(self) -> None:
        super().__init__("An error in the archive itself. It was logged; trying again later may help.")


class Unchanged(Exception):
    """The client has this answer already: it need not be made."""


#: What is said while the database cannot be asked.
BUSY = "The archive is too busy to answer. Try it again in a minute."

#: What is said of a record that our own code could not store.
OUR_FAULT = (
    "This record could not be stored because of a fault in the archive. The upload has been kept, and the "
    "operator can see it."
)


#: Codes of the framework that go by another name here.
_RENAMED = {"parse_error": "bad_request", "error": "bad_request", "invalid": "invalid_parameter"}


def exception_handler(exc: Exception, context: dict[str, Any]) -> Response:
    """Turn whatever a view raised into an answer of the one shape.

    An exception that nobody foresaw is logged with its traceback, told to whoever listens for failed
    requests, and answered as ``server_error`` without its details.
    """
    headers: dict[str, str] = {}
    match exc:
        case Http404():
            exc = exceptions.NotFound()
        case PermissionDenied():
            exc = exceptions.PermissionDenied()
        case SuspiciousOperation() | BadRequest() | UnreadablePostError():
            exc = ApiError("The request cannot be understood.")
        case _ if isinstance(exc, AWAY):
            log.warning("api: the database cannot be asked: %s", exc)
            exc = Busy()
        case _ if is_full(exc):
            log.error("api: no room: %s", exc)
            exc = NoRoom()
    set_rollback()
    if isinstance(exc, Unchanged):
        return Response(status=status.HTTP_304_NOT_MODIFIED)
    if not isinstance(exc, exceptions.APIException):
        request = context.get("request")
        # The request this signal is for is Django's own, which test client and error reporters know.
        got_request_exception.send(sender=None, request=getattr(request, "_request", request))
        log.exception("api: unforeseen error", exc_info=exc)
        exc = Broken()
    headers |= getattr(exc, "headers", {})
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if wait := getattr(exc, "wait", None):
        headers["Retry-After"] = str(ceil(wait))

    if isinstance(exc, exceptions.ValidationError):
        field, detail = _first_fault(exc.detail)
        code, where = "invalid_parameter", place(field=field)
    else:
        code = exc.get_codes() if isinstance(exc.detail, str) else exc.default_code
        code = _RENAMED.get(str(code), str(code))
        if code not in CODES:
            code = str(exc.default_code) if exc.default_code in CODES else "bad_request"
        detail, where = str(exc.detail), getattr(exc, "where", None)
    body = problem(exc.status_code, code, detail, where)
    return Response({**body, **getattr(exc, "more", {})}, status=exc.status_code, headers=headers)


def _first_fault(detail: Any, path: tuple[str, ...] = ()) -> tuple[str | None, str]:
    """The first fault in the nested detail of a validation error: the name of its field and its message."""
    if isinstance(detail, dict):
        name, inner = next(iter(detail.items()))
        return _first_fault(inner, path if name == "non_field_errors" else (*path, str(name)))
    if isinstance(detail, list):
        return _first_fault(detail[0], path)
    return ".".join(path) or None, str(detail)


def validated(form: Serializer) -> dict[str, Any]:
    """What a filled form holds; raises :class:`BadParameter` that says what its first wrong field takes."""
    for name, given in form.initial_data.items():
        field = form.fields.get(name)
        # The framework takes digits of any script, with underscores or a point between.
        if isinstance(field, serializers.IntegerField) and isinstance(given, str) and not _WHOLE.match(given):
            raise BadParameter(name, f"“{given[:50]}” is not a whole number{_bounds(field)}.")
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
    raise BadParameter(name, detail)


_WHOLE = re.compile(r"-?[0-9]{1,19}\Z")


def _bounds(field: serializers.IntegerField) -> str:
    low, high = field.min_value, field.max_value
    if low is None or high is None or high >= 2**62:
        return "" if low is None else f", {low} or more"
    return f" from {low} to {high}"
