"""Spaces: create clubs and users' own spaces, join clubs, set roles, and adopt guests' spaces."""

from __future__ import annotations

import secrets
from datetime import timedelta
from itertools import chain, count
from typing import TYPE_CHECKING

from django.db import IntegrityError, transaction
from django.db.models import F, Q
from django.utils import timezone

from archive import database
from archive.fields import searchable
from archive.models import (
    NAME_LENGTH,
    Contribution,
    Evening,
    Invitation,
    Member,
    Player,
    RemovedMember,
    Seat,
    Session,
    Space,
    Upload,
    Webhook,
)
from archive.storing import copies, corrections, feed, names, sheets

if TYPE_CHECKING:
    from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

INVITATION_LASTS = timedelta(days=30)


class NameTaken(ValueError):
    """Another club, or another player of the space, already has this name."""


class NotEmpty(ValueError):
    """The club can't be deleted, because it has deals, or deals are still being stored for it."""


class LastOwner(ValueError):
    """The change would leave a club without an owner."""


class LastMember(ValueError):
    """The change would delete a club, and the user has not agreed to that."""


class NeedsOwner(ValueError):
    """A restored club would have no owner. The exception's message is the name of the club."""


class InvitationEnded(ValueError):
    """The invitation has expired or was revoked, or an owner has removed the user from the club."""


# --- spaces -------------------------------------------------------------------------------------------------


def house() -> Space:
    """Return the space that the operator's commands use; create it on first use."""
    return Space.objects.get_or_create(kind="house")[0]


def own(user: AbstractBaseUser | AnonymousUser) -> Space:
    """Return a user's own space; create it on first use."""
    space = Space.objects.filter(user=user.pk).first()
    if space is not None:
        return space
    with transaction.atomic():
        space, created = Space.objects.get_or_create(user_id=user.pk, defaults={"kind": "own"})
        if created:
            Member.objects.create(space=space, user_id=user.pk, role="owner")
    return space


def guest() -> Space:
    """Create a guest space, for a browser without a signed-in user."""
    return Space.objects.create(kind="guest")


def find_or_make(kind: str, name: str, place: str, owner: AbstractBaseUser | None) -> Space:
    """Return the space to which a space from a dump is restored: for a club, the club with this name or a new
    club with this owner; for the house, the house; for any other kind, a new space without a user.

    :raises NeedsOwner: if the club is new and there is no owner.
    """
    if kind == "house":
        return house()
    if kind != "club":
        return Space.objects.create(kind=kind)
    known = Space.objects.filter(kind="club", search_name=searchable(name)).first()
    if known is not None:
        return known
    if owner is None:
        raise NeedsOwner(name)
    return found_club(name, by=owner, place=place)


_ABANDONED = timedelta(hours=1)
"""Time after which a guest's empty space counts as abandoned."""

_EVENING_ABANDONED = timedelta(days=30)
"""Time since the last change to an evening after which its empty space counts as abandoned. Until then, an
offline phone may still send deals."""


def remove_abandoned() -> None:
    """Delete abandoned spaces, which are empty and have no user. An interrupted restore leaves such spaces
    behind if it has not stored their records yet. Call with the insert lock held."""
    nothing = {"members": None, "contributions": None, "uploads": None, "user": None}
    empty, now = Space.objects.filter(**nothing, kind__in=("own", "guest")), timezone.now()
    empty = empty.exclude(sessions__evening__changed_at__gt=now - _EVENING_ABANDONED)
    empty.exclude(kind="guest", made_at__gt=now - _ABANDONED).delete()


def free_session_name(wished: str, date: str, *spaces: Space, but: Session | None = None) -> str:
    """Return `wished` as the name of a session, with a number appended if another session on this date in
    these spaces has the name. `but`: the session being renamed, which may keep its name."""
    others = Session.objects.filter(space__in=spaces, date=date, name__startswith=wished[: NAME_LENGTH - 10])
    taken = set(others.exclude(pk=but.pk if but else None).values_list("name", flat=True))
    numbered = chain([wished], (f"{wished[: NAME_LENGTH - 10]} ({n})" for n in count(2)))
    return next(name for name in numbered if name not in taken)


