import datetime

import django.db.models.functions.comparison
from django.db import migrations, models

from archive.upgrading import AddIndexBeside


class Migration(migrations.Migration):

    atomic = False

    dependencies = [
        ('archive', '0005_sums'),
    ]

    operations = [
        AddIndexBeside(
            model_name='contribution',
            index=models.Index(condition=models.Q(('session__isnull', True)), fields=['space', 'played_on'], name='without_session'),
        ),
        AddIndexBeside(
            model_name='player',
            index=models.Index(condition=models.Q(('same_as', None)), fields=['sort_name', 'id'], name='player_sort_name'),
        ),
        AddIndexBeside(
            model_name='player',
            index=models.Index(condition=models.Q(('same_as', None)), fields=['sort_name_cs', 'id'], name='player_sort_name_cs'),
        ),
        AddIndexBeside(
            model_name='player',
            index=models.Index(condition=models.Q(('sort_name', None)), fields=['id'], name='player_unsorted'),
        ),
        AddIndexBeside(
            model_name='session',
            index=models.Index(models.OrderBy(django.db.models.functions.comparison.Coalesce('public_last', models.Value(datetime.date(1, 1, 1))), descending=True), models.OrderBy(models.F('id'), descending=True), condition=models.Q(('public_deals__gt', 0)), name='session_by_day'),
        ),
        AddIndexBeside(
            model_name='session',
            index=models.Index(models.F('space'), models.OrderBy(django.db.models.functions.comparison.Coalesce('whole_last', models.Value(datetime.date(1, 1, 1))), descending=True), models.OrderBy(models.F('id'), descending=True), name='session_of_space'),
        ),
    ]
