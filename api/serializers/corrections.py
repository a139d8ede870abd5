"""Serializers for correcting deals, changing their visibility, and moving them."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import DealKeyField, IdField
from archive.models import CHOSEN
from archive.storing.contribution_data import WORDS


class CorrectedSerializer(serializers.Serializer):
    """The result of a change to a deal."""

    deal = DealKeyField()
    url = serializers.URLField(help_text="URL of the deal.")
    changed = serializers.ListField(
        child=serializers.ChoiceField(choices=(*WORDS, "visibility", "club")),
        help_text="Names of the details that changed.",
    )


class VisibilityRequest(serializers.Serializer):
    """The new visibility of one or more deals."""

    visibility = serializers.ChoiceField(
        choices=(*CHOSEN, "withdrawn"),
        help_text=(
            "Visibility of the deals: everybody (`public`), anyone with the link (`unlisted`), or members of "
            "the club (`members`). `withdrawn` removes the deals from all lists."
        ),
    )


class MoveRequest(serializers.Serializer):
    """Request to move a deal to a club."""

    club = IdField(help_text="Id of a club that you belong to.")


class ChangedSerializer(serializers.Serializer):
    """The result of a change to many deals."""

    changed = serializers.IntegerField(help_text="Number of deals whose visibility changed.")
