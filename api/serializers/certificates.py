"""Serializers for the certificates of verified deals."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import DealKeyField, DigestField


class CertifiedSerializer(serializers.Serializer):
    """The signed statement about a deal."""

    archive = serializers.URLField(help_text="URL of the archive that issued the certificate.")
    deal = DealKeyField(
        help_text="Key of the deal in this archive: ids of the deal and of a contribution, such as `12-45`."
    )
    url = serializers.URLField(help_text="URL of the deal.")
    digest = DigestField(help_text="SHA-256 of the canonical form of the deal, in hex.")
    engine = serializers.CharField(help_text="Version of the engine that computed the verdict.")
    game = serializers.CharField(help_text="Id of the game.")
    score = serializers.DictField(child=serializers.IntegerField(), help_text="Points of each seat.")
    verdict = serializers.CharField(help_text="Verdict on the deal, always `verified`.")
    verified_at = serializers.DateTimeField(help_text="Time when the engine computed the verdict.")


class CertificateSerializer(serializers.Serializer):
    """A certificate: a statement about a deal, in readable form and in signed form."""

    statement = CertifiedSerializer(help_text="The signed statement in readable form.")
    key = serializers.CharField(help_text="Id (`kid`) of the key that signed the certificate.")
    keys = serializers.URLField(help_text="URL of the archive’s public keys, a JWK set.")
    jws = serializers.CharField(
        help_text="The statement as a signed JWS in compact form (EdDSA with Ed25519)."
    )
