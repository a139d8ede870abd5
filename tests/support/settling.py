"""Sums as they are after the sweeper's run; tests have no such process.

Marked sums are recomputed before each request. Tests that read sums without a request call `settle`, and so
do fixtures of a module that store something. Tests of the recomputation switch it off.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.signals import request_started
from django.db import connection

from archive.models import Mark
from archive.storing import sums

HISTORIES = int(os.environ.get("TAROCK_HISTORIES", "3"))
"""Random histories after which all sums are recomputed: thousands before a release, a few in each run."""

_OFF = False


@contextmanager
def switched_off() -> Iterator[None]:
    """Recompute sums only when the test says so."""
    global _OFF
    before, _OFF = _OFF, True
    try:
        yield
    finally:
        _OFF = before


def settle(**_signal: Any) -> None:
    """Recompute what is marked, by queries that no test counts."""
    if _OFF:
        return
    counted, connection.force_debug_cursor = connection.force_debug_cursor, False
    try:
        # Most requests come after one that changed nothing.
        if Mark.objects.exists():
            sums.settle()
    finally:
        connection.force_debug_cursor = counted


def install() -> None:
    """Have this process settle before each request, after all that is connected to its start by now."""
    request_started.disconnect(dispatch_uid="settling")
    request_started.connect(settle, dispatch_uid="settling")
