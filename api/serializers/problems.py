"""Bodies of error responses (RFC 9457)."""

from __future__ import annotations

from rest_framework import serializers

from archive.web.problems import CODES


class PlaceSerializer(serializers.Serializer):
    """The place of an error. Members that don't apply are null."""

    record = serializers.IntegerField(
        allow_null=True, help_text="Position of the record in the body, from 0."
    )
    line = serializers.IntegerField(allow_null=True, help_text="Line in the body, from 1.")
    column = serializers.IntegerField(allow_null=True, help_text="Column in the line, from 1.")
    pointer = serializers.CharField(
        allow_null=True, help_text="RFC 6901 pointer into the JSON of the record."
    )
    field = serializers.CharField(allow_null=True, help_text="Name of the invalid parameter or field.")


class FaultSerializer(serializers.Serializer):
    """An error and its place."""

    code = serializers.ChoiceField(
        choices=[(code, row.meaning) for code, row in CODES.items()],
        help_text="Stable code for programs.",
    )
    detail = serializers.CharField(help_text="Error message for people.")
    where = PlaceSerializer(allow_null=True, help_text="Place of the error; null if it has none.")


class ProblemSerializer(FaultSerializer):
    """An error of this API (RFC 9457)."""

    type = serializers.CharField(help_text="URL of the documentation of the code.")
    title = serializers.CharField(help_text="Short description of the code.")
    status = serializers.IntegerField(help_text="Status of the response.")
