"""Correcting deals, changing their visibility, and moving them."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import MOST_NUMBER, DealKeyField
from archive.models import CHOSEN
from archive.storing.contribution_data import WORDS


class CorrectedSerializer(serializers.Serializer):
    """The result of a correction."""

    deal = DealKeyField()
    url = serializers.URLField(help_text="URL of the deal.")
    changed = serializers.ListField(
        child=serializers.ChoiceField(choices=(*WORDS, "visibility", "club")),
        help_text="Details that changed.",
    )


class VisibilityRequest(serializers.Serializer):
    """The new visibility of a deal."""

    visibility = serializers.ChoiceField(
        choices=(*CHOSEN, "withdrawn"),
        help_text="Visible to everybody, to anyone with the link, or to members of the club; or withdrawn.",
    )


class MoveRequest(serializers.Serializer):
    """The club to move a deal to."""

    club = serializers.IntegerField(
        min_value=1, max_value=MOST_NUMBER, help_text="Number of one of your clubs."
    )


class ChangedSerializer(serializers.Serializer):
    """The result of a change to many deals."""

    changed = serializers.IntegerField(help_text="Number of deals whose visibility changed.")
