"""Views for the certificates of verified deals, and for the keys that sign them."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.serializers.certificates import CertificateSerializer
from api.serializers.problems import ProblemSerializer
from api.views.base import ApiView
from api.views.deals import played_or_404
from archive.addresses import Key
from archive.publishing import certificates


class Certificate(ApiView):
    @extend_schema(
        operation_id="get_certificate",
        summary="Get a signed statement that the deal is verified",
        responses={
            200: CertificateSerializer,
            409: OpenApiResponse(ProblemSerializer, "The deal is not verified: `not_verified`."),
        },
    )
    def get(self, request: Request, key: Key) -> Response:
        """Return the archive's signed statement about a verified deal: its digest, game and score by seat,
        without names. You can verify it with `tarock check-certificate` or any JWS library (RFC 7515). For a
        deal with another verdict, the response is 409 `not_verified`; if the archive has no signing key, it
        is 404 `no_certificates`."""
        deal = played_or_404(key, self.viewer)
        certificate = certificates.certificate(
            deal,
            path=reverse("api:deal", args=[deal.contribution.key]),
            keys=reverse("certificate-keys"),
        )
        name = {"Content-Disposition": f'inline; filename="certificate-{deal.key}.json"'}
        return Response(certificate, headers=name)


class Keys(ApiView):
    """View of the archive's public keys, at a well-known URL."""

    schema = None

    def get(self, request: Request) -> Response:
        """Return a JWK set (RFC 7517): the current key first, then the former keys."""
        return Response(certificates.key_set(), content_type="application/jwk-set+json")
