"""Compare the migrations that an archive has applied with the migration files of this code.

A migration file must not change once an archive has applied it: Django would not run the file again, so the
change would be missing in the tables. So `migrate` stores the hash of each file that it applies. All
migrations before 1.0.0 were squashed into a single file, so an archive that has applied only some is
rejected.
"""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path
from typing import Any

from django.core import checks
from django.db import DEFAULT_DB_ALIAS, connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from archive import database, migrations
from archive.models import Note

_PREFIX = "migration "

_CHANGED = (
    "The files of these migrations are not those that this database has applied: {}. Nothing was changed. "
    "Put back the files of the release that applied them."
)
_TOO_OLD = (
    "This database has applied some of the migrations before 1.0.0, and lacks these: {}. "
    "Nothing was changed. Install the version of commit b39f979f, run its `migrate`, and then install this "
    "version again."
)


@functools.cache
def of_files() -> dict[str, str]:
    """Return the SHA-256 of each migration file, by migration name."""
    (folder,) = migrations.__path__
    return {
        path.stem: hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(Path(folder).glob("[0-9]*.py"))
    }


def _applied() -> set[str]:
    applied = MigrationRecorder(connection).applied_migrations()
    return {name for app, name in applied if app == "archive"}


def _noted() -> dict[str, str]:
    """Return the stored hashes by migration name; empty if the database has no table for them yet."""
    if Note._meta.db_table not in connection.introspection.table_names():
        return {}
    rows = Note._default_manager.filter(name__startswith=_PREFIX).values_list("name", "text")
    return {name.removeprefix(_PREFIX): text for name, text in rows}


def note_applied(using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> None:
    """After `migrate`, store the hashes of new migrations, and delete those of reversed migrations."""
    if using != DEFAULT_DB_ALIAS or Note._meta.db_table not in connection.introspection.table_names():
        return
    applied, noted = _applied(), _noted()
    gone = [_PREFIX + name for name in noted.keys() - applied]
    Note._default_manager.filter(name__in=gone).delete()
    new = {_PREFIX + name: text for name, text in of_files().items() if name in applied - noted.keys()}
    Note.write(**new)


def find_problem() -> str:
    """Return why this code can't use or upgrade the database, or an empty string if it can."""
    applied, files = _applied(), of_files()
    for migration in MigrationLoader(None).replacements.values():
        replaced = {name for _app, name in migration.replaces}
        if replaced & applied and (missing := ", ".join(sorted(replaced - applied))):
            return _TOO_OLD.format(missing)
    noted = _noted()
    # A newer release may have applied more migrations, so compare only those that this code knows.
    shared = sorted(applied & noted.keys() & files.keys())
    changed = ", ".join(name for name in shared if noted[name] != files[name])
    return _CHANGED.format(changed) if changed else ""


@checks.register(checks.Tags.database)
def check_migrations(databases: Any = None, **_: Any) -> list[checks.CheckMessage]:
    """If this code can't use the database, report an error, which stops commands such as `migrate`."""
    try:
        problem = find_problem() if DEFAULT_DB_ALIAS in (databases or ()) else ""
    except database.AWAY:  # the command itself reports this error
        return []
    return [checks.Error(problem, id="archive.E001")] if problem else []
