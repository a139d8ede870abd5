"""Serializers for deals: in lists, in full, and as they were sent."""

from __future__ import annotations

from rest_framework import serializers

from api.links import link, of_deals
from api.serializers.columns import column_field
from api.serializers.contributions import ContributionSerializer
from api.serializers.fields import DealKeyField, Json, TextsField
from archive.publishing import export
from archive.publishing.columns import COLUMNS
from archive.reading.uploads import Original
from archive.shown import ShownDeal


class DealSerializer(serializers.Serializer):
    """A deal with all its parts and the details from one contribution."""

    def get_fields(self) -> dict[str, serializers.Field]:
        return {name: column_field(COLUMNS[name]) for name in export.PARTS} | super().get_fields()

    def to_representation(self, deal: ShownDeal) -> Json:
        return export.entry(deal, export.PARTS, of_deals(self.context["request"]))


class ListedDealSerializer(DealSerializer):
    """A deal in a list, with the requested parts only."""

    def get_fields(self) -> dict[str, serializers.Field]:
        fields: dict[str, serializers.Field] = super().get_fields()
        for field in fields.values():
            field.required = False
        return fields

    def to_representation(self, deal: ShownDeal) -> Json:
        """Return the parts named by `fields` in the context, by default the standard parts for lists."""
        parts = self.context.get("fields") or export.LISTED
        return export.entry(deal, parts, of_deals(self.context["request"]))


class DealPageSerializer(serializers.Serializer):
    """A page of deals."""

    next = serializers.URLField(allow_null=True, help_text="URL of the next page; null on the last page.")
    results = ListedDealSerializer(many=True, help_text="Deals on this page.")


class DealLinks(serializers.Serializer):
    """URLs related to a deal."""

    replay = serializers.URLField(
        allow_null=True,
        help_text="URL of the replay, which describes the play as text; null if the play was not recorded.",
    )
    score = serializers.URLField(help_text="URL of the verdict and the score, line by line.")
    variations = serializers.URLField(
        allow_null=True,
        help_text="URL of the variations that users saved; null if the play was not recorded.",
    )
    original = serializers.URLField(
        allow_null=True, help_text="URL of the record as it was sent; null if you may not see it."
    )
    tgn = serializers.URLField(
        allow_null=True, help_text="URL of the deal as TGN text; null if text can't express the record."
    )


class DealDetailSerializer(DealSerializer):
    """A deal with its whole record and its contributions."""

    MOST_CONTRIBUTIONS = 100

    options = TextsField(help_text="Options that the players agreed on, as in the record.")
    contributions = ContributionSerializer(
        many=True,
        help_text=f"Contributions of clubs and people, oldest first; at most {MOST_CONTRIBUTIONS}.",
    )
    links = DealLinks(help_text="URLs related to the deal.")

    def to_representation(self, deal: ShownDeal) -> Json:
        fields = super().to_representation(deal)
        return fields | {
            "options": fields["record"].get("options", []),
            "contributions": ContributionSerializer(
                self.context["contributions"], many=True, context=self.context
            ).data,
            "links": self._links(deal),
        }

    def _links(self, deal: ShownDeal) -> Json:
        request = self.context["request"]
        key, names = deal.contribution.key, ("replay", "score", "variations", "original")
        at: Json = {name: link(request, f"deal-{name}", key) for name in names}
        if not self.context["viewer"].may_see_original(deal.contribution):
            at["original"] = None
        if not deal.is_played:
            at["replay"] = at["variations"] = None
        text = link(request, "deal", key, format="tgn") if deal.canonical is not None else None
        return {**at, "tgn": text}


class OriginalSerializer(serializers.Serializer):
    """A record as it was sent to the archive."""

    deal = DealKeyField()
    form = serializers.ChoiceField(choices=("tgn", "json"), help_text="Format in which the record was sent.")
    text = serializers.CharField(help_text="The record as it was sent, with invalid bytes replaced.")
    received_at = serializers.DateTimeField(help_text="Time when the record was received.")

    def to_representation(self, found: tuple[ShownDeal, Original]) -> Json:
        deal, original = found
        fields = {"form": original.form, "received_at": original.received_at}
        # Replace invalid bytes, because JSON can't contain them.
        text = original.text.encode(errors="surrogateescape").decode(errors="replace")
        return {"deal": str(deal.contribution.key), **fields, "text": text}
