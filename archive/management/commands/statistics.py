"""`manage.py statistics`: recompute outdated sums; `--check` compares all sums with the rows they add up."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from archive.storing import sums, sums_check


class Command(BaseCommand):
    help = "Compute the sums behind home page, players, sessions and rankings."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="compare them all with their rows")
        parser.add_argument("--all", action="store_true", help="compute everything again")

    def handle(self, *, check: bool, all: bool, **options: Any) -> None:
        if all:
            sums.mark_all()
        while sums.fill_hands():
            pass
        while sums.fill_sort_names():
            pass
        self.stdout.write(f"{sums.settle(seconds=float('inf'))} marks dealt with.")
        if not check:
            return
        differences = list(sums_check.check())
        for kind, number in differences:
            self.stderr.write(f"other than its rows: {kind} {number}")
        if differences:
            raise CommandError(f"{len(differences)} sums differ from their rows; --all fixes them.")
        self.stdout.write("All sums agree with their rows.")
