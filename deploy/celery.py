"""The Celery app. Its settings are the `CELERY_*` names of `deploy/settings.py`."""

import os
import time
from typing import Any

from celery import Celery
from kombu.transport import redis, virtual

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")

app = Celery("tarock-archive")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


class InHand(redis.QoS):  # type: ignore[misc]
    """What a worker has taken from Redis and not acknowledged yet.

    Where Redis hangs while a message is acknowledged, kombu (5.7) counts it as being worked on for ever; with
    as many of them as the worker has processes it takes no other until it is started anew. Here it is
    forgotten all the same: it comes back after the visibility timeout, and is found done.

    kombu gives to another worker whatever takes longer than the visibility timeout, and the more there is to
    do the more is done twice. Here a worker says every few seconds what it still has in hand.
    """

    def ack(self, delivery_tag: Any) -> None:
        """Acknowledge a message, or at least forget it."""
        try:
            super().ack(delivery_tag)
        except Exception:
            virtual.QoS.ack(self, delivery_tag)
            raise

    def restore_visible(self, *args: Any, **options: Any) -> None:
        """Give to others what lost workers had in hand, after saying what this one has."""
        if in_hand := self._delivered.keys() - self._dirty:
            with self.channel.conn_or_acquire() as client:
                client.zadd(self.unacked_index_key, dict.fromkeys(in_hand, time.time()), xx=True)
        super().restore_visible(*args, **options)


redis.Channel.QoS = InHand
