"""Deals: sending them, listing them, one of them."""

from typing import Any

from django.http import Http404, HttpResponse
from django.utils.http import http_date
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from archive import conf, selectors
from archive.access import Viewer
from archive.addresses import Key
from archive.models import Deal
from tarock.notation.pieces import PIECE

from ..errors import NoTextForm, NothingTaken
from ..links import header, link
from ..negotiation import JSON, JSON_OR_TGN, TGN, TgnRenderer
from ..pagination import page_of, paged
from ..serializers import (
    DealDetailSerializer,
    DealListQuery,
    DealPageSerializer,
    RecordSerializer,
    RefusalSerializer,
    SendQuery,
    UploadSerializer,
)
from . import uploads
from .base import ApiView

WAIT = 10
"""Seconds that a sender of a few deals waits for their verdicts, unless he says otherwise."""

FORMAT = OpenApiParameter(
    "format",
    OpenApiTypes.STR,
    enum=["json", "tgn", "txt"],
    description="The form of the answer; stronger than Accept. `txt` is TGN as plain text.",
)


def deal_or_404(key: Key, viewer: Viewer) -> Deal:
    """The deal with everything shown of it; Http404 if there is none that the viewer may see."""
    try:
        return selectors.deal(key, viewer)
    except Deal.DoesNotExist:
        raise Http404 from None


def state_of(deal: Deal) -> tuple[Any, ...]:
    """All that the record, the score and the replay of a deal are made of, beside the engine."""
    said = deal.shown
    session = said.session.name if said.session else None
    return deal.pk, deal.verified_at, said.pk, said.said, said.verdict, session, tuple(deal.players.items())


class Deals(ApiView):
    """The deals of the archive."""

    query_serializer = DealListQuery
    send_serializer = SendQuery
    more_headers = ("Location", "Preference-Applied")

    @extend_schema(
        operation_id="list_deals",
        tags=["deals"],
        summary="List deals, newest first",
        parameters=[DealListQuery],
        responses=DealPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """Deals, the latest stored first. Filters that are given must all hold; `next` leads to the following
        page."""
        query = self.query(request)
        limit, cursor = query.pop("limit"), query.pop("cursor", None)
        page = page_of(selectors.deals(selectors.Filters(**query), self.viewer), request, limit, cursor)
        return paged(DealPageSerializer(page, context={"request": request}).data)

    @extend_schema(
        operation_id="store_deals",
        tags=["deals"],
        summary="Send one or many records",
        parameters=[SendQuery, uploads.PREFER],
        request=uploads.BODY,
        responses={
            201: OpenApiResponse(UploadSerializer, "Something new was stored; see each record's `outcome`."),
            200: OpenApiResponse(UploadSerializer, "Nothing new: what could be read was there before."),
            202: OpenApiResponse(
                UploadSerializer, "Kept, but not stored yet: it will be by itself. Look at `url` later."
            ),
            422: OpenApiResponse(
                RefusalSerializer, "Not one record could be taken: the error, and the report on each."
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Send up to 256 kB of records: TGN text, one JSON object, a JSON array, or NDJSON, told apart by
        content.

        The answer waits up to 10 seconds (`Prefer: wait=N` says otherwise) for the verdicts. Each record has
        its own result; good ones are stored whatever the others are. A record that is already there is
        `known`, with the number it has: sending twice does no harm.
        """
        limit = min(PIECE, conf.max_upload_bytes())
        upload = uploads.keep(request, limit, self.viewer, **self.query(request))
        report, headers = uploads.told(request, upload, WAIT)
        taken, results = report["stored"] + report["known"], report["results"]
        ours = report["failed"] or not results  # what the sender can't help
        if not report["finished"] or (ours and not taken):
            return Response(report, status=status.HTTP_202_ACCEPTED, headers=headers)
        if not taken:
            raise NothingTaken(results[0]["error"], report)
        del headers["Location"]
        if len(results) == 1:
            headers["Location"] = results[0]["url"]
        code = status.HTTP_201_CREATED if report["stored"] else status.HTTP_200_OK
        return Response(report, status=code, headers=headers)


class OneDeal(ApiView):
    """One deal."""

    renderer_classes = JSON_OR_TGN

    @extend_schema(
        operation_id="get_deal",
        tags=["deals"],
        summary="One deal, as JSON or TGN",
        parameters=[FORMAT],
        responses={
            (200, "application/json"): DealDetailSerializer,
            (200, "application/vnd.tgn"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, key: Key) -> Response:
        """The deal with its record and verdict as JSON, or, by Accept or `?format=tgn`, its canonical TGN
        text.

        A record that text cannot write (a card played by the wrong seat) is answered with 406 `no_text_form`.
        """
        self.query(request)
        deal = deal_or_404(key, self.viewer)
        if isinstance(request.accepted_renderer, TgnRenderer):
            if deal.canonical is None:
                raise NoTextForm("TGN text cannot write this record; ask for application/json.")
            self.unless_known(*state_of(deal))
            name = {"Content-Disposition": f'inline; filename="deal-{deal.key}.tgn"'}
            return Response(deal.canonical, headers=name)
        return Response(DealDetailSerializer(deal, context={"request": request, "viewer": self.viewer}).data)


class Original(ApiView):
    """What was sent for a deal."""

    renderer_classes = JSON_OR_TGN
    more_headers = ("Last-Modified",)

    @extend_schema(
        operation_id="get_original",
        tags=["deals"],
        summary="What was sent for this record, as it was sent",
        responses={
            (200, "application/json"): RecordSerializer,
            (200, "application/vnd.tgn"): OpenApiTypes.STR,
            (200, "text/plain"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, key: Key) -> HttpResponse:
        """The record's own part of the upload, character by character, in the form it was sent in
        (Content-Type says which). Who asks for the other form alone is answered with 406.
        """
        self.query(request)
        said = deal_or_404(key, self.viewer).shown
        if not self.viewer.may_see_original(said):
            raise NotFound("What was sent is shown to members of the club that it was sent to.")
        original = selectors.original(said)
        if original is None:
            raise NotFound("The bytes that were sent for this deal are not kept any more.")
        media_type = self.form_of(original.form)
        response = HttpResponse(
            original.text.encode(errors="surrogateescape"), content_type=f"{media_type}; charset=utf-8"
        )
        response["Content-Disposition"] = f'inline; filename="deal-{key}.{original.form}"'
        response["Last-Modified"] = http_date(original.received_at.timestamp())
        if original.form == "json":
            response["Link"] = header(describedby=link(request, "tgn-schema"))["Link"]
        return response

    def form_of(self, sent: str) -> str:
        """The media type of what was sent; an error if the client does not take it."""
        self.renderer_classes = JSON if sent == "json" else TGN
        self.choose_form(self.request)
        return str(self.request.accepted_media_type)
