"""Create the table of variations that guests shared."""

import uuid

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("archive", "0027_joined_friends")]

    operations = [
        migrations.CreateModel(
            "GuestVariations",
            [
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("key", models.UUIDField(default=uuid.uuid4, unique=True)),
                ("lines", models.JSONField(default=list)),
                ("version", models.PositiveIntegerField(default=1)),
                ("made_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("changed_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("device", models.BinaryField(max_length=32)),
                (
                    "deal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="guest_variations",
                        to="archive.deal",
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "guest variations",
                "ordering": ["-changed_at", "-id"],
                "abstract": False,
                "constraints": [
                    models.UniqueConstraint(fields=["device", "deal"], name="variations_of_deal_by_device")
                ],
            },
        ),
    ]
