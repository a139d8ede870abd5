"""Bodies of error responses (RFC 9457)."""

from __future__ import annotations

from rest_framework import serializers

from archive.web.problems import CODES


class PlaceSerializer(serializers.Serializer):
    """The location of an error. Fields that don't apply are null."""

    record = serializers.IntegerField(
        allow_null=True, help_text="Position of the record in the body, from 0."
    )
    line = serializers.IntegerField(allow_null=True, help_text="Line in the body, from 1.")
    column = serializers.IntegerField(allow_null=True, help_text="Column in the line, from 1.")
    pointer = serializers.CharField(
        allow_null=True, help_text="JSON Pointer (RFC 6901) to the error in the record or the body."
    )
    field = serializers.CharField(allow_null=True, help_text="Name of the invalid parameter or field.")


class FaultSerializer(serializers.Serializer):
    """An error and its location."""

    code = serializers.ChoiceField(
        choices=[(code, row.meaning) for code, row in CODES.items()],
        help_text="Stable error code for programs.",
    )
    detail = serializers.CharField(help_text="Human-readable error message.")
    where = PlaceSerializer(allow_null=True, help_text="Location of the error; null if it has none.")


class ProblemSerializer(FaultSerializer):
    """Body of an error response (RFC 9457)."""

    type = serializers.CharField(help_text="URL of the documentation of the error code.")
    title = serializers.CharField(help_text="Short description of the error code.")
    status = serializers.IntegerField(help_text="HTTP status of the response.")
