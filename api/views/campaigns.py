"""Views for campaigns: the operator's requests to check stored deals again."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAdminUser
from rest_framework.request import Request
from rest_framework.response import Response

from api.bodies import fields_of
from api.serializers.campaigns import CampaignRequest, CampaignSerializer
from api.views.base import ApiView, found
from archive.reading import operation
from archive.storing import campaigns


class CampaignView(ApiView):
    """Base class for views that only the operator's staff can use."""

    permission_classes = [IsAdminUser]
    roles = ("staff",)
    scope = "campaigns:write"

    def state(self, pk: int) -> dict[str, Any]:
        """Return a campaign and its progress as JSON. Raise Http404 if there is no such campaign."""
        return self.serialize(CampaignSerializer, found(operation.get_campaign, pk))


class Campaigns(CampaignView):
    more_headers = ("Location",)

    @extend_schema(
        operation_id="start_campaign",
        summary="Start a campaign to check stored deals again",
        request={"application/json": CampaignRequest},
        responses={201: CampaignSerializer},
    )
    def post(self, request: Request) -> Response:
        """Start a campaign: the workers check stored deals again, with lower priority than users' uploads.
        For the operator's staff only."""
        campaign = campaigns.start(by=request.user, **fields_of(request, CampaignRequest))
        state = self.state(campaign.pk)
        return Response(state, status=status.HTTP_201_CREATED, headers={"Location": state["url"]})


class OneCampaign(CampaignView):
    @extend_schema(
        operation_id="get_campaign",
        summary="Get the progress of a campaign",
        responses=CampaignSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:
        """Return the progress of a campaign. For the operator's staff only."""
        return Response(self.state(pk))


class Stop(CampaignView):
    @extend_schema(
        operation_id="stop_campaign",
        summary="Stop a campaign",
        request=None,
        responses=CampaignSerializer,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Stop a campaign. If it is not running, nothing changes. For the operator's staff only."""
        campaigns.stop(found(operation.get_campaign, pk))
        return Response(self.state(pk))


class Resume(CampaignView):
    @extend_schema(
        operation_id="resume_campaign",
        summary="Resume a stopped campaign",
        request=None,
        responses=CampaignSerializer,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Resume a stopped campaign, and check its failed chunks again. If the campaign is not stopped,
        nothing changes. For the operator's staff only."""
        campaigns.resume(found(operation.get_campaign, pk))
        return Response(self.state(pk))
