"""The databases that the benchmarks measure.

The archive's own code stores simulated deals of twenty clubs. For a large database, SQL copies the rows of
50,000 of these deals several times, each time with new ids, names, days and digests. Three of four copies
have twenty clubs, too. Every fourth copy is a single club with 50,000 deals, and one player took part in all
of them. If a database already has some copies, only the missing copies are added. Triggers and foreign key
checks are off while rows are copied, which requires a superuser.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.db import connection, transaction
from django.http import HttpResponse
from django.shortcuts import render
from django.test import Client
from django.urls import path

from tools.bench import apart, row, texts

CLUBS = 20

BASE = 50_000
"""Number of deals that the archive's own code stores, and number of deals in each copy."""

APART = 60_000
"""Difference between a row's ids in successive copies."""

DAYS = 17
"""Number of days between the deals of a copy and those of the previous copy."""

BIG = 4
"""Interval between the copies that consist of a single club."""

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
"""Columns of each copied table that contain ids. Tables refer only to tables before them."""


def _selected(table: str, k: int, columns: list[str], club: int | None) -> Iterator[str]:
    """Yield the SQL expression for each column of a row in copy `k`. `club`: id of the copy's only club, or
    None."""
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
    """Make copy `k` of the first 50,000 deals. One in `BIG` copies is a single club."""
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
        for table, ids in _IDS.items():
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
                f" FROM archive_{table} WHERE {ids[0]} < {APART} AND {there.get(table, 'true')}"
                f" ORDER BY {ids[0]}"
            )
        if club:
            cursor.execute(
                "INSERT INTO archive_player SELECT (jsonb_populate_record(p, jsonb_build_object('id',"
                f" {(k + 1) * APART - 1}, 'name', 'Always There {k}', 'search_name', 'always there {k}'))).*"
                f" FROM archive_player p WHERE space_id = {club} ORDER BY id LIMIT 1"
            )


def multiply(deals: int) -> bool:
    """Add the missing copies until the database has `deals` deals; return whether any copies were missing."""
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
        for table in [table for table, ids in _IDS.items() if "id" in ids]:
            cursor.execute(
                f"SELECT setval(pg_get_serial_sequence('archive_{table}', 'id'), max(id))"
                f" FROM archive_{table}"
            )
        cursor.execute("VACUUM (ANALYZE)")
    row("copied", f"{len(made) * BASE} deals", f"{time.perf_counter() - began:.0f} s")
    return True


@contextlib.contextmanager
def site_here(database: str = "") -> Iterator[None]:
    """Set up a site in this process, on the database with this URL or, without a URL, on a new SQLite
    database."""
    with tempfile.TemporaryDirectory(prefix="tarock-bench-", ignore_cleanup_errors=True) as folder:
        os.environ.update(
            DATABASE_URL=database or f"sqlite:///{folder}/archive.sqlite3",
            SECRET_KEY="for measuring only",
            HTTPS="false",
            VAR_DIR=folder,
            STATIC_ROOT=f"{folder}/static",
            LOG_LEVEL="ERROR",
            DJANGO_SETTINGS_MODULE="deploy.settings",
            DJANGO_ALLOW_ASYNC_UNSAFE="true",
        )
        os.environ.pop("REDIS_URL", None)
        Path(folder, "static").mkdir()
        get_wsgi_application()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", verbosity=0, interactive=False)
        yield


def visitor() -> Callable[[str], bytes]:
    """Return a function that requests a URL of this site and returns the body. Add the pages `/bench-empty`,
    the base template without content, and `/bench-bare`, an empty response without a template."""
    from deploy import urls

    urls.urlpatterns += [
        path("bench-empty", lambda request: render(request, "base.html")),
        path("bench-bare", lambda request: HttpResponse("")),
    ]
    client = Client(headers={"host": "localhost"})

    def get(address: str) -> bytes:
        answer = client.get(address)
        assert answer.status_code == 200, (address, answer.status_code)
        return b"".join(answer)

    return get


def fill(number: int) -> None:
    """Store `number` deals of twenty clubs, unless the database already has deals."""
    from django.contrib.auth.models import User

    from archive.models import Deal
    from archive.storing import intake, spaces, uploads

    if Deal.objects.exists():
        return
    user = User.objects.create_user("ada")
    for club in range(CLUBS):
        space = spaces.found_club(f"Club {club}", by=user)
        data = "\n".join(texts(-(-number // CLUBS), 1000 + club)).encode()
        upload = uploads.receive([data], limit=10**10, user=user, space=space, send=False)
        for pk in upload.parts.values_list("pk", flat=True):
            intake.store(pk)
    settle()


def settle() -> None:
    """Compute the stored sums as the sweeper does, then vacuum and analyze the tables."""
    from archive.storing import sums

    began = time.perf_counter()
    while sums.fill_sort_names():
        pass
    sums.settle(float("inf"))
    row("all sums calculated", f"{time.perf_counter() - began:.0f} s")
    with connection.cursor() as cursor:
        # Do this now, because otherwise the database might do it during a measurement.
        cursor.execute("VACUUM")
        cursor.execute("ANALYZE")


def large(server: str, deals: int, template: str = "template0") -> str:
    """Return the URL of a database with this number of deals; create it on the server if it is missing."""
    name = f"tarock_bench_{deals}"
    with psycopg.connect(server, autocommit=True) as connected:
        if not connected.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            connected.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    url = f"{server.rpartition('/')[0]}/{name}"
    apart(_make, url, deals)
    return url


def _make(url: str, deals: int) -> None:
    with site_here(url):
        from archive.storing import sums

        # `fill` settles the rows before they are copied, because updating the copies would leave dead rows.
        fill(BASE)
        if multiply(deals):
            sums.mark_all()
            settle()


def sizes(most: int) -> None:
    """Print the bytes per deal for each large table and in total. `most`: limit for the total."""
    from django.apps import apps

    from archive.models import Deal

    number, total = Deal.objects.count(), 0
    with connection.cursor() as cursor:
        for model in apps.get_app_config("archive").get_models():
            name = model._meta.db_table
            cursor.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", [name, name])
            heap, indexes = cursor.fetchone()
            total += heap + indexes
            if heap + indexes > number:
                row(f"bytes a deal: {name}, table + indexes", f"{heap / number:.0f} + {indexes / number:.0f}")
    row("bytes a deal in all", f"{total / number:.0f}", f"{most}", total / number <= most)
