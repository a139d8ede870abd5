"""Index the deals with doubles, for searches, and those whose doubles the sweeper must fill in."""

from django.db import migrations, models

from archive.upgrading import AddIndexBeside


class Migration(migrations.Migration):
    dependencies = [("archive", "0046_doubles")]
    atomic = False

    operations = [
        AddIndexBeside(
            "deal",
            models.Index(condition=models.Q(("doubles__gt", "")), fields=["id"], name="deal_doubled"),
        ),
        AddIndexBeside(
            "deal",
            models.Index(
                condition=models.Q(("doubles__isnull", True)), fields=["id"], name="deal_without_doubles"
            ),
        ),
    ]
