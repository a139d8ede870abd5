"""How answers look. A serializer shows what the archive holds and the engine found; it works nothing out.

Those for values of the engine (a position, a finding) are made from its classes (`api.values`).
"""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from archive.access import Viewer
from archive.addresses import KEY, WHOLE_KEY, Key
from archive.database import storable
from archive.models import (
    CHOSEN,
    ROLES,
    SCOPES,
    VERDICTS,
    Campaign,
    Contribution,
    Deal,
    Member,
    UploadItem,
    Webhook,
)
from archive.publishing import export, webhooks
from archive.publishing.columns import as_json
from archive.reading import operation
from archive.reading.deals import contributions_to
from archive.reading.filters import EFFECTS, SEAT_ROLES
from archive.reading.uploads import Original, Result
from archive.storing import feed
from archive.storing.contribution_data import WORDS
from tarock import games, replay, sentences
from tarock.clauses import KINDS, Clause, clause, clauses
from tarock.findings import Finding
from tarock.game import SEATS
from tarock.notation import Entry
from tarock.position import Choices, Position, Step
from tarock.scoring import Counting, Happening, ScoreLine
from tarock.verify import VERDICTS as RECORD_VERDICTS
from tarock.verify import Check, check_entry

from . import errors
from .links import link, of_deals
from .values import VALUE, ValueSerializer, serializer

Json = dict[str, Any]

MOST_NUMBER = 2**63 - 1
"""The largest number that the databases can hold."""

# --- errors -------------------------------------------------------------------------------------------------


class PlaceSerializer(serializers.Serializer):
    """Where a fault is; what does not apply is null."""

    record = serializers.IntegerField(
        allow_null=True, help_text="Position of the record in the body, from 0."
    )
    line = serializers.IntegerField(allow_null=True, help_text="Line of the body, from 1.")
    column = serializers.IntegerField(allow_null=True, help_text="Column of the line, from 1.")
    pointer = serializers.CharField(
        allow_null=True, help_text="RFC 6901 pointer into the JSON of the record."
    )
    field = serializers.CharField(allow_null=True, help_text="The query parameter.")


class FaultSerializer(serializers.Serializer):
    """What is wrong, and where."""

    code = serializers.ChoiceField(
        choices=list(errors.CODES.items()), help_text="A stable word for programs."
    )
    detail = serializers.CharField(help_text="A sentence for people.")
    where = PlaceSerializer(allow_null=True, help_text="The place of the fault; null where it has none.")


class ProblemSerializer(FaultSerializer):
    """Every error of this API has this shape (RFC 9457)."""

    type = serializers.CharField(help_text="Address of what the code means.")
    title = serializers.CharField(help_text="What it means, in short.")
    status = serializers.IntegerField(help_text="The status of the answer.")


# --- what is asked for --------------------------------------------------------------------------------------


def _game_choices() -> list[tuple[str, str]]:
    return [(game.id, game.name) for game in games.games()]


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
        """What the words mean, each once."""
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
        """The moment."""
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


def _parts(help_text: str) -> ListedField:
    """Parts of deals that can be asked for."""
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
        """The names."""
        # The field's own validator would count them, not their letters.
        if isinstance(data, str) and len(data) > self.max_length:
            self.fail("max_length", max_length=self.max_length)
        names = super().to_internal_value(data).split(",")
        return tuple(name.strip() for name in names if name.strip())[:7]


class DealFilters(serializers.Serializer):
    """The filters of lists of deals; those given must all hold."""

    game = serializers.ChoiceField(
        choices=_game_choices(), required=False, help_text="Only deals of this game."
    )
    verdict = serializers.ChoiceField(
        choices=VERDICTS, required=False, help_text="Only deals shown with this verdict."
    )
    player = _part("Only deals at which a player of this name sat (in any case, with or without marks).")
    player_id = _number("Only deals at which the player of this number sat.", source="player")
    role = serializers.ChoiceField(
        choices=SEAT_ROLES,
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
        choices=EFFECTS,
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
        """A role is a player's, an effect a clause's; a player is asked for by name or number."""
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
    fields = _parts("The parts of each deal that are wanted, with commas between.")


class ScoreListQuery(DealFilters):
    """The filters of the deals counted and the page of the list."""

    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=500, default=100, help_text="The most players in one answer."
    )
    offset = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=1_000_000,
        default=0,
        help_text="How many players to pass over.",
    )


class ViewQuery(serializers.Serializer):
    """Through whose eyes."""

    view = serializers.ChoiceField(
        choices=list(SEATS),
        required=False,
        help_text="A seat: only what this seat may know. Without it, all cards are open.",
    )


class UploadListQuery(serializers.Serializer):
    """Which page of uploads."""

    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=500, default=20, help_text="The most uploads in one answer."
    )
    cursor = serializers.CharField(
        required=False, max_length=200, help_text="Where to go on: taken from the `next` of the page before."
    )


class UploadQuery(serializers.Serializer):
    """Which results of an upload."""

    after = serializers.IntegerField(
        required=False,
        min_value=-1,
        max_value=2**31 - 1,
        default=-1,
        help_text="Only results of records after this position.",
    )
    limit = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=1000,
        default=1000,
        help_text="The most results in one answer.",
    )
    wrong = serializers.BooleanField(
        required=False,
        default=False,
        help_text="Only records that were not kept, or say something else than their sender said before.",
    )


