"""Serializers for a token's owner, scopes and roles."""

from __future__ import annotations

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.links import link
from api.serializers.fields import Json, LinkField
from archive.models import CHOSEN, ROLES, SCOPES, Member


class MembershipSerializer(serializers.Serializer):
    """A user's role in a club, or in their own space."""

    id = serializers.IntegerField(
        source="space.pk", help_text="Id of the space; for a club, use it as `club` in requests."
    )
    kind = serializers.ChoiceField(
        choices=("club", "own"), source="space.kind", help_text="Kind of space: a club, or the user's own."
    )
    name = serializers.CharField(
        source="space.name", help_text="Name of the club; empty for the user's own space."
    )
    role = serializers.ChoiceField(choices=ROLES, help_text="Role of the user in the space.")
    visibility = serializers.ChoiceField(
        choices=CHOSEN, source="space.visibility", help_text="Default visibility of deals sent to the space."
    )
    deals = serializers.SerializerMethodField(help_text="URL for sending deals to the space.")

    @extend_schema_field(OpenApiTypes.URI)
    def get_deals(self, member: Member) -> str:
        club = {} if member.space.kind == "own" else {"club": member.space_id}
        return link(self.context["request"], "deals", **club)


class MeSerializer(serializers.Serializer):
    """The owner and the scopes of a token."""

    user = serializers.IntegerField(source="token.user_id", help_text="Id of the user.")
    name = serializers.CharField(source="token.user.username", help_text="Username of the token's owner.")
    token = serializers.CharField(source="token.name", help_text="Name of the token.")
    scopes = serializers.SerializerMethodField(help_text="Scopes of the token; null if it can only read.")
    expires_at = serializers.DateTimeField(
        source="token.expires_at",
        allow_null=True,
        help_text="Time when the token expires; null if it never does.",
    )
    spaces = MembershipSerializer(
        many=True, help_text="The user's clubs, and their own space if they have sent deals to it."
    )
    deals = LinkField("deals", help_text="URL for sending a few deals.")
    uploads = LinkField("uploads", help_text="URL for sending many deals.")

    @extend_schema_field(
        serializers.ListField(child=serializers.ChoiceField(choices=SCOPES), allow_null=True)
    )
    def get_scopes(self, me: Json) -> list[str] | None:
        return me["token"].scopes or None
