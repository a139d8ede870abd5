"""Limits count clients by their addresses, and take the word of no one but the proxies of the site."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.utils.connection import ConnectionProxy

from archive import counters
from archive.web.throttles import Checks, client_address

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sweeper")]


def counted(peer: str, forwarded: str | None = None) -> str:
    more = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return client_address(RequestFactory().get("/", REMOTE_ADDR=peer, **more))


@pytest.mark.parametrize(
    ("peer", "expected"),
    [("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"),
     ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"), ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::"),
     ("2001:db8:1:3::1", "2001:db8:1:3::"), ("fe80::1%eth0", "fe80::"), ("", "")],
)  # fmt: skip
def test_a_client_is_an_ipv4_address_or_a_network_of_ipv6(peer: str, expected: str) -> None:
    assert counted(peer) == expected


PEER = "192.0.2.9"


@pytest.mark.parametrize(
    ("number", "forwarded", "expected"),
    [
        (0, "192.0.2.1", PEER), (1, None, PEER), (1, "", PEER), (1, "192.0.2.1", "192.0.2.1"),
        (1, "192.0.2.7, 192.0.2.1", "192.0.2.1"), (1, "192.0.2.7,2001:db8::5", "2001:db8::"),
        (2, "192.0.2.7, 192.0.2.1, 192.0.2.2", "192.0.2.1"),
        (2, "192.0.2.1", PEER),  # has not come through both
        (1, "192.0.2.7, unknown", PEER), (1, "192.0.2.7, _hidden", PEER), (1, "192.0.2.1:4711", PEER),
        (1, "[2001:db8::1]", PEER), (1, "[2001:db8::1]:4711", PEER), (1, "192.0.2.1,", PEER),
        (1, "192.0.2.1, ,", PEER), (1, "\x00", PEER), (1, "é", PEER), (1, "192.0.2.001", PEER),
        (1, "１９２.0.2.1", PEER), (1, "3221225985", PEER), (1, "x" * 999, PEER),
        (1, "::ffff:192.0.2.1", "192.0.2.1"),
    ],
)  # fmt: skip
def test_a_proxy_names_the_client_and_a_client_nobody(
    settings: Any, number: int, forwarded: str | None, expected: str
) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "NUM_PROXIES": number}
    assert counted(PEER, forwarded) == expected


NEIGHBOURS = [f"2001:db8::{number:x}:1" for number in range(1, 40)]


def test_the_api_counts_a_network_as_one_client(settings: Any) -> None:
    rates = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"] | {"api-read": "20/min", "api-refused": "3/min"}
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": rates}
    client = Client()
    found = [client.get("/api/v1/games", REMOTE_ADDR=peer).status_code for peer in NEIGHBOURS[:25]]
    assert found == [200] * 20 + [429] * 5
    wrong = {"HTTP_AUTHORIZATION": "Bearer tarock_wrong"}
    others = [peer.replace("db8", "db9") for peer in NEIGHBOURS[:6]]
    found = [client.get("/api/v1/me", REMOTE_ADDR=peer, **wrong).status_code for peer in others]
    assert found == [401] * 3 + [429] * 3


def test_signing_in_counts_a_network_as_one_client() -> None:
    found = [
        Client(REMOTE_ADDR=peer).post("/accounts/login/", {"login": f"n{peer}", "password": "x"}).status_code
        for peer in NEIGHBOURS
    ]
    assert 429 in found
    User.objects.create_user("eva")
    mapped = Client(REMOTE_ADDR="::ffff:192.0.2.1")
    assert mapped.post("/accounts/login/", {"login": "eva", "password": "x"}).status_code == 200


def test_the_quota_counts_a_network_as_one_client(settings: Any) -> None:
    settings.ARCHIVE_ANONYMOUS_QUOTA_BYTES = 1
    found = [Client(REMOTE_ADDR=peer).post("/upload/", {"text": "1"}).status_code for peer in NEIGHBOURS[:2]]
    assert found == [302, 429]


def dropping(monkeypatch: pytest.MonkeyPatch, times: int) -> None:
    """Have the cache drop a counter just before it is incremented, a number of times."""
    left = [times]
    incr = ConnectionProxy.__getattr__(cache, "incr")

    def drop(_self: Any, key: str, step: int = 1) -> int:
        if left[0]:
            left[0] -= 1
            cache.delete(key)
        return incr(key, step)

    monkeypatch.setattr(type(cache._connections[cache._alias]), "incr", drop)


def test_a_counter_that_ends_meanwhile_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    request = RequestFactory().get("/")
    for times in (1, 2, 9):
        with monkeypatch.context() as patch:
            dropping(patch, times)
            for _ in range(3):
                assert Checks().allow_request(request, None), times
            counters.add({"parts": 1})


def test_a_request_that_was_refused_takes_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Checks, "rate", "1/min")
    request, (first, second, third) = RequestFactory().get("/"), (Checks() for _ in range(3))
    assert [one.allow_request(request, None) for one in (first, second)] == [True, False]
    first.give_back()
    assert third.allow_request(request, None)


def test_what_an_earlier_release_stored_is_not_read(settings: Any) -> None:
    assert settings.CACHES["default"]["VERSION"] > 1
    cache.set("throttle_checks_127.0.0.1", [1.0, 2.0], version=1)  # as Django REST framework does
    assert Checks().allow_request(RequestFactory().get("/"), None)
