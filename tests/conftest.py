"""The base of all tests: real services, Django configured for them, and fixtures that several parts share.

Python imports this file before Django: it starts the services first (`tests/support/services.py`), because
the settings are made from their URLs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import BoundedSemaphore
from typing import Any
from urllib.parse import quote

import pytest

from tests.support import services
from tools import servers
from tools.chromium import chromium
from tools.site import PROJECT, Site, clean_environment

ENGINE = ("engine", "conformance", "simulate", "cli", "sample_deals", "tables", "texts")


def _engine_alone() -> bool:
    """Whether this run names nothing but the engine's tests: these need no service and no Django."""
    words = [argument.partition("::")[0] for argument in sys.argv[1:] if not argument.startswith("-")]
    named = [path for path in (PROJECT / word for word in words) if path.exists()]
    roots = [PROJECT / "tests" / name for name in ENGINE]
    alone = bool(named) and all(any(path.is_relative_to(root) for root in roots) for path in named)
    if "PYTEST_XDIST_WORKER" not in os.environ:
        os.environ["TAROCK_TESTS_ENGINE_ALONE"] = "1" if alone else ""
    return os.environ.get("TAROCK_TESTS_ENGINE_ALONE") == "1"


ENGINE_ALONE = _engine_alone()
STOPPER = servers.Stopper()
DATABASE: services.Service | None = None
BROKER: services.Service | None = None


def _start_services() -> Path:
    """Start or find them, and make the environment that the settings will be read from."""
    global DATABASE, BROKER
    # Variables of the person's own site must not reach the tests.
    for name in os.environ.keys() - clean_environment().keys():
        del os.environ[name]
    DATABASE = services.database(STOPPER)
    BROKER = services.broker(STOPPER)
    scratch = servers.scratch(STOPPER)
    (scratch / "static").mkdir()
    os.environ.update(
        DATABASE_URL=DATABASE.url,
        REDIS_URL=services.claim_redis(BROKER.url, STOPPER),
        SECRET_KEY="for tests only, secret to nobody",
        CERTIFICATE_KEY="MC4CAQAwBQYDK2VwBCIEIA5G967meG+omG42wLH0PgcmAmX4bw6u/abe8F9uSyrO",  # the same
        HTTPS="false",
        NUM_PROXIES="0",
        VAR_DIR=str(scratch),
        LOG_FORMAT="plain",
        LOG_LEVEL="WARNING",  # formatting a line for each request takes time; few tests read them
        DJANGO_SETTINGS_MODULE="deploy.settings",
        # Playwright's synchronous face runs an event loop in the thread of the test.
        DJANGO_ALLOW_ASYNC_UNSAFE="true",
    )
    return scratch


def _set_up_django(scratch: Path) -> None:
    """Django, on the services above, with what makes sense only in tests."""
    import django
    from django.conf import settings

    if settings.configured:
        raise pytest.UsageError("unset DJANGO_SETTINGS_MODULE: the tests choose their own settings")
    default = settings.DATABASES["default"]
    if default["ENGINE"] == "django.db.backends.sqlite3":
        # A file, not memory: the worker of `live_worker` is another process.
        default["TEST"] = {"NAME": str(scratch / "test.sqlite3")}
    else:
        if str(default["NAME"]).startswith("test_"):
            default["TEST"] = {"NAME": default["NAME"]}
            default["NAME"] = "postgres"
        # Commits don't wait for the disk: no test needs its data after a crash of the server.
        default["OPTIONS"]["options"] += " -c synchronous_commit=off"
    # Names without hashes: nobody has to collect the files first. (The supervisor's test serves hashed ones.)
    settings.STORAGES["staticfiles"]["BACKEND"] = "django.contrib.staticfiles.storage.StaticFilesStorage"
    # A password's hash is slow on purpose; here nothing is gained by it.
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    django.setup()
    from archive import database
    from tests.support import emptying

    # PostgreSQL ends a transaction that stored a deal and then asks nothing for 10 s. A test's transaction
    # may be busy for longer in Python, on a busy machine.
    database._IDLE_TIMEOUT = "0"
    emptying.install()
    # xdist's workers start from this environment, and must come by here before pytest-django reads settings.
    del os.environ["DJANGO_SETTINGS_MODULE"]


if not ENGINE_ALONE:
    _set_up_django(_start_services())


# --- the run as a whole ---------------------------------------------------------------------------------

_CHROMIUM = chromium()


