"""The rules of a club, in versions that never change."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db.models import QuerySet

from archive import database
from archive.models import HouseRules, Space
from archive.rules import Rules
from tarock.games import profiles

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser

NAME = re.compile(r"[a-z0-9-]{1,57}", re.ASCII)
"""A name without its version, short enough for a version of six digits."""


class RulesNamed(ValueError):
    """A published rule set, or another club's, has this name."""


@database.holding_insert_lock  # so that two people can't make the same version
def adopt(
    club: Space, game: str, options: Sequence[str], name: str, *, by: AbstractBaseUser | None
) -> HouseRules:
    """Make options the rules of a club's new evenings of a game, and return them. Options that a rule set
    was published with have its name; others are the next version of the club's own `name`. Return the club's
    present rules if they are the same. `options`: in canonical form.

    :raises RulesNamed: if the club would use a name that is not its own.
    """
    own = HouseRules.objects.filter(space=club)
    label = Rules(game, tuple(options)).name
    if not label:
        if is_taken(name, club):
            raise RulesNamed(name)
        names = _versions(name).values_list("name", flat=True)
        versions = [int(row.rpartition("@")[2]) for row in names]
        label = f"{name}@{max(versions, default=0) + 1}"
    now = own.filter(game=game).first()
    same = now is not None and now.options == [*options]
    if now and same and (now.name == label or (label not in profiles() and _base(now.name) == name)):
        return now
    return HouseRules.objects.create(space=club, game=game, name=label, options=[*options], made_by=by)


def is_taken(name: str, club: Space) -> bool:
    """Return whether a published rule set, or one of another club, has this name without its version."""
    return name in map(_base, profiles()) or _versions(name).exclude(space=club).exists()


def _base(label: str) -> str:
    """Return the name of a rule set without its version."""
    return label.rpartition("@")[0]


def _versions(name: str) -> QuerySet[HouseRules]:
    return HouseRules.objects.filter(name__startswith=f"{name}@")
