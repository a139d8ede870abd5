"""The Celery app, configured by the `CELERY_*` settings in `deploy/settings.py`."""

import io
import logging.config
import os
from typing import Any

from celery import Celery, signals
from django_structlog.celery.steps import DjangoStructLogInitStep

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("tarock-archive")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
app.steps["worker"].add(DjangoStructLogInitStep)


@signals.setup_logging.connect  # type: ignore[untyped-decorator]
def keep_log_settings(**_signal: Any) -> None:
    """Set up the site's logging. Celery skips its own setup if this signal has a receiver."""
    from django.conf import settings

    logging.config.dictConfig(settings.LOGGING)
    logging.captureWarnings(True)


@signals.worker_init.connect  # type: ignore[untyped-decorator]
def check_migrations(**_signal: Any) -> None:
    """Refuse to start a worker if its code can't use the database (`archive.migration_hashes`)."""
    from django.core.management import CommandError, call_command
    from django.db import connections

    try:
        call_command("check", "--tag=database", "--database=default", stdout=io.StringIO())
    except CommandError as reason:
        raise SystemExit(str(reason)) from None
    connections.close_all()  # the worker's processes open their own connections
