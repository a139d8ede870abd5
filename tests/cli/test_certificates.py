"""Certificates: what is signed, what is not signed, and what the command says of either."""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from pathlib import Path
from typing import Any

import pytest

from tarock.analysis import certificates, chain
from tarock.analysis.verify import check
from tarock.notation import read_one
from tests.cli.command import tarock
from tests.engine.sheet_sample import SHEET
from tests.support.samples import TAROKY, TAROKY_SCORE

KEYS = "https://archive.example/.well-known/tarock-archive-keys.json"

#: The example of RFC 8037, appendix A.
RFC_X = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"
RFC_THUMBPRINT = "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k"


def statement(**other: Any) -> dict[str, Any]:
    found = check(read_one(TAROKY))
    return {
        "digest": found.digest,
        "game": "taroky",
        "verdict": "verified",
        "score": found.score,
        "archive": "https://archive.example/",
    } | other


@pytest.fixture
def key() -> Any:
    return certificates.private_key(certificates.new_key())


@pytest.fixture
def files(tmp_path: Path, key: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A certificate, its deal, and the keys of the archive: one of before, and the one that signed."""
    monkeypatch.chdir(tmp_path)
    other = certificates.private_key(certificates.new_key())
    keys = [certificates.jwk(certificates.public(one)) for one in (other, key)]
    (tmp_path / "keys.json").write_text(json.dumps({"keys": keys}))
    put(tmp_path, statement(), key)
    (tmp_path / "deal.tgn").write_text(TAROKY, encoding="utf-8")
    return tmp_path


def put(folder: Path, said: dict[str, Any], key: Any) -> dict[str, Any]:
    made = {"statement": said, "jws": certificates.sign(said, key, KEYS)}
    (folder / "certificate.json").write_text(json.dumps(made))
    return made


def asked(*arguments: str) -> tuple[int, str, str]:
    done = tarock("check-certificate", "certificate.json", *arguments)
    return done.returncode, done.stdout, done.stderr


def refused(why: str, *arguments: str) -> None:
    """Fail unless the certificate is refused for this reason."""
    status, _, wrong = asked(*arguments)
    assert (status, why in wrong) == (1, True), wrong


WITH_KEYS = "--keys", "keys.json"


def test_what_is_signed_is_canonical(key: Any) -> None:
    header, payload, _ = certificates.sign({"ž": 1, "a": {"B": 2, "A": -1}}, key, KEYS).split(".")
    assert urlsafe_b64decode(payload + "==") == '{"a":{"A":-1,"B":2},"ž":1}'.encode()
    assert json.loads(urlsafe_b64decode(header + "=="))["alg"] == "EdDSA"
    assert certificates.jwk(RFC_X)["kid"] == RFC_THUMBPRINT


def test_a_right_one(files: Path) -> None:
    """Options are before or after the files; the JWS alone is a certificate, too."""
    for arguments in (("deal.tgn", *WITH_KEYS), (*WITH_KEYS, "deal.tgn")):
        status, said, wrong = asked(*arguments)
        assert (status, wrong) == (0, "")
        assert "verdict: verified" in said
        assert said.endswith("The signature is right; the record is of this deal, and this engine agrees.\n")
    status, said, _ = asked(*WITH_KEYS, "--json")
    assert status == 0
    told = json.loads(said)
    assert (told["good"], told["faults"], told["statement"]["score"]) == (True, [], TAROKY_SCORE)
    file = files / "certificate.json"
    file.write_text(json.loads(file.read_text())["jws"] + "\n")
    assert asked(*WITH_KEYS)[0] == 0
    assert tarock("verify", "deal.tgn", "--quiet", "deal.tgn").returncode == 0
    (files / "-deal.tgn").write_bytes((files / "deal.tgn").read_bytes())
    assert tarock("verify", "--quiet", "--", "-deal.tgn").returncode == 0


def changed(jws: str, **other: Any) -> str:
    """A JWS with something else in its payload, and the signature that it had."""
    header, payload, signature = jws.split(".")
    said = json.loads(urlsafe_b64decode(payload + "==")) | other
    return f"{header}.{urlsafe_b64encode(json.dumps(said).encode()).decode().rstrip('=')}.{signature}"


def test_what_was_signed_or_is_shown_was_changed(files: Path, key: Any) -> None:
    made, lie = put(files, statement(), key), {"score": {"A": 1000, "B": -1000, "C": 0, "D": 0}}
    lied = changed(made["jws"], **lie)
    signature, shown = "the signature is wrong", "is not the one that was signed"
    for certificate, found in (
        (made | {"jws": lied}, [signature, shown]),
        (made | {"jws": lied, "statement": statement(**lie)}, [signature]),
        (made | {"statement": statement(verdict="illegal")}, [shown]),
    ):
        (files / "certificate.json").write_text(json.dumps(certificate))
        status, _, wrong = asked(*WITH_KEYS)
        assert (status, [fault for fault in (signature, shown) if fault in wrong]) == (1, found)


def test_another_key(files: Path) -> None:
    forger = certificates.private_key(certificates.new_key())
    made = put(files, statement(), forger)
    refused("none of the archive’s keys", *WITH_KEYS)
    # The forger says that it is the archive's.
    known = json.loads((files / "keys.json").read_text())["keys"][1]["kid"]
    header, payload, _ = made["jws"].split(".")
    header = header_with(header, kid=known)
    signature = urlsafe_b64encode(forger.sign(f"{header}.{payload}".encode())).decode().rstrip("=")
    (files / "certificate.json").write_text(f"{header}.{payload}.{signature}")
    refused("the signature is wrong", *WITH_KEYS)


def header_with(header: str, **other: Any) -> str:
    """A header of a JWS with something else in it."""
    found = json.loads(urlsafe_b64decode(header + "==")) | other
    return urlsafe_b64encode(json.dumps(found).encode()).decode().rstrip("=")


@pytest.mark.parametrize("other", [{"alg": "none"}, {"alg": "HS256"}, {"typ": "JWT"}, {"crit": ["exp"]}])
def test_what_is_signed_in_another_way(other: dict[str, Any], files: Path, key: Any) -> None:
    header, rest = put(files, statement(), key)["jws"].split(".", 1)
    (files / "certificate.json").write_text(f"{header_with(header, **other)}.{rest}")
    status, said, wrong = asked(*WITH_KEYS)
    assert (status, said) == (1, "")
    assert "signed in another way" in wrong


def test_a_rotated_key(files: Path) -> None:
    """The archive signs with another key now: as long as it lists the former one, what that signed is good;
    when it lists it no more, it is not."""
    keys = json.loads((files / "keys.json").read_text())["keys"]
    for listed, status in ((keys[::-1], 0), (keys[:1], 1)):
        (files / "now.json").write_text(json.dumps({"keys": listed}))
        assert asked("--keys", "now.json")[0] == status


def test_without_keys_nothing_is_believed(files: Path) -> None:
    refused(f"the signature was not checked: the archive’s keys are wanted, from {KEYS}", "deal.tgn")


RECORDS = {
    "another deal": (TAROKY.replace("[Dealer ", "[Date \"2026-??-??\"]\n[Dealer ").replace(
        '[Date "2026-11-20"]\n', ""), None),
    "another event": (TAROKY[: TAROKY.index("12. A")], "of another deal"),
    "another claim": (TAROKY.replace("A=105 B=-105", "A=100 B=-100"), "finds the record disputed"),
    "malformed": (TAROKY.replace("deal B SK", "deal B SX"), "cannot be read"),
    "a sheet": (SHEET, "a score sheet without cards"),
    "two": (TAROKY + "\n" + TAROKY, "several records"),
    "nothing": ("", "cannot be read"),
}  # fmt: skip


@pytest.mark.parametrize("name", RECORDS)
def test_the_record(name: str, files: Path) -> None:
    text, fault = RECORDS[name]
    (files / "deal.tgn").write_text(text, encoding="utf-8")
    status, _, wrong = asked("deal.tgn", *WITH_KEYS)
    # Names and dates are no part of a deal.
    assert (status, wrong == "") == ((0, True) if fault is None else (1, False))
    assert (fault or "") in wrong


def test_another_score_of_this_engine(files: Path, key: Any) -> None:
    put(files, statement(score={"A": 1, "B": -1, "C": -1, "D": 1}), key)
    score = "A=105 B=-105 C=-105 D=105"
    refused(f"this engine comes to another score: {score}", "deal.tgn", *WITH_KEYS)


@pytest.mark.parametrize(
    "text",
    ["", "{}", '{"jws": 1}', '{"jws": "a.b.c"}', "a.b", "é.é.é", "[]", "e30.e30.e30", "{" * 9, "[" * 100_000],
)
def test_what_is_no_certificate(text: str, files: Path) -> None:
    (files / "certificate.json").write_text(text, encoding="utf-8")
    status, said, wrong = asked(*WITH_KEYS)
    assert (status, said) == (1, "")
    assert wrong.startswith("certificate.json: it is no certificate")


def test_what_are_no_keys(files: Path) -> None:
    ed = '"crv": "Ed25519"'
    for keys in ("", "[]", f'{{"keys": [{{{ed}, "x": "AA", "kid": "k"}}]}}', f'{{"keys": [{{{ed}}}]}}'):
        (files / "keys.json").write_text(keys)
        status, _, wrong = asked(*WITH_KEYS)
        assert (status, wrong[:19]) == (2, "tarock: keys.json: ")
    for names in (["missing.json"], ["-", "-"], ["certificate.json", "--keys", "missing.json"]):
        assert tarock("check-certificate", *names).returncode == 2


def test_a_certificate_commands_no_terminal(files: Path, key: Any) -> None:
    put(files, statement(game="\x1b[2J"), key)
    assert "\x1b" not in asked(*WITH_KEYS)[1]


def test_the_log_of_published_files_is_followed(files: Path, key: Any) -> None:
    """A later log is good, too; a changed, removed or inserted line is found, and so is a log of another
    archive."""
    first = chain.continued("", ["2026-10 a 11 new", "2026-10 b 22 new"])
    log = first + chain.continued(first, ["2026-11 c 33 new"])
    put(files, statement(log=chain.newest(first)), key)
    a, b, c = log.splitlines(keepends=True)
    cases = {
        first: 0, log: 0, log + "torn": 0,
        log.replace(" 11 ", " 12 "): 1, b + c: 1, a + c: 1, a + b + b + c: 1, a: 1, "": 1, "\0\udcff\n": 1,
    }  # fmt: skip
    for text, status in cases.items():
        (files / "dumps.log").write_text(text, errors="surrogateescape")
        assert asked(*WITH_KEYS, "--log", "dumps.log")[0] == status, text
    put(files, statement(log=None), key)
    refused("names no line of a log", *WITH_KEYS, "--log", "dumps.log")