@database.holding_insert_lock
def adopt(guest: Space, space: Space, *, by: AbstractBaseUser | None) -> int:
    """Move everything in the `guest` space, sent by a browser before its user signed in, to `space`. Return
    the number of deals moved. `by`: the user; None if `space` is another guest's.

    Players with the same name are merged, and so are sessions with the same name and date; players that were
    merged before stay merged. If `space` already has a contribution to a deal, it keeps that contribution,
    and the guest's contribution is deleted; only its upload remains. An evening is never merged with another
    session; it gets another name if its name is taken.
    """
    lock(guest.pk)
    for evening in Evening.objects.filter(session__space=guest).select_related("session"):
        name = free_session_name(
            evening.session.name, evening.session.date, guest, space, but=evening.session
        )
        if name != evening.session.name:
            corrections.change_session(evening.session, name=name, by=by)
        Evening.objects.filter(pk=evening.pk, made_by=None).update(made_by=by)
    contributions = Contribution.objects.filter(space=guest)
    own = Contribution.objects.filter(space=space)
    for old in contributions.filter(replaced_by__deal__digest__in=own.values("deal__digest")).select_related(
        "replaced_by__deal"
    ):
        same = own.get(deal__digest=old.replaced_by.deal.digest)
        contributions.filter(pk=old.pk).update(replaced_by=_latest(same))
    twice = contributions.filter(deal__digest__in=own.values("deal__digest"))
    deals = dict(twice.values_list("deal_id", "deal__digest"))
    same_deals = dict(own.filter(deal__digest__in=deals.values()).values_list("deal__digest", "deal_id"))
    feed.remove(twice)
    copies.remove_empty({deal: same_deals[digest] for deal, digest in deals.items()})
    _adopt_sheets(guest, space)
    known = Player.objects.filter(space=space)
    players = {player.pseudonym: player for player in known.filter(same_as=None)}
    players |= {player.name: player for player in known}
    for player in Player.objects.filter(space=guest, name__in=players):
        same = players[player.name]
        Seat.objects.filter(player=player).update(player=same)
        Player.objects.filter(under=player).update(under=same)
        others = list(player.aliases.all())
        head = Player.objects.filter(pk=player.same_as_id, same_as=None).exclude(name__in=players).first()
        if head is not None:  # the space knows the person only by the other name
            head.under, others = same, [head, *head.aliases.exclude(pk=player.pk)]
        for alias in others:
            alias.same_as = same.head
            alias.save()
    sessions = {(one.name, one.date): one.pk for one in Session.objects.filter(space=space)}
    shared = []
    for session in Session.objects.filter(space=guest):
        same = sessions.get((session.name, session.date))
        if same is None:
            Session.objects.filter(pk=session.pk).update(space=space)
        else:
            contributions.filter(session=session).update(session=same)
            shared.append(same)
    Player.objects.filter(space=guest).exclude(name__in=players).update(space=space)
    feed.note(contributions, "corrected")
    moved = list(contributions.values_list("pk", flat=True))
    number = contributions.update(space=space)
    names.free_shared_seats(moved)
    sheets.set_places(moved)
    Upload.objects.filter(space=guest).update(space=space, user=by)
    sheets.cover(sheets.places_of(moved))
    for session in shared:
        corrections.follow_evening(session, by=by)
    guest.delete()
    return number


def _latest(contribution: Contribution) -> Contribution | None:
    """Return the contribution that replaced this one, or this one if it was not replaced."""
    return contribution.replaced_by if contribution.visibility == "replaced" else contribution


