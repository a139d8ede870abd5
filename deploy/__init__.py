"""How the archive is put together and run: settings, addresses, Celery, the supervisor of `make run`."""

from .celery import app as celery_app

__all__ = ["celery_app"]
