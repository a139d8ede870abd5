"""Let users follow players, sessions and clubs."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from archive import triggers


class Migration(migrations.Migration):
    dependencies = [("archive", "0042_collections"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]
    while_old_code_serves = "The new column has a default; the step before it only does something on SQLite."

    operations = [
        migrations.RunPython(triggers.drop_on_sqlite, migrations.RunPython.noop),
        migrations.AddField("player", "can_be_followed", models.BooleanField(db_default=True, default=True)),
        migrations.CreateModel(
            name="Follow",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("club", models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="followers", to="archive.space")),
                ("player", models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="followers", to="archive.player")),
                ("session", models.ForeignKey(null=True, on_delete=django.db.models.deletion.CASCADE, related_name="followers", to="archive.session")),
                ("user", models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="follows", to=settings.AUTH_USER_MODEL)),
            ],
            options={"ordering": ["-id"]},
        ),
        *(
            migrations.AddConstraint(
                "follow", models.UniqueConstraint(fields=("user", kind), name=f"follow_{kind}_once")
            )
            for kind in ("player", "session", "club")
        ),
    ]
