"""Certificates of verified deals."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import DealKeyField, DigestField


class CertifiedSerializer(serializers.Serializer):
    """The content of a certificate."""

    archive = serializers.URLField(help_text="URL of the archive.")
    deal = DealKeyField(
        help_text=(
            "Key of the deal in this archive: the deal and the contribution that describes it, `12-45`."
        )
    )
    url = serializers.URLField(help_text="URL of the deal.")
    digest = DigestField(help_text="SHA-256 of the deal's canonical form, in hex.")
    engine = serializers.CharField(help_text="Version of the engine that computed the verdict.")
    game = serializers.CharField(help_text="The game.")
    score = serializers.DictField(child=serializers.IntegerField(), help_text="Seat → points.")
    verdict = serializers.CharField(help_text="Always `verified`.")
    verified_at = serializers.DateTimeField(help_text="Time when the engine computed the verdict.")


class CertificateSerializer(serializers.Serializer):
    """A certificate: the readable statement, and the signed one."""

    statement = CertifiedSerializer(help_text="The signed content in readable form.")
    key = serializers.CharField(help_text="Name of the key that signed it (`kid`).")
    keys = serializers.URLField(help_text="The archive’s keys, a JWK set.")
    jws = serializers.CharField(
        help_text="JWS in compact form, EdDSA with Ed25519; its payload is the statement."
    )
