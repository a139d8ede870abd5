"""Serializers for variations of a deal: in requests, as saved, and with the engine's scores."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.links import link
from api.serializers.columns import RecordSerializer
from api.serializers.fields import DealKeyField, Json, SeatField, TextsField, seat_points
from archive.addresses import KEY
from archive.models import SHARING, GuestVariations, Variations
from tarock.analysis.variations import LONGEST_COMMENT, LONGEST_NAME, MOST
from tarock.analysis.verify import VERDICTS


class VariationSerializer(serializers.Serializer):
    """A variation of a deal: the step at which it branches off, and its own events."""

    id = serializers.IntegerField(
        min_value=1, help_text="Number of the variation, which later variations can name in `from`."
    )
    step = serializers.IntegerField(min_value=0, help_text="Number of events shared with variation `from`.")
    events = serializers.ListField(
        child=TextsField(),
        help_text="Events of the variation after the shared ones, each as seat, verb and arguments.",
    )
    name = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_NAME, help_text="Name of the variation."
    )
    comment = serializers.CharField(
        required=False, allow_blank=True, max_length=LONGEST_COMMENT, help_text="Comment on the variation."
    )

    def get_fields(self) -> dict[str, serializers.Field]:
        """Add the field `from`, whose name is a reserved word in Python."""
        origin = serializers.IntegerField(
            min_value=0,
            help_text="Number of the earlier variation from which this one branches; 0 for the played deal.",
        )
        return {**super().get_fields(), "from": origin}


@extend_schema_field(VariationSerializer(many=True))
class VariationsField(serializers.ListField):
    """Variations in a request, parsed by the engine."""


@extend_schema_field(RecordSerializer)
class RecordField(serializers.DictField):
    """A record in the JSON form, parsed by the engine."""


_LIST = f"The variations, at most {MOST}."


class ScoreRecordRequest(serializers.Serializer):
    """Variations to score, and the record of their deal."""

    record = RecordField(help_text="Record of the deal as it was played.")
    variations = VariationsField(help_text=_LIST)


class ScoreDealRequest(serializers.Serializer):
    """Variations to score, and the key or id of their stored deal."""

    deal = serializers.RegexField(f"^{KEY}$", help_text="Key or id of the deal.")
    variations = VariationsField(help_text=_LIST)


class ScoreRequest(ScoreRecordRequest, ScoreDealRequest):
    """Variations to score, and their deal: either its record, or the key or id of a stored deal."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Return the fields of both requests, with `record` and `deal` optional."""
        fields: dict[str, serializers.Field] = super().get_fields()
        fields["record"].required = fields["deal"].required = False
        return fields


class SaveRequest(serializers.Serializer):
    """Variations to save for a deal."""

    variations = VariationsField(help_text=_LIST)
    visibility = serializers.ChoiceField(
        choices=SHARING,
        help_text=(
            "Who can see the variations, among those who can see the deal: only you (`private`), anyone with "
            "the URL (`link`), or everybody (`public`)."
        ),
    )
    version = serializers.IntegerField(
        min_value=0,
        max_value=2**31 - 1,
        help_text="Version of the saved variations to replace; 0 if none are saved.",
    )


# --- results from the engine --------------------------------------------------------------------------------


class SheetLineSerializer(serializers.Serializer):
    """A line of a score sheet, as a sentence."""

    text = serializers.CharField(help_text="The line as a sentence.")
    points = seat_points(help_text="Points of each seat.")
    clause = serializers.CharField(help_text="Slug of the clause that gives the points.")
    title = serializers.CharField(help_text="Title of the clause.")


class PlayedSerializer(serializers.Serializer):
    """The outcome of the played deal or of a variation."""

    verdict = serializers.ChoiceField(choices=VERDICTS, help_text="Verdict on the deal or the variation.")
    finding = serializers.CharField(help_text="Error as a sentence; empty if there is none.")
    score = seat_points(allow_null=True, help_text="Points of each seat; null without a score.")
    sheet = SheetLineSerializer(many=True, help_text="Score, line by line.")
    text = serializers.CharField(allow_null=True, help_text="Record as TGN; null if TGN can't express it.")


