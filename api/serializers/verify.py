"""Serializers for the engine's results for records that are checked but not stored."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import DigestField, FindingSerializer, Json, encodable, seat_points
from api.serializers.scores import SheetSerializer
from api.values import serializer
from tarock.analysis.position import Choices, Position
from tarock.analysis.verify import VERDICTS as RECORD_VERDICTS
from tarock.analysis.verify import Check


class CheckedSerializer(serializers.Serializer):
    """Fields shared by the serializers for the check of a record."""

    n = serializers.IntegerField(help_text="Position of the record in the body, from 0.")
    game = serializers.CharField(allow_null=True, help_text="Game id; null if the record can't be parsed.")
    digest = DigestField(allow_null=True, help_text="Digest of the deal.")
    verdict = serializers.ChoiceField(
        choices=RECORD_VERDICTS,
        allow_null=True,
        help_text="Verdict; null if an error in the archive prevented the check.",
    )
    claim = seat_points(allow_null=True, help_text="Score that the players wrote down.")
    score = seat_points(allow_null=True, help_text="Score calculated by the engine; null if there is none.")
    error = FindingSerializer(allow_null=True, help_text="The first of `errors`; null if there is none.")
    errors = FindingSerializer(
        many=True,
        help_text=(
            "Errors, each with its location: up to 20 independent errors of a malformed record, the first "
            "illegal event of a deal, what an unfinished deal lacks, or all errors of a score sheet."
        ),
    )
    warnings = FindingSerializer(
        many=True,
        help_text=(
            "Warnings that don't affect the verdict: the same name at two seats (`same-name`); a date in "
            "the future (`date-too-late`) or before 1700 (`date-too-early`), with a `suggestion`; points of "
            "a result that don't add up to 0 (`result.sum`)."
        ),
    )


class CheckSerializer(CheckedSerializer):
    """The engine's result for one record. Nothing is stored."""

    def to_representation(self, checked: Check) -> Json:
        """Return the fields of this serializer from the engine's JSON form of the check."""
        form = checked.as_json()
        return encodable({name: form[name] for name in self.fields})


class StandingSerializer(CheckedSerializer):
    """The position of a deal after the last event of a record, limited to what seat `view` may know."""

    position = serializer(Position)(
        allow_null=True, help_text="Table after the last legal event; null for sheets and malformed records."
    )
    choices = serializer(Choices)(
        allow_null=True,
        help_text="Legal next events; null if there are none, or if it is not the turn of seat `view`.",
    )
    sheet = SheetSerializer(allow_null=True, help_text="Score, line by line; null until the deal is over.")


class ChecksSerializer(serializers.Serializer):
    """The engine's results for the records in a request body."""

    records = serializers.IntegerField(help_text="Number of records in the body.")
    results = CheckSerializer(many=True, help_text="The engine's result for each record, in order.")
