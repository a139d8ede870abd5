"""What is asked of a database beyond Django's ORM: statements for many rows, order of names, turns, patience.

Two back ends, PostgreSQL and SQLite, a few lines each; nothing else in the archive asks which it is.
"""

from __future__ import annotations

import logging
import random
import re
import sqlite3
import time
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from django.db import InterfaceError, InternalError, OperationalError, connection, models, transaction
from django.db.backends.signals import connection_created
from django.dispatch import receiver

from archive.fields import PackedTextField, WordField

logger = logging.getLogger(__name__)

T = TypeVar("T")

AWAY = (OperationalError, InterfaceError, InternalError)
"""What is raised when the database itself cannot go on, whatever was asked of it. (An internal error: it has
ended the transaction, or there was one before.)"""


class NoTurn(OperationalError):
    """Others are storing, and one has waited for them long enough: nothing was done, and nothing is wrong."""


_PASSING_STATES = frozenset({"40001", "40P01", "55P03"})
"""SQLSTATE of a serialization failure, a deadlock, a lock that is not available."""

_PAUSES = (0.05, 0.1, 0.2, 0.4)
"""Seconds to wait, more or less, before the second and every further try."""

_PATIENCE = 10.0
"""Seconds from the first try after which there is no other."""

_STORING = 7_265_041
"""Number of the lock that whoever stores deals holds until he commits."""

_HELD = "10s"
"""How long a transaction with that lock may do nothing, before PostgreSQL ends it."""

_STATEMENT = "60s"
"""How long one of its statements may take, a COPY whose rows do not come among them."""

_WAITING = "5s"
"""How long one try waits for the lock: less than a claim holds."""

_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""What PostgreSQL refuses: NUL, and halves of surrogate pairs (as which bytes that are no UTF-8 are read).
Less than what the notation refuses, since what is sent is kept as it came: other control characters stay."""


def is_storable(text: str) -> bool:
    """Whether the databases can hold a text."""
    return not _UNSTORABLE.search(text)


def storable(text: str) -> str:
    """A text as near as the databases can hold it."""
    return _UNSTORABLE.sub("\N{REPLACEMENT CHARACTER}", text)


# --- the order of names -------------------------------------------------------------------------------------

# Not every PostgreSQL is built with ICU, and SQLite never is: so the order is made here, the same on both.
_LETTERS = ("øØłŁđĐæÆœŒß", "oOlLdDaAoOs")
"""Letters that are no letter with a mark, and where they stand."""
_AFTER = "\U0010fffd"
"""Comes after every letter: with it behind, a letter stands behind all words of that letter."""


def sort_key(name: str, language: str) -> str:
    """By what a name is sorted for a reader of a language: marks count for nothing; in Czech č, ř, š and ž
    follow their letters, and ch follows h."""
    key = unicodedata.normalize("NFKD", name)
    if language == "cs":
        key = re.sub("([cCrRsSzZ])\u030c", rf"\1{_AFTER}", key)
    key = re.sub("[\u0300-\u036f]", "", key).translate(str.maketrans(*_LETTERS)).lower()
    return key.replace("ch", f"h{_AFTER}") if language == "cs" else key


def by_name(column: Any, language: str) -> models.Func:
    """A column of names as an order for a reader of a language: see `sort_key`."""
    if connection.vendor != "postgresql":
        return models.Func(column, models.Value(language), function="sort_key")
    key = "normalize(%(expressions)s, NFKD)"
    if language == "cs":
        key = f"regexp_replace({key}, '([cCrRsSzZ])\u030c', '\\1{_AFTER}', 'g')"
    key = f"regexp_replace({key}, '[\u0300-\u036f]', '', 'g')"
    key = f"lower(translate({key}, '{_LETTERS[0]}', '{_LETTERS[1]}'))"
    if language == "cs":
        key = f"replace({key}, 'ch', 'h{_AFTER}')"
    return models.Func(column, template=f'{key} COLLATE "C"')


@receiver(connection_created, dispatch_uid="sort_key")
def _teach(connection: Any, **_signal: Any) -> None:
    """SQLite asks us for the keys."""
    if connection.vendor == "sqlite":
        connection.connection.create_function("sort_key", 2, sort_key, deterministic=True)


# --- order, rows, patience ----------------------------------------------------------------------------------


def insert_lock() -> None:
    """Wait until nobody else stores deals, and keep them waiting until this transaction ends.

    So numbers grow in the order in which deals become visible, and what two would insert at once is found
    by the second. On SQLite every writing transaction is alone by itself.

    A process that stops while it holds the lock (a machine that is paused, a link that is gone) keeps the
    others waiting for `_HELD` at most: then PostgreSQL ends its transaction.

    :raises NoTurn: if others have the lock for longer than `_WAITING`.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Before the lock is there: a process may stop as soon as it has it.
            cursor.execute(
                "SELECT current_setting('lock_timeout'), set_config('lock_timeout', %s, true),"
                " set_config('idle_in_transaction_session_timeout', %s, true),"
                " set_config('statement_timeout', %s, true)",
                [_WAITING, _HELD, _STATEMENT],
            )
            usual = cursor.fetchone()[0]
            try:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_STORING])
            except OperationalError as error:
                if _is_passing(error):
                    raise NoTurn(str(error)) from error.__cause__
                raise
            cursor.execute("SELECT set_config('lock_timeout', %s, true)", [usual])


