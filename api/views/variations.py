"""Views that score and save variations of a deal."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, PolymorphicProxySerializer, extend_schema
from rest_framework import status
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import fields_of
from api.negotiation import JSON_OR_TGN, TgnRenderer
from api.serializers.columns import RecordSerializer
from api.serializers.fields import encodable
from api.serializers.problems import ProblemSerializer
from api.serializers.variations import (
    SavedDetailSerializer,
    SavedListSerializer,
    SavedSerializer,
    SaveRequest,
    ScoreDealRequest,
    ScoredVariationsSerializer,
    ScoreRecordRequest,
    ScoreRequest,
)
from api.views.base import ApiView, found
from api.views.deals import json_or_tgn, played_or_404, state_of, tgn_response
from archive.addresses import Key
from archive.models import GuestVariations, Variations
from archive.reading import variations as saved_variations
from archive.shown import ShownDeal
from archive.storing import variations as storing
from archive.web.errors import ApiError
from tarock.analysis.variations import Variation, read_variations
from tarock.core.findings import Finding, NotationError
from tarock.core.record import Record
from tarock.notation import read_value, write_json
from tarock.notation.pieces import PIECE
from tarock.view.answers.variations import lines_json
from tarock.view.page_json import text_of
from tarock.words import sentences

SAVED = 64 * 1024
"""Maximum size, in bytes, of a request that saves variations."""

_UNREAD = OpenApiResponse(ProblemSerializer, "A variation or the record can't be parsed or saved.")


def _malformed(bad: NotationError, below: str) -> ApiError:
    """Return the error for a body that the engine could not parse. `below`: JSON key of the invalid part."""
    finding = bad.finding
    return ApiError("malformed", sentences.message(finding), pointer=f"/{below}{finding.pointer or ''}")


def _lines(value: Any, played: Record) -> list[Variation]:
    try:
        return read_variations(value, played)
    except NotationError as bad:
        raise _malformed(bad, "variations") from None


class ScoredVariations(ApiView):
    scope = ""
    only_looks = True
    permission_classes = [AllowAny]

    @extend_schema(
        operation_id="score_variations",
        summary="Score variations of a deal",
        request={
            "application/json": PolymorphicProxySerializer(
                component_name="VariationsToScore",
                serializers=[ScoreRecordRequest, ScoreDealRequest],
                resource_type_field_name=None,
            )
        },
        responses={200: ScoredVariationsSerializer, 422: _UNREAD},
    )
    def post(self, request: Request) -> Response:
        """Send variations together with their deal: its record, or the key of a stored deal. Each variation
        is checked like any record. The response has its score sheet and, by clause, the differences from the
        played deal. The body can have up to 256 kB. Nothing is stored. You need a token only for deals that
        are not public."""
        fields = fields_of(request, ScoreRequest, PIECE)
        if ("record" in fields) == ("deal" in fields):
            raise ApiError("invalid_parameter", "Send one of “record” and “deal”.", field="deal")
        if "deal" in fields:
            played = played_or_404(Key.read(fields["deal"]), self.viewer).record
        else:
            played = self._record(fields["record"])
        return Response(encodable(lines_json(played, _lines(fields["variations"], played), "en")))

    def _record(self, value: Any) -> Record:
        try:
            record = read_value(value)
            if not record.is_played:
                raise NotationError(Finding("key-missing", {"key": "deal"}))
        except NotationError as bad:
            raise _malformed(bad, "record") from None
        return record


class OfDeal(ApiView):
    http_method_names = ["get", "head", "put", "delete", "options"]
    more_headers = ("Location",)

    @extend_schema(
        operation_id="list_variations",
        tags=["variations"],
        summary="List saved variations of a deal",
        responses=SavedListSerializer,
    )
    def get(self, request: Request, key: Key) -> Response:
        """List the public variations and, with a token, your own. Variations never count as played deals."""
        deal = played_or_404(key, self.viewer)
        listed = {"results": saved_variations.of_deal(deal, self.viewer)}
        return Response(self.serialize(SavedListSerializer, listed, deal=deal, viewer=self.viewer))

    @extend_schema(
        operation_id="save_variations",
        tags=["variations"],
        summary="Save your variations of a deal",
        request={"application/json": SaveRequest},
        responses={
            200: OpenApiResponse(SavedSerializer, "The variations replaced the given version."),
            201: OpenApiResponse(SavedSerializer, "These are your first variations of this deal."),
            409: OpenApiResponse(ProblemSerializer, "A different version is saved; nothing was changed."),
            422: _UNREAD,
        },
    )
    def put(self, request: Request, key: Key) -> Response:
        """Save all your variations of a deal, up to 64 kB. They replace the variations that you saved before.
        Send the version to replace as `version` (0 if none is saved); if another version is saved, the
        response is 409."""
        deal = played_or_404(key, self.viewer)
        fields = fields_of(request, SaveRequest, SAVED)
        lines = _lines(fields["variations"], deal.record)
        saved = storing.save(deal.deal, request.user, lines, fields["visibility"], fields["version"])
        answer = self.serialize(SavedSerializer, saved, deal=deal, viewer=self.viewer)
        if fields["version"]:
            return Response(answer)
        return Response(answer, status=status.HTTP_201_CREATED, headers={"Location": answer["url"]})

    @extend_schema(
        operation_id="delete_variations",
        tags=["variations"],
        summary="Delete your variations of a deal",
        responses={204: OpenApiResponse(description="The variations were deleted.")},
    )
    def delete(self, request: Request, key: Key) -> Response:
        """Delete your variations of a deal permanently."""
        storing.remove(played_or_404(key, self.viewer).deal, request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SavedView(ApiView):
    """Base class for views of saved variations, for anyone who may see them."""

    def saved(self, key: UUID) -> tuple[Variations | GuestVariations, ShownDeal, list[Variation]]:
        """Return the saved variations, their deal, and the parsed variations. Raise Http404 if the viewer may
        not see them, and `errors.Unchanged` if the client already has the response."""
        saved, deal = found(saved_variations.by_key, key, self.viewer)
        self.unless_known(saved.version, saved.by, *state_of(deal))
        return saved, deal, read_variations(saved.lines, deal.record)


class OneSaved(SavedView):
    @extend_schema(
        operation_id="get_variations",
        summary="Get saved variations with their scores",
        responses=SavedDetailSerializer,
    )
    def get(self, request: Request, key: UUID) -> Response:
        """Return a user's variations of a deal, each with its score sheet and the differences from the played
        deal."""
        saved, deal, lines = self.saved(key)
        scored = lines_json(deal.record, lines, "en")
        return Response(
            self.serialize(SavedDetailSerializer, saved, deal=deal, viewer=self.viewer, scored=scored)
        )


class OneRecord(SavedView):
    renderer_classes = JSON_OR_TGN

    @extend_schema(
        operation_id="get_variation",
        summary="Get a saved variation as a record",
        **json_or_tgn(RecordSerializer),
    )
    def get(self, request: Request, key: UUID, number: int) -> Response:
        """Return the record of a variation as JSON or TGN text. Its tag `From` contains the digest of the
        played deal. A record with this tag can't be stored as a deal."""
        _, deal, lines = self.saved(key)
        record = next((one.record for one in lines if one.number == number), None)
        if record is None:
            raise Http404
        if not isinstance(request.accepted_renderer, TgnRenderer):
            return Response(write_json(record))
        return tgn_response(text_of(record), f"deal-{deal.pk}-variation-{number}")
