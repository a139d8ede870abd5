"""Views that receive uploads and report on their records."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, PolymorphicProxySerializer, extend_schema
from rest_framework import status
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import PACKED, body_of
from api.links import link, next_url
from api.pagination import page_of, paged
from api.serializers.columns import RecordSerializer
from api.serializers.uploads import (
    ResultSerializer,
    SendQuery,
    UploadListQuery,
    UploadPageSerializer,
    UploadQuery,
    UploadSerializer,
)
from api.views.base import ApiView, found
from archive import conf
from archive.access import Viewer
from archive.models import Part, Space, Upload
from archive.reading import clubs
from archive.reading.uploads import (
    Progress,
    accepted_uploads,
    get_upload,
    progress_by_id,
    progress_of,
    results_of,
)
from archive.storing import uploads
from archive.web import waiting
from archive.web.errors import ApiError

log = logging.getLogger(__name__)

MOST_RESULTS = 1000
"""Maximum number of results in the response to an upload. `next` is the URL of further results."""

BODY = {
    "application/vnd.tgn": OpenApiTypes.STR,
    "text/plain": OpenApiTypes.STR,
    "application/json": PolymorphicProxySerializer(
        component_name="Records",
        serializers=[RecordSerializer, RecordSerializer(many=True)],
        resource_type_field_name=None,
        many=False,
    ),
    "application/x-ndjson": OpenApiTypes.STR,
    **dict.fromkeys(PACKED, OpenApiTypes.BINARY),
}
PREFER = OpenApiParameter(
    "Prefer",
    OpenApiTypes.STR,
    OpenApiParameter.HEADER,
    description="`wait=N`: wait up to N seconds (at most 60) until everything is stored (RFC 7240).",
)


KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": 255, "pattern": "^[!-~]+$"},
    OpenApiParameter.HEADER,
    description=(
        "Unique value chosen by the client. If you repeat a request with the same key within a day, nothing "
        "is stored again, and you get the report on the first request, with `Idempotent-Replayed: true`."
    ),
)


def key_of(request: Request) -> str:
    """Return the Idempotency-Key of a request, or "". Raise an error if it is malformed."""
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is not None and not re.fullmatch("[!-~]{1,255}", key):
        raise ApiError("bad_request", "An Idempotency-Key has 1 to 255 visible ASCII characters.")
    return key or ""


def own_club(viewer: Viewer, pk: int) -> Space:
    """Return the club with this id. Raise `ApiError` if the viewer is not a member."""
    club = clubs.own_clubs(viewer).filter(pk=pk).first()
    if club is None:
        raise ApiError("invalid_parameter", f"You are not a member of a club {pk}.", field="club")
    return club


def receive(view: ApiView, limit: int, club: int | None, visibility: str = "", encoding: str = "") -> Upload:
    """Receive the body of a request as an upload to the user's own space or to one of their clubs. If the
    request repeats an earlier one with the same Idempotency-Key, return the earlier upload."""
    space = None if club is None else own_club(view.viewer, club)
    chunks, about = body_of(view.request, limit), f"{club} {visibility} {encoding}"
    try:
        return sent_before(view, chunks, limit, about) or receive_chunks(
            view, chunks, limit, about, space=space, visibility=visibility, encoding=encoding
        )
    except uploads.BrokenOff as fault:
        raise ApiError("bad_request", f"{fault} Nothing was stored.") from None


def sent_before(view: ApiView, chunks: Iterable[bytes], limit: int, about: str) -> Upload | None:
    """Return the user's earlier upload with the same Idempotency-Key, if any, and mark the response as
    replayed."""
    request, key = view.request, key_of(view.request)
    upload = uploads.find_earlier(request.user, key, chunks, limit=limit, about=about) if key else None
    if upload is not None:
        view.headers["Idempotent-Replayed"] = "true"
    return upload


def receive_chunks(view: ApiView, chunks: Iterable[bytes], limit: int, about: str, **how: Any) -> Upload:
    """Receive an upload with the request's Idempotency-Key. `how`: more arguments for `uploads.receive`."""
    request = view.request
    return uploads.receive(
        chunks,
        limit=limit,
        user=request.user,
        source="api",
        media_type=str(request.content_type),
        key=key_of(request),
        about=about,
        **how,
    )


