"""Views that correct deals, change their visibility, and move them."""

from __future__ import annotations

from django.http import Http404
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import fields_of, one_entry, whole
from api.links import link
from api.serializers.corrections import ChangedSerializer, CorrectedSerializer, MoveRequest, VisibilityRequest
from api.serializers.filters import DealFilters
from api.serializers.problems import ProblemSerializer
from api.serializers.uploads import UploadSerializer
from api.views import uploads as sending
from api.views.base import ApiView
from api.views.deals import WAIT, deal_or_404, filters_of
from archive.addresses import Key
from archive.models import Contribution, Upload
from archive.reading import deals, uploads
from archive.shown import ShownDeal
from archive.storing import corrections
from archive.storing.contribution_data import NotStorable
from archive.web.errors import ApiError
from tarock.analysis.verify import table_warnings
from tarock.core.findings import Finding
from tarock.core.record import Record
from tarock.notation.limits import MAX_TEXT
from tarock.words import sentences


class CorrectionView(ApiView):
    """Base class for views that let the sender of a deal and the secretaries of its club change it."""

    permission_classes = [IsAuthenticated]
    others_may_not = True
    scope = ""  # the required scope depends on who sent the deal
    scope_choices: tuple[tuple[str, ...], ...] = (("deals:write",), ("deals:write", "club:admin"))

    def deal_to_change(self, key: Key, scope: str = "deals:write") -> ShownDeal:
        """Return the deal to change. Raise an error if the viewer or the token may not change it."""
        deal = deal_or_404(key, self.viewer)
        self.check_change(deal.contribution, scope)
        return deal

    def check_change(self, contribution: Contribution, scope: str = "deals:write") -> None:
        """Raise an error if the viewer or the token may not change a contribution."""
        if not self.viewer.may_change(contribution):
            raise PermissionDenied("Only the sender of a deal and the secretaries of its club may change it.")
        self.need(scope, *([] if self.viewer.sent(contribution) else ["club:admin"]))

    def corrected(self, request: Request, contribution: Contribution, changed: list[str]) -> Response:
        """Return the response after a change: the URL of the deal, and the names of the changed details."""
        body = {
            "deal": str(contribution.key),
            "url": link(request, "deal", contribution.key),
            "changed": changed,
        }
        return Response(CorrectedSerializer(body).data)


class Correction(CorrectionView):
    more_headers = ("Idempotent-Replayed", "Location", "Preference-Applied")

    @extend_schema(
        operation_id="correct_deal",
        summary="Correct the details of a deal, or replace the record",
        parameters=[sending.PREFER, sending.KEY],
        request=sending.BODY,
        responses={
            200: OpenApiResponse(CorrectedSerializer, "The same deal with corrected details."),
            201: OpenApiResponse(UploadSerializer, "Other cards or play: stored as a new deal."),
            202: OpenApiResponse(UploadSerializer, "Accepted, but not stored yet."),
            422: OpenApiResponse(ProblemSerializer, "The body is not a record, or can't be stored."),
        },
    )
    def post(self, request: Request, key: Key) -> Response:
        """Send one corrected record, in any of the formats of `/deals`. If it has the same cards and play as
        the deal, its names, tags, comments and claim replace those in the archive. Otherwise it is stored as
        a new deal and counts towards your quota like any upload; the former contribution stays readable but
        no longer counts. The archive rejects records for which `/verify` has warnings."""
        contribution = self.deal_to_change(key).contribution
        body, about = whole(request, MAX_TEXT), f"correction of {contribution.pk} "
        upload = sending.sent_before(self, [body], MAX_TEXT, about)
        if upload is None:
            record = _one(body)
            try:
                return self.corrected(
                    request, contribution, corrections.correct(contribution, record, by=request.user)
                )
            except NotStorable as reason:
                raise _not_stored("refused", Finding(*reason.args)) from None
            except corrections.AnotherDeal:
                how = {
                    "space": contribution.space,
                    "visibility": contribution.chosen_visibility,
                    "replaces": contribution,
                }
                upload = sending.receive_chunks(self, [body], MAX_TEXT, about, **how)
        report, headers = sending.report_after(request, upload, WAIT)
        sending.check_taken(report)
        code = status.HTTP_201_CREATED if report["finished"] else status.HTTP_202_ACCEPTED
        return Response(report, status=code, headers=headers)


def _one(body: bytes) -> Record:
    """Return the only record in a body. Raise an error unless there is exactly one record, it can be parsed,
    and it has no warnings about the players or the date."""
    entry = one_entry(body)
    if entry.record is None:
        assert entry.error is not None
        raise _not_stored("malformed", entry.error)
    for warning in table_warnings(entry.record.players, entry.record.tags.get("Date", "")):
        raise _not_stored("refused", warning)
    return entry.record


