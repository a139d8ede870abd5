"""Serializers for replays: the steps of a deal as one seat sees them, or with all cards visible."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import DealKeyField, SeatField
from api.values import ValueSerializer, serializer
from tarock.analysis.position import Position, Step
from tarock.core.game import SEATS
from tarock.core.scoring import Happening


class ViewQuery(serializers.Serializer):
    """Query parameters for a replay."""

    view = serializers.ChoiceField(
        choices=list(SEATS),
        required=False,
        help_text="Limit the response to what this seat may know. By default, all cards are visible.",
    )


class HappeningSerializer(ValueSerializer):
    of = Happening
    text = serializers.CharField(help_text="Sentence that describes the consequence.")


class OutlineSerializer(serializers.Serializer):
    """The events of a replay, without the table at each step."""

    deal = DealKeyField()
    view = SeatField(allow_null=True, help_text="Seat whose view this is; null if all cards are visible.")
    steps = serializers.IntegerField(help_text="Number of the last step; the first is step 0.")
    events = serializer(Step)(many=True, help_text="Events in order; the first leads from step 0 to step 1.")


class PositionListSerializer(OutlineSerializer):
    """A replay with the whole table at each step."""

    positions = serializer(Position)(many=True, help_text="The table at each step, from step 0.")
