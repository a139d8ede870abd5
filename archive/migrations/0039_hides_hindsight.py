"""Let a club show no hindsight on its pages."""

from django.db import migrations, models

from archive import triggers


class Migration(migrations.Migration):
    dependencies = [('archive', '0037_puzzles')]
    while_old_code_serves = "The new column has a default; the step before it only does something on SQLite."

    operations = [
        migrations.RunPython(triggers.drop_on_sqlite, migrations.RunPython.noop),
        migrations.AddField("space", "hides_hindsight", models.BooleanField(db_default=False, default=False)),
    ]
