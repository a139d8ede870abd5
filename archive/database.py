"""Database operations that Django's ORM lacks: bulk writes, sorting by name, locks, retries."""

from __future__ import annotations

import logging
import random
import re
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import (
    IntegrityError,
    InterfaceError,
    InternalError,
    OperationalError,
    connection,
    models,
    transaction,
)
from django.db.backends.signals import connection_created
from django.db.models.functions import Collate
from django.dispatch import receiver

from archive.errors import Gone
from archive.fields import AFTER, SORT_LETTERS, PackedTextField, WordField, sort_key

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

AWAY = (OperationalError, InterfaceError, InternalError)
"""Errors that any statement can raise when the database is unavailable. (`InternalError`: the database has
ended the transaction, or an earlier statement in it has failed.)"""


class LockTimeout(OperationalError):
    """The insert lock was not available in time. Nothing was done, and the caller can try again."""


_PASSING_STATES = frozenset({"40001", "40P01", "55P03"})
"""SQLSTATE codes for a serialization failure, a deadlock, and a lock that is not available."""

_DANGLING = "23503"
"""SQLSTATE code for a reference to a row that does not exist."""

_PAUSES = (0.05, 0.1, 0.2, 0.4)
"""Average number of seconds to wait before each retry."""

_MAX_SECONDS = 10.0
"""Time limit for retries: seconds after the start of the first attempt. Later failures are not retried."""

INSERT_LOCK = 7_265_041
"""Key of the insert lock, a PostgreSQL advisory lock (`insert_lock`)."""

_IDLE_TIMEOUT = "10s"
"""Time that a transaction with the insert lock may be idle before PostgreSQL ends the transaction."""

_STATEMENT_TIMEOUT = "60s"
"""Time limit for a statement in a transaction with the insert lock, such as a COPY that stalls."""

_LOCK_TIMEOUT = "5s"
"""Maximum time that one attempt waits for the insert lock. Must be shorter than the lease of a claim."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""Characters that PostgreSQL rejects: NUL, and lone surrogates (which represent bytes that are not UTF-8).
Other control characters are allowed, because uploads are stored unchanged."""


def storable(text: str) -> str:
    """Return a text with U+FFFD in place of each character that the databases can't store."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


# --- the order of names -------------------------------------------------------------------------------------


def by_name(column: Any, language: str) -> models.Func:
    """Return an expression that sorts a column of names by the rules of a language (see `sort_key`)."""
    if connection.vendor != "postgresql":
        return models.Func(column, models.Value(language), function="sort_key")
    key = "normalize(%(expressions)s, NFKD)"
    if language == "cs":
        key = f"regexp_replace({key}, '([cCrRsSzZ])\u030c', '\\1{AFTER}', 'g')"
    key = f"regexp_replace({key}, '[\u0300-\u036f]', '', 'g')"
    key = f"lower(translate({key}, '{SORT_LETTERS[0]}', '{SORT_LETTERS[1]}'))"
    if language == "cs":
        key = f"replace({key}, 'ch', 'h{AFTER}')"
    return models.Func(column, template=f'{key} COLLATE "C"')


def by_code_point(column: Any) -> Any:
    """Return an expression that sorts text by code points, regardless of the database's collation."""
    return Collate(column, "C" if connection.vendor == "postgresql" else "BINARY")


@receiver(connection_created, dispatch_uid="sort_key")
def _register_sort_key(connection: Any, **_signal: Any) -> None:
    """Register `sort_key` as an SQL function on SQLite."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("sort_key", 2, sort_key, deterministic=True)


# --- locks, rows, retries -----------------------------------------------------------------------------------


def insert_lock() -> None:
    """Take the lock for inserting deals, and hold it until the transaction ends. The lock makes ids grow in
    the order in which deals become visible. If two transactions insert the same deal, the second finds the
    deal that the first has inserted. SQLite needs no lock, because only one transaction writes at a time.

    A process that hangs while it holds the lock (a paused machine, a lost connection) blocks other processes
    for at most `_IDLE_TIMEOUT`. Then PostgreSQL ends the transaction of that process.

    :raises LockTimeout: if other transactions hold the lock for longer than `_LOCK_TIMEOUT`.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Set the timeouts first, because the process may hang as soon as it holds the lock.
            cursor.execute(
                "SELECT current_setting('lock_timeout'), set_config('lock_timeout', %s, true),"
                " set_config('idle_in_transaction_session_timeout', %s, true),"
                " set_config('statement_timeout', %s, true)",
                [_LOCK_TIMEOUT, _IDLE_TIMEOUT, _STATEMENT_TIMEOUT],
            )
            usual = cursor.fetchone()[0]
            try:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [INSERT_LOCK])
            except OperationalError as error:
                if _is_passing(error):
                    raise LockTimeout(str(error)) from error.__cause__
                raise
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [usual])


def try_lock(key: int) -> bool:
    """Try to take the lock with this key and hold it until the transaction ends. Return whether it was
    free."""
    if connection.vendor != "postgresql":
        return True  # only one transaction writes at a time
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [key])
        return bool(cursor.fetchone()[0])


def reserve_ids(model: type[models.Model], number: int) -> range:
    """Reserve and return consecutive ids for `number` new rows. Call with the insert lock held."""
    table = model._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(s, nextval(s) + %s) FROM pg_get_serial_sequence(%s, 'id') AS s",
                [number - 1, table],
            )
            last = cursor.fetchone()[0]
            return range(last - number + 1, last + 1)
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        last = (row[0] if row else 0) + number
        if row:
            cursor.execute("UPDATE sqlite_sequence SET seq = %s WHERE name = %s", [last, table])
        else:
            cursor.execute("INSERT INTO sqlite_sequence (seq, name) VALUES (%s, %s)", [last, table])
        return range(last - number + 1, last + 1)


