"""The Django app `replays`."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """The app with the site's pages: upload, browse, replay, audit, rules, accounts."""

    name = "replays"

    def ready(self) -> None:
        """Connect the sign-up signal to the receiver that adopts a guest's evenings."""
        from replays.home import signup  # noqa: F401 - the import connects it
