"""The files of dumps, by month."""

from __future__ import annotations

from rest_framework import serializers

from api.links import link
from archive.publishing import dumps


class DumpFileSerializer(serializers.Serializer):
    """A file of a dump."""

    name = serializers.CharField(help_text="Its name.")
    size = serializers.IntegerField(help_text="In bytes.")
    sha256 = serializers.CharField(help_text="The sum of its bytes, in hexadecimals.")
    url = serializers.SerializerMethodField(help_text="Where it is had.")

    def get_url(self, file: dumps.File) -> str:
        """Return its URL."""
        return link(self.context["request"], "dump", file.name)


class DumpMonthSerializer(serializers.Serializer):
    """The public deals that were stored in a month (UTC)."""

    month = serializers.CharField(help_text="As in 2026-11.")
    deals = serializers.IntegerField(help_text="How many deals.")
    records = serializers.IntegerField(help_text="What clubs and people say of these deals.")
    files = DumpFileSerializer(many=True, help_text="The files.")


class DumpListSerializer(serializers.Serializer):
    """The dumps that there are."""

    sums = serializers.CharField(
        allow_null=True, help_text="Address of the sums of all files; null if there are none."
    )
    license = serializers.URLField(help_text="Address of the licence under which all files are.")
    months = DumpMonthSerializer(many=True, help_text="The months, the latest first.")
