"""Certificates for verified deals."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import DealKeyField, DigestField


class CertifiedSerializer(serializers.Serializer):
    """The content of a certificate."""

    archive = serializers.URLField(help_text="URL of the archive.")
    deal = DealKeyField(
        help_text="Key of the deal in this archive: numbers of deal and contribution, such as `12-45`."
    )
    url = serializers.URLField(help_text="URL of the deal.")
    digest = DigestField(help_text="SHA-256 of the canonical form of the deal, in hex.")
    engine = serializers.CharField(help_text="Version of the engine that computed the verdict.")
    game = serializers.CharField(help_text="The game.")
    score = serializers.DictField(child=serializers.IntegerField(), help_text="Seat → points.")
    verdict = serializers.CharField(help_text="Always `verified`.")
    verified_at = serializers.DateTimeField(help_text="Time when the engine computed the verdict.")


class CertificateSerializer(serializers.Serializer):
    """A certificate: the statement in readable form and in signed form."""

    statement = CertifiedSerializer(help_text="Signed content in readable form.")
    key = serializers.CharField(help_text="Id (`kid`) of the key that signed the certificate.")
    keys = serializers.URLField(help_text="URL of the archive’s keys, a JWK set.")
    jws = serializers.CharField(
        help_text="JWS in compact form (EdDSA with Ed25519), whose payload is the statement."
    )