def _not_stored(code: str, finding: Finding) -> ApiError:
    return ApiError(
        code, sentences.message(finding), line=finding.line, column=finding.column, pointer=finding.pointer
    )


class Visibility(CorrectionView):
    scope_choices = (*CorrectionView.scope_choices, ("deals:delete",), ("deals:delete", "club:admin"))

    @extend_schema(
        operation_id="set_visibility",
        summary="Set who can see a deal, or withdraw it",
        request={"application/json": VisibilityRequest},
        responses=CorrectedSerializer,
    )
    def post(self, request: Request, key: Key) -> Response:
        """Make a deal visible to everybody (`public`), to anyone with its link (`unlisted`) or only to
        members of the club (`members`), or withdraw it (`withdrawn`) from all lists, counts, standings and
        searches. Other contributions to the deal don't change."""
        wanted = fields_of(request, VisibilityRequest)
        scope = "deals:delete" if wanted["visibility"] == "withdrawn" else "deals:write"
        contribution = self.deal_to_change(key, scope).contribution
        changed = corrections.set_visibility(contribution, **wanted, by=request.user)
        return self.corrected(request, contribution, ["visibility"] if changed else [])


class Move(CorrectionView):
    @extend_schema(
        operation_id="move_deal",
        summary="Move one of your own deals to a club",
        request={"application/json": MoveRequest},
        responses={
            200: CorrectedSerializer,
            409: OpenApiResponse(ProblemSerializer, "The club already has the deal with other details."),
        },
    )
    def post(self, request: Request, key: Key) -> Response:
        """Move your contribution to a deal from your own space to one of your clubs. The contribution gets
        the club's visibility, and the club's players and session with the same names. If the club already has
        the deal with the same details, the two contributions become one. If the club has it with other
        details, nothing is moved."""
        number = fields_of(request, MoveRequest)["club"]
        deal = self.deal_to_change(key)
        if not self.viewer.may_move(deal.contribution):
            raise PermissionDenied("Only a deal in your own space can be moved to a club.")
        club = sending.own_club(self.viewer, number)
        before = deal.contribution.visibility
        moved = corrections.move(deal.contribution, club, by=request.user)
        now = deals.get_contribution(moved.contribution or 0)
        return self.corrected(request, now, ["club"] + (["visibility"] if now.visibility != before else []))


class VisibilityOfMany(CorrectionView):
    send_serializer = DealFilters

    @extend_schema(
        operation_id="set_visibilities",
        summary="Set who can see many deals, or withdraw them",
        request={"application/json": VisibilityRequest},
        responses=ChangedSerializer,
    )
    def post(self, request: Request) -> Response:
        """Set the visibility of every deal that matches the filters and that you may change: deals that you
        sent, and deals of clubs in which you are a secretary or owner. Without filters, this changes all of
        them. Withdrawn and replaced deals never change. The archive changes deals in batches of 1,000. If you
        get no response, send the same request again: it changes only the remaining deals."""
        filters = filters_of(self.params, self.viewer)
        wanted = fields_of(request, VisibilityRequest)["visibility"]
        contributions = deals.changeable_contributions(filters, self.viewer)
        from_others = contributions.exclude(part__upload__user=request.user).exists()
        self.need(
            "deals:delete" if wanted == "withdrawn" else "deals:write",
            *(["club:admin"] if from_others else []),
        )
        changed = corrections.set_visibilities(contributions, wanted, by=request.user)
        return Response(ChangedSerializer({"changed": changed}).data)


class Adopt(CorrectionView):
    @extend_schema(
        operation_id="adopt_record",
        summary="Replace the stored details of a deal with those of a later record",
        request=None,
        responses=CorrectedSerializer,
    )
    def post(self, request: Request, pk: int, n: int) -> Response:
        """Replace the stored details of a deal (names, session and others) with those of record `n` (from 0)
        of an upload. Use this if the result of a `known` deal lists details in which the record `differs`:
        the upload itself didn't change them."""
        try:
            part, at, contribution = uploads.record_of(uploads.get_upload(pk, self.viewer), n)
            self.check_change(contribution)
            changed = corrections.adopt(contribution, part, at, by=request.user)
        except (LookupError, Upload.DoesNotExist, Contribution.DoesNotExist, corrections.OriginalGone):
            raise Http404 from None
        return self.corrected(request, contribution, changed)
