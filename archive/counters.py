"""Counters of the site's work, for the operator. All processes share them through the cache. They restart
from 0 when the cache is cleared."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import suppress

from django.core.cache import cache

_PREFIX = "counter:"
_SWEPT = f"{_PREFIX}swept-at"


def increase(key: str, step: int, seconds: float | None = None) -> int:
    """Increase the counter with this cache key, and return its new value. Create a missing counter, which
    expires after `seconds`. One cache call, more for a new counter."""
    for _attempt in range(2):
        with suppress(ValueError):  # the counter does not exist yet
            return int(cache.incr(key, step))
        cache.add(key, 0, seconds)
    return step  # the cache dropped the counter, or could not store it


def add(steps: Mapping[str, int]) -> None:
    """Increase the named counters by these steps. One cache call per nonzero step, more for a new counter."""
    for name, step in steps.items():
        if step:
            increase(_PREFIX + name, step)


def read(names: list[str]) -> dict[str, int]:
    """Return the values of the counters with these names; 0 for a missing counter. One cache call."""
    found = cache.get_many([_PREFIX + name for name in names])
    return {name: int(found.get(_PREFIX + name, 0)) for name in names}


def note_sweep() -> None:
    """Store the current time as the time of the last sweep."""
    cache.set(_SWEPT, time.time(), None)


def swept_at() -> float | None:
    """Return the Unix time of the last sweep, or None if it is unknown."""
    found = cache.get(_SWEPT)
    return None if found is None else float(found)
