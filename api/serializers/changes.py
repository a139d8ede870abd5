"""Serializers for the feed of changes and for the messages to webhooks."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.deals import ListedDealSerializer
from api.serializers.fields import MOST_NUMBER, DealKeyField, DigestField, IdField, StoredGameField
from api.serializers.filters import parts_field
from archive.models import VERDICTS
from archive.storing import feed


class ChangesQuery(serializers.Serializer):
    """Query parameters for the feed of changes."""

    after = serializers.IntegerField(
        min_value=0, max_value=MOST_NUMBER, default=0, help_text="Only changes with a higher number."
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=100, help_text="Maximum number of changes in one response."
    )
    club = IdField(required=False, help_text="Only changes to contributions of the club with this id.")
    scope = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=100,
        help_text=(
            "The `scope` of the previous response, which its `next` URL already contains. If your "
            "memberships have changed since then, `reset` is true in the response."
        ),
    )
    fields = parts_field("Parts of each deal to include in `shown`, separated by commas.")


class SentChangeSerializer(serializers.Serializer):
    """A change to a contribution, that is, to one club's or person's details about a deal."""

    change = serializers.IntegerField(help_text="Number of the change; later changes have higher numbers.")
    kind = serializers.ChoiceField(choices=feed.KINDS, help_text="Kind of change.")
    deal = DealKeyField()
    digest = DigestField(allow_null=True, help_text="Digest of the deal; null if `kind` is `withdrawn`.")
    game = StoredGameField(allow_null=True, help_text="Id of the game; null if `kind` is `withdrawn`.")
    verdict = serializers.ChoiceField(
        choices=VERDICTS, allow_null=True, help_text="Current verdict; null if `kind` is `withdrawn`."
    )


class SentChangesSerializer(serializers.Serializer):
    """Consecutive changes in one space, which is a club's or a user's own."""

    space = serializers.IntegerField(help_text="Id of the space whose changes the webhook receives.")
    club = serializers.IntegerField(allow_null=True, help_text="Id of the club; null for your own deals.")
    club_name = serializers.CharField(allow_null=True, help_text="Name of the club; null for your own deals.")
    changes = SentChangeSerializer(many=True, help_text="The changes, oldest first.")
    last = serializers.IntegerField(help_text="Number of the last change in `changes`.")


class MessageSerializer(serializers.Serializer):
    """A message that the archive sends to a webhook."""

    type = serializers.ChoiceField(choices=("changes",), help_text="Type of the message, always `changes`.")
    timestamp = serializers.DateTimeField(help_text="Time when the message was sent.")
    data = SentChangesSerializer(help_text="Content of the message.")


class ChangeSerializer(SentChangeSerializer):
    """A change to a contribution, with the URL and the requested parts of the deal."""

    url = serializers.URLField(allow_null=True, help_text="URL of the deal; null if `kind` is `withdrawn`.")
    shown = ListedDealSerializer(
        allow_null=True, help_text="Requested parts of the deal; null without `fields`, or if withdrawn."
    )


class ChangePageSerializer(serializers.Serializer):
    """A page of the feed of changes."""

    changes = ChangeSerializer(many=True, help_text="The changes, oldest first.")
    last = serializers.IntegerField(help_text="Number after which `next` continues; 0 if `reset` is true.")
    more = serializers.BooleanField(help_text="Whether more changes are already available.")
    scope = serializers.CharField(
        help_text="Id of the set of clubs whose changes you see; it changes when you join or leave a club."
    )
    reset = serializers.BooleanField(
        help_text=(
            "Whether the `scope` of the request is out of date. If so, `changes` is empty, and `last` and "
            "`next` start from the beginning: delete your copy, and read everything again."
        )
    )
    next = serializers.URLField(help_text="URL of the changes that follow, including future ones.")
