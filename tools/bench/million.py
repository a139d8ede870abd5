"""A database of many deals, multiplied by SQL from 50,000 that were stored the product's way.

    python -m tools.bench.million --database URL [--deals 1000000]

Twenty clubs of 2,500 simulated deals are stored by the archive itself. Their rows are then copied, each copy
with ids, names, days and digests of its own: three of four copies are again twenty clubs, each fourth is one
club of 50,000, in which one player sat at every table. A database that has some copies already gets those
that are missing. Triggers are off meanwhile, and so are the checks of foreign keys, which needs a superuser.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator

from django.db import connection, transaction

from tools.bench import lists, pages, row

BASE = 50_000
"""Deals that are stored, and of each copy."""

APART = 60_000
"""Between the ids of a row and of its copy."""

DAYS = 17
"""Days between the deals of a copy and those of the one before."""

BIG = 4
"""Each of so many copies is one club."""

_TABLES = (
    "space", "upload", "part", "uploaditem", "player", "session", "deal", "contribution", "seat",
)  # fmt: skip
_IDS = {
    "space": ("id",),
    "upload": ("id", "space_id"),
    "part": ("id", "upload_id"),
    "uploaditem": ("id", "part_id", "deal_id"),
    "player": ("id", "space_id", "same_as_id", "under_id"),
    "session": ("id", "space_id"),
    "deal": ("id",),
    "contribution": ("id", "deal_id", "space_id", "part_id", "session_id", "replaced_by_id", "feed_number"),
    "seat": ("contribution_id", "player_id"),
}
"""The tables that are copied, and their columns that are ids."""


def _selected(table: str, k: int, columns: list[str], club: int | None) -> Iterator[str]:
    """What stands in each column of a copied row; ``club``: the one to which all of the copy belongs."""
    for column in columns:
        if club and column == "space_id":
            yield str(club)
        elif club and (table, column) == ("seat", "player_id"):
            always = (k + 1) * APART - 1
            first = f"(SELECT first FROM same WHERE same.id = player_id) + {k * APART}"
            yield f"CASE WHEN seat = 0 THEN {always} ELSE {first} END"
        elif column in _IDS[table]:
            yield f"{column} + {k * APART}"
        elif (table, column) == ("deal", "digest"):
            yield f"sha256(digest || '{k}'::bytea)"
        elif column in ("public_first", "public_last", "whole_first", "whole_last"):
            yield f"{column} + {k * DAYS}"
        elif column == "played_on":
            yield f"CASE WHEN date LIKE '%?%' THEN played_on ELSE played_on + {k * DAYS} END"
        elif (table, column) == ("contribution", "date"):
            yield f"CASE WHEN date ~ '^[0-9-]+$' THEN (played_on + {k * DAYS})::text ELSE date END"
        elif column in ("name", "search_name") and table in ("space", "player", "session"):
            more = " || '.' || space_id" if table == "session" else ""
            yield f"CASE WHEN {column} = '' THEN '' ELSE {column} || ' {k}'{more} END"
        elif (table, column) == ("upload", "key"):
            yield "''"
        elif column in ("stored_at", "verified_at"):
            yield f"{column} + interval '{k} hours'"
        else:
            yield f'"{column}"'


def _copy(k: int) -> None:
    """Make one copy of the first 50,000 deals: of each `BIG` one is a single club, with the players of its
    first one, one of whom sits at every table."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        club, there = None, {"space": "kind = 0"}
        if k % BIG == 1:
            cursor.execute(
                "CREATE TEMPORARY TABLE same ON COMMIT DROP AS SELECT id, min(id) OVER (PARTITION BY name)"
                f" AS first FROM archive_player WHERE id < {APART}"
            )
            cursor.execute("CREATE INDEX ON same (id)")
            cursor.execute("SELECT min(id) FROM archive_space WHERE kind = 0")
            first = cursor.fetchone()[0]
            club = first + k * APART
            there = {"space": f"id = {first}", "player": "id IN (SELECT first FROM same)"}
        for table in _TABLES:
            cursor.execute(
                "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public'"
                " AND table_name = %s AND is_generated = 'NEVER' ORDER BY ordinal_position",
                [f"archive_{table}"],
            )
            columns = [name for (name,) in cursor.fetchall()]
            quoted = ", ".join(f'"{name}"' for name in columns)
            selected = ", ".join(_selected(table, k, columns, club))
            cursor.execute(
                f"INSERT INTO archive_{table} ({quoted}) SELECT {selected}"
                f" FROM archive_{table} WHERE {_IDS[table][0]} < {APART} AND {there.get(table, 'true')}"
                f" ORDER BY {_IDS[table][0]}"
            )
        if club:
            cursor.execute(
                "INSERT INTO archive_player SELECT (jsonb_populate_record(p, jsonb_build_object('id',"
                f" {(k + 1) * APART - 1}, 'name', 'Always There {k}', 'search_name', 'always there {k}'))).*"
                f" FROM archive_player p WHERE space_id = {club} ORDER BY id LIMIT 1"
            )


def multiply(deals: int) -> bool:
    """Copy until there are so many deals; returns whether any were missing."""
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT DISTINCT id / {APART} FROM archive_space")
        there = {k for (k,) in cursor.fetchall()}
    began = time.perf_counter()
    made = [k for k in range(1, deals // BASE) if k not in there]
    if not made:
        return False
    for k in made:
        _copy(k)
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence('archive_removed', 'id'), max(feed_number))"
            " FROM archive_contribution"
        )
        for table in _TABLES[:-1]:
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('archive_{table}', 'id'), max(id))"
                f" FROM archive_{table}"
            )
        cursor.execute("VACUUM (ANALYZE)")
    row("copied", f"{len(made) * BASE} deals", f"{time.perf_counter() - began:.0f} s")
    return True


def make(database: str, deals: int, measured: Callable[[], None] = lambda: None) -> None:
    """Make a database of so many deals, or add what is missing in one, and measure it."""
    with pages.site_here(database):
        from archive.storing import sums

        began = time.perf_counter()
        lists.fill(BASE)
        row("stored", f"{BASE} deals", f"{time.perf_counter() - began:.0f} s")
        # Before they are copied: a row that is updated after it was copied leaves another one behind.
        while sums.fill_sort_names():
            pass
        sums.settle(float("inf"))
        if multiply(deals):
            sums.mark_all()
        began = time.perf_counter()
        while sums.fill_sort_names():
            pass
        if sums.settle(float("inf")):
            row("all sums reckoned", "", f"{time.perf_counter() - began:.0f} s")
            with connection.cursor() as cursor:
                cursor.execute("VACUUM (ANALYZE)")
        measured()


def main() -> None:
    """Make the database."""
    parser = argparse.ArgumentParser(prog="python -m tools.bench.million")
    parser.add_argument("--deals", type=int, default=1_000_000)
    parser.add_argument("--database", required=True, help="address of a database, as in DATABASE_URL")
    arguments = parser.parse_args()
    make(arguments.database, arguments.deals)


if __name__ == "__main__":
    main()
