"""Certificates (signed statements about verified deals, without names), and the archive's public keys."""

from __future__ import annotations

from datetime import UTC
from typing import Any

from django.conf import settings

from archive.errors import ArchiveError
from archive.publishing import dumps
from archive.shown import ShownDeal
from tarock.analysis import certificates


class NoKey(ArchiveError):
    """The archive has no signing key."""

    code = "no_certificates"
    message = "This archive has no key, and so gives no certificates."


class NotVerified(ArchiveError):
    """The verdict on the contribution is not `verified`."""

    code = "not_verified"


def certificate(deal: ShownDeal, *, path: str, keys: str) -> dict[str, Any]:
    """Return the certificate for a deal: the readable `statement`, the id of the `key`, the URL of the
    `keys`, and the signed `jws`. The statement names the newest line of the log of dumps. `path`: URL path of
    the deal; `keys`: URL path of the list of keys. All URLs begin with `SITE_URL`, so that the certificate
    doesn't depend on the host in the request.

    :raises NoKey: if the archive has no key.
    :raises NotVerified: if the deal is not verified.
    """
    key = settings.CERTIFICATE_KEY
    if key is None:
        raise NoKey
    if deal.contribution.verdict != "verified":
        raise NotVerified(f"The deal is {deal.contribution.verdict}; certificates are of verified ones.")
    statement = {
        "archive": f"{settings.SITE_URL}/",
        "deal": str(deal.contribution.key),
        "digest": deal.hex_digest,
        "engine": deal.engine_version,
        "game": deal.game,
        "log": dumps.newest_line(),
        "score": deal.score,
        "url": settings.SITE_URL + path,
        "verdict": deal.verdict,
        "verified_at": deal.verified_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
    }
    name = certificates.jwk(certificates.public(key))["kid"]
    keys = settings.SITE_URL + keys
    return {"statement": statement, "key": name, "keys": keys, "jws": certificates.sign(statement, key, keys)}


def are_given() -> bool:
    """Return whether the archive issues certificates."""
    return settings.CERTIFICATE_KEY is not None


def key_set() -> dict[str, Any]:
    """Return the archive's public keys as a JWK set: the current key first, then the former keys."""
    key = settings.CERTIFICATE_KEY
    own = [] if key is None else [certificates.jwk(certificates.public(key))]
    return {"keys": [*own, *settings.CERTIFICATE_FORMER_KEYS]}
