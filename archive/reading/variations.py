"""Variations that users saved for a deal, for viewers who may see the deal."""

from __future__ import annotations

import uuid

from django.db.models import Q

from archive.access import Viewer
from archive.models import Deal, Variations
from archive.reading.deals import get_deal
from archive.shown import ShownDeal


def of_deal(deal: ShownDeal, viewer: Viewer) -> list[Variations]:
    """Return the saved variations of a deal that the viewer sees: their own and public ones. One query."""
    listed = Q(visibility="public") | Q(user=viewer.user)
    return list(Variations.objects.filter(listed, deal=deal.pk).select_related("user"))


def own(deal: ShownDeal, viewer: Viewer) -> Variations | None:
    """Return the viewer's own saved variations of a deal, or None."""
    if viewer.user is None:
        return None
    return Variations.objects.filter(deal=deal.pk, user=viewer.user).first()


def by_key(key: uuid.UUID, viewer: Viewer) -> tuple[Variations, ShownDeal]:
    """Return the variations with this key, and their deal as the viewer may see it.

    :raises Variations.DoesNotExist: if no variations have this key, if they are private to another user, or
        if the viewer may not see the deal.
    """
    found = Variations.objects.select_related("user").get(key=key)
    if found.visibility == "private" and found.user_id != viewer.user and not viewer.operator:
        raise Variations.DoesNotExist
    try:
        return found, get_deal(found.deal_id, viewer)
    except Deal.DoesNotExist:
        raise Variations.DoesNotExist from None