def _adopt_sheets(guest: Space, space: Space) -> None:
    """Delete the guest's sheets and results of deals for which the other space already has one."""
    contributions = Contribution.objects.filter(space=guest).exclude(deal__kind="played")
    for one in contributions.prefetched().select_related("deal"):
        if (same := sheets.same_in(space.pk, one)) is not None:
            there = Contribution.objects.get(pk=same)
            Contribution.objects.filter(replaced_by=one).update(replaced_by=_latest(there))
            feed.remove(Contribution.objects.filter(pk=one.pk))
            copies.remove_empty({one.deal_id: there.deal_id})


# --- clubs --------------------------------------------------------------------------------------------------


def found_club(name: str, *, by: AbstractBaseUser, place: str = "", visibility: str = "public") -> Space:
    """Create a club owned by the user `by`.

    :raises NameTaken: if another club has the same name, ignoring case and diacritics.
    """
    try:
        with transaction.atomic():
            club = Space.objects.create(kind="club", name=name, place=place, visibility=visibility)
            Member.objects.create(space=club, user=by, role="owner")
    except IntegrityError as error:
        raise NameTaken(name) from error
    return club


def change_club(
    club: Space, *, name: str, place: str, visibility: str, hides_hindsight: bool = False
) -> None:
    """Change a club's name, its place, the visibility of its future deals, and whether it hides hindsight.

    :raises NameTaken: if another club has this name.
    """
    before = club.name, club.place, club.visibility
    club.name, club.place, club.visibility = name, place, visibility
    club.hides_hindsight = hides_hindsight
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as error:
        club.name, club.place, club.visibility = before
        raise NameTaken(name) from error


def set_visibility(club: Space, visibility: str, *, by: AbstractBaseUser, all_deals: bool) -> int:
    """Set the visibility of a club's future deals and, with `all_deals`, also of its existing deals. Return
    the number of existing deals that changed."""

    @database.holding_insert_lock
    def change() -> None:
        Space.objects.filter(pk=club.pk).update(visibility=visibility)
        if all_deals:
            # Update the uploads, too: their visibility applies to records that are not stored yet, and to
            # corrected records that are sent later.
            Upload.objects.filter(space=club).update(visibility=visibility)
            evenings = Evening.objects.filter(session__space=club, visibility__isnull=False)
            evenings.update(visibility=visibility, version=F("version") + 1)

    change()
    club.visibility = visibility
    contributions = Contribution.objects.filter(space=club)
    return corrections.set_visibilities(contributions, visibility, by=by) if all_deals else 0


def is_empty(space: Space) -> bool:
    """Return whether a space has no deals, not even withdrawn ones, and none are being stored for it."""
    return not space.contributions.exists() and not space.uploads.filter(finished_at=None).exists()


@database.holding_insert_lock
def delete_club(club: Space) -> None:
    """Delete a club without deals, including its memberships and its remaining uploads.

    :raises NotEmpty: if the club has deals, or deals are still being stored for it.
    """
    lock(club.pk)
    if not is_empty(club):
        raise NotEmpty
    club.delete()


def invite(club: Space, *, by: AbstractBaseUser) -> Invitation:
    """Create a link for joining a club."""
    ends_at = timezone.now() + INVITATION_LASTS
    return Invitation.objects.create(space=club, key=secrets.token_urlsafe(18), made_by=by, ends_at=ends_at)


def invitation(key: str) -> Invitation | None:
    """Return the invitation with this key, or None if it doesn't exist, has expired or was revoked."""
    invitations = Invitation.objects.select_related("space").filter(key=key, ends_at__gt=timezone.now())
    return invitations.first()


def end_invitation(club: Space, number: int) -> bool:
    """Revoke the club's invitation with this id. Return whether the invitation was still open. Keep its row,
    which records who joined through the link."""
    return bool(_end(Q(pk=number), club.pk))


