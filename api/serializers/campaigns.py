"""Campaigns, which check stored deals again."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import LinkField, game_choices
from archive.models import Campaign
from archive.reading import operation


class TrueOrFalseField(serializers.BooleanField):
    """Accept only JSON's true and false, no other words for them."""

    def to_internal_value(self, data: Any) -> bool:
        """The value itself."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return bool(data)


class CampaignRequest(serializers.Serializer):
    """The deals to check again; by default all of them."""

    game = serializers.ChoiceField(
        choices=game_choices(), required=False, allow_null=True, help_text="Only deals of this game."
    )
    outdated_only = TrueOrFalseField(
        default=False, help_text="Only deals whose verdict is of another engine version."
    )


class CampaignSerializer(serializers.Serializer):
    """A campaign that checks stored deals again, and its progress."""

    id = serializers.IntegerField(source="campaign.pk", help_text="Its number.")
    url = LinkField("campaign", "campaign.pk", help_text="URL of the campaign.")
    state = serializers.ChoiceField(choices=Campaign.STATES, help_text="State of the campaign.")
    game = serializers.SerializerMethodField(help_text="Game whose deals are checked; null for all.")
    outdated_only = serializers.BooleanField(
        source="campaign.outdated_only", help_text="Only deals whose verdict is of another engine version."
    )
    engine_version = serializers.CharField(
        source="campaign.engine_version", help_text="Version of the engine that checks."
    )
    started_at = serializers.DateTimeField(source="campaign.started_at", help_text="Time when it started.")
    finished_at = serializers.DateTimeField(
        source="campaign.finished_at", allow_null=True, help_text="Time when it was done; null before."
    )
    checked = serializers.IntegerField(help_text="Number of deals checked.")
    changed = serializers.IntegerField(help_text="Number of answers that changed.")
    failed = serializers.IntegerField(
        source="faulty",
        help_text="Number of deals that could not be checked because of an error in the archive.",
    )
    waiting = serializers.IntegerField(help_text="Number of chunks of deals that are still to be done.")

    @extend_schema_field(serializers.ChoiceField(choices=game_choices(), allow_null=True))
    def get_game(self, state: operation.CampaignState) -> str | None:
        """The game."""
        return state.campaign.game or None
