"""The Celery app. Its settings are the `CELERY_*` names of `deploy/settings.py`."""

import os
from typing import Any

from celery import Celery
from kombu.transport import redis, virtual

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("tarock-archive")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class ForgettingQoS(redis.QoS):  # type: ignore[misc]
    """What a worker has taken from Redis and not acknowledged yet.

    Where Redis hangs while a message is acknowledged, kombu (5.7) counts it as being worked on for ever; with
    as many of them as the worker has processes it takes no other until it is started anew. Here it is
    forgotten all the same: it comes back after the visibility timeout, and is found done.
    """

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a message, or at least forget it."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise


redis.Channel.QoS = ForgettingQoS
