"""`manage.py load_samples`: store the sample deals that ship with the project."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from archive.reading.uploads import progress_of, was_loaded
from archive.storing import intake, uploads


class Command(BaseCommand):
    help = "Store and verify the sample deals. Run twice, it finds them there and adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--from",
            dest="folder",
            type=Path,
            default=Path(settings.BASE_DIR) / "deploy" / "samples",
            help="folder of .tgn files (default: deploy/samples)",
        )

    def handle(self, *, folder: Path, **options: Any) -> None:
        files = sorted(folder.glob("*.tgn"))
        if not files:
            raise CommandError(f"There are no .tgn files in {folder}.")
        new = 0
        for file in files:
            raw = file.read_bytes()
            if was_loaded(raw, file.name):
                self.stdout.write(f"{file.name}: already there")
                continue
            upload = uploads.receive([raw], limit=len(raw), source="cli", filename=file.name, send=False)
            for pk in upload.parts.values_list("pk", flat=True):
                intake.store(pk)
            upload.refresh_from_db()
            progress = progress_of(upload)
            if progress.failed or not progress.finished:
                raise CommandError(
                    f"{file.name} could not be stored: see the upload {upload.pk} in the admin."
                )
            new += progress.stored
            self.stdout.write(f"{file.name}: {progress.outcomes}")
        self.stdout.write(self.style.SUCCESS(f"{new} new deals"))
