"""The Django app `archive`."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """What is stored: players, sessions, deals, uploads, verification runs, score lines."""

    name = "archive"
    default_auto_field = "django.db.models.BigAutoField"
