"""Contributions: a deal as each sender says it."""

from rest_framework import serializers

from archive.access import Viewer
from archive.models import VERDICTS, Contribution
from archive.publishing import export

from ..links import link
from .fields import DealKeyField, Json, SeatField, seat_points


def club_field() -> serializers.IntegerField:
    return serializers.IntegerField(
        allow_null=True, help_text="Number of the club whose words these are; null for a person’s own."
    )


def club_name_field() -> serializers.CharField:
    return serializers.CharField(allow_null=True, help_text="Name of that club.")


class SeatedSerializer(serializers.Serializer):
    """A seat of a deal: who sat there, and what the deal gave."""

    seat = SeatField(help_text="The seat.")
    player = serializers.CharField(help_text="The player’s name.")
    player_id = serializers.IntegerField(help_text="Number of the player: each club has its own.")
    points = serializers.IntegerField(allow_null=True, help_text="Null without a score.")


class ContributionSerializer(serializers.Serializer):
    """What one club, or one person, says of a deal."""

    deal = DealKeyField()
    url = serializers.URLField(help_text="Address of the deal as this contribution says it.")
    club = club_field()
    club_name = club_name_field()
    players = SeatedSerializer(many=True, help_text="Who sat where.")
    session = serializers.CharField(allow_null=True, help_text="Name of the session.")
    deal_number = serializers.IntegerField(allow_null=True, help_text="Number within the session.")
    date = serializers.CharField(help_text="As written, unknown parts as `??`; empty if not.")
    event = serializers.CharField(help_text="As written; empty if not.")
    site = serializers.CharField(help_text="The place as written; empty if not.")
    claim = seat_points(allow_null=True, help_text="The score its players wrote down.")
    verdict = serializers.ChoiceField(
        choices=VERDICTS, help_text="That on the deal, or `disputed` where the claim is not its score."
    )
    sender = serializers.CharField(
        required=False,
        help_text="Who sent it: shown to himself and to the operator's staff, and left out for all others.",
    )

    def to_representation(self, contribution: Contribution) -> Json:
        """The columns of the contribution; its sender only for himself and the operator."""
        viewer: Viewer = self.context["viewer"]
        fields = {
            "deal": str(contribution.key),
            "url": link(self.context["request"], "deal", contribution.key),
            "club": contribution.space.club,
            "club_name": contribution.space.club_name,
            "players": export.players(contribution.seated),
            "session": contribution.session.name if contribution.session else None,
            "deal_number": contribution.number,
            "date": contribution.date,
            "event": contribution.event,
            "site": contribution.site,
            "claim": contribution.claimed,
            "verdict": contribution.verdict,
        }
        sender = contribution.sender
        if sender is not None and (viewer.operator or viewer.user == sender.pk):
            fields["sender"] = sender.get_username()
        return fields
