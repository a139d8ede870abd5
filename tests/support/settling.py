"""Sums as they are after the sweeper's run; tests have no such process.

Tests that read sums call `settle`, or ask for the fixture `sweeper`, which calls it before each request.
"""

from __future__ import annotations

import os
from typing import Any

from django.db import connection

from archive.models import Mark
from archive.storing import sums

HISTORIES = int(os.environ.get("TAROCK_HISTORIES", "3"))
"""Random histories after which all sums are recomputed: thousands before a release, a few in each run."""


def settle(**_signal: Any) -> None:
    """Recompute what is marked, by queries that no test counts."""
    counted, connection.force_debug_cursor = connection.force_debug_cursor, False
    try:
        # Most requests come after one that changed nothing.
        if Mark.objects.exists():
            sums.settle()
    finally:
        connection.force_debug_cursor = counted
