"""A database without rows after each test: rolled back, or emptied if the test commits."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection, transaction
from django.test import TransactionTestCase

_flush = TransactionTestCase._fixture_teardown

KEPT = {"django_content_type", "auth_permission"}
"""Tables that are the same after each migration."""


def empty(case: Any) -> None:
    """Delete the rows of all tables that have any. Django's own way truncates every table, which costs new
    files for each of them and their indexes, and then writes all permissions again."""
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql" or not _may_skip_triggers(cursor):
            _flush(case)
            return
    for again in (True, True, False):
        try:
            _delete_all()
            return
        except OperationalError:
            # A late request of a closed browser holds a row, and waits for one that is deleted already.
            if not again:
                raise


def _delete_all() -> None:
    names = {*connection.introspection.django_table_names(only_existing=True, include_views=False)}
    each = (f"SELECT '{name}' WHERE EXISTS (SELECT FROM \"{name}\")" for name in names - KEPT)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(each))
        filled = [name for (name,) in cursor.fetchall()]
        # No trigger runs, and the order of the tables doesn't matter.
        cursor.execute("SET LOCAL session_replication_role = replica")
        for name in filled:
            cursor.execute(f'DELETE FROM "{name}"')


def _may_skip_triggers(cursor: Any) -> bool:
    cursor.execute("SELECT current_setting('is_superuser') = 'on'")
    return bool(cursor.fetchone()[0])


def install() -> None:
    """Have all tests of this process empty the database this way."""
    TransactionTestCase._fixture_teardown = empty


@contextmanager
def rolled_back() -> Iterator[None]:
    """A transaction around several tests, which takes back what their fixtures store."""
    with transaction.atomic():
        connection.atomic_blocks[-1]._from_testcase = True  # tests may begin a durable one within
        yield
        transaction.set_rollback(True)
