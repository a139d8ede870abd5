"""The cache fails open: without its Redis, or with one that hangs, nothing that uses it raises or waits."""

from __future__ import annotations

import logging
import signal
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.cache import caches
from django.test import Client

from deploy import cache as failing
from deploy.cache import Cache
from tools.servers import Server
from tools.waiting import eventually


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """Errors in a test don't affect the next one."""
    monkeypatch.setattr(failing.Client, "broken_until", 0.0)


def cache_at(address: str) -> Cache:
    """A cache with the site's own options."""
    return Cache(address, settings.CACHES["default"])


def use(cache: Cache) -> list[Any]:
    """Return the result of every method."""
    return [
        *(cache.add("a", 1), cache.get("a", "none"), cache.set("b", 2), cache.incr("a")),
        *(cache.get_many(["a", "b"]), cache.get_or_set("c", 3), cache.touch("a"), cache.has_key("a")),
        *("b" in cache, cache.set_many({"d": 4}), cache.delete("a"), cache.delete_many(["b", "c"])),
        cache.clear(),
    ]


WITHOUT = [True, "none", None, 1, {}, 3, False, False, False, [], False, None, False]


def test_without_redis_nothing_raises(caplog: pytest.LogCaptureFixture) -> None:
    cache = cache_at("redis://127.0.0.1:1/0")
    with caplog.at_level(logging.WARNING):
        assert [use(cache) for _ in range(2)] == [WITHOUT] * 2
    assert caplog.text.count("The cache does not answer") == 1


def test_with_redis_it_is_a_cache_and_a_hung_one_is_waited_for(
    redis_server: Server, monkeypatch: Any, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(failing, "PAUSE", 600.0)
    cache = cache_at(redis_server.url)
    assert use(cache) == [True, 1, None, 2, {"a": 2, "b": 2}, 3, True, True, True, [], True, None, True]
    cache.set("before", 1)
    redis_server.signal(signal.SIGSTOP)
    assert use(cache) == WITHOUT
    assert caplog.text.count("The cache does not answer") == 1, "it is waited for once"
    redis_server.signal(signal.SIGCONT)
    monkeypatch.setattr(failing.Client, "broken_until", 0.0)
    monkeypatch.setattr(failing, "PAUSE", 0.1)
    assert eventually(lambda: cache.get("before") == 1, 10)
    redis_server.signal(signal.SIGKILL)
    assert use(cache) == WITHOUT


@pytest.mark.django_db
def test_pages_api_and_accounts_do_without(monkeypatch: pytest.MonkeyPatch) -> None:
    """Throttles of the API, allauth's limits with their locks."""
    User.objects.create_user("anna", password="a long word")
    monkeypatch.setattr(caches._connections, "default", cache_at("redis://127.0.0.1:1/1"), raising=False)
    client = Client()
    for path in ("/", "/api/v1/games", "/api/v1/deals", "/accounts/login/"):
        assert client.get(path).status_code == 200
    signed_in = client.post("/accounts/login/", {"login": "anna", "password": "a long word"})
    assert signed_in.status_code == 302
    assert failing.Client.broken_until  # this cache got the request
