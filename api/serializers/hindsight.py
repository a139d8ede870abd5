"""Serializers for hindsight: what the cards of a deal cost."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import DealKeyField, SeatField


class HindsightQuery(serializers.Serializer):
    """Query parameters for hindsight."""

    step = serializers.IntegerField(
        min_value=0,
        max_value=9_999,
        required=False,
        help_text="Also compute the values of all legal cards after this number of events.",
    )


class RatedCardSerializer(serializers.Serializer):
    """A card of the analysed part of a deal."""

    step = serializers.IntegerField(help_text="Number of events before the card.")
    seat = SeatField(help_text="Seat that played it.")
    card = serializers.CharField(help_text="The card played, as in the event.")
    loss = serializers.IntegerField(
        help_text="Points that it cost its seat against the best choice; 0 or more."
    )
    best = serializers.CharField(help_text="One of the best choices.")
    turning_point = serializers.IntegerField(
        source="rank", help_text="1 to 3 for the cards that decided most, the first one most; otherwise 0."
    )
    clause = serializers.CharField(help_text="Clause that a turning point decided; empty if it was none.")


class PositionValuesSerializer(serializers.Serializer):
    """The values of all choices in a position."""

    step = serializers.IntegerField(allow_null=True, help_text="Number of events before the position.")
    seat = SeatField(allow_null=True, help_text="Seat on turn.")
    values = serializers.DictField(
        child=serializers.IntegerField(),
        allow_null=True,
        help_text="Choice → score of the seat (with two players, less the other’s) if both sides then play "
        "best; null if there are no values.",
    )
    why = serializers.CharField(allow_null=True, help_text="Why there are no values, as above.")


class DealHindsightSerializer(serializers.Serializer):
    """The hindsight of a deal: the cost of each card, with all cards open."""

    deal = DealKeyField(source="deal.contribution.key")
    unit = serializers.CharField(source="deal.unit", help_text="Unit of the losses: `point`, `h` …")
    engine_version = serializers.CharField(
        allow_null=True, help_text="Version of the engine that computed it; null if there is none."
    )
    why = serializers.CharField(
        allow_null=True,
        help_text="Why there is none: `waiting` (a worker will compute it), `each-for-himself`, "
        "`not-in-play` (no verified play), `cards-unknown`, `illegal`, or `limit` (too many possibilities).",
    )
    cards = RatedCardSerializer(many=True, help_text="All analysed cards, in the order of play.")
    position = PositionValuesSerializer(
        allow_null=True, help_text="The position at `step`; null without `step`."
    )
