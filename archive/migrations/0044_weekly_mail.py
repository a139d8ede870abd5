"""Let users get a weekly mail about what they follow."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("archive", "0043_following"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="WeeklyMail",
            fields=[
                ("user", models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name="weekly_mail", serialize=False, to=settings.AUTH_USER_MODEL)),
                ("language", models.CharField(max_length=10)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                ("due_at", models.DateTimeField(db_index=True)),
            ],
        ),
    ]
