"""What leaves the archive for good: withdrawn contributions once their time is over, and accounts."""

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
"""So many numbers go into one query."""


def purge(before: datetime) -> int:
    """Remove what was withdrawn before a time and not put back since; how many contributions.

    Deals of which nothing is said any more go, too, and the bytes of parts from which nothing is kept.
    """
    later = Change.objects.filter(contribution=OuterRef("pk"), at__gte=before)
    contributions = Contribution.objects.filter(~Exists(later), visibility="withdrawn")
    return database.retry_transient(lambda: _remove(contributions))


def _remove(contributions: ContributionQuerySet) -> int:
    database.insert_lock()  # with intake, which knows deals again
    rows = list(contributions.values_list("pk", "deal_id", "part_id"))
    for some in (rows[at : at + _AT_ONCE] for at in range(0, len(rows), _AT_ONCE)):
        feed.remove(Contribution.objects.filter(pk__in=[pk for pk, _, _ in some]))
        none_left = ~Exists(Contribution.objects.filter(deal=OuterRef("pk")))
        Deal.objects.filter(none_left, pk__in={deal for _, deal, _ in some}).delete()
        nothing_kept = ~Exists(Contribution.objects.filter(part=OuterRef("pk")))
        Part.objects.filter(nothing_kept, pk__in={part for _, _, part in some}).update(data=b"")
    return len(rows)


def clubs_that_need(user: AbstractBaseUser) -> list[Space]:
    """The clubs with other members of which the user is the only owner: somebody else has to be one before
    he may go."""
    found = []
    for own in Member.objects.filter(user=user, role="owner", space__kind="club").select_related("space"):
        others = Member.objects.filter(space=own.space_id).exclude(user=user)
        if others.exists() and not others.filter(role="owner").exists():
            found.append(own.space)
    return found


def delete_account(user: AbstractBaseUser, *, with_contributions: bool) -> None:
    """Delete a user with all that is known of him, and, if he wishes, all that he has in his own space and in
    clubs that have no other member. What he sent to clubs that go on is theirs; his name is gone from it.

    :raises LastOwner: if he is the only owner of a club that has other members.
    """
    database.retry_transient(lambda: _delete_account(user, with_contributions))


def _delete_account(user: AbstractBaseUser, with_contributions: bool) -> None:
    # So two owners of a club that go at once see each other.
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
