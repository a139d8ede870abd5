"""Views for the replay of a deal, step by step, as computed by the engine."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.replay import OutlineSerializer, PositionListSerializer, ViewQuery
from api.values import serializer
from api.views.base import ApiView
from api.views.deals import played_or_404, state_of
from archive.addresses import Key
from archive.shown import ShownDeal
from archive.web.errors import ApiError
from tarock.analysis import replay
from tarock.analysis.position import Position
from tarock.core.record import Record


def seat_of(record: Record, query: dict[str, Any]) -> str | None:
    """Return the seat whose view is requested, or None. Raise an error if the deal has no such seat."""
    view: str | None = query.get("view")
    if view is not None and view not in record.seats:
        detail = f"“{view}” is no seat of this deal; it has {', '.join(record.seats)}."
        raise ApiError("invalid_parameter", detail, field="view")
    return view


def _outline(deal: ShownDeal, view: str | None, counted: replay.Count) -> dict[str, Any]:
    events = [row.as_json() for row in replay.outline(deal.record, view, counted)]
    return {"deal": str(deal.contribution.key), "view": view, "steps": counted.steps, "events": events}


class Replay(ApiView):
    query_serializer = ViewQuery

    @extend_schema(
        operation_id="get_replay",
        summary="Get the events of a replay as text",
        responses=OutlineSerializer,
    )
    def get(self, request: Request, key: Key) -> Response:
        """Return every event as text, up to but not including an illegal event. With `view`, the response
        contains only what that seat may know, and numbers steps and events as the seat sees them. In Taroky,
        for example, a seat doesn't learn who declined to double, and its numbers have no gap there."""
        deal = played_or_404(key, self.viewer)
        self.unless_known(*state_of(deal))
        view = seat_of(deal.record, self.params)
        return Response(_outline(deal, view, replay.count(deal.record, view)))


class Positions(ApiView):
    query_serializer = ViewQuery

    @extend_schema(
        operation_id="get_positions",
        summary="Get a replay with the table at every step",
        responses=PositionListSerializer,
    )
    def get(self, request: Request, key: Key) -> Response:
        """Return every event as text, and the whole table at every step. With `view`, the response contains
        only what that seat may know."""
        deal = played_or_404(key, self.viewer)
        view = seat_of(deal.record, self.params)
        counted = replay.count(deal.record, view)
        positions = [at.as_json() for at in replay.positions(deal.record, view, counted)]
        return Response(_outline(deal, view, counted) | {"positions": positions})


class OnePosition(ApiView):
    query_serializer = ViewQuery

    @extend_schema(
        operation_id="get_position",
        summary="Get the table at one step of a replay",
        responses=serializer(Position),
    )
    def get(self, request: Request, key: Key, step: int) -> Response:
        """Return the whole table after `step` events. With `view`, the response contains only what that seat
        may know, and only events that the seat sees are counted."""
        deal = played_or_404(key, self.viewer)
        self.unless_known(*state_of(deal))
        view = seat_of(deal.record, self.params)
        counted = replay.count(deal.record, view)
        if step > counted.steps:
            raise NotFound(f"This deal has no step {step}; its last one is {counted.steps}.")
        return Response(replay.position(deal.record, step, view, counted).as_json())
