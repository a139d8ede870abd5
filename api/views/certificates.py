"""Certificates of verified deals, and the keys that sign them."""

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from archive.addresses import Key
from archive.publishing import certificates

from ..errors import NoCertificates, NotVerified
from ..links import link
from ..serializers import DealKeyField, DigestField, ProblemSerializer
from .base import ApiView
from .deals import deal_or_404


class CertifiedSerializer(serializers.Serializer):
    """What a certificate says."""

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


class Certificate(ApiView):
    """The certificate of one deal."""

    @extend_schema(
        operation_id="get_certificate",
        tags=["deals"],
        summary="A signed statement that the deal is verified",
        responses={
            200: CertificateSerializer,
            409: OpenApiResponse(ProblemSerializer, "The deal is not verified: `not_verified`."),
        },
    )
    def get(self, request: Request, key: Key) -> Response:
        """What the archive found of a verified deal, signed: its digest, game and score by seat, not who
        played.

        `tarock check-certificate` checks it, as can any library for JWS (RFC 7515). A deal with another
        verdict is answered with 409 `not_verified`; an archive without a key answers 404 `no_certificates`.
        """
        self.query(request)
        deal = deal_or_404(key, self.viewer)
        try:
            made = certificates.certificate(
                deal,
                archive=request.build_absolute_uri("/"),
                address=link(request, "deal", deal.representative.key),
                keys=request.build_absolute_uri(reverse("certificate-keys")),
            )
        except certificates.NoKey:
            raise NoCertificates("This archive has no key, and so gives no certificates.") from None
        except certificates.NotVerified:
            raise NotVerified(
                f"The deal is {deal.representative.verdict}; certificates are of verified ones."
            ) from None
        name = {"Content-Disposition": f'inline; filename="certificate-{deal.key}.json"'}
        return Response(made, headers=name)


class Keys(ApiView):
    """The archive's public keys, at the well-known address."""

    schema = None

    def get(self, request: Request) -> Response:
        """A JWK set (RFC 7517): the key that signs now, then former ones."""
        self.query(request)
        return Response(certificates.key_set(), content_type="application/jwk-set+json")
