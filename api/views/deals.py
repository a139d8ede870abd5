"""Views that store, list and show deals."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.cache import patch_cache_control
from django.utils.http import http_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotAuthenticated, NotFound, PermissionDenied
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from api.links import header, link, of_deals
from api.negotiation import JSON, JSON_OR_STREAM, JSON_OR_TEXT, JSON_OR_TGN, TgnRenderer
from api.pagination import page_of, paged
from api.serializers.deals import DealDetailSerializer, DealPageSerializer, OriginalSerializer
from api.serializers.filters import DealListQuery
from api.serializers.uploads import RefusalSerializer, SendQuery, UploadSerializer
from api.views import uploads
from api.views.base import ApiView, found
from archive import conf
from archive.access import Viewer
from archive.addresses import Key
from archive.publishing import export
from archive.reading import deals
from archive.reading.filters import Filters
from archive.reading.uploads import original_of
from archive.shown import ShownDeal
from archive.web import downloads
from archive.web.errors import ApiError
from tarock.notation.pieces import PIECE

WAIT = 10
"""Default number of seconds that a request with a few deals waits for the verdicts."""


def format_of(*forms: str) -> OpenApiParameter:
    return OpenApiParameter(
        "format",
        OpenApiTypes.STR,
        enum=forms,
        description="Format of the response; overrides `Accept`. `txt` (if available) is TGN as plain text.",
    )


def json_or_tgn(serializer: type[BaseSerializer]) -> dict[str, Any]:
    """Return arguments for `extend_schema` that describe a resource available as JSON or TGN."""
    return {
        "parameters": [format_of("json", "tgn", "txt")],
        "responses": {
            (200, "application/json"): serializer,
            (200, "application/vnd.tgn"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
        },
    }


def tgn_response(text: str | None, name: str) -> Response:
    """Return a response with a record as TGN. Raise `ApiError` if `text` is None."""
    if text is None:
        raise ApiError("no_text_form", "TGN text can't express this record; request application/json.")
    return Response(text, headers={"Content-Disposition": f'inline; filename="{name}.tgn"'})


def deal_or_404(key: Key, viewer: Viewer) -> ShownDeal:
    """Return the deal as the viewer may see it. Raise Http404 if the viewer may see no such deal."""
    return found(deals.get_deal, key, viewer)


def played_or_404(key: Key, viewer: Viewer) -> ShownDeal:
    """Return the deal like `deal_or_404`, but raise `ApiError` if its play was not recorded."""
    deal = deal_or_404(key, viewer)
    if not deal.is_played:
        raise ApiError("no_play", "The play of this deal was not recorded; its score is at /score.")
    return deal


PAGE, MOST = 20, 500
"""Default and maximum number of deals on a page."""


def filters_of(query: dict[str, Any], viewer: Viewer) -> Filters:
    """Convert query parameters to search filters. Raise NotAuthenticated if a request without a token asks
    for the user's own deals, and PermissionDenied if the viewer may not use the filters."""
    if query.pop("sender", False):
        if viewer.user is None:
            raise NotAuthenticated("To filter by your own deals, send a token.")
        query["sender"] = viewer.user
    filters = Filters(**query)
    if not filters.may_be_used_by(viewer):
        raise PermissionDenied("Only the player and members of their club can filter a player by losses.")
    return filters


_NOT_FILTERS = ("order", "limit", "cursor", "fields", "delimiter")


def state_of(deal: ShownDeal) -> tuple[Any, ...]:
    """Return the values on which the record, score and replay of a deal depend, for an ETag."""
    contribution = deal.contribution
    session = contribution.session.name if contribution.session else None
    own = contribution.pk, contribution.fingerprint, contribution.verdict
    return deal.pk, deal.verified_at, *own, session, tuple(deal.players.items())


