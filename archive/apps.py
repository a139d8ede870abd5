"""The Django app `archive`."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """What is stored: players, sessions, deals, uploads, and what each sender said of a deal."""

    name = "archive"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have tokens end with passwords."""
        from archive import tokens  # noqa: F401 - it listens
