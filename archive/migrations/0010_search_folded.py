from typing import Any

from django.db import migrations, models

from archive import lookups, triggers
from archive.upgrading import AddIndexBeside


def create(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor != "postgresql":
        lookups.create_sqlite_tables(schema_editor)
        triggers.create(schema_editor.connection)
        return
    # Of PostgreSQL alone, and in no model.
    for table, columns in lookups.TRIGRAMS.items():
        name = table.removeprefix("archive_")
        folded = ", ".join(f"({lookups.Folded.sql(column)}) gin_trgm_ops" for column in columns)
        # One that broke off is there, and invalid.
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}_folded")
        schema_editor.execute(f"CREATE INDEX CONCURRENTLY {name}_folded ON {table} USING gin ({folded})")
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}_trigrams")


def drop(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for table, columns in lookups.TRIGRAMS.items():
            name, plain = table.removeprefix("archive_"), ", ".join(f"{column} gin_trgm_ops" for column in columns)
            schema_editor.execute(f"CREATE INDEX CONCURRENTLY {name}_trigrams ON {table} USING gin ({plain})")
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}_folded")


class Migration(migrations.Migration):

    atomic = False
    while_old_code_serves = "No column changes, and no row. Indexes are made and dropped CONCURRENTLY; the code before searches more slowly without its own, and finds the same. What SQLite has next to its tables is kept by triggers."

    dependencies = [
        ('archive', '0009_narrow_indexes'),
    ]

    operations = [
        AddIndexBeside(
            model_name='player',
            index=models.Index(lookups.Folded('search_name'), name='player_search_name_folded'),
        ),
        migrations.RunPython(create, drop),
    ]
