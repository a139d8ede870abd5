"""Every endpoint, held to the one shape of errors that `shape.assert_error` states."""

import logging
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import SuspiciousOperation
from django.db import InterfaceError, OperationalError
from django.test import Client

from api import urls
from api.views import base
from archive.errors import ArchiveError
from archive.publishing import dumps, webhooks
from archive.storing import campaigns, spaces, variations
from archive.web import errors, problems
from tarock.analysis.variations import read_variations
from tests.support import samples, settling
from tests.support.effort import one_of
from tests.support.storing import deal_of, puzzle_of, secret_of, stored

from .conftest import TGN, ApiClient
from .shape import assert_error

URLS = {str(entry.name): re.sub(r"<\w+:(\w+)>", r"{\1}", str(entry.pattern)) for entry in urls.endpoints}
#: Those that are posted to, with what each answers.
POSTED = {
    "uploads": 202, "webhooks": 400, "imports": 400, "settle": 200, "webhook-start": 200,
    "webhook-adopt": 400, "verify": 200, "positions": 200, "variations": 400, "deal-correction": 422,
    "deal-visibility": 400, "deal-move": 400, "deals-visibility": 400, "adopt": 200, "campaigns": 201,
    "campaign-stop": 200, "campaign-resume": 200,
}  # fmt: skip
#: Those that need no token, because nothing is stored.
OPEN = {"verify", "positions", "variations", "settle"}
#: Those that are read and posted to.
BOTH = {"deals", "uploads", "webhooks"}
ALLOWED = {
    **dict.fromkeys(POSTED, "POST, OPTIONS"),
    **dict.fromkeys(BOTH, "GET, HEAD, POST, OPTIONS"),
    "webhook": "GET, HEAD, DELETE, OPTIONS",
    "deal-variations": "GET, HEAD, PUT, DELETE, OPTIONS",
}
#: Pages for people; and the explorer needs a hand in each query (test_explorer.py).
OTHERS = {"docs", "guide", "explorer"}
READ = [name for name in URLS if name in BOTH or not (name in POSTED or name in OTHERS)]


@pytest.fixture(scope="module")
def operator(stored_once: None) -> User:
    return User.objects.create_user("operator", password="-", is_staff=True)


@pytest.fixture(scope="module")
def token(operator: User) -> str:
    return secret_of(operator)


@pytest.fixture
def staff(token: str, db: None) -> ApiClient:
    return ApiClient(token)


@pytest.fixture(scope="module")
def numbers(operator: User) -> dict[str, Any]:
    """By their folders, the numbers of a deal, and of an upload, a campaign, a webhook and variations of the
    operator's."""
    deal = deal_of(samples.TAROKY)
    lines = read_variations([{"id": 1, "from": 0, "step": 0, "events": [["A", "pass"]]}], deal.record)
    upload = stored(samples.TROGGU, user=operator)
    settling.settle()
    return {
        "deals": deal.pk,
        "uploads": upload.pk,
        "campaigns": campaigns.start(by=operator).pk,
        "webhooks": webhooks.add(spaces.own(operator), "https://receiver.example/", by=operator).pk,
        "variations": variations.save(deal, operator, lines, "public", 0).key,
        "puzzles": puzzle_of(deal.pk).pk,
    }


