"""The view for hindsight: what the cards of a deal cost."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.hindsight import DealHindsightSerializer, HindsightQuery
from api.views.base import ApiView
from api.views.deals import played_or_404, state_of
from archive.addresses import Key
from archive.reading.hindsight import hindsight_of


class Hindsight(ApiView):
    query_serializer = HindsightQuery

    @extend_schema(
        operation_id="get_hindsight",
        summary="Get what each card cost, with all cards open",
        responses=DealHindsightSerializer,
    )
    def get(self, request: Request, key: Key) -> Response:
        """Return what the cards of the last tricks cost, if both sides play best with all cards open. A card
        that cost something may have been right by what its player could see. With `step`, also return the
        values of all legal cards after that number of events, in the last eight tricks (in games for two,
        the last five)."""
        deal = played_or_404(key, self.viewer)
        found, step = hindsight_of(deal), self.params.get("step")
        self.unless_known(*state_of(deal), found.engine_version, found.why, step)
        if step is not None and step > len(deal.record.events):
            raise NotFound(f"This deal has no step {step}; its last one is {len(deal.record.events)}.")
        position = None if step is None else found.at_step(step)
        fields = {name: getattr(found, name) for name in ("deal", "engine_version", "why", "cards")}
        return Response(self.serialize(DealHindsightSerializer, fields | {"position": position}))
