"""Requests that fail outside every view: below `/api/` their errors have the one shape, too."""

import json
import re
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import InterfaceError, OperationalError
from django.test import RequestFactory

from archive.web import last_resorts, waiting
from archive.web.problems import problem
from tools.site import PROJECT

from .conftest import ApiClient
from .shape import assert_error

NGINX = (PROJECT / "deploy" / "nginx.conf").read_text()


def test_a_host_that_is_not_ours(reader: ApiClient) -> None:
    assert_error(reader.ask("games", headers={"Host": "evil.example"}), 400, "bad_request")
    page = reader.get("/", headers={"Host": "evil.example"})
    assert page.status_code == 400
    assert page["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("path", ["/api/", "/api/v0/deals", "/api/v2/deals", "/api/x"])
def test_no_such_version(path: str, reader: ApiClient) -> None:
    assert_error(reader.get(path), 404, "not_found")


def test_a_page_that_is_not_there_stays_a_page(reader: ApiClient) -> None:
    response = reader.get("/no-such-page")
    assert response.status_code == 404
    assert response["Content-Type"].startswith("text/html")


def test_a_fault_outside_of_every_view(reader: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a secret of the house")

    monkeypatch.setattr("django.middleware.common.CommonMiddleware.process_request", broken)
    error = assert_error(reader.ask("games"), 500, "server_error")
    assert "secret" not in error["detail"]
    assert reader.get("/")["Content-Type"].startswith("text/html")


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_a_database_that_is_away_outside_of_every_view(
    error: type[Exception], reader: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: Any) -> None:
        raise error("gone")

    monkeypatch.setattr("django.middleware.common.CommonMiddleware.process_request", away)
    below, page = reader.ask("games"), reader.get("/")
    assert_error(below, 503, "busy")
    assert (page.status_code, page["Content-Type"].partition(";")[0]) == (503, "text/html")
    for response in (below, page):
        assert response["Retry-After"] == "60"


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
