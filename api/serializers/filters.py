"""The query of lists of deals."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from archive.addresses import KEY, Key
from archive.models import VERDICTS
from archive.publishing import export
from archive.reading import selectors
from tarock.clauses import clauses

from .fields import MOST_NUMBER, Json, game_choices


def _part(help_text: str, **kwargs: Any) -> serializers.CharField:
    return serializers.CharField(required=False, max_length=200, help_text=help_text, **kwargs)


def _number(help_text: str, **kwargs: Any) -> serializers.IntegerField:
    return serializers.IntegerField(
        required=False, min_value=0, max_value=MOST_NUMBER, help_text=help_text, **kwargs
    )


class ListedField(serializers.CharField):
    """Words of one kind with commas between."""

    MOST = 500

    def __init__(
        self, pattern: str, read: Callable[[str], Any], expected: str, example: str, **kwargs: Any
    ) -> None:
        super().__init__(required=False, help_text=kwargs.pop("help_text"), **kwargs)
        self.pattern, self.read, self.expected = re.compile(pattern), read, expected
        written = f"^(?:{pattern})(?:,(?:{pattern})){{0,{self.MOST - 1}}}$"
        extend_schema_field({"type": "string", "pattern": written, "examples": [example]})(self)

    def to_internal_value(self, data: Any) -> tuple[Any, ...]:
        """The values of the words, each once."""
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
    """A day (in UTC: its beginning, or with ``end`` its end), or a time with its zone."""

    def __init__(self, *, end: bool = False, **kwargs: Any) -> None:
        super().__init__(required=False, **kwargs)
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
    """A list of parts of a deal."""
    names = ", ".join(export.PARTS)
    return ListedField(
        "|".join(export.PARTS),
        str,
        f"a part of a deal; there are: {names}",
        "deal,verdict,score",
        help_text=help_text,
    )


class NamesField(serializers.CharField):
    """Names with commas between."""

    def to_internal_value(self, data: Any) -> tuple[str, ...]:
        # The field's own validator would count them, not their letters.
        if isinstance(data, str) and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        names = super().to_internal_value(data).split(",")
        return tuple(name.strip() for name in names if name.strip())[:7]


class DealFilters(serializers.Serializer):
    """The filters of lists of deals; those given must all hold."""

    game = serializers.ChoiceField(
        choices=game_choices(), required=False, help_text="Only deals of this game."
    )
    verdict = serializers.ChoiceField(
        choices=VERDICTS, required=False, help_text="Only deals shown with this verdict."
    )
    player = _part("Only deals at which a player of this name sat (in any case, with or without marks).")
    player_id = _number("Only deals at which the player of this number sat.", source="player")
    role = serializers.ChoiceField(
        choices=selectors.ROLES,
        required=False,
        help_text="Only deals in which the player who is asked for was this; an opponent in deals with a "
        "score alone.",
    )
    with_players = NamesField(
        required=False,
        max_length=500,
        help_text="Only deals at which players of these names, with commas between, sat too.",
    )
    date_from = serializers.DateField(required=False, help_text="Only deals played on this day or later.")
    date_to = serializers.DateField(required=False, help_text="Only deals played on this day or earlier.")
    club = _number("Only what the club of this number says.", source="space")
    club_name = _part("Only deals of clubs whose name holds this.", source="club")
    session = _part("Only deals of sessions whose name holds this.")
    event = _part("Only deals whose event holds this.")
    site = _part("Only deals whose place holds this.")
    text = _part("Only deals whose event, place, session, comments or other tags hold this.")
    contract = serializers.CharField(
        required=False, max_length=100, help_text="Only deals with this contract."
    )
    result = serializers.CharField(
        required=False, max_length=20, help_text="Only deals that ended so, as `facts.result` says it: `won`."
    )
    points_from = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=1000,
        help_text="Only deals in which the declarer’s side has so many card points or more.",
    )
    points_to = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=1000,
        help_text="Only deals in which the declarer’s side has so many card points or fewer.",
    )
    clause = serializers.ChoiceField(
        choices=[(one.slug, one.title) for one in clauses()],
        required=False,
        help_text="Only deals whose score has a line of this clause, or that broke it.",
    )
    effect = serializers.ChoiceField(
        choices=selectors.EFFECTS,
        required=False,
        help_text="Only deals in which the `clause` gave the player (without one, the declarer) points, "
        "took some, or was broken.",
    )
    seats = serializers.IntegerField(
        required=False, min_value=2, max_value=8, help_text="Only deals of so many players."
    )
    ids = ListedField(
        KEY,
        Key.read,
        "the number of a deal, `12`, or that of a deal as a contribution says it, `12-45`",
        "12,13-45",
        help_text="Only these deals, with commas between: numbers, `12`, or keys, `12-45`; 500 at most.",
    )
    digest = ListedField(
        "[0-9a-fA-F]{64}",
        bytes.fromhex,
        "a digest, 64 hexadecimal digits",
        "aa7acc2146aa2a09f640fef47e032924f3fc426db5e6e3bc13e097234737dc0a",
        help_text="Only deals with these digests, with commas between; 500 at most.",
    )
    mine = serializers.BooleanField(
        required=False, help_text="With `true`: only deals that you sent; this wants a token."
    )
    after = _number("Only deals with a greater number than this.")
    before = _number("Only deals with a smaller number than this.")
    since = MomentField(
        help_text="Only deals stored at this time or later: `2026-11-22` (in UTC) or `2026-11-22T20:15:00Z`."
    )
    until = MomentField(
        end=True, help_text="Only deals stored before this time; of a day, until its end (in UTC)."
    )

    def validate(self, attrs: Json) -> Json:
        """Refuse a role without a player, an effect without a clause, a player by both name and number."""
        if {"player", "player_id"} <= set(self.initial_data):
            raise serializers.ValidationError({"player_id": "This and `player` are not asked for together."})
        for name, other in (("role", "player"), ("effect", "clause")):
            if name in attrs and other not in attrs:
                raise serializers.ValidationError({name: f"This asks for `{other}`, too."})
        return attrs


class DealListQuery(DealFilters):
    """The filters of a list, its order, and how much of it is wanted."""

    order = serializers.ChoiceField(
        choices=["newest", "oldest"],
        required=False,
        help_text="By number: the latest stored first (pages, unless said), or the oldest (streams).",
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=100_000_000,
        help_text="The most deals in one answer: on a page 20 unless said and 500 at most, in a stream as "
        "many as there are.",
    )
    cursor = serializers.CharField(
        required=False, max_length=200, help_text="Where to go on: taken from the `next` of the page before."
    )
    fields = parts_field("The parts of each deal that are wanted, with commas between.")
