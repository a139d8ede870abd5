"""Games, and the clauses of their rules."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.links import link
from api.serializers.fields import LinkField, game_choices
from tarock.words.clauses import KINDS


class ClauseListQuery(serializers.Serializer):
    """Which clauses."""

    game = serializers.ChoiceField(
        choices=[("common", "Common to all games"), *game_choices()],
        required=False,
        help_text="Only the clauses of this game, or those `common` to all.",
    )


class GameSerializer(serializers.Serializer):
    """A game: the fixed facts of it."""

    id = serializers.CharField(help_text="By what it is named everywhere.")
    url = LinkField("game", "id", help_text="Its address.")
    name = serializers.CharField(help_text="What people call it.")
    description = serializers.CharField(help_text="What it is, in a few sentences.")
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="How many may play.")
    pack = serializers.IntegerField(help_text="Cards in the pack.")
    points = serializers.IntegerField(help_text="Card points in the pack.")
    direction = serializers.CharField(help_text="In which direction one plays.")
    verbs = serializers.ListField(child=serializers.CharField(), help_text="What a seat can say or do.")
    options = serializers.ListField(
        child=serializers.CharField(), help_text="The words its tag Options may hold."
    )
    clauses = serializers.SerializerMethodField(help_text="Address of its clauses.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_clauses(self, game: Any) -> str:
        """Address of its clauses."""
        return link(self.context["request"], "clauses", game=game.id)


class ClauseSerializer(serializers.Serializer):
    """A clause of the rules, or a ruling where they are silent."""

    slug = serializers.CharField(help_text="By what scores and findings cite it.")
    url = LinkField("clause", "slug", help_text="Its address.")
    game = serializers.CharField(help_text="A game, or `common`.")
    title = serializers.CharField(help_text="Its title.")
    text = serializers.CharField(help_text="What it says.")
    kind = serializers.ChoiceField(
        choices=KINDS, help_text="Whether the game’s document says it, or the archive had to decide."
    )
    reason = serializers.CharField(help_text="For rulings: why. Else empty.")
    source = serializers.CharField(help_text="Where the rule comes from.")
