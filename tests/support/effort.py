"""How thorough a run is: `make test` tries a part of what `make fuzz` tries."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import TypeVar
from zlib import crc32

T = TypeVar("T")

#: Number of deals for each property, game and number of players; `make fuzz` takes 2,000.
DEALS = int(os.environ.get("TAROCK_DEALS", "20"))
THOROUGH = DEALS > 100
#: Of the conformance deals and other long lists a quick run takes every fifth.
EVERY = 1 if DEALS >= 20 else 5
#: The same for what takes long with each deal: all in `make fuzz`, every fifth in `make test`.
SPARSE = 1 if THOROUGH else 5 * EVERY


def one_of(values: Iterable[T], key: str) -> list[T]:
    """Return one of the values, always the same for this key, whatever numbers (of rows) are in it; in
    `make fuzz`, all of them."""
    found = list(values)
    return found if THOROUGH else [found[crc32(re.sub(r"\d+", "", key).encode()) % len(found)]]


def spread(values: Iterable[T], number: int) -> list[T]:
    """Return about this number of the values, at equal distances; all of them in `make fuzz`."""
    found = list(values)
    return found if THOROUGH else found[:: max(1, len(found) // number)]
