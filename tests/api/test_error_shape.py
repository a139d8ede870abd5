"""Every endpoint, held to the one shape of errors that `shape.assert_error` states."""

import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import SuspiciousOperation
from rest_framework.authtoken.models import Token

from api import errors, urls
from api.views import base
from archive.models import Deal

from . import samples
from .conftest import TGN, ApiClient
from .shape import assert_error

#: One good address for each name of the URL table.
ADDRESSES = {
    "root": "",
    "deals": "deals",
    "deal": "deals/{deal}",
    "deal-original": "deals/{deal}/original",
    "deal-replay": "deals/{deal}/replay",
    "deal-score": "deals/{deal}/score",
    "scores": "scores",
    "games": "games",
    "game": "games/troggu",
    "clauses": "clauses",
    "clause": "clauses/common.turn",
    "upload": "uploads/{upload}",
    "schema": "schema/",
}
#: Those that are no endpoints: a page for people, and the one that all other addresses fall to.
OTHERS = {"docs", "nothing"}


def test_every_address_is_here() -> None:
    assert {pattern.name for pattern in urls.urlpatterns} == set(ADDRESSES) | OTHERS


@pytest.fixture
def at(taroky: Deal, writer: ApiClient) -> Any:
    """The addresses with the numbers of a deal and an upload of the writer's filled in."""
    upload = writer.send(samples.TROGGU).json()["upload"]
    return lambda name: ADDRESSES[name].format(deal=taroky.pk, upload=upload)


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_good_request_is_answered(name: str, at: Any, writer: ApiClient) -> None:
    # What the tests below spoil is in order before.
    assert writer.ask(at(name)).status_code == 200


@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "BREW"])
def test_method_not_allowed(name: str, method: str, at: Any, writer: ApiClient) -> None:
    response = writer.generic(method, f"/api/v1/{at(name)}")
    assert_error(response, 405, "method_not_allowed")
    assert response["Allow"] == ("GET, HEAD, POST" if name == "deals" else "GET, HEAD")


@pytest.mark.parametrize("name", [name for name in ADDRESSES if name != "deals"])
def test_post_only_to_deals(name: str, at: Any, writer: ApiClient) -> None:
    assert_error(writer.send("{}", path=at(name)), 405, "method_not_allowed")


@pytest.mark.parametrize("name", ADDRESSES)
def test_not_acceptable(name: str, at: Any, writer: ApiClient) -> None:
    assert_error(writer.ask(at(name), accept="image/png"), 406, "not_acceptable")
    for form in ("gif", "", ["json", "json"], "JSON"):
        assert_error(writer.ask(at(name), {"format": form}), 406, "not_acceptable", field="format")


@pytest.mark.parametrize("name", ADDRESSES)
def test_unknown_parameter(name: str, at: Any, writer: ApiClient) -> None:
    assert_error(writer.ask(at(name), {"verdikt": "illegal"}), 400, "invalid_parameter", field="verdikt")


@pytest.mark.parametrize("name", ADDRESSES)
def test_bad_token(name: str, at: Any) -> None:
    response = ApiClient("no-such-token").ask(at(name))
    assert_error(response, 401, "authentication_failed")
    assert response["WWW-Authenticate"] == "Token"


@pytest.mark.parametrize("name", ADDRESSES)
def test_throttled(name: str, at: Any, writer: ApiClient, settings: Any) -> None:
    address = at(name)
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"api-read": "1/min"}}
    assert writer.ask(address).status_code == 200
    response = writer.ask(address)
    assert_error(response, 429, "throttled")
    assert 1 <= int(response["Retry-After"]) <= 60


@pytest.mark.parametrize("name", ADDRESSES)
def test_fault_of_our_own(
    name: str, at: Any, writer: ApiClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a secret of the house")

    address = at(name)
    monkeypatch.setattr(base.ApiView, "query", broken)
    caplog.set_level(logging.ERROR)
    error = assert_error(writer.ask(address), 500, "server_error")
    assert "secret" not in error["message"]
    assert "a secret of the house" in caplog.text  # with its traceback, for the operator


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "path",
    [
        "deal",
        "deals/",
        "deals/x",
        "deals/1.5",
        "deals/-1",
        "deals/1/",
        "deals/1/audit",
        "clauses/",
        "uploads",
        "//",
    ],
)
def test_no_such_address(path: str, method: str, writer: ApiClient) -> None:
    assert_error(writer.generic(method, f"/api/v1/{path}"), 404, "not_found")


@pytest.mark.parametrize(
    "path",
    [
        "deals/0",
        "deals/999999999",
        "deals/99999999999999999999999999",
        "deals/999999999/original",
        "deals/999999999/replay",
        "deals/999999999/score",
        "games/poker",
        "clauses/taroky.nothing",
        "clauses/nothing.at-all",
        "clauses/%00",
        "clauses/common",
        "uploads/999999999",
        "uploads/99999999999999999999999999",
    ],
)
def test_no_such_thing(path: str, writer: ApiClient) -> None:
    assert_error(writer.ask(path), 404, "not_found")


def test_an_error_is_json_where_text_was_asked_for(reader: ApiClient) -> None:
    assert_error(reader.ask("deals/999999999", accept=TGN), 404, "not_found")
    assert_error(reader.ask("deals/999999999", {"format": "tgn"}), 404, "not_found")


def test_a_token_of_someone_switched_off(writer: ApiClient) -> None:
    user = Token.objects.get().user
    user.is_active = False
    user.save()
    assert_error(writer.ask("deals"), 401, "authentication_failed")


def test_django_s_own_refusals(reader: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def suspicious(*_: Any) -> None:
        raise SuspiciousOperation("what Django says to itself")

    monkeypatch.setattr(base.ApiView, "query", suspicious)
    error = assert_error(reader.ask("games"), 400, "bad_request")
    assert "itself" not in error["message"]


def _codes_in_the_source() -> Iterator[str]:
    """Every code that the source of the API names as one of its own."""
    for path in Path(errors.__file__).parent.rglob("*.py"):
        yield from re.findall(r'(?:default_code = |ApiError\(|body\(\s*)"([a-z_]+)"', path.read_text())


def test_codes_and_guide_agree() -> None:
    guide = (Path(errors.__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
    table = guide.partition("| code | meaning |")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| `([a-z_]+)` \| (.+) \|$", table, re.MULTILINE)) == errors.CODES
    assert set(_codes_in_the_source()) <= set(errors.CODES)


def test_an_undocumented_code_cannot_be_sent() -> None:
    with pytest.raises(KeyError):
        errors.body("made_up", "A sentence.")
    with pytest.raises(TypeError):
        errors.place(card="T1")
    assert errors.place(line=None) is None
    assert errors.place(line=3) == {"record": None, "line": 3, "column": None, "pointer": None, "field": None}
