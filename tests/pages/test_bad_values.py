"""Values that nobody means, in every parameter of pages and API: never a 500."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver
from django.utils.datastructures import MultiValueDict

import api.urls
import replays.urls
from api.schema import description
from tests.pages.evenings import Phone
from tests.pages.test_permissions import PHONES, SENDINGS, SENT, World, address, world

__all__ = ["world"]
pytestmark = [
    pytest.mark.django_db,
    pytest.mark.slow,
    pytest.mark.parametrize("world", ["public until"], indirect=True),
]

#: As they are written in addresses and forms: NUL and half a surrogate pair, 20 digits, 10 kB.
BAD = {
    "no text": "a%00%ED%A0%80b",
    "20 digits": "9" * 20,
    "10 kB": "1" * 10_000,
}
#: The same in JSON.
BAD_JSON = ["a\0b", "\ud800", "9" * 20, "x" * 10_000, 10**20, None, []]


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
    get, get_list = MultiValueDict.__getitem__, MultiValueDict._getlist

    def note(original: Any) -> Any:
        def noting(self: Any, key: Any, *more: Any, **options: Any) -> Any:
            names.add(key)
            return original(self, key, *more, **options)

        return noting

    monkeypatch.setattr(MultiValueDict, "__getitem__", note(get))
    monkeypatch.setattr(MultiValueDict, "_getlist", note(get_list))
    monkeypatch.setattr(MultiValueDict, "__contains__", note(dict.__contains__), raising=False)
    return names


def patterns(found: Any, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Every pattern below, as an address without its ``/``, with its name."""
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
        if method == "GET":
            asker.ask("GET", f"{where}?{query}")
        else:
            asker.ask(method, where, query)

    ask(plain)
    ask("&".join(f"{name}=1" for name in {*names, *fields}))  # some are valid only with others
    if frozenset(names) in asker.forms:
        return
    asker.forms.add(frozenset(names))
    for name in {*names, *fields}:
        rest = "&".join(f"{other}={value}" for other, value in fields.items() if other != name)
        for bad in BAD.values():
            ask(f"{name}={bad}&{rest}")


def test_queries_of_pages(world: World, asked_for: set[str]) -> None:
    asker = Asker(world, "owner")
    for route, name in PAGES:
        _try_names(asker, "GET", address(route, name, world.numbers), asked_for, {})
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
        for bad in BAD.values():
            one.ask("GET", f"/{before}{bad}{after}".replace("^", "").replace("$", ""))
    assert not asker.faults + by_token.faults


def test_parameters_of_the_api(world: World) -> None:
    asker = Asker(world, "sender", by_token=True)
    names = {"/api/v1/" + str(entry.pattern): entry.name for entry in api.urls.endpoints}
    tried = 0
    for route, operations in description()["paths"].items():
        (pattern,) = (known for known in names if _same(known, route))
        where = address(pattern[1:], names[pattern], world.numbers | {"int:pk": _numbers(world, route)})
        for method, operation in operations.items():
            body = SENT.get(names[pattern], ("", ""))[0] if method == "post" else ""
            kind = "application/json" if body.startswith("{") else "application/vnd.tgn"
            for parameter in operation.get("parameters", ()):
                for bad in BAD.values():
                    tried += 1
                    if parameter["in"] == "query":
                        asker.ask(method.upper(), f"{where}?{parameter['name']}={bad}", body, kind)
                    elif parameter["in"] == "header":
                        asker.ask(method.upper(), where, body, kind, **{parameter["name"]: bad})
    assert tried > 400
    assert not asker.faults


def _same(pattern: str, route: str) -> bool:
    """Whether a pattern of Django and a path of the description are of one address."""
    one, other = pattern.split("/"), route.split("/")
    return len(one) == len(other) and all(
        a == b or (a.startswith("<") and b.startswith("{")) for a, b in zip(one, other, strict=True)
    )


def _numbers(world: World, route: str) -> int:
    return world.numbers["int:pk"].get(route.split("/")[3], 1)


def _spoilt(value: Any) -> Iterator[Any]:
    """The value with each of its leaves replaced by each bad value, and with its keys spoilt."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from ({**value, key: other} for other in _spoilt(inner))
        for bad in ("a\0b", "\ud800", "x" * 10_000):
            yield {**value, bad: 1}
    elif isinstance(value, list) and value:
        yield from ([*value[:-1], other] for other in _spoilt(value[-1]))
    yield from BAD_JSON


def test_bodies(world: World) -> None:
    by_token = Asker(world, "owner", by_token=True)
    kind = "application/json"
    for entry in api.urls.endpoints:
        text = SENT.get(entry.name, ("", ""))[0]
        if text.startswith("{") and entry.name != "variations":
            known = {
                "deal-correction": {"players": {"A": "x"}, "date": "2020-01-01", "session": "y", "site": "z"}
            }
            where = "/api/v1" + address(str(entry.pattern), entry.name, world.numbers)
            for body in _spoilt(known.get(entry.name, json.loads(text))):
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
        for value in bad:
            for cookie in ("sessionid", "csrftoken", "django_language", "messages"):
                asker.ask("GET", where, cookie=f"{cookie}={value}")
                asker.ask("POST", where, cookie=f"{cookie}={value}")
            for name in names:
                asker.ask("GET", where, **{name: value})
    assert not asker.faults


def test_the_operator_s_pages(world: World) -> None:
    asker = Asker(world, "operator")
    for model in ("deal", "contribution", "player", "session", "space", "upload", "uploaditem", "token"):
        for name in ("q", "id", "p", "o", "all", "e", "id__exact", "user__id__exact"):
            for bad in BAD.values():
                asker.ask("GET", f"/admin/archive/{model}/?{name}={bad}")
        for bad in BAD.values():
            asker.ask("GET", f"/admin/archive/{model}/{bad}/change/")
    assert not asker.faults
