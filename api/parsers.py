"""Bodies are handed on as the bytes they are: what they mean is for the notation's reader to say, in one
place.

The parsers here only hold the body to its size, before and while it is read, and refuse character sets and
codings that nobody reads.
"""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.http import parse_header_parameters
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from .errors import LengthRequired, TooLarge, Unread


def body_limit() -> int:
    """The bytes one request may bring: the archive's limit for an upload."""
    return int(settings.ARCHIVE_MAX_UPLOAD_BYTES)


def check_head(request: HttpRequest) -> None:
    """Refuse by the request's head alone what needs no reading: too large by its own word, packed, of unsaid
    length.

    Raises :class:`TooLarge`, :class:`Unread` or :class:`LengthRequired`.
    """
    coding = request.META.get("HTTP_CONTENT_ENCODING", "").strip().lower()
    if coding not in ("", "identity"):
        raise Unread(f"A body in the content coding “{coding}” is not read; send it unpacked.")
    said = request.META.get("CONTENT_LENGTH") or ""
    if said.isdigit() and int(said) > body_limit():
        raise TooLarge(body_limit(), int(said))
    if _is_chunked(request) and not request.META.get("wsgi.input_terminated"):
        raise LengthRequired(
            "The body came in chunks, which is not read here; send it with a Content-Length."
        )


def read_body(stream: Any) -> bytes:
    """The whole body, never holding more than one byte above the limit; raises :class:`TooLarge`."""
    limit = body_limit()
    parts: list[bytes] = []
    size = 0
    while size <= limit and (part := stream.read(min(65536, limit + 1 - size))):
        parts.append(part)
        size += len(part)
    if size > limit:
        raise TooLarge(limit)
    return b"".join(parts)


def body_of(request: Request) -> bytes:
    """The body of a request as bytes, read by the parser for its media type.

    Raises :class:`Unread` for a media type no parser is for, and what :func:`check_head` and
    :func:`read_body` raise.
    """
    check_head(request._request)
    if request.META.get("CONTENT_LENGTH") in (None, "", "0") and not _is_chunked(request._request):
        return b""
    parser = request.negotiator.select_parser(request, request.parsers) if request.content_type else None
    if parser is None:
        read = ", ".join(known.media_type for known in PARSERS)
        raise Unread(f"A body of the media type “{request.content_type}” is not read; send one of {read}.")
    # A chunked body has no length that Django would read up to; a server that says so ends the input itself.
    stream = request.META["wsgi.input"] if _is_chunked(request._request) else request._request
    return parser.parse(stream, request.content_type, request.parser_context)


def _is_chunked(request: HttpRequest) -> bool:
    return "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower()


class BytesParser(BaseParser):
    """Hands over the body as bytes. A subclass says which media type it is for."""

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> bytes:
        """Read the body; only UTF-8 may be claimed as its character set."""
        _, parameters = parse_header_parameters(media_type or "")
        charset = parameters.get("charset", "utf-8").strip("\"' ").lower()
        if charset not in ("utf-8", "utf8", "us-ascii", "ascii"):
            raise Unread(f"Records are read as UTF-8, not as “{charset}”.")
        return read_body(stream)


class TgnParser(BytesParser):
    """TGN text under its own name."""

    media_type = "application/vnd.tgn"


class PlainTextParser(BytesParser):
    """TGN text as plain text."""

    media_type = "text/plain"


class JsonParser(BytesParser):
    """One record or a list of records in the JSON form."""

    media_type = "application/json"


class NdjsonParser(BytesParser):
    """Records in the JSON form, one a line."""

    media_type = "application/x-ndjson"


PARSERS = (TgnParser, PlainTextParser, JsonParser, NdjsonParser)
