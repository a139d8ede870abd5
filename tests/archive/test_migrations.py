"""Migrations run while the code of the release before still serves, and take its data along."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date as date_type
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any
from unittest.mock import patch

import psycopg
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

from archive import database, lookups, migration_hashes, tokens
from archive.fields import WordField
from archive.models import Change, Contribution, Deal, Note, Player, Session
from archive.reading import scores
from archive.reading.players import find_players
from archive.reading.sessions import session_table
from archive.storing import spaces, sums, sums_check, sweeper
from deploy import probes
from deploy.celery import check_migrations as check_worker
from tests import samples
from tests.storing import everything, outcomes, stored
from tools import migrations as pinned

FORMER = "0003_evenings"
"""The last migration of a release before, from which the test goes on."""

BEFORE_RELEASES = ("0001_initial", "0002_sheets", "0003_evenings", "0004_variations")
"""Migrations from before a release served while the next one was put in place."""


# --- what may stand in a migration --------------------------------------------------------------------------


def refused(migration: migrations.Migration, state: ProjectState) -> list[str]:
    """What in a migration the code before it cannot live with, if nothing says why it can: `state` is that
    before it, and is that after it in the end. CONTRIBUTING.md says what to do instead."""
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
    harmless = (
        migrations.RemoveConstraint,
        migrations.RemoveIndex,
        migrations.AlterModelOptions,
        migrations.AlterModelManagers,
        migrations.RenameIndex,
    )
    return isinstance(operation, harmless)


def own_migrations() -> Iterator[tuple[migrations.Migration, ProjectState]]:
    """The archive's migrations in their order, each with the state before it."""
    loader = MigrationLoader(None)
    graph = loader.graph
    (last,) = graph.leaf_nodes("archive")
    for node in graph.forwards_plan(last):
        if node[0] == "archive":
            yield graph.nodes[node], loader.project_state(node, at_end=False)


def test_later_migrations_run_while_the_code_before_them_serves() -> None:
    wrong = {
        migration.name: faults
        for migration, state in own_migrations()
        if migration.name not in BEFORE_RELEASES and (faults := refused(migration, state))
    }
    assert not wrong, "CONTRIBUTING.md, “A change of the tables”, says how else to do it"


def test_a_migration_stays_as_it_is_once_its_hash_is_written_down() -> None:
    advice = "run `python -m tools.migrations` for a new migration; never change one that is on main"
    assert pinned.read() == migration_hashes.of_files(), advice


def test_a_new_migration_gets_a_line_and_no_line_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinned, "LINES", tmp_path / "hashes.txt")
    pinned.LINES.write_text("0001_initial of-another-file\n")
    pinned.main()
    expected = migration_hashes.of_files() | {"0001_initial": "of-another-file"}
    assert list(pinned.read().items()) == sorted(expected.items())


def test_the_check_knows_what_the_code_before_cannot_live_with() -> None:
    state = MigrationLoader(None).project_state()

    def faults(*operations: Any, **more: str) -> int:
        migration = type("Migration", (migrations.Migration,), {"operations": list(operations), **more})
        return len(refused(migration("0999_test", "archive"), state.clone()))

    number, text = models.IntegerField, models.TextField
    for operation in (
        migrations.AddField("deal", "extra", number(default=0)),
        migrations.RemoveField("deal", "text"),
        migrations.RenameField("deal", "text", "words"),
        migrations.DeleteModel("Variations"),
        migrations.AlterField("session", "name", text()),
        migrations.AlterField("upload", "accepted_at", models.DateTimeField()),
        migrations.AlterField("part", "queue", WordField(words=("bulk", "interactive"))),
        migrations.AddIndex("deal", models.Index(fields=["stored_at"], name="extra")),
        migrations.AddConstraint("deal", models.CheckConstraint(condition=models.Q(pk__gt=0), name="extra")),
        migrations.RunSQL("SELECT 1"),
        migrations.RunPython(migrations.RunPython.noop),
    ):
        assert faults(operation) == 1, operation.describe()
        assert faults(operation, while_old_code_serves="because of this and that") == 0
    made = migrations.CreateModel("Extra", [("id", models.BigAutoField(primary_key=True))])
    for operations in (
        [migrations.AddField("deal", "extra", number(null=True))],
        [migrations.AddField("deal", "extra", number(db_default=0))],
        [migrations.AlterField("part", "queue", WordField(words=("interactive", "bulk", "third")))],
        [AddIndexConcurrently("deal", models.Index(fields=["stored_at"], name="extra"))],
        [made, migrations.AddField("extra", "number", number(default=0))],
    ):
        assert faults(*operations) == 0, operations[-1].describe()


