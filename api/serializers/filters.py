"""Query parameters for lists of deals."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import MOST_NUMBER, CursorField, Json
from archive.addresses import KEY, Key
from archive.publishing import export
from archive.reading.conditions import rules_meant
from archive.reading.filters import FILTERS, Filter, lacking, split_names


class ListedField(serializers.CharField):
    """Field for comma-separated words, each of which must match a pattern. `read` converts each word."""

    MOST = 500

    def __init__(
        self, pattern: str, read: Callable[[str], Any], expected: str, example: str, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.pattern, self.read, self.expected = re.compile(pattern), read, expected
        written = f"^(?:{pattern})(?:,(?:{pattern})){{0,{self.MOST - 1}}}$"
        extend_schema_field({"type": "string", "pattern": written, "examples": [example]})(self)

    def to_internal_value(self, data: Any) -> tuple[Any, ...]:
        words = super().to_internal_value(data).split(",")
        if len(words) > self.MOST:
            raise serializers.ValidationError(
                f"There are {len(words)} of them; {self.MOST} are taken at most."
            )
        for word in words:
            if not self.pattern.fullmatch(word.strip()):
                raise serializers.ValidationError(f"“{word[:100]}” is not {self.expected}.")
        return tuple(dict.fromkeys(self.read(word.strip()) for word in words))


@extend_schema_field(
    {
        "anyOf": [{"type": "string", "format": "date"}, {"type": "string", "format": "date-time"}],
        "examples": ["2026-11-22", "2026-11-22T20:15:00Z"],
    }
)
class MomentField(serializers.Field):
    """Field for a time with a time zone, or for a day in UTC: the day's start or, with `end`, its end."""

    def __init__(self, *, end: bool = False, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.end = end

    def to_internal_value(self, data: Any) -> datetime:
        try:
            if len(data) == len("2026-11-22"):
                day = datetime.combine(date.fromisoformat(data), time(), UTC)
                return day + timedelta(days=1) if self.end else day
            moment = datetime.fromisoformat(data)
            if moment.tzinfo is not None:
                return moment.astimezone(UTC)
        except (ValueError, OverflowError):
            pass
        raise serializers.ValidationError(
            f"“{data[:100]}” is neither a day, 2026-11-22, nor a time with its zone, 2026-11-22T20:15:00Z."
        )


def parts_field(help_text: str) -> ListedField:
    """Return a field for comma-separated names of parts of a deal."""
    names = ", ".join(export.PARTS)
    return ListedField(
        "|".join(export.PARTS),
        str,
        f"a part of a deal; there are: {names}",
        "deal,verdict,score",
        required=False,
        help_text=help_text,
    )


class NamesField(serializers.CharField):
    """Field for comma-separated names."""

    def run_validation(self, data: Any = serializers.empty) -> tuple[str, ...]:
        return split_names(super().run_validation(data))


class RulesField(serializers.CharField):
    """Field for the rules of deals (`archive.reading.conditions.rules_meant`)."""

    def to_internal_value(self, data: Any) -> str:
        text = super().to_internal_value(data)
        try:
            rules_meant(text)
        except ValueError:
            raise serializers.ValidationError(
                "These are no rules. Expected: `seed`, the name of a published rule set or of a club's "
                "rules, or a game's options."
            ) from None
        return text


def _field(row: Filter, **options: Any) -> serializers.Field:
    """Return the serializer field for a filter."""
    options = {"required": False, "help_text": row.meaning} | options
    match row.kind:
        case "choice":
            return serializers.ChoiceField(choices=row.choices(), **options)
        case "text" | "player":
            return serializers.CharField(max_length=row.most or 200, **options)
        case "rules":
            return RulesField(max_length=row.most, **options)
        case "names":
            return NamesField(max_length=row.most, **options)
        case "number" | "id":
            return serializers.IntegerField(min_value=row.least, max_value=row.most or MOST_NUMBER, **options)
        case "day":
            return serializers.DateField(**options)
        case "moment" | "moment_end":
            return MomentField(end=row.kind == "moment_end", **options)
        case "keys":
            return ListedField(
                KEY,
                Key.read,
                "the number of a deal, `12`, or that of a deal as a contribution says it, `12-45`",
                "12,13-45",
                **options,
            )
        case "digests":
            return ListedField(
                "[0-9a-fA-F]{64}",
                bytes.fromhex,
                "a digest, 64 hexadecimal digits",
                "aa7acc2146aa2a09f640fef47e032924f3fc426db5e6e3bc13e097234737dc0a",
                **options,
            )
    assert row.kind in ("own", "flag")
    return serializers.BooleanField(**options)


def parameter(name: str, **options: Any) -> serializers.Field:
    """Return the query parameter for a filter, for an endpoint that takes only some filters."""
    return _field(FILTERS[name], **options)


def _parameters() -> Iterator[tuple[str, serializers.Field]]:
    """Yield the name and field of each query parameter. A player filter has two: by name and by id."""
    for name, row in FILTERS.items():
        if row.meaning:
            yield (row.parameter, _field(row, source=name)) if row.parameter else (name, _field(row))
        if row.kind == "player":
            by_id = Filter("id", "Only deals in which the player with this id sat at the table.")
            yield f"{name}_id", _field(by_id, source=name)


class DealFilters(serializers.Serializer):
    """Filters for lists of deals. Only deals that match all filters are listed."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return dict(_parameters()) | super().get_fields()

    def validate(self, attrs: Json) -> Json:
        """Reject a role without a player, an effect without a clause, and a player given by name and id."""
        if {"player", "player_id"} <= set(self.initial_data):
            raise serializers.ValidationError({"player_id": "This and `player` are not asked for together."})
        for name, row in lacking(attrs):
            raise serializers.ValidationError({name: f"This asks for `{row.needs}`, too."})
        return attrs


class DealListQuery(DealFilters):
    """Query parameters for a list of deals: filters, order and page."""

    order = serializers.ChoiceField(
        choices=["newest", "oldest"],
        required=False,
        help_text="Order by id: newest first (default for pages) or oldest first (default for streams).",
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=100_000_000,
        help_text=(
            "Maximum number of deals in one response: 20 by default and at most 500 on a page, unlimited "
            "by default in a stream."
        ),
    )
    cursor = CursorField()
    fields = parts_field("Parts of each deal to include, separated by commas.")
    delimiter = serializers.ChoiceField(
        choices=export.DELIMITERS,
        required=False,
        help_text="Column separator of CSV. With `;` (`%3B` in a URL), numbers have a decimal comma.",
    )
