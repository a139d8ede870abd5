"""Deals: in lists, whole, and as they were sent."""

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from archive.models import VERDICTS, Deal
from archive.publishing import export
from archive.reading import selectors

from ..links import link, of_deals
from .contributions import ContributionSerializer, SeatedSerializer, club_field, club_name_field
from .fields import DealKeyField, DigestField, FindingSerializer, Json, SeatField, game_choices, seat_points


class DealSerializer(serializers.Serializer):
    """A deal as it stands in lists, as the contribution says it that shows it."""

    id = serializers.IntegerField(help_text="Number of the deal, whoever says what of it.")
    deal = DealKeyField()
    url = serializers.URLField(help_text="Address of the deal.")
    digest = DigestField(help_text="SHA-256 of the deal as played: the same deal has the same digest.")
    game = serializers.ChoiceField(choices=game_choices(), help_text="The game.")
    verdict = serializers.ChoiceField(choices=VERDICTS, help_text="What the engine found.")
    players = SeatedSerializer(many=True, help_text="Who sat where.")
    dealer = SeatField(help_text="Seat of the dealer.")
    date = serializers.CharField(help_text="As written, unknown parts as `??`; empty if not.")
    event = serializers.CharField(help_text="As written; empty if not.")
    site = serializers.CharField(help_text="The place as written; empty if not.")
    club = club_field()
    club_name = club_name_field()
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
    score = seat_points(
        allow_null=True, help_text="Seat → points, for a deal played to its end by the rules."
    )
    claim = seat_points(allow_null=True, help_text="The score its players wrote down.")
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
    game = serializers.ChoiceField(choices=game_choices(), help_text="The game.")
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
    score = seat_points(required=False, help_text="The score that was written down: seat → points.")


class WholeDealSerializer(DealSerializer):
    """All that is stored of a deal that is shown by a contribution."""

    record = RecordSerializer(help_text="The record in the JSON form of TGN, as the contribution says it.")
    finding = FindingSerializer(allow_null=True, help_text="What is wrong with it.")


class ListedDealSerializer(WholeDealSerializer):
    """A deal in a list, with the parts that were asked for."""

    def get_fields(self) -> dict[str, serializers.Field]:
        """The same fields, none of them required."""
        fields: dict[str, serializers.Field] = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields

    def to_representation(self, deal: Deal) -> Json:
        """The `fields` of the context; without them the parts that every list has."""
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
        """All that is stored of it, with the contributions in the context, and where there is more."""
        fields = super().to_representation(deal)
        return fields | {
            "options": fields["record"]["options"],
            "contributions": ContributionSerializer(
                self.context["contributions"], many=True, context=self.context
            ).data,
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

    def to_representation(self, found: tuple[Deal, selectors.Original]) -> Json:
        """The text, and where it belongs."""
        deal, original = found
        fields = {"form": original.form, "received_at": original.received_at}
        # Of bytes that are no UTF-8 nothing is stored; should there be some, an answer cannot hold them.
        text = original.text.encode(errors="surrogateescape").decode(errors="replace")
        return {"deal": str(deal.representative.key), **fields, "text": text}
