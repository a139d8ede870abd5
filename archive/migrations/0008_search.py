from typing import Any

from django.contrib.postgres.operations import TrigramExtension
from django.db import migrations

# Of PostgreSQL alone, and in no model: SQLite looks at every row.
INDEXES = {
    "contribution_trigrams": "archive_contribution USING gin (event_search gin_trgm_ops, "
    "site_search gin_trgm_ops, text_search gin_trgm_ops)",
    "session_trigrams": "archive_session USING gin (search_name gin_trgm_ops)",
    "player_trigrams": "archive_player USING gin (search_name gin_trgm_ops)",
    "deal_broke": "archive_deal (clauses, id) WHERE verdict IN (1, 2)",
    "deal_of_points": "archive_deal (card_points)",
}


def create(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for name, where in INDEXES.items():
            # One that broke off is there, and invalid.
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")
            schema_editor.execute(f"CREATE INDEX CONCURRENTLY {name} ON {where}")


def drop(apps: Any, schema_editor: Any) -> None:
    if schema_editor.connection.vendor == "postgresql":
        for name in INDEXES:
            schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {name}")


class Migration(migrations.Migration):

    atomic = False
    while_old_code_serves = "The indexes are made CONCURRENTLY, so that nobody waits, and no code has to know of them."

    dependencies = [
        ('archive', '0007_answers_confirmed'),
    ]

    operations = [
        TrigramExtension(),
        migrations.RunPython(create, drop),
    ]
