"""View of the results of a hand."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.explorer import ExploredSerializer, ExplorerQuery
from api.views.base import ApiView
from archive.reading.figures import explore
from archive.reading.filters import Filters
from archive.rules import SEED
from archive.web.throttles import ScoresThrottle


class Explorer(ApiView):
    query_serializer = ExplorerQuery
    throttle_classes = [*ApiView.throttle_classes, ScoresThrottle]

    @extend_schema(
        operation_id="explore_hands",
        summary="Get what was played with a hand, and how it ended",
        responses=ExploredSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        """Return how often each contract was played with a hand, and with what result: in the user's own
        deals, in those of their clubs, and in all public deals. Only scored deals by the chosen rules count,
        by default the source rules, and only the latest 1,000 of them. Lines with fewer than 20 deals are
        left out."""
        filters = Filters(**{"rules": SEED, **self.params})
        return Response(self.serialize(ExploredSerializer, explore(filters, self.viewer), many=True))
