"""Row counts and checksums of all tables in a database. They don't depend on the order of the rows."""

import hashlib
import sqlite3
from typing import Any

import psycopg
from psycopg import sql

Sums = dict[str, tuple[int, str]]
"""For each table name: the number of rows, and the sum of the first 64 bits of each row's MD5."""

_TABLES = """
SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE relkind = 'r' AND nspname = current_schema() ORDER BY relname
"""
_SUM = """
SELECT count(*), coalesce(sum(('x' || left(md5(row::text), 16))::bit(64)::bigint::numeric), 0)::text
FROM {} AS row
"""
# Set these explicitly, because the text of a row, and so its checksum, depends on them.
_FORM = "SET LOCAL timezone = 'UTC'; SET LOCAL datestyle = 'ISO'; SET LOCAL bytea_output = 'hex'"


def of_postgres(connection: psycopg.Connection[Any]) -> Sums:
    """Return the row count and checksum of each table in a PostgreSQL database. All rows are read in the
    connection's transaction."""
    connection.execute(_FORM)
    found: Sums = {}
    for (name,) in connection.execute(_TABLES).fetchall():
        rows, total = connection.execute(sql.SQL(_SUM).format(sql.Identifier(name))).fetchone() or (0, "0")
        found[name] = rows, total
    return found


def of_sqlite(connection: sqlite3.Connection) -> Sums:
    """Compute the sums of an SQLite database."""
    found: Sums = {}
    named = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    for (name,) in connection.execute(named).fetchall():
        rows = total = 0
        for row in connection.execute(f'SELECT * FROM "{name}"'):  # noqa: S608 - its own tables
            rows += 1
            total += int.from_bytes(hashlib.md5(repr(row).encode(), usedforsecurity=False).digest()[:8])
        found[name] = rows, str(total)
    return found


def differences(saved: Sums, restored: Sums) -> list[str]:
    """Return the differences, one line for each table that differs."""
    lines = []
    for name in sorted(saved.keys() | restored.keys()):
        before, after = saved.get(name), restored.get(name)
        if before is None or after is None:
            lines.append(f"{name}: {'is new' if before is None else 'is missing'}")
        elif before[0] != after[0]:
            lines.append(f"{name}: {before[0]} rows were saved, {after[0]} came back")
        elif before[1] != after[1]:
            lines.append(f"{name}: {before[0]} rows, but not with the contents that were saved")
    return lines
