"""Certificates of stored deals, and the keys of the archive."""

import json
from typing import Any

import pytest

from archive.publishing import dumps
from tarock.analysis import certificates, chain
from tarock.notation import read_each
from tests.support import samples

from .conftest import ApiClient
from .shape import assert_error

KEYS = "/.well-known/tarock-archive-keys.json"


def keys(reader: ApiClient) -> Any:
    """The archive's key list, as a client reads it."""
    return certificates.key_set(reader.get(KEYS).content)


def test_a_certificate_is_of_the_deal(reader, taroky, settings) -> None:
    """The same by every name of the site."""
    settings.ALLOWED_HOSTS = ["archive.example", "localhost", "127.0.0.1", "testserver"]
    settings.SITE_URL, path = "https://archive.example", f"deals/{taroky.pk}/certificate"
    hosts = [*settings.ALLOWED_HOSTS, "127.0.0.1:8000"]
    (answer,) = {reader.ask(path, headers={"Host": host}).content for host in hosts}
    found = json.loads(answer)
    statement = found["statement"]
    assert statement.pop("verified_at").endswith("Z")
    assert statement == {
        "archive": "https://archive.example/",
        "deal": str(taroky.contribution.key),
        "digest": taroky.hex_digest,
        "engine": taroky.engine_version,
        "game": "taroky",
        "log": None,
        "score": samples.TAROKY_SCORE,
        "url": f"https://archive.example/api/v1/deals/{taroky.contribution.key}",
        "verdict": "verified",
    }
    assert found["keys"] == f"https://archive.example{KEYS}"
    assert b"Alena" not in answer
    signed = certificates.read(answer)
    assert (signed.key, signed.keys) == (found["key"], found["keys"])
    record = reader.ask(f"deals/{taroky.pk}", {"format": "tgn"}).content
    assert signed.faults(keys(reader)) + signed.faults_of(read_each(record)) == []


def test_the_name_of_rfc_9864_is_read_too(reader, taroky, settings) -> None:
    """Certificates have the former name, which every library reads."""
    found = reader.ask(f"deals/{taroky.pk}/certificate").json()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(certificates, "_ALGORITHM", "Ed25519")
        signed = certificates.sign(found["statement"], settings.CERTIFICATE_KEY, found["keys"])
    assert certificates.read(signed).faults(keys(reader)) == []


def test_a_former_key_stays_in_the_list(reader, taroky, settings) -> None:
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


def test_only_what_is_verified_and_only_with_a_key(reader, store, settings) -> None:
    for text in (samples.NOT_HELD, samples.BROKEN_OFF, samples.DISPUTED_TROGGU):
        assert_error(reader.ask(f"deals/{store(text).pk}/certificate"), 409, "not_verified")
    settings.CERTIFICATE_KEY = None
    assert_error(reader.ask(f"deals/{store(samples.TAROKY).pk}/certificate"), 404, "no_certificates")
    assert reader.get(KEYS).json() == {"keys": []}


def test_a_certificate_names_the_newest_line_of_the_log(reader, taroky, settings, tmp_path) -> None:
    settings.DUMP_DIR = str(tmp_path)
    dumps.write(tmp_path, current=True)
    log = (tmp_path / dumps.LOG).read_text()
    assert b"".join(reader.ask(f"dumps/{dumps.LOG}").streaming_content).decode() == log
    statement = reader.ask(f"deals/{taroky.pk}/certificate").json()["statement"]
    assert statement["log"] == chain.newest(log) != chain.newest("")
    assert chain.faults(log, statement["log"]) == []
