"""Serializers for importing tables of old results."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.fields import GameField
from api.serializers.problems import ProblemSerializer
from archive.storing.imports import Counted
from tarock.games import profiles

KINDS = ("deal", "evening", "question", "refuse")
"""Request and responses of the endpoint that imports tables of old results."""


class AnswersField(serializers.JSONField):
    """A JSON object of texts."""

    def to_internal_value(self, data: Any) -> dict[str, str]:
        try:
            answers = super().to_internal_value(data)
        except RecursionError:
            answers = None
        if not isinstance(answers, dict) or not all(isinstance(text, str) for text in answers.values()):
            raise serializers.ValidationError("This is not an object whose values are texts.")
        return answers


class ImportRequest(serializers.Serializer):
    """A table of old results, and what is known about it."""

    file = serializers.FileField(
        allow_empty_file=True, help_text="The table: CSV or other text with separators, XLSX, XLS, or ODS."
    )
    game = GameField(required=False, help_text="Game of all rows. Only totals of evenings may lack it.")
    rules = serializers.ChoiceField(
        choices=[name for name, one in profiles().items() if one.words],
        required=False,
        help_text="Published rules by which all points were counted; by default the source rules. They must "
        "be rules of `game`.",
    )
    unit = serializers.RegexField(
        "^[a-z]{1,12}$",
        required=False,
        help_text="Unit of all points, such as `h` or `cent`; by default that of the rules, or `point`.",
    )
    dry_run = serializers.BooleanField(default=False, help_text="Whether to store nothing.")
    answers = AnswersField(
        default=dict,
        binary=True,
        help_text="JSON object: for the `about` of each answered question, the choice; for each corrected "
        "cell, as `cell:SHEET:ROW:COLUMN`, its text.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        """Reject rules of another game, and a unit that the rules don't have."""
        how = {name: attrs.pop(name) for name in Counted._fields if name in attrs}
        attrs["counted"] = Counted(**how)
        if not attrs["counted"].is_possible:
            raise serializers.ValidationError({"rules": "These are no rules of `game`, or not their unit."})
        return attrs


class TableRowSerializer(serializers.Serializer):
    """The points of a deal or an evening in the table."""

    sheet = serializers.CharField(help_text="Name of the sheet; empty for text.")
    row = serializers.IntegerField(help_text="Number of the row, from 1.")
    column = serializers.CharField(
        help_text="Letters of the column if the table has a column for each deal or evening; otherwise empty."
    )
    session = serializers.CharField(help_text="Name of the session.")
    date = serializers.DateField(allow_null=True, help_text="Day on which it was played.")
    deal = serializers.IntegerField(
        allow_null=True, help_text="Number of the deal; null for the total of an evening."
    )
    played = serializers.IntegerField(allow_null=True, help_text="Number of deals of an evening, if known.")
    points = serializers.DictField(child=serializers.IntegerField(), help_text="Points by player.")


class _PlaceSerializer(serializers.Serializer):
    """A place in the table."""

    sheet = serializers.CharField(help_text="Name of the sheet; empty for text.")
    row = serializers.IntegerField(allow_null=True, help_text="Number of the row; null for a whole column.")
    column = serializers.CharField(help_text="Letters of the column; empty for a whole row.")


class LeftOutSerializer(_PlaceSerializer):
    """A row or column that was left out."""

    why = serializers.CharField(help_text="Reason.")


class TableFaultSerializer(_PlaceSerializer):
    """A row or cell that can't be read."""

    what = serializers.CharField(help_text="Description of the fault.")


class QuestionSerializer(serializers.Serializer):
    """A question about the table. Send the answer in `answers`."""

    about = serializers.CharField(help_text="Key of the answer in `answers`.")
    what = serializers.CharField(help_text="The question, or for a column, its assumed meaning.")
    choices = serializers.ListField(child=serializers.CharField(), help_text="Possible answers.")
    chosen = serializers.CharField(help_text="Answer that was sent or assumed; empty if neither.")
    free = serializers.BooleanField(help_text="Whether any text is a possible answer.")


class TotalCheckSerializer(serializers.Serializer):
    """The sums of a player."""

    file = serializers.IntegerField(help_text="Sum according to the total rows of the table.")
    ours = serializers.IntegerField(help_text="Sum of the rows that were read.")


class ImportSerializer(serializers.Serializer):
    """A table as the archive reads it."""

    kind = serializers.ChoiceField(
        choices=KINDS,
        help_text="`deal` or `evening`: what the rows are; `question`: first, `questions` must be answered; "
        "`refuse`: no row can be used.",
    )
    players = serializers.ListField(child=serializers.CharField(), help_text="Names of the players.")
    rows = TableRowSerializer(many=True, help_text="The rows without faults.")
    left_out = LeftOutSerializer(many=True, help_text="Rows that were left out.")
    columns_out = LeftOutSerializer(many=True, help_text="Columns that were left out.")
    faults = TableFaultSerializer(many=True, help_text="Rows and cells that can't be read.")
    questions = QuestionSerializer(many=True, help_text="Questions without an answer.")
    assumed = QuestionSerializer(many=True, help_text="Answers that were sent or assumed.")
    total_check = serializers.DictField(
        child=TotalCheckSerializer(), help_text="For each player in the table's total rows: both sums."
    )


class ImportRefusalSerializer(ProblemSerializer, ImportSerializer):
    """The error for a table that can't be stored yet: the reason, and what the archive reads in it."""
