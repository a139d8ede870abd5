"""Django settings, configured by environment variables. docs/operations.md explains every variable.

With no variables set, this is the embedded site: SQLite, a secret key and a private Valkey in `var/`. With
`DATABASE_URL` set, it is a production site, which also needs `SECRET_KEY`.
"""

import logging
import re
import secrets
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import structlog
from csp.constants import NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from environs import Env
from kombu import Queue
from tzlocal import get_localzone_name

from deploy import logs, paths, redis_urls
from tarock.analysis import certificates

env = Env()
BASE_DIR = paths.BASE_DIR
VAR_DIR: Path = paths.var_dir()

# --- embedded or production, keys, addresses ------------------------------------------------------------

DEBUG = env.bool("DEBUG", False)
_database_url = env.str("DATABASE_URL", "")
_redis_url = env.str("REDIS_URL", "")
EMBEDDED = not _database_url

SECRET_KEY = env.str("SECRET_KEY", "")
if not SECRET_KEY:
    if not EMBEDDED:
        raise ImproperlyConfigured(
            "DATABASE_URL is set, so this is a production site: set SECRET_KEY too. Make one with: "
            "python -c 'import secrets; print(secrets.token_urlsafe(64))'"
        )
    SECRET_KEY = paths.embedded_secret(VAR_DIR / "secret_key", lambda: secrets.token_urlsafe(64))
SECRET_KEY_FALLBACKS: list[str] = env.list("SECRET_KEY_FALLBACKS", [])

# The key that signs certificates, and the former public keys. Without a key, the site issues no certificates.
_certificate_key = env.str("CERTIFICATE_KEY", "")
if not _certificate_key and EMBEDDED:
    _certificate_key = paths.embedded_secret(VAR_DIR / "certificate_key", certificates.new_key)
_former_keys: list[str] = env.list("CERTIFICATE_FORMER_KEYS", [])
try:
    CERTIFICATE_KEY = certificates.private_key(_certificate_key) if _certificate_key else None
    CERTIFICATE_FORMER_KEYS = [certificates.jwk(key.strip()) for key in _former_keys if key.strip()]
except certificates.BadKey as fault:
    raise ImproperlyConfigured(f"CERTIFICATE_KEY or CERTIFICATE_FORMER_KEYS: {fault}") from None

