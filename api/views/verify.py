"""Views that check records without storing them."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import one_entry, whole
from api.serializers.fields import Json
from api.serializers.replay import ViewQuery
from api.serializers.scores import SheetSerializer
from api.serializers.verify import CheckSerializer, ChecksSerializer, StandingSerializer
from api.views.base import ApiView
from api.views.replay import seat_of
from api.views.uploads import BODY
from tarock.analysis.board import board
from tarock.analysis.verify import Check, check_entry, in_input, try_check
from tarock.notation import read_each
from tarock.notation.limits import MAX_TEXT
from tarock.notation.pieces import PIECE


class Verify(ApiView):
    permission_classes = [AllowAny]
    scope = ""

    @extend_schema(
        operation_id="verify",
        summary="Check records without storing them",
        request=BODY,
        responses=ChecksSerializer,
    )
    def post(self, request: Request) -> Response:
        """Parse and check up to 256 kB of records: TGN text, one JSON object, a JSON array, or NDJSON,
        recognized by content. The response has the verdict, digest, score and errors of each record. Nothing
        is stored, and you don't need a token."""
        raw = whole(request, PIECE)
        results = [try_check(entry) for entry in read_each(raw)]
        return Response(ChecksSerializer({"records": len(results), "results": results}).data)


class Standing(ApiView):
    scope = ""
    only_looks = True
    permission_classes = [AllowAny]
    send_serializer = ViewQuery

    @extend_schema(
        operation_id="get_standing",
        tags=["verify"],
        summary="Get the position after the last event of a record, and the legal next events",
        request=BODY,
        responses=StandingSerializer,
    )
    def post(self, request: Request) -> Response:
        """Send one record, complete or not. The response has its verdict, the table after its last event, all
        legal next events and, if the deal is over, its score. If the record is a score sheet, the response
        has its score but no table. With `view`, the response contains only what that seat may know. Nothing
        is stored, and you don't need a token.
        """
        entry = one_entry(whole(request, MAX_TEXT))
        view = seat_of(entry.record, self.params) if entry.record else None
        if entry.record is None or not entry.record.is_played:
            return self._answer(check_entry(entry), {"position": None, "choices": None})
        # Skip the rows of the events, because the response doesn't contain them.
        found = board(entry.record, view, first=len(entry.record.events))
        at = found.at.as_json()
        choices = found.choices
        more: Json = {"position": at, "choices": choices.as_json() if choices else None}
        if view is not None:
            more |= {"digest": None, "error": at["error"], "errors": [at["error"]] if at["error"] else []}
            more |= {} if found.at.over else {"claim": None}
        return self._answer(in_input(entry, found.checked), more)

    def _answer(self, checked: Check, more: Json) -> Response:
        sheet = None if checked.score is None else self.serialize(SheetSerializer, checked)
        return Response(self.serialize(CheckSerializer, checked) | {"sheet": sheet} | more)
