"""Configuration and deployment of the archive: settings, URLs, Celery, and the supervisor that `make run`
starts."""

from .celery import app as celery_app

__all__ = ["celery_app"]
