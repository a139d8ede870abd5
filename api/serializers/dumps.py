"""Serializers for the monthly dumps and their files."""

from __future__ import annotations

from rest_framework import serializers

from api.links import link
from archive.publishing import dumps


class DumpFileSerializer(serializers.Serializer):
    """A file of a dump."""

    name = serializers.CharField(help_text="Name of the file.")
    size = serializers.IntegerField(help_text="Size of the file in bytes.")
    sha256 = serializers.CharField(help_text="SHA-256 of the file, in hex.")
    url = serializers.SerializerMethodField(help_text="URL of the file.")

    def get_url(self, file: dumps.File) -> str:
        return link(self.context["request"], "dump", file.name)


class DumpMonthSerializer(serializers.Serializer):
    """The dump for one month: all public deals that were stored in that month (UTC)."""

    month = serializers.CharField(help_text="Month in UTC, such as `2026-11`.")
    deals = serializers.IntegerField(help_text="Number of deals in the dump.")
    records = serializers.IntegerField(help_text="Number of contributions to these deals.")
    files = DumpFileSerializer(many=True, help_text="Files of the dump.")


class DumpListSerializer(serializers.Serializer):
    """The list of dumps."""

    sums = serializers.CharField(
        allow_null=True, help_text="URL of the checksums of all files; null if there are no files."
    )
    license = serializers.URLField(help_text="URL of the licence that applies to all files.")
    months = DumpMonthSerializer(many=True, help_text="Dumps by month, newest first.")
