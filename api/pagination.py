"""Pages of lists.

Deals are paged by a cursor (the place after the last deal shown), so that deals stored meanwhile neither
repeat nor hide any; the ranking of players by an offset.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from archive.models import Deal

from .errors import BadCursor

BIGGEST_ID = 2**63 - 1


def page_of(deals: QuerySet[Deal], request: Request, limit: int, cursor: str | None) -> dict[str, Any]:
    """The page of `limit` deals after the cursor, newest first; raises :class:`BadCursor`."""
    deals = deals.order_by("-created_at", "-id")
    if cursor is not None:
        at, pk = read_cursor(cursor)
        deals = deals.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=pk), created_at__lte=at)
    found = list(deals[: limit + 1])
    more = len(found) > limit
    here = request.build_absolute_uri()
    following = replace_query_param(here, "cursor", write_cursor(found[limit - 1])) if more else None
    return {"next": following, "results": found[:limit]}


def slice_of(
    rows: Sequence[Any] | QuerySet[Any], request: Request, limit: int, offset: int
) -> dict[str, Any]:
    """The page of `limit` rows from `offset` on."""
    found = list(rows[offset : offset + limit + 1])
    here = request.build_absolute_uri()
    following = replace_query_param(here, "offset", offset + limit) if len(found) > limit else None
    return {"next": following, "results": found[:limit]}


def write_cursor(deal: Deal) -> str:
    """The place after this deal, as an opaque word.

    >>> from datetime import UTC
    >>> deal = Deal(pk=7, created_at=datetime(2026, 11, 20, 18, 30, 0, 5, tzinfo=UTC))
    >>> write_cursor(deal)
    'MjAyNi0xMS0yMFQxODozMDowMC4wMDAwMDUrMDA6MDB8Nw'
    >>> read_cursor(write_cursor(deal)) == (deal.created_at, 7)
    True
    """
    return urlsafe_b64encode(f"{deal.created_at.isoformat()}|{deal.pk}".encode()).decode().rstrip("=")


def read_cursor(word: str) -> tuple[datetime, int]:
    """Time and number of the deal that a cursor goes on after; raises :class:`BadCursor` for what is none."""
    try:
        at, pk = urlsafe_b64decode(word + "=" * (-len(word) % 4)).decode("ascii").split("|")
        time, number = datetime.fromisoformat(at), int(pk)
        if time.tzinfo is None or not 0 <= number <= BIGGEST_ID:
            raise ValueError
        time.astimezone().isoformat()  # the ends of the calendar do not fit into every time zone
    except (ValueError, OverflowError):
        raise BadCursor("This cursor is not one that was given out here.", field="cursor") from None
    return time, number
