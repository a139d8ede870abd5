"""The feed of changes, and the message that a webhook is sent."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.deals import ListedDealSerializer
from api.serializers.fields import MOST_NUMBER, DealKeyField, DigestField, game_choices
from api.serializers.filters import parts_field
from archive.models import VERDICTS
from archive.storing import feed


class ChangesQuery(serializers.Serializer):
    """Which changes."""

    after = serializers.IntegerField(
        min_value=0, max_value=MOST_NUMBER, default=0, help_text="Only changes after this number; 0 for all."
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=100, help_text="The most changes in one answer."
    )
    club = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_NUMBER,
        help_text="Only changes of what the club of this number says.",
    )
    scope = serializers.CharField(
        required=False,
        allow_blank=True,
        max_length=100,
        help_text="The `scope` of the last answer, as in its `next`. If your memberships have changed since, "
        "the answer is a `reset`.",
    )
    fields = parts_field("The parts of each deal that are wanted in `shown`, with commas between.")


class SentChangeSerializer(serializers.Serializer):
    """A change of a deal as one contribution describes it."""

    change = serializers.IntegerField(help_text="Its number; later changes have greater ones.")
    kind = serializers.ChoiceField(choices=feed.KINDS, help_text="What happened.")
    deal = DealKeyField()
    digest = DigestField(allow_null=True, help_text="Of the deal; null where it is withdrawn.")
    game = serializers.ChoiceField(
        choices=game_choices(), allow_null=True, help_text="The game; null where it is withdrawn."
    )
    verdict = serializers.ChoiceField(choices=VERDICTS, allow_null=True, help_text="As it is now.")


class SentChangesSerializer(serializers.Serializer):
    """Some changes of a space."""

    space = serializers.IntegerField(help_text="Number of the space that the webhook is of.")
    club = serializers.IntegerField(
        allow_null=True, help_text="Number of the club; null for one’s own deals."
    )
    club_name = serializers.CharField(allow_null=True, help_text="Name of that club.")
    changes = SentChangeSerializer(many=True, help_text="The changes, in order.")
    last = serializers.IntegerField(help_text="You have been told of everything up to this number.")


class MessageSerializer(serializers.Serializer):
    """A message to a webhook."""

    type = serializers.ChoiceField(choices=("changes",), help_text="What it is about.")
    timestamp = serializers.DateTimeField(help_text="When it was written.")
    data = SentChangesSerializer(help_text="What has changed.")


class ChangeSerializer(SentChangeSerializer):
    """A change of a deal as one contribution describes it."""

    url = serializers.URLField(allow_null=True, help_text="Address of the deal; null where it is withdrawn.")
    shown = ListedDealSerializer(
        allow_null=True, help_text="The `fields` of the deal, if some are asked for and it is not withdrawn."
    )


class ChangePageSerializer(serializers.Serializer):
    """A piece of the feed."""

    changes = ChangeSerializer(many=True, help_text="The changes, in order.")
    last = serializers.IntegerField(help_text="You have been told of everything up to this number.")
    more = serializers.BooleanField(help_text="Whether there is more now.")
    scope = serializers.CharField(
        help_text="Word for the memberships that the feed was read with. It is another one after you have "
        "joined or left a club."
    )
    reset = serializers.BooleanField(
        help_text="Whether the `scope` of the request is no longer yours. Then there are no changes here, "
        "and `last` and `next` start from the beginning: drop what you have, and read everything again."
    )
    next = serializers.URLField(help_text="Where to go on, now or later.")
