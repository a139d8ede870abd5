"""Token authentication (`Authorization: Bearer`)."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from rest_framework.authentication import BaseAuthentication, get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.request import Request

from archive import tokens
from archive.models import Token
from archive.web.throttles import RefusedThrottle

_SCHEMES = ("bearer", "token")


class TokenAuthentication(BaseAuthentication):
    """Authentication by `Authorization: Bearer …` or `Token …`. An invalid header is always an error."""

    def authenticate(self, request: Request) -> tuple[AbstractBaseUser, Token] | None:
        """Return the user and the token, or None without an Authorization header. Raise AuthenticationFailed
        for an invalid token, and Throttled after too many 401 responses to the client's IP address."""
        if "HTTP_AUTHORIZATION" not in request.META:
            return None
        refused = RefusedThrottle()
        if refused.is_used_up(request):
            raise Throttled(refused.wait(), "Too many requests without a valid token came from your address.")
        scheme, _, secret = get_authorization_header(request).decode("latin-1").strip().partition(" ")
        if scheme.lower() not in _SCHEMES:
            raise AuthenticationFailed("Authorization is to be “Bearer” and a token, with a blank between.")
        token = tokens.find(secret.strip())
        if token is None:
            raise AuthenticationFailed("There is no such token, it has ended, or its user was switched off.")
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        """Return the `WWW-Authenticate` header (RFC 6750), with an error code only if credentials were
        sent."""
        sent = "HTTP_AUTHORIZATION" in request.META
        return 'Bearer realm="api"' + (', error="invalid_token"' if sent else "")


class TokenScheme(OpenApiAuthenticationExtension):
    """Token authentication in the OpenAPI description."""

    target_class = TokenAuthentication
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "Token created at `/accounts/token/`. `Authorization: Token …` also works.",
        }
