"""The owner of a token."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.links import link
from api.serializers.fields import Json, LinkField
from archive.models import CHOSEN, ROLES, SCOPES, Member


class MembershipSerializer(serializers.Serializer):
    """A user's role in a club, or in their own space."""

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
    deals = LinkField("deals", help_text="Where a few deals are sent.")
    uploads = LinkField("uploads", help_text="Where many are sent.")

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField(choices=SCOPES), allow_null=True)
    )
    def get_scopes(self, me: Json) -> list[str] | None:
        """Return its scopes in addition to reading."""
        return me["token"].scopes or None
