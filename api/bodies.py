"""Read request bodies: check the headers (media type, character set, content coding and length) before
reading a body, and reject a body that ends before its announced length."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from io import BytesIO
from typing import Any

from django.core.exceptions import SuspiciousOperation
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils.http import parse_header_parameters
from rest_framework.request import Request
from rest_framework.serializers import Serializer

from archive.storing.uploads import BrokenOff
from archive.web.errors import ApiError, validated
from tarock.notation import Entry, read

log = logging.getLogger(__name__)

PACKED = ("application/zip", "application/gzip")
RECORDS = ("application/vnd.tgn", "text/plain", "application/json", "application/x-ndjson", *PACKED)
"""Media types accepted for records. The parser ignores them, and detects the format from the body."""

_CHUNK = 65_536

_FEW_LINES = 10_000
"""Default limit, in bytes, for a JSON body that contains no records."""

_FORM = 1_000_000
"""Allowance, in bytes, for the parts of a form other than its files."""


def body_of(request: Request, limit: int, media_types: tuple[str, ...] = RECORDS) -> Iterator[bytes]:
    """Check the headers, and return an iterator over the chunks of the body. Raise `ApiError` if a header is
    unsupported or the body exceeds `limit` bytes. The iterator raises `BrokenOff` if the body ends early."""
    coding = request.META.get("HTTP_CONTENT_ENCODING", "").strip().lower()
    if coding not in ("", "identity"):
        raise _unsupported(f"A body in the content coding “{coding}” is not read; send it unpacked.")
    if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower():
        _check_media_type(request, media_types)
        if not request.META.get("wsgi.input_terminated"):
            raise ApiError(
                "length_required",
                "The body came in chunks, which is not read here; send it with a Content-Length.",
            )
        # Bypass Django's request, which would read nothing, because a chunked body has no Content-Length.
        return _chunks(request.META["wsgi.input"], None, limit)
    length = request.META.get("CONTENT_LENGTH") or "0"
    if not (length.isascii() and length.isdigit()):
        raise ApiError("bad_request", "The Content-Length is no number.")
    size = int(length[:20])
    if size > limit:
        raise _too_large(limit, f"has {size:,} bytes")
    if size:
        _check_media_type(request, media_types)
    return _chunks(request._request, size, limit)


def whole(request: Request, limit: int, media_types: tuple[str, ...] = RECORDS) -> bytes:
    """Return the whole body. Raise the same errors as `body_of` and its iterator."""
    return b"".join(body_of(request, limit, media_types))


def _too_large(limit: int, had: str = "is larger") -> ApiError:
    return ApiError(
        "too_large",
        f"The body {had}; at most {limit:,} bytes are taken here in one request. "
        "Many records are for POST /api/v1/uploads.",
    )


def one_entry(body: bytes) -> Entry:
    """Parse a body that contains one record, and return its entry, even if the record is invalid. Raise
    `ApiError` for any other number of records."""
    entries = read(body)
    if len(entries) != 1:
        raise ApiError("bad_request", f"There are {len(entries)} records in the body; send one alone.")
    return entries[0]


def fields_of(request: Request, form: type[Serializer], limit: int = _FEW_LINES) -> dict[str, Any]:
    """Parse the body as a JSON object, validate it with the serializer `form`, and return its fields. An
    empty body counts as an empty object. `limit`: maximum size of the body in bytes."""
    try:
        fields = json.loads(whole(request, limit, ("application/json",)) or b"{}")
    except (ValueError, RecursionError):
        raise ApiError("bad_request", "The body is not JSON.") from None
    if not isinstance(fields, dict):
        raise ApiError("bad_request", "The body is not a JSON object.")
    return _fields(fields, form)


def multipart_of(request: Request, form: type[Serializer], limit: int) -> dict[str, Any]:
    """Parse the body as multipart/form-data, validate it with the serializer `form`, and return its fields.
    `limit`: maximum size of the files in bytes."""
    body = whole(request, limit + _FORM, ("multipart/form-data",))
    meta = request.META | {"CONTENT_LENGTH": len(body)}
    try:
        fields, files = MultiPartParser(meta, BytesIO(body), request._request.upload_handlers).parse()
    except (MultiPartParserError, SuspiciousOperation, UnicodeError):
        raise ApiError("bad_request", "The body is not multipart/form-data.") from None
    given = {name: fields[name] for name in fields} | {name: files[name] for name in files}
    return _fields(given, form)


def _fields(fields: dict[str, Any], form: type[Serializer]) -> dict[str, Any]:
    """Validate the fields of a body. Raise `ApiError` for unknown ones."""
    known = form().fields
    for name in fields:
        if name not in known:
            detail = f"“{name}” is not known here; what is: {', '.join(known)}."
            raise ApiError("invalid_parameter", detail, field=name)
    return validated(form(data=fields))


def _check_media_type(request: Request, known: tuple[str, ...]) -> None:
    """Raise `ApiError` unless the media type is one of `known` and the character set is UTF-8 or ASCII."""
    media_type, parameters = parse_header_parameters(request.content_type or "")
    if media_type.strip().lower() not in known:
        raise _unsupported(
            f"A body of the media type “{request.content_type}” is not read; send one of {', '.join(known)}."
        )
    charset = parameters.get("charset", "utf-8").strip("\"' ").lower()
    if charset not in ("utf-8", "utf8", "us-ascii", "ascii"):
        raise _unsupported(f"Records are read as UTF-8, not as “{charset}”.")


def _unsupported(detail: str) -> ApiError:
    return ApiError("unsupported_media_type", detail)


def _chunks(stream: Any, size: int | None, limit: int) -> Iterator[bytes]:
    """Yield a stream's bytes in chunks: exactly `size` or, if `size` is None, all of them. Raise `ApiError`
    for more than `limit` bytes, and `BrokenOff` if the stream fails or ends early."""
    read, most = 0, limit + 1 if size is None else size
    while read < most:
        try:
            chunk = stream.read(min(_CHUNK, most - read))
        except Exception as error:
            # Catch all exceptions: each server raises its own types for a lost client or an invalid chunk.
            log.info("a body could not be read: %r", error)
            raise BrokenOff("The body broke off.") from error
        if not chunk:
            break
        read += len(chunk)
        if read > limit:
            raise _too_large(limit)
        yield chunk
    if size is not None and read < size:
        raise BrokenOff(f"The body ended after {read:,} of the {size:,} bytes that were announced.")
