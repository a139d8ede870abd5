"""Certificates of stored deals, and the keys of the archive."""

from typing import Any

import pytest

from archive.models import Deal
from tarock import certificates
from tarock.notation import read_each
from tests import samples

from .conftest import ApiClient
from .shape import assert_error

KEYS = "/.well-known/tarock-archive-keys.json"


def keys(reader: ApiClient) -> Any:
    """The archive's key list, as a client reads it."""
    return certificates.key_set(reader.get(KEYS).content)


def test_a_certificate_is_of_the_deal(reader: ApiClient, taroky: Deal) -> None:
    answer = reader.ask(f"deals/{taroky.pk}/certificate")
    found = answer.json()
    statement = found["statement"]
    assert statement.pop("verified_at").endswith("Z")
    assert statement == {
        "archive": "http://testserver/",
        "deal": str(taroky.representative.key),
        "digest": taroky.hex_digest,
        "engine": taroky.engine_version,
        "game": "taroky",
        "score": samples.TAROKY_SCORE,
        "url": f"http://testserver/api/v1/deals/{taroky.representative.key}",
        "verdict": "verified",
    }
    assert found["keys"] == f"http://testserver{KEYS}"
    assert "Alena" not in answer.content.decode()
    signed = certificates.read(answer.content)
    assert (signed.key, signed.keys) == (found["key"], found["keys"])
    record = reader.ask(f"deals/{taroky.pk}", {"format": "tgn"}).content
    assert signed.faults(keys(reader)) + signed.faults_of(read_each(record)) == []


def test_a_former_key_stays_in_the_list(reader: ApiClient, taroky: Deal, settings: Any) -> None:
    before = certificates.read(reader.ask(f"deals/{taroky.pk}/certificate").content)
    former = reader.get(KEYS).json()["keys"]
    settings.CERTIFICATE_KEY = certificates.private_key(certificates.new_key())
    assert len(before.faults(keys(reader))) == 1
    settings.CERTIFICATE_FORMER_KEYS = [certificates.jwk(former[0]["x"])]
    now = certificates.read(reader.ask(f"deals/{taroky.pk}/certificate").content)
    assert now.key != before.key
    assert before.faults(keys(reader)) == now.faults(keys(reader)) == []
    assert reader.get(KEYS)["Content-Type"] == "application/jwk-set+json"
    private = {"d"} & {name for one in reader.get(KEYS).json()["keys"] for name in one}
    assert not private


@pytest.mark.parametrize("text", [samples.NOT_HELD, samples.BROKEN_OFF, samples.DISPUTED_TROGGU])
def test_only_of_what_is_verified(text: str, reader: ApiClient, store: Any) -> None:
    assert_error(reader.ask(f"deals/{store(text).pk}/certificate"), 409, "not_verified")


def test_an_archive_without_a_key(reader: ApiClient, taroky: Deal, settings: Any) -> None:
    settings.CERTIFICATE_KEY = None
    assert_error(reader.ask(f"deals/{taroky.pk}/certificate"), 404, "no_certificates")
    assert reader.get(KEYS).json() == {"keys": []}
