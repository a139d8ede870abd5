"""Serializers for the score of a deal, line by line, and for players' points over many deals."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.links import link
from api.serializers.fields import (
    DealKeyField,
    FindingSerializer,
    Json,
    StoredGameField,
    TextsField,
    seat_points,
)
from api.serializers.filters import DealFilters
from api.values import VALUE, ValueSerializer, serializer
from archive.models import COUNTS, VERDICTS
from archive.reading.scores import ORDERS, Score
from tarock.analysis.verify import Check
from tarock.core.scoring import Counting, ScoreLine
from tarock.words import json_forms, sentences
from tarock.words.clauses import clause


class ScoreListQuery(DealFilters):
    """Query parameters for points per player: filters for deals, criteria for the ranking, and the page."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Leave out `lost_from`: what the cards of a player cost is not added up for others."""
        return {name: field for name, field in super().get_fields().items() if name != "lost_from"}

    by = serializers.ChoiceField(
        choices=ORDERS,
        default="total",
        help_text=(
            "Value to rank by: total points (`total`), or average points per deal (`mean`) or per evening "
            "(`evening_mean`)."
        ),
    )
    count = serializers.ChoiceField(
        choices=COUNTS,
        default="computed",
        help_text="What counts: `verified`, deals with cards; `computed`, also score sheets; `all`, also "
        "results, whose points nobody has checked. The total of an evening then counts instead of its deals.",
    )
    least_deals = serializers.IntegerField(
        min_value=1,
        max_value=100_000,
        default=1,
        help_text="Minimum number of scored deals that a player must have.",
    )
    least_evenings = serializers.IntegerField(
        min_value=1,
        max_value=10_000,
        default=1,
        help_text="Minimum number of evenings that a player must have, before `best_evenings` is applied.",
    )
    best_evenings = serializers.IntegerField(
        min_value=1,
        max_value=10_000,
        required=False,
        help_text="Number of each player's best evenings to count; by default, all evenings count.",
    )

    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=100, help_text="Maximum number of players in one response."
    )
    offset = serializers.IntegerField(
        min_value=0, max_value=1_000_000, default=0, help_text="Number of players to skip."
    )


class ScoreLineSerializer(ValueSerializer):
    of = ScoreLine
    title = serializers.CharField(help_text="Title of the clause.")
    url = serializers.URLField(help_text="URL of the clause.")
    to = TextsField(help_text="Seats that get points.")
    calculation = serializers.CharField(help_text="Calculation of the points, as a sentence.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """Add the field `from`, whose name is a reserved word in Python."""
        return {**super().get_fields(), "from": TextsField(help_text="Seats that pay points.")}

    def to_representation(self, line: ScoreLine) -> Json:
        try:
            title = clause(line.clause).title
        except KeyError:  # an older engine made the line, and its clause no longer exists
            title = line.clause
        try:
            written = json_forms.line_json(line)
        except KeyError:  # the engine no longer has the line's sentence
            written = json_forms.line_json(line._replace(sentences=()))
        url = link(self.context["request"], "clause", line.clause)
        return {**written, "title": title, "url": url}


_WORD_OR_NULL = {"type": ["string", "null"]}
_OF_SEATS = {"type": "object", "additionalProperties": {"type": "integer"}}
_WORDS = {"type": "array", "items": {"type": "string"}}


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "declarer": _WORD_OR_NULL,
            "partner": _WORD_OR_NULL,
            "contract": _WORD_OR_NULL,
            "result": {"type": "string"},
            "card_points": _OF_SEATS,
            "tricks": _OF_SEATS,
            "announcements": {"type": "array", "items": _WORDS},
            "bonuses": _WORDS,
            "options": _WORDS,
        },
        # Allow other facts, because each game adds its own.
        "additionalProperties": VALUE,
    }
)
class FactsField(serializers.DictField):
    """The engine's facts about a deal."""


class SheetSerializer(serializers.Serializer):
    """The engine's score of a deal, line by line, with the calculation of the card points."""

    verdict = serializers.ChoiceField(choices=VERDICTS, help_text="Verdict on the deal.")
    score = seat_points(allow_null=True, help_text="Sum of the lines for each seat; null without a score.")
    played = serializers.SerializerMethodField(
        help_text=(
            "Phrases about the contract: its name, declarer, called card, doubles … Empty without a score."
        )
    )
    lines = ScoreLineSerializer(many=True, help_text="Lines of the score, each with its clause.")
    counts = serializer(Counting)(
        source="countings",
        many=True,
        help_text="Calculation of each side's card points from its cards.",
    )
    facts = FactsField(help_text="Facts about the deal: declarer, partner, contract, result, bonuses …")
    claim = seat_points(allow_null=True, help_text="Score that the players wrote down.")

    def get_played(self, checked: Check) -> list[str]:
        if checked.score is None:
            return []
        return sentences.heading(checked.facts, sentences.Names(checked.game or ""))


class ScoreSheetSerializer(SheetSerializer):
    """The verdict on a deal, its score line by line, and the calculation of the card points."""

    deal = DealKeyField()
    finding = FindingSerializer(allow_null=True, help_text="Error in the deal; null if there is none.")
    engine_version = serializers.CharField(help_text="Version of the engine that computed the verdict.")
    verified_at = serializers.DateTimeField(help_text="Time when the verdict was computed.")


class PlayerScoreSerializer(serializers.Serializer):
    """A player's result by the rules of one game over the deals that match the filters."""

    game = StoredGameField(
        help_text="Id of the game; points from different games are never added up. `?` if unknown."
    )
    rules = serializers.CharField(
        source="rules.text",
        help_text="Rules of these deals, as in the filter `rules`; points are added up only within them.",
    )
    unit = serializers.CharField(source="rules.unit", help_text="Unit of the points: `point`, `h` …")
    place = serializers.IntegerField(
        help_text="Rank among the players by these rules; players with equal values share a rank."
    )
    player = serializers.CharField(source="name", help_text="Name of the player.")
    player_id = serializers.IntegerField(
        source="person", help_text="Id of the player; each club has its own players."
    )
    club = serializers.IntegerField(
        allow_null=True, help_text="Id of the player’s club; null for a person’s own players."
    )
    club_name = serializers.SerializerMethodField(help_text="Name of the player’s club, or null.")
    evenings = serializers.IntegerField(
        help_text="Number of evenings that count. An evening is a session or, for deals without one, a day."
    )
    evenings_left_out = serializers.IntegerField(
        source="left_out", help_text="Number of evenings that don't count because of `best_evenings`."
    )
    deals = serializers.IntegerField(help_text="Number of deals that count for this player.")
    points = serializers.IntegerField(source="total", help_text="Total points, as calculated by the engine.")
    stated_deals = serializers.IntegerField(
        help_text="Number of these deals whose points are only stated in a result; 0 unless `count` is `all`."
    )
    stated_points = serializers.IntegerField(help_text="Sum of the points that are only stated.")
    points_per_deal = serializers.FloatField(source="mean", help_text="Average points per deal.")
    points_per_evening = serializers.FloatField(
        source="evening_mean", help_text="Average points per evening."
    )

    def get_club_name(self, score: Score) -> str | None:
        return score.club_name or None


class PlayerScorePageSerializer(serializers.Serializer):
    """A page of players with their points."""

    next = serializers.URLField(allow_null=True, help_text="URL of the next page; null on the last page.")
    is_partial = serializers.BooleanField(
        help_text="Whether only the latest deals or evenings count, because too many match."
    )
    results = PlayerScoreSerializer(
        many=True, help_text="Results of the players, sorted by game, rules and rank."
    )