def report_after(request: Request, upload: Upload, seconds: int) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the report on a received upload, and the headers of the response. Wait for the results for
    `seconds`, or as long as the client requests with `Prefer`. Never raise an error, because the upload has
    already been received."""
    there = partial(link, request, "upload", upload.pk)
    headers, preferred = {"Location": there()}, waiting.preferred(request)
    nothing = {"next": there(), "results": []}
    if preferred is not None:
        seconds = preferred
    try:
        finished = upload.is_finished or (_wait(request, upload, seconds) if seconds else False)
        if preferred is not None and finished is not None:
            headers["Preference-Applied"] = f"wait={preferred}"
        if finished:
            return report(request, upload, there, after=-1, limit=MOST_RESULTS), headers
        return _state(request, upload, progress_of(upload)) | nothing, headers
    except Exception:
        log.exception("upload %s is stored, but reading its report failed", upload.pk)
        upload.finished_at = None
        return _state(request, upload, Progress(upload.size)) | nothing, headers


def accepted(request: Request, upload: Upload) -> Response:
    """Return the response to a received upload: 200 if it is finished, otherwise 202."""
    answer, headers = report_after(request, upload, 0)
    code = status.HTTP_200_OK if answer["finished"] else status.HTTP_202_ACCEPTED
    return Response(answer, status=code, headers=headers)


def check_taken(report: dict[str, Any], **more: Any) -> None:
    """If the upload is finished and all records are invalid, raise the first record's error. `more`: further
    members of the error response."""
    results = report["results"]
    if report["finished"] and results and not (report["stored"] or report["known"] or report["failed"]):
        first = results[0]["error"]
        raise ApiError(first["code"], first["detail"], more=more, **(first["where"] or {}))


def _wait(request: Request, upload: Upload, seconds: int) -> bool | None:
    """Wait at most `seconds` until an upload is stored, and return whether it is. Return None without waiting
    if too many requests, or two requests of the same user, are already waiting."""
    with waiting.place(request) as free:
        return uploads.wait(upload, seconds) if free else None


def report(
    request: Request,
    upload: Upload,
    page: Callable[..., str],
    *,
    after: int,
    limit: int,
    wrong: bool = False,
) -> dict[str, Any]:
    """Return the progress of an upload and a page of its results. `page(after=…)` returns the URL of the page
    that follows a position, and `page()` the URL of the current page."""
    progress = progress_of(upload)
    fetched = results_of(upload, after, limit + 1, wrong)
    results = fetched[:limit]
    is_last = upload.is_finished and len(fetched) <= limit
    following = None if is_last else page(after=results[-1].n) if results else page()
    listed = ResultSerializer(results, many=True, context={"request": request}).data
    return _state(request, upload, progress) | {"next": following, "results": listed}


_PROGRESS = ("finished", "size", "parts", "parts_done", "expected", "records", *Part.COUNTS)


def _state(request: Request, upload: Upload, progress: Progress) -> dict[str, Any]:
    return {
        "upload": upload.pk,
        "url": link(request, "upload", upload.pk),
        "received_at": upload.received_at,
        "encoding": upload.encoding or "utf-8",
        **{name: getattr(progress, name) for name in _PROGRESS},
    }


class Uploads(ApiView):
    permission_classes = [IsAuthenticated]
    query_serializer = UploadListQuery
    send_serializer = SendQuery
    more_headers = ("Idempotent-Replayed", "Location", "Preference-Applied")

    @extend_schema(
        operation_id="list_uploads",
        summary="List your uploads",
        responses=UploadPageSerializer,
    )
    def get(self, request: Request) -> Response:
        """List your uploads with their progress, newest first, whether you sent them through the API or on
        the site. `next` is the URL of the next page."""

        def rows(last: int | None, most: int) -> Iterable[Upload]:
            return accepted_uploads(request.user, before=last)[:most]

        page = page_of(rows, request, self.params["limit"], self.params.get("cursor"))
        progress = progress_by_id(page["results"])
        results = [_state(request, upload, progress[upload.pk]) for upload in page["results"]]
        answer = UploadPageSerializer({"next": page["next"], "results": results})
        return paged(answer.data)

    @extend_schema(
        operation_id="store_upload",
        summary="Send any number of records",
        parameters=[PREFER, KEY],
        request=BODY,
        responses={
            202: OpenApiResponse(
                UploadSerializer,
                "Accepted. Workers store the records in the background; `url` reports the progress.",
            ),
            200: OpenApiResponse(UploadSerializer, "Stored within the N seconds of `Prefer: wait=N`."),
        },
    )
    def post(self, request: Request) -> Response:
        """Send records: TGN text, one JSON object, a JSON array, or NDJSON, recognized by content. You get
        the response as soon as all bytes are stored. Workers then parse, check and store the records. With
        `Prefer: wait=N`, the response includes the results if they are available within N seconds."""
        upload = receive(self, conf.max_upload_bytes(), **self.params)
        return accepted(request, upload)


class OneUpload(ApiView):
    permission_classes = [IsAuthenticated]
    query_serializer = UploadQuery

    @extend_schema(
        operation_id="get_upload",
        summary="Get the progress and the results of one of your uploads",
        responses=UploadSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return the progress of an upload, and the results of the records processed so far, page by page.
        `next` is the URL of the next page, or null after the last result of a finished upload. Only the
        sender, secretaries of the club and the operator's staff can see an upload; others get 404."""
        upload = found(get_upload, pk, self.viewer)
        return paged(report(request, upload, partial(next_url, request), **self.params))
