"""Store the hands of deals, and statistics of the scored deals in each block of ids."""

from typing import Any

from django.db import migrations, models

import archive.fields
from archive import triggers


def create_again(apps: Any, schema_editor: Any) -> None:
    """Create the triggers again, which read more columns than before. The sweeper fills in the hands of stored
    deals, and each change of hands marks the sums."""
    triggers.create(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("archive", "0039_hides_hindsight")]
    while_old_code_serves = "The new triggers only insert more marks, and the previous code handles these."

    operations = [
        migrations.RunPython(triggers.drop_on_sqlite, migrations.RunPython.noop),
        migrations.AddField(
            "deal",
            "hands",
            models.TextField(blank=True, help_text="As `archive.hands` packs them.", null=True),
        ),
        migrations.CreateModel(
            "Figure",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("space", models.BigIntegerField()),
                ("is_public", models.BooleanField()),
                ("block", models.BigIntegerField()),
                ("game", archive.fields.GameField()),
                ("rules", models.BigIntegerField()),
                ("topic", archive.fields.WordField(words=("contract", "tarocks", "points", "clause"))),
                ("key", models.CharField(max_length=100)),
                (
                    "role",
                    archive.fields.WordField(null=True, words=("declarer", "partner", "opponent", "alone")),
                ),
                ("deals", models.IntegerField()),
                ("seats", models.IntegerField()),
                ("won", models.IntegerField()),
                ("points", models.BigIntegerField()),
            ],
            options={
                "indexes": [
                    models.Index(fields=["block"], name="figure_of_block"),
                    models.Index(fields=["space", "game", "rules"], name="figure_of_space"),
                ],
            },
        ),
        migrations.RunPython(create_again, triggers.drop_on_sqlite),
    ]
