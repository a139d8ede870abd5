"""Follow players, sessions and clubs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from archive import database
from archive.errors import ArchiveError
from archive.models import Follow, Player

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

MOST = 200
"""Maximum number of things that a user can follow."""


class TooMany(ArchiveError):
    """The user follows the maximum number of things."""

    code = "refused"
    message = f"Nobody can follow more than {MOST} players, sessions and clubs."


@database.holding_insert_lock
def follow(user: AbstractBaseUser, kind: str, pk: int) -> None:
    """Follow a thing: `player`, `session` or `club`. Does nothing if the user follows it already.

    :raises TooMany: if the user follows `MOST` things.
    :raises Gone: if the thing was deleted meanwhile.
    """
    if Follow.objects.filter(user=user).count() >= MOST:
        raise TooMany
    Follow.objects.get_or_create(user=user, **{f"{kind}_id": pk})


def unfollow(user: AbstractBaseUser, kind: str, pk: int) -> None:
    """Stop following a thing."""
    Follow.objects.filter(user=user, **{f"{kind}_id": pk}).delete()


def allow(player: Player, *, allowed: bool) -> None:
    """Allow that others follow a player, or forbid it, which ends all that do."""
    person = player.head
    person.can_be_followed = allowed
    person.save(update_fields=["can_be_followed"])
    if not allowed:
        Follow.objects.filter(player__in=person.all_names()).delete()
