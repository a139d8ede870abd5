"""The root of the API."""

from __future__ import annotations

from rest_framework import serializers


class RootSerializer(serializers.Serializer):
    """The main URLs of the API."""

    deals = serializers.URLField(help_text="URL of the deals; send a few deals there.")
    uploads = serializers.URLField(help_text="URL of your uploads; send many deals there.")
    scores = serializers.URLField(help_text="URL of points per player.")
    changes = serializers.URLField(help_text="URL of the feed of changes.")
    games = serializers.URLField(help_text="URL of the games.")
    clauses = serializers.URLField(help_text="URL of the clauses of the games' rules.")
    dumps = serializers.URLField(help_text="URL of the dumps: all public deals as files.")
    me = serializers.URLField(help_text="URL of the owner and the rights of the token.")
    schema = serializers.URLField(help_text="URL of the OpenAPI description.")
    tgn_schema = serializers.URLField(help_text="URL of the JSON Schema of a record.")
    docs = serializers.URLField(help_text="URL of the page that describes the API.")
    license = serializers.URLField(help_text="URL of the licence of the data.")
