"""Views for the dumps: the list of months, and the files."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile

from api.links import link
from api.serializers.dumps import DumpListSerializer
from api.serializers.problems import ProblemSerializer
from api.views.base import ApiView
from archive import conf
from archive.publishing import dumps
from archive.web.errors import ApiError


class Dumps(ApiView):
    @extend_schema(
        operation_id="list_dumps",
        summary="List dumps by month, newest first",
        responses=DumpListSerializer,
    )
    def get(self, request: Request) -> Response:
        """List the files with all public deals, by the month in which the deals were stored. The list is
        empty if the operator writes no dumps."""
        sums = link(request, "dump", dumps.SUMS) if dumps.file(dumps.SUMS) else None
        listing = {"sums": sums, "license": conf.data_license().url, "months": dumps.months()}
        return Response(self.serialize(DumpListSerializer, listing))


class Dump(ApiView):
    more_headers = ("Last-Modified",)

    @extend_schema(
        operation_id="get_dump",
        summary="Download a file of a dump",
        responses={
            (200, "application/octet-stream"): OpenApiTypes.BINARY,
            (200, "text/plain"): OpenApiTypes.STR,
            (206, "application/octet-stream"): OpenApiTypes.BINARY,
            (206, "text/plain"): OpenApiTypes.STR,
            416: OpenApiResponse(ProblemSerializer, "`Range` asks for bytes that the file does not have."),
        },
    )
    def get(self, request: Request, name: str) -> HttpResponseBase:
        """Return one of the listed files, or the bytes that `Range` requests. `SHA256SUMS`, `LICENSE.txt` and
        `dumps.log` are plain text."""
        found = dumps.file(name)
        if found is None:
            raise NotFound("There is no such file; GET /api/v1/dumps lists all files.")
        path, digest = found
        is_text = name in dumps.TEXTS
        headers: list[tuple[str, Any]] = [
            ("Content-Type", "text/plain; charset=utf-8" if is_text else "application/octet-stream"),
            ("Content-Disposition", f'attachment; filename="{name}"'),
            ("Accept-Ranges", "bytes"),
            ("Cache-Control", "no-cache"),
        ]
        if digest:
            headers.append(("ETag", f'"{digest[:32]}"'))
        file = StaticFile(str(path), headers)
        if request.META.get("HTTP_IF_RANGE", file.etag) != file.etag:
            request.META.pop("HTTP_RANGE", None)  # the client has part of another version
        # Prevent compression. The files are already compressed, and compressing them again would drop
        # Content-Length and break range requests.
        request.META.pop("HTTP_ACCEPT_ENCODING", None)
        response = WhiteNoiseMiddleware.serve(file, request)
        if response.status_code == status.HTTP_416_REQUESTED_RANGE_NOT_SATISFIABLE:
            size = path.stat().st_size
            raise ApiError(
                "no_such_range",
                f"The file has {size:,} bytes; Range asks for none of them.",
                headers={"Content-Range": f"bytes */{size}"},
            )
        return response