ALLOWED_HOSTS: list[str] = env.list("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS: list[str] = env.list("CSRF_TRUSTED_ORIGINS", [])
# Whether a reverse proxy serves the site over HTTPS and sets X-Forwarded-Proto.
HTTPS = env.bool("HTTPS", not EMBEDDED and not DEBUG)
# URL of the site in certificates, which must not depend on the Host header of a request.
_host = next((host for host in ALLOWED_HOSTS if host != "*"), "localhost").removeprefix(".")
_port = f":{env.int('PORT', 8000)}" if EMBEDDED else ""
SITE_URL = env.str("SITE_URL", f"{'https' if HTTPS else 'http'}://{_host}{_port}").rstrip("/")
if not re.fullmatch(r"https?://[^\s/?#@]+", SITE_URL):
    raise ImproperlyConfigured("SITE_URL must be a scheme and a host, such as https://archive.example")

# --- the archive's own limits ---------------------------------------------------------------------------

MEGABYTE = 1_000_000
# Maximum size of an upload, for signed-in users and for everybody else.
ARCHIVE_MAX_UPLOAD_BYTES = env.int("ARCHIVE_MAX_UPLOAD_BYTES", 200 * MEGABYTE)
ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES = env.int("ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES", 5 * MEGABYTE)
# Hourly quotas for a user, and for an IP address without a signed-in user.
ARCHIVE_QUOTA_BYTES = env.int("ARCHIVE_QUOTA_BYTES", 2000 * MEGABYTE)
ARCHIVE_QUOTA_DEALS = env.int("ARCHIVE_QUOTA_DEALS", 1_000_000)
ARCHIVE_ANONYMOUS_QUOTA_BYTES = env.int("ARCHIVE_ANONYMOUS_QUOTA_BYTES", 20 * MEGABYTE)
ARCHIVE_ANONYMOUS_QUOTA_DEALS = env.int("ARCHIVE_ANONYMOUS_QUOTA_DEALS", 20_000)
# Days after which the bytes of an upload are deleted; 0 means never.
ARCHIVE_RETENTION_DAYS = env.int("ARCHIVE_RETENTION_DAYS", 0)
# Whether webhooks may also go to private addresses and over plain HTTP, for local receivers.
WEBHOOKS_TO_PRIVATE_ADDRESSES = env.bool("WEBHOOKS_TO_PRIVATE_ADDRESSES", False)
# Maximum number of preview pictures that the site draws per minute. One IP address can use up to a third.
PICTURES_PER_MINUTE = env.int("PICTURES_PER_MINUTE", 60)
DOWNLOADS_PER_HOUR = env.int("DOWNLOADS_PER_HOUR", 60)
# Folder of the dumps; empty disables dumps.
DUMP_DIR = env.str("DUMP_DIR", "")
# Licences that the operator can choose for the data. The chosen one binds senders and users of the data.
DATA_LICENSES = {
    "CC0-1.0": "https://creativecommons.org/publicdomain/zero/1.0/",
    "CC-BY-4.0": "https://creativecommons.org/licenses/by/4.0/",
}
DATA_LICENSE = env.str("DATA_LICENSE", "CC0-1.0")
if DATA_LICENSE not in DATA_LICENSES:
    raise ImproperlyConfigured(f"DATA_LICENSE has to be one of: {', '.join(DATA_LICENSES)}.")
# Seconds until a worker's claim on a part expires, and seconds between two sweeps.
ARCHIVE_LEASE_SECONDS = env.int("ARCHIVE_LEASE_SECONDS", 10)
ARCHIVE_SWEEP_EVERY = env.int("ARCHIVE_SWEEP_EVERY", 2)
# Maximum number of attempts to store a part. The first pause between attempts is ARCHIVE_RETRY_SECONDS; each
# further pause is twice as long as the one before.
ARCHIVE_MAX_ATTEMPTS = env.int("ARCHIVE_MAX_ATTEMPTS", 5)
ARCHIVE_RETRY_SECONDS = env.int("ARCHIVE_RETRY_SECONDS", 5)

# Maximum bytes of a request in memory: all form fields together, and each file. Larger files go to disk.
DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * MEGABYTE
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

# Limits of each process of the web server. Clients beyond a limit are refused or disconnected.
WAITRESS = {
    "threads": env.int("WEB_THREADS", 16),
    "connection_limit": 800,
    # Seconds without traffic in either direction after which a connection is closed.
    "channel_timeout": 30,
    "cleanup_interval": 5,
    "max_request_header_size": 32 * 1024,
    "max_request_body_size": max(ARCHIVE_MAX_UPLOAD_BYTES, ARCHIVE_MAX_ANONYMOUS_UPLOAD_BYTES) + 1024 * 1024,
    # Larger bodies go to disk, so that slow clients together don't fill the memory.
    "inbuf_overflow": 64 * 1024,
    "log_socket_errors": False,
    # Keep X-Forwarded-For and X-Forwarded-Proto, because Django reads them.
    "clear_untrusted_proxy_headers": False,
}

# The token that Prometheus must send for /metrics; empty disables /metrics.
METRICS_TOKEN = env.str("METRICS_TOKEN", "")

# --- apps, middleware, templates ------------------------------------------------------------------------

INSTALLED_APPS = [
    "archive",
    "replays.config.ReplaysConfig",
    "api",
    "deploy.apps.AdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.sitemaps",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "allauth",
    "allauth.account",
    "rest_framework",
    "drf_spectacular",
    "csp",
    "corsheaders",
    "django_structlog",
]

MIDDLEWARE = [
    "deploy.logs.give_request_id",
    "deploy.probes.answer_probes",
    "deploy.instruments.count_requests",
    "deploy.replica.read_from_replica",
    "corsheaders.middleware.CorsMiddleware",
    "archive.web.last_resorts.refuse_plain_http",
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "archive.web.headers.forbid_features",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    # Compress pages and API responses; static files are already compressed on disk.
    "django.middleware.gzip.GZipMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "deploy.language.LanguageMiddleware",
    "archive.web.last_resorts.refuse_without_room",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "replays.site.device.user_cookie",
    "archive.web.viewer.viewer_middleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "replays.site.again.KeepTyped",
    "django_structlog.middlewares.RequestMiddleware",
]

ROOT_URLCONF = "deploy.urls"
WSGI_APPLICATION = "deploy.wsgi.application"

_context_processors = [
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]
TEMPLATES = [
    # Templates of the pages, including those of django-allauth's views.
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "replays.site.jinja.environment",
            "context_processors": _context_processors,
        },
    },
    # Templates of the admin and of mails.
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request", *_context_processors],
        },
    },
]