# --- an archive of the release before -----------------------------------------------------------------------


@pytest.fixture
def empty_database(transactional_db: None, tmp_path: Path) -> Iterator[Any]:
    """A function after which the connection of the test leads to an empty database."""
    at, name = connection.settings_dict, connection.settings_dict["NAME"]
    other = f"{name}_upgrade" if connection.vendor == "postgresql" else str(tmp_path / "upgrade.sqlite3")

    def on_server(statement: str) -> None:
        if connection.vendor != "postgresql":
            return
        place = {"host": at["HOST"] or None, "port": at["PORT"] or None, "user": at["USER"] or None}
        with psycopg.connect(
            **place, password=at["PASSWORD"] or None, dbname="postgres", autocommit=True
        ) as server:
            server.execute(statement)

    def begin() -> None:
        on_server(f'DROP DATABASE IF EXISTS "{other}" WITH (FORCE)')
        on_server(f'CREATE DATABASE "{other}"')
        connection.close()
        at["NAME"] = other

    yield begin
    connection.close()
    at["NAME"] = name
    on_server(f'DROP DATABASE IF EXISTS "{other}" WITH (FORCE)')


Rows = dict[str, list[dict[str, Any]]]


def rows_of(found: Any, names: dict[str, list[str]] | None = None) -> Rows:
    """All rows of these models, by table and in their order, with the columns of these names."""
    rows: Rows = {}
    for model in found:
        own = [field.attname for field in model._meta.concrete_fields if not field.generated]
        table = model._meta.db_table
        wanted = own if names is None else names.get(table, [])
        if wanted:
            rows[table] = list(model._base_manager.order_by("pk").values(*wanted))
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
            if model.__name__ == "Player":
                # The fields of its names ask the model of today.
                database.insert(model, own)
            else:
                model._base_manager.bulk_create(model(**row) for row in own)
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), found):
                cursor.execute(statement)


@pytest.mark.storage
def test_an_archive_of_the_release_before_is_upgraded(empty_database: Any) -> None:
    user = User.objects.create_user("anna")
    tokens.make(user, "a program", scopes=["deals:write"])
    stored(samples.TAROKY, samples.ILLEGAL, samples.UNFINISHED, samples.MALFORMED, user=user)
    stored(samples.DISPUTED)
    now = [User, *apps.get_app_config("archive").get_models()]
    data = rows_of(now)
    empty_database()

    executor = MigrationExecutor(connection)
    others = [node for node in executor.loader.graph.leaf_nodes() if node[0] != "archive"]
    former = executor.migrate([*others, ("archive", FORMER)]).apps
    before = [former.get_model("auth", "User"), *former.get_app_config("archive").get_models()]
    write(before, data)
    left = {table: rows for table, rows in rows_of(before).items() if rows}
    names = {table: list(rows[0]) for table, rows in left.items()}

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
    assert rows_of(now, names) == left
    assert Deal.objects.count() == 3
    assert Contribution.objects.count() == 4

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


# --- an archive that this code can't use --------------------------------------------------------------------


def migrate(name: str | None = None, **how: Any) -> None:
    """Run the command as an operator does: with its checks."""
    call_command("migrate", *(["archive", name] if name else []), verbosity=0, skip_checks=False, **how)


def states() -> set[tuple[str, str]]:
    """The applied migrations."""
    return set(MigrationRecorder(connection).applied_migrations())


