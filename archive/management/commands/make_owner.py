"""`manage.py make_owner`: make a user an owner of a club, for example after the last owner's death."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError

from archive.models import Member, Space


class Command(BaseCommand):
    help = "Make a user an owner of a club. Without arguments: list the clubs that have no owner."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("club", nargs="?", type=int, help="id of the club, as in its URL")
        parser.add_argument("user", nargs="?", help="name of the new owner")

    def handle(self, *, club: int | None, user: str | None, **options: Any) -> None:
        clubs = Space.objects.filter(kind="club")
        if club is None:
            for one in clubs.exclude(members__role="owner").order_by("pk"):
                self.stdout.write(f"{one.pk} {one.name}")
            return
        space = clubs.filter(pk=club).first()
        owner = get_user_model().objects.filter(username=user).first()
        if space is None or owner is None:
            raise CommandError(f"There is no {'club' if space is None else 'user'} of this name or id.")
        Member.objects.update_or_create(space=space, user=owner, defaults={"role": "owner"})
        self.stdout.write(self.style.SUCCESS(f"{owner} is an owner of “{space}”."))
