"""Serializer fields for the columns of deals (`archive.publishing.columns`)."""

from __future__ import annotations

from collections.abc import Callable

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import (
    DealKeyField,
    DigestField,
    FindingSerializer,
    PlaceField,
    SeatField,
    StoredGameField,
    TextsField,
    seat_points,
)
from api.values import VALUE
from archive.models import KINDS, VERDICTS
from archive.publishing.columns import SEAT_COLUMNS, Column

_KINDS: dict[str, Callable[..., serializers.Field]] = {
    "integer": serializers.IntegerField,
    "string": serializers.CharField,
    "strings": TextsField,
    "time": serializers.DateTimeField,
    "url": serializers.URLField,
    "key": DealKeyField,
    "digest": DigestField,
    "game": StoredGameField,
    "kind": lambda **options: serializers.ChoiceField(choices=KINDS, **options),
    "verdict": lambda **options: serializers.ChoiceField(choices=VERDICTS, **options),
    "seat": SeatField,
    "place": PlaceField,
    "points": seat_points,
    "players": lambda **options: SeatedSerializer(many=True, **options),
    "record": lambda **options: RecordSerializer(**options),
    "rules": lambda **options: RulesSerializer(**options),
    "finding": FindingSerializer,
}


def column_field(column: Column, meaning: str = "") -> serializers.Field:
    """Return the serializer field for a column. `meaning`: help text to use instead of the column's own."""
    null = {"allow_null": True} if column.null else {}
    return _KINDS[column.kind](help_text=meaning or column.meaning, **null)


@extend_schema_field({"type": "object", "additionalProperties": VALUE})
class OptionsField(serializers.DictField):
    """The values of all options of a game, by slug."""


class RulesSerializer(serializers.Serializer):
    """The rules of a deal."""

    name = serializers.CharField(
        allow_null=True,
        help_text="Name in the record, or of the published rule set with these options; null without one.",
    )
    filter = serializers.CharField(
        help_text="Value of the filter `rules`: `seed`, the name of a published rule set, or the options "
        "that differ from the source rules."
    )
    unit = serializers.CharField(help_text="Unit of the points: `point`, `h` (haléř), `cent` …")
    options = OptionsField(help_text="Value of each option of the game.")


class SeatedSerializer(serializers.Serializer):
    """A seat in a deal, with its player and points."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {name: column_field(column) for name, column in SEAT_COLUMNS.items() if column.in_json}


@extend_schema_field({"type": "integer", "const": 1})
class VersionField(serializers.IntegerField):
    """Version of the notation."""


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "integer"}]})
class WordField(serializers.Field):
    """A word or a number in a line of a score sheet or a result."""


class RecordSerializer(serializers.Serializer):
    """A record in the JSON form of TGN: the cards and events of a deal, a score sheet, or a result."""

    tgn = VersionField(help_text="Version of the TGN notation, always 1.")
    game = StoredGameField(help_text="Id of the game; `?` if unknown.")
    dealer = SeatField(required=False, help_text="Seat of the dealer; not in a result.")
    players = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="Name of the player at each seat; not in a result.",
    )
    options = TextsField(required=False, help_text="Game options that the players agreed on.")
    tags = serializers.DictField(
        child=serializers.CharField(allow_blank=True),
        required=False,
        help_text="Further tags of the record, such as `Event`.",
    )
    deal = serializers.DictField(
        child=TextsField(),
        required=False,
        help_text="Cards dealt to each place: a seat, a pile or the `talon`.",
    )
    events = serializers.ListField(
        child=TextsField(), required=False, help_text="Events in order, each as seat, verb and arguments."
    )
    sheet = serializers.ListField(
        child=serializers.ListField(child=WordField()),
        required=False,
        help_text="Lines of a score sheet (instead of `deal` and `events`), each as field and values.",
    )
    result = serializers.ListField(
        child=serializers.ListField(child=WordField()),
        required=False,
        help_text="Lines of a result (instead of everything about seats), each as name and points.",
    )
    comments = serializers.DictField(
        child=TextsField(), required=False, help_text="Comments, keyed by the number of events before them."
    )
    score = seat_points(required=False, help_text="Score that the players wrote down, by seat.")
