"""The Django app `archive`."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ArchiveConfig(AppConfig):
    """The app that stores uploads, deals, contributions to deals, players and sessions."""

    name = "archive"

    def ready(self) -> None:
        """Connect the signal handlers, and register the migration check."""
        from archive import migration_hashes, tokens, triggers  # noqa: F401 - tokens listens
        from archive.storing import removal  # noqa: F401 - listens, too

        post_migrate.connect(triggers.create_after_migration, sender=self, dispatch_uid="triggers")
        post_migrate.connect(migration_hashes.note_applied, sender=self, dispatch_uid="migration_hashes")
