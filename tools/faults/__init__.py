"""Faults that the archive must survive, such as killed processes."""

from __future__ import annotations

from collections.abc import Callable

from tools.faults.load import Load
from tools.site import Site

FAULTS: dict[str, Callable[[Site, Load], None]] = {}


def fault(action: Callable[[Site, Load], None]) -> Callable[[Site, Load], None]:
    """Register a function as a fault, under its name with hyphens instead of underscores."""
    FAULTS[action.__name__.replace("_", "-")] = action
    return action
