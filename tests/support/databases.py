"""Copies of the test database, on its own server."""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import connection


def on_server(*statements: str) -> None:
    """Execute these statements in the database `postgres` of the server; do nothing on SQLite."""
    if connection.vendor != "postgresql":
        return
    at: dict[str, Any] = connection.settings_dict
    place = {"host": at["HOST"] or None, "port": at["PORT"] or None, "user": at["USER"] or None}
    with psycopg.connect(
        **place, password=at["PASSWORD"] or None, dbname="postgres", autocommit=True
    ) as server:
        for statement in statements:
            server.execute(statement)


def make(name: str, *, copy_of: str = "") -> None:
    """Make a database, empty or as a copy, in place of one of this name."""
    connection.close()
    drop(name)
    if copy_of:
        # Only a database without connections can be copied; those of a live server's threads stay open.
        on_server(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{copy_of}'")
    on_server(f'CREATE DATABASE "{name}"' + (f' TEMPLATE "{copy_of}"' if copy_of else ""))


def drop(name: str) -> None:
    """Drop a database with its connections, if there is one."""
    on_server(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