@pytest.fixture(scope="module")
def dumped(numbers: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the dumps of this archive."""
    folder = tmp_path_factory.mktemp("dumps")
    dumps.write(folder)
    return folder


@pytest.fixture
def at(numbers: dict[str, Any], dumped: Path, settings: Any) -> Any:
    """A good address for each name of the URL table; there are dumps."""
    settings.DUMP_DIR = str(dumped)
    others = {"step": 0, "number": 1, "n": 0, "game": "troggu", "slug": "common.turn", "name": dumps.SUMS}

    def address(name: str) -> str:
        own = numbers.get(URLS[name].partition("/")[0])
        return URLS[name].format(key=own, pk=own, **others)

    return address


@pytest.mark.parametrize("name", READ)
def test_errors_of_reading_have_one_shape(name, at, staff, rates) -> None:
    address = at(name)
    assert staff.ask(address).status_code == 200
    assert_error(staff.ask(address, accept="image/png"), 406, "not_acceptable")
    for form in one_of(("gif", "", ["json", "json"], "JSON"), name):
        assert_error(staff.ask(address, {"format": form}), 406, "not_acceptable", field="format")
    assert_error(staff.ask(address, {"verdikt": "illegal"}), 400, "invalid_parameter", field="verdikt")
    response = ApiClient("no-such-token").ask(address)
    assert_error(response, 401, "authentication_failed")
    assert response["WWW-Authenticate"] == 'Bearer realm="api", error="invalid_token"'
    rates(api_read="1/min")
    assert staff.ask(address).status_code == 200
    response = staff.ask(address)
    assert_error(response, 429, "throttled")
    assert 1 <= int(response["Retry-After"]) <= 60


@pytest.mark.parametrize("name", POSTED)
def test_sending_needs_a_token_and_takes_no_parameter(name, at, staff, reader) -> None:
    address = at(name)
    if name not in OPEN:
        assert_error(reader.send("{}", path=address), 401, "not_authenticated")
    response = staff.send("", path=address + "?wait=1")
    assert_error(response, 400, "invalid_parameter", field="wait")
    assert staff.send("", path=address).status_code == POSTED[name]


@pytest.mark.parametrize("name", sorted(URLS.keys() - OTHERS))
def test_other_methods_are_refused_and_anybody_may_ask_for_those_allowed(name, at, rates) -> None:
    """Neither needs a token."""
    address, allowed = f"/api/v1/{at(name)}", ALLOWED.get(name, "GET, HEAD, OPTIONS")
    methods = ("GET", "POST", "PUT", "PATCH", "DELETE", "TRACE", "BREW")
    for method in one_of((method for method in methods if method not in allowed), name):
        response = ApiClient().generic(method, address)
        assert_error(response, 405, "method_not_allowed")
        assert response["Allow"] == allowed
    rates(api_read="1/min", api_write="1/min")
    for client in (ApiClient("no-such-token"), ApiClient()):
        response = client.options(address)
        assert (response.status_code, response.content, response["Allow"]) == (204, b"", allowed)


def test_the_page_answers_wrong_methods_as_the_rest_does(db) -> None:
    for method in ("POST", "PUT", "DELETE"):
        response = Client(enforce_csrf_checks=True).generic(method, "/api/v1/docs")
        assert_error(response, 405, "method_not_allowed")
        assert response["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize("name", sorted(URLS.keys() - OTHERS))
def test_a_fault_and_a_database_that_is_away_are_errors_without_details(
    name, at, staff, monkeypatch, caplog
) -> None:
    """In a view, or already when the token is looked up."""
    address = at(name)
    ask = staff.ask if name in READ else lambda path: staff.send("", path=path)
    places = "api.views.base.ApiView.query", "archive.models.Token.objects.select_related"
    faults = product(places, (OperationalError("gone"), InterfaceError("closed")))
    for place, error in one_of(faults, name):
        with monkeypatch.context() as broken:
            broken.setattr(place, Mock(side_effect=error))
            response = ask(address)
        assert_error(response, 503, "busy")
        assert int(response["Retry-After"]) > 0
        assert "gone" not in response.content.decode()
    if name in READ:
        monkeypatch.setattr(base.ApiView, "query", Mock(side_effect=RuntimeError("a secret of the house")))
        caplog.set_level(logging.ERROR)
        assert "secret" not in assert_error(ask(address), 500, "server_error")["detail"]
        assert "a secret of the house" in caplog.text  # with its traceback, for the operator


@pytest.mark.parametrize(
    "path",
    [
        "deal", "deals/x", "deals/1.5", "deals/-1", "deals/1/audit", "deals/1/audit/", "campaigns/1/pause",
        "/", "//", "//evil.example/",
    ],
)  # fmt: skip
def test_no_such_address(path, writer) -> None:
    forms = "", "?format=txt", "?format=json&format=json"
    for method, form in product(("GET", "POST", "PUT", "DELETE", "OPTIONS"), forms):
        assert_error(writer.generic(method, f"/api/v1/{path}{form}"), 404, "not_found")
    assert_error(writer.get(f"/api/v1/{path}", headers={"Accept": "image/png"}), 404, "not_found")


def test_what_is_no_number_and_what_a_parameter_takes_is_named(writer) -> None:
    deal, place = "is not the number of a deal", "There is nothing at this URL"
    for path, said in {
        **{path: f"“{path.split('/')[1]}” {deal}" for path in ("deals/abc", "deals/1.5/score", "deals/١٠")},
        "uploads/x": "“x” is not a number",
        "campaigns/-1/stop": "“-1” is not a number",
        "uploads/3/records/first/adopt": "“first” is not a number",
        **dict.fromkeys(("deal/1", "deals/1/scores"), place),
    }.items():
        assert said in assert_error(writer.ask(path), 404, "not_found")["detail"], path
    number = "is not a whole number from 1 to 100000000."
    upload = f"uploads/{writer.send(samples.TAROKY).json()['upload']}"
    for query, said in {
        "deals?verdict=foo": "is none of: verified, disputed, illegal, incomplete, computed, stated.",
        "deals?game=Taroky": "is none of: strohmann, taroky, troggu, grosstarock.",
        **{f"deals?limit={value}": number for value in ("١٠", "0", "ten", "1_0", "10.0")},
        "deals?date_from=yesterday": "is not a day; one is written so: 2026-11-30.",
        f"{upload}?wrong=maybe": "is neither true nor false (1 and 0 do, too).",
    }.items():
        field, _, value = query.partition("?")[2].partition("=")
        error = assert_error(writer.ask(query), 400, "invalid_parameter", field=field)
        assert error["detail"] == f"“{value}” {said}"
    error = assert_error(writer.send("", path="deals?club=0"), 400, field="club")
    assert error["detail"] == "“0” is not a whole number, 1 or more."


WRONG = {
    "deals": f"""
        game=poker game= game=taroky&game=troggu verdict=malformed verdict=pending verdict=VERIFIED
        player= player=%00 player={"x" * 201} session=%00 with_players=%00 with_players=Alena,B%00
        with_players={"x" * 501} date_from=yesterday date_from=2026-02-30 date_from=2026-11-20T00:00:00
        date_to=2026-??-?? date_to=99999-01-01 limit=0 limit=501 limit=-1 limit=ten limit={"9" * 5000}
        page=2 player__name=Alena =x role=declarer club=Tarok player_id=1&player=Alena player_id=Alena
        effect=lost role=dealer&player=x clause=taroky.nothing seats=1 points_from=many text={"x" * 201}
        ids=12,x ids=12- ids= ids={"1," * 500}1 digest=abc digest={f"{0:064}," * 500}{0:064} mine=perhaps
        order=random after=-1 before={"9" * 30} kind=table doubled=talon
        until=yesterday until=2026-11-22T20:15:00 until=2026-13-01 until=9999-12-31 until=
        limit=0&format=ndjson cursor=NDcxMQ&format=ndjson tarocks=23 honours=4 kings=5 position=0 position=9
        seats=9 lost_from=0 points_from=1001 points_to=1001 score_from=-1000000001 score_to=1000000001
        contract={"x" * 101} result={"x" * 21} rules={"x" * 1001}
        """,
    "scores": """
        limit=0 limit=501 offset=-1 offset=99999999999999999999 game=poker cursor=x by=luck least_deals=0
        least_evenings=many best_evenings=0
        """,
    "changes": "after=-1 after=x limit=0 limit=501 club=0 since=1",
    "upload": f"step=1 user=alena after=-2 after={'9' * 30} limit=0 limit=10001 wrong=perhaps",
    "clauses": "game=poker",
    "deal-hindsight": "step=-1 step=x step= view=A",
    **dict.fromkeys(
        ("deal-replay", "deal-positions", "deal-position"), "step=1 view=E view=a view=AB view= seat=A"
    ),
}
"""Queries by the name of their address; the first parameter of each is wrong."""


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_parameter_is_named(name, at, staff) -> None:
    for query in WRONG[name].split():
        field = query.partition("=")[0]
        error = assert_error(staff.ask(f"{at(name)}?{query}"), 400, "invalid_parameter", field=field)
        assert len(error["detail"]) < 500
        assert field != "until" or "2026-11-22" in error["detail"]


@pytest.mark.parametrize("path", ["deals", "deals/1", "deals/1/replay", "uploads", "schema", "docs"])
def test_a_slash_too_many(path, writer) -> None:
    for method, query in product(("GET", "POST", "PUT"), ("", "?game=troggu&player=bo%C5%99ek")):
        response = writer.generic(method, f"/api/v1/{path}/{query}")
        assert (response.status_code, response["Location"]) == (308, f"/api/v1/{path}{query}")


MISSING = """
    deals/0 deals/999999999 deals/99999999999999999999999999 deals/999999999/original deals/999999999/replay
    deals/999999999/score games/poker clauses/taroky.nothing clauses/nothing.at-all clauses/%00 clauses/common
    uploads/999999999 uploads/99999999999999999999999999 campaigns/999999999
    campaigns/99999999999999999999999999
    """


def test_no_such_thing(staff) -> None:
    """The error is JSON even if the request asked for text."""
    for path in MISSING.split():
        assert_error(staff.ask(path), 404, "not_found")
    assert_error(staff.ask("deals/999999999", accept=TGN), 404, "not_found")
    assert_error(staff.ask("deals/999999999", {"format": "tgn"}), 404, "not_found")


def test_django_s_own_refusals(reader, monkeypatch) -> None:
    said = SuspiciousOperation("what Django says to itself")
    monkeypatch.setattr(base.ApiView, "query", Mock(side_effect=said))
    assert "itself" not in assert_error(reader.ask("games"), 400, "bad_request")["detail"]


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
