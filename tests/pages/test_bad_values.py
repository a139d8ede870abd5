"""Every address of pages and API: a value that nobody means is never a 500, and no request waits for another
machine, such as a mail server or receiver of webhooks that is silent. Each place gets one bad value here, and
all of them in `make fuzz`."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils.datastructures import MultiValueDict

import api.urls
import replays.urls
from api.schema import description
from archive.models import Mail, Webhook
from tests.pages.evenings import Phone
from tests.pages.test_permissions import CALLS, FEW_FRAMES, PHONES, SENDINGS, SENT, World, address, world
from tests.pages.test_permissions import PAGES as READ
from tests.support.effort import one_of
from tools.outside import silent_server

__all__ = ["world"]
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    pytest.mark.parametrize("world", ["public until"], indirect=True),
]

#: As they are written in addresses and forms: NUL and half a surrogate pair, 20 digits, 10 kB.
BAD = {"no text": "a%00%ED%A0%80b", "20 digits": "9" * 20, "10 kB": "1" * 10_000}
#: The same in JSON.
BAD_JSON = ["a\0b", "\ud800", "9" * 20, "x" * 10_000, 10**20, None, []]


CORRECTION = {"players": {"A": "x"}, "date": "2020-01-01", "session": "y", "site": "z"}


@pytest.fixture(autouse=True)
def _without_limits(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}
    settings.ACCOUNT_RATE_LIMITS = {}
    monkeypatch.setattr("archive.web.throttles.Throttle.allow_request", lambda *_args: True)


class Asker:
    """Asks as one user, without lasting effects, and collects what is answered with 500 or above."""

    def __init__(self, world: World, who: str, *, by_token: bool = False) -> None:
        self.client = Client() if by_token else world.client(who)
        self.client.raise_request_exception = False
        self.headers = world.headers(who) if by_token else {}
        self.faults: list[str] = []
        self.forms: set[frozenset[str]] = set()

    def ask(self, method: str, where: str, body: str | bytes = b"", kind: str = "", **headers: str) -> Any:
        """Ask, and roll back what was written."""
        with transaction.atomic():
            answer = self.client.generic(
                method, where, body, content_type=kind or FORM, headers={**self.headers, **headers}
            )
            if answer.streaming:
                b"".join(answer.streaming_content)
            transaction.set_rollback(True)
        if answer.status_code >= 500 and answer.status_code != 501:  # as oEmbed has it for another format
            self.faults.append(f"{answer.status_code} {method} {where[:150]} {body[:150]!r} {headers}"[:400])
        return answer


FORM = "application/x-www-form-urlencoded"


@pytest.fixture
def asked_for(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """The names that views ask queries and forms for."""
    names: set[str] = set()

    def note(original: Any) -> Any:
        def noting(self: Any, key: Any, *more: Any, **options: Any) -> Any:
            names.add(key)
            return original(self, key, *more, **options)

        return noting

    for name in ("__getitem__", "_getlist", "__contains__"):
        monkeypatch.setattr(MultiValueDict, name, note(getattr(MultiValueDict, name)), raising=False)
    return names


def patterns(found: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    for entry in found:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLPattern):
            if entry.name:
                yield route, entry.name
        else:
            yield from patterns(entry.url_patterns, route)


PAGES = [(str(entry.pattern), entry.name) for entry in replays.urls.urlpatterns if entry.name]
ACCOUNTS = ["login", "signup", "email", "password/change", "password/set", "password/reset", "logout",
            "reauthenticate", "confirm-email", "inactive", "token", "delete", "webhooks"]  # fmt: skip


def _try_names(asker: Asker, method: str, where: str, names: set[str], fields: dict[str, str]) -> None:
    """Ask with each bad value in each name that the page asks for, unless one before had just the same."""
    names.clear()
    plain = "&".join(f"{name}={value}" for name, value in fields.items())

    def ask(query: str) -> None:
        asker.ask(method, *((f"{where}?{query}",) if method == "GET" else (where, query)))

    ask(plain)
    if names or fields:
        ask("&".join(f"{name}=1" for name in {*names, *fields}))  # some are valid only with others
    if frozenset(names) in asker.forms:
        return
    asker.forms.add(frozenset(names))
    for name in {*names, *fields}:
        rest = "&".join(f"{other}={value}" for other, value in fields.items() if other != name)
        for bad in one_of(BAD.values(), f"{where} {name}"):
            ask(f"{name}={bad}&{rest}")


def test_queries_of_pages(world: World, asked_for: set[str]) -> None:
    asker = Asker(world, "owner")
    for route, name in PAGES:
        fields = FEW_FRAMES if name == "frames" else {}
        _try_names(asker, "GET", address(route, name, world.numbers), asked_for, fields)
    for name in ACCOUNTS:
        _try_names(asker, "GET", f"/accounts/{name}/", asked_for, {})
    assert not asker.faults


def test_forms_of_pages(world: World, asked_for: set[str]) -> None:
    asker, visitor = Asker(world, "owner"), Asker(world, "anonymous")
    for route, name in PAGES:
        fields = SENDINGS.get(name, ({}, ""))[0]
        if name != "check":
            _try_names(asker, "POST", address(route, name, world.numbers), asked_for, fields)
    for name in ACCOUNTS:
        for one in (asker, visitor):
            _try_names(one, "POST", f"/accounts/{name}/", asked_for, {})
    assert not asker.faults + visitor.faults


def test_addresses(world: World) -> None:
    asker, by_token = Asker(world, "owner"), Asker(world, "owner", by_token=True)
    for route, _name in patterns(get_resolver().url_patterns):
        if "<" not in route or route.startswith("admin/"):
            continue
        one = by_token if route.startswith("api/") else asker
        before, after = route.partition("<")[0], route.rpartition(">")[2]
        for bad in one_of(BAD.values(), route):
            one.ask("GET", f"/{before}{bad}{after}".replace("^", "").replace("$", ""))
    assert not asker.faults + by_token.faults


def test_parameters_of_the_api(world: World) -> None:
    asker = Asker(world, "sender", by_token=True)
    names = {"/api/v1/" + str(entry.pattern): entry.name for entry in api.urls.endpoints}
    tried = 0
    for route, operations in description()["paths"].items():
        (pattern,) = (known for known in names if _same(known, route))
        about = world.numbers["int:pk"].get(route.split("/")[3], 1)
        where = address(pattern[1:], names[pattern], world.numbers | {"int:pk": about})
        for method, operation in operations.items():
            body = SENT.get(names[pattern], ("", ""))[0] if method == "post" else ""
            kind = "application/json" if body.startswith("{") else "application/vnd.tgn"
            for parameter in operation.get("parameters", ()):
                name = parameter["name"]
                for bad in one_of(BAD.values(), f"{where} {name}"):
                    tried += 1
                    if parameter["in"] == "query":
                        asker.ask(method.upper(), f"{where}?{name}={bad}", body, kind)
                    elif parameter["in"] == "header":
                        asker.ask(method.upper(), where, body, kind, **{name: bad})
    assert tried > 130
    assert not asker.faults


def _same(pattern: str, route: str) -> bool:
    one, other = pattern.split("/"), route.split("/")
    return len(one) == len(other) and all(
        a == b or (a.startswith("<") and b.startswith("{")) for a, b in zip(one, other, strict=True)
    )


def _spoilt(value: Any) -> Iterator[Any]:
    """The value with each of its leaves replaced by each bad value, and with its keys spoilt."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in _spoilt(inner))
        for bad in ("a\0b", "\ud800", "x" * 10_000):
            yield {**value, bad: 1}
    elif isinstance(value, list) and value:
        yield from ([*value[:-1], other] for other in _spoilt(value[-1]))
    yield from one_of(BAD_JSON, repr(value))


