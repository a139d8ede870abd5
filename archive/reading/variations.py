"""Variations saved for a deal, for viewers who may see the deal."""

from __future__ import annotations

import uuid

from django.db.models import Q

from archive.access import Viewer
from archive.models import Deal, GuestVariations, Variations
from archive.reading.deals import get_deal
from archive.shown import ShownDeal


def of_deal(deal: ShownDeal, viewer: Viewer) -> list[Variations]:
    """Return the users' variations of a deal that the viewer sees: their own and public ones. One query."""
    listed = Q(visibility="public") | Q(user=viewer.user)
    return list(Variations.objects.filter(listed, deal=deal.pk).select_related("user"))


def own(deal: ShownDeal, viewer: Viewer, device: bytes = b"") -> Variations | GuestVariations | None:
    """Return the viewer's own saved variations of a deal, or None. `device`: digest of the key of a guest's
    device."""
    if viewer.user is None:
        return GuestVariations.objects.filter(deal=deal.pk, device=device).first() if device else None
    return Variations.objects.filter(deal=deal.pk, user=viewer.user).first()


def by_key(key: uuid.UUID, viewer: Viewer) -> tuple[Variations | GuestVariations, ShownDeal]:
    """Return the variations with this key, and their deal as the viewer may see it.

    :raises ObjectDoesNotExist: if no variations have this key, if they are private to another user, or if the
        viewer may not see the deal.
    """
    found: Variations | GuestVariations | None = (
        Variations.objects.select_related("user").filter(key=key).first()
    )
    if found is None:
        found = GuestVariations.objects.get(key=key)
    elif found.visibility == "private" and found.user_id != viewer.user and not viewer.operator:
        raise Variations.DoesNotExist
    try:
        return found, get_deal(found.deal_id, viewer)
    except Deal.DoesNotExist:
        raise Variations.DoesNotExist from None
