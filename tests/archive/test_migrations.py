"""Migrations run while the code of the release before still serves, and take its data along."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.contrib.postgres.operations import AddIndexConcurrently
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.core.management.color import no_style
from django.db import OperationalError, connection, migrations, models, transaction
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.db.migrations.state import ProjectState
from django.test import Client

from archive import database, migration_hashes, tokens, triggers
from archive import migrations as archive_migrations
from archive.fields import WordField
from archive.models import Cell, Contribution, Deal, Mark, Note, Tally, Total
from archive.storing import sweeper
from deploy import probes
from deploy.celery import check_migrations as check_worker
from tests.support import databases, samples
from tests.support.storing import stored

FIRST = "0001_squashed_0025_times_of_public_deals"
"""All migrations from before 1.0.0."""

OWN = (Cell, Mark, Note, Tally, Total)
"""The tables that triggers, the sweeper and `migrate` write by themselves."""

FORMER = "0026_verdict_computed"
"""The last migration of the previous release, 1.0.0."""


def refused(migration: migrations.Migration, state: ProjectState) -> list[str]:
    """Return the operations in a migration that break the previous code, unless the migration explains them:
    `state` is the state before it, and becomes the state after it. CONTRIBUTING.md says what to do
    instead."""
    found, made = [], set()
    for operation in migration.operations:
        before = state.clone()
        operation.state_forwards("archive", state)
        if isinstance(operation, migrations.CreateModel):
            made.add(operation.name_lower)
        elif getattr(operation, "model_name_lower", None) not in made and not _may(operation, before, state):
            found.append(operation.describe())
    return [] if getattr(migration, "while_old_code_serves", "") else found


def _may(operation: Any, before: ProjectState, after: ProjectState) -> bool:
    if isinstance(operation, migrations.AddField):
        field = operation.field
        return field.null or field.has_db_default() or isinstance(field, models.GeneratedField)
    if isinstance(operation, migrations.AlterField):
        old, new = (
            state.apps.get_model("archive", operation.model_name)._meta.get_field(operation.name)
            for state in (before, after)
        )
        columns = [field.db_parameters(connection) for field in (old, new)]
        words = not isinstance(old, WordField) or new.words[: len(old.words)] == old.words
        return columns[0] == columns[1] and words and (new.null or not old.null)
    if isinstance(operation, migrations.AddIndex):
        # Without a lock that keeps others from writing.
        return isinstance(operation, AddIndexConcurrently) or getattr(operation, "beside", False)
    harmless = (migrations.RemoveConstraint, migrations.RemoveIndex, migrations.AlterModelOptions)
    harmless += (migrations.AlterModelManagers, migrations.RenameIndex)
    return isinstance(operation, harmless)


def own_migrations() -> Iterator[tuple[migrations.Migration, ProjectState]]:
    """The archive's migrations in their order, each with the state before it."""
    loader = MigrationLoader(None)
    (last,) = loader.graph.leaf_nodes("archive")
    for node in loader.graph.forwards_plan(last):
        if node[0] == "archive":
            yield loader.graph.nodes[node], loader.project_state(node, at_end=False)


def test_later_migrations_run_while_the_code_before_them_serves() -> None:
    wrong = {
        migration.name: faults
        for migration, state in own_migrations()
        if migration.name != FIRST and (faults := refused(migration, state))
    }
    assert not wrong, "CONTRIBUTING.md, “A change of the tables”, says how else to do it"


def test_a_migration_keeps_its_hash_and_a_new_one_has_a_line() -> None:
    lines = (Path(archive_migrations.__path__[0]) / "hashes.txt").read_text().splitlines()
    computed = [f"{name} {digest}" for name, digest in migration_hashes.of_files().items()]
    new = "\n".join(line for line in computed if line.split()[0] not in {old.split()[0] for old in lines})
    assert not new, f"add to archive/migrations/hashes.txt:\n{new}"
    assert lines == computed, "never change a migration that is on main"


