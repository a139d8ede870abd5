"""Sums as they are after the sweeper's run; tests have no such process.

Whenever a test's process reads sums, the marked ones are recomputed first, by queries that no test counts.
Tests of the recomputation switch it off.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection
from django.db.backends.signals import connection_created

from archive.storing import sums

HISTORIES = int(os.environ.get("TAROCK_HISTORIES", "3"))
"""Random histories after which all sums are recomputed: thousands before a release, a few in each run."""

_READS = re.compile(
    r"^SELECT .*(archive_cell|archive_total|archive_tally|public_deals|whole_deals)", re.DOTALL
)
_STATE = threading.local()


@contextmanager
def switched_off() -> Iterator[None]:
    """Recompute sums only when the test says so."""
    before, _STATE.off = getattr(_STATE, "off", False), True
    try:
        yield
    finally:
        _STATE.off = before


def _settle_first(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
    if isinstance(sql, str) and _READS.match(sql) and not getattr(_STATE, "off", False):
        counted, connection.force_debug_cursor = connection.force_debug_cursor, False
        try:
            with switched_off():
                sums.settle()
        finally:
            connection.force_debug_cursor = counted
    return execute(sql, params, many, context)


def install() -> None:
    """Have every connection of this process settle before it reads."""

    def listen(connection: Any, **_signal: Any) -> None:
        if _settle_first not in connection.execute_wrappers:
            connection.execute_wrappers.append(_settle_first)

    connection_created.connect(listen, weak=False, dispatch_uid="settling")
