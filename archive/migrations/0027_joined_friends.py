"""Add the link with which friends join an evening, and the names of the friends who entered deals."""

from django.db import migrations, models

FRIEND = models.CharField(max_length=200, blank=True, default="", db_default="")


class Migration(migrations.Migration):
    dependencies = [("archive", "0026_verdict_computed")]

    operations = [
        migrations.AddField(
            "evening",
            "join_key",
            models.CharField(max_length=40, null=True, blank=True, unique=True, editable=False),
        ),
        migrations.AddField("upload", "friend", FRIEND),
        migrations.AddField("change", "friend", FRIEND),
    ]
