"""The database and the Redis of a test run.

For each, in this order: the service that the parent process passed on, the URL in `TEST_DATABASE_URL` or
`TEST_REDIS_URL`, a throw-away server (`tools/servers.py`).
"""

from __future__ import annotations

import os
import socket
import sqlite3
from contextlib import suppress
from dataclasses import dataclass

import dj_database_url
import psycopg
import redis

from deploy import redis_urls
from tools import servers
from tools.servers import Stopper

# The variable with which the controller tells its xdist workers (and a `make test` its pytest runs) what is
# running.
_HANDED_DATABASE = "TAROCK_TESTS_DATABASE"
_HANDED_REDIS = "TAROCK_TESTS_REDIS"


@dataclass(frozen=True)
class Service:
    """A server that runs: its address, and in words what it is and where it came from."""

    url: str
    words: str


def database(stopper: Stopper) -> Service:
    """The database server of this test run: handed down, named, or started now."""
    if handed := os.environ.get(_HANDED_DATABASE):
        return _unpack(handed)
    if named := os.environ.get("TEST_DATABASE_URL"):
        sqlite = named.startswith("sqlite:")
        words = f"SQLite {sqlite3.sqlite_version}" if sqlite else _postgres_words(named)
        return _hand_down(_HANDED_DATABASE, Service(named, f"{words}, from TEST_DATABASE_URL"), stopper)
    server = servers.postgres(stopper)
    return _hand_down(_HANDED_DATABASE, Service(server.url, server.words), stopper)


def broker(stopper: Stopper) -> Service:
    """The Redis of this test run: handed down, named, or started now."""
    if handed := os.environ.get(_HANDED_REDIS):
        return _unpack(handed)
    if named := os.environ.get("TEST_REDIS_URL"):
        service = Service(named, f"{servers.redis_words(named)}, from TEST_REDIS_URL")
        return _hand_down(_HANDED_REDIS, service, stopper)
    server = servers.redis_server(stopper)
    return _hand_down(_HANDED_REDIS, Service(server.url, server.words), stopper)


def _hand_down(name: str, service: Service, stopper: Stopper) -> Service:
    """The service, which processes started from now on will find."""
    os.environ[name] = f"{service.url} {service.words}"
    stopper.callback(os.environ.pop, name, None)
    return service


def _unpack(handed: str) -> Service:
    url, _, words = handed.partition(" ")
    return Service(url, words)


def _postgres_words(url: str) -> str:
    at = dj_database_url.parse(url)
    with psycopg.connect(
        host=at["HOST"] or None, port=at["PORT"] or None,
        user=at["USER"] or None, password=at["PASSWORD"] or None,
        dbname="postgres", connect_timeout=5,
    ) as connection:  # fmt: skip
        number = connection.info.server_version
    return f"PostgreSQL {number // 10000}.{number % 10000}"


# --- an own Redis within it -----------------------------------------------------------------------------

_CLAIM_SECONDS = 2 * 3600


def claim_redis(url: str, stopper: Stopper) -> str:
    """The address of two empty neighbouring databases (broker, cache) that no other test process uses.

    The claims are keys in database 0 of the server; that of a process which is gone may be taken over.
    Raises `RuntimeError` when none is free.
    """
    address, _ = redis_urls.split(url)
    me = f"{socket.gethostname()}:{os.getpid()}"
    with redis.Redis.from_url(redis_urls.join(address, 0), decode_responses=True) as claims:
        databases = int(claims.config_get("databases").get("databases", 16))
        for number in range(2, databases - 1, 2):
            key = f"tarock-tests:claim:{number}"
            with claims.pipeline() as claim, suppress(redis.WatchError):
                # Of several processes that find a dead one's claim, only one takes it over.
                claim.watch(key)
                held = claim.get(key)
                if held and not _is_gone(held):
                    continue
                # Not before: one that this process holds already is not to be given back with this one.
                stopper.callback(_release, address, key, me)
                claim.multi()
                claim.set(key, me, ex=_CLAIM_SECONDS)
                claim.execute()
            if claims.get(key) != me:
                continue
            ours = held is not None
            for part in (number, number + 1):
                with redis.Redis.from_url(redis_urls.join(address, part)) as database_:
                    if ours:
                        database_.flushdb()  # what a dead test process left
                    elif database_.dbsize() and not _only_ours(database_):
                        break  # somebody else's data
                    else:
                        database_.flushdb()
            else:
                stopper.callback(_flush, address, number)
                return redis_urls.join(address, number)
            claims.delete(key)
    raise RuntimeError(f"all {databases} databases of the Redis at {address} are in use")


def _only_ours(database_: redis.Redis) -> bool:
    """Whether all there is are traces of an earlier run: Celery's tables and this project's cache."""
    ours = (b"_kombu.", b"unacked", b"tarock", b"celery")
    return all(key.startswith(ours) for key in database_.scan_iter(count=1000))


def _is_gone(holder: str) -> bool:
    host, _, pid = holder.rpartition(":")
    if host != socket.gethostname():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except (PermissionError, ValueError):
        return False
    return False


def _release(address: str, key: str, me: str) -> None:
    with redis.Redis.from_url(redis_urls.join(address, 0), decode_responses=True) as claims:
        if claims.get(key) == me:
            claims.delete(key)


def _flush(address: str, number: int) -> None:
    for part in (number, number + 1):
        with redis.Redis.from_url(redis_urls.join(address, part)) as database_:
            database_.flushdb()
