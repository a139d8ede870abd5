"""Clubs and other spaces: members, seasons, invitations, webhooks."""

from __future__ import annotations

from collections.abc import Collection
from datetime import date

from django.db.models import F, QuerySet
from django.utils import timezone

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.database import by_name
from archive.models import (
    PLAYED,
    UNDATED,
    HouseRules,
    Invitation,
    Member,
    RemovedMember,
    Space,
    Upload,
    Webhook,
)


def membership(viewer: Viewer, space: Space) -> Member | None:
    """Return the viewer's membership in a space, or None."""
    if viewer.user is None or space.pk not in viewer.roles:
        return None
    return Member.objects.filter(space=space, user=viewer.user).first()


def memberships(viewer: Viewer) -> QuerySet[Member]:
    """Return a viewer's memberships in clubs and in their own space, each with its space."""
    return Member.objects.filter(user=viewer.user).select_related("space").order_by("space_id")


def all_clubs(language: str = "en") -> QuerySet[Space]:
    """Return all clubs, sorted by name in the order of this language."""
    return Space.objects.filter(kind="club").order_by(by_name(F("name"), language), "name")


def own_clubs(viewer: Viewer, role: str = "member") -> QuerySet[Space]:
    """Return the clubs in which the viewer has this role or a higher one."""
    return Space.objects.filter(kind="club", pk__in=viewer.spaces(role))


def upload_space(viewer: Viewer) -> Space | None:
    """Return the club that a viewer will probably upload to: the club of their last upload, otherwise a club
    in which they are at least a secretary. None means the viewer's own space. At most two queries."""
    clubs = own_clubs(viewer).in_bulk()
    if not clubs:
        return None
    sent = Upload.objects.filter(user=viewer.user).order_by("-id")
    last = sent.values_list("space", flat=True).first()
    return clubs.get(last) or next((clubs[pk] for pk in viewer.spaces("secretary") if pk in clubs), None)


def get_club(pk: int) -> Space:
    """Return a club.

    :raises Space.DoesNotExist: if there is no such club.
    """
    return Space.objects.get(pk=pk, kind="club")


def members_of(club: Space) -> QuerySet[Member]:
    """Return the members of a club, owners first, each with their user, player and invitation."""
    return club.members.select_related("user", "player", "invitation__made_by")


def removed_from(club: Space) -> QuerySet[RemovedMember]:
    """Return the users whom owners have removed from a club, latest first."""
    return club.removed.select_related("user")


def versions_of_rules(club: Space, game: str) -> QuerySet[HouseRules]:
    """Return all versions of a club's rules of a game, latest first."""
    return club.house_rules.filter(game=game).select_related("made_by")


def house_rules_of(spaces: Collection[int]) -> dict[int, dict[str, HouseRules]]:
    """Map the ids of these spaces to their rules for new evenings, by game. One query."""
    found: dict[int, dict[str, HouseRules]] = {space: {} for space in spaces}
    for one in HouseRules.objects.filter(space__in=spaces).order_by("pk"):
        found[one.space_id][one.game] = one
    return found


def own_space(viewer: Viewer) -> Space | None:
    """Return the viewer's own space; None if nobody is signed in, or before they store something there."""
    return Space.objects.filter(user=viewer.user, kind="own").first() if viewer.user is not None else None


def guest_space(pk: int | None) -> Space | None:
    """Return the guest space with this id; None if there is none."""
    return Space.objects.filter(pk=pk, kind="guest").first()


def seasons_of(space: Space | None, viewer: Viewer = EVERYBODY, most: int = 500) -> list[int]:
    """Return the years in which the space, or without one the archive, has deals that the viewer may see, at
    most the latest `most`, latest first. Makes one query per year; each uses an index, so the time doesn't
    depend on the number of deals."""
    dated = access.listed(viewer).alias(played=PLAYED).order_by("-played")
    if space is not None:
        dated = dated.filter(space=space)
    years: list[int] = []
    before = date.max
    days = dated.values_list("played_on", flat=True)
    while len(years) < most and (day := days.filter(played__gt=UNDATED, played__lt=before).first()):
        years.append(day.year)
        before = day.replace(month=1, day=1)
    return years


def open_invitations(club: Space) -> QuerySet[Invitation]:
    """Return a club's invitations that have not expired, latest first."""
    return club.invitations.filter(ends_at__gt=timezone.now()).select_related("made_by")


def webhooks_of(viewer: Viewer) -> QuerySet[Webhook]:
    """Return the webhooks of the spaces that a viewer owns."""
    return Webhook.objects.filter(space__in=viewer.spaces("owner")).select_related("space", "made_by")
