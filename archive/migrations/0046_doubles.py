"""Store the doubles of deals, and statistics of them and of months."""

from typing import Any

from django.db import migrations, models

import archive.fields
from archive import triggers


def create_again(apps: Any, schema_editor: Any) -> None:
    """Create the triggers again, which read one more column than before. The sweeper fills in the doubles of
    the deals of the previous release together with their hands."""
    triggers.create(schema_editor.connection)


class Migration(migrations.Migration):
    dependencies = [("archive", "0044_weekly_mail")]
    while_old_code_serves = "The new triggers only insert more marks, and the previous code handles these."

    operations = [
        migrations.RunPython(triggers.drop_on_sqlite, migrations.RunPython.noop),
        migrations.AddField(
            "deal",
            "doubles",
            models.TextField(blank=True, help_text="As `archive.packed_sheets` packs them.", null=True),
        ),
        migrations.AlterField(
            "figure",
            "topic",
            archive.fields.WordField(words=("contract", "tarocks", "points", "clause", "double", "month")),
        ),
        migrations.AlterField(
            "mark",
            "kind",
            archive.fields.WordField(words=("evening", "deals", "player", "all", "figures")),
        ),
        migrations.RunPython(create_again, triggers.drop_on_sqlite),
    ]
