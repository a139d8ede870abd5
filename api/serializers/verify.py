"""The engine's answers on records that are not stored."""

from __future__ import annotations

import json

from rest_framework import serializers

from api.serializers.fields import DigestField, FindingSerializer, Json, seat_points
from api.serializers.scores import SheetSerializer
from api.values import serializer
from archive.database import storable
from tarock.analysis.position import Choices, Position
from tarock.analysis.verify import VERDICTS as RECORD_VERDICTS
from tarock.analysis.verify import Check


class CheckedSerializer(serializers.Serializer):
    """The common part of the engine's answers on one record."""

    n = serializers.IntegerField(help_text="Position in the body, from 0.")
    game = serializers.CharField(allow_null=True, help_text="The game; null where it cannot be read.")
    digest = DigestField(allow_null=True, help_text="Digest of the deal.")
    verdict = serializers.ChoiceField(
        choices=RECORD_VERDICTS,
        allow_null=True,
        help_text="What the engine finds; null if a fault in the archive kept it from finding anything.",
    )
    claim = seat_points(allow_null=True, help_text="The score that was written down.")
    score = seat_points(allow_null=True, help_text="What the rules give.")
    error = FindingSerializer(
        allow_null=True, help_text="What is wrong: the first of `errors`; null where nothing is."
    )
    errors = FindingSerializer(
        many=True,
        help_text="All that is wrong, each with its place, in the order of the body. Of a record that can be "
        "read it is the first event that breaks a rule; of a malformed one all that may not come from "
        "another fault alone, 20 at most.",
    )
    warnings = FindingSerializer(
        many=True,
        help_text="What is odd, whatever the verdict: one name at two seats (`same-name`); a date in the "
        "future (`date-too-late`) or before 1700 (`date-too-early`), with the likely date as `suggestion`.",
    )


class CheckSerializer(CheckedSerializer):
    """The engine's answer on one record; nothing is stored."""

    def to_representation(self, checked: Check) -> Json:
        """The engine's own JSON of it, without the score sheet."""
        form = checked.as_json()
        text = json.dumps({name: form[name] for name in self.fields}, ensure_ascii=False)
        # Findings can contain lone surrogates, which a response can't.
        answer: Json = json.loads(storable(text))
        return answer


class StandingSerializer(CheckedSerializer):
    """The position of a deal after the last event of a record, as far as a view may know it."""

    position = serializer(Position)(
        allow_null=True, help_text="The table after the last event, or before the illegal one."
    )
    choices = serializer(Choices)(
        allow_null=True,
        help_text="What may come next; null where nothing may, and for a view whose turn it is not.",
    )
    sheet = SheetSerializer(allow_null=True, help_text="The score, line by line, once the deal is over.")


class ChecksSerializer(serializers.Serializer):
    """The engine's answers on the records of a body."""

    records = serializers.IntegerField(help_text="How many there are.")
    results = CheckSerializer(many=True, help_text="What the engine says of each, in their order.")
