"""Certificates of verified deals."""

from __future__ import annotations

from rest_framework import serializers

from api.serializers.fields import DealKeyField, DigestField


class CertifiedSerializer(serializers.Serializer):
    """The content of a certificate."""

    archive = serializers.URLField(help_text="Address of the archive.")
    deal = DealKeyField(help_text="Which deal it is here, as it is said by whom.")
    url = serializers.URLField(help_text="Address of the deal.")
    digest = DigestField(help_text="Which deal it is: SHA-256 of its canonical form, in hex.")
    engine = serializers.CharField(help_text="The version of the engine that found the verdict.")
    game = serializers.CharField(help_text="The game.")
    score = serializers.DictField(child=serializers.IntegerField(), help_text="Seat → points.")
    verdict = serializers.CharField(help_text="Always `verified`.")
    verified_at = serializers.DateTimeField(help_text="When the engine found it.")


class CertificateSerializer(serializers.Serializer):
    """A certificate: the statement to be read, and the same signed."""

    statement = CertifiedSerializer(help_text="What is signed, to be read.")
    key = serializers.CharField(help_text="The key that signed it (`kid`).")
    keys = serializers.URLField(help_text="The archive’s keys, a JWK set.")
    jws = serializers.CharField(
        help_text="JWS in compact form, EdDSA with Ed25519; its payload is the statement."
    )
