"""Campaigns: the operator has stored deals verified anew."""

import json
from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.permissions import IsAdminUser
from rest_framework.request import Request
from rest_framework.response import Response

from archive import campaigns, selectors
from archive.models import Campaign
from archive.uploads import BrokenOff

from ..bodies import body_of
from ..errors import ApiError, BadParameter, TooLarge
from ..serializers import CampaignRequest, CampaignSerializer
from .base import ApiView

_MOST_BYTES = 10_000
"""A wish is a line."""


class CampaignView(ApiView):
    """For the operator's staff only."""

    permission_classes = [IsAdminUser]

    def state(self, request: Request, pk: int) -> dict[str, Any]:
        """How far a campaign is; Http404 if there is none."""
        return CampaignSerializer(found(pk), context={"request": request}).data


def found(pk: int) -> selectors.CampaignState:
    """The campaign, and how far it is; Http404 if there is none."""
    try:
        return selectors.campaign(pk)
    except Campaign.DoesNotExist:
        raise Http404 from None


class Campaigns(CampaignView):
    """Starting one."""

    @extend_schema(
        operation_id="start_campaign",
        tags=["campaigns"],
        summary="Verify stored deals anew",
        request={"application/json": CampaignRequest},
        responses={201: CampaignSerializer},
    )
    def post(self, request: Request) -> Response:
        """Have the workers verify stored deals anew, behind whatever comes in meanwhile. For staff only."""
        self.query(request)
        wish = CampaignRequest(data=_fields(request))
        wish.is_valid(raise_exception=True)
        campaign = campaigns.start(by=request.user, **wish.validated_data)
        state = self.state(request, campaign.pk)
        return Response(state, status=status.HTTP_201_CREATED, headers={"Location": state["url"]})


def _fields(request: Request) -> dict[str, Any]:
    """The body as a JSON object; without a body an empty one."""
    try:
        body = b"".join(body_of(request, _MOST_BYTES, ("application/json",)))
        if len(body) > _MOST_BYTES:
            raise TooLarge(_MOST_BYTES)
        fields = json.loads(body or b"{}")
    except BrokenOff as fault:
        raise ApiError(str(fault)) from None
    except (ValueError, RecursionError):
        raise ApiError("The body is not JSON.") from None
    if not isinstance(fields, dict):
        raise ApiError("The body is not a JSON object.")
    known = CampaignRequest().fields
    for name in fields:
        if name not in known:
            raise BadParameter(name, f"“{name}” is not a field of a campaign; it has: {', '.join(known)}.")
    return fields


class OneCampaign(CampaignView):
    """One campaign."""

    @extend_schema(
        operation_id="get_campaign",
        tags=["campaigns"],
        summary="How far a campaign is",
        responses=CampaignSerializer,
    )
    def get(self, request: Request, pk: int) -> Response:
        """How far a campaign is. For staff only."""
        self.query(request)
        return Response(self.state(request, pk))


class Stop(CampaignView):
    """Stopping a campaign."""

    @extend_schema(
        operation_id="stop_campaign",
        tags=["campaigns"],
        summary="Stop a campaign",
        request=None,
        responses=CampaignSerializer,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Stop a campaign that is running; any other stays as it is. For staff only."""
        self.query(request)
        campaigns.stop(found(pk).campaign)
        return Response(self.state(request, pk))


class TakeUp(CampaignView):
    """Going on with a campaign."""

    @extend_schema(
        operation_id="take_up_campaign",
        tags=["campaigns"],
        summary="Go on with a campaign that was stopped",
        request=None,
        responses=CampaignSerializer,
    )
    def post(self, request: Request, pk: int) -> Response:
        """Go on with a campaign that was stopped, with chunks that failed, too; any other stays as it is. For
        staff only."""
        self.query(request)
        campaigns.take_up(found(pk).campaign)
        return Response(self.state(request, pk))
