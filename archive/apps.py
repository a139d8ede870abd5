"""The Django app `archive`."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ArchiveConfig(AppConfig):
    """The archive: players, sessions, deals, uploads, and the contributions to deals."""

    name = "archive"

    def ready(self) -> None:
        """Connect the signal that ends tokens when a password changes, and that which makes triggers."""
        from archive import tokens, triggers  # noqa: F401 - tokens listens

        post_migrate.connect(triggers.create_after_migration, sender=self, dispatch_uid="triggers")
