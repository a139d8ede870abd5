"""Compare the migrations that an archive has applied with the files of this code.

A migration file never changes once an archive has applied it: Django would not run it again, and the tables
would lack what was added. So `migrate` notes the hash of each file that it applies. An archive from before
these notes is recognized by its columns.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

from django.core import checks
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.loader import MigrationLoader

from archive import database, migrations
from archive.models import Note

_PREFIX = "migration "

_CHANGED = (
    "The files of these migrations are not those that this database has applied: {}. Nothing was changed. "
    "Put back the files of the release that applied them."
)
_TOO_OLD = (
    "The tables lack columns that their migrations should have made: {}. Nothing was changed. An early "
    "version (of November 23, 2026 or before, such as 90e1169) made them, and they can't be upgraded. To "
    "keep its deals, start the version that made it, save them with "
    'curl -H "Accept: application/vnd.tgn" ADDRESS/api/v1/deals and send the file to a new archive.'
)


@functools.cache
def of_files() -> dict[str, str]:
    """Return the SHA-256 of each migration file, by the name of the migration."""
    (folder,) = migrations.__path__
    return {
        path.stem: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path(folder).glob("[0-9]*.py"))
    }


def _applied(loader: MigrationLoader) -> set[str]:
    return {name for app, name in loader.applied_migrations if app == "archive"}


def _noted() -> dict[str, str]:
    """The hashes of the applied migrations; empty if the archive is from before these notes."""
    if Note._meta.db_table not in connection.introspection.table_names():
        return {}
    rows = Note._default_manager.filter(name__startswith=_PREFIX).values_list("name", "text")
    return {name.removeprefix(_PREFIX): text for name, text in rows}


def note_applied(using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> None:
    """Note the hash of each migration that was applied since the last time. Listens to `post_migrate`."""
    if using != DEFAULT_DB_ALIAS or Note._meta.db_table not in connection.introspection.table_names():
        return
    applied, noted = _applied(MigrationLoader(connection)), _noted()
    gone = [_PREFIX + name for name in noted.keys() - applied]
    Note._default_manager.filter(name__in=gone).delete()
    new = {_PREFIX + name: text for name, text in of_files().items() if name in applied - noted.keys()}
    Note.write(**new)


def find_problem() -> str:
    """Return why this code can't use or upgrade the database; empty if it can.

    Reads one table; all tables' columns if the archive is from before the notes.
    """
    loader = MigrationLoader(connection)
    applied, files = _applied(loader), of_files()
    if noted := _noted():
        # A newer release may have applied more than this code knows.
        shared = sorted(applied & noted.keys() & files.keys())
        changed = ", ".join(name for name in shared if noted[name] != files[name])
        return _CHANGED.format(changed) if changed else ""
    missing = ", ".join(_missing_columns(loader, applied & files.keys()))
    return _TOO_OLD.format(missing) if missing else ""


def _missing_columns(loader: MigrationLoader, applied: set[str]) -> list[str]:
    """The columns that the tables should have after these migrations, and lack."""
    state = loader.project_state([("archive", name) for name in applied], at_end=True)
    missing = []
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
        for model in state.apps.get_app_config("archive").get_models() if applied else []:
            table, found = model._meta.db_table, set()
            if table in tables:
                cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)} LIMIT 0")  # noqa: S608
                found = {column[0] for column in cursor.description}
            wanted = (field.column for field in model._meta.local_concrete_fields)
            missing += [f"{table}.{column}" for column in wanted if column not in found]
    return missing


@checks.register(checks.Tags.database)
def check_migrations(databases: Any = None, **_: Any) -> list[checks.CheckMessage]:
    """Refuse the database in commands that check it, such as `migrate` and `sweep`."""
    try:
        problem = find_problem() if DEFAULT_DB_ALIAS in (databases or ()) else ""
    except database.AWAY:  # the command itself notices
        return []
    return [checks.Error(problem, id="archive.E001")] if problem else []
