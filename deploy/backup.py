"""Back up and restore the database: `python -m deploy.backup save FILE`, `… restore FILE`, `… rehearse FILE`.

The environment variables determine the database. For PostgreSQL, `pg_dump` and `pg_restore` must be on the
PATH, in a version no older than the server's. The site can run during a backup.
"""

import argparse
import fcntl
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg

from archive import files
from deploy import sums
from deploy.paths import BASE_DIR

_SQLITE_MAGIC = b"SQLite format 3\x00"
_PG_DUMP_MAGIC = b"PGDMP"

_SERVER = ("HOST", "PORT", "USER", "PASSWORD")
"""The settings of a database that a PostgreSQL client needs to connect to its server."""


class Refused(Exception):
    """Error: the command was refused or failed, and changed nothing. The message is for the operator."""


def _database() -> dict[str, Any]:
    """Set up Django, and return the settings of the archive's database."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "deploy.settings")
    import django
    from django.conf import settings

    django.setup()
    at: dict[str, Any] = settings.DATABASES["default"]
    return at


def _postgres(program: str, at: dict[str, Any], *arguments: str) -> None:
    """Run a PostgreSQL client program. Pass the password in the environment, because `ps` shows arguments."""
    if shutil.which(program) is None:
        raise Refused(f"{program} is not on the PATH; install PostgreSQL's client programs.")
    given = {f"PG{name}": str(at[name]) for name in _SERVER if at.get(name)}
    done = subprocess.run([program, *arguments], env={**os.environ, **given}, check=False)
    if done.returncode:
        raise Refused(f"{program} failed with status {done.returncode}.")


def _connect(at: dict[str, Any], name: str, *, autocommit: bool = False) -> psycopg.Connection[Any]:
    place = {key.lower(): str(at[key]) for key in _SERVER if at.get(key)}
    return psycopg.connect(**place, dbname=name, autocommit=autocommit)  # type: ignore[arg-type]


def _sums_of(backup: Path) -> Path:
    return backup.with_name(f"{backup.name}.sums")


def _create_private(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def _note(name: str) -> None:
    """Record for `/metrics` that a backup or rehearsal succeeded. If that fails, only print the error."""
    from django.db import Error

    from archive.models import Note

    try:
        Note.write(name)
    except Error as reason:
        print(f"/metrics will not say that the {name} succeeded: {reason}", file=sys.stderr)


def save(target: Path) -> None:
    """Write a backup that only its owner can read. A failure leaves no incomplete `target` behind.
    `target.sums` contains the row counts and checksums that `rehearse` compares."""
    at = _database()
    beside = target.with_name(f"{target.name}.part")
    _create_private(beside)
    try:
        if at["ENGINE"].endswith("sqlite3"):
            if not Path(at["NAME"]).exists():
                raise Refused(f"There is no database at {at['NAME']}.")
            with closing(sqlite3.connect(at["NAME"])) as source, closing(sqlite3.connect(beside)) as copy:
                source.execute("BEGIN")  # so that sums and copy see the same state
                found = sums.of_sqlite(source)
                source.backup(copy)
                copy.execute("PRAGMA journal_mode=DELETE")
        else:
            with _connect(at, at["NAME"]) as connection:
                connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")
                (snapshot,) = connection.execute("SELECT pg_export_snapshot()").fetchone() or ("",)
                _postgres(
                    "pg_dump", at, "--format=custom", f"--snapshot={snapshot}", f"--file={beside}",
                    f"--dbname={at['NAME']}",
                )  # fmt: skip
                found = sums.of_postgres(connection)
        # Without sums, a backup is refused; with those of another one, it would be called damaged.
        _sums_of(target).unlink(missing_ok=True)
        files.move(beside, target)
        _create_private(beside)
        beside.write_text(json.dumps(found))
        files.move(beside, _sums_of(target))
    finally:
        beside.unlink(missing_ok=True)
    _note("backup")


def _kind_of(source: Path) -> tuple[dict[str, Any], bool]:
    """Return the settings of the archive's database, and whether it is SQLite. Raise `Refused` if the backup
    comes from a different kind of database."""
    at = _database()
    with source.open("rb") as file:
        magic = file.read(16)
    sqlite = at["ENGINE"].endswith("sqlite3")
    if not magic.startswith(_SQLITE_MAGIC if sqlite else _PG_DUMP_MAGIC):
        raise Refused(f"{source} is no backup of {'an SQLite' if sqlite else 'a PostgreSQL'} database.")
    return at, sqlite


def rehearse(source: Path) -> str:
    """Restore a backup into a temporary database, and compare it with the saved row counts and checksums.
    Return a sentence about the result. Raise `Refused` if anything differs or the saved sums are missing."""
    at, sqlite = _kind_of(source)
    try:
        saved = {
            name: (rows, total) for name, (rows, total) in json.loads(_sums_of(source).read_text()).items()
        }
    except FileNotFoundError:
        raise Refused(f"{_sums_of(source)} is not there, with what the backup is compared with.") from None
    restored = _rehearse_sqlite(source) if sqlite else _rehearse_postgres(source, at)
    if found := sums.differences(saved, restored):
        raise Refused("The backup is not what was saved:\n" + "\n".join(found))
    _note("rehearsal")
    rows = sum(rows for rows, _ in restored.values())
    return f"{len(restored)} tables with {rows:,} rows came back as they were saved."


def _rehearse_postgres(source: Path, at: dict[str, Any]) -> sums.Sums:
    name = f"tarock_rehearsal_{os.getpid()}"
    with _connect(at, at["NAME"], autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
        try:
            _postgres("pg_restore", at, "--no-owner", "--exit-on-error", f"--dbname={name}", str(source))
            with _connect(at, name) as connection:
                return sums.of_postgres(connection)
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


def _rehearse_sqlite(source: Path) -> sums.Sums:
    with closing(sqlite3.connect(":memory:")) as copy:
        with closing(sqlite3.connect(f"{source.absolute().as_uri()}?mode=ro", uri=True)) as backup:
            backup.backup(copy)
        return sums.of_sqlite(copy)


def restore(source: Path, replace: bool = False) -> None:
    """Replace the database with a backup, and run the migrations. Raise `Refused` if the backup is from
    another kind of database, the embedded site is running, or there are deals and `replace` is false."""
    at, sqlite = _kind_of(source)
    if _holds_deals() and not replace:
        raise Refused("The archive holds deals; say --replace to give them up for the backup.")
    if sqlite:
        _restore_sqlite(source, Path(at["NAME"]))
    else:
        _postgres(
            "pg_restore", at, "--clean", "--if-exists", "--no-owner", "--exit-on-error",
            "--single-transaction",
            f"--dbname={at['NAME']}", str(source),
        )  # fmt: skip
    # The backup may come from an older release, so apply the migrations that it lacks.
    subprocess.run([sys.executable, "manage.py", "migrate", "--noinput"], check=True, cwd=BASE_DIR)


def _restore_sqlite(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with (target.parent / "run.lock").open("a") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refused("The site is running; end it first.") from None
        # Don't replace the file itself, because SQLite would apply the old database's WAL to the new file.
        with closing(sqlite3.connect(source)) as copy, closing(sqlite3.connect(target)) as database:
            copy.backup(database)


def _holds_deals() -> bool:
    from django.db import connection

    from deploy.missing_sqlite3.base import NoDatabase

    try:
        if "archive_deal" not in connection.introspection.table_names():
            return False
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM archive_deal LIMIT 1")
            return cursor.fetchone() is not None
    except NoDatabase:
        return False
    finally:
        connection.close()


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. Return the exit status: 0 on success, 1 if the command was refused or failed."""
    parser = argparse.ArgumentParser(
        prog="python -m deploy.backup", description="Back up and restore the archive."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    saving = commands.add_parser("save", help="write a backup of the database")
    saving.add_argument("file", type=Path)
    restoring = commands.add_parser("restore", help="put a backup in the database's place")
    restoring.add_argument("file", type=Path)
    restoring.add_argument(
        "--replace", action="store_true", help="even if the archive holds deals: they are lost"
    )
    rehearsing = commands.add_parser("rehearse", help="restore a backup into a scratch database, and compare")
    rehearsing.add_argument("file", type=Path)
    chosen = parser.parse_args(arguments)
    try:
        if chosen.command == "save":
            save(chosen.file)
        elif chosen.command == "rehearse":
            print(rehearse(chosen.file))
        else:
            restore(chosen.file, chosen.replace)
    except (Refused, OSError, sqlite3.Error, psycopg.Error) as reason:
        print(reason, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