@pytest.mark.storage
@pytest.mark.parametrize("name", ["0013_identities", None])
def test_migrate_notes_the_hashes_of_what_it_applies(empty_database: Any, name: str | None) -> None:
    """An archive of each release is upgraded: of one before the notes, and of one after."""
    empty_database()
    migrate(name)
    assert migration_hashes.find_problem() == ""
    migrate()
    files = migration_hashes.of_files()
    assert {note.name: note.text for note in Note.objects.all()} == {
        f"migration {name}": text for name, text in files.items()
    }
    times = set(Note.objects.values_list("noted_at", flat=True))
    migrate()
    assert set(Note.objects.values_list("noted_at", flat=True)) == times
    # The release before starts on a database that has more migrations than it knows.
    Note.objects.create(name="migration 9999_later", text="of the next release", noted_at=max(times))
    assert migration_hashes.find_problem() == ""


@pytest.mark.storage
def test_a_migration_that_was_changed_later_is_refused(
    empty_database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty_database()
    migrate("0013_identities")
    migrate()
    files, before = migration_hashes.of_files(), states()
    monkeypatch.setattr(migration_hashes, "of_files", lambda: files | {"0005_sums": "another"})
    assert_refused("0005_sums")
    assert states() == before


@pytest.mark.storage
@pytest.mark.parametrize(
    ("word", "change"),
    [
        ("archive_contribution.fingerprint", "archive_contribution RENAME COLUMN fingerprint TO said"),
        ("archive_webhook.space_id", "archive_webhook RENAME TO archive_hook"),
    ],
)
def test_an_archive_from_before_the_notes_is_known_by_its_columns(
    empty_database: Any, word: str, change: str
) -> None:
    empty_database()
    migrate("0001_initial")
    before = states()
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {change}")
    assert_refused(word)
    assert states() == before


def assert_refused(word: str) -> None:
    """Nothing starts on this database, and each says why."""
    for start in (migrate, partial(call_command, "sweep", skip_checks=False)):
        with pytest.raises(SystemCheckError, match=word):
            start()
    with pytest.raises(SystemExit, match=word):
        check_worker()
    answer = probes._Migrations()
    assert word in answer()
    with patch.object(probes, "MIGRATIONS", answer), patch.dict(probes.CHECKS, migrations=answer):
        ready = Client().get("/readyz")
        assert ready.status_code == 503
        assert word in ready.json()["checks"]["migrations"]
        for address in ("/", "/api/v1/deals", "/nowhere"):
            assert Client().get(address).status_code == 503
        assert Client().get("/healthz").status_code == 200


def test_a_database_that_is_away_is_not_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def away() -> str:
        raise OperationalError("it is away")

    monkeypatch.setattr(migration_hashes, "find_problem", away)
    assert migration_hashes.check_migrations(databases=["default"]) == []
    assert probes._Migrations()() == "not known"


# --- sessions without dates ---------------------------------------------------------------------------------

BEFORE_DATES = "0010_search_folded"
"""The last migration before sessions had dates."""

_SHEET = """[TGN "1"]
[Game "strohmann"]
[A "{a}"]
[B "{b}"]
[Dealer "A"]
{date}[Session "{session}"]
[Deal "{number}"]

sheet contract undeclared
sheet points A {points}
"""


def sheet(
    a: str = "Resi",
    b: str = "Poldi",
    date: str = "",
    session: str = "Stammtisch",
    number: int = 1,
    points: int = 40,
) -> str:
    when = f'[Date "{date}"]\n' if date else ""
    return _SHEET.format(a=a, b=b, date=when, session=session, number=number, points=points)


def as_before_dates(data: Rows, other_form: dict[str, str]) -> Rows:
    """Rows as the code before wrote them: one session of a name, a player for each name, also for “?”.
    ``other_form``: a name as somebody else wrote it, whose rows the code before would have kept apart."""
    first: dict[tuple[int, str], int] = {}
    same = {}
    for row in data["archive_session"]:
        same[row["id"]] = first.setdefault((row["space_id"], row["name"]), row["id"])
    data["archive_session"] = [row for row in data["archive_session"] if same[row["id"]] == row["id"]]
    contributions = {row["id"]: row for row in data["archive_contribution"]}
    for row in contributions.values():
        row["session_id"] = same.get(row["session_id"])
    players = {row["name"]: row for row in data["archive_player"]}
    for seat in data["archive_seat"]:
        name = seat["name"] or next(row["name"] for row in players.values() if row["id"] == seat["player_id"])
        if name in other_form and contributions[seat["contribution_id"]]["number"] % 2:
            name = other_form[name]
        if name not in players:
            pk = max(row["id"] for row in players.values()) + 1
            space = contributions[seat["contribution_id"]]["space_id"]
            players[name] = data["archive_player"][0] | {"id": pk, "name": name, "space_id": space}
            data["archive_player"].append(players[name])
        seat["player_id"] = players[name]["id"]
    return data


def shown() -> Any:
    """What an archive shows: sessions with their deals, and the points of players."""
    sums.settle()
    tables = {
        (one.name, one.date): [
            (row.number, row.kind, row.verdict, sorted(row.points.values()))
            for row in session_table(one).rows
        ]
        for one in Session.objects.all()
    }
    rows = [(row.game, row.name, row.deals, row.evenings, row.total) for row in scores.player_scores()]
    return tables, sorted(rows), sorted(player.name for player in find_players())


@pytest.mark.storage
def test_sessions_sheets_and_seats_of_before_are_told_apart(empty_database: Any) -> None:
    stored(
        *(
            sheet(date=date, number=n)
            for date in ("2026-09-08", "2026-09-01", "2026-09-??", "")
            for n in (1, 2)
        ),
        sheet("?", "Poldi", date="2026-09-01", number=3),
        sheet("Jan", "Jan", date="2026-09-01", number=4),
        sheet("Čeněk Žák", "Hana Ílová", session="Úterní klub", number=1),
        sheet("Čeněk Žák", "Hana Ílová", session="Úterní klub", number=2),
        samples.TAROKY,
    )
    stored(sheet(date="2206-01-01", number=9), source="cli")
    # A sheet that the cards of another week cover, as the code before did it.
    expected, data = shown(), rows_of(apps.get_app_config("archive").get_models())
    cards, covered = (
        next(row for row in data["archive_contribution"] if row["deal_id"] == pk)
        for pk in (Deal.objects.get(kind="played").pk, Deal.objects.filter(kind="sheet").order_by("pk")[0].pk)
    )
    covered |= {"visibility": "covered", "covered_visibility": "public", "replaced_by_id": cards["id"]}
    for row in data["archive_contribution"]:
        if row["date"] == "2206-01-01":
            row["played_on"] = date_type(2206, 1, 1)
    other_form = {"Čeněk Žák": "C\u030cene\u030ck Z\u030ca\u0301k", "Hana Ílová": "Hana\u00a0Ílová"}
    data = as_before_dates(data, other_form)
    for table in ("archive_cell", "archive_total", "archive_tally", "archive_mark"):
        data[table] = []
    empty_database()

    executor = MigrationExecutor(connection)
    others = [node for node in executor.loader.graph.leaf_nodes() if node[0] != "archive"]
    former = executor.migrate([*others, ("archive", BEFORE_DATES)]).apps
    write(list(former.get_app_config("archive").get_models()), data)
    sessions_before = {row["name"]: row["id"] for row in data["archive_session"]}
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    assert Session.objects.get(name="Stammtisch", date="2026-09-01").pk == sessions_before["Stammtisch"]
    sums.mark_all()
    assert shown() == expected
    assert list(sums_check.check()) == []
    # What is sent again is known, whatever the archive made of it.
    again = stored(*(sheet(date=date, number=n) for date in ("2026-09-08", "") for n in (1, 2)))
    assert outcomes(again) == ["known"] * 4
    # Nothing is left to do.
    tables = everything(without=("Part", "Upload", "UploadItem"))
    import_module("archive.migrations.0013_identities").upgrade(apps, connection.schema_editor())
    assert everything(without=("Part", "Upload", "UploadItem", "Mark")) == {
        name: rows for name, rows in tables.items() if name != "Mark"
    }


# --- single migrations --------------------------------------------------------------------------------------


@pytest.mark.storage
@pytest.mark.django_db(transaction=True)
def test_rows_of_the_release_before_are_found_in_any_spelling() -> None:
    """The search indexes of the release before hold texts as they are; the migration replaces them."""
    house = spaces.house()
    with connection.cursor() as cursor:
        for table, columns in lookups.TRIGRAMS.items():
            short, names = table.removeprefix("archive_"), ", ".join(columns)
            if connection.vendor == "postgresql":
                cursor.execute(f"DROP INDEX {short}_folded")
                grams = ", ".join(f"{column} gin_trgm_ops" for column in columns)
                cursor.execute(f"CREATE INDEX {short}_trigrams ON {table} USING gin ({grams})")
                continue
            for event in ("inserted", "updated", "deleted"):
                cursor.execute(f"DROP TRIGGER {table}_trigrams_{event}")
            cursor.execute(f"DROP TABLE {table}_trigrams")
            cursor.execute(
                f"CREATE VIRTUAL TABLE {table}_trigrams USING fts5({names}, content='{table}',"
                " content_rowid='id', tokenize='trigram', detail=none, columnsize=0)"
            )
    mueller = Player.objects.create(space=house, name="Mueller")
    kjaer = Player.objects.create(space=house, name="Kjær")
    migration = import_module("archive.migrations.0010_search_folded")
    for _again in range(2):
        with connection.schema_editor(atomic=False) as editor:
            migration.create(apps, editor)
    assert list(Player.objects.holding("mÜll")) == [mueller]
    assert list(Player.objects.holding("kjaer")) == [kjaer]
    mueller.name = "Bäcker"
    mueller.save()
    kjaer.delete()
    assert list(Player.objects.holding("baecker")) == [mueller]
    assert not Player.objects.holding("mueller")
    assert not Player.objects.holding("kjaer")
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT indexname FROM pg_indexes WHERE indexname ~ '_(folded|trigrams)$'")
            found = {name for (name,) in cursor.fetchall()}
        tables = {table.removeprefix("archive_") for table in lookups.TRIGRAMS}
        assert found == {"player_search_name_folded", *(f"{table}_folded" for table in tables)}


@pytest.mark.storage
@pytest.mark.django_db
def test_replaced_contributions_get_the_visibility_of_their_history() -> None:
    ada = User.objects.create_user("ada")
    olds = []
    for visibility in ("public", "unlisted", "members"):
        old = stored(
            samples.ILLEGAL_BID, user=ada, visibility=visibility, space=spaces.found_club(visibility, by=ada)
        )
        olds.append(Contribution.objects.get(part__upload=old))
        stored(samples.TAROKY, user=ada, space=old.space, replaces=olds[-1])
    Contribution.objects.update(covered_visibility=None)
    Change.objects.filter(contribution=olds[0]).delete()
    import_module("archive.migrations.0021_visibility_before_replacing").fill(apps, None)
    found = dict(Contribution.objects.values_list("pk", "covered_visibility"))
    assert [found.pop(old.pk) for old in olds] == ["members", "unlisted", "members"]
    assert not any(found.values())


@pytest.mark.storage
@pytest.mark.django_db
def test_deals_that_were_hidden_first_get_the_time_of_their_first_public_contribution() -> None:
    ada = User.objects.create_user("ada")
    stored(samples.TAROKY, user=ada, visibility="members")
    house = stored(samples.TAROKY)
    public = Contribution.objects.get(part__upload=house)
    assert public.deal.contributions.count() == 2
    stored(samples.dealt(1))
    Deal.objects.filter(pk=public.deal_id).update(
        stored_at="2026-01-01T00:00Z", verified_at="2026-01-01T00:00Z"
    )
    others = list(Deal.objects.exclude(pk=public.deal_id).values_list("pk", "stored_at"))
    # SQLite lets nobody enter a schema editor within a transaction.
    import_module("archive.migrations.0025_times_of_public_deals").date(apps, connection.schema_editor())
    deal = Deal.objects.get(pk=public.deal_id)
    assert deal.stored_at == deal.verified_at == house.accepted_at
    assert list(Deal.objects.exclude(pk=public.deal_id).values_list("pk", "stored_at")) == others
