"""The steps of a deal, as seen by a seat or with all cards visible."""

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
    text = serializers.CharField(help_text="Description as a sentence.")


class OutlineSerializer(serializers.Serializer):
    """The steps of a replay in outline."""

    deal = DealKeyField()
    view = SeatField(allow_null=True, help_text="Seat of the view; null if all cards are visible.")
    steps = serializers.IntegerField(help_text="Number of the last step that can be shown.")
    events = serializer(Step)(many=True, help_text="Events in order; the first leads from step 0 to step 1.")


class PositionListSerializer(OutlineSerializer):
    """The steps of a replay, each with the whole table."""

    positions = serializer(Position)(many=True, help_text="The table at each step, from step 0.")
