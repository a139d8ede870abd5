"""The engine's answers on records that are not to be stored."""

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response

from tarock import replay
from tarock.notation import read_each
from tarock.notation.limits import MAX_TEXT
from tarock.notation.pieces import PIECE
from tarock.record import Record
from tarock.verify import check_entry

from ..bodies import one_entry, whole
from ..serializers.fields import Json
from ..serializers.replay import ViewQuery
from ..serializers.scores import SheetSerializer
from ..serializers.verify import CheckSerializer, ChecksSerializer, StandingSerializer
from .base import ApiView
from .replay import seat_of
from .uploads import BODY


class Verify(ApiView):
    """Check records without storing them."""

    permission_classes = [AllowAny]
    scope = ""

    @extend_schema(
        operation_id="verify",
        summary="Check records without storing them",
        request=BODY,
        responses=ChecksSerializer,
    )
    def post(self, request: Request) -> Response:
        """Have up to 256 kB of records read and checked: TGN text, one JSON object, a JSON array, or NDJSON,
        told apart by content.

        Of each record the verdict, the digest and the score of its deal, and all that is wrong with it.
        Nothing is stored, and no token is needed.
        """
        raw = whole(request, PIECE)
        results = [check_entry(entry) for entry in read_each(raw)]
        return Response(ChecksSerializer({"records": len(results), "results": results}).data)


class Standing(ApiView):
    """The position at the end of a record."""

    scope = ""
    only_looks = True
    permission_classes = [AllowAny]
    send_serializer = ViewQuery

    @extend_schema(
        operation_id="get_standing",
        tags=["verify"],
        summary="How a deal stands, and what may come next",
        request=BODY,
        responses=StandingSerializer,
    )
    def post(self, request: Request) -> Response:
        """Send one record, which may end anywhere: its verdict as `/verify` gives it, the table after its
        last event, everything that may come next, and once the deal is over its score sheet; of a record that
        is a score sheet itself no table, but its score.

        With `view`, only what that seat may know. Nothing is stored, and no token is needed.
        """
        entry = one_entry(whole(request, MAX_TEXT))
        view = seat_of(entry.record, self.params) if entry.record else None
        checked = check_entry(entry)
        fields = self.serialize(CheckSerializer, checked) | {"position": None, "choices": None, "sheet": None}
        if entry.record is not None and entry.record.sheet is None:
            self._add_position(fields, entry.record, view)
        if checked.score is not None:
            fields["sheet"] = self.serialize(SheetSerializer, checked)
        return Response(fields)

    def _add_position(self, fields: Json, record: Record, view: str | None) -> None:
        """Add the table after the last event of a record and what may come next, as far as a view knows
        them."""
        at = replay.position(record, len(record.events), view)
        if view is not None:
            error = at.as_json()["error"]
            fields |= {"digest": None, "error": error, "errors": [error] if error else []}
            fields |= {} if at.over else {"claim": None}
        fields["position"] = at.as_json()
        if choices := replay.choices(record, view):
            fields["choices"] = choices.as_json()