# --- database -------------------------------------------------------------------------------------------

DATABASES: dict[str, dict[str, Any]] = {
    "default": env.dj_db_url("DATABASE_URL", f"sqlite:///{VAR_DIR / 'archive.sqlite3'}"),
}
_database = DATABASES["default"]
if _database["ENGINE"] == "django.db.backends.sqlite3":
    # Only `make run` creates the embedded database, so that no command creates or upgrades one by mistake.
    if EMBEDDED and not Path(_database["NAME"]).exists():
        _database["ENGINE"] = "deploy.missing_sqlite3"
    # With IMMEDIATE, a transaction waits for the write lock when it begins. Otherwise it would fail if
    # another transaction had written since its first read.
    _database["OPTIONS"] = {
        **_database.get("OPTIONS", {}),
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": (
            "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; "
            "PRAGMA busy_timeout=20000; PRAGMA foreign_keys=ON;"
        ),
    }
if env.str("DATABASE_REPLICA_URL", ""):
    DATABASES["replica"] = env.dj_db_url("DATABASE_REPLICA_URL")
    DATABASE_ROUTERS = ["deploy.replica.Router"]
# Maximum lag of the replica in seconds; beyond it, visitors read from the primary.
REPLICA_MAX_LAG = env.int("REPLICA_MAX_LAG", 10)
for _database in DATABASES.values():
    if _database["ENGINE"] != "django.db.backends.postgresql":
        continue
    _database["CONN_MAX_AGE"] = env.int("DATABASE_CONN_MAX_AGE", 60)
    _database["CONN_HEALTH_CHECKS"] = True
    # A pooler assigns a connection for one transaction only, but server-side cursors need it for longer.
    _database["DISABLE_SERVER_SIDE_CURSORS"] = True
    # The default random_page_cost of 4 is for spinning disks and makes PostgreSQL read whole tables instead
    # of using indexes; the page of a club took half as long again. With jit, compiling queries took 2.6 s of
    # a page's 12 s. The keepalives make both ends notice a lost connection within a minute.
    _keepalive = {"keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
    _database["OPTIONS"] = {
        "connect_timeout": 5,
        **_keepalive,
        "options": "-c random_page_cost=1 -c jit=off"
        + "".join(f" -c tcp_{name}={value}" for name, value in _keepalive.items()),
        **_database.get("OPTIONS", {}),
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- broker, cache, rate limits -------------------------------------------------------------------------

_socket = paths.socket_path(VAR_DIR)
CELERY_BROKER_URL = redis_urls.for_celery(_redis_url or f"unix://{_socket}")
_cache_url = env.str("CACHE_URL", "")
if not _cache_url and (_redis_url or _socket.exists()):
    _cache_url = redis_urls.for_cache(_redis_url or f"unix://{_socket}")
if _cache_url:
    CACHES: dict[str, dict[str, Any]] = {
        "default": {
            "BACKEND": "deploy.cache.Cache",
            "LOCATION": _cache_url,
            "KEY_PREFIX": "tarock",
            # Raise this number when a release changes the format of cached values, because processes of both
            # releases run during an upgrade.
            "VERSION": 3,
            "OPTIONS": {"socket_connect_timeout": 0.5, "socket_timeout": 0.5},
        },
    }
else:
    # This is a management command while the embedded site is down, so no other process needs the cache.
    CACHES = {"default": {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}}

# The database records which work remains, so messages may be lost: the sweeper queues their work again.
CELERY_TIMEZONE = "UTC"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_TIME_LIMIT = env.int("TASK_TIME_LIMIT", 120)
# A worker prefers the first queue, takes no more messages than it has processes, and removes each message
# from the broker as soon as it takes the message.
CELERY_TASK_QUEUES = [
    Queue(name, routing_key=name, no_ack=True) for name in ("interactive", "bulk", "hindsight")
]
# A worker for a misspelt queue ends with an error, instead of waiting for messages that never come.
CELERY_TASK_CREATE_MISSING_QUEUES = False
CELERY_WORKER_DISABLE_PREFETCH = True
CELERY_TASK_DEFAULT_QUEUE = "interactive"
# Number of tasks after which a worker's process reconnects to the database. Reconnecting for each task, as
# Celery does by default, takes a quarter of the database's CPU time for storing.
CELERY_DB_REUSE_MAX = 500
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
# Finish running tasks when the broker is lost, because the database, not the broker, records what is done.
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# If Redis refuses commands, for example because it is full, reconnect as if it were unavailable.
CELERY_BROKER_CHANNEL_ERROR_RETRY = True
# An upload must not wait for a broker that is unavailable or hangs; the sweeper will queue the upload.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "queue_order_strategy": "priority",
    # Try to connect only once, for a second. Workers can still wait longer for the next message.
    "max_retries": 0,
    "socket_timeout": 1,
    "socket_connect_timeout": 1,
    "socket_keepalive": not CELERY_BROKER_URL.startswith("redis+socket:"),
}

# --- accounts -------------------------------------------------------------------------------------------

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = env.str("ACCOUNT_EMAIL_VERIFICATION", "none")
# No page reveals whether an email address has an account, so several accounts may enter the same address, but
# only one of them can confirm it.
ACCOUNT_PREVENT_ENUMERATION = "strict"
ACCOUNT_ADAPTER = "deploy.accounts.AccountAdapter"
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"

# --- email ----------------------------------------------------------------------------------------------

# This backend stores the mails of a request; the sweeper sends them with EMAIL_TRANSPORT.
EMAIL_BACKEND = "archive.publishing.mails.Backend"
_email = {"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"}
if env.str("EMAIL_URL", ""):
    _email = env.dj_email_url("EMAIL_URL")
if "EMAIL_BACKEND" not in _email:
    raise ImproperlyConfigured(
        "EMAIL_URL must begin with smtp:// (or submission://, with TLS) or console://."
    )
EMAIL_TRANSPORT = _email["EMAIL_BACKEND"]
EMAIL_TIMEOUT = _email.get("EMAIL_TIMEOUT") or 10
EMAIL_HOST = _email.get("EMAIL_HOST", "")
EMAIL_PORT = _email.get("EMAIL_PORT", 25)
EMAIL_HOST_USER = _email.get("EMAIL_HOST_USER", "")
EMAIL_HOST_PASSWORD = _email.get("EMAIL_HOST_PASSWORD", "")
EMAIL_USE_TLS = _email.get("EMAIL_USE_TLS", False)
EMAIL_USE_SSL = _email.get("EMAIL_USE_SSL", False)
DEFAULT_FROM_EMAIL = env.str("DEFAULT_FROM_EMAIL", "archive@localhost")
SERVER_EMAIL = DEFAULT_FROM_EMAIL
_admins: list[str] = env.list("ADMIN_EMAILS", [])
ADMINS = [("operator", address) for address in _admins]

# --- the API --------------------------------------------------------------------------------------------

# Settings of all API views, in addition to those in `api.views.base`.
REST_FRAMEWORK = {
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "DEFAULT_THROTTLE_RATES": {
        "api-read": env.str("API_RATE_READ", "600/min"),
        "api-write": env.str("API_RATE_WRITE", "120/min"),
        # Limit for GET /scores, which also counts as `api-read`.
        "api-scores": env.str("API_RATE_SCORES", "30/min"),
        # Limit for 401 responses to wrong tokens, and to missing tokens where a token is required.
        "api-refused": env.str("API_RATE_REFUSED", "30/min"),
    },
    "NUM_PROXIES": env.int("NUM_PROXIES", 1 if HTTPS else 0),
}
# Scripts on other sites may use only the API, which ignores cookies, and the keys for checking certificates.
CORS_URLS_REGEX = r"^/(api|\.well-known)/"
CORS_ALLOW_ALL_ORIGINS = True
CORS_ALLOW_METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS"]
CORS_ALLOW_HEADERS = [
    "accept",
    "authorization",
    "content-type",
    "idempotency-key",
    "if-modified-since",
    "if-none-match",
    "prefer",
    "x-request-id",
]
CORS_EXPOSE_HEADERS = [
    "Allow",
    "Content-Disposition",
    "Content-Range",
    "Deprecation",
    "ETag",
    "Idempotent-Replayed",
    "Link",
    "Location",
    "Preference-Applied",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Sunset",
    "WWW-Authenticate",
    "X-Request-Id",
]
SPECTACULAR_SETTINGS = {
    "TITLE": "Tarock archive",
    "DESCRIPTION": "Deals of tarock games: verified, replayed, scored.",
    "VERSION": "1.0.0",
    "OAS_VERSION": "3.1.1",
    "LICENSE": {"name": f"{DATA_LICENSE} (the data)", "url": DATA_LICENSES[DATA_LICENSE]},
    "SCHEMA_PATH_PREFIX": "/api/v1",
    # Use one component for requests and responses, because responses always contain the read-only fields.
    "COMPONENT_SPLIT_REQUEST": False,
    # URLs are relative to the site that serves the description.
    "SERVERS": [{"url": "/"}],
    "WEBHOOKS": ["api.schema.MESSAGE"],
    "POSTPROCESSING_HOOKS": ["drf_spectacular.hooks.postprocess_schema_enums", "api.schema.complete"],
    "ENUM_NAME_OVERRIDES": {
        "Verdict": "archive.models.VERDICTS",
        "RecordVerdict": "tarock.analysis.verify.VERDICTS",
        "Outcome": "archive.models.UploadItem.OUTCOMES",
        "DealKind": "archive.models.KINDS",
        "GameEnum": "api.serializers.fields.GAMES",
        "StoredGameEnum": "api.serializers.fields.STORED_GAMES",
        "ImportKind": "api.serializers.imports.KINDS",
        "Sharing": "archive.models.SHARING",
    },
}

# --- languages, time ------------------------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("de", "Deutsch"), ("cs", "Čeština"), ("ja", "日本語")]
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
LANGUAGE_COOKIE_SECURE = HTTPS
LOCALE_PATHS = [BASE_DIR / "replays" / "locale"]
# Store, compare and send times in UTC. Pages show them in PAGES_TIME_ZONE.
TIME_ZONE = "UTC"
try:
    PAGES_TIME_ZONE = ZoneInfo(env.str("TIME_ZONE", "") or get_localzone_name() or "UTC")
except (KeyError, ValueError, OSError) as fault:
    raise ImproperlyConfigured(
        f"Set TIME_ZONE to the name of a time zone, such as Europe/Prague ({fault})."
    ) from None

# --- static files ---------------------------------------------------------------------------------------

STATIC_URL = "static/"
STATIC_ROOT = Path(env.str("STATIC_ROOT", str(VAR_DIR / "static")))
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "replays.site.storage.StaticFilesStorage",
    },
}
# Browsers may cache a file forever if its name contains a hash, or if its folder's name contains a version.
WHITENOISE_IMMUTABLE_FILE_TEST = r"\.[0-9a-f]{12}\.|/pyodide-[0-9]"

