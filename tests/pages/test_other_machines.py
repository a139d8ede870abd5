"""No request waits for another machine, such as a mail server or receiver of webhooks that is silent."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

import api.urls
import replays.urls
from archive.models import Mail, Webhook
from tests.pages.evenings import Phone
from tests.pages.test_permissions import CALLS, PAGES, PHONES, SENDINGS, SENT, World, address, world
from tools.outside import silent_server

__all__ = ["world"]
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    pytest.mark.parametrize("world", ["public until"], indirect=True),
]


@pytest.fixture
def silent(settings: Any) -> Iterator[str]:
    """The address of a silent server, which is the site's mail server, too."""
    settings.WEBHOOKS_TO_PRIVATE_ADDRESSES = True
    settings.EMAIL_BACKEND = "archive.publishing.mails.Backend"
    settings.EMAIL_TRANSPORT = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = "127.0.0.1", 60
    settings.ADMINS = [("operator", "operator@example.org")]
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    with silent_server() as settings.EMAIL_PORT:
        yield f"http://127.0.0.1:{settings.EMAIL_PORT}/"


@pytest.fixture
def connections(silent: str, settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The connections that were tried, to all but the database (which libpq makes) and Redis."""
    tried: list[Any] = []
    connect = socket.socket.connect
    redis = {settings.CELERY_BROKER_URL, settings.CACHES["default"]["LOCATION"]}

    def only_to_redis(self: socket.socket, where: Any) -> None:
        if self.family != socket.AF_UNIX and not any(f":{where[1]}/" in url for url in redis):
            tried.append(where)
            raise TimeoutError(f"a connection to {where}")
        connect(self, where)

    monkeypatch.setattr(socket.socket, "connect", only_to_redis)
    monkeypatch.setattr(socket.socket, "connect_ex", only_to_redis)
    return tried


def test_no_request_asks_another_machine(
    world: World, silent: str, connections: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    Webhook.objects.update(url=silent)
    User.objects.filter(username="owner").update(email="owner@example.org")
    client, headers = world.client("owner"), world.headers("owner")
    asked = 0

    def ask(method: str, where: str, body: Any = None, by: Client = client, **how: Any) -> None:
        nonlocal asked
        asked += 1
        with django_capture_on_commit_callbacks(execute=True):
            answer = getattr(by, method)(where, body, **how)
        assert answer.status_code < 500, (method, where)
        assert not connections, (method, where)

    for entry in replays.urls.urlpatterns:
        if not entry.name:
            continue
        where = address(str(entry.pattern), entry.name, world.numbers)
        if entry.name in PAGES:
            ask("get", where)
        if entry.name in SENDINGS:
            ask("post", where, SENDINGS[entry.name][0])
        if entry.name in PHONES:
            phone = Phone(client, world.numbers["uuid:key"])
            body = PHONES[entry.name][0](phone, world.numbers["int:pk"]["clubs"])
            ask("put", where, body, content_type="application/json")
    for entry in api.urls.endpoints:
        where = "/api/v1" + address(str(entry.pattern), entry.name, world.numbers)
        if entry.name in CALLS:
            ask("get", where, by=Client(), headers=headers)
        if entry.name in SENT:
            body = SENT[entry.name][0].replace("https://receiver.example/", silent)
            kind = "application/json" if body.startswith("{") else "application/vnd.tgn"
            ask("post", where, body, by=Client(), content_type=kind, headers=headers)
    club = f"/clubs/{world.numbers['int:pk']['clubs']}/"
    webhook = str(Webhook.objects.order_by("pk")[0].pk)
    for action in ("add", "start", "end"):
        ask("post", f"{club}webhooks/", {"action": action, "url": silent, "webhook": webhook})
    password = {"password1": "tea and tarock", "password2": "tea and tarock"}
    ask("post", "/accounts/password/reset/", {"email": "owner@example.org"}, by=Client())
    ask("post", "/accounts/password/reset/", {"email": "nobody@example.org"}, by=Client())
    ask("post", "/accounts/signup/", {"username": "eva", "email": "eva@example.org", **password}, by=Client())
    for action in ("action_add", "action_send", "action_primary", "action_remove"):
        ask("post", "/accounts/email/", {"email": "new@example.org", action: ""})
    for page in ("login", "signup", "email", "password/change", "password/reset", "delete"):
        ask("get", f"/accounts/{page}/")
    for page in ("", "operation/", "auth/user/", "archive/upload/"):
        ask("get", f"/admin/{page}", by=world.client("operator"))
    assert asked > 150
    assert Mail.objects.count() >= 4
