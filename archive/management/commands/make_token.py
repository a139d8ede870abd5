"""`manage.py make_token`: create an API token for a user."""

from __future__ import annotations

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from archive import tokens
from archive.models import SCOPES


class Command(BaseCommand):
    help = "Make a token of a user, and print it. It is shown only once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("user", help="its owner")
        parser.add_argument("--name", default="make_token", help="its name in the owner's list")
        parser.add_argument(
            "--scope",
            action="append",
            choices=SCOPES,
            dest="scopes",
            help="a right in addition to reading; can be repeated (default: deals:write)",
        )
        parser.add_argument("--days", type=int, help="after how many days it expires (default: never)")

    def handle(
        self, *, user: str, name: str, scopes: list[str] | None, days: int | None, **options: Any
    ) -> None:
        users = get_user_model()
        try:
            owner = users.objects.get_by_natural_key(user)
        except users.DoesNotExist:
            raise CommandError(f"there is no user “{user}”") from None
        scopes = scopes or [SCOPES[0]]
        if beyond := set(scopes) - set(tokens.allowed(owner)):
            raise CommandError(
                f"{', '.join(sorted(beyond))} is for the staff, to whom “{user}” does not belong"
            )
        if days is not None and not 0 < days <= 36_500:
            raise CommandError("--days takes a number from 1 to 36500")
        lasts = None if days is None else timedelta(days=days)
        try:
            _, secret = tokens.make(owner, name, scopes=scopes, lasts=lasts)
        except tokens.TooMany:
            raise CommandError(f"“{user}” has {tokens.MOST} tokens, the most that one may have") from None
        self.stdout.write(secret)