class Deals(ApiView):
    renderer_classes = JSON_OR_STREAM
    query_serializer = DealListQuery
    send_serializer = SendQuery
    more_headers = ("Idempotent-Replayed", "Location", "Preference-Applied")

    def get_renderers(self) -> list[BaseRenderer]:
        """Return the renderers: several formats for lists, but only JSON for the report on an upload."""
        return [form() for form in (JSON if self.request.method == "POST" else self.renderer_classes)]

    @extend_schema(
        operation_id="list_deals",
        summary="List deals in pages or as a stream",
        parameters=[format_of("json", "ndjson", "csv", "tgn")],
        responses={
            (200, "application/json"): DealPageSerializer,
            (200, "application/x-ndjson"): OpenApiTypes.STR,
            (200, "text/csv"): OpenApiTypes.STR,
            (200, "application/vnd.tgn"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the deals that match all filters, as pages or as a stream.

        A JSON response contains one page, newest first, and the URL of the `next` page. NDJSON, CSV and TGN
        stream all deals in one response, oldest first. If a stream breaks off, continue with `after` and the
        last id that you received.
        """
        query = self.params
        order, limit, cursor, fields, delimiter = (query.pop(name, None) for name in _NOT_FILTERS)
        filters, form = filters_of(query, self.viewer), request.accepted_renderer.format
        if form != "json":
            if cursor is not None:
                detail = "A stream has no pages: set “after” to the position where it begins."
                raise ApiError("invalid_parameter", detail, field="cursor")
            how = {"newest_first": order == "newest", "limit": limit, "delimiter": delimiter or ","}
            return self.stream(form, filters, fields or (), **how)
        if limit is not None and limit > MOST:
            detail = f"A page has at most {MOST} deals; a stream has all."
            raise ApiError("invalid_parameter", detail, field="limit")
        newest_first = order != "oldest"

        def rows(last: int | None, most: int) -> Iterable[ShownDeal]:
            behind = filters if last is None else filters.after_id(last, newest_first=newest_first)
            without = export.unneeded(fields or ())
            return deals.iter_deals(
                behind, self.viewer, newest_first=newest_first, limit=most, without=without
            )

        page = page_of(rows, request, limit or PAGE, cursor)
        return paged(self.serialize(DealPageSerializer, page, fields=fields))

    def stream(self, form: str, filters: Filters, fields: tuple[str, ...], **how: Any) -> HttpResponseBase:
        """Return a response that streams the matching deals, with the parts `fields`. `how`: further
        arguments for `export.search`."""
        takes: tuple[str, ...] = {"ndjson": export.PARTS, "csv": export.TABLE}.get(form, ())
        for name in fields:
            if name not in takes:
                has = ", ".join(takes) or "whole records"
                detail = f"“{name}” is not available in this form; it has: {has}."
                raise ApiError("invalid_parameter", detail, field="fields")
        address = of_deals(self.request)
        chunks = export.search(form, filters, self.viewer, parts=fields, address=address, **how)
        body = downloads.Download(self.request, chunks if self.request.method == "GET" else ())
        answer = StreamingHttpResponse(body, content_type=f"{export.MEDIA_TYPES[form]}; charset=utf-8")
        patch_cache_control(answer, no_store=True)
        return answer

    @extend_schema(
        operation_id="store_deals",
        summary="Send a few records and wait for their verdicts",
        parameters=[uploads.PREFER, uploads.KEY],
        request=uploads.BODY,
        responses={
            201: OpenApiResponse(UploadSerializer, "Something new was stored; see each record's `outcome`."),
            200: OpenApiResponse(UploadSerializer, "Nothing new: the archive already had the valid records."),
            202: OpenApiResponse(
                UploadSerializer, "Accepted, but not stored yet. Request `url` later for the results."
            ),
            422: OpenApiResponse(
                RefusalSerializer, "No record could be stored. The body has the errors of each record."
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Send up to 256 kB of records: TGN text, one JSON object, a JSON array, or NDJSON, recognized by
        content. The response waits up to 10 seconds (or N with `Prefer: wait=N`) for the verdicts. Each
        record has its own result, and invalid records don't affect the others. A record that is already
        stored is `known` and keeps its id, so you can safely send records again."""
        limit = min(PIECE, conf.max_upload_bytes())
        upload = uploads.receive(self, limit, **self.params)
        report, headers = uploads.report_after(request, upload, WAIT)
        uploads.check_taken(report, **report)
        if not report["finished"] or not report["stored"] + report["known"]:
            return Response(report, status=status.HTTP_202_ACCEPTED, headers=headers)
        del headers["Location"]
        if len(report["results"]) == 1:
            headers["Location"] = report["results"][0]["url"]
        code = status.HTTP_201_CREATED if report["stored"] else status.HTTP_200_OK
        return Response(report, status=code, headers=headers)


class OneDeal(ApiView):
    renderer_classes = JSON_OR_TGN

    @extend_schema(
        operation_id="get_deal",
        summary="Get a deal as JSON or TGN",
        **json_or_tgn(DealDetailSerializer),
    )
    def get(self, request: Request, key: Key) -> Response:
        """Return the deal with its record and verdict as JSON, or its canonical TGN text if Accept or
        `?format=tgn` requests it. If text can't express the record (for example, if the wrong seat played a
        card), the response is 406 `no_text_form`.
        """
        deal = deal_or_404(key, self.viewer)
        if isinstance(request.accepted_renderer, TgnRenderer):
            answer = tgn_response(deal.canonical, f"deal-{deal.key}")
            self.unless_known(*state_of(deal))
            return answer
        most = DealDetailSerializer.MOST_CONTRIBUTIONS
        contributions = deals.contributions_to(deal.pk, self.viewer)[:most]
        detail = self.serialize(DealDetailSerializer, deal, viewer=self.viewer, contributions=contributions)
        return Response(detail)


class Original(ApiView):
    renderer_classes: tuple[type[BaseRenderer], ...] = JSON_OR_TGN
    more_headers = ("Last-Modified",)

    @extend_schema(
        operation_id="get_original",
        summary="Get the record as it was sent",
        **json_or_tgn(OriginalSerializer),
    )
    def get(self, request: Request, key: Key) -> HttpResponse:
        """Return the record as it was sent, as plain text or as JSON with `text` and `form`. If it was sent
        as TGN, it is also available as TGN. Only members of the club that received the record can see it;
        others get 404."""
        deal = deal_or_404(key, self.viewer)
        if not self.viewer.may_see_original(deal.contribution):
            raise NotFound("Only members of the club to which the record was sent can see it.")
        original = original_of(deal.contribution)
        if original is None:
            raise NotFound("The bytes that were sent for this deal have been deleted.")
        headers = {"Last-Modified": http_date(original.received_at.timestamp())}
        if original.form != "tgn":
            self.renderer_classes = JSON_OR_TEXT
            self.choose_form(request)
        if request.accepted_renderer.format == "json":
            return Response(OriginalSerializer((deal, original)).data, headers=headers)
        headers["Content-Disposition"] = f'inline; filename="deal-{key}.{original.form}"'
        if original.form == "json":
            headers |= header(describedby=link(request, "tgn-schema"))
        return HttpResponse(
            original.text.encode(errors="surrogateescape"),
            content_type=f"{request.accepted_renderer.media_type}; charset=utf-8",
            headers=headers,
        )