@pytest.fixture
def empty_database(transactional_db: None, tmp_path: Path) -> Iterator[Any]:
    """A function after which the connection of the test leads to an empty database, or to a copy of the
    test's own, to which all migrations are applied."""
    at, name = connection.settings_dict, connection.settings_dict["NAME"]
    other = f"{name}_upgrade" if connection.vendor == "postgresql" else str(tmp_path / "upgrade.sqlite3")

    def begin(*, migrated: bool = False) -> None:
        databases.make(other, copy_of=name if migrated else "")
        if migrated and connection.vendor == "sqlite":
            shutil.copy(name, other)
        at["NAME"] = other

    yield begin
    connection.close()
    at["NAME"] = name
    databases.drop(other)


Rows = dict[str, list[dict[str, Any]]]


def rows_of(found: Any, names: dict[str, list[str]] | None = None) -> Rows:
    """All rows of these models, by table and in their order, with the columns of these names."""
    rows: Rows = {}
    for model in found:
        own = [field.attname for field in model._meta.concrete_fields if not field.generated]
        wanted = own if names is None else names.get(model._meta.db_table, [])
        if wanted:
            rows[model._meta.db_table] = list(model._base_manager.order_by("pk").values(*wanted))
    return rows


def write(found: Any, rows: Rows) -> None:
    """Write these rows as code does that knows these models."""
    with transaction.atomic():
        for model in found:
            known = {field.attname for field in model._meta.concrete_fields if not field.generated}
            own = [
                {name: value for name, value in row.items() if name in known}
                for row in rows.get(model._meta.db_table, [])
            ]
            if model.__name__ == "Player":  # the fields of its names ask the model of today
                database.insert(model, own)
            else:
                model._base_manager.bulk_create(model(**row) for row in own)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), found):
                cursor.execute(statement)


def migrate(name: str | None = None, **how: Any) -> None:
    """Run the command as an operator does: with its checks."""
    call_command("migrate", *(["archive", name] if name else []), verbosity=0, skip_checks=False, **how)


def states() -> set[tuple[str, str]]:
    """The applied migrations."""
    return set(MigrationRecorder(connection).applied_migrations())


def noted() -> dict[str, str]:
    """The notes of an archive."""
    return {note.name: note.text for note in Note.objects.all()}


def replaced() -> list[str]:
    """The migrations before 1.0.0, in their order."""
    return [name for _app, name in MigrationLoader(None).replacements["archive", FIRST].replaces]


@pytest.mark.parametrize("last", [pytest.param(FIRST, marks=pytest.mark.storage), FORMER])
def test_an_archive_of_the_release_before_is_upgraded(empty_database: Any, last: str) -> None:
    user = User.objects.create_user("anna")
    tokens.make(user, "a program", scopes=["deals:write"])
    stored(samples.TAROKY, samples.ILLEGAL, samples.UNFINISHED, samples.MALFORMED, user=user)
    stored(samples.DISPUTED)
    if last == FORMER:
        stored(samples.SHEET)  # its verdict had another name before
    numbers = Deal.objects.count(), Contribution.objects.count()
    assert numbers == ((3, 4) if last == FIRST else (4, 5))
    now = [User, *(model for model in apps.get_app_config("archive").get_models() if model not in OWN)]
    data = rows_of(now)
    empty_database()
    executor = MigrationExecutor(connection)
    others = [node for node in executor.loader.graph.leaf_nodes() if node[0] != "archive"]
    former = executor.migrate([*others, ("archive", last)]).apps
    triggers.create_after_migration()
    names_of_own = {model.__name__ for model in OWN}
    models_before = former.get_app_config("archive").get_models()
    before = [model for model in models_before if model.__name__ not in names_of_own]
    before.insert(0, former.get_model("auth", "User"))
    write(before, data)
    left = {table: rows for table, rows in rows_of(before).items() if rows}
    names = {table: list(rows[0]) for table, rows in left.items()}
    if last == FIRST:
        # It has applied the migrations that this one replaces.
        MigrationRecorder(connection).record_unapplied("archive", FIRST)
        Note.write(**{f"migration {name}": "of its file" for name in replaced()})
    applied, notes = states(), noted()
    assert migration_hashes.find_problem() == ""
    migrate()
    files = migration_hashes.of_files()
    assert states() == applied | {("archive", name) for name in files}
    assert noted() == notes | {f"migration {name}": text for name, text in files.items()}
    assert rows_of(now, names) == left
    assert (Deal.objects.count(), Contribution.objects.count()) == numbers
    # The code of the release before still serves, and writes into the tables as they are now.
    with transaction.atomic():
        for model in reversed(now):
            model._base_manager.all().delete()
    write(before, data)
    assert rows_of(now, names) == left
    # The archive goes on.
    stored(samples.TAROKY.replace("deal A DQ D4", "deal A D4 DQ").replace('"Alena"', '"Alžběta"'))
    sweeper.sweep()
    deal = Deal.objects.get(verdict="verified")
    for address in ("/", "/deals/", f"/deals/{deal.pk}/", "/sessions/", "/leaderboard/", "/api/v1/deals"):
        assert Client().get(address).status_code == 200, address


