"""Deals: sending them, listing them, one of them."""

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from archive import selectors, services
from archive.models import Deal

from ..errors import ArchiveFault, Busy, NoTextForm, NothingTaken, TooLarge
from ..negotiation import JSON, JSON_OR_TGN, TgnRenderer
from ..pagination import page_of
from ..parsers import PARSERS, body_of
from ..serializers import (
    DealDetailSerializer,
    DealListQuery,
    DealPageSerializer,
    RecordSerializer,
    RefusalSerializer,
    UploadSerializer,
)
from .base import ApiView

FORMAT = OpenApiParameter(
    "format",
    OpenApiTypes.STR,
    enum=["json", "tgn", "txt"],
    description="The form of the answer; stronger than Accept. `txt` is TGN as plain text.",
)


def deal_or_404(pk: int) -> Deal:
    """The deal with everything shown of it; Http404 if there is none."""
    try:
        return selectors.deal(pk)
    except Deal.DoesNotExist:
        raise Http404 from None


class Deals(ApiView):
    """The deals of the archive."""

    renderer_classes = JSON
    parser_classes = PARSERS
    query_serializer = DealListQuery

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
        page = page_of(selectors.deals(**query), request, limit, cursor)
        return Response(DealPageSerializer(page, context={"request": request}).data)

    @extend_schema(
        operation_id="store_deals",
        tags=["deals"],
        summary="Send one or many records",
        request={
            "application/vnd.tgn": OpenApiTypes.STR,
            "text/plain": OpenApiTypes.STR,
            "application/json": RecordSerializer,
            "application/x-ndjson": OpenApiTypes.STR,
        },
        responses={
            201: OpenApiResponse(UploadSerializer, "Something new was stored; see each record's `outcome`."),
            200: OpenApiResponse(UploadSerializer, "Nothing new: what could be read was there before."),
            202: OpenApiResponse(
                UploadSerializer,
                "Kept, but the archive is too busy to store it now: it will by itself. Look at `url` later.",
            ),
            422: OpenApiResponse(
                RefusalSerializer, "Not one record could be taken: the error, and the report on each."
            ),
        },
    )
    def post(self, request: Request) -> Response:
        """Send records: TGN text, one JSON object, a JSON array, or NDJSON, told apart by content.

        Each record has its own result; good ones are stored whatever the others are. A record that is already
        there is `known`, with the number it has: sending twice does no harm. New deals are verified in the
        background; ask for the score until its `verdict` is there.
        """
        self.query(request)
        raw = body_of(request)
        try:
            upload = services.store_upload(
                raw=raw, user=request.user, source="api", media_type=str(request.content_type)[:100]
            )
        except services.UploadTooLarge as fault:
            raise TooLarge(fault.limit, fault.size) from None
        except services.ArchiveBusy as fault:
            raise Busy(str(fault)) from fault
        if upload.error and not upload.is_waiting:
            raise ArchiveFault(
                "The archive could not store the upload. It has kept it; there is no need to send it again."
            )
        report = UploadSerializer(selectors.upload(upload.pk), context={"request": request}).data
        if report["waiting"]:
            return Response(report, status=status.HTTP_202_ACCEPTED, headers={"Location": report["url"]})
        taken = [result for result in report["results"] if result["id"] is not None]
        if not taken:
            raise NothingTaken(report["results"][0]["error"], dict(report))
        headers = {"Location": taken[0]["url"]} if len(report["results"]) == 1 else {}
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
    def get(self, request: Request, pk: int) -> Response:
        """The deal with its record and verdict as JSON, or, by Accept or `?format=tgn`, its canonical TGN
        text.

        A record that text cannot write (a card played by the wrong seat) is answered with 406 `no_text_form`.
        """
        self.query(request)
        deal = deal_or_404(pk)
        if isinstance(request.accepted_renderer, TgnRenderer):
            if deal.text is None:
                raise NoTextForm("TGN text cannot write this record; ask for application/json.")
            name = {"Content-Disposition": f'inline; filename="deal-{deal.pk}.tgn"'}
            return Response(deal.text, headers=name)
        return Response(DealDetailSerializer(deal, context={"request": request}).data)


class Original(ApiView):
    """What was sent for a deal."""

    renderer_classes = JSON_OR_TGN

    @extend_schema(
        operation_id="get_original",
        tags=["deals"],
        summary="What was sent for this record, as it was sent",
        responses={
            (200, "application/json"): RecordSerializer,
            (200, "application/vnd.tgn"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The record's own part of the upload, character by character, in the form it was sent in
        (Content-Type says which)."""
        self.query(request)
        deal = deal_or_404(pk)
        media_type = "application/json" if deal.original_form == "json" else "application/vnd.tgn"
        response = HttpResponse(deal.original.encode(), content_type=f"{media_type}; charset=utf-8")
        response["Content-Disposition"] = (
            f'inline; filename="deal-{deal.pk}.{"json" if deal.original_form == "json" else "tgn"}"'
        )
        return response
