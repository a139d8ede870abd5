"""The Django app `replays`."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """The pages: upload, browse, replay, audit, rules, accounts."""

    name = "replays"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signal that moves a visitor's evening to their new account."""
        from replays.home import signup  # noqa: F401 - it listens
