"""Index the rule sets of deals, and fill in those of stored deals. Until now, deals could only have one option:
`settle-uncontested` in Taroky. It can only be found in the text of each deal, because it may have had no
effect."""

from typing import Any

from django.contrib.postgres.operations import AddIndexConcurrently
from django.db import migrations, models

OPTION = "settle-uncontested"
RULES = 7320308724641052860
"""The id of the rule set with this option (`archive.rules`)."""
BATCH = 2000


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


def fill_in(apps: Any, _schema_editor: Any) -> None:
    """Set the rule set of the stored deals with the option, batch by batch, and compute all sums again."""
    deals = apps.get_model("archive", "Deal").objects.filter(game="taroky", rules=None).order_by("pk")
    last, rules = 0, None
    while batch := list(deals.filter(pk__gt=last).values_list("pk", "text")[:BATCH]):
        last = batch[-1][0]
        found = [pk for pk, text in batch if f'"{OPTION}"' in text]
        if found and rules is None:
            sets = apps.get_model("archive", "RuleSet").objects
            rules, _ = sets.get_or_create(pk=RULES, game="taroky", options=OPTION, unit="point")
        if found:
            deals.filter(pk__in=found).update(rules=rules)
    if rules is not None:
        apps.get_model("archive", "Mark").objects.create(kind="all", number=0)


class Migration(migrations.Migration):
    dependencies = [("archive", "0033_rule_sets")]
    atomic = False
    while_old_code_serves = "The previous code doesn't know the column that is filled in."

    operations = [
        AddIndexBeside(
            "deal",
            models.Index(
                condition=models.Q(("rules__isnull", False)), fields=["rules"], name="deal_rules"
            ),
        ),
        migrations.RunPython(fill_in, migrations.RunPython.noop),
    ]