class SendQuery(serializers.Serializer):
    """For whom something is sent."""

    club = serializers.IntegerField(
        required=False,
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


class ChangesQuery(serializers.Serializer):
    """Which changes."""

    after = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=MOST_NUMBER,
        default=0,
        help_text="Only changes after this number; 0 for all.",
    )
    limit = serializers.IntegerField(
        required=False, min_value=1, max_value=500, default=100, help_text="The most changes in one answer."
    )
    club = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MOST_NUMBER,
        help_text="Only changes of what the club of this number says.",
    )
    fields = _parts("The parts of each deal that are wanted in `shown`, with commas between.")


@extend_schema_field({"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 500})
class SecureAddressField(serializers.CharField):
    """An address to send to; `archive.publishing.outgoing` says which may be."""


class WebhookRequest(serializers.Serializer):
    """A webhook that is to be."""

    url = SecureAddressField(max_length=500, help_text="Where to send: `https://…`.")
    club = serializers.IntegerField(
        required=False,
        default=None,
        allow_null=True,
        min_value=1,
        max_value=MOST_NUMBER,
        help_text="Number of the club whose changes are sent, which you own; else those of your own deals.",
    )


class ClauseListQuery(serializers.Serializer):
    """Which clauses."""

    game = serializers.ChoiceField(
        choices=[("common", "Common to all games"), *_game_choices()],
        required=False,
        help_text="Only the clauses of this game, or those `common` to all.",
    )


# --- small parts --------------------------------------------------------------------------------------------


class FindingSerializer(ValueSerializer):
    of = Finding
    message = serializers.CharField(help_text="A sentence for people.")


def _seat_points(**kwargs: Any) -> serializers.DictField:
    return serializers.DictField(child=serializers.IntegerField(), **kwargs)


class SeatField(serializers.RegexField):
    """A seat."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(f"^[{SEATS}]$", **kwargs)


class DealKeyField(serializers.RegexField):
    """A deal as a contribution says it."""

    ABOUT = "The deal as a contribution says it, `12-45`: the numbers of both."

    def __init__(self, *, help_text: str = ABOUT, **kwargs: Any) -> None:
        super().__init__(f"^{WHOLE_KEY}$", help_text=help_text, **kwargs)


class DigestField(serializers.RegexField):
    """The digest of a deal."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__("^[0-9a-f]{64}$", **kwargs)


def _club() -> serializers.IntegerField:
    return serializers.IntegerField(
        allow_null=True, help_text="Number of the club whose words these are; null for a person’s own."
    )


def _club_name() -> serializers.CharField:
    return serializers.CharField(allow_null=True, help_text="Name of that club.")


class SeatedSerializer(serializers.Serializer):
    """A seat of a deal: who sat there, and what the deal gave."""

    seat = SeatField(help_text="The seat.")
    player = serializers.CharField(help_text="The player’s name.")
    player_id = serializers.IntegerField(help_text="Number of the player: each club has its own.")
    points = serializers.IntegerField(allow_null=True, help_text="Null without a score.")


class ScoreLineSerializer(ValueSerializer):
    of = ScoreLine
    title = serializers.CharField(help_text="Title of the clause.")
    url = serializers.URLField(help_text="Address of the clause.")
    to = serializers.ListField(child=serializers.CharField(), help_text="The seats it goes to.")
    reckoning = serializers.CharField(help_text="The arithmetic as people write it.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """The fields above and `from`, which Python keeps for itself."""
        giving = serializers.ListField(child=serializers.CharField(), help_text="The seats it comes from.")
        return {**super().get_fields(), "from": giving}

    def to_representation(self, line: ScoreLine) -> Json:
        """The engine's own JSON of the line, with the title and address of its clause."""
        try:
            title = clause(line.clause).title
        except KeyError:  # a line of an older engine whose clause is no more
            title = line.clause
        try:
            written = sentences.line_json(line)
        except KeyError:  # or one of whose sentences
            written = sentences.line_json(line._replace(sentences=()))
        url = link(self.context["request"], "clause", line.clause)
        return {**written, "title": title, "url": url}


# --- deals --------------------------------------------------------------------------------------------------


class DealSerializer(serializers.Serializer):
    """A deal as it stands in lists, as the contribution says it that shows it."""

    id = serializers.IntegerField(help_text="Number of the deal, whoever says what of it.")
    deal = DealKeyField()
    url = serializers.URLField(help_text="Address of the deal.")
    digest = DigestField(help_text="SHA-256 of the deal as played: the same deal has the same digest.")
    game = serializers.ChoiceField(choices=_game_choices(), help_text="The game.")
    verdict = serializers.ChoiceField(choices=VERDICTS, help_text="What the engine found.")
    players = SeatedSerializer(many=True, help_text="Who sat where.")
    dealer = SeatField(help_text="Seat of the dealer.")
    date = serializers.CharField(help_text="As written, unknown parts as `??`; empty if not.")
    event = serializers.CharField(help_text="As written; empty if not.")
    site = serializers.CharField(help_text="The place as written; empty if not.")
    club = _club()
    club_name = _club_name()
    session = serializers.CharField(allow_null=True, help_text="Name of the session.")
    deal_number = serializers.IntegerField(allow_null=True, help_text="Number within the session.")
    declarer = SeatField(allow_null=True, help_text="Seat of the declarer, if the game and the deal had one.")
    partner = SeatField(allow_null=True, help_text="Seat of the declarer’s partner.")
    contract = serializers.CharField(help_text="Empty where none came about.")
    result = serializers.CharField(help_text="How it ended: `won`, `lost` …; empty without a score.")
    card_points = serializers.IntegerField(allow_null=True, help_text="Of the declarer’s side.")
    clauses = serializers.ListField(
        child=serializers.CharField(), help_text="Those that the score cites, or the one that was broken."
    )
    score = _seat_points(
        allow_null=True, help_text="Seat → points, for a deal played to its end by the rules."
    )
    claim = _seat_points(allow_null=True, help_text="The score its players wrote down.")
    engine_version = serializers.CharField(help_text="The engine that found the verdict.")
    verified_at = serializers.DateTimeField(help_text="When it found that.")
    stored_at = serializers.DateTimeField(
        help_text="When the deal came. It does not grow with the numbers: go on by these."
    )

    def to_representation(self, deal: Deal) -> Json:
        """The parts above."""
        parts = [name for name in self.fields if name in export.PARTS]
        return export.entry(deal, parts, of_deals(self.context["request"]))


@extend_schema_field({"type": "integer", "const": 1})
class VersionField(serializers.IntegerField):
    """The version of the notation."""


class RecordSerializer(serializers.Serializer):
    """The JSON form of TGN."""

    tgn = VersionField(help_text="The version of the notation.")
    game = serializers.ChoiceField(choices=_game_choices(), help_text="The game.")
    dealer = SeatField(help_text="Seat of the dealer.")
    players = serializers.DictField(
        child=serializers.CharField(allow_blank=True), help_text="Seat → name, of all seats."
    )
    options = serializers.ListField(
        child=serializers.CharField(), required=False, help_text="The options of the table."
    )
    tags = serializers.DictField(
        child=serializers.CharField(allow_blank=True), required=False, help_text="Further tags, as `Event`."
    )
    deal = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="Seat, pile or `talon` → the cards dealt there.",
    )
    events = serializers.ListField(
        child=serializers.ListField(child=serializers.CharField()),
        help_text="What was said and played, in order: seat, verb, words.",
    )
    comments = serializers.DictField(
        child=serializers.ListField(child=serializers.CharField()),
        required=False,
        help_text="Number of events before it → comments.",
    )
    score = _seat_points(required=False, help_text="The score that was written down: seat → points.")


class WholeDealSerializer(DealSerializer):
    """All that is stored of a deal that is shown by a contribution."""

    record = RecordSerializer(help_text="The record in the JSON form of TGN, as the contribution says it.")
    finding = FindingSerializer(allow_null=True, help_text="What is wrong with it.")


class ListedDealSerializer(WholeDealSerializer):
    """A deal in a list, with the parts that were asked for."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """Each may be left out."""
        fields: dict[str, serializers.Field] = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields

    def to_representation(self, deal: Deal) -> Json:
        """The parts in the context as `fields`; else those that every list has."""
        parts = self.context.get("fields") or export.LISTED
        return export.entry(deal, parts, of_deals(self.context["request"]))


class DealPageSerializer(serializers.Serializer):
    """A page of deals."""

    next = serializers.URLField(allow_null=True, help_text="Address of the following page; null on the last.")
    results = ListedDealSerializer(many=True, help_text="The deals.")


class DealLinks(serializers.Serializer):
    """What else there is of a deal."""

    replay = serializers.URLField(help_text="Its events in words.")
    score = serializers.URLField(help_text="Its verdict and its score, line by line.")
    original = serializers.URLField(
        allow_null=True, help_text="What was sent for it, as it was sent; null for who may not see that."
    )
    tgn = serializers.URLField(
        allow_null=True, help_text="Its canonical text; null where text cannot write it."
    )


class ContributionSerializer(serializers.Serializer):
    """What one club, or one person, says of a deal."""

    deal = DealKeyField()
    url = serializers.URLField(help_text="Address of the deal as this contribution says it.")
    club = _club()
    club_name = _club_name()
    players = SeatedSerializer(many=True, help_text="Who sat where.")
    session = serializers.CharField(allow_null=True, help_text="Name of the session.")
    deal_number = serializers.IntegerField(allow_null=True, help_text="Number within the session.")
    date = serializers.CharField(help_text="As written, unknown parts as `??`; empty if not.")
    event = serializers.CharField(help_text="As written; empty if not.")
    site = serializers.CharField(help_text="The place as written; empty if not.")
    claim = _seat_points(allow_null=True, help_text="The score its players wrote down.")
    verdict = serializers.ChoiceField(
        choices=VERDICTS, help_text="That on the deal, or `disputed` where the claim is not its score."
    )
    sender = serializers.CharField(
        required=False,
        help_text="Who sent it: shown to himself and to the operator's staff, and left out for all others.",
    )

    def to_representation(self, contribution: Contribution) -> Json:
        """All that the sender said beside the deal; who he is, if it is the asker's to know."""
        viewer: Viewer = self.context["viewer"]
        fields = {
            "deal": str(contribution.key),
            "url": link(self.context["request"], "deal", contribution.key),
            "club": contribution.space.club,
            "club_name": contribution.space.club_name,
            **as_json(None, contribution, ("players",)),
            "session": contribution.session.name if contribution.session else None,
            "deal_number": contribution.number,
            "date": contribution.date,
            "event": contribution.event,
            "site": contribution.site,
            "claim": contribution.claimed,
            "verdict": contribution.verdict,
        }
        sender = contribution.sender
        if sender is not None and (viewer.operator or viewer.user == sender.pk):
            fields["sender"] = sender.get_username()
        return fields


class DealDetailSerializer(WholeDealSerializer):
    """A deal with its whole record, and what everybody said of it."""

    MOST_CONTRIBUTIONS = 100

    options = serializers.ListField(
        child=serializers.CharField(), help_text="The options of the table, as in the record."
    )
    contributions = ContributionSerializer(
        many=True,
        help_text=f"What each sender said of it, the first one first; {MOST_CONTRIBUTIONS} at most.",
    )
    links = DealLinks(help_text="What else there is of it.")

    def to_representation(self, deal: Deal) -> Json:
        """All that is stored of it, and where there is more."""
        fields = super().to_representation(deal)
        contributions = contributions_to(deal, self.context["viewer"])[: self.MOST_CONTRIBUTIONS]
        return fields | {
            "options": fields["record"]["options"],
            "contributions": ContributionSerializer(contributions, many=True, context=self.context).data,
            "links": self._links(deal),
        }

    def _links(self, deal: Deal) -> Json:
        request = self.context["request"]
        key, names = deal.representative.key, ("replay", "score", "original")
        at: Json = {name: link(request, f"deal-{name}", key) for name in names}
        if not self.context["viewer"].may_see_original(deal.representative):
            at["original"] = None
        text = link(request, "deal", key, format="tgn") if deal.canonical is not None else None
        return {**at, "tgn": text}


class OriginalSerializer(serializers.Serializer):
    """What was sent for a deal."""

    deal = DealKeyField()
    form = serializers.ChoiceField(choices=("tgn", "json"), help_text="In which form it was sent.")
    text = serializers.CharField(help_text="The record as it was sent, character by character.")
    received_at = serializers.DateTimeField(help_text="When it came.")

    def to_representation(self, found: tuple[Deal, Original]) -> Json:
        """The text, and where it belongs."""
        deal, original = found
        fields = {"form": original.form, "received_at": original.received_at}
        # Of bytes that are no UTF-8 nothing is stored; should there be some, an answer cannot hold them.
        text = original.text.encode(errors="surrogateescape").decode(errors="replace")
        return {"deal": str(deal.representative.key), **fields, "text": text}


def _or_null(kind: str) -> Json:
    return {"type": [kind, "null"]}


_OF_SEATS = {"type": "object", "additionalProperties": {"type": "integer"}}
_WORDS = {"type": "array", "items": {"type": "string"}}


@extend_schema_field(
    {
        "type": "object",
        "properties": {
            "declarer": _or_null("string"),
            "partner": _or_null("string"),
            "contract": _or_null("string"),
            "result": {"type": "string"},
            "card_points": _OF_SEATS,
            "tricks": _OF_SEATS,
            "announcements": {"type": "array", "items": _WORDS},
            "bonuses": _WORDS,
            "options": _WORDS,
        },
        # Others are a game's own.
        "additionalProperties": VALUE,
    }
)
class FactsField(serializers.DictField):
    """What the engine found in a deal."""


class SheetSerializer(serializers.Serializer):
    """The score of a deal, line by line, and how its cards were counted, from what the engine says."""

    verdict = serializers.ChoiceField(choices=VERDICTS, help_text="What the engine found.")
    score = _seat_points(allow_null=True, help_text="Seat → points: the sums of the lines.")
    played = serializers.SerializerMethodField(
        help_text="What was played, phrase by phrase: contract, declarer, called card, doubles … "
        "Empty without a score."
    )
    lines = ScoreLineSerializer(many=True, help_text="The lines, each made by its clause.")
    counts = serializer(Counting)(
        source="countings", many=True, help_text="How the cards of each side were counted."
    )
    facts = FactsField(
        help_text="What the engine found: declarer, partner, contract, result, bonuses …",
    )
    claim = _seat_points(allow_null=True, help_text="The score its players wrote down.")

    def get_played(self, checked: Check) -> list[str]:
        """What was played."""
        if checked.score is None:
            return []
        return sentences.heading(checked.facts, sentences.Names(checked.game or ""))


class ScoreSheetSerializer(SheetSerializer):
    """The audit of a deal: its verdict, its score line by line, how the cards were counted."""

    deal = DealKeyField()
    finding = FindingSerializer(allow_null=True, help_text="What is wrong, where something is.")
    engine_version = serializers.CharField(help_text="The engine that found the verdict.")
    verified_at = serializers.DateTimeField(help_text="When it found that.")

    def to_representation(self, deal: Deal) -> Json:
        """What is stored of the deal, and what the engine says of it now."""
        contribution, names = deal.representative, ("finding", "engine_version", "verified_at")
        checked = replace(
            deal.checked,
            verdict=contribution.verdict,
            score=deal.score,
            lines=deal.lines,
            claim=contribution.claimed,
        )
        sheet = SheetSerializer(checked, context=self.context).data
        return {"deal": str(deal.representative.key), **sheet, **export.entry(deal, names)}


# --- replay -------------------------------------------------------------------------------------------------


class HappeningSerializer(ValueSerializer):
    of = Happening
    text = serializers.CharField(help_text="A sentence for people.")


class PositionsSerializer(serializers.Serializer):
    """All steps of a replay, each with the whole table."""

    deal = DealKeyField()
    view = SeatField(allow_null=True, help_text="The seat that looks; null for all cards open.")
    steps = serializers.IntegerField(help_text="The last step that can be shown.")
    events = serializer(Step)(many=True, help_text="The events in outline: the one before step 1 first.")
    positions = serializer(Position)(many=True, help_text="The table at each step, from 0 on.")


class OutlineSerializer(serializers.Serializer):
    """All steps of a replay in outline."""

    deal = DealKeyField()
    view = SeatField(allow_null=True, help_text="The seat that looks; null for all cards open.")
    steps = serializers.IntegerField(help_text="The last step that can be shown.")
    events = serializer(Step)(many=True, help_text="The events: the one before step 1 first.")


# --- games and clauses --------------------------------------------------------------------------------------


class GameSerializer(serializers.Serializer):
    """A game: the fixed facts of it."""

    id = serializers.CharField(help_text="By what it is named everywhere.")
    url = serializers.SerializerMethodField(help_text="Its address.")
    name = serializers.CharField(help_text="What people call it.")
    description = serializers.CharField(help_text="What it is, in a few sentences.")
    seats = serializers.ListField(child=serializers.IntegerField(), help_text="How many may play.")
    pack = serializers.IntegerField(help_text="Cards in the pack.")
    points = serializers.IntegerField(help_text="Card points in the pack.")
    direction = serializers.CharField(help_text="In which direction one plays.")
    verbs = serializers.ListField(child=serializers.CharField(), help_text="What a seat can say or do.")
    options = serializers.ListField(
        child=serializers.CharField(), help_text="The words its tag Options may hold."
    )
    clauses = serializers.SerializerMethodField(help_text="Address of its clauses.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_url(self, game: Any) -> str:
        """Address of the game."""
        return link(self.context["request"], "game", game.id)

    @extend_schema_field(OpenApiTypes.URI)
    def get_clauses(self, game: Any) -> str:
        """Address of its clauses."""
        return link(self.context["request"], "clauses", game=game.id)


class ClauseSerializer(serializers.Serializer):
    """A clause of the rules, or a ruling where they are silent."""

    slug = serializers.CharField(help_text="By what scores and findings cite it.")
    url = serializers.SerializerMethodField(help_text="Its address.")
    game = serializers.CharField(help_text="A game, or `common`.")
    title = serializers.CharField(help_text="Its title.")
    text = serializers.CharField(help_text="What it says.")
    kind = serializers.ChoiceField(
        choices=KINDS, help_text="Whether the game’s document says it, or the archive had to decide."
    )
    reason = serializers.CharField(help_text="For rulings: why. Else empty.")
    source = serializers.CharField(help_text="Where the rule comes from.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_url(self, found: Clause) -> str:
        """Address of the clause."""
        return link(self.context["request"], "clause", found.slug)


class PlayerScoreSerializer(serializers.Serializer):
    """What a player has in one game from the deals that were counted."""

    game = serializers.ChoiceField(
        choices=_game_choices(), help_text="The game: points of several are not added up."
    )
    player = serializers.CharField(source="name", help_text="The player’s name.")
    player_id = serializers.IntegerField(
        source="person", help_text="Number of the player: each club has its own."
    )
    club = serializers.IntegerField(
        allow_null=True, help_text="Number of the club whose player this is; null for a person’s own players."
    )
    club_name = serializers.SerializerMethodField(help_text="Name of that club.")
    deals = serializers.IntegerField(help_text="In how many of the counted deals this player had a part.")
    points = serializers.IntegerField(source="total", help_text="What the rules give in all of them.")

    def get_club_name(self, row: Json) -> str | None:
        """The club whose player this is."""
        return row["club_name"] or None


class PlayerScorePageSerializer(serializers.Serializer):
    """A page of players with their points."""

    next = serializers.URLField(allow_null=True, help_text="Address of the following page; null on the last.")
    results = PlayerScoreSerializer(
        many=True, help_text="The players of a game, most points first, game by game."
    )


# --- uploads ------------------------------------------------------------------------------------------------


class ResultSerializer(serializers.Serializer):
    """What became of one record of an upload."""

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
        help_text="What is said otherwise here than the same sender said of the deal before; that stands.",
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
        """The result with the address of its deal."""
        key = None if result.deal is None else Key(result.deal, result.contribution)
        wrong = [] if key else result_errors(result)
        return {
            "n": result.n,
            "outcome": result.outcome,
            "id": result.deal,
            "deal": str(key) if key and key.contribution else None,
            "digest": result.digest,
            "url": link(self.context["request"], "deal", key) if key else None,
            "verdict": result.verdict,
            "differs": list(result.differs),
            "error": wrong[0] if wrong else None,
            "errors": wrong,
        }


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


class CorrectedSerializer(serializers.Serializer):
    """What was corrected of a deal."""

    deal = DealKeyField()
    url = serializers.URLField(help_text="Address of the deal.")
    changed = serializers.ListField(
        child=serializers.ChoiceField(choices=(*WORDS, "visibility", "club")),
        help_text="What is said otherwise now.",
    )


class VisibilityRequest(serializers.Serializer):
    """Who may see a deal."""

    visibility = serializers.ChoiceField(
        choices=(*CHOSEN, "withdrawn"),
        help_text="All, who has its link, members of the club; or nobody, by its withdrawal.",
    )


class MoveRequest(serializers.Serializer):
    """Where a deal goes."""

    club = serializers.IntegerField(
        min_value=1, max_value=MOST_NUMBER, help_text="Number of a club of which you are a member."
    )


class ChangedSerializer(serializers.Serializer):
    """How many deals were changed."""

    changed = serializers.IntegerField(help_text="Number of deals that others see than before.")


class RefusalSerializer(ProblemSerializer, UploadSerializer):
    """The error of an upload of which nothing could be taken: that of its first record, with the report on
    all of them."""


def result_errors(result: Result) -> list[Json]:
    """What is wrong with a record that was not kept, with its places in the body."""
    if not result.findings:
        where = errors.place(record=result.n, line=result.line)
        return [errors.fault("server_error", errors.OUR_FAULT, where)]
    code = "malformed" if result.outcome == "malformed" else "refused"
    return [
        errors.fault(
            code,
            sentences.message(found),
            errors.place(record=result.n, line=found.line, column=found.column, pointer=found.pointer),
        )
        for found in result.findings
    ]


class CheckedSerializer(serializers.Serializer):
    """What every answer of the engine on one record says."""

    n = serializers.IntegerField(help_text="Position in the body, from 0.")
    game = serializers.CharField(allow_null=True, help_text="The game; null where it cannot be read.")
    digest = DigestField(allow_null=True, help_text="Digest of the deal.")
    verdict = serializers.ChoiceField(choices=RECORD_VERDICTS, help_text="What the engine finds.")
    claim = _seat_points(allow_null=True, help_text="The score that was written down.")
    score = _seat_points(allow_null=True, help_text="What the rules give.")
    error = FindingSerializer(
        allow_null=True, help_text="What is wrong: the first of `errors`; null where nothing is."
    )
    errors = FindingSerializer(
        many=True,
        help_text="All that is wrong, each with its place, in the order of the body. Of a record that can be "
        "read it is the first event that breaks a rule; of a malformed one all that may not come from "
        "another fault alone, 20 at most.",
    )


class CheckSerializer(CheckedSerializer):
    """What the engine says of one record; nothing of it is stored."""

    def to_representation(self, checked: Check) -> Json:
        """The engine's own JSON of it, without the score sheet."""
        form = checked.as_json()
        text = json.dumps({name: form[name] for name in self.fields}, ensure_ascii=False)
        # What was found may hold halves of characters, which no answer can.
        answer: Json = json.loads(storable(text))
        return answer


class StandingSerializer(CheckedSerializer):
    """How a deal stands after the last event of a record, as far as a view may know it."""

    position = serializer(Position)(
        allow_null=True, help_text="The table after the last event, or before the illegal one."
    )
    choices = serializer(Choices)(
        allow_null=True,
        help_text="What may come next; null where nothing may, and for a view whose turn it is not.",
    )
    sheet = SheetSerializer(allow_null=True, help_text="The score, line by line, once the deal is over.")

    def to_representation(self, entry: Entry) -> Json:
        """What the engine says of the record; with `view` in the context what that seat may know."""
        checked, record, view = check_entry(entry), entry.record, self.context["view"]
        fields = CheckSerializer(checked).data | {"position": None, "choices": None, "sheet": None}
        if record is None:
            return fields
        at = replay.position(record, len(record.events), view)
        if view is not None:
            error = at.as_json()["error"]
            fields |= {"digest": None, "error": error, "errors": [error] if error else []}
            fields |= {} if at.over else {"claim": None}
        fields["position"] = at.as_json()
        if found := replay.choices(record, view):
            fields["choices"] = found.as_json()
        if checked.score is not None:
            fields["sheet"] = SheetSerializer(checked, context=self.context).data
        return fields


class ChecksSerializer(serializers.Serializer):
    """What the engine says of the records of a body."""

    records = serializers.IntegerField(help_text="How many there are.")
    results = CheckSerializer(many=True, help_text="What the engine says of each, in their order.")


# --- campaigns ----------------------------------------------------------------------------------------------


class TrueOrFalseField(serializers.BooleanField):
    """A truth value as JSON has it, and no other word for one."""

    def to_internal_value(self, data: Any) -> bool:
        """The value itself."""
        if not isinstance(data, bool):
            self.fail("invalid", input=data)
        return bool(data)


class CampaignRequest(serializers.Serializer):
    """Which deals are to be verified anew; without any choice all of them."""

    game = serializers.ChoiceField(
        choices=_game_choices(), required=False, allow_null=True, help_text="Only deals of this game."
    )
    outdated_only = TrueOrFalseField(
        required=False, default=False, help_text="Only deals whose verdict is of another engine version."
    )


class CampaignSerializer(serializers.Serializer):
    """A campaign that verifies stored deals anew, and how far it is."""

    id = serializers.IntegerField(source="campaign.pk", help_text="Its number.")
    url = serializers.SerializerMethodField(help_text="Its address.")
    state = serializers.ChoiceField(choices=Campaign.STATES, help_text="Whether it goes on.")
    game = serializers.SerializerMethodField(help_text="The one game whose deals are verified; null for all.")
    outdated_only = serializers.BooleanField(
        source="campaign.outdated_only", help_text="Only deals whose verdict is of another engine version."
    )
    engine_version = serializers.CharField(
        source="campaign.engine_version", help_text="The engine that verifies."
    )
    started_at = serializers.DateTimeField(source="campaign.started_at", help_text="When it began.")
    finished_at = serializers.DateTimeField(
        source="campaign.finished_at", allow_null=True, help_text="When it was done; null before."
    )
    checked = serializers.IntegerField(help_text="Deals that were verified anew.")
    changed = serializers.IntegerField(help_text="How many of their answers are others than before.")
    faulty = serializers.IntegerField(help_text="Deals that could not be verified, through a fault of ours.")
    waiting = serializers.IntegerField(help_text="Chunks of deals that are still to be done.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_url(self, state: operation.CampaignState) -> str:
        """Address of the campaign."""
        return link(self.context["request"], "campaign", state.campaign.pk)

    @extend_schema_field(serializers.ChoiceField(choices=_game_choices(), allow_null=True))
    def get_game(self, state: operation.CampaignState) -> str | None:
        """The game."""
        return state.campaign.game or None


class MembershipSerializer(serializers.Serializer):
    """What one is in a club, or in one's own space."""

    id = serializers.IntegerField(source="space.pk", help_text="Its number: the `club` of a sending.")
    kind = serializers.ChoiceField(
        choices=("club", "own"), source="space.kind", help_text="A club, or what one sends for oneself."
    )
    name = serializers.CharField(source="space.name", help_text="Empty for one's own.")
    role = serializers.ChoiceField(choices=ROLES, help_text="What one may do there.")
    visibility = serializers.ChoiceField(
        choices=CHOSEN, source="space.visibility", help_text="Who may see what is sent, unless it says so."
    )
    deals = serializers.SerializerMethodField(help_text="Where deals for it are sent.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_deals(self, member: Member) -> str:
        """The address, with the club's number."""
        club = {} if member.space.kind == "own" else {"club": member.space_id}
        return link(self.context["request"], "deals", **club)


class MeSerializer(serializers.Serializer):
    """The owner of a token, and what it may be used for."""

    user = serializers.IntegerField(source="token.user_id", help_text="The number of the owner.")
    name = serializers.CharField(source="token.user.username", help_text="By what he signs in.")
    token = serializers.CharField(source="token.name", help_text="By what he knows the token.")
    scopes = serializers.SerializerMethodField(help_text="Null for a token that may only read.")
    expires_at = serializers.DateTimeField(
        source="token.expires_at", allow_null=True, help_text="When the token ends; null if it does not."
    )
    spaces = MembershipSerializer(many=True, help_text="His clubs, and his own space once he has sent to it.")
    deals = serializers.SerializerMethodField(help_text="Where a few deals are sent.")
    uploads = serializers.SerializerMethodField(help_text="Where many are sent.")

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField(choices=SCOPES), allow_null=True)
    )
    def get_scopes(self, me: Json) -> list[str] | None:
        """What it may be used for beside reading."""
        return me["token"].scopes or None

    @extend_schema_field(OpenApiTypes.URI)
    def get_deals(self, me: Json) -> str:
        """The address."""
        return link(self.context["request"], "deals")

    @extend_schema_field(OpenApiTypes.URI)
    def get_uploads(self, me: Json) -> str:
        """The address."""
        return link(self.context["request"], "uploads")


class RootSerializer(serializers.Serializer):
    """Where things are."""

    deals = serializers.URLField(help_text="Deals; a few are sent there.")
    uploads = serializers.URLField(help_text="Your uploads; many deals are sent there.")
    scores = serializers.URLField(help_text="Points per player.")
    changes = serializers.URLField(help_text="What has changed.")
    games = serializers.URLField(help_text="The games.")
    clauses = serializers.URLField(help_text="The clauses of their rules.")
    dumps = serializers.URLField(help_text="All that everybody sees, as files.")
    me = serializers.URLField(help_text="Whose the token is.")
    schema = serializers.URLField(help_text="The OpenAPI description.")
    tgn_schema = serializers.URLField(help_text="The JSON Schema of a record.")
    docs = serializers.URLField(help_text="A page about all this.")
    license = serializers.URLField(help_text="The licence of the data.")


# --- changes and webhooks -----------------------------------------------------------------------------------


class SentChangeSerializer(serializers.Serializer):
    """What became of a deal, as one contribution tells it."""

    change = serializers.IntegerField(help_text="Its number; later changes have greater ones.")
    kind = serializers.ChoiceField(choices=feed.KINDS, help_text="What happened.")
    deal = DealKeyField()
    digest = DigestField(allow_null=True, help_text="Of the deal; null where it is withdrawn.")
    game = serializers.ChoiceField(
        choices=_game_choices(), allow_null=True, help_text="The game; null where it is withdrawn."
    )
    verdict = serializers.ChoiceField(choices=VERDICTS, allow_null=True, help_text="As it is now.")


class SentChangesSerializer(serializers.Serializer):
    """Some changes of a space."""

    space = serializers.IntegerField(help_text="Number of the space that the webhook is of.")
    club = serializers.IntegerField(
        allow_null=True, help_text="Number of the club; null for one’s own deals."
    )
    club_name = serializers.CharField(allow_null=True, help_text="Name of that club.")
    changes = SentChangeSerializer(many=True, help_text="The changes, in order.")
    last = serializers.IntegerField(help_text="You have been told of everything up to this number.")


class MessageSerializer(serializers.Serializer):
    """A message to a webhook."""

    type = serializers.ChoiceField(choices=("changes",), help_text="What it is about.")
    timestamp = serializers.DateTimeField(help_text="When it was written.")
    data = SentChangesSerializer(help_text="What has changed.")


class ChangeSerializer(SentChangeSerializer):
    """What became of a deal, as one contribution tells it."""

    url = serializers.URLField(allow_null=True, help_text="Address of the deal; null where it is withdrawn.")
    shown = ListedDealSerializer(
        allow_null=True, help_text="The `fields` of the deal, if some are asked for and it is not withdrawn."
    )


class ChangesSerializer(serializers.Serializer):
    """A piece of the feed."""

    changes = ChangeSerializer(many=True, help_text="The changes, in order.")
    last = serializers.IntegerField(help_text="You have been told of everything up to this number.")
    more = serializers.BooleanField(help_text="Whether there is more now.")
    next = serializers.URLField(help_text="Where to go on, now or later.")


class DeliverySerializer(serializers.Serializer):
    """One try to send something to a webhook."""

    at = serializers.DateTimeField(help_text="When it was sent.")
    after = serializers.IntegerField(help_text="The changes after this number …")
    last = serializers.IntegerField(help_text="… up to this one were sent.")
    number = serializers.IntegerField(help_text="How many changes that were.")
    status = serializers.IntegerField(allow_null=True, help_text="Of the answer; null if there was none.")
    told = serializers.CharField(
        source="response", help_text="The beginning of the answer, or why there was none."
    )
    took = serializers.IntegerField(help_text="Milliseconds.")


class WebhookLinks(serializers.Serializer):
    """Where a webhook is found."""

    start = serializers.URLField(help_text="A POST there sends at once what it was not told.")

    def get_fields(self) -> dict[str, serializers.Field]:
        """The fields above and `self`, which Python keeps for itself."""
        return {"self": serializers.URLField(help_text="Its address."), **super().get_fields()}


class WebhookSerializer(serializers.Serializer):
    """An address that is told what changes."""

    webhook = serializers.IntegerField(source="pk", help_text="Its number.")
    url = serializers.CharField(help_text="Where it is sent.")
    club = serializers.IntegerField(
        source="space.club", allow_null=True, help_text="Number of the club; null for one’s own deals."
    )
    club_name = serializers.CharField(
        source="space.club_name", allow_null=True, help_text="Name of that club."
    )
    made_at = serializers.DateTimeField(help_text="Since when it is there.")
    after = serializers.IntegerField(help_text="It was told of everything up to this change.")
    due_at = serializers.DateTimeField(help_text="From when it is told more.")
    failures = serializers.IntegerField(help_text="How often in a row it did not take what was sent.")
    stopped_at = serializers.DateTimeField(allow_null=True, help_text="When it was given up.")
    links = serializers.SerializerMethodField(help_text="Where it is found, and started again.")

    @extend_schema_field(WebhookLinks)
    def get_links(self, webhook: Webhook) -> Json:
        """Its addresses here."""
        names = {"self": "webhook", "start": "webhook-start"}
        return {name: link(self.context["request"], view, webhook.pk) for name, view in names.items()}


class WebhookMadeSerializer(WebhookSerializer):
    """A new one."""

    secret = serializers.SerializerMethodField(help_text="With which every message is signed.")

    def get_secret(self, webhook: Webhook) -> str:
        return webhooks.secret(webhook)


class WebhookDetailSerializer(WebhookSerializer):
    """One, with how its latest deliveries went."""

    deliveries = DeliverySerializer(
        many=True, source="deliveries.all", help_text="Its latest deliveries, the last one first."
    )


class WebhookListSerializer(serializers.Serializer):
    """All that one has."""

    webhooks = WebhookSerializer(many=True, help_text="The webhooks.")
