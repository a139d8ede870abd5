"""Database triggers that insert a `Mark` for every sum that a changed row affects. On SQLite, also the
triggers that update the search tables (`archive.lookups`).

Triggers in the database catch every change, including changes by older code that is still running during an
upgrade, and by manual statements. A mark is committed or rolled back with its transaction. Triggers run once
per statement on PostgreSQL (once for a COPY of a thousand rows), and once per row on SQLite.
"""

# ruff: noqa: S608 - all names are our own

from __future__ import annotations

from typing import Any

from archive import lookups
from archive.models.sums import Mark, Tally

_EVENING, _DEALS, _PLAYER = (Mark.KINDS.index(kind) for kind in ("evening", "deals", "player"))

DAYS = 2**22
"""An upper bound for day numbers. An evening without a session has the id −(space id × `DAYS` + day)."""

_DEAL_COUNTS = ("game", "declarer", "partner", "contract", "highest", "clauses", "hands", "doubles")
"""Columns of a deal that sums depend on. The verdict is left out, because contributions store it, too, and so
are the rules: they change only with the `fingerprint` of the contribution to a sheet or a result."""

_COUNTS = (
    "deal_id", "space_id", "session_id", "visibility", "verdict", "date", "played_on", "fingerprint",
)  # fmt: skip
"""Columns of a contribution that sums depend on. The `fingerprint` changes with the number of the deal and
with the number of deals that a total of an evening states."""


def _differ(columns: tuple[str, ...], old: str, new: str, word: str) -> str:
    return " OR ".join(f"{old}.{column} {word} {new}.{column}" for column in columns)


# --- PostgreSQL ---------------------------------------------------------------------------------------------

_EVENING_THERE = (
    f"coalesce(c.session_id, -(c.space_id * {DAYS} + coalesce(c.played_on - date '0001-01-01' + 1, 0)))"
)

_MARK_CHANGED = f"""
    INSERT INTO archive_mark (kind, number)
    SELECT DISTINCT {_EVENING}, {_EVENING_THERE} FROM changed c
    UNION SELECT DISTINCT {_DEALS}, c.deal_id / {Tally.BLOCK} FROM changed c;"""

_BOTH = (
    "SELECT o.* FROM before o JOIN after n USING (id) WHERE {differ}"
    " UNION ALL SELECT n.* FROM before o JOIN after n USING (id) WHERE {differ}"
)

_ACTIONS = {
    "contribution": f"""
  IF TG_OP = 'INSERT' THEN
    WITH changed AS (SELECT * FROM after) {_MARK_CHANGED}
  ELSIF TG_OP = 'DELETE' THEN
    WITH changed AS (SELECT * FROM before) {_MARK_CHANGED}
  ELSE
    WITH changed AS ({_BOTH.format(differ=_differ(_COUNTS, "o", "n", "IS DISTINCT FROM"))}) {_MARK_CHANGED}
  END IF;""",
    "deal": f"""
  WITH changed AS (
    SELECT c.* FROM before o JOIN after n USING (id) JOIN archive_contribution c ON c.deal_id = o.id
    WHERE {_differ(_DEAL_COUNTS, "o", "n", "IS DISTINCT FROM")}
  ) {_MARK_CHANGED}""",
    "seat": f"""
  WITH changed AS (
    SELECT c.*, {_differ(("points",), "o", "n", "IS DISTINCT FROM")} AS scores
    FROM before o
    JOIN after n USING (contribution_id, seat)
    JOIN archive_contribution c ON c.id = o.contribution_id
    WHERE {_differ(("player_id", "points"), "o", "n", "IS DISTINCT FROM")}
  )
  INSERT INTO archive_mark (kind, number)
  SELECT DISTINCT {_EVENING}, {_EVENING_THERE} FROM changed c
  UNION SELECT DISTINCT {_DEALS}, c.deal_id / {Tally.BLOCK} FROM changed c WHERE c.scores;""",
    "player": f"""
  INSERT INTO archive_mark (kind, number)
  SELECT DISTINCT {_PLAYER}, one
  FROM before o
  JOIN after n USING (id), unnest(ARRAY[o.id, o.same_as_id, n.same_as_id]) AS one
  WHERE o.same_as_id IS DISTINCT FROM n.same_as_id AND one IS NOT NULL;""",
}
"""Statements of the trigger function for each table."""

_EVENTS = (
    ("INSERT", "mark_inserted", "NEW TABLE AS after", ["contribution"]),
    ("DELETE", "mark_deleted", "OLD TABLE AS before", ["contribution"]),
    ("UPDATE", "mark_updated", "OLD TABLE AS before NEW TABLE AS after", [*_ACTIONS]),
)
"""Events, each with the name of its triggers, the rows that they see, and the tables that have them."""

