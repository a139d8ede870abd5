"""The players, sessions and clubs that a user follows, their latest deals, and the weekly mail about them."""

from __future__ import annotations

from collections.abc import Sequence

from django.db.models import Q

from archive import access
from archive.access import EVERYBODY, Viewer
from archive.models import Follow, Player, Seat, Session, Space, WeeklyMail
from archive.reading.clubs import get_club
from archive.reading.deals import deals_of
from archive.reading.players import get_player
from archive.reading.sessions import get_session
from archive.shown import ShownDeal
from archive.storing.following import follows_of

LOOKUPS = {"player": get_player, "session": get_session, "club": lambda pk, _viewer: get_club(pk)}
"""Functions that look up a thing that can be followed, by kind."""


def get_followed(kind: str, pk: int, viewer: Viewer = EVERYBODY) -> Player | Session | Space:
    """Return a thing that the viewer may follow.

    :raises ObjectDoesNotExist: if there is none, if the viewer may not see it, or if the player does not want
        to be followed.
    """
    found: Player | Session | Space = LOOKUPS[kind](pk, viewer)
    if isinstance(found, Player) and not found.can_be_followed:
        raise Player.DoesNotExist
    return found


def followed(viewer: Viewer) -> list[Follow]:
    """Return what the user follows and may still see, latest first. One query."""
    roles = list(viewer.roles)
    is_public = Q(player__public_deals__gt=0) | Q(player__same_as__public_deals__gt=0)
    seen = Q(player__can_be_followed=True) & (is_public | Q(player__space__in=roles))
    seen |= Q(session__public_deals__gt=0) | Q(session__space__in=roles) | Q(club__isnull=False)
    rows = Follow.objects.filter(seen, user=viewer.user)
    return list(rows.select_related("player__space", "player__same_as", "session__space", "club"))


def is_following(kind: str, pk: int, viewer: Viewer) -> bool:
    """Return whether the user follows this thing."""
    return viewer.user is not None and follows_of(viewer.user, kind, pk).exists()


def weekly_mail(viewer: Viewer) -> WeeklyMail | None:
    """Return the user's weekly mail; None if they get none."""
    return WeeklyMail.objects.filter(user=viewer.user).first()


def latest(follows: Sequence[Follow], viewer: Viewer, limit: int) -> list[ShownDeal]:
    """Return the deals that were stored last among those that the viewer follows and may see, each as a space
    describes it in which it is followed. At most seven queries."""
    of_kind = {kind: [getattr(one, f"{kind}_id") for one in follows if one.kind == kind] for kind in LOOKUPS}
    # Deal → the first contribution. Several followed spaces, and several players, can have a deal.
    found: dict[int, int] = {}
    if players := of_kind["player"]:
        names = Player.objects.filter(pk__in=players).with_aliases().order_by()
        seats = Seat.objects.filter(
            access.is_listed(viewer, "contribution__"), player__in=list(names.values_list("pk", flat=True))
        )
        of_players = seats.order_by("-contribution").values_list("contribution__deal", "contribution")
        found |= dict(of_players.distinct()[: 4 * limit])
    for kind, column in (("session", "session"), ("club", "space")):
        if of_kind[kind]:
            rows = (
                access.listed(viewer).filter(**{f"{column}__in": of_kind[kind]}).order_by("-deal_id", "-pk")
            )
            found |= dict(rows.values_list("deal_id", "pk")[: 4 * limit])
    chosen = [pk for _deal, pk in sorted(found.items(), reverse=True)[:limit]]
    by_contribution = deals_of(chosen, viewer)
    return [by_contribution[pk] for pk in chosen if pk in by_contribution]
