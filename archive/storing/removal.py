"""Permanently delete contributions that were withdrawn some time ago, and accounts with their clubs."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q
from django.db.models.signals import pre_delete
from django.dispatch import receiver

from archive import database
from archive.models import (
    Change,
    Contribution,
    ContributionQuerySet,
    Deal,
    Evening,
    ImportedTable,
    Invitation,
    Member,
    Part,
    Space,
    Upload,
    Webhook,
)
from archive.storing import feed, sheets
from archive.storing.spaces import LastMember, LastOwner, is_empty, lock, lock_members

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser


_AT_ONCE = 5_000
"""Maximum number of ids in a query."""


def purge(before: datetime) -> int:
    """Delete the contributions that were withdrawn before this time and have not changed since. Also delete
    deals and bytes of parts that are left without contributions. Return the number of contributions
    deleted."""
    later = Change.objects.filter(contribution=OuterRef("pk"), at__gte=before)
    contributions = Contribution.objects.filter(~Exists(later), visibility="withdrawn")
    return database.retry_transient(lambda: _remove(contributions))


def _remove(contributions: ContributionQuerySet) -> int:
    database.insert_lock()  # because intake looks up stored deals
    rows = list(contributions.values_list("pk", "deal_id", "part_id"))
    for some in (rows[at : at + _AT_ONCE] for at in range(0, len(rows), _AT_ONCE)):
        feed.remove(Contribution.objects.filter(pk__in=[pk for pk, _, _ in some]))
        none_left = ~Exists(Contribution.objects.filter(deal=OuterRef("pk")))
        Deal.objects.filter(none_left, pk__in={deal for _, deal, _ in some}).delete()
        no_contribution = ~Exists(Contribution.objects.filter(part=OuterRef("pk")))
        Part.objects.filter(no_contribution, pk__in={part for _, _, part in some}).update(data=b"")
        _remove_tables({part for _, _, part in some})
    return len(rows)


def _remove_tables(parts: set[int]) -> None:
    """Delete the bytes and reports of the tables from which these parts came, if no row of them is left."""
    rows = Part.objects.filter(upload=OuterRef("upload")).exclude(data=b"")
    ImportedTable.objects.filter(~Exists(rows), upload__in=Upload.objects.filter(parts__in=parts)).update(
        data=b"", report=b""
    )


def clubs_that_need(*users: AbstractBaseUser) -> list[Space]:
    """Return the clubs that have other members and need another owner before these users can be deleted."""
    others = Member.objects.filter(space=OuterRef("pk")).exclude(user__in=users)
    clubs = Space.objects.filter(Exists(others), kind="club", members__user__in=users)
    return list(clubs.exclude(Exists(others.filter(role="owner"))).distinct())


def spaces_alone(user: AbstractBaseUser) -> list[Space]:
    """Return the spaces that can be deleted with the account: the user's own space, and clubs without other
    members."""
    others = Member.objects.filter(space=OuterRef("pk")).exclude(user=user)
    return list(Space.objects.filter(~Exists(others), members__user=user))


def hidden_in(spaces: list[Space]) -> ContributionQuerySet:
    """Return the contributions of these spaces that only members can see: neither public nor unlisted, nor in
    the history of a public or unlisted contribution."""
    seen = ("public", "unlisted")
    hidden = Q(visibility__in=("members", "withdrawn"))
    hidden |= Q(visibility__in=("replaced", "covered")) & ~Q(covered_visibility__in=seen)
    hidden |= Q(visibility="replaced") & ~Q(replaced_by__visibility__in=seen)
    return Contribution.objects.filter(hidden, space__in=spaces)


def delete_account(user: AbstractBaseUser, *, with_contributions: bool, clubs: Collection[int] = ()) -> None:
    """Delete a user with their data and, with `with_contributions`, everything in `spaces_alone`. Deals that
    the user sent to other clubs remain with these clubs, without the user's name. `clubs`: ids of the clubs
    that the user has agreed to delete.

    :raises LastOwner: if the user is the only owner of a club with other members.
    :raises LastMember: if the user is the only member of a club that is not in `clubs`, for example because
        the others have left it since the user was asked.
    """

    def delete() -> None:
        _part_with_spaces(user, with_contributions, clubs)
        user.delete()

    database.retry_transient(delete)


@receiver(pre_delete, sender=settings.AUTH_USER_MODEL, dispatch_uid="leave_no_club_without_owner")
def _part_when_deleted(instance: Any, **_signal: Any) -> None:
    """Leave a user's spaces before the account is deleted by any code, including the admin and commands."""
    _part_with_spaces(instance, with_contributions=False)


def _part_with_spaces(
    user: AbstractBaseUser, with_contributions: bool, clubs: Collection[int] | None = None
) -> None:
    database.insert_lock()
    # If the last two owners of a club delete their accounts at the same time, this lock makes the second
    # deletion fail. Nobody can join a club while its row is locked.
    lock_members(*Member.objects.filter(user=user).values_list("space_id", flat=True))
    # A row that another request inserts for the user is either committed before, or rejected.
    list(get_user_model().objects.select_for_update().filter(pk=user.pk))
    if clubs_that_need(user):
        raise LastOwner
    alone = spaces_alone(user)
    if clubs is not None and any(space.kind == "club" and space.pk not in clubs for space in alone):
        raise LastMember
    for space in alone:
        if with_contributions:
            _remove(Contribution.objects.filter(space=space))
            Upload.objects.filter(space=space).delete()
        _leave_behind(space)
    Member.objects.filter(user=user).delete()
    Upload.objects.filter(user=user).update(sender="")


def _leave_behind(space: Space) -> None:
    """Turn a space whose last member leaves into the space of an unknown user, or delete the space if it is
    empty. First delete the contributions that nobody could see or delete afterwards."""
    # Repeat the deletion, because deleting a deal with cards uncovers its sheet, which may be hidden, too.
    while (hidden := hidden_in([space])).exists():
        places = sheets.places_of(hidden)
        _remove(hidden)
        sheets.cover(places)
    Upload.objects.filter(space=space, visibility="members", finished_at=None).delete()
    lock(space.pk)
    if is_empty(space):
        Upload.objects.filter(space=space).delete()
        space.delete()
        return
    for rows in (Invitation, Webhook):
        rows.objects.filter(space=space).delete()
    Evening.objects.filter(session__space=space).update(join_key=None)
    if space.kind == "club":
        space.kind, space.name, space.place = "own", "", ""
        space.save()
        feed.note(Contribution.objects.filter(space=space), "corrected")
