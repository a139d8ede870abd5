"""`manage.py dump`: write the public deals to files by month; see docs/operations.md."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from archive.publishing import dumps


class Command(BaseCommand):
    help = "Write the public deals of every month that is over, as TGN, with a table of results and sums."

    def add_arguments(self, parser: ArgumentParser) -> None:
        which = parser.add_mutually_exclusive_group()
        which.add_argument("--month", default="", help="only this month: 2026-11")
        which.add_argument("--all", action="store_true", help="the present month, too")
        which.add_argument("--nightly", action="store_true", help="months with changed deals, and new ones")
        parser.add_argument("directory", type=Path)

    def handle(self, *, directory: Path, month: str, all: bool, nightly: bool, **options: Any) -> None:
        try:
            written = dumps.write(directory, month, current=all, nightly=nightly)
        except dumps.Busy:
            raise CommandError(f"Another dump is being written into {directory}.") from None
        except dumps.NoMonth:
            raise CommandError(f"“{month}” is no month; expected one like 2026-11.") from None
        except OSError as fault:
            raise CommandError(f"{directory} cannot be written: {fault.strerror or fault}") from fault
        for one in written:
            self.stdout.write(f"{one.month}: {one.deals} deals, {one.records} records")
        self.stdout.write(self.style.SUCCESS(f"{sum(one.deals for one in written)} deals"))
