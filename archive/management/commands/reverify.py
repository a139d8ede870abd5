"""`manage.py reverify`: check stored deals again, usually after an update of the engine."""

from __future__ import annotations

import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from archive.models import Campaign
from archive.reading import operation
from archive.storing import campaigns, hindsight
from tarock.games import GAMES


class Command(BaseCommand):
    help = "Check stored deals again. If an answer changes, the former one is stored in the deal's history."

    def add_arguments(self, parser: ArgumentParser) -> None:
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--stop", type=int, metavar="CAMPAIGN", help="stop a campaign")
        what.add_argument("--resume", type=int, metavar="CAMPAIGN", help="resume a stopped campaign")
        what.add_argument("--show", type=int, metavar="CAMPAIGN", help="show the progress of a campaign")
        what.add_argument("--hindsight", action="store_true", help="compute outdated hindsight again instead")
        parser.add_argument("--outdated", action="store_true", help="only verdicts of another engine version")
        parser.add_argument("--game", choices=list(GAMES), help="only deals of this game")
        parser.add_argument("--wait", action="store_true", help="wait until the campaign is done")

    def handle(self, *, outdated: bool, game: str | None, wait: bool, **options: Any) -> None:
        if options["hindsight"]:
            hindsight.start_again()
            return
        number = options["stop"] or options["resume"] or options["show"]
        campaign = self._campaign(number) if number else campaigns.start(game=game, outdated_only=outdated)
        if options["stop"] and not campaigns.stop(campaign):
            raise CommandError(f"Campaign {campaign.pk} is not running.")
        if options["resume"] and not campaigns.resume(campaign):
            raise CommandError(f"Campaign {campaign.pk} was not stopped.")
        while wait and self._campaign(campaign.pk).state == "running":
            time.sleep(0.2)
        state = operation.get_campaign(campaign.pk)
        self.stdout.write(
            f"Campaign {campaign.pk} is {state.state}: {state.checked} deals checked, {state.changed} "
            f"answers changed, {state.faulty} failed, {state.waiting} chunks to go."
        )

    def _campaign(self, pk: int) -> Campaign:
        campaign = Campaign.objects.filter(pk=pk).first()
        if campaign is None:
            raise CommandError(f"There is no campaign {pk}.")
        return campaign