def insert(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows, which must all have values for the same fields. Uses COPY on PostgreSQL."""
    if not rows:
        return
    columns, values = _adapted(model, list(rows[0]), rows)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Django doesn't convert errors from COPY to its own exceptions, so convert them here.
            copying = cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN")
            with connection.wrap_database_errors, copying as copy:
                for row in values:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - our own names
            cursor.executemany(statement, list(values))


def update(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Update rows by `id`. All rows must have values for the same fields."""
    if not rows:
        return
    names = ["id", *(name for name in rows[0] if name != "id")]
    columns, values = _adapted(model, names, rows)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # One statement for all rows takes a third of the time that one for each row takes.
            types = [model._meta.get_field(name).db_type(connection) for name in names]
            lists = ", ".join(f"%s::{kind}[]" for kind in types)
            settings = ", ".join(f"{column} = new.{column}" for column in columns[1:])
            source = f"unnest({lists}) AS new ({', '.join(columns)}) WHERE {table}.id = new.id"
            statement = f"UPDATE {table} SET {settings} FROM {source}"  # noqa: S608 - our own names
            cursor.execute(statement, [list(column) for column in zip(*values, strict=True)])
        else:
            settings = ", ".join(f"{column} = %s" for column in columns[1:])
            statement = f"UPDATE {table} SET {settings} WHERE id = %s"  # noqa: S608 - our own names
            cursor.executemany(statement, [[*row, pk] for pk, *row in values])


def _adapted(
    model: type[models.Model], names: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> tuple[list[str], Iterator[list[Any]]]:
    """Return the quoted column names of these fields, and an iterator of rows as lists of database values."""
    fields = [model._meta.get_field(name) for name in names]
    adapters = [(name, _adapter(field)) for name, field in zip(names, fields, strict=True)]
    values = ([row[name] if adapt is None else adapt(row[name]) for name, adapt in adapters] for row in rows)
    return [connection.ops.quote_name(field.column) for field in fields], values


def _adapter(field: Any) -> Callable[[Any], Any] | None:
    """Return the function that converts a field's values for the database, or None if they need no
    conversion. Calling `get_db_prep_save` for every field instead would take 50 µs per deal."""
    if isinstance(field, WordField):
        return field.number
    if isinstance(field, PackedTextField):
        return field.pack
    if isinstance(field, models.DateField) and connection.vendor != "postgresql":
        return lambda value: field.get_db_prep_save(value, connection)
    return None


def about_how_many(model: type[models.Model]) -> int:
    """Return the number of rows in a table. On PostgreSQL it is estimated, because counting is slow."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT reltuples FROM pg_class WHERE oid = %s::regclass", [model._meta.db_table])
            # The estimate is -1 until the first ANALYZE, soon after the first inserts; return 0 until then.
            return max(0, int(cursor.fetchone()[0]))
    return int(model._default_manager.count())


def size() -> int:
    """Return the size of the database on disk, in bytes."""
    statement = (
        "SELECT pg_database_size(current_database())"
        if connection.vendor == "postgresql"
        else "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
    )
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return int(cursor.fetchone()[0])


def is_available() -> bool:
    """Return whether the database responds."""
    try:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except AWAY:
        connection.close()
        return False
    return True


def wait_until_available(seconds: float) -> bool:
    """Wait for the database, about `seconds` at most. Return whether it responds."""
    began = time.monotonic()
    while not is_available():
        if time.monotonic() - began > seconds:
            return False
        time.sleep(1)
    return True


def retry_transient(action: Callable[[], T]) -> T:
    """Run an action in a transaction, and return its result. Retry after a deadlock, after a serialization
    failure, or if a lock is not available (SQLite: “database is locked”).

    The pauses between attempts are random and increasing, so that two processes don't keep blocking each
    other. An attempt that fails after `_MAX_SECONDS` is not retried. If the last attempt fails, its error is
    raised.
    """
    began = time.monotonic()
    for pause in _PAUSES:
        try:
            with transaction.atomic():
                return action()
        except OperationalError as error:
            if not _is_passing(error) or time.monotonic() - began > _MAX_SECONDS:
                raise
            logger.info("the database is busy, trying again: %s", error)
        time.sleep(pause * random.uniform(0.5, 1.5))
    with transaction.atomic():
        return action()


def holding_insert_lock(action: Callable[P, T]) -> Callable[P, T]:
    """Decorator that runs a function in a transaction with the insert lock, using `retry_transient`. Raise
    `Gone` if a row that the caller found was deleted before the lock was free."""

    @wraps(action)
    def run(*args: P.args, **kwargs: P.kwargs) -> T:
        def once() -> T:
            insert_lock()
            try:
                return action(*args, **kwargs)
            except ObjectDoesNotExist as error:
                raise Gone from error

        try:
            return retry_transient(once)
        except IntegrityError as error:
            # The database checks references at the end of the transaction.
            if _is_dangling(error):
                raise Gone from error
            raise

    return run


def _is_dangling(error: IntegrityError) -> bool:
    """Return whether a row refers to another row that was deleted."""
    cause = error.__cause__
    sqlite = getattr(cause, "sqlite_errorcode", None)
    return sqlite == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY or getattr(cause, "sqlstate", None) == _DANGLING


def _is_passing(error: OperationalError) -> bool:
    """Return whether the database raised the error only because of concurrent transactions."""
    cause = error.__cause__
    sqlite = getattr(cause, "sqlite_errorcode", None)
    if sqlite is not None:
        return sqlite & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return getattr(cause, "sqlstate", None) in _PASSING_STATES