# --- security headers -------------------------------------------------------------------------------------

# Forbid inline scripts and styles, and everything from other sites.
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        **{f"{kind}-src": [SELF] for kind in ("script", "style", "img", "font", "connect", "manifest")},
        "form-action": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "object-src": [NONE],
    },
}
# The other headers, and the cookies' other attributes, are Django's defaults.
SESSION_ENGINE = "deploy.sessions"
CSRF_FAILURE_VIEW = "replays.site.again.csrf_failure"
SESSION_COOKIE_SECURE = HTTPS
CSRF_COOKIE_SECURE = HTTPS
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = env.int("HSTS_SECONDS", 365 * 24 * 3600)
    SECURE_HSTS_INCLUDE_SUBDOMAINS = env.bool("HSTS_INCLUDE_SUBDOMAINS", False)
    SECURE_HSTS_PRELOAD = env.bool("HSTS_PRELOAD", False)
    # Silence the warnings about the last two settings, which affect more than this site.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]

# --- logging --------------------------------------------------------------------------------------------

LOG_FORMAT = env.str("LOG_FORMAT", logs.default_format())
LOG_LEVEL = env.str("LOG_LEVEL", "INFO").upper()
LOGGING = logs.django_logging(LOG_FORMAT, LOG_LEVEL)
DJANGO_STRUCTLOG_CELERY_ENABLED = True
# Log one line for each task, at its end.
DJANGO_STRUCTLOG_CELERY_TASK_START_LOG_LEVEL = logging.DEBUG
# Don't let django-structlog log the IP address, because it trusts any header; `deploy.logs` adds it.
DJANGO_STRUCTLOG_IP_LOGGING_ENABLED = False
# Trust the request id, because `deploy.logs.give_request_id` has already checked it.
DJANGO_STRUCTLOG_TRUST_UPSTREAM_REQUEST_ID = True
# Log one line for each request, at its end, and with LOG_LEVEL=DEBUG another line at its start.
DJANGO_STRUCTLOG_STATUS_START_LOG_LEVEL = logging.DEBUG
structlog.configure(**logs.structlog_settings())
