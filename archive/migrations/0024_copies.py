from django.db import migrations, models

from archive.upgrading import AddIndexBeside


class Migration(migrations.Migration):

    atomic = False
    while_old_code_serves = "The code before finds a deal by its digest, whichever it is. To drop the constraint takes a moment."

    dependencies = [
        ('archive', '0023_owners'),
    ]

    operations = [
        AddIndexBeside(
            model_name='deal',
            index=models.Index(fields=['digest'], name='deal_digest'),
        ),
        AddIndexBeside(
            model_name='removed',
            index=models.Index(fields=['deal_id'], name='removed_deal'),
        ),
        migrations.AlterField(
            model_name='deal',
            name='digest',
            field=models.BinaryField(max_length=32),
        ),
    ]
