"""Index the hands of deals, for searches, and the deals whose hands are missing, for the sweeper."""

from typing import Any

from django.db import migrations, models

from archive import lookups
from archive.upgrading import AddIndexBeside


def index_hands(apps: Any, schema_editor: Any) -> None:
    """Create the index of hands on PostgreSQL, without blocking writers."""
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP INDEX CONCURRENTLY IF EXISTS deal_holds_by_block")
        schema_editor.execute(
            f"CREATE INDEX CONCURRENTLY deal_holds_by_block ON archive_deal USING gin (({lookups.HELD}))"
        )
        schema_editor.execute("ALTER INDEX deal_holds_by_block ALTER COLUMN 1 SET STATISTICS 1000")


class Migration(migrations.Migration):
    dependencies = [("archive", "0040_hands")]
    atomic = False
    while_old_code_serves = "The index of hands is created concurrently, and no code before reads it."

    operations = [
        AddIndexBeside(
            "deal",
            models.Index(condition=models.Q(("hands__isnull", True)), fields=["id"], name="deal_without_hands"),
        ),
        migrations.RunPython(index_hands, migrations.RunPython.noop),
    ]
