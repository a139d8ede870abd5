"""Addresses of the site's own pages: `reverse`, which takes 30 microseconds, remembered."""

from __future__ import annotations

from functools import lru_cache

from django.urls import get_script_prefix, reverse

_PLACE = 1_234_567_890_987
"""Stands for a number in an address; no other part of one is this."""


def path(name: str, *args: int | str) -> str:
    """The address of a page of `replays`, by the name of its URL pattern.

    >>> path("replay", 7)
    '/deals/7/replay/'
    """
    if len(args) == 1 and isinstance(args[0], int):
        before, after = _around(get_script_prefix(), name)
        return f"{before}{args[0]}{after}"
    return _path(get_script_prefix(), name, args)


@lru_cache(maxsize=256)
def _around(prefix: str, name: str) -> tuple[str, str]:
    """What stands before the number in an address, and after it: the same for every deal."""
    before, _number, after = reverse(f"replays:{name}", args=(_PLACE,)).partition(str(_PLACE))
    return before, after


@lru_cache(maxsize=2048)
def _path(prefix: str, name: str, args: tuple[int | str, ...]) -> str:
    return reverse(f"replays:{name}", args=args)
