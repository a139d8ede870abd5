"""Store the rule sets of deals with options, and sum up the points of each rule set separately."""

from typing import Any

import django.db.models.deletion
from django.db import migrations, models

from archive import triggers
from archive.fields import GameField


def forget_others(apps: Any, schema_editor: Any) -> None:
    """Before going back: delete the totals of all rule sets with options, because the previous release has one
    total for each game, and let it compute all sums again."""
    triggers.drop_on_sqlite(apps, schema_editor)
    totals = apps.get_model("archive", "Total").objects.exclude(rules=0)
    if totals.exists():
        totals.delete()
        apps.get_model("archive", "Mark").objects.create(kind="all", number=0)


class Migration(migrations.Migration):
    dependencies = [("archive", "0032_imported_tables")]
    while_old_code_serves = "The new constraint is wider. The previous code writes and reads only the default."

    operations = [
        migrations.RunPython(triggers.drop_on_sqlite, migrations.RunPython.noop),
        migrations.CreateModel(
            "RuleSet",
            [
                ("id", models.BigIntegerField(primary_key=True, serialize=False)),
                ("game", GameField()),
                ("options", models.TextField(help_text="As in a record, separated by spaces.")),
                ("unit", models.CharField(max_length=12)),
            ],
        ),
        migrations.AddField("cell", "rules", models.BigIntegerField(db_default=0)),
        migrations.RemoveConstraint("total", "total_once_of_person"),
        migrations.AddField("total", "rules", models.BigIntegerField(db_default=0)),
        migrations.AddConstraint(
            "total",
            models.UniqueConstraint(
                fields=("person", "game", "rules", "year", "view"), name="total_once_of_rules"
            ),
        ),
        migrations.AddField(
            "deal",
            "rules",
            models.ForeignKey(
                "archive.RuleSet",
                blank=True,
                db_index=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, forget_others),
    ]
