"""Searching by indexes that Django does not know: of parts of texts, and of the clauses that deals cite.

On PostgreSQL parts of texts have an index of trigrams, which `contains` uses by itself; on SQLite there are
tables beside the tables, kept by triggers (`archive.triggers`), from which the ids are read first.
"""

# ruff: noqa: S608 - all names are our own

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db import connection, models

BLOCK = 8192
"""Consecutive ids of deals whose clauses have entries of their own in the index."""

CITED = (
    "string_to_array(rtrim(regexp_replace(clauses || ' ', '(=[^ ]*)? ',"
    f" '@' || (id / {BLOCK})::text || ' ', 'g')), ' ')"
)
"""On PostgreSQL: the clauses that a deal cites, each with the block of its id. There is an index of it."""

WORDS = {"archive_deal": ("clauses",)}
"""On SQLite: the columns whose words have an index, by table."""

TRIGRAMS = {
    "archive_contribution": ("event_search", "site_search", "text_search"),
    "archive_session": ("search_name",),
    "archive_player": ("search_name",),
}
"""The columns of which parts are found by an index of trigrams, by table."""


def newest_citing(clause: str, most: int) -> list[int]:
    """The ids of the deals that cite a clause, the last stored first, ``most`` at most. It takes the same
    time however many there are: on PostgreSQL they are read block by block from the last one."""
    with connection.cursor() as cursor:
        if connection.vendor != "postgresql":
            cursor.execute(
                "SELECT rowid FROM archive_deal_words WHERE archive_deal_words MATCH %s"
                " ORDER BY rowid DESC LIMIT %s",
                [f'"{clause}"', most],
            )
            return [pk for (pk,) in cursor.fetchall()]
        cursor.execute("SELECT max(id) FROM archive_deal")
        end, width = (cursor.fetchone()[0] or -1) // BLOCK + 1, 1
        found: list[int] = []
        while end > 0 and len(found) < most:
            first = max(0, end - width)
            keys = [f"{clause}@{block}" for block in range(first, end)]
            cursor.execute(
                # OFFSET: the index first, not the deals from the last one on until enough are found.
                f"SELECT id FROM (SELECT id FROM archive_deal WHERE {CITED} && %s OFFSET 0) AS citing"
                " ORDER BY id DESC LIMIT %s",
                [keys, most - len(found)],
            )
            found += [pk for (pk,) in cursor.fetchall()]
            end, width = first, 2 * width
        return found


def few_holding(model: type[models.Model], columns: Sequence[str], part: str, most: int) -> list[int] | None:
    """The ids of the rows that hold a part of a text in one of these columns, from the table of trigrams on
    SQLite. None where there are more than ``most``, or there is no such table, or the part is too short for
    it: then `contains` is as good."""
    if connection.vendor != "sqlite" or len(part) < 3:
        return None
    table = model._meta.db_table
    rows = [f"SELECT rowid FROM {table}_trigrams WHERE {column} GLOB %s" for column in columns]
    pattern = "*" + re.sub(r"([*?[])", r"[\1]", part) + "*"
    with connection.cursor() as cursor:
        cursor.execute(f"{' UNION ALL '.join(rows)} LIMIT %s", [*[pattern] * len(columns), most + 1])
        found = [pk for (pk,) in cursor.fetchall()]
    return None if len(found) > most else list(dict.fromkeys(found))


# --- the tables of SQLite -----------------------------------------------------------------------------------


def sqlite_tables() -> dict[str, str]:
    """The tables beside the tables on SQLite: name → the statement that makes it."""
    made = {}
    for suffix, tables, tokens in (
        ("words", WORDS, "unicode61 tokenchars ''.-''"),
        ("trigrams", TRIGRAMS, "trigram"),
    ):
        for table, columns in tables.items():
            name = f"{table}_{suffix}"
            made[name] = (
                f"CREATE VIRTUAL TABLE {name} USING fts5({', '.join(columns)}, content='{table}',"
                f" content_rowid='id', tokenize='{tokens}', detail=none, columnsize=0)"
            )
    return made


def sqlite_triggers() -> dict[str, tuple[str, str]]:
    """The triggers that keep them: name → when it runs, and what it does."""
    made = {}
    for suffix, tables in (("words", WORDS), ("trigrams", TRIGRAMS)):
        for table, columns in tables.items():
            name, names = f"{table}_{suffix}", ", ".join(columns)
            old, new = (", ".join(f"{row}.{column}" for column in columns) for row in ("old", "new"))
            insert = f"INSERT INTO {name} (rowid, {names}) VALUES (new.id, {new});"
            delete = f"INSERT INTO {name} ({name}, rowid, {names}) VALUES ('delete', old.id, {old});"
            differ = " OR ".join(f"old.{column} IS NOT new.{column}" for column in columns)
            made[f"{name}_inserted"] = f"INSERT ON {table}", insert
            made[f"{name}_deleted"] = f"DELETE ON {table}", delete
            made[f"{name}_updated"] = f"UPDATE ON {table} WHEN {differ}", delete + insert
    return made


def create_sqlite_tables(schema_editor: Any) -> None:
    """Make the tables, and fill them."""
    for name, statement in sqlite_tables().items():
        schema_editor.execute(statement)
        schema_editor.execute(f"INSERT INTO {name} ({name}) VALUES ('rebuild')")
