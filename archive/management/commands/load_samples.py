"""``manage.py load_samples``: put the sample deals that ship with the project into the archive."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from archive import selectors, services
from archive.models import Deal, UploadItem


class Command(BaseCommand):
    help = "Store the sample deals and have them verified. Run twice, it finds them there and adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--now", action="store_true", help="verify here and now instead of leaving it to the worker"
        )
        parser.add_argument(
            "--from",
            dest="folder",
            type=Path,
            default=Path(settings.BASE_DIR) / "deploy" / "samples",
            help="folder of .tgn files (default: deploy/samples)",
        )

    def handle(self, *, now: bool, folder: Path, **options: Any) -> None:
        files = sorted(folder.glob("*.tgn"))
        if not files:
            raise CommandError(f"There are no .tgn files in {folder}.")
        new = 0
        for file in files:
            raw = file.read_bytes()
            if selectors.was_loaded(raw, file.name):
                self.stdout.write(f"{file.name}: already there")
                continue
            upload = services.store_upload(raw=raw, source="cli", filename=file.name, queue=not now)
            if upload.error:
                raise CommandError(f"{file.name} could not be stored:\n{upload.error}")
            counted = dict.fromkeys(UploadItem.Outcome, 0)
            for item in upload.items.all():
                counted[UploadItem.Outcome(item.outcome)] += 1
            new += counted[UploadItem.Outcome.STORED]
            self.stdout.write(
                f"{file.name}: "
                + ", ".join(f"{number} {outcome.label}" for outcome, number in counted.items() if number)
            )
        self.stdout.write(self.style.SUCCESS(f"{new} new deals"))
        if now:
            self._verify()

    def _verify(self) -> None:
        """Verify whatever has no verdict yet, in this process."""
        failed = 0
        for deal_id in list(Deal.objects.pending().order_by("pk").values_list("pk", flat=True)):
            run = services.verify(deal_id)
            failed += run is not None and run.state == "failed"
        if failed:
            raise CommandError(f"{failed} deals could not be verified: see the failed runs in the admin.")
