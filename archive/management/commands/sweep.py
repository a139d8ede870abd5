"""``manage.py sweep``: what the sweeper does every few seconds, once and by hand."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from archive import services


class Command(BaseCommand):
    help = "Queue again whatever still has to be verified and whose message or worker is gone."

    def handle(self, **options: Any) -> None:
        found = services.sweep()
        self.stdout.write(
            f"{found.lost} claims of lost workers taken back, {found.retried} failed runs tried again, "
            f"{found.resent} messages sent again, {found.added} runs added, {found.given_up} given up, "
            f"{found.unread} uploads to be read again."
        )
