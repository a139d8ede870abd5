"""Index the rule sets of deals. All stored deals are by the source rules."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models


class AddIndexBeside(AddIndexConcurrently):
    """Add an index without a lock where the database can."""

    def database_forwards(self, label: str, schema_editor: Any, before: Any, after: Any) -> None:
        one_by_one = schema_editor.connection.vendor != "postgresql"
        operation = migrations.AddIndex if one_by_one else AddIndexConcurrently
        operation.database_forwards(self, label, schema_editor, before, after)

    def database_backwards(self, label: str, schema_editor: Any, before: Any, after: Any) -> None:
        one_by_one = schema_editor.connection.vendor != "postgresql"
        operation = migrations.AddIndex if one_by_one else AddIndexConcurrently
        operation.database_backwards(self, label, schema_editor, before, after)


class Migration(migrations.Migration):
    dependencies = [("archive", "0033_rule_sets")]
    atomic = False

    operations = [
        AddIndexBeside(
            "deal",
            models.Index(
                condition=models.Q(("rules__isnull", False)), fields=["rules"], name="deal_rules"
            ),
        ),
    ]
