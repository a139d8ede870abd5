"""Content negotiation by `?format=` or, without it, by the Accept header."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.http.request import MediaType
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.request import Request

from archive.web.errors import ApiError


class TgnRenderer(BaseRenderer):
    """Renderer for TGN text, which the view returns as a string."""

    media_type = "application/vnd.tgn"
    format = "tgn"
    charset = "utf-8"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        return str(data).encode()


def _text_renderer(media_type: str, form: str) -> type[TgnRenderer]:
    """Return a renderer for text of another media type. `form`: its name in `?format=`."""
    return type("TextRenderer", (TgnRenderer,), {"media_type": media_type, "format": form})


class SchemaRenderer(JSONRenderer):
    media_type = "application/schema+json"


class Negotiation(DefaultContentNegotiation):
    """Content negotiation that raises `ApiError` if no renderer is acceptable."""

    def select_renderer(
        self, request: Request, renderers: Sequence[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        """Return a renderer and its media type: the one for `?format=` or, without it, the first one with the
        highest quality value in the Accept header. Raise `ApiError` if none is acceptable."""
        if formats := request.query_params.getlist("format"):
            # Join repeated values, so that they match no format and the request is rejected.
            form, by_format = "&".join(formats), {str(one.format): one for one in reversed(renderers)}
            if form not in by_format:
                known = ", ".join(str(renderer.format) for renderer in renderers)
                detail = f"“{form}” is not a form of this address; it has {known}."
                raise ApiError("not_acceptable", detail, field="format")
            return by_format[form], str(by_format[form].media_type)
        accepted = accepted_types(request.META.get("HTTP_ACCEPT") or "*/*")
        best = max(renderers, key=lambda renderer: quality(accepted, str(renderer.media_type)))
        if quality(accepted, str(best.media_type)) <= 0:
            known = ", ".join(str(renderer.media_type) for renderer in renderers)
            detail = f"This address answers in {known}, and Accept takes none of these."
            raise ApiError("not_acceptable", detail)
        return best, str(best.media_type)


def accepted_types(header: str) -> list[MediaType]:
    """Parse an Accept header into media ranges; return none if it is malformed. Don't use Django's
    `get_preferred_type`: it misreads `application/json; charset=utf-8`, and `q=0` next to `*/*`."""
    try:
        return [MediaType(token) for token in header.split(",") if token.strip()]
    except ValueError:
        return []


def quality(accepted: list[MediaType], media_type: str) -> float:
    """Return the client's quality value for a media type: the value of the most specific matching range, or 0
    if none matches. Parameters of a range other than `q`, such as a character set, are ignored."""
    main, _, sub = media_type.partition("/")
    ranges = [
        (r.main_type != "*", r.sub_type != "*", r.quality)
        for r in accepted
        if r.main_type in (main, "*") and r.sub_type in (sub, "*")
    ]
    return max(ranges)[2] if ranges else 0.0


_PLAIN = _text_renderer("text/plain", "txt")
# The view streams these two formats, so their renderers are used only for negotiation.
_NDJSON, _CSV = _text_renderer("application/x-ndjson", "ndjson"), _text_renderer("text/csv", "csv")
JSON = (JSONRenderer,)
JSON_OR_TGN = (*JSON, TgnRenderer, _PLAIN)
JSON_OR_TEXT = (*JSON, _PLAIN)
JSON_OR_STREAM = (*JSON, _NDJSON, _CSV, TgnRenderer)
JSON_SCHEMA = (SchemaRenderer, JSONRenderer)
