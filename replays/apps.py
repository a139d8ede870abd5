"""The Django app `replays`."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """The pages: upload, browse, replay, audit, rules, accounts."""

    name = "replays"
    default_auto_field = "django.db.models.BigAutoField"
