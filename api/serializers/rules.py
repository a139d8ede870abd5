"""Serializers for games and the clauses of their rules."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.links import link
from api.serializers.fields import LinkField, TextsField, game_choices
from tarock.words.clauses import KINDS


class ClauseListQuery(serializers.Serializer):
    """Query parameters for the list of clauses."""

    game = serializers.ChoiceField(
        choices=[("common", "Common to all games"), *game_choices()],
        required=False,
        help_text="Only clauses of this game; `common` selects those shared by all games.",
    )


class GameSerializer(serializers.Serializer):
    """A game and its fixed properties."""

    id = serializers.CharField(help_text="Id of the game.")
    url = LinkField("game", "id", help_text="URL of the game.")
    name = serializers.CharField(help_text="Name of the game.")
    description = serializers.CharField(help_text="Description of the game in a few sentences.")
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="Allowed numbers of players.")
    pack = serializers.IntegerField(help_text="Number of cards in the pack.")
    points = serializers.IntegerField(help_text="Number of card points in the pack.")
    direction = serializers.CharField(help_text="Direction of play.")
    verbs = TextsField(help_text="Verbs of the game's events.")
    options = TextsField(
        source="rules.table", help_text="Options that a record can have, described at `rules`."
    )
    rules = serializers.SerializerMethodField(help_text="URL of the game's options and published rule sets.")
    clauses = serializers.SerializerMethodField(help_text="URL of the game's clauses.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_clauses(self, game: Any) -> str:
        return link(self.context["request"], "clauses", game=game.id)

    @extend_schema_field(OpenApiTypes.URI)
    def get_rules(self, game: Any) -> str:
        return link(self.context["request"], "rules", game=game.id)


class RulesQuery(serializers.Serializer):
    """Query parameters for the rule sets."""

    game = serializers.ChoiceField(choices=game_choices(), required=False, help_text="Only this game.")


class OptionSerializer(serializers.Serializer):
    """An option: a number, switch or word by which a table differs from the source of the rules."""

    slug = serializers.CharField(help_text="Name of the option in the tag `Options`.")
    kind = serializers.ChoiceField(choices=["number", "switch", "word"], help_text="Kind of its values.")
    low = serializers.IntegerField(allow_null=True, help_text="Lowest number; null unless it is a number.")
    high = serializers.IntegerField(allow_null=True, help_text="Highest number; null unless it is a number.")
    default = serializers.CharField(help_text="Value by the source of the rules, such as `5` or `no`.")
    clause = serializers.CharField(help_text="Slug of the clause that the option belongs to.")
    clauses = TextsField(help_text="Slugs of all clauses that read the option.")
    sentence = serializers.CharField(help_text="Meaning of the option.")


class ProfileValueSerializer(serializers.Serializer):
    """A value in a published rule set, with its origin."""

    option = serializers.CharField(help_text="Slug of the option.")
    value = serializers.CharField(help_text="Value, such as `5` or `no`.")
    origin = serializers.ChoiceField(
        choices=["S", "I", "A"],
        help_text="`S` if the source states the value, `I` if it was inferred, `A` if the source is silent.",
    )
    reason = serializers.CharField(help_text="Place or reason; can be empty.")


class ProfileSerializer(serializers.Serializer):
    """A published rule set. It never changes; a correction is a new version."""

    name = serializers.CharField(help_text="Name for the tag `Rules`, such as `vysocina@1`.")
    title = serializers.CharField(help_text="Name for people.")
    source = serializers.CharField(help_text="Source; empty for the rules of the game's document.")
    options = TextsField(help_text="Options that differ from the default, as in the tag `Options`.")
    values = ProfileValueSerializer(many=True, help_text="Values with their origin.")


class GameRulesSerializer(serializers.Serializer):
    """The options of a game, and its published rule sets."""

    game = serializers.CharField(help_text="Id of the game.")
    options = OptionSerializer(many=True, help_text="Options of the game.")
    profiles = ProfileSerializer(many=True, help_text="Published rule sets.")


class ClauseSerializer(serializers.Serializer):
    """A clause of the rules, or a ruling of the archive."""

    slug = serializers.CharField(help_text="Slug that scores and findings use to cite the clause.")
    url = LinkField("clause", "slug", help_text="URL of the clause.")
    game = serializers.CharField(help_text="Id of the game, or `common`.")
    title = serializers.CharField(help_text="Title of the clause.")
    text = serializers.CharField(help_text="Text of the clause for players.")
    record = serializers.CharField(
        help_text="How the rule is written in a record; empty for a clause without a notation of its own."
    )
    kind = serializers.ChoiceField(
        choices=KINDS, help_text="Origin of the clause: the game’s document, a ruling by the archive or both."
    )
    reason = serializers.CharField(help_text="Reason for a ruling; empty for other clauses.")
    source = serializers.CharField(help_text="Source of the rule: a document and the place in it.")
