"""Logging configuration: one line per request, as a JSON object for programs or as text on a terminal."""

import logging
import re
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

import structlog
from django_structlog import signals
from django_structlog.celery import signals as task_signals

_SHARED: list[Any] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.stdlib.PositionalArgumentsFormatter(),
    structlog.processors.StackInfoRenderer(),
]
# Leave local variables out of tracebacks, because they may contain secrets and formatting them takes seconds.
_TRACEBACKS = structlog.processors.ExceptionRenderer(
    structlog.tracebacks.ExceptionDictTransformer(show_locals=False)
)


_STARTED = "_log_started_at"
"""Request attribute with the start time, set if django-structlog logs the request."""


def _note_start(request: Any, **_: Any) -> None:
    from archive.web import throttles  # imported late: it needs the settings, which import this module

    setattr(request, _STARTED, time.monotonic())
    structlog.contextvars.bind_contextvars(ip=str(throttles.ip_address(request) or "unix"))


def _add_details(request: Any, log_kwargs: dict[str, Any], **_: Any) -> None:
    """Add the request's duration, and its user agent, which django-structlog logs only at the start."""
    log_kwargs["user_agent"] = request.META.get("HTTP_USER_AGENT")
    now = time.monotonic()
    began = getattr(request, _STARTED, now)  # a request may fail before its start is noted
    log_kwargs["ms"] = round((now - began) * 1000)


def _add_task(task: Any, **_: Any) -> None:
    structlog.contextvars.bind_contextvars(task=task.name)


task_signals.bind_extra_task_metadata.connect(_add_task)
signals.bind_extra_request_metadata.connect(_note_start)
signals.bind_extra_request_finished_metadata.connect(_add_details)
signals.bind_extra_request_failed_metadata.connect(_add_details)


_REQUEST_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


def give_request_id(get_response: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return middleware that gives each request an id for its log lines, and sends the id in `X-Request-Id`.
    It keeps a well-formed `X-Request-Id` from the client, and must come first."""

    def middleware(request: Any) -> Any:
        request_id = request.META.get("HTTP_X_REQUEST_ID", "")
        if not _REQUEST_ID.fullmatch(request_id):
            request_id = request.META["HTTP_X_REQUEST_ID"] = str(uuid.uuid4())
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)
        response = get_response(request)
        response["X-Request-Id"] = request_id
        return response

    return middleware


class OnceForEachRequest(logging.Filter):
    """Filter that drops Django's line about an error response if django-structlog logs the request, too."""

    def filter(self, record: logging.LogRecord) -> bool:
        return record.name != "django.request" or not hasattr(getattr(record, "request", None), _STARTED)


class HostInShort(logging.Filter):
    """Filter that turns the error about an unknown host, often from a scanner, into a one-line warning."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.levelno, record.levelname = logging.WARNING, "WARNING"
        record.exc_info = None
        return True


def default_format() -> str:
    """Return the default log format: `plain` on a terminal, otherwise `json`."""
    return "plain" if sys.stderr is not None and sys.stderr.isatty() else "json"


def structlog_settings() -> dict[str, Any]:
    """Return arguments for `structlog.configure` that pass all events to the standard library's handlers."""
    return {
        "processors": [
            structlog.stdlib.filter_by_level,
            *_SHARED,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        "logger_factory": structlog.stdlib.LoggerFactory(),
        "cache_logger_on_first_use": True,
    }


def django_logging(form: str, level: str) -> dict[str, Any]:
    """Return Django's `LOGGING` for the format `plain` or `json`. Raise `ValueError` for any other format."""
    if form not in ("plain", "json"):
        raise ValueError(f"LOG_FORMAT must be plain or json, not {form!r}")
    ending: list[Any]
    if form == "json":
        ending = [_TRACEBACKS, structlog.processors.JSONRenderer(ensure_ascii=False)]
    else:
        colours = sys.stderr is not None and sys.stderr.isatty()
        plain = structlog.dev.plain_traceback
        ending = [structlog.dev.ConsoleRenderer(colors=colours, exception_formatter=plain)]
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "lines": {
                "()": structlog.stdlib.ProcessorFormatter,
                "processors": [structlog.stdlib.ProcessorFormatter.remove_processors_meta, *ending],
                "foreign_pre_chain": [*_SHARED, structlog.stdlib.ExtraAdder()],
            },
        },
        "filters": {"once": {"()": OnceForEachRequest}, "host": {"()": HostInShort}},
        "handlers": {
            "stderr": {"class": "logging.StreamHandler", "formatter": "lines", "filters": ["once"]},
            # The handler sends mails only if `ADMINS` is not empty.
            "mail": {"class": "django.utils.log.AdminEmailHandler", "level": "ERROR"},
        },
        "root": {"handlers": ["stderr"], "level": level},
        "loggers": {
            # Hide Celery's lines for each task, because django-structlog writes one at the end of the task.
            "celery.app.trace": {"level": "WARNING"},
            "celery.worker.strategy": {"level": "WARNING"},
            "archive": {"handlers": ["mail"], "level": level, "propagate": True},
            "django": {"handlers": [], "level": level, "propagate": True},
            "django.request": {"handlers": ["mail"], "level": level, "propagate": True},
            "django.security.DisallowedHost": {"filters": ["host"]},
            "django.server": {"handlers": [], "level": level, "propagate": True},
            # Hide warnings, because waitress warns about every request that waits for a thread.
            "waitress.queue": {"level": "ERROR"},
        },
    }
