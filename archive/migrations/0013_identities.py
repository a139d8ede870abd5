from archive import identities
from django.db import migrations


class Migration(migrations.Migration):

    while_old_code_serves = "It holds the lock of all inserts: the code before waits, and reads what it finds. It shows no deal with a seat without a player; these are few."

    dependencies = [
        ('archive', '0012_deal_place'),
    ]

    operations = [
        migrations.RunPython(identities.upgrade, migrations.RunPython.noop),
    ]
