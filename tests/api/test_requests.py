"""Requests outside every view: below `/api/` their errors have the one shape, too; checks before a view."""

import json
import re
from unittest.mock import Mock

import pytest
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.test import Client, RequestFactory

from archive.models import Deal
from archive.web import last_resorts, waiting
from archive.web.problems import problem
from tests.infra.test_logs import site_log
from tests.support import samples
from tools.site import PROJECT

from .conftest import ApiClient
from .shape import assert_error

pytestmark = pytest.mark.django_db

NGINX = (PROJECT / "deploy" / "nginx.conf").read_text()


def test_other_addresses_of_the_site_answer_with_pages(reader) -> None:
    """Hosts that are not ours, other versions of the API, other pages."""
    assert_error(reader.ask("games", headers={"Host": "evil.example"}), 400, "bad_request")
    for path in ("/api/", "/api/v0/deals", "/api/v2/deals", "/api/x"):
        assert_error(reader.get(path), 404, "not_found")
    for path, host, status in (("/", "evil.example", 400), ("/no-such-page", "testserver", 404)):
        page = reader.get(path, headers={"Host": host})
        assert (page.status_code, page["Content-Type"].partition(";")[0]) == (status, "text/html")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (RuntimeError("a secret of the house"), 500, "server_error"),
        (OperationalError("secret"), 503, "busy"),
        (InterfaceError("secret"), 503, "busy"),
    ],
)
def test_a_fault_outside_of_every_view(error, status, code, reader, monkeypatch) -> None:
    broken = Mock(side_effect=error)
    monkeypatch.setattr("django.middleware.common.CommonMiddleware.process_request", broken)
    below, page = reader.ask("games"), reader.get("/")
    assert "secret" not in assert_error(below, status, code)["detail"]
    assert (page.status_code, page["Content-Type"].partition(";")[0]) == (status, "text/html")
    for response in (below, page):
        assert response.get("Retry-After") == ("60" if status == 503 else None)


def test_what_is_denied() -> None:
    below, beside = (RequestFactory().get(path) for path in ("/api/v1/x", "/x"))
    denied = last_resorts.permission_denied(below, PermissionDenied())
    assert (denied.status_code, json.loads(denied.content)["code"]) == (403, "permission_denied")
    assert last_resorts.permission_denied(beside, PermissionDenied())["Content-Type"].startswith("text/html")


def test_the_errors_of_nginx_are_those_of_the_api() -> None:
    written = re.findall(r"return (\d+) '(.+)';", NGINX)
    assert len(written) == 3
    for status, body in written:
        error = json.loads(body)
        assert error == problem(error["code"], error["detail"])
        assert error["status"] == int(status)


def test_nginx_waits_longer_than_an_answer() -> None:
    (seconds,) = re.findall(r"proxy_read_timeout (\d+)s;", NGINX)
    assert int(seconds) > waiting.LONGEST + 30


# --- before a view ------------------------------------------------------------------------------------------


UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}")


STATUSES = {
    "/": 200, "/nowhere": 404, "/deals/?page=x": 200, "/accounts/email/": 302, "/healthz": 200,
    "/metrics": 404, "/api/v1/games": 200, "/api/v1/deals/999999": 404, "/api/v1/me": 401, "/api/v2/": 404,
    "/.well-known/tarock-archive-keys.json": 200,
}  # fmt: skip


def test_every_answer_has_the_id_of_its_log_line() -> None:
    seen = set()
    for path, status in STATUSES.items():
        with site_log() as lines:
            response = Client().get(path)
            ids = {line["request_id"] for line in lines() if "request_id" in line}
        assert response.status_code == status, path
        assert UUID.fullmatch(response["X-Request-Id"]), path
        assert ids == {response["X-Request-Id"]} or (path in ("/healthz", "/metrics") and not ids), path
        seen.add(response["X-Request-Id"])
    assert len(seen) == len(STATUSES)


def test_other_answers_have_one(reader, settings) -> None:
    tag = reader.ask("games")["ETag"]
    unchanged = reader.ask("games", headers={"If-None-Match": tag})
    assert unchanged.status_code == 304
    asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "GET"}
    preflight = reader.options("/api/v1/games", headers=asked)
    assert "x-request-id" in preflight["Access-Control-Allow-Headers"]
    forged = Client(enforce_csrf_checks=True).post("/accounts/login/")
    assert forged.status_code == 403
    with site_log() as lines:
        unknown_host = reader.get("/", headers={"Host": "elsewhere.example"})
        (line,) = lines()
    assert (unknown_host.status_code, line["request_id"]) == (400, unknown_host["X-Request-Id"])
    settings.SECURE_SSL_REDIRECT = True
    for response in (unchanged, preflight, forged, Client().get("/"), reader.send(samples.TAROKY)):
        assert UUID.fullmatch(response["X-Request-Id"]), response


def test_a_broken_page_has_one(monkeypatch, reader) -> None:
    monkeypatch.setattr("archive.reading.deals.find_ids", lambda *_args: 1 / 0)
    with site_log() as lines:
        response = reader.get("/deals/")
        (line,) = lines()
    assert (response.status_code, line["event"]) == (500, "request_failed")
    assert line["request_id"] == response["X-Request-Id"]


def test_a_client_may_name_its_request() -> None:
    for known in ("abc-123_4.5", "x" * 64):
        with site_log() as lines:
            assert Client().get("/api/v1/games", headers={"X-Request-Id": known})["X-Request-Id"] == known
            assert [line["request_id"] for line in lines()] == [known]
    for wrong in ("", "x" * 65, "a b", "a\nb", "a\n", '"', "ä", "{}", "\x00"):
        response = Client().get("/api/v1/games", headers={"X-Request-Id": wrong})
        assert UUID.fullmatch(response["X-Request-Id"]), wrong


def test_tokens_are_refused_over_plain_http(writer, settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    for response in (
        *(writer.ask(path) for path in ("deals", "me", "nothing/here")),
        *(writer.send(samples.TAROKY), writer.get("/deals/"), ApiClient().send(samples.TAROKY)),
        ApiClient().send(samples.TAROKY, path="verify"),
        ApiClient().generic("DELETE", "/api/v1/webhooks/1"),
    ):
        assert_error(response, 403, "https_required")
        assert "Location" not in response
    assert not Deal.objects.exists()
    elsewhere = writer.ask("deals", headers={"Origin": "https://elsewhere.example"})
    assert elsewhere["Access-Control-Allow-Origin"] == "*"
    secure = {"headers": {"X-Forwarded-Proto": "https"}}
    assert writer.send(samples.TAROKY, **secure).status_code == 201
    assert writer.ask("me", **secure).status_code == 200
    # Requests that only read, without a token, are redirected.
    for path in ("/", "/api/v1/deals", "/deals/"):
        assert Client().get(path)["Location"] == f"https://testserver{path}"