def pytest_configure(config: pytest.Config) -> None:
    """Refuse at once where the browser tests must run but cannot."""
    if os.environ.get("REQUIRE_BROWSER") and _CHROMIUM is None:
        raise pytest.UsageError("REQUIRE_BROWSER is set, but there is no Chromium on this machine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whoever asks for Playwright's fixtures is a browser test; without a browser these are skipped. Whoever
    starts a worker or a whole site is slow."""
    for item in items:
        if {"live_worker", "product"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.slow)
        if {"page", "context", "browser"} & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.browser)
        if _CHROMIUM is None and item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.skip(reason="no Chromium on this machine"))
    # At the end, two workers would each start the site, while the third has nothing left to do.
    items.sort(key=lambda item: "product" not in getattr(item, "fixturenames", ()))


@pytest.hookimpl(wrapper=True)
def pytest_report_to_serializable() -> Any:
    """xdist hands reports over as UTF-8; half a surrogate in a test's log must not end the whole run."""
    return _encodable((yield))


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, dict):
        return {key: _encodable(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return type(value)(_encodable(inner) for inner in value)
    return value


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Last thing before pytest's own closing line: what this run stood on."""
    if DATABASE is None or BROKER is None:
        return
    terminalreporter.section("services")
    terminalreporter.write_line(f"database: {DATABASE.words}")
    terminalreporter.write_line(f"broker:   {BROKER.words}")
    if _CHROMIUM is None:
        terminalreporter.write_line("browser:  none found; the browser tests were SKIPPED", yellow=True)
    else:
        terminalreporter.write_line(f"browser:  {_CHROMIUM}")


# --- fixtures for all -----------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def browser_type_launch_args() -> dict[str, Any]:
    """How Playwright starts Chromium: the machine's own, and quiet (no look-ups of its maker's hosts)."""
    return {
        "executable_path": _CHROMIUM,
        "args": [
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            # A name without HTTPS, as a site on the local network has.
            "--host-resolver-rules=MAP tarock.lan 127.0.0.1",
        ],
    }


def _of_engine(node: pytest.Item) -> bool:
    """Whether this is one of the engine's tests, which use no service."""
    return ENGINE_ALONE or node.path.relative_to(PROJECT / "tests").parts[0] in ENGINE


@pytest.fixture
def sweeper() -> Iterator[None]:
    """Recompute sums before each request, like the sweeper a moment after each change."""
    from django.core.signals import request_started

    from tests.support.settling import settle

    request_started.connect(settle)
    yield
    request_started.disconnect(settle)


@pytest.fixture(autouse=True)
def _fresh_places(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits for a download that the one before has left unread."""
    if _of_engine(request.node):
        return
    from archive.web import downloads

    monkeypatch.setattr(downloads, "DOWNLOAD_PLACES", BoundedSemaphore(4))


@pytest.fixture(autouse=True)
def _fresh_redis(request: pytest.FixtureRequest) -> None:
    """Before each test: no cached value, no rate counted, no message left by the test before."""
    if _of_engine(request.node):
        return
    import redis
    from django.conf import settings

    from deploy import redis_urls

    address, number = redis_urls.split(os.environ["REDIS_URL"])
    global _REDIS
    if _REDIS is None:
        _REDIS = (
            redis.Redis.from_url(redis_urls.join(address, number)),
            redis.Redis.from_url(settings.CACHES["default"]["LOCATION"]),
        )
    queue, cache = _REDIS
    cache.flushdb()
    # The bindings stay: clients remember that they have declared their queues, and do it only once.
    stale = [key for key in queue.scan_iter(count=1000) if not key.startswith(b"_kombu.binding.")]
    if stale:
        queue.delete(*stale)


_REDIS: tuple[Any, Any] | None = None


@pytest.fixture(scope="module")
def stored_once(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A transaction around all tests of a module: what its fixtures store is there for each of them, and
    rolled back in the end. Not for modules with tests that commit."""
    from tests.support.emptying import rolled_back

    with django_db_blocker.unblock(), rolled_back():
        yield


@pytest.fixture
def live_worker(database_url: str, tmp_path: Path) -> Iterator[Site]:
    """A running worker; what the test commits is verified as on a real site. Killed in the end."""
    site = worker_site(tmp_path, DATABASE_URL=database_url)
    site.start()
    yield site
    site.kill()


def worker_site(folder: Path, **settings: str) -> Site:
    """A worker alone, on the services of the tests; not yet started."""
    names = ("DATABASE_URL", "REDIS_URL", "SECRET_KEY", "HTTPS", "LOG_FORMAT")
    given = {name: os.environ[name] for name in names} | {"WORKER_PROCESSES": "2"}
    site = Site(folder, "worker", **given | settings)
    STOPPER.callback(site.kill)
    return site


@pytest.fixture
def database_url(transactional_db: None) -> str:
    """The address of the test's database, for another process that shall work on it."""
    from django.db import connection

    at = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{at['NAME']}"
    credentials = quote(at["USER"], safe="")
    if at["PASSWORD"]:
        credentials += ":" + quote(at["PASSWORD"], safe="")
    place = quote(at["HOST"], safe="") + (f":{at['PORT']}" if at["PORT"] else "")
    return f"postgres://{credentials}@{place}/{at['NAME']}"
