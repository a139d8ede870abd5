"""Uploads, and what became of their records."""

from __future__ import annotations

from rest_framework import serializers

from api.links import link
from api.serializers.fields import MOST_NUMBER, DealKeyField, DigestField, Json
from api.serializers.problems import FaultSerializer, ProblemSerializer
from archive.addresses import Key
from archive.models import CHOSEN, VERDICTS, UploadItem
from archive.reading.uploads import Result
from archive.storing.contribution_data import WORDS
from archive.web.problems import fault, place
from tarock.words import sentences


class UploadListQuery(serializers.Serializer):
    """The page of a list of uploads."""

    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=20, help_text="The most uploads in one answer."
    )
    cursor = serializers.CharField(
        required=False, max_length=200, help_text="Where to go on: taken from the `next` of the page before."
    )


class UploadQuery(serializers.Serializer):
    """The selection of an upload's results."""

    after = serializers.IntegerField(
        min_value=-1,
        max_value=2**31 - 1,
        default=-1,
        help_text="Only results of records after this position.",
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=1000, default=1000, help_text="The most results in one answer."
    )
    wrong = serializers.BooleanField(
        default=False,
        help_text="Only records that were not kept, or say something else than their sender said before.",
    )


class SendQuery(serializers.Serializer):
    """For whom something is sent."""

    club = serializers.IntegerField(
        default=None,
        min_value=1,
        max_value=MOST_NUMBER,
        help_text="Number of the club whose deals these are, where you are a member; else they are yours.",
    )
    visibility = serializers.ChoiceField(
        choices=CHOSEN,
        required=False,
        help_text="Who may see them; by itself whoever the club (or you, for your own) has chosen.",
    )


class ResultSerializer(serializers.Serializer):
    """The result of one record of an upload."""

    n = serializers.IntegerField(help_text="Position in the body, from 0.")
    outcome = serializers.ChoiceField(choices=UploadItem.OUTCOMES, help_text="What became of it.")
    id = serializers.IntegerField(allow_null=True, help_text="Number of the deal, new or known.")
    deal = DealKeyField(allow_null=True, help_text="The deal as it is said in the club, or by the sender.")
    digest = DigestField(allow_null=True, help_text="Digest of the deal.")
    url = serializers.URLField(allow_null=True, help_text="Address of the deal.")
    verdict = serializers.ChoiceField(
        choices=VERDICTS, allow_null=True, help_text="On what this sender said of the deal."
    )
    differs = serializers.ListField(
        child=serializers.ChoiceField(choices=WORDS),
        help_text="Details in which this record and what the archive has differ. Empty if nothing does.",
    )
    advice = serializers.CharField(
        allow_null=True, help_text="What `differs` means, and what to do about it. Null if nothing differs."
    )
    warnings = FaultSerializer(
        many=True, help_text="What is odd about a record that was kept: one name at two seats."
    )
    error = FaultSerializer(
        allow_null=True, help_text="What is wrong with a record that was not kept: the first of `errors`."
    )
    errors = FaultSerializer(
        many=True,
        help_text="All that is wrong with it, in its order, as far as nothing of it may come from another "
        "alone; 20 at most.",
    )

    def to_representation(self, result: Result) -> Json:
        """The result, with the address of its deal."""
        key = None if result.deal is None else Key(result.deal, result.contribution)
        wrong = [] if key else result_errors(result)
        odd = result_errors(result) if key and result.findings else []
        return {
            "n": result.n,
            "outcome": result.outcome,
            "id": result.deal,
            "deal": str(key) if key and key.contribution else None,
            "digest": result.digest,
            "url": link(self.context["request"], "deal", key) if key else None,
            "verdict": result.verdict,
            "differs": list(result.differs),
            "advice": _ADVICE.get(result.conflict),
            "warnings": odd,
            "error": wrong[0] if wrong else None,
            "errors": wrong,
        }


_ADVICE = {
    "details": "You sent this deal before with other details, which the archive keeps. To replace them with "
    "those of this record, POST to /api/v1/uploads/{upload}/records/{n}/take-over.",
    "score": "The score sheet and the cards of this deal give different scores. The cards count. Correct "
    "whichever of the two is wrong.",
    "players": "The archive has a score sheet and a played deal with this session, game and number, but with "
    "other players. Both count. If they are one deal, correct the names in one of them.",
}
"""Advice for a `Result.conflict`."""


class UploadStateSerializer(serializers.Serializer):
    """How far an upload is."""

    upload = serializers.IntegerField(help_text="Its number.")
    url = serializers.URLField(help_text="Where the sender finds this report again.")
    received_at = serializers.DateTimeField(help_text="When it came.")
    finished = serializers.BooleanField(help_text="Whether all of it is stored.")
    size = serializers.IntegerField(help_text="Bytes that were sent.")
    parts = serializers.IntegerField(help_text="Parts in which the upload is stored, each as a whole.")
    parts_done = serializers.IntegerField(help_text="How many of them are stored.")
    expected = serializers.IntegerField(
        help_text="About how many records there are in all, by what was read so far."
    )
    records = serializers.IntegerField(help_text="Records that were read.")
    stored = serializers.IntegerField(help_text="How many of them are new.")
    known = serializers.IntegerField(help_text="How many were there before.")
    malformed = serializers.IntegerField(help_text="How many could not be read.")
    refused = serializers.IntegerField(help_text="How many were read but could not be kept.")
    failed = serializers.IntegerField(
        help_text="How many failed through a fault of the archive; a whole part that did counts as one."
    )


class UploadPageSerializer(serializers.Serializer):
    """A page of uploads."""

    next = serializers.URLField(allow_null=True, help_text="Address of the following page; null on the last.")
    results = UploadStateSerializer(many=True, help_text="The uploads, the latest first.")


class UploadSerializer(UploadStateSerializer):
    """An upload: how far it is, and what became of its records."""

    next = serializers.URLField(
        allow_null=True, help_text="Where further results are, or will be; null when all have been shown."
    )
    results = ResultSerializer(many=True, help_text="What became of each record, in their order.")


class RefusalSerializer(ProblemSerializer, UploadSerializer):
    """The error of an upload without a single accepted record: that of its first record, with the report on
    all of them."""


_OUR_FAULT = (
    "This record could not be stored because of a fault in the archive. The upload has been kept, and the "
    "operator can see it."
)


def result_errors(result: Result) -> list[Json]:
    """The faults of a record that was not stored, with their places in the body."""
    if not result.findings:
        where = place(record=result.n, line=result.line)
        return [fault("server_error", _OUR_FAULT, where)]
    code = "malformed" if result.outcome == "malformed" else "refused"
    code = "unclear" if result.deal else code
    return [
        fault(
            code,
            sentences.message(finding),
            place(record=result.n, line=finding.line, column=finding.column, pointer=finding.pointer),
        )
        for finding in result.findings
    ]
