"""Serializers for uploads and the results of their records."""

from __future__ import annotations

from rest_framework import serializers

from api.links import link
from api.serializers.fields import CursorField, DealKeyField, DigestField, IdField, Json
from api.serializers.problems import FaultSerializer, ProblemSerializer
from archive.addresses import Key
from archive.models import CHOSEN, VERDICTS, UploadItem
from archive.reading.uploads import Result
from archive.storing.contribution_data import WORDS
from archive.web.problems import fault, place
from tarock.notation.foreign import ENCODING_NAMES
from tarock.notation.packed import ENCODINGS
from tarock.words import sentences


class UploadListQuery(serializers.Serializer):
    """Query parameters for the list of uploads."""

    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=20, help_text="Maximum number of uploads in one response."
    )
    cursor = CursorField()


class UploadQuery(serializers.Serializer):
    """Query parameters for an upload's results."""

    after = serializers.IntegerField(
        min_value=-1,
        max_value=2**31 - 1,
        default=-1,
        help_text="Only results of records after this position; -1 for all.",
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=1000, default=1000, help_text="Maximum number of results in one response."
    )
    wrong = serializers.BooleanField(
        default=False,
        help_text="Only records with errors or warnings, or whose details differ from those in the archive.",
    )


class DestinationQuery(serializers.Serializer):
    """Query parameters for everything that stores deals: their club and visibility."""

    club = IdField(
        default=None,
        help_text="Id of the club to store the deals for; by default, they are stored as your own.",
    )
    visibility = serializers.ChoiceField(
        choices=CHOSEN,
        required=False,
        help_text="Visibility of the deals; by default, the one set for the club or for your own deals.",
    )


class SendQuery(DestinationQuery):
    """Query parameters for sending records."""

    encoding = serializers.ChoiceField(
        choices=[(name, ENCODING_NAMES[name]) for name in ENCODINGS],
        required=False,
        help_text="Encoding of texts that make sense in more than one; by default, they are not stored.",
    )


class ResultSerializer(serializers.Serializer):
    """The result of one record of an upload."""

    n = serializers.IntegerField(help_text="Position of the record in the body, from 0.")
    outcome = serializers.ChoiceField(choices=UploadItem.OUTCOMES, help_text="Outcome of the record.")
    id = serializers.IntegerField(allow_null=True, help_text="Id of the deal; null if there is none.")
    deal = DealKeyField(allow_null=True, help_text="Key of the deal as the club or sender describes it.")
    digest = DigestField(allow_null=True, help_text="Digest of the deal.")
    url = serializers.URLField(allow_null=True, help_text="URL of the deal.")
    verdict = serializers.ChoiceField(
        choices=VERDICTS, allow_null=True, help_text="Verdict on the deal as the club or sender describes it."
    )
    differs = serializers.ListField(
        child=serializers.ChoiceField(choices=WORDS),
        help_text="Names of the details that differ from those in the archive; empty if none do.",
    )
    advice = serializers.CharField(
        allow_null=True, help_text="Advice on what to do about `differs`; null if nothing differs."
    )
    warnings = FaultSerializer(
        many=True,
        help_text="Warnings about the stored record: the same name at two seats, or points of a result that "
        "don't add up to 0.",
    )
    error = FaultSerializer(allow_null=True, help_text="The first of `errors`; null if there is none.")
    errors = FaultSerializer(many=True, help_text="Independent errors of the record, in order; at most 20.")

    def to_representation(self, result: Result) -> Json:
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
    "those of this record, POST to /api/v1/uploads/{upload}/records/{n}/adopt.",
    "score": "Two records of this deal give different points. The cards count or, without cards, the score "
    "sheet. Correct whichever of the two is wrong.",
    "players": "The archive has a score sheet and a played deal with this session, game and number, but with "
    "other players. Both count. If they are one deal, correct the names in one of them.",
}
"""Advice to the sender, by `Result.conflict`."""


class UploadStateSerializer(serializers.Serializer):
    """The progress of an upload."""

    upload = serializers.IntegerField(help_text="Id of the upload.")
    url = serializers.URLField(help_text="URL of this report.")
    received_at = serializers.DateTimeField(help_text="Time when the upload was received.")
    finished = serializers.BooleanField(help_text="Whether the whole upload has been processed.")
    size = serializers.IntegerField(help_text="Size of the upload in bytes, unpacked and in UTF-8.")
    encoding = serializers.CharField(
        help_text="Encoding in which the text was read: `utf-8`, or for example `cp1250` (Windows-1250)."
    )
    parts = serializers.IntegerField(help_text="Number of parts into which the upload was split.")
    parts_done = serializers.IntegerField(help_text="Number of parts that have been processed.")
    expected = serializers.IntegerField(help_text="Estimated total number of records.")
    records = serializers.IntegerField(help_text="Number of records parsed.")
    stored = serializers.IntegerField(help_text="Number of new deals stored.")
    known = serializers.IntegerField(help_text="Number of deals that the archive already had.")
    malformed = serializers.IntegerField(help_text="Number of records that could not be parsed.")
    refused = serializers.IntegerField(
        help_text="Number of records that were parsed but could not be stored."
    )
    failed = serializers.IntegerField(
        help_text=(
            "Number of records that failed because of an error in the archive; a whole part that failed "
            "counts as one."
        )
    )


class UploadPageSerializer(serializers.Serializer):
    """A page of uploads."""

    next = serializers.URLField(allow_null=True, help_text="URL of the next page; null on the last page.")
    results = UploadStateSerializer(many=True, help_text="The uploads, newest first.")


class UploadSerializer(UploadStateSerializer):
    """An upload, with its progress and the results of its records."""

    next = serializers.URLField(
        allow_null=True, help_text="URL of the next results, available now or later; null after the last one."
    )
    results = ResultSerializer(many=True, help_text="Results of the records, in order.")


class RefusalSerializer(ProblemSerializer, UploadSerializer):
    """The error for an upload without any valid record: the first record's error, and the whole report."""


_OUR_FAULT = (
    "This record could not be stored because of a fault in the archive. The upload has been kept, and the "
    "operator can see it."
)


def result_errors(result: Result) -> list[Json]:
    """Return the errors of a record that was not stored, or the warnings about a stored one."""
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
