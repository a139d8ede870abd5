"""The feed of changes, and the messages to webhooks."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.deals import ListedDealSerializer
from api.serializers.fields import MOST_NUMBER, DealKeyField, DigestField, game_choices
from api.serializers.filters import parts_field
from archive.models import VERDICTS
from archive.storing import feed


class ChangesQuery(serializers.Serializer):
    """Query parameters for the feed of changes."""

    after = serializers.IntegerField(
        min_value=0, max_value=MOST_NUMBER, default=0, help_text="Only changes after this number; 0 for all."
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=100, help_text="Maximum number of changes in one response."
    )
    club = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_NUMBER,
        help_text="Only changes to contributions of the club with this number.",
    )
    scope = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=100,
        help_text=(
            "The `scope` from the last response, as in its `next`. If your memberships have changed since "
            "then, the response is a `reset`."
        ),
    )
    fields = parts_field("Parts of each deal to include in `shown`, separated by commas.")


class SentChangeSerializer(serializers.Serializer):
    """A change to a deal, as described by one contribution."""

    change = serializers.IntegerField(help_text="Number of the change; later changes have higher numbers.")
    kind = serializers.ChoiceField(choices=feed.KINDS, help_text="Kind of change.")
    deal = DealKeyField()
    digest = DigestField(allow_null=True, help_text="Digest of the deal; null if it is withdrawn.")
    game = serializers.ChoiceField(
        choices=game_choices(), allow_null=True, help_text="Game; null if the deal is withdrawn."
    )
    verdict = serializers.ChoiceField(choices=VERDICTS, allow_null=True, help_text="Current verdict.")


class SentChangesSerializer(serializers.Serializer):
    """Consecutive changes in one space."""

    space = serializers.IntegerField(help_text="Number of the space that the webhook belongs to.")
    club = serializers.IntegerField(allow_null=True, help_text="Number of the club; null for your own deals.")
    club_name = serializers.CharField(allow_null=True, help_text="Name of that club.")
    changes = SentChangeSerializer(many=True, help_text="The changes, in order.")
    last = serializers.IntegerField(help_text="Number of the last change that you have received.")


class MessageSerializer(serializers.Serializer):
    """A message to a webhook."""

    type = serializers.ChoiceField(choices=("changes",), help_text="Type of the message.")
    timestamp = serializers.DateTimeField(help_text="Time when the message was written.")
    data = SentChangesSerializer(help_text="The changes.")


class ChangeSerializer(SentChangeSerializer):
    """A change to a deal, as described by one contribution."""

    url = serializers.URLField(allow_null=True, help_text="URL of the deal; null if it is withdrawn.")
    shown = ListedDealSerializer(
        allow_null=True, help_text="The requested `fields` of the deal, unless it is withdrawn."
    )


class ChangePageSerializer(serializers.Serializer):
    """A page of the feed of changes."""

    changes = ChangeSerializer(many=True, help_text="The changes, in order.")
    last = serializers.IntegerField(help_text="Number of the last change that you have received.")
    more = serializers.BooleanField(help_text="Whether there are more changes now.")
    scope = serializers.CharField(
        help_text="Id of the set of clubs whose changes you see; it changes when you join or leave a club."
    )
    reset = serializers.BooleanField(
        help_text=(
            "Whether the `scope` of the request is out of date. If so, `changes` is empty, and `last` and "
            "`next` start from the beginning: delete your copy, and read everything again."
        )
    )
    next = serializers.URLField(help_text="URL from which to continue, now or later.")