class VariationMoveSerializer(serializers.Serializer):
    """An event of a variation, as text."""

    seat = SeatField(help_text="Seat that acts.")
    short = serializers.CharField(help_text="Short form of the event, such as a card or a bid.")
    trick = serializers.IntegerField(allow_null=True, help_text="Number of the trick, if a card is played.")


class DifferenceSerializer(serializers.Serializer):
    """A clause that scores differently in the variation than in the played deal."""

    clause = serializers.CharField(help_text="Slug of the clause.")
    title = serializers.CharField(help_text="Title of the clause, as in the rules.")
    name = serializers.CharField(help_text="Title of the clause, with a capital first letter.")
    before = seat_points(help_text="Points of each seat for this clause in the played deal.")
    after = seat_points(help_text="Points of each seat for this clause in the variation.")
    points = seat_points(
        help_text="Points that each seat gains compared to the played deal; negative if it loses points."
    )
    lines_before = TextsField(help_text="The clause's score lines in the played deal, as sentences.")
    lines_after = TextsField(help_text="The clause's score lines in the variation, as sentences.")


class ScoredVariationSerializer(VariationSerializer, PlayedSerializer):
    """A variation and its outcome."""

    start = serializers.IntegerField(
        help_text="Number of events that the variation shares with the deal as it was played."
    )
    moves = VariationMoveSerializer(many=True, help_text="Events after the shared ones, as text.")
    difference = DifferenceSerializer(
        many=True,
        help_text="Score differences from the played deal, by clause; empty unless both have a score.",
    )


class ScoredVariationsSerializer(serializers.Serializer):
    """A deal and its variations, each with its score."""

    played = PlayedSerializer(help_text="The deal as it was played.")
    variations = ScoredVariationSerializer(many=True, help_text="Variations of the deal.")


# --- saved variations ---------------------------------------------------------------------------------------


class SavedSerializer(serializers.Serializer):
    """Variations that a user saved for a deal."""

    key = serializers.UUIDField(help_text="UUID of the variations, as in their URL.")
    url = serializers.URLField(help_text="URL of the variations.")
    deal = DealKeyField()
    by = serializers.CharField(help_text="Username of the user who saved the variations; empty for a guest.")
    mine = serializers.BooleanField(help_text="Whether you saved the variations.")
    visibility = serializers.ChoiceField(choices=SHARING, help_text="Visibility of the variations.")
    version = serializers.IntegerField(
        help_text="Version of the variations, which grows with every change; send it to replace them."
    )
    changed_at = serializers.DateTimeField(help_text="Time when the variations were last saved.")
    variations = VariationSerializer(many=True, help_text="Saved variations.")

    def to_representation(self, saved: Variations | GuestVariations) -> Json:
        return {
            "key": str(saved.key),
            "url": link(self.context["request"], "saved-variations", saved.key),
            "deal": str(self.context["deal"].contribution.key),
            "by": saved.by,
            "mine": saved.is_of(self.context["viewer"].user),
            "visibility": saved.visibility,
            "version": saved.version,
            "changed_at": saved.changed_at,
            "variations": saved.lines,
        }


class SavedListSerializer(serializers.Serializer):
    """The variations that users saved for a deal."""

    results = SavedSerializer(many=True, help_text="Your own and public variations, latest change first.")


class SavedDetailSerializer(SavedSerializer):
    """Saved variations with their scores."""

    played = PlayedSerializer(help_text="The deal as it was played.")
    variations = ScoredVariationSerializer(many=True, help_text="Saved variations with their scores.")

    def to_representation(self, saved: Variations | GuestVariations) -> Json:
        return super().to_representation(saved) | self.context["scored"]
