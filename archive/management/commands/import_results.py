"""`manage.py import_results`: store the rows of a table of old results."""

from __future__ import annotations

import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from archive.models import Space
from archive.reading import players
from archive.reading.uploads import progress_of
from archive.storing import imports, intake
from tarock.cli.tables import told
from tarock.core.game import UNKNOWN_GAME
from tarock.games import GAMES, profiles
from tarock.tables import Recognised, recognise_file


class Command(BaseCommand):
    help = "Store the points in a table (CSV, XLSX, XLS, ODS) as results. Run twice, it adds nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--game", choices=GAMES, default=UNKNOWN_GAME, help="game of all rows")
        published = [name for name, one in profiles().items() if one.words]
        parser.add_argument("--rules", choices=published, default="", help="published rules of all points")
        parser.add_argument("--unit", default="", help="unit of all points, such as h or cent")
        parser.add_argument("--club", type=int, metavar="ID", help="club of the results (default: none)")
        parser.add_argument(
            "--answer", action="append", default=[], metavar="KEY=VALUE", help="answer to a question"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say how the table is read")

    def handle(
        self,
        *,
        file: Path,
        game: str,
        rules: str,
        unit: str,
        club: int | None,
        answer: list[str],
        dry_run: bool,
        **options: Any,
    ) -> None:
        counted = imports.Counted(game, rules, unit)
        if not counted.is_possible or not re.fullmatch("[a-z]{0,12}", unit):
            raise CommandError("These are no rules of this game, or not their unit.")
        space = Space.objects.filter(pk=club, kind="club").first()
        if club is not None and space is None:
            raise CommandError(f"There is no club {club}.")
        if any("=" not in pair for pair in answer):
            raise CommandError("--answer needs KEY=VALUE")
        try:
            data = file.read_bytes()
        except OSError as error:
            raise CommandError(f"{file} can't be read: {error.strerror}") from None
        answers = dict(pair.split("=", 1) for pair in answer)
        known = players.names_in(space) if space else []
        recognised = recognise_file(data, file.name, known, answers)
        for line in told(recognised):
            self.stderr.write(line)
        self._check(recognised, game)
        if dry_run:
            self.stdout.write(f"{len(recognised.rows)} rows; nothing was stored")
            return
        table = imports.new_table(data, file.name, None)
        upload = imports.receive(table, recognised, counted, space=space, source="cli", send=False)
        for pk in upload.parts.values_list("pk", flat=True):
            intake.store(pk)
        upload.refresh_from_db()
        progress = progress_of(upload)
        if progress.failed or not progress.finished:
            raise CommandError(f"{file.name} could not be stored: see the upload {upload.pk} in the admin.")
        self.stdout.write(self.style.SUCCESS(f"{file.name}: {progress.outcomes}"))

    def _check(self, recognised: Recognised, game: str) -> None:
        """Raise CommandError if the table can't be stored."""
        if recognised.questions:
            raise CommandError("Nothing was stored: answer the questions first.")
        if not recognised.rows:
            raise CommandError("Nothing was stored: there are no points in this table.")
        if not imports.is_complete(recognised, game):
            raise CommandError("Nothing was stored: these are deals, so say of which game with --game.")
