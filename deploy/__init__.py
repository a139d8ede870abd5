"""Configuration and deployment of the archive: settings, URLs, Celery, and the supervisor behind `make
run`."""

from .celery import app as celery_app

__all__ = ["celery_app"]