def test_bodies(world: World) -> None:
    by_token = Asker(world, "owner", by_token=True)
    kind = "application/json"
    for entry in api.urls.endpoints:
        text = SENT.get(entry.name, ("", ""))[0]
        if text.startswith("{") and entry.name != "variations":
            where = "/api/v1" + address(str(entry.pattern), entry.name, world.numbers)
            for body in _spoilt(CORRECTION if entry.name == "deal-correction" else json.loads(text)):
                by_token.ask("POST", where, json.dumps(body), kind)
    phone = Asker(world, "owner")
    club = world.numbers["int:pk"]["clubs"]
    for route, name in PAGES:
        if name in PHONES:
            where = address(route, name, world.numbers)
            good = PHONES[name][0](Phone(phone.client, world.numbers["uuid:key"]), club)
            for body in _spoilt(json.loads(json.dumps(good))):
                phone.ask("PUT", where, json.dumps(body), kind)
    assert not by_token.faults + phone.faults


def test_cookies_and_headers(world: World) -> None:
    asker = Asker(world, "anonymous")
    bad = ['"aaaaaaaa\\000b"', '"\\355\\240\\200aaaaaaaa"', "9" * 20, "x" * 10_000]
    names = [
        *("Accept", "Accept-Language", "Authorization", "If-None-Match", "If-Modified-Since", "Range"),
        *("Prefer", "Idempotency-Key", "Origin", "Referer", "X-Forwarded-For", "X-Forwarded-Proto"),
        *("X-Request-Id", "Host", "User-Agent", "Content-Type"),
    ]
    for where in ("/", "/deals/", "/evenings/", "/accounts/login/", "/api/v1/deals", "/api/v1/me"):
        for value in one_of(bad, where):
            for cookie in ("sessionid", "csrftoken", "django_language", "messages"):
                asker.ask("GET", where, cookie=f"{cookie}={value}")
                asker.ask("POST", where, cookie=f"{cookie}={value}")
            for name in names:
                asker.ask("GET", where, **{name: value})
    assert not asker.faults


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
        if entry.name in READ:
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
    for name in ("owner", "nobody"):
        ask("post", "/accounts/password/reset/", {"email": f"{name}@example.org"}, by=Client())
    ask("post", "/accounts/signup/", {"username": "eva", "email": "eva@example.org", **password}, by=Client())
    for action in ("action_add", "action_send", "action_primary", "action_remove"):
        ask("post", "/accounts/email/", {"email": "new@example.org", action: ""})
    for page in ("login", "signup", "email", "password/change", "password/reset", "delete"):
        ask("get", f"/accounts/{page}/")
    for page in ("", "operation/", "auth/user/", "archive/upload/"):
        ask("get", f"/admin/{page}", by=world.client("operator"))
    assert asked > 150
    assert Mail.objects.count() >= 4
