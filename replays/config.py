"""The Django app `replays`."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """The site's pages: upload, browse, replay, audit, rules, accounts."""

    name = "replays"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Connect the signal receiver that moves a guest's evenings to the account when the guest signs
        up."""
        from replays.home import signup  # noqa: F401 - it listens