_POSTGRESQL = "".join(
    f"""
CREATE OR REPLACE FUNCTION archive_mark_{table}s() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN{action}
  RETURN NULL;
END $$;"""
    for table, action in _ACTIONS.items()
) + "".join(
    f"""
CREATE OR REPLACE TRIGGER {name} AFTER {event} ON archive_{table}
  REFERENCING {rows}
  FOR EACH STATEMENT EXECUTE FUNCTION archive_mark_{table}s();"""
    for event, name, rows, tables in _EVENTS
    for table in tables
)

# --- SQLite -------------------------------------------------------------------------------------------------


def _evening_of(row: str) -> str:
    day = f"coalesce(cast(julianday({row}.played_on) - 1721424.5 AS integer), 0)"
    return f"coalesce({row}.session_id, -({row}.space_id * {DAYS} + {day}))"


def _insert(kind: int, number: str) -> str:
    """Return the SQL statement that inserts a mark, unless the mark exists or the number is null."""
    return (
        f"INSERT INTO archive_mark (kind, number) SELECT {kind}, {number} WHERE {number} IS NOT NULL"
        f" AND NOT EXISTS (SELECT 1 FROM archive_mark WHERE kind = {kind} AND number = {number});"
    )


def _contribution(row: str) -> str:
    return _insert(_EVENING, _evening_of(row)) + _insert(_DEALS, f"{row}.deal_id / {Tally.BLOCK}")


def _sqlite() -> dict[str, tuple[str, str]]:
    """Return the event and the statements of each trigger, by name."""
    of_evening = f"INSERT INTO archive_mark (kind, number) SELECT {_EVENING}, {_evening_of('c')}"
    of_evening += " FROM archive_contribution c WHERE"
    players = [_insert(_PLAYER, number) for number in ("old.id", "old.same_as_id", "new.same_as_id")]
    triggers = {
        "mark_contribution_inserted": ("INSERT ON archive_contribution", _contribution("new")),
        "mark_contribution_deleted": ("DELETE ON archive_contribution", _contribution("old")),
    }
    for table, columns, action in (
        ("contribution", _COUNTS, _contribution("old") + _contribution("new")),
        (
            "deal",
            _DEAL_COUNTS,
            f"{of_evening} c.deal_id = new.id;" + _insert(_DEALS, f"new.id / {Tally.BLOCK}"),
        ),
        (
            "seat",
            ("player_id", "points"),
            f"{of_evening} c.id = new.contribution_id; INSERT INTO archive_mark (kind, number)"
            f" SELECT {_DEALS}, c.deal_id / {Tally.BLOCK} FROM archive_contribution c"
            " WHERE c.id = new.contribution_id AND old.points IS NOT new.points;",
        ),
        ("player", ("same_as_id",), "".join(players)),
    ):
        when = f"UPDATE ON archive_{table} WHEN {_differ(columns, 'old', 'new', 'IS NOT')}"
        triggers[f"mark_{table}_updated"] = when, action
    return triggers


# --- creating the triggers ----------------------------------------------------------------------------------


def create(connection: Any) -> None:
    """Create or replace the triggers on PostgreSQL. On SQLite, a trigger that reads a column of a later
    migration would break all migrations in between, so only `create_after_migration` creates them."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(_POSTGRESQL)


def drop_on_sqlite(_apps: Any, schema_editor: Any) -> None:
    """Drop the triggers on SQLite, which can't change a table that a trigger of another table reads. For
    migrations; `create_after_migration` creates them again."""
    if schema_editor.connection.vendor == "sqlite":
        with schema_editor.connection.cursor() as cursor:
            cursor.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")
            for (name,) in cursor.fetchall():
                cursor.execute(f'DROP TRIGGER "{name}"')


def create_after_migration(using: str = "default", **_signal: Any) -> None:
    """Create the triggers on SQLite, where a changed table loses its triggers. Skip those that read a
    table or column of a later migration."""
    from django.db import connections

    connection = connections[using]
    if connection.vendor != "sqlite":
        return
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        cursor.execute("PRAGMA table_info(archive_deal)")
        columns = {name for _number, name, *_rest in cursor.fetchall()}
        triggers = _sqlite() if columns.issuperset(_DEAL_COUNTS) else {}
        triggers |= lookups.sqlite_triggers() if "archive_deal_words" in tables else {}
        for name, (when, action) in triggers.items():
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}")
            cursor.execute(f"CREATE TRIGGER {name} AFTER {when} BEGIN {action} END")
