"""Removal for good: of withdrawn contributions once their time is over, and of accounts."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef

from archive import database
from archive.models import (
    Change,
    Contribution,
    ContributionQuerySet,
    Deal,
    Member,
    Part,
    Space,
    Upload,
)
from archive.storing import feed
from archive.storing.spaces import LastOwner

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


_AT_ONCE = 5_000
"""Ids in one query."""


def purge(before: datetime) -> int:
    """Remove the contributions that were withdrawn before a time and not put back since; returns how many.

    Deals without contributions are deleted, too, and the bytes of parts without contributions.
    """
    later = Change.objects.filter(contribution=OuterRef("pk"), at__gte=before)
    contributions = Contribution.objects.filter(~Exists(later), visibility="withdrawn")
    return database.retry_transient(lambda: _remove(contributions))


def _remove(contributions: ContributionQuerySet) -> int:
    database.insert_lock()  # with intake, which looks stored deals up
    rows = list(contributions.values_list("pk", "deal_id", "part_id"))
    for some in (rows[at : at + _AT_ONCE] for at in range(0, len(rows), _AT_ONCE)):
        feed.remove(Contribution.objects.filter(pk__in=[pk for pk, _, _ in some]))
        none_left = ~Exists(Contribution.objects.filter(deal=OuterRef("pk")))
        Deal.objects.filter(none_left, pk__in={deal for _, deal, _ in some}).delete()
        no_contribution = ~Exists(Contribution.objects.filter(part=OuterRef("pk")))
        Part.objects.filter(no_contribution, pk__in={part for _, _, part in some}).update(data=b"")
    return len(rows)


def clubs_that_need(user: AbstractBaseUser) -> list[Space]:
    """The clubs with other members of which the user is the only owner: they need another one before his
    account can be deleted."""
    clubs = []
    for own in Member.objects.filter(user=user, role="owner", space__kind="club").select_related("space"):
        others = Member.objects.filter(space=own.space_id).exclude(user=user)
        if others.exists() and not others.filter(role="owner").exists():
            clubs.append(own.space)
    return clubs


def delete_account(user: AbstractBaseUser, *, with_contributions: bool) -> None:
    """Delete a user with his data, and, if he wishes, everything in his own space and in clubs without
    another member. Deals that he sent to other clubs stay theirs, without his name.

    :raises LastOwner: if he is the only owner of a club with other members.
    """
    database.retry_transient(lambda: _delete_account(user, with_contributions))


def _delete_account(user: AbstractBaseUser, with_contributions: bool) -> None:
    # So that of two last owners of a club who go at once, the second fails.
    list(Member.objects.select_for_update().filter(space__members__user=user).order_by("pk"))
    if clubs_that_need(user):
        raise LastOwner
    if with_contributions:
        others = Member.objects.filter(space=OuterRef("pk")).exclude(user=user)
        for space in Space.objects.filter(~Exists(others), members__user=user):
            _remove(Contribution.objects.filter(space=space))
            Upload.objects.filter(space=space).delete()
            space.delete()
    Upload.objects.filter(user=user).update(sender="")
    user.delete()
