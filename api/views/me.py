"""View for the owner of a token."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.me import MeSerializer
from api.views.base import ApiView
from archive.reading import clubs


class Me(ApiView):
    permission_classes = [IsAuthenticated]

    @extend_schema(
        operation_id="me",
        tags=["about"],
        summary="Get the token's owner, scopes and roles",
        responses=MeSerializer,
    )
    def get(self, request: Request) -> Response:
        """Return the token's owner, its scopes, and the owner's role in each space."""
        me = {"token": request.auth, "spaces": clubs.memberships(self.viewer)}
        return Response(self.serialize(MeSerializer, me))