def reserve_ids(model: type[models.Model], number: int) -> range:
    """Reserve consecutive ids for `number` new rows of a table. Call with the insert lock held."""
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
    """Insert many rows, each with values for the same fields: PostgreSQL takes them by COPY."""
    if not rows:
        return
    columns, values = _adapted(model, list(rows[0]), rows)
    table = connection.ops.quote_name(model._meta.db_table)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            # Django does not see what goes wrong in a COPY.
            copying = cursor.copy(f"COPY {table} ({', '.join(columns)}) FROM STDIN")
            with connection.wrap_database_errors, copying as copy:
                for row in values:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            statement = f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({marks})"  # noqa: S608 - our own names
            cursor.executemany(statement, list(values))


def update(model: type[models.Model], rows: Sequence[Mapping[str, Any]]) -> None:
    """Update many rows, each with its ``id`` and values for the same fields."""
    if not rows:
        return
    names = [name for name in rows[0] if name != "id"]
    columns, values = _adapted(model, [*names, "id"], rows)
    settings = ", ".join(f"{column} = %s" for column in columns[:-1])
    table = connection.ops.quote_name(model._meta.db_table)
    statement = f"UPDATE {table} SET {settings} WHERE id = %s"  # noqa: S608 - our own names
    with connection.cursor() as cursor:
        cursor.executemany(statement, list(values))


_ADAPTED = (WordField, PackedTextField, models.DateField)
"""Fields whose values are others in the database; those of all other fields go in as they are, which costs
nothing."""


def _adapted(
    model: type[models.Model], names: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> tuple[list[str], Iterator[list[Any]]]:
    """The columns of these fields, and the rows as lists of their values in the database's form."""
    fields = [model._meta.get_field(name) for name in names]
    adapters = [
        (name, field.get_db_prep_save if isinstance(field, _ADAPTED) else None)
        for name, field in zip(names, fields, strict=True)
    ]
    values = (
        [row[name] if adapt is None else adapt(row[name], connection) for name, adapt in adapters]
        for row in rows
    )
    return [connection.ops.quote_name(field.column) for field in fields], values


def is_there() -> bool:
    """Whether the database answers."""
    try:
        connection.ensure_connection()
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except AWAY:
        connection.close()
        return False
    return True


def wait_until_there(seconds: float) -> bool:
    """Wait for a database that is away; whether it answered in the end."""
    began = time.monotonic()
    while not is_there():
        if time.monotonic() - began > seconds:
            return False
        time.sleep(1)
    return True


def retry_transient(action: Callable[[], T]) -> T:
    """Do something in a transaction, again if it was refused only because of what others were doing just
    then.

    That is: a deadlock, two transactions that cannot both be, a lock that is not to be had (SQLite: “database
    is locked”). Between the tries there is a pause, each time twice as long and never the same for two that
    are in each other's way. Where a try takes long by itself it is the last one. Raises what the last try
    raised.
    """
    began = time.monotonic()
    for pause in _PAUSES:
        try:
            with transaction.atomic():
                return action()
        except OperationalError as error:
            if not _is_passing(error) or time.monotonic() - began > _PATIENCE:
                raise
            logger.info("the database is busy, trying again: %s", error)
        time.sleep(pause * random.uniform(0.5, 1.5))
    with transaction.atomic():
        return action()


def _is_passing(error: OperationalError) -> bool:
    """Whether the database refused something only because of what others were doing at the moment."""
    cause = error.__cause__
    sqlite = getattr(cause, "sqlite_errorcode", None)
    if sqlite is not None:
        return sqlite & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
    return getattr(cause, "sqlstate", None) in _PASSING_STATES
