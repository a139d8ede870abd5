"""View that imports tables of old results."""

from __future__ import annotations

import json

from drf_spectacular.utils import OpenApiResponse, PolymorphicProxySerializer, extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import multipart_of
from api.serializers.imports import ImportRefusalSerializer, ImportRequest, ImportSerializer
from api.serializers.uploads import DestinationQuery, UploadSerializer
from api.views.base import ApiView
from api.views.uploads import KEY, PREFER, accepted, key_of, own_club, sent_before
from archive.reading import clubs, players
from archive.storing import imports
from archive.web.errors import ApiError
from tarock.tables import Recognised, recognise_file


class Imports(ApiView):
    permission_classes = [IsAuthenticated]
    send_serializer = DestinationQuery
    more_headers = ("Idempotent-Replayed", "Location", "Preference-Applied")

    @extend_schema(
        operation_id="import_results",
        tags=["uploads"],
        summary="Read a table of old results, and store its rows",
        parameters=[PREFER, KEY],
        request={"multipart/form-data": ImportRequest},
        responses={
            202: OpenApiResponse(
                UploadSerializer,
                "Accepted. Workers store the rows in the background; `url` reports the progress.",
            ),
            200: OpenApiResponse(
                PolymorphicProxySerializer(
                    component_name="Imported",
                    serializers=[ImportSerializer, UploadSerializer],
                    resource_type_field_name=None,
                ),
                "With `dry_run`, what the archive reads in the table. Otherwise the upload, stored within "
                "the N seconds of `Prefer: wait=N`.",
            ),
            422: OpenApiResponse(ImportRefusalSerializer, "A question is open, or no row can be used."),
        },
    )
    def post(self, request: Request) -> Response:
        """Read a spreadsheet or a text with separators as deals or evenings, and store the points of each row
        as a result, all in one upload, which keeps the table. With `dry_run`, nothing is stored. If something
        in the table is unclear, nothing is stored either: `questions` has the choices; send the table again
        with `answers`."""
        fields = multipart_of(request, ImportRequest, imports.max_bytes())
        club = self.params["club"]
        space = clubs.own_space(self.viewer) if club is None else own_club(self.viewer, club)
        data, counted = fields["file"].read(), fields["counted"]
        about = json.dumps([self.params, *counted, fields["answers"]], sort_keys=True)
        if not fields["dry_run"] and (upload := sent_before(self, [data], imports.max_bytes(), about)):
            return accepted(request, upload)
        known = players.names_in(space) if space else []
        recognised = recognise_file(data, fields["file"].name, known, fields["answers"])
        if fields["dry_run"]:
            return Response(recognised.as_json())
        if not imports.is_complete(recognised, counted.game):
            raise ApiError("refused", _why_not(recognised), more=recognised.as_json())
        upload = imports.receive(
            imports.new_table(data, fields["file"].name, request.user),
            recognised,
            counted,
            space=space,
            visibility=self.params.get("visibility", ""),
            user=request.user,
            source="api",
            media_type=str(fields["file"].content_type or ""),
            key=key_of(request),
            about=about,
        )
        return accepted(request, upload)


def _why_not(recognised: Recognised) -> str:
    if recognised.questions:
        return "Something in the table must be answered first: see `questions`."
    if recognised.rows:
        return "The rows are deals. Say of which game: see `game`."
    return str(recognised.faults[0]) if recognised.faults else "The table has no rows with points."
