"""Serializer for contributions, the details that a sender provides about a deal."""

from __future__ import annotations

from rest_framework import serializers

from api.links import link
from api.serializers.columns import column_field
from api.serializers.fields import Json
from archive.access import Viewer
from archive.models import Contribution
from archive.publishing.columns import COLUMNS, as_json

_COLUMNS = {
    "deal": "",
    "url": "URL of the deal as this contribution describes it.",
    "club": "",
    "club_name": "",
    "players": "",
    "session": "",
    "deal_number": "",
    "date": "",
    "event": "",
    "site": "",
    "claim": "",
    "verdict": "Verdict on the deal; `disputed` if the `claim` differs from the score.",
}
"""Columns of a contribution, each with a help text, or "" for the column's default help text."""


class ContributionSerializer(serializers.Serializer):
    """The details that a club or a person provides about a deal."""

    sender = serializers.CharField(
        required=False,
        help_text="Username of the sender; shown only to the sender and the operator's staff.",
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        columns = {name: column_field(COLUMNS[name], meaning) for name, meaning in _COLUMNS.items()}
        return columns | super().get_fields()

    def to_representation(self, contribution: Contribution) -> Json:
        viewer: Viewer = self.context["viewer"]
        fields = as_json(None, contribution, _COLUMNS)
        fields["url"] = link(self.context["request"], "deal", contribution.key)
        sender = contribution.sender
        if sender is not None and (viewer.operator or viewer.user == sender.pk):
            fields["sender"] = sender.get_username()
        return fields
