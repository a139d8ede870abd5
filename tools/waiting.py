"""A function that waits for other processes in tests, benchmarks and faults."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def eventually(condition: Callable[[], T], seconds: float = 30, pause: float = 0.05) -> T:
    """Call a function until it returns a true value, for at most `seconds`. Return the last value."""
    deadline = time.monotonic() + seconds
    while not (value := condition()) and time.monotonic() < deadline:
        time.sleep(pause)
    return value
