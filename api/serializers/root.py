"""Serializer for the root of the API."""

from __future__ import annotations

from rest_framework import serializers


class RootSerializer(serializers.Serializer):
    """The main URLs of the API."""

    deals = serializers.URLField(help_text="URL for listing deals, and for sending a few.")
    uploads = serializers.URLField(help_text="URL for listing your uploads, and for sending many deals.")
    scores = serializers.URLField(help_text="URL of the points per player.")
    changes = serializers.URLField(help_text="URL of the feed of changes.")
    games = serializers.URLField(help_text="URL of the games.")
    clauses = serializers.URLField(help_text="URL of the clauses of the games' rules.")
    rules = serializers.URLField(help_text="URL of the games' options and published rule sets.")
    dumps = serializers.URLField(help_text="URL of the dumps: all public deals as files.")
    me = serializers.URLField(help_text="URL of your token's owner, scopes and roles.")
    schema = serializers.URLField(help_text="URL of the OpenAPI description.")
    tgn_schema = serializers.URLField(help_text="URL of the JSON Schema of a record.")
    docs = serializers.URLField(help_text="URL of the API reference.")
    license = serializers.URLField(help_text="URL of the licence of the data.")
