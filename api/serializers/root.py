"""The entrance."""

from __future__ import annotations

from rest_framework import serializers


class RootSerializer(serializers.Serializer):
    """The URLs to start with."""

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