def test_migrate_notes_hashes_and_a_migration_changed_later_is_refused(empty_database: Any) -> None:
    empty_database(migrated=True)
    Note.objects.all().delete()
    migrate()
    assert migration_hashes.find_problem() == ""
    files = migration_hashes.of_files()
    assert noted() == {f"migration {name}": text for name, text in files.items()}
    times = set(Note.objects.values_list("noted_at", flat=True))
    migrate()
    assert set(Note.objects.values_list("noted_at", flat=True)) == times
    # The release before starts on a database that has more migrations than it knows.
    Note.objects.create(name="migration 9999_later", text="of the next release", noted_at=max(times))
    assert migration_hashes.find_problem() == ""
    before = states()
    # Only here: emptying the database after the test notes the hashes again.
    with patch.object(migration_hashes, "of_files", lambda: files | {FIRST: "another"}):
        assert_refused(FIRST)
    assert states() == before


def become_older(*without: str) -> None:
    """Make an archive without rows one that has applied the migrations before 1.0.0, but for these. It keeps
    the tables of today: it is refused before anything looks at them."""
    migrate(FIRST, fake=True)
    recorder = MigrationRecorder(connection)
    for name in (FIRST, *without):
        recorder.record_unapplied("archive", name)
    Note.objects.all().delete()
    Note.write(**{f"migration {name}": "of its file" for name in replaced() if name not in without})


@pytest.mark.parametrize("applied", [1, -1])
def test_an_archive_that_lacks_a_replaced_migration_is_refused(empty_database: Any, applied: int) -> None:
    empty_database(migrated=True)
    become_older(*replaced()[applied:])
    before = states()
    assert_refused(f"{replaced()[applied]}.*commit b39f979f, run its `migrate`")
    assert states() == before


def assert_refused(pattern: str) -> None:
    """Nothing starts on this database, and each says why."""
    for start in (migrate, partial(call_command, "sweep", skip_checks=False)):
        with pytest.raises(SystemCheckError, match=pattern):
            start()
    with pytest.raises(SystemExit, match=pattern):
        check_worker()
    answer = probes._Migrations()
    assert re.search(pattern, answer())
    with patch.object(probes, "MIGRATIONS", answer), patch.dict(probes.CHECKS, migrations=answer):
        ready = Client().get("/readyz")
        assert ready.status_code == 503
        assert re.search(pattern, ready.json()["checks"]["migrations"])
        for address in ("/", "/api/v1/deals", "/nowhere"):
            assert Client().get(address).status_code == 503
        assert Client().get("/healthz").status_code == 200


def test_a_database_that_is_away_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    away = Mock(side_effect=OperationalError("it is away"))
    monkeypatch.setattr(migration_hashes, "find_problem", away)
    assert migration_hashes.check_migrations(databases=["default"]) == []
    assert probes._Migrations()() == "not known"
