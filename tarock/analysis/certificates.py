"""Certificates: signed statements that a deal was verified, which anyone can check offline.

A certificate is a JWS in compact form (RFC 7515), signed with Ed25519 (RFC 8037). Its payload is the
statement as JSON with sorted keys and no spaces, in UTF-8. The keys of an archive form a JWK set (RFC 7517);
the name of each key is its thumbprint (RFC 7638). `docs/api.md` describes both.

This is the only module of the engine that needs a third-party package: `cryptography`.
"""

from __future__ import annotations

import binascii
import hashlib
import json
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from tarock.analysis.verify import check
from tarock.notation import Entry

TYPE = "tarock-certificate"
"""Value of `typ` in the header. It distinguishes certificates from other data signed with the same key."""

_ALGORITHM = "EdDSA"
"""Value of `alg` in the header. RFC 9864 renames it to Ed25519, but PyJWT (2.15) cannot read that name, so
certificates use the older name."""
_ALGORITHMS = {_ALGORITHM, "Ed25519"}


class BadKey(ValueError):
    """Error for a text that is not a valid key."""


class BadCertificate(ValueError):
    """Error for a text that is not a valid certificate."""


# --- keys ---------------------------------------------------------------------------------------------------


def new_key() -> str:
    """Create a private key and return it as PKCS #8 in PEM, which `private_key` can read."""
    form = serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    return Ed25519PrivateKey.generate().private_bytes(*form).decode()


def private_key(text: str) -> Ed25519PrivateKey:
    """Read a private key: PKCS #8 in PEM, or only the base64 text between the BEGIN and END lines.

    :raises BadKey: if the text is not an Ed25519 key.
    """
    try:
        if text.lstrip().startswith("-----"):
            found = serialization.load_pem_private_key(text.encode(), None)
        else:
            found = serialization.load_der_private_key(b64decode("".join(text.split()), validate=True), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: the key has a password.
        raise BadKey("it cannot be read; expected PKCS 8 in PEM or base64, without a password") from None
    if not isinstance(found, Ed25519PrivateKey):
        raise BadKey("it is of another kind; expected Ed25519")
    return found


def public(key: Ed25519PrivateKey) -> str:
    """Return the public key of a private key, encoded as the `x` of a JWK."""
    return _base64url(key.public_key().public_bytes_raw())


def jwk(x: str) -> dict[str, str]:
    """Return the JWK for the public key with this `x`, including the key's name (`kid`).

    :raises BadKey: if `x` is not 32 bytes in base64url.
    """
    _public_key(x)
    key = {"crv": "Ed25519", "kty": "OKP", "x": x}
    name = _base64url(hashlib.sha256(_canonical(key)).digest())
    return {**key, "kid": name, "use": "sig", "alg": _ALGORITHM}


def key_set(text: str | bytes) -> dict[str, Ed25519PublicKey]:
    """Read a JWK set and return its Ed25519 keys by name. Other keys are skipped.

    :raises BadKey: if the text is not a JWK set, or an Ed25519 key in it is invalid.
    """
    try:
        keys = [(key["x"], key["kid"]) for key in json.loads(text)["keys"] if key.get("crv") == "Ed25519"]
        return {str(name): _public_key(x) for x, name in keys}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadKey("it is no JWK set of Ed25519 keys") from None


def _public_key(x: str) -> Ed25519PublicKey:
    try:
        return Ed25519PublicKey.from_public_bytes(_bytes(x))
    except ValueError:
        raise BadKey(f"“{x}” is no public key; expected the x of an Ed25519 key in base64url") from None


# --- certificates -------------------------------------------------------------------------------------------


def sign(statement: dict[str, Any], key: Ed25519PrivateKey, keys: str) -> str:
    """Sign a statement and return the certificate. `keys`: URL of the key list, which becomes the `jku` of
    the signed header."""
    header = {"alg": _ALGORITHM, "jku": keys, "kid": jwk(public(key))["kid"], "typ": TYPE}
    signed = f"{_base64url(_canonical(header))}.{_base64url(_canonical(statement))}"
    return f"{signed}.{_base64url(key.sign(signed.encode()))}"


@dataclass(frozen=True, slots=True)
class Certificate:
    """A parsed certificate. Don't trust it unless `faults` returns an empty list."""

    statement: dict[str, Any]  # the signed statement
    key: str  # name of the key
    keys: str  # URL of the key list
    beside: Any  # readable copy of the statement, if there is one
    _signed: bytes
    _signature: bytes

    def faults(self, keys: dict[str, Ed25519PublicKey] | None) -> list[str]:
        """Check the certificate, and return a sentence for each fault. `keys`: the archive's keys by name, or
        None if they are unknown, which counts as a fault."""
        found = []
        if keys is None:
            found.append(f"the signature was not checked: the archive’s keys are wanted, from {self.keys}")
        elif self.key not in keys:
            found.append(f"it is signed by {self.key}, which is none of the archive’s keys")
        else:
            try:
                keys[self.key].verify(self._signature, self._signed)
            except InvalidSignature:
                found.append("the signature is wrong: what was signed was changed, or another key signed it")
        if self.beside is not None and self.beside != self.statement:
            found.append("the statement that is shown is not the one that was signed")
        return found

    def faults_of(self, entries: Iterable[Entry]) -> list[str]:
        """Compare the only record of a file with the certificate. Return a sentence for each difference."""
        records = [entry.record for entry in entries]
        if len(records) != 1 or records[0] is None:
            return ["the record cannot be read" if len(records) == 1 else "there are several records"]
        if records[0].sheet is not None:
            return ["the record is a score sheet without cards, and only deals with cards have certificates"]
        if records[0].result is not None:
            return ["the record is a result, and only deals with cards have certificates"]
        checked = check(records[0])
        if checked.digest != self.statement.get("digest"):
            return [f"the record is of another deal: its digest is {checked.digest}"]
        found = []
        if checked.verdict != self.statement.get("verdict"):
            found.append(f"this engine finds the record {checked.verdict}")
        if checked.score != self.statement.get("score"):
            score = " ".join(f"{seat}={points}" for seat, points in (checked.score or {}).items())
            found.append(f"this engine comes to another score: {score or 'none'}")
        return found


def read(text: str | bytes) -> Certificate:
    """Parse a certificate, given as the JSON object that the archive returns, or only as its `jws`.

    :raises BadCertificate: if the text contains no certificate.
    """
    try:
        word, beside = (text.decode() if isinstance(text, bytes) else text).strip(), None
        if word.startswith("{"):
            whole = json.loads(word)
            word, beside = whole["jws"], whole.get("statement")
        signed, _, signature = word.rpartition(".")
        header, statement = (json.loads(_bytes(half)) for half in signed.split("."))
        known = header["alg"] in _ALGORITHMS and header["typ"] == TYPE and "crit" not in header
        if not known or not isinstance(statement, dict):
            raise BadCertificate("it is signed in another way, or for another purpose")
        names = str(header["kid"]), str(header.get("jku"))
        return Certificate(statement, *names, beside, signed.encode(), _bytes(signature))
    except BadCertificate:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise BadCertificate("it is no certificate: neither a JWS nor JSON with one") from None


def _canonical(value: dict[str, Any]) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def _base64url(data: bytes) -> str:
    return b64encode(data, b"-_").decode().rstrip("=")


def _bytes(word: str) -> bytes:
    try:
        return b64decode(word + "=" * (-len(word) % 4), b"-_", validate=True)
    except binascii.Error as fault:
        raise ValueError(word) from fault
