"""``manage.py reverify``: have stored deals verified anew, usually after an update of the engine."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import date
from typing import Any

from django.core.management.base import BaseCommand

from archive import selectors, services
from archive.models import Verdict


class Command(BaseCommand):
    help = "Queue a new verification of all deals, or of some. The verdicts of before stay in the runs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "deals", nargs="*", type=int, metavar="DEAL", help="numbers of deals (default: all)"
        )
        parser.add_argument("--outdated", action="store_true", help="only verdicts of another engine version")
        parser.add_argument("--game", help="only deals of this game")
        parser.add_argument("--verdict", choices=[*Verdict.values, selectors.PENDING])
        parser.add_argument("--player", help="only deals with this player")
        parser.add_argument("--session", help="only deals of this session")
        parser.add_argument("--contract", help="only deals of this contract")
        parser.add_argument("--date-from", type=date.fromisoformat, metavar="YYYY-MM-DD")
        parser.add_argument("--date-to", type=date.fromisoformat, metavar="YYYY-MM-DD")

    def handle(self, *, deals: list[int], outdated: bool, **options: Any) -> None:
        names = ("game", "verdict", "player", "session", "contract", "date_from", "date_to")
        query = selectors.deals(**{name: options[name] for name in names})
        if deals:
            query = query.filter(pk__in=deals)
        waiting = services.reverify(query, outdated_only=outdated)
        self.stdout.write(f"{waiting} deals are waiting to be verified.")
