"""Lists of deals, as tests ask for them."""

from __future__ import annotations

from archive.access import EVERYBODY, Viewer
from archive.models import Deal
from archive.reading.deals import deals_by_id, find_ids, iter_deals
from archive.reading.filters import Filters


def deals(filters: Filters | None = None, viewer: Viewer = EVERYBODY) -> list[Deal]:
    """All deals that fit, the newest first; the same as a page of a search finds and shows."""
    filters = filters or Filters()
    found = list(iter_deals(filters, viewer, newest_first=True, without=()))
    numbers = find_ids(filters, viewer, "stored", len(found) + 1)
    listed = deals_by_id(numbers, filters, viewer)
    assert [deal.key for deal in listed] == [deal.key for deal in found]
    return found


def deal(filters: Filters | None = None) -> Deal:
    """The only deal that fits."""
    (found,) = deals(filters)
    return found
