"""Collections that a viewer may see, and their deals."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import Count, QuerySet

from archive.access import Viewer
from archive.models import Collected, Collection, Opened
from archive.reading import deals
from archive.reading.filters import Filters
from archive.shown import ShownDeal


@dataclass(frozen=True, slots=True)
class Entry:
    """A deal in a collection as a viewer sees it. `deal`: None if it was deleted or they may not see it."""

    stored: Collected
    number: int
    deal: ShownDeal | None
    is_opened: bool = False

    @property
    def replacement(self) -> int | None:
        """The id of the deal that corrected this one."""
        own = self.deal.contribution if self.deal else None
        return own.replaced_by.deal_id if own and own.replaced_by and own.visibility == "replaced" else None


def own(viewer: Viewer) -> QuerySet[Collection]:
    """Return the viewer's own collections with the number of their deals, last changed first."""
    return _counted(Collection.objects.filter(user=viewer.user))


def public() -> QuerySet[Collection]:
    """Return all public collections with the number of their deals, last changed first."""
    return (
        _counted(Collection.objects.filter(visibility="public")).filter(number__gt=0).select_related("user")
    )


def _counted(collections: QuerySet[Collection]) -> QuerySet[Collection]:
    # A query with groups has no order of its own.
    return collections.annotate(number=Count("entries")).order_by("-changed_at", "-pk")


def by_key(key: uuid.UUID | str, viewer: Viewer) -> Collection:
    """Return the collection with this key.

    :raises Collection.DoesNotExist: if there is none, or if it is private to another user.
    """
    found = Collection.objects.select_related("user").get(key=key)
    if found.visibility == "private" and found.user_id != viewer.user and not viewer.operator:
        raise Collection.DoesNotExist
    return found


def entries(collection: Collection, viewer: Viewer) -> list[Entry]:
    """Return the deals of a collection in order, as the viewer may see them. At most twelve queries."""
    rows = list(collection.entries.all())
    ids = [row.deal_id for row in rows if row.deal_id]
    found = {deal.pk: deal for deal in deals.deals_by_id(ids, Filters(), viewer)}
    found = deals.readable_by_id(set(ids) - found.keys(), viewer) | found
    opened: set[int] = set()
    if viewer.user is not None:
        seen = Opened.objects.filter(user=viewer.user, entry__collection=collection)
        opened = set(seen.values_list("entry", flat=True))
    return [
        Entry(row, number, found.get(row.deal_id or 0), row.pk in opened)
        for number, row in enumerate(rows, 1)
    ]
