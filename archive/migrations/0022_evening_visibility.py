"""Add the visibility of an evening. Evenings that are there have none: their deals go on as before."""

from django.db import migrations

import archive.fields


class Migration(migrations.Migration):
    dependencies = [("archive", "0021_visibility_before_replacing")]

    operations = [
        migrations.AddField(
            model_name="evening",
            name="visibility",
            field=archive.fields.WordField(blank=True, null=True, words=("public", "unlisted", "members")),
        ),
    ]
