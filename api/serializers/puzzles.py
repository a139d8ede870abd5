"""Serializers for puzzles."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.columns import RecordSerializer
from api.serializers.fields import CursorField, GameField, Json, LinkField, TextsField
from archive.models import Puzzle
from tarock.notation import write_json


class PuzzleListQuery(serializers.Serializer):
    """Query parameters for the list of puzzles."""

    game = GameField(required=False, help_text="Only puzzles of this game.")
    theme = serializers.CharField(required=False, max_length=64, help_text="Only puzzles with this theme.")
    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=50, help_text="Maximum number of puzzles in one response."
    )
    cursor = CursorField()


class PuzzleSerializer(serializers.Serializer):
    """A position of a deal in which exactly one card is right."""

    id = serializers.IntegerField(help_text="Id of the puzzle.")
    url = LinkField("puzzle", "pk", help_text="URL of the puzzle with its deal and solution.")
    game = GameField(help_text="Id of the game.")
    theme = serializers.CharField(
        help_text="Slug of the clause that every wrong card loses; `result` if it is the game, `points` if "
        "it is only points."
    )
    composed = serializers.BooleanField(
        source="is_composed", help_text="Whether the puzzle comes from a simulated deal."
    )
    tried = serializers.IntegerField(help_text="Number of users who tried the puzzle.")
    failed = serializers.IntegerField(help_text="Number of users whose first attempt failed.")


class PuzzlePageSerializer(serializers.Serializer):
    """A page of puzzles."""

    next = serializers.URLField(allow_null=True, help_text="URL of the next page; null on the last page.")
    results = PuzzleSerializer(many=True, help_text="The puzzles, newest first.")


class PuzzleChoiceSerializer(serializers.Serializer):
    """A card that may be played."""

    card = serializers.CharField(help_text="Argument of `play`: the card, with its qualifier if it has one.")
    loss = serializers.IntegerField(
        help_text="What the card costs the seat on turn against the best card; 0 for the right card. With "
        "two players, the difference of their scores counts."
    )
    line = TextsField(help_text="Best play of both sides to the end of the deal, beginning with this card.")


class PuzzleDetailSerializer(PuzzleSerializer):
    """A puzzle with its deal and its solution."""

    step = serializers.IntegerField(help_text="Number of events before the position.")
    record = serializers.SerializerMethodField(help_text="The deal without the names of the players.")
    choices = serializers.SerializerMethodField(help_text="Cards that may be played, with what they cost.")

    @extend_schema_field(RecordSerializer)
    def get_record(self, puzzle: Puzzle) -> Json:
        return write_json(puzzle.record)

    @extend_schema_field(PuzzleChoiceSerializer(many=True))
    def get_choices(self, puzzle: Puzzle) -> list[Json]:
        return [
            {"card": card, "loss": loss, "line": line.split()}
            for card, (loss, line) in puzzle.choices.items()
        ]
