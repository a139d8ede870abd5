"""URLs of the site's own pages."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from django.urls import reverse
from django.utils.http import urlencode

from archive.addresses import Key


@lru_cache(maxsize=1024)
def path(name: str, *args: int | str | Key) -> str:
    """Return the URL of a page of `replays` by the name of its URL pattern.

    >>> path("replay", 7)
    '/deals/7/replay/'
    """
    # A page has about thirty URLs, so cache them. This saves 0.9 ms per page.
    return reverse(f"replays:{name}", args=args)


def deals_url(**filters: int | str | date | None) -> str:
    """Return the URL of the list of deals with these filters (`replays.deal.forms.DealFilter`); filters that
    are None or empty are left out.

    >>> deals_url(game="taroky", player_id=7, role="")
    '/deals/?game=taroky&player_id=7'
    """
    return f"{path('deals')}?{urlencode({name: value for name, value in filters.items() if value})}"
