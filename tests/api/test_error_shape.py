"""Every endpoint, held to the one shape of errors that `shape.assert_error` states."""

import logging
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from uuid import UUID

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.test import Client

from api import urls
from api.views import base
from archive.errors import ArchiveError
from archive.publishing import dumps, webhooks
from archive.shown import ShownDeal
from archive.storing import spaces, variations
from archive.web import errors, problems
from tarock.analysis.variations import read_variations
from tests import samples

from .conftest import TGN, ApiClient
from .shape import assert_error

#: One good address for each name of the URL table.
ADDRESSES = {
    "root": "",
    "deals": "deals",
    "deal": "deals/{deal}",
    "deal-certificate": "deals/{deal}/certificate",
    "deal-original": "deals/{deal}/original",
    "deal-replay": "deals/{deal}/replay",
    "deal-positions": "deals/{deal}/replay/positions",
    "deal-position": "deals/{deal}/replay/positions/0",
    "deal-score": "deals/{deal}/score",
    "deal-variations": "deals/{deal}/variations",
    "saved-variations": "variations/{variations}",
    "variation": "variations/{variations}/records/1",
    "scores": "scores",
    "games": "games",
    "game": "games/troggu",
    "clauses": "clauses",
    "clause": "clauses/common.turn",
    "changes": "changes",
    "webhooks": "webhooks",
    "webhook": "webhooks/{webhook}",
    "me": "me",
    "dumps": "dumps",
    "dump": "dumps/SHA256SUMS",
    "uploads": "uploads",
    "upload": "uploads/{upload}",
    "campaign": "campaigns/{campaign}",
    "schema": "schema",
    "tgn-schema": "schema/tgn.json",
}
#: Those that are posted to, with what each answers.
POSTED = {
    "uploads": ("uploads", 202),
    "webhooks": ("webhooks", 400),
    "webhook-start": ("webhooks/{webhook}/start", 200),
    "webhook-adopt": ("webhooks/{webhook}/adopt", 400),
    "verify": ("verify", 200),
    "positions": ("positions", 200),
    "variations": ("variations", 400),
    "deal-correction": ("deals/{deal}/correction", 422),
    "deal-visibility": ("deals/{deal}/visibility", 400),
    "deal-move": ("deals/{deal}/move", 400),
    "deals-visibility": ("deals/visibility", 400),
    "adopt": ("uploads/{upload}/records/0/adopt", 200),
    "campaigns": ("campaigns", 201),
    "campaign-stop": ("campaigns/{campaign}/stop", 200),
    "campaign-resume": ("campaigns/{campaign}/resume", 200),
}
#: Those that need no token, because nothing is stored.
OPEN = {"verify", "positions", "variations"}
#: Those that are read and posted to.
BOTH = {"deals", "uploads", "webhooks"}
ALLOWED = {
    **dict.fromkeys(POSTED, "POST, OPTIONS"),
    **dict.fromkeys(BOTH, "GET, HEAD, POST, OPTIONS"),
    "webhook": "GET, HEAD, DELETE, OPTIONS",
    "deal-variations": "GET, HEAD, PUT, DELETE, OPTIONS",
}
#: Those that are no endpoints: a page for people, and the one that all other addresses fall to.
OTHERS = {"docs", "guide", "nothing"}


def test_every_address_is_here() -> None:
    assert {pattern.name for pattern in urls.urlpatterns} == set(ADDRESSES) | set(POSTED) | OTHERS


def _webhook() -> int:
    operator = User.objects.get(is_staff=True)
    return webhooks.add(spaces.own(operator), "https://receiver.example/", by=operator).pk


def _variations(deal: ShownDeal) -> UUID:
    lines = read_variations([{"id": 1, "from": 0, "step": 0, "events": [["A", "pass"]]}], deal.record)
    return variations.save(deal, User.objects.get(is_staff=True), lines, "public", 0).key


@pytest.fixture
def at(taroky: ShownDeal, staff: ApiClient, tmp_path: Path, settings: Any) -> Any:
    """The addresses with the numbers of a deal, an upload and a campaign of the operator's filled in; there
    are dumps."""
    settings.DUMP_DIR = str(tmp_path)
    dumps.write(tmp_path)
    numbers = {
        "deal": taroky.pk,
        "upload": staff.send(samples.TROGGU).json()["upload"],
        "campaign": staff.send("", path="campaigns").json()["id"],
        "webhook": _webhook(),
        "variations": _variations(taroky),
    }
    return lambda name: (POSTED[name][0] if name in POSTED else ADDRESSES[name]).format(**numbers)


@pytest.mark.parametrize("name", ADDRESSES)
def test_a_good_request_is_answered(name: str, at: Any, staff: ApiClient) -> None:
    # The forms that the tests below break are valid.
    assert staff.ask(at(name)).status_code == 200


@pytest.mark.parametrize("name", POSTED)
def test_a_good_sending_is_answered(name: str, at: Any, staff: ApiClient) -> None:
    assert staff.send("", path=at(name)).status_code == POSTED[name][1]


