"""Serializers for records that are settled by another rule set."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from api.links import link
from api.serializers.fields import DigestField, FindingSerializer, Json, TextsField, encodable, seat_points
from tarock.analysis.settlements import Row, Settlements, by_rules, rules_of, settlements
from tarock.analysis.verify import VERDICTS
from tarock.core.findings import Finding
from tarock.notation import Entry, read_rules
from tarock.words import json_forms, sentences
from tarock.words.clauses import clause


class SettleQuery(serializers.Serializer):
    """Query parameters for settling records by other rules."""

    rules = serializers.CharField(
        required=False, max_length=64, help_text="Name of a rule set, such as `vysocina@1`."
    )
    options = serializers.CharField(
        required=False,
        max_length=2000,
        allow_blank=True,
        help_text="Options as in the tag `Options`, separated by blanks.",
    )


class SettlementSerializer(serializers.Serializer):
    """The settlement of a deal by one rule set."""

    rules = serializers.CharField(help_text="Name of the rule set; empty if it has none.")
    unit = serializers.CharField(help_text="Unit of the score: `point`, `h`, `cent` …")
    options = TextsField(help_text="Options that differ from the default, as in the tag `Options`.")
    verdict = serializers.ChoiceField(choices=VERDICTS, help_text="Verdict by these rules.")
    score = seat_points(allow_null=True, help_text="Score; null if the deal could not have been played so.")
    error = FindingSerializer(
        allow_null=True, help_text="Event and clause by which it could not; null if it could."
    )
    because = TextsField(help_text="Options without which it could have been played so.")


class SettledLineSerializer(serializers.Serializer):
    """A line of the score by both rule sets."""

    clause = serializers.CharField(help_text="Slug of the clause.")
    title = serializers.CharField(help_text="Title of the clause.")
    url = serializers.URLField(help_text="URL of the clause.")
    own = seat_points(allow_null=True, help_text="Points by the record's own rules; null without a line.")
    own_calculation = serializers.CharField(help_text="Calculation by the record's own rules, as a sentence.")
    points = seat_points(allow_null=True, help_text="Points by the requested rules; null without a line.")
    calculation = serializers.CharField(help_text="Calculation by the requested rules, as a sentence.")
    because = TextsField(help_text="Options that make the difference, as `slug=value`.")


class SettledRecordSerializer(serializers.Serializer):
    """A record settled by its own rules and by the requested ones."""

    n = serializers.IntegerField(help_text="Position of the record in the body, from 0.")
    game = serializers.CharField(allow_null=True, help_text="Game id; null if the record can't be parsed.")
    digest = DigestField(allow_null=True, help_text="Digest of the deal under its own rules.")
    own = SettlementSerializer(allow_null=True, help_text="Settlement by the record's own rules.")
    settled = SettlementSerializer(allow_null=True, help_text="Settlement by the requested rules.")
    lines = SettledLineSerializer(many=True, help_text="Lines of the score by both.")
    errors = FindingSerializer(
        many=True, help_text="Errors of a malformed record, or of rules that its game does not have."
    )


class SettlementsSerializer(serializers.Serializer):
    """The settlements of the records in a request body."""

    records = serializers.IntegerField(help_text="Number of records in the body.")
    results = SettledRecordSerializer(many=True, help_text="The settlement of each record, in order.")

    def to_representation(self, form: Json) -> Json:
        results = []
        for result in form["results"]:
            lines = [_with_link(line, self.context["request"]) for line in result["lines"]]
            results.append(result | {"lines": lines})
        return encodable(form | {"results": results})


def _with_link(line: Json, request: Any) -> Json:
    return line | {"url": link(request, "clause", line["clause"])}


def settled(entry: Entry, name: str, text: str) -> Json:
    """Return the settlement of a record by its own rules and by those with this name and options."""
    if entry.failure is not None:
        return _unsettled(entry, None, None, [Finding("failed", line=entry.line)])
    record = entry.record
    if record is None:
        return _unsettled(entry, None, None, entry.errors)
    words, wrong = read_rules(text.split(), name, record.info)
    if wrong:
        return _unsettled(entry, record.game, record.digest, wrong)
    both = settlements(record, by_rules(record, words, name))
    sides = [_side(both, n) for n in (0, 1)]
    lines = [_line(row, both) for row in both.rows]
    about = {"n": entry.n, "game": record.game, "digest": record.digest}
    return about | {"own": sides[0], "settled": sides[1], "lines": lines, "errors": []}


def _unsettled(entry: Entry, game: str | None, digest: str | None, wrong: Sequence[Finding]) -> Json:
    errors = [json_forms.finding_json(finding, game or "") for finding in wrong]
    about = {"n": entry.n, "game": game, "digest": digest}
    return about | {"own": None, "settled": None, "lines": [], "errors": errors}


def _side(both: Settlements, n: int) -> Json:
    record, checked = both.records[n], both.checks[n]
    error = checked.error
    return {
        "rules": rules_of(record),
        "unit": record.rules.unit,
        "options": list(record.options),
        "verdict": checked.verdict,
        "score": checked.score,
        "error": None if error is None else json_forms.finding_json(error, record.game),
        "because": [record.rules.word(slug) for slug in both.because[n]],
    }


def _line(row: Row, both: Settlements) -> Json:
    one, other = row.lines
    return {
        "clause": row.clause,
        "title": clause(row.clause).title,
        "own": one and one.points,
        "own_calculation": sentences.line(one) if one else "",
        "points": other and other.points,
        "calculation": sentences.line(other) if other else "",
        "because": [both.records[1].rules.word(slug) for slug in row.because],
    }
