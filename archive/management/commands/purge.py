"""`manage.py purge`: permanently delete contributions some days after they were withdrawn."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from archive.storing import removal


class Command(BaseCommand):
    help = "Remove contributions for good some days after they were withdrawn, and deals without any left."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--days", type=int, default=30, help="days since they were withdrawn (default: 30)"
        )

    def handle(self, *, days: int, **options: Any) -> None:
        number = removal.purge(timezone.now() - timedelta(days=days))
        self.stdout.write(self.style.SUCCESS(f"{number} withdrawn contributions were removed"))
