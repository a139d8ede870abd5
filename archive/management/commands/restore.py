"""`manage.py restore`: restore an archive from dumps; see docs/operations.md."""

from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from archive.publishing import restore
from archive.storing.spaces import NeedsOwner


class Command(BaseCommand):
    help = "Store the deals of dumps, all of one archive, in an archive without any."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("paths", nargs="+", type=Path, metavar="DIRECTORY_OR_FILE")
        parser.add_argument("--into-existing", action="store_true", help="the archive may have deals already")
        parser.add_argument(
            "--owner", metavar="USER", help="the owner of new clubs; required if there are any"
        )

    def handle(self, *, paths: list[Path], into_existing: bool, owner: str | None, **options: Any) -> None:
        user = None
        if owner is not None:
            user = get_user_model().objects.filter(username=owner).first()
            if user is None:
                raise CommandError(f"There is no user “{owner}”.")
        try:
            done = restore.restore(paths, into_existing=into_existing, owner=user)
        except restore.NotEmpty:
            raise CommandError("There are deals in this archive; --into-existing adds to them.") from None
        except NeedsOwner as club:
            raise CommandError(
                f"The dumps name the club “{club}”, which needs an owner. Nothing was stored. Make an "
                "account for its owner, and name it with --owner USER."
            ) from None
        except (restore.Broken, restore.Stopped) as fault:
            raise CommandError(str(fault)) from fault
        self.stdout.write(self.style.SUCCESS(f"{done.stored} new deals, {done.known} records of known ones"))
        if done.differ:
            self.stdout.write(
                f"{done.differ} records have other details than the archive, which keeps its own."
            )
        if done.other_verdicts:
            self.stdout.write(f"{done.other_verdicts} records have another verdict by this engine.")
