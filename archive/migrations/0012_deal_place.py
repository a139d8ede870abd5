from django.db import migrations, models

from archive.upgrading import AddIndexBeside


class Migration(migrations.Migration):

    atomic = False
    while_old_code_serves = "The index is made CONCURRENTLY."

    dependencies = [
        ('archive', '0011_dated_sessions'),
    ]

    operations = [
        AddIndexBeside(
            model_name='deal',
            index=models.Index(condition=models.Q(('place__isnull', False)), fields=['place'], name='deal_place'),
        ),
    ]
