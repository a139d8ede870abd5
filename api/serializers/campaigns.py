"""Serializers for campaigns, which check stored deals again."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import GameField, LinkField
from archive.models import Campaign


class TrueOrFalseField(serializers.BooleanField):
    """Boolean that must be `true` or `false` in JSON; strings and numbers are rejected."""

    def to_internal_value(self, data: Any) -> bool:
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return bool(data)


class CampaignRequest(serializers.Serializer):
    """Request to check stored deals again; by default, all deals."""

    game = GameField(required=False, allow_null=True, help_text="Check only deals of this game.")
    outdated_only = TrueOrFalseField(
        default=False, help_text="Whether to check only deals with a verdict from another engine version."
    )


class CampaignSerializer(serializers.Serializer):
    """A campaign that checks stored deals again, with its progress."""

    id = serializers.IntegerField(source="pk", help_text="Id of the campaign.")
    url = LinkField("campaign", "pk", help_text="URL of the campaign.")
    state = serializers.ChoiceField(choices=Campaign.STATES, help_text="State of the campaign.")
    game = serializers.SerializerMethodField(help_text="Game whose deals are checked; null for all games.")
    outdated_only = serializers.BooleanField(
        help_text="Whether to check only deals with a verdict from another engine version.",
    )
    engine_version = serializers.CharField(help_text="Version of the engine when the campaign started.")
    started_at = serializers.DateTimeField(help_text="Start time.")
    finished_at = serializers.DateTimeField(
        allow_null=True,
        help_text="Time when the campaign finished; null until then.",
    )
    checked = serializers.IntegerField(help_text="Number of deals checked so far.")
    changed = serializers.IntegerField(help_text="Number of deals whose stored result changed.")
    failed = serializers.IntegerField(
        source="faulty",
        help_text="Number of deals that could not be checked because of an error in the archive.",
    )
    waiting = serializers.IntegerField(help_text="Number of chunks of deals that have not been checked yet.")

    @extend_schema_field(GameField(allow_null=True))
    def get_game(self, campaign: Campaign) -> str | None:
        return campaign.game or None