@pytest.mark.parametrize("name", [*ADDRESSES, *POSTED])
def test_method_not_allowed(name: str, at: Any, staff: ApiClient) -> None:
    allowed = ALLOWED.get(name, "GET, HEAD, OPTIONS")
    for method in ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW"):
        if method not in allowed:
            response = staff.generic(method, f"/api/v1/{at(name)}")
            assert_error(response, 405, "method_not_allowed")
            assert response["Allow"] == allowed


@pytest.mark.parametrize("name", [*ADDRESSES, *POSTED])
def test_what_an_address_can_do(name: str, at: Any, settings: Any) -> None:
    """Anybody may ask, as often as he likes."""
    address = f"/api/v1/{at(name)}"
    settings.REST_FRAMEWORK = {
        **settings.REST_FRAMEWORK,
        "DEFAULT_THROTTLE_RATES": {"api-read": "1/min", "api-write": "1/min"},
    }
    for client in (ApiClient(), ApiClient("no-such-token"), ApiClient()):
        response = client.options(address)
        assert (response.status_code, response.content) == (204, b"")
        assert response["Allow"] == ALLOWED.get(name, "GET, HEAD, OPTIONS")


def test_the_page_answers_wrong_methods_as_the_rest_does() -> None:
    strict = Client(enforce_csrf_checks=True)
    for method in ("POST", "PUT", "DELETE"):
        response = strict.generic(method, "/api/v1/docs")
        assert_error(response, 405, "method_not_allowed")
        assert response["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("name", POSTED)
def test_sending_needs_a_token_and_takes_no_parameter(
    name: str, at: Any, staff: ApiClient, reader: ApiClient
) -> None:
    if name not in OPEN:
        assert_error(reader.send("{}", path=at(name)), 401, "not_authenticated")
    response = staff.send("", path=at(name) + "?wait=1")
    assert_error(response, 400, "invalid_parameter", field="wait")


@pytest.mark.parametrize("name", ADDRESSES)
def test_not_acceptable(name: str, at: Any, staff: ApiClient) -> None:
    assert_error(staff.ask(at(name), accept="image/png"), 406, "not_acceptable")
    for form in ("gif", "", ["json", "json"], "JSON"):
        assert_error(staff.ask(at(name), {"format": form}), 406, "not_acceptable", field="format")


@pytest.mark.parametrize("name", ADDRESSES)
def test_unknown_parameter(name: str, at: Any, staff: ApiClient) -> None:
    assert_error(staff.ask(at(name), {"verdikt": "illegal"}), 400, "invalid_parameter", field="verdikt")


@pytest.mark.parametrize("name", ADDRESSES)
def test_bad_token(name: str, at: Any) -> None:
    response = ApiClient("no-such-token").ask(at(name))
    assert_error(response, 401, "authentication_failed")
    assert response["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'


@pytest.mark.parametrize("name", ADDRESSES)
def test_throttled(name: str, at: Any, staff: ApiClient, settings: Any) -> None:
    address = at(name)
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {"api-read": "1/min"}}
    assert staff.ask(address).status_code == 200
    response = staff.ask(address)
    assert_error(response, 429, "throttled")
    assert 1 <= int(response["Retry-After"]) <= 60


@pytest.mark.parametrize("name", ADDRESSES)
def test_fault_of_our_own(
    name: str, at: Any, staff: ApiClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a secret of the house")

    address = at(name)
    monkeypatch.setattr(base.ApiView, "query", broken)
    caplog.set_level(logging.ERROR)
    error = assert_error(staff.ask(address), 500, "server_error")
    assert "secret" not in error["detail"]
    assert "a secret of the house" in caplog.text  # with its traceback, for the operator


@pytest.mark.parametrize("name", sorted(ADDRESSES.keys() | POSTED))
def test_a_database_that_is_away(
    name: str, at: Any, staff: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a view, or already when the token is looked up."""
    address = at(name)
    ask = staff.ask if name in ADDRESSES else lambda path: staff.send("", path=path)
    places = "api.views.base.ApiView.query", "archive.models.Token.objects.select_related"
    for place, error in product(places, (OperationalError("gone"), InterfaceError("closed"))):
        with monkeypatch.context() as broken:
            broken.setattr(place, Mock(side_effect=error))
            response = ask(address)
        assert_error(response, 503, "busy")
        assert int(response["Retry-After"]) > 0
        assert "gone" not in response.content.decode()


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "path",
    [
        "deal",
        "deals/x",
        "deals/1.5",
        "deals/-1",
        "deals/1/audit",
        "deals/1/audit/",
        "campaigns/1/pause",
        "/",
        "//",
        "//evil.example/",
    ],
)
def test_no_such_address(path: str, method: str, writer: ApiClient) -> None:
    for form in ("", "?format=txt", "?format=json&format=json"):
        assert_error(writer.generic(method, f"/api/v1/{path}{form}"), 404, "not_found")
    assert_error(writer.get(f"/api/v1/{path}", headers={"Accept": "image/png"}), 404, "not_found")


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("deals/abc", "“abc” is not the number of a deal"),
        ("deals/1.5/score", "“1.5” is not the number of a deal"),
        ("deals/١٠", "“١٠” is not the number of a deal"),
        ("uploads/x", "“x” is not a number"),
        ("campaigns/-1/stop", "“-1” is not a number"),
        ("uploads/3/records/first/adopt", "“first” is not a number"),
        ("deal/1", "There is nothing at this URL"),
        ("deals/1/scores", "There is nothing at this URL"),
    ],
)
def test_what_is_no_number_is_named(path: str, said: str, writer: ApiClient) -> None:
    assert said in assert_error(writer.ask(path), 404, "not_found")["detail"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"verdict": "foo"}, "“foo” is none of: verified, disputed, illegal, incomplete, computed."),
        ({"game": "Taroky"}, "“Taroky” is none of: strohmann, taroky, troggu, grosstarock."),
        ({"limit": "١٠"}, "“١٠” is not a whole number from 1 to 100000000."),
        ({"limit": "0"}, "“0” is not a whole number from 1 to 100000000."),
        ({"limit": "ten"}, "“ten” is not a whole number from 1 to 100000000."),
        ({"limit": "1_0"}, "“1_0” is not a whole number from 1 to 100000000."),
        ({"limit": "10.0"}, "“10.0” is not a whole number from 1 to 100000000."),
        ({"date_from": "yesterday"}, "“yesterday” is not a day; one is written so: 2026-11-30."),
    ],
)
def test_what_a_parameter_takes_is_named(query: dict[str, str], said: str, reader: ApiClient) -> None:
    (field,) = query
    error = assert_error(reader.ask("deals", query), 400, "invalid_parameter", field=field)
    assert error["detail"] == said


def test_what_else_a_parameter_takes_is_named(writer: ApiClient) -> None:
    upload = writer.send(samples.TAROKY).json()["upload"]
    error = assert_error(writer.ask(f"uploads/{upload}", {"wrong": "maybe"}), 400, field="wrong")
    assert error["detail"] == "“maybe” is neither true nor false (1 and 0 do, too)."
    error = assert_error(writer.send("", path="deals?club=0"), 400, field="club")
    assert error["detail"] == "“0” is not a whole number, 1 or more."


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
@pytest.mark.parametrize("path", ["deals", "deals/1", "deals/1/replay", "uploads", "schema", "docs"])
def test_a_slash_too_many(path: str, method: str, writer: ApiClient) -> None:
    response = writer.generic(method, f"/api/v1/{path}/?game=troggu&player=bo%C5%99ek")
    assert response.status_code == 308
    assert response["Location"] == f"/api/v1/{path}?game=troggu&player=bo%C5%99ek"
    assert writer.generic(method, f"/api/v1/{path}/")["Location"] == f"/api/v1/{path}"


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
        "campaigns/999999999",
        "campaigns/99999999999999999999999999",
    ],
)
def test_no_such_thing(path: str, staff: ApiClient) -> None:
    assert_error(staff.ask(path), 404, "not_found")


def test_an_error_is_json_where_text_was_asked_for(reader: ApiClient) -> None:
    assert_error(reader.ask("deals/999999999", accept=TGN), 404, "not_found")
    assert_error(reader.ask("deals/999999999", {"format": "tgn"}), 404, "not_found")


def test_a_token_of_someone_switched_off(writer: ApiClient) -> None:
    user = User.objects.get()
    user.is_active = False
    user.save()
    assert_error(writer.ask("deals"), 401, "authentication_failed")


def test_django_s_own_refusals(reader: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def suspicious(*_: Any) -> None:
        raise SuspiciousOperation("what Django says to itself")

    monkeypatch.setattr(base.ApiView, "query", suspicious)
    error = assert_error(reader.ask("games"), 400, "bad_request")
    assert "itself" not in error["detail"]


def _codes_in_the_source() -> Iterator[str]:
    """Every code that the source of the API and the errors of the archive name as one of their own."""
    made = r'(?:ApiError|fault|answer)\((?:\w+, )?\s*"([a-z_]+)"'
    for folder in (Path(urls.__file__).parent, Path(errors.__file__).parent):
        for path in folder.rglob("*.py"):
            yield from re.findall(made, path.read_text())
    yield from (error.code for error in ArchiveError.__subclasses__())


def test_codes_and_guide_agree() -> None:
    guide = (Path(urls.__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")
    table = guide.partition("| code | meaning |")[2].partition("\n\n")[0]
    assert dict(re.findall(r"^\| `([a-z_]+)` \| (.+) \|$", table, re.MULTILINE)) == {
        code: row.meaning for code, row in problems.CODES.items()
    }
    assert set(_codes_in_the_source()) <= set(problems.CODES)


def test_an_undocumented_code_cannot_be_sent() -> None:
    with pytest.raises(KeyError):
        problems.fault("made_up", "A sentence.")
    with pytest.raises(TypeError):
        problems.place(card="T1")
    assert problems.place(line=None) is None
    assert problems.place(line=3) == {
        "record": None,
        "line": 3,
        "column": None,
        "pointer": None,
        "field": None,
    }
