"""Endpoints for machines: liveness and readiness."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import pytest
from django.db import OperationalError, connection
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings

from deploy import probes


@pytest.fixture
def ready(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The answer of `/readyz` of a process that has just started."""

    def get(query: str = "") -> tuple[int, dict[str, Any]]:
        monkeypatch.setitem(probes.CHECKS, "migrations", probes._Migrations())
        response = Client().get(f"/readyz{query}")
        return response.status_code, response.json()

    return get


@override_settings(SECURE_SSL_REDIRECT=True, ALLOWED_HOSTS=["archive.example"])
def test_probes_are_answered_by_any_name_and_leave_nothing() -> None:
    """This test has no database: any query fails."""
    response = Client().get("/healthz", headers={"host": "10.0.0.7:8000", "cookie": "sessionid=x"})
    assert (response.status_code, response.json()) == (200, {"status": "alive"})
    assert (response["Cache-Control"], dict(response.cookies), "Vary" in response) == ("no-store", {}, False)
    assert Client().head("/healthz").content == b""
    refused = Client().post("/healthz")
    assert (refused.status_code, refused["Allow"]) == (405, "GET, HEAD")
    # A URL that only looks like one is an ordinary page.
    assert Client().get("/healthz/", headers={"host": "10.0.0.7"}).status_code == 400


@pytest.mark.storage
@pytest.mark.django_db
def test_a_site_is_ready_with_database_broker_and_migrations(ready: Any, monkeypatch: Any) -> None:
    checks = {"database": "ok", "broker": "ok", "migrations": "ok", "static files": "ok"}
    assert ready() == (200, {"status": "ready", "checks": checks})
    with monkeypatch.context() as away:
        away.setattr("archive.storing.queue.length", lambda name: None)
        status, found = ready()
        assert (status, found["checks"]["broker"]) == (503, "does not answer")
        del checks["broker"]
        assert ready("?exclude=broker") == (200, {"status": "ready", "checks": checks}), "unless nobody minds"
    MigrationRecorder(connection).migration_qs.filter(app="auth").order_by("-name")[0].delete()
    status, found = ready()
    assert (status, found["status"]) == (503, "not ready")
    assert found["checks"]["migrations"] == "not all are applied"


@pytest.mark.django_db
def test_without_a_database_probes_still_answer(ready: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "ensure_connection", Mock(side_effect=OperationalError("it is away")))
    monkeypatch.setattr(connection, "close", lambda: None)
    assert Client().get("/healthz").status_code == 200
    status, found = ready()
    assert (status, found["checks"]) == (503, {
        "database": "does not answer", "broker": "ok", "migrations": "not known", "static files": "ok"
    })  # fmt: skip
