"""The Django app `archive`."""

from django.apps import AppConfig


class ArchiveConfig(AppConfig):
    """The archive: players, sessions, deals, uploads, and the contributions to deals."""

    name = "archive"

    def ready(self) -> None:
        """Connect the signal that ends tokens when a password changes."""
        from archive import tokens  # noqa: F401 - it listens
