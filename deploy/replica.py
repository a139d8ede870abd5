"""Routing of visitors' queries to a replica of the database (`DATABASE_REPLICA_URL`).

A *visitor* has neither session nor token. All other requests read from the primary, so users see their own
writes immediately. The sweeper writes a heartbeat every second, and the age of the heartbeat on the replica
is the lag. If the lag exceeds `REPLICA_MAX_LAG`, visitors also read from the primary. So a hidden deal
disappears for visitors within that time.
"""

import logging
import math
import threading
import time
from typing import Any

from django.conf import settings
from django.core.exceptions import MiddlewareNotUsed
from django.core.signals import request_finished
from django.db import DEFAULT_DB_ALIAS, ProgrammingError, connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from archive import database
from archive.web import GetResponse

logger = logging.getLogger(__name__)

REPLICA = "replica"
"""Alias of the replica in `DATABASES`."""

_PRIMARY: str = DEFAULT_DB_ALIAS

PAUSE = 10.0
"""Seconds to wait before using the replica again after it did not respond."""

LAG_IS_GOOD_FOR = 1.0
"""Seconds for which a process caches the lag."""

_here = threading.local()
"""State of the thread's request: `visitor` is true while the request reads from the replica."""


class Router:
    """Database router: visitors read from the replica, all other queries use the primary."""

    def db_for_read(self, model: Any, **hints: Any) -> str:
        """Return the replica if a visitor's request has not written anything yet, otherwise the primary."""
        return REPLICA if getattr(_here, "visitor", False) else _PRIMARY

    def db_for_write(self, model: Any, **hints: Any) -> str:
        """Return the primary, and use it for all later reads of the request. Even a visitor's request may
        write, for example when a session starts."""
        _here.visitor = False
        return _PRIMARY

    def allow_relation(self, first: Any, second: Any, **hints: Any) -> bool:
        return True

    def allow_migrate(self, db: str, app_label: str, **hints: Any) -> bool:
        """Allow migrations only on the primary, because the replica copies the primary's tables."""
        return db == _PRIMARY


_LAG = "SELECT extract(epoch FROM now() - noted_at) FROM archive_note WHERE name = 'heartbeat'"


class _Replica:
    """State of the replica, shared by all threads of a process: whether it responds, and its lag."""

    broken_until = 0.0
    lag = math.inf
    """Age of the replica's heartbeat in seconds; infinite if it has none."""
    lag_read_at = -math.inf

    def answers(self) -> bool:
        """Check whether the replica responds, and update its lag if the cached value is over a second old."""
        if time.monotonic() < self.broken_until:
            return False
        connection = connections[REPLICA]
        try:
            connection.close_if_health_check_failed()
            connection.ensure_connection()
            if time.monotonic() - self.lag_read_at >= LAG_IS_GOOD_FOR:
                self.lag = self._read_lag()
                self.lag_read_at = time.monotonic()
        except database.AWAY as reason:
            connection.close()
            self.broken_until = time.monotonic() + PAUSE
            logger.warning("The replica does not answer; doing without for %s s: %s", PAUSE, reason)
            return False
        return True

    def _read_lag(self) -> float:
        try:
            with connections[REPLICA].cursor() as cursor:
                cursor.execute(_LAG)
                row = cursor.fetchone()
        except ProgrammingError:  # the replica has not received the latest migrations
            return math.inf
        return max(0.0, float(row[0])) if row else math.inf

    def is_fresh(self) -> bool:
        """Return whether visitors may read from the replica."""
        return self.answers() and self.lag <= settings.REPLICA_MAX_LAG


_replica = _Replica()


def lag() -> float | None:
    """Return the replica's lag in seconds; None if there is no replica or it does not respond."""
    return _replica.lag if REPLICA in connections.settings and _replica.answers() else None


def read_from_replica(get_response: GetResponse) -> GetResponse:
    """Return middleware that makes visitors' requests read from the replica if its lag is small enough. A
    request uses the replica until its response is closed, so a stream uses it to the end."""
    if REPLICA not in connections.settings:
        raise MiddlewareNotUsed

    def middleware(request: HttpRequest) -> HttpResponseBase:
        known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
        _here.visitor = request.method in ("GET", "HEAD") and not known and _replica.is_fresh()
        return get_response(request)

    return middleware


def _forget(**_signal: Any) -> None:
    _here.visitor = False


request_finished.connect(_forget, dispatch_uid="replica")
