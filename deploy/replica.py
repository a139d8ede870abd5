"""Reading from a replica of the database (`DATABASE_REPLICA_URL`): what visitors look at.

A *visitor* has neither session nor token. Whoever has sent something has one of the two, so nobody is shown
an archive in which what he just sent is not there yet. Everything else reads from the primary database, and
everything is written there.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.core.signals import request_finished
from django.db import DEFAULT_DB_ALIAS, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from archive import database

logger = logging.getLogger(__name__)

REPLICA = "replica"
"""The alias of the database."""

_PRIMARY: str = DEFAULT_DB_ALIAS

PAUSE = 10.0
"""Seconds for which a replica that did not answer is not tried again."""

_here = threading.local()
"""What the request of this thread reads from."""


class Router:
    """Django's router."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """The replica in a visitor's request, as long as nothing was written in it."""
        return REPLICA if getattr(_here, "visitor", False) else _PRIMARY

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """The primary, from which the rest of the request reads, too: a session that begins, for one."""
        _here.visitor = False
        return _PRIMARY

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool:
        """Both hold the same rows."""
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """A replica is migrated with its primary."""
        return db == _PRIMARY


class _Replica:
    """Whether the replica answers; for all threads of a process."""

    broken_until = 0.0

    def is_well(self) -> bool:
        """Connect, unless there is a connection that still works. (That is Django's own check of a connection
        at the beginning of a request, and done once.)"""
        if time.monotonic() < self.broken_until:
            return False
        connection = connections[REPLICA]
        try:
            connection.close_if_health_check_failed()
            connection.ensure_connection()
        except database.AWAY as reason:
            self.broken_until = time.monotonic() + PAUSE
            logger.warning("The replica does not answer; doing without for %s s: %s", PAUSE, reason)
            return False
        return True


_replica = _Replica()

_LAG = """
SELECT CASE WHEN pg_is_in_recovery() AND pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
            THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp()) ELSE 0 END
"""


def lag() -> float | None:
    """Seconds by which the replica is behind; None if there is none, or it does not answer."""
    if REPLICA not in connections.settings or not _replica.is_well():
        return None
    try:
        with connections[REPLICA].cursor() as cursor:
            cursor.execute(_LAG)
            return float(cursor.fetchone()[0] or 0)
    except database.AWAY:
        connections[REPLICA].close()
        return None


def read_from_replica(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Middleware: have visitors' requests read from the replica, if there is one and it answers. It holds
    until the answer is closed, so also for what is streamed."""
    if REPLICA not in connections.settings:
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponseBase:
        _here.visitor = _is_visitor(request) and _replica.is_well()
        return get_response(request)

    return middleware


def _is_visitor(request: HttpRequest) -> bool:
    known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
    return request.method in ("GET", "HEAD") and not known


def _forget(**_signal: Any) -> None:
    _here.visitor = False


request_finished.connect(_forget, dispatch_uid="replica")
