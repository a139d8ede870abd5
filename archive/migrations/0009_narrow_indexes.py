import datetime
from typing import Any

import django.db.models.functions.comparison
from django.db import migrations, models

from archive import lookups, triggers
from archive.upgrading import AddIndexBeside, RemoveIndexBeside

# Of PostgreSQL alone, and in no model.
CITES = f"CREATE INDEX CONCURRENTLY deal_cites_by_block ON archive_deal USING gin (({lookups.CITED}))"


def create(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        # One that broke off is there, and invalid.
        schema_editor.execute("DROP INDEX CONCURRENTLY IF EXISTS deal_cites_by_block")
        schema_editor.execute(CITES)
        # Its entries are a few for each block: more of them are counted than of other columns.
        schema_editor.execute("ALTER INDEX deal_cites_by_block ALTER COLUMN 1 SET STATISTICS 1000")
        schema_editor.execute("DROP INDEX CONCURRENTLY IF EXISTS deal_cites")
    else:
        lookups.create_sqlite_tables(schema_editor)
        triggers.create(schema_editor.connection)


def drop(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX CONCURRENTLY IF EXISTS deal_cites_by_block")
    else:
        for name in lookups.sqlite_tables():
            schema_editor.execute(f"DROP TABLE {name}")


class Migration(migrations.Migration):

    atomic = False
    while_old_code_serves = "Indexes are made and dropped CONCURRENTLY, and no query needs one. What SQLite gets besides is its own, kept by triggers."

    dependencies = [
        ('archive', '0008_search'),
    ]

    operations = [
        AddIndexBeside(
            model_name='contribution',
            index=models.Index(models.F('space'), django.db.models.functions.comparison.Coalesce('played_on', models.Value(datetime.date(1, 1, 1))), name='of_space_by_day'),
        ),
        AddIndexBeside(
            model_name='deal',
            index=models.Index(fields=['game', 'highest'], name='deal_game_score'),
        ),
        AddIndexBeside(
            model_name='deal',
            index=models.Index(fields=['contract'], name='deal_contract'),
        ),
        AddIndexBeside(
            model_name='deal',
            index=models.Index(fields=['highest'], name='deal_score'),
        ),
        AddIndexBeside(
            model_name='seat',
            index=models.Index(fields=['player'], name='seat_player'),
        ),
        migrations.RunPython(create, drop),
        RemoveIndexBeside(model_name='deal', name='deal_of_game'),
        RemoveIndexBeside(model_name='deal', name='deal_of_contract'),
        RemoveIndexBeside(model_name='deal', name='deal_by_score'),
        RemoveIndexBeside(model_name='seat', name='seat_of_player'),
    ]