def renew_invitation(club: Space, number: int, *, by: AbstractBaseUser) -> Invitation | None:
    """Revoke the club's open invitation with this id, and create one with a new key. Return the new
    invitation, or None if no open invitation has this id."""
    with transaction.atomic():
        return invite(club, by=by) if end_invitation(club, number) else None


def _end(which: Q, club: int) -> int:
    now = timezone.now()
    return Invitation.objects.filter(which, space=club, ends_at__gt=now).update(ends_at=now)


def join(invitation: Invitation, user: AbstractBaseUser) -> Member:
    """Add a user to the club of an invitation. Return the new or the existing membership.

    :raises InvitationEnded: if the invitation has ended, or an owner has removed the user from the club.
    """
    with transaction.atomic():
        lock_members(invitation.space_id)
        club = {"space": invitation.space_id, "user": user}
        if (member := Member.objects.filter(**club).first()) is not None:
            return member
        still_open = Invitation.objects.filter(pk=invitation.pk, ends_at__gt=timezone.now())
        if RemovedMember.objects.filter(**club).exists() or not still_open.exists():
            raise InvitationEnded
        return Member.objects.create(space_id=invitation.space_id, user=user, invitation=invitation)


def set_role(member: Member, role: str) -> None:
    """Set a member's role, and stop webhooks whose owner is no longer an owner of the club.

    :raises LastOwner: if the member is the club's only owner and would lose that role.
    """
    with transaction.atomic():
        _check_other_owner(member, role)
        Member.objects.filter(pk=member.pk).update(role=role)
        Webhook.objects.filter(space=member.space_id).without_owner().stop("owner_left")


def leave(member: Member) -> None:
    """End a membership, and stop the member's webhooks. The member's deals remain with the club.

    :raises LastOwner: if the member is the club's only owner.
    """
    with transaction.atomic():
        _check_other_owner(member, "")
        Member.objects.filter(pk=member.pk).delete()
        Webhook.objects.filter(space=member.space_id).without_owner().stop("owner_left")


@database.holding_insert_lock  # because evenings have links, too
def remove(member: Member) -> None:
    """Remove a member from a club. No invitation lets them join again until `readmit`. Revoke every link that
    they may know: the link they joined with (if it was not recorded, all links created before they joined),
    and the links they created, also those of evenings. Secretaries and owners can see all links, so for these
    roles revoke all links.

    :raises LastOwner: if the member is the club's only owner.
    """
    lock_members(member.space_id)
    role = Member.objects.filter(pk=member.pk).values_list("role", flat=True).first() or member.role
    leave(member)
    RemovedMember.objects.get_or_create(space_id=member.space_id, user_id=member.user_id)
    evenings = links = Q()
    if role == "member":
        evenings = Q(made_by=member.user_id)
        links = evenings | Q(pk=member.invitation_id)
        if member.invitation_id is None:
            links |= Q(made_at__lte=member.joined_at)
    Evening.objects.filter(evenings, session__space=member.space_id).update(join_key=None)
    _end(links, member.space_id)


def readmit(club: Space, number: int) -> None:
    """Allow a removed user to join again with an invitation. `number`: id of the `RemovedMember`."""
    RemovedMember.objects.filter(space=club, pk=number).delete()


def lock(*spaces: int) -> None:
    """Lock the rows of these spaces before they are deleted. An upload to such a space that is being received
    at the same time is either committed before, or rejected (`uploads.receive`)."""
    list(Space.objects.select_for_update().filter(pk__in=spaces).order_by("pk"))


def lock_members(*clubs: int) -> None:
    """Lock the rows of these clubs until the transaction ends, so that two concurrent changes to the members
    run one after the other, and the second sees the first."""
    list(Space.objects.select_for_update(no_key=True).filter(pk__in=clubs).order_by("pk"))


def _check_other_owner(member: Member, role: str) -> None:
    lock_members(member.space_id)
    owners = Member.objects.filter(space=member.space_id, role="owner")
    if role != "owner" and [owner.pk for owner in owners] == [member.pk]:
        raise LastOwner
