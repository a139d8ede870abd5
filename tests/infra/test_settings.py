"""The settings by environment, and the headers of every response."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from deploy import redis_urls
from deploy.celery import app
from tarock.analysis import certificates
from tests.infra.programs import python
from tools.site import PROJECT

PRODUCTION = {
    "DATABASE_URL": "postgres://somebody:secret@db.example:5433/archive",
    "REDIS_URL": "rediss://:secret@redis.example:6380/3",
    "SECRET_KEY": "k3y" * 30,
    "ALLOWED_HOSTS": "archive.example,www.archive.example",
    "CSRF_TRUSTED_ORIGINS": "https://archive.example",
}


FORKS = """
import json, os, sys, traceback
import csp.constants, django.conf, environs, kombu, structlog, tarock.analysis.certificates, tzlocal
for line in sys.stdin:
    expression, environment = json.loads(line)
    if os.fork():
        os.wait()
        continue
    os.environ.clear()
    os.environ.update(environment, DJANGO_SETTINGS_MODULE="deploy.settings")
    try:
        from django.conf import settings as s
        answer = json.dumps(eval(expression), default=str), ""
    except BaseException:
        answer = "", traceback.format_exc()
    print(json.dumps(answer), flush=True)
    os._exit(0)
"""
"""A program that evaluates expressions over the settings, each in a process with its own environment. It has
imported other packages, which take most of the time, but nothing of `deploy`."""


@pytest.fixture(scope="module", autouse=True)
def _forks() -> Iterator[None]:
    global _process
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", FORKS], cwd=PROJECT, **pipes) as _process:
        yield
        _process.stdin.close()


_process: Any = None


def settings_of(expression: str, **environment: str) -> tuple[str, str]:
    """The value of an expression over the settings, or a traceback; in a process with just this
    environment."""
    print(json.dumps([expression, environment]), file=_process.stdin, flush=True)
    found, error = json.loads(_process.stdout.readline())
    return found, error


def value(expression: str, **environment: str) -> Any:
    found, error = settings_of(expression, **environment)
    assert not error, error
    return json.loads(found)


def refusal(expression: str, **environment: str) -> str:
    """The last line of what a process says whose settings are refused."""
    found, error = settings_of(expression, **environment)
    assert (found, bool(error)) == ("", True)
    return error.strip().splitlines()[-1]


def test_production_without_a_secret_key_is_refused() -> None:
    without = {name: text for name, text in PRODUCTION.items() if name != "SECRET_KEY"}
    last = refusal("s.DEBUG", **without)
    assert "DATABASE_URL is set, so this is a production site: set SECRET_KEY too" in last


def test_the_time_zone_of_pages(tmp_path: Path) -> None:
    zones = "[str(s.PAGES_TIME_ZONE), s.TIME_ZONE, s.CELERY_TIMEZONE]"
    for expected, given in [
        ("Europe/Prague", {"TIME_ZONE": "Europe/Prague"}),
        ("Europe/Vienna", {"TZ": "Europe/Vienna"}),
        ("Europe/Prague", {"TIME_ZONE": "Europe/Prague", "TZ": "Europe/Vienna"}),
    ]:
        assert value(zones, VAR_DIR=str(tmp_path), **given) == [expected, "UTC", "UTC"]
    assert value("s.PAGES_TIME_ZONE", VAR_DIR=str(tmp_path))  # of the system
    for wrong in ("Prague", "Europe", "/etc/localtime", "../UTC", "+02:00"):
        last = refusal(zones, VAR_DIR=str(tmp_path), TIME_ZONE=wrong)
        assert "Set TIME_ZONE to the name of a time zone" in last


def test_the_url_of_the_site(tmp_path: Path) -> None:
    own = {"VAR_DIR": str(tmp_path)}
    for expected, given in [
        ("http://localhost:8000", own),
        ("http://localhost:8123", {**own, "PORT": "8123"}),
        ("http://tarock.lan:8000", {**own, "ALLOWED_HOSTS": "tarock.lan,localhost"}),
        ("https://archive.example", PRODUCTION),
        ("https://archive.example", {**PRODUCTION, "ALLOWED_HOSTS": "*,.archive.example", "PORT": "8123"}),
        ("http://archive.example", {**PRODUCTION, "HTTPS": "false"}),
        ("https://other.example", {**PRODUCTION, "SITE_URL": "https://other.example/"}),
    ]:
        assert value("s.SITE_URL", **given) == expected
    for wrong in ("archive.example", "https://archive.example/path", "ftp://archive.example", "https://"):
        last = refusal("s.SITE_URL", **PRODUCTION, SITE_URL=wrong)
        assert "SITE_URL must be a scheme and a host" in last


def test_embedded_default(tmp_path: Path) -> None:
    var = tmp_path / "var"
    key = value("s.SECRET_KEY", VAR_DIR=str(var))
    assert len(key) >= 64
    assert value("s.SECRET_KEY", VAR_DIR=str(var)) == key
    assert value("s.SECRET_KEY", VAR_DIR=str(tmp_path / "other")) != key
    assert (var / "secret_key").stat().st_mode & 0o777 == 0o600
    names = "s.DATABASES['default'], s.CELERY_BROKER_URL, s.CACHES, s.HTTPS, s.DEBUG"
    database, broker, caches, https, debug = value(f"[{names}]", VAR_DIR=str(var))
    assert database["ENGINE"] == "deploy.missing_sqlite3"
    (var / "archive.sqlite3").touch()
    database = value("s.DATABASES['default']", VAR_DIR=str(var))
    assert (database["ENGINE"], database["NAME"]) == (
        "django.db.backends.sqlite3",
        str(var / "archive.sqlite3"),
    )
    assert database["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert broker.startswith("redis+socket://")
    assert broker.split("?")[0].endswith("valkey.sock")
    assert caches["default"]["BACKEND"].endswith("LocMemCache")  # no broker is running
    assert (https, debug) == (False, False)
    # The socket fits into an address however deep the folder.
    deep = [value("s.CELERY_BROKER_URL", VAR_DIR=str(tmp_path / ("deep" * number))) for number in (30, 31)]
    assert len(deep[0].removeprefix("redis+socket://").split("?")[0]) <= 100
    assert deep[0] != deep[1]


def test_the_key_of_certificates(tmp_path: Path) -> None:
    x, former = "s.CERTIFICATE_KEY.public_key().public_bytes_raw().hex()", certificates.new_key()
    own = value(x, VAR_DIR=str(tmp_path))
    kept = tmp_path / "certificate_key"
    assert (kept.stat().st_mode & 0o777, value(x, VAR_DIR=str(tmp_path))) == (0o600, own)
    # The same key in PEM and as one word.
    word = "".join(kept.read_text().splitlines()[1:-1])
    assert [value(x, **PRODUCTION, CERTIFICATE_KEY=key) for key in (kept.read_text(), word)] == [own] * 2
    assert value("s.CERTIFICATE_KEY", **PRODUCTION) is None
    public = certificates.public(certificates.private_key(former))
    keys = value("s.CERTIFICATE_FORMER_KEYS", **PRODUCTION, CERTIFICATE_FORMER_KEYS=public)
    assert [key["x"] for key in keys] == [public]
    for name in ("CERTIFICATE_KEY", "CERTIFICATE_FORMER_KEYS"):
        last = refusal("s.DEBUG", **PRODUCTION, **{name: "nonsense"})
        assert "CERTIFICATE_KEY or CERTIFICATE_FORMER_KEYS: " in last


def test_embedded_database_waits_for_its_turn_and_keeps_its_keys(tmp_path: Path) -> None:
    (tmp_path / "archive.sqlite3").touch()
    script = (
        "import django; django.setup()\n"
        "from django.db import connection\n"
        "with connection.cursor() as c:\n"
        "    for p in ('journal_mode', 'busy_timeout', 'foreign_keys', 'synchronous'):\n"
        "        print(p, c.execute(f'PRAGMA {p}').fetchone()[0])\n"
    )
    done = python("-c", script, DJANGO_SETTINGS_MODULE="deploy.settings", VAR_DIR=str(tmp_path))
    expected = ["journal_mode wal", "busy_timeout 20000", "foreign_keys 1", "synchronous 1"]
    assert done.stdout.split("\n")[:4] == expected


def test_production(tmp_path: Path) -> None:
    names = "DATABASES CELERY_BROKER_URL CACHES ALLOWED_HOSTS CSRF_TRUSTED_ORIGINS DEBUG"
    names += " SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SECURE_SSL_REDIRECT SECURE_HSTS_SECONDS"
    names += " SECURE_HSTS_INCLUDE_SUBDOMAINS SECURE_HSTS_PRELOAD"
    program = f"{{n: getattr(s, n) for n in '{names}'.split()}}"
    found = value(program, VAR_DIR=str(tmp_path / "var"), **PRODUCTION)
    database = found["DATABASES"]["default"]
    place = [database[name] for name in ("ENGINE", "HOST", "PORT", "NAME")]
    assert place == ["django.db.backends.postgresql", "db.example", 5433, "archive"]
    assert found["CELERY_BROKER_URL"] == "rediss://:secret@redis.example:6380/3"
    # Emptying the cache must not empty the queue: another database of the same server.
    assert found["CACHES"]["default"]["LOCATION"] == "rediss://:secret@redis.example:6380/4"
    assert found["ALLOWED_HOSTS"] == ["archive.example", "www.archive.example"]
    for name in ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT"):
        assert found[name], name
    assert found["SECURE_HSTS_SECONDS"] == 365 * 24 * 3600
    # The first two bind others than this site, and for long.
    for name in ("SECURE_HSTS_INCLUDE_SUBDOMAINS", "SECURE_HSTS_PRELOAD", "DEBUG"):
        assert not found[name], name
    assert not (tmp_path / "var").exists()  # no key, no database is made behind the operator's back


def test_worker_settings_that_tasks_rely_on() -> None:
    assert settings.CELERY_WORKER_DISABLE_PREFETCH
    assert settings.CELERY_ACCEPT_CONTENT == ["json"]
    assert settings.CELERY_BROKER_TRANSPORT_OPTIONS["queue_order_strategy"] == "priority"
    assert list(app.amqp.queues) == ["interactive", "bulk", "hindsight"]
    assert all(queue.no_ack for queue in app.amqp.queues.values())
    # A lost worker's part is done within 15 s.
    assert settings.ARCHIVE_LEASE_SECONDS + settings.ARCHIVE_SWEEP_EVERY <= 12
    assert app.conf.task_default_queue == "interactive"


def test_limits_of_uploads(tmp_path: Path) -> None:
    limits = "[s.ARCHIVE_MAX_UPLOAD_BYTES, s.ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES]"
    memory = "[s.DATA_UPLOAD_MAX_MEMORY_SIZE, s.FILE_UPLOAD_MAX_MEMORY_SIZE]"
    assert value(limits, VAR_DIR=str(tmp_path)) == [200_000_000, 5_000_000]
    held = value(memory, VAR_DIR=str(tmp_path), ARCHIVE_MAX_UPLOAD_BYTES="900000000")
    assert held == [6_000_000, 256 * 1024], "what may be uploaded is not held in memory"


def test_redis_addresses() -> None:
    socket = "redis+socket:///run/v.sock?virtual_host=4"
    for url, celery, cache in (
        ("redis://h:6379/2", "redis://h:6379/2", "redis://h:6379/3"),
        ("redis://h:6379", "redis://h:6379/0", "redis://h:6379/1"),
        ("unix:///run/v.sock", "redis+socket:///run/v.sock?virtual_host=0", "unix:///run/v.sock?db=1"),
        ("unix:///run/v.sock?db=4", socket, "unix:///run/v.sock?db=5"),
        (socket, socket, "unix:///run/v.sock?db=5"),
    ):
        assert (redis_urls.for_celery(url), redis_urls.for_cache(url)) == (celery, cache)
        with pytest.raises(ValueError, match="REDIS_URL must begin with"):
            redis_urls.for_celery(url.replace("redis", "amqp").replace("unix", "amqp"))


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/accounts/login/", "/admin/login/", "/api/v1/games", "/nowhere"])
def test_every_answer_forbids_what_is_inline_or_foreign(client: Client, address: str) -> None:
    answer = client.get(address)
    policy = dict(
        part.split(maxsplit=1) for part in answer["Content-Security-Policy"].split(";") if part.strip()
    )
    for kinds, sources in (
        ("default-src frame-ancestors base-uri", "'none'"),
        ("script-src style-src", "'self'"),
    ):
        assert {policy[kind].strip() for kind in kinds.split()} == {sources}
    headers = [answer[name] for name in ("X-Content-Type-Options", "Referrer-Policy", "X-Frame-Options")]
    assert headers == ["nosniff", "same-origin", "DENY"]
    assert "geolocation=()" in answer["Permissions-Policy"]


def test_the_mail_server() -> None:
    """A request only stores mails; what sends them has a time limit."""
    names = ("EMAIL_BACKEND", "EMAIL_TRANSPORT", "EMAIL_USE_TLS", "EMAIL_TIMEOUT")
    for url, transport, tls, timeout in (
        ("", "console", False, 10), ("smtp://mail.example", "smtp", False, 10),
        ("submission://user:password@mail.example?timeout=3", "smtp", True, 3),
    ):  # fmt: skip
        found = value(f"[{', '.join(f's.{name}' for name in names)}]", EMAIL_URL=url, **PRODUCTION)
        sender = f"django.core.mail.backends.{transport}.EmailBackend"
        assert found == ["archive.publishing.mails.Backend", sender, tls, timeout]
    last = refusal("s.EMAIL_TRANSPORT", EMAIL_URL="carrier+pigeon://mail.example", **PRODUCTION)
    assert "EMAIL_URL must begin with smtp://" in last
