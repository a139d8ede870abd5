import archive.fields
import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    while_old_code_serves = "The code before makes sessions without a date, as it finds them, and seats with a player; no row breaks the wider constraint."

    dependencies = [
        ('archive', '0010_search_folded'),
    ]

    operations = [
        migrations.AddField(
            model_name='deal',
            name='place',
            field=models.BigIntegerField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='seat',
            name='name',
            field=models.CharField(blank=True, db_default='', default='', max_length=200),
        ),
        migrations.AddField(
            model_name='session',
            name='date',
            field=models.CharField(blank=True, db_default='', default='', max_length=10),
        ),
        migrations.AlterField(
            model_name='seat',
            name='player',
            field=models.ForeignKey(blank=True, db_index=False, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='seats', to='archive.player'),
        ),
        migrations.AlterField(
            model_name='upload',
            name='source',
            field=archive.fields.WordField(default='page', words=('page', 'api', 'cli', 'evening')),
        ),
        migrations.RemoveConstraint(
            model_name='session',
            name='session_once_in_space',
        ),
        migrations.AddConstraint(
            model_name='session',
            constraint=models.UniqueConstraint(fields=('space', 'name', 'date'), name='session_once_on_date'),
        ),
    ]
