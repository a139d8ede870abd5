"""Addresses of the site's own pages."""

from __future__ import annotations

from django.urls import reverse


def path(name: str, *args: int | str) -> str:
    """The address of a page of `replays`, by the name of its URL pattern.

    >>> path("replay", 7)
    '/deals/7/replay/'
    """
    return reverse(f"replays:{name}", args=args)
