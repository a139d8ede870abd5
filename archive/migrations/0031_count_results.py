"""Count results: in cells and totals, next to what cards and sheets give. All sums are computed again."""

from typing import Any

from django.db import migrations, models

from archive import triggers


def compute_again(apps: Any, schema_editor: Any) -> None:
    """Create the triggers again, which read more columns than before, and let the sweeper compute all sums."""
    triggers.create(schema_editor.connection)
    if apps.get_model("archive", "Deal").objects.exists():
        apps.get_model("archive", "Mark").objects.create(kind="all", number=0)


class Migration(migrations.Migration):
    dependencies = [("archive", "0030_results")]
    while_old_code_serves = "The new triggers only insert more marks, and the previous code handles these."

    operations = [
        migrations.AddField("cell", "in_public_total", models.BooleanField(db_default=False)),
        migrations.AddField("cell", "in_whole_total", models.BooleanField(db_default=False)),
        migrations.AddField("cell", "is_total", models.BooleanField(db_default=False)),
        migrations.AddField("cell", "sheet_deals", models.IntegerField(db_default=0)),
        migrations.AddField("cell", "sheet_points", models.IntegerField(db_default=0)),
        migrations.AddField("cell", "stated_deals", models.BigIntegerField(db_default=0)),
        migrations.AddField("cell", "stated_points", models.BigIntegerField(db_default=0)),
        migrations.AddField(
            "contribution",
            "deals_played",
            models.PositiveIntegerField(
                blank=True, help_text="Of the total of an evening: number of deals, if stated.", null=True
            ),
        ),
        migrations.AddField("total", "all_deals", models.BigIntegerField(null=True)),
        migrations.AddField("total", "all_evenings", models.IntegerField(null=True)),
        migrations.AddField("total", "all_points", models.BigIntegerField(null=True)),
        migrations.AddField("total", "stated_deals", models.BigIntegerField(null=True)),
        migrations.AddField("total", "stated_points", models.BigIntegerField(null=True)),
        migrations.AddField("total", "verified_deals", models.IntegerField(null=True)),
        migrations.AddField("total", "verified_evenings", models.IntegerField(null=True)),
        migrations.AddField("total", "verified_points", models.IntegerField(null=True)),
        migrations.AddField(
            "contribution",
            "deals_count",
            models.BooleanField(
                null=True, help_text="Of the total of an evening: whether the deals count instead."
            ),
        ),
        migrations.RunPython(compute_again, triggers.drop_on_sqlite),
    ]
